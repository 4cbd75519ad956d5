//! A session full of markup and script shows its text and runs nothing, whatever is clicked.

use std::fs;

use serde_json::Value;

use crate::support::{Exported, Page, own_file};

fn hostile() -> Exported {
    Exported::file("tests/fixtures/hostile.jsonl")
}

#[test]
fn every_text_is_shown() {
    let markers = fs::read(own_file("tests/fixtures/hostile-markers.json")).unwrap();
    let markers: Vec<String> = serde_json::from_slice(&markers).unwrap();
    assert!(markers.len() > 50);
    let hostile = hostile();
    let page = hostile.open();
    let mut shown: Vec<String> =
        page.of_every_article(&hostile, "(article) => article.textContent");
    shown.push(page.text("#session"));
    let is_missing = |marker: &&String| !shown.iter().any(|text| text.contains(*marker));
    assert_eq!(markers.iter().filter(is_missing).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn only_harmless_markup() {
    let page = hostile().open();
    assert_harmless(&page);
    let rows: Vec<String> = page.get("Array.from(document.querySelectorAll('#tree *'), (e) => e.tagName).filter((tag) => !['DIV', 'SPAN'].includes(tag))");
    assert_eq!(rows, [""; 0], "rows are text");
}

#[test]
fn every_click_is_harmless() {
    let hostile = hostile();
    let page = hostile.open();
    stay_here(&page);
    let mut clicks = 0;
    for leaf in hostile.session.tree().leaves() {
        clicks += page.call::<usize>(CLICK_ALL, &[hostile.session.key(leaf).unwrap()]);
    }
    assert!(clicks > hostile.session.len(), "only {clicks} clicks");
    assert_harmless(&page);
    page.wait("what was clicked to open", "document.querySelector('#raw[open]') !== null");
    page.run("for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close()");
    // Once more as a mouse does it, which follows links that a script's click may not.
    page.run(&format!("leafpress.go({{ leafId: {} }})", serde_json::json!(hostile.leaf())));
    for selector in ["#transcript summary", "#transcript a[href]", "#transcript .copy-link"] {
        for nth in 0..page.count(selector).min(12) {
            let shown = format!(
                "Array.from(document.querySelectorAll('{selector}')).filter((e) => e.checkVisibility())[{nth}]"
            );
            if page.get(&format!("(() => {{ document.querySelector('[data-next]')?.removeAttribute('data-next'); {shown}?.setAttribute('data-next', ''); return {shown} !== undefined; }})()")) {
                page.click("[data-next]");
            }
        }
    }
}

#[test]
fn every_row_is_harmless() {
    let hostile = hostile();
    let page = hostile.open();
    page.click("button[data-filter=all]");
    for key in hostile.row_ids(&hostile.leaf(), leafpress::Filter::All, "") {
        page.run("document.getElementById('tree').focus()");
        page.scroll_to_row(&key);
        page.click_row(&key);
        assert_eq!(page.selected_row().as_ref(), Some(&key));
        assert!(page.shown_articles().contains(&key));
    }
}

#[test]
fn harmless_without_script() {
    let mut options = leafpress::Options::default();
    options.all_plain = true;
    let hostile = Exported::with_options(hostile().session, &options);
    let page = hostile.page().without_script().open("");
    assert_eq!(page.shown_articles(), hostile.path(&hostile.leaf()));
    assert_harmless(&page);
}

/// Follows no link out of the page, but lets everything else happen.
fn stay_here(page: &Page) {
    page.run("addEventListener('click', (event) => { const link = event.target.closest?.('a[href]'); if (link && /^(https?|mailto):/.test(link.href)) event.preventDefault(); }, true)");
}

fn assert_harmless(page: &Page) {
    let found: Value = page.get(HARMFUL);
    assert_eq!(found, serde_json::json!([]));
    assert!(
        page.get::<bool>("window.__pwned === undefined && Object.prototype.polluted === undefined")
    );
}

/// Shows a leaf and clicks whatever can be clicked, until clicking opens nothing more. A click may take articles out
/// of the document and bring them back as other elements, so what was clicked is recognized by its place in its article.
const CLICK_ALL: &str = r##"(leaf) => {
    leafpress.go({ leafId: leaf });
    const clicked = new Set();
    const clickable = "main summary, main a[href], main button, main [role=button], main img, main label, main input, #filters button, #theme-toggle, #tree [role=treeitem]";
    const next = () => {
        const places = new Map();
        for (const element of document.querySelectorAll(clickable)) {
            const owner = element.dataset.entryId ?? element.closest("[id]")?.id;
            const kind = element.matches("#tree *") ? "row" : `${element.tagName} ${element.className}`;
            const place = JSON.stringify([owner, kind]);
            places.set(place, (places.get(place) ?? 0) + 1);
            const name = place + places.get(place);
            if (!clicked.has(name) && element.closest("[hidden]") === null) {
                clicked.add(name);
                return element;
            }
        }
        return null;
    };
    for (let element = next(); element !== null; element = next()) {
        const isElsewhere = element.closest("#tree, article") !== null;
        element.click();
        if (isElsewhere) leafpress.go({ leafId: leaf });
    }
    return clicked.size;
}"##;

/// Elements, attributes and addresses that no page of ours needs.
const HARMFUL: &str = r##"(() => {
    const tags = new Set("A ABBR ARTICLE B BLOCKQUOTE BR BUTTON CODE DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HEADER HR IMG INPUT INS LABEL LI NAV OL P PRE S SECTION SMALL SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TH THEAD TIME TR UL NOSCRIPT NAV CAPTION svg line rect path pattern text title".split(" "));
    const attributes = new Set("id class href src alt title hidden open tabindex type start dir datetime role rel target aria-current aria-label aria-hidden data-kind data-call-id data-turn-role data-run data-steps aria-expanded data-mark data-call data-context data-picture data-results data-state data-lang data-lead data-replacement data-left-out data-ui data-fact data-icon data-glyph data-meant data-typed data-asked data-ended data-more data-nth data-landmark data-outcome data-next data-go-to data-stop data-file data-known data-status data-hunk data-part data-entry-id data-tabs data-viewed-file data-order data-view data-seek data-role aria-pressed popover popovertarget disabled checked value readonly lang loading decoding width height colspan align viewBox preserveAspectRatio x y x1 x2 y1 y2 dx dy d fill patternUnits text-anchor aria-valuemin aria-valuemax aria-valuenow aria-valuetext".split(" "));
    const found = [];
    for (const element of document.querySelectorAll("main, main *")) {
        if (element.tagName !== "MAIN" && !tags.has(element.tagName)) found.push(`<${element.tagName}>`);
        if (element.tagName === "INPUT" && element.type !== "checkbox" && element.closest("#notice") === null) found.push(`input of type ${element.type}`);
        for (const { name, value } of element.attributes) {
            if (name === "style" && element.matches("#transcript > .space") && /^height: [\d.]+px;$/.test(value)) continue;
            if (name === "style" && element.matches("article") && /^contain-intrinsic-block-size: auto [\d.]+px;$/.test(value)) continue;
            if (name === "style" && element.matches("#changes .file-body") && /^min-block-size: [\d.]+px;$/.test(value)) continue;
            if (name === "style" && element.id === "compare-view" && /^--side-head: [\d.]+px;$/.test(value)) continue;
            if (!attributes.has(name)) found.push(`${element.tagName} ${name}`);
            if (name === "href" && !/^(https?:\/\/|mailto:|#|\?leafId=)/i.test(value)) found.push(`href ${value}`);
            if (name === "src" && !/^data:image\/(png|jpeg|gif|webp|avif)[;,]/.test(value)) found.push(`src ${value.slice(0, 80)}`);
            if (name === "target" && value !== "_blank") found.push(`target ${value}`);
        }
    }
    const ids = Array.from(document.querySelectorAll("[id]"), (element) => element.id);
    const own = ids.filter((id, at) => ids.indexOf(id) !== at);
    return [...new Set([...found, ...own.map((id) => `id ${id} twice`)])];
})()"##;
