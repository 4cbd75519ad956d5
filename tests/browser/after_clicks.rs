//! Keys after a click: whatever was clicked, they go on; and what is open closes with Escape.

use crate::support::{Exported, Page};

/// Marks the controls that are seen within an element, one of each kind, and gives their kinds.
const MARK: &str = r"(within) => {
    const kinds = new Map();
    const controls = document.querySelectorAll(`${within} :is(button, a[href]:not(.entry-ref), summary, input, canvas, [role=treeitem], [role=separator], [role=button])`);
    for (const control of controls) {
        const box = control.getClientRects()[0];
        const kind = (control.role === 'treeitem' ? 'row' : control.id) || `${control.tagName} ${control.className} ${JSON.stringify(Object.values(control.dataset).filter((value) => /^[a-z-]+$/u.test(value)))}`;
        const far = Math.abs((box?.top ?? Infinity) - innerHeight / 2);
        if (box !== undefined && box.width > 1 && !control.disabled && far < (kinds.get(kind)?.far ?? Infinity)) {
            kinds.set(kind, { control, far });
        }
    }
    kinds.forEach(({ control }, kind) => (control.dataset.kindOfControl = kind));
    return Array.from(kinds.keys());
}";

/// What changes when the reader moves, or learns why not.
const PLACE: &str = "JSON.stringify([document.querySelector('article.target')?.id, scrollY, /^No later/u.test(document.getElementById('notice').textContent), document.querySelector('#context-view .flash') !== null])";

const IS_OPEN: &str = "document.querySelector('dialog[open]') !== null || document.activeElement.matches(':read-write')";

/// Clicks one control of each kind within an element that `open` has made seen.
fn click_each(within: &str, open: impl Fn(&Page)) -> usize {
    let long = Exported::long();
    let page = long.open();
    let prompts: Vec<String> = page.get("Array.from(document.querySelectorAll('article[data-kind=user]'), ({ id }) => id.slice('entry-'.length))");
    let load = || -> Vec<String> {
        page.run("localStorage.clear()");
        page.load_anew(&format!("?targetId={}", prompts[1]));
        page.run("window.print = () => dispatchEvent(new Event('afterprint'))");
        // They come when the page has nothing else to do.
        page.wait("the links to the changes", "document.querySelector('.to-changes') !== null");
        open(&page);
        page.call(MARK, &[within])
    };
    let kinds = load();
    for kind in &kinds {
        load();
        let control = format!("[data-kind-of-control={}]", serde_json::json!(kind));
        page.click(&control);
        if kind == "single-keys" {
            page.click(&control);
        }
        page.settle();
        for _ in 0..3 {
            if page.get(IS_OPEN) {
                page.press("Escape");
            }
        }
        assert!(!page.get::<bool>(IS_OPEN), "after a click on {kind} something stays open");
        let before: String = page.get(PLACE);
        page.press("j");
        page.wait(
            &format!("j to move the reader after a click on {kind}"),
            &format!("{PLACE} !== {}", serde_json::json!(before)),
        );
    }
    kinds.len()
}

#[test]
fn j_moves_after_a_click_on_every_control() {
    let clicked = click_each("body", |_| {});
    assert!(clicked >= 35, "{clicked}");
}

#[test]
fn j_moves_after_a_click_on_every_control_of_a_dialog() {
    for (dialog, key) in [("#menu", ""), ("#leaves", "l"), ("#overlay", "?")] {
        click_each(dialog, |page| match key {
            "" => page.click("#more"),
            "?" => page.press_shift("?"),
            key => page.press(key),
        });
    }
    click_each("#search-help-text", |page| page.click("#search-help"));
    click_each("#context-view", |page| page.press("v"));
}

#[test]
fn escape_closes_whatever_is_open() {
    let page = Exported::long().open();
    let closes = |what: &str, is_open: &str| {
        page.wait(what, is_open);
        page.press("Escape");
        page.wait(&format!("{what} to close"), &format!("!({is_open})"));
    };
    page.click("#more");
    closes("the menu", "document.getElementById('menu').open");
    page.press_shift("?");
    closes("the keys", "document.getElementById('overlay').open");
    page.press("l");
    closes("the branches", "document.getElementById('leaves').open");
    page.click("#search-help");
    closes("the help of the search", "!document.getElementById('search-help-text').hidden");
    page.run("leafpress.go({ leafId: 'nowhere' })");
    closes("the notice", "!document.getElementById('notice').hidden");
    page.run("leafpress.go({ leafId: '240cd75b', compare: 'c529cb7f' })");
    closes("the comparison", "!document.getElementById('compare-view').hidden");
    let phone = Exported::long().page().narrow().open("");
    phone.click("#sidebar-toggle");
    phone.settle();
    phone.click("#search-help");
    phone.press("Escape");
    phone.wait("the help first", "document.getElementById('search-help-text').hidden && document.documentElement.classList.contains('drawer-open')");
    phone.press("Escape");
    phone.wait("then the drawer", "!document.documentElement.classList.contains('drawer-open')");
}

#[test]
fn link_and_raw_of_an_entry_are_one_tab_stop() {
    let page = Exported::tree().open();
    page.settle();
    let stops = "Array.from(document.querySelectorAll('#transcript > article > .entry-head'), (head) => head.querySelectorAll(':is(.copy-link, .raw):not([tabindex=\"-1\"])').length)";
    let counts: Vec<usize> = page.get(stops);
    assert!(
        page.count("#transcript .raw") > 2 && counts.iter().all(|&count| count == 1),
        "{counts:?}"
    );
    page.run("document.querySelector('#transcript .raw').parentElement.querySelector('.copy-link').focus()");
    let focused = || page.get::<String>("document.activeElement.className");
    for (key, wanted) in [("ArrowRight", "raw"), ("ArrowLeft", "copy-link"), ("ArrowRight", "raw")]
    {
        page.press(key);
        assert_eq!(focused(), wanted, "after {key}");
    }
    let counts: Vec<usize> = page.get(stops);
    assert!(counts.iter().all(|&count| count == 1), "{counts:?}");
    page.press("Enter");
    page.wait("the raw entry", "document.getElementById('raw').open");
}
