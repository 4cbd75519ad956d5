//! The tree by keyboard, as the ARIA pattern for trees has it.

use leafpress::Filter;

use crate::support::{Exported, Page};

/// The entry whose row the tree names as active.
fn active(page: &Page) -> Option<String> {
    page.get("document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.dataset.entryId ?? null")
}

fn focused(pressed: &Exported) -> Page {
    let page = pressed.open();
    page.run("document.getElementById('tree').focus()");
    page
}

#[test]
fn one_tab_stop() {
    let page = Exported::tree().open();
    page.run("document.getElementById('search').focus()");
    let mut stops = Vec::new();
    for _ in 0..12 {
        page.press("Tab");
        stops.push(
            page.get::<String>(
                "document.activeElement.dataset.filter ?? document.activeElement.id",
            ),
        );
    }
    let tree: Vec<_> = stops.iter().filter(|stop| *stop == "tree").collect();
    assert_eq!(tree.len(), 1, "{stops:?}");
    let filters = ["default", "no-tools", "user-only", "labeled-only", "all"];
    assert!(stops.windows(5).any(|stops| stops == filters), "{stops:?}");
    assert_eq!(page.count("#tree [tabindex]"), 0);
}

#[test]
fn arrows_home_and_end() {
    let tree = Exported::tree();
    let rows = tree.row_ids(&tree.leaf(), Filter::Default, "");
    let page = focused(&tree);
    assert_eq!(active(&page).as_ref(), Some(&rows[4]), "at first the leaf");
    for (key, row) in [
        ("ArrowDown", 5),
        ("ArrowUp", 4),
        ("ArrowUp", 3),
        ("Home", 0),
        ("ArrowUp", 0),
        ("End", 20),
        ("ArrowDown", 20),
        ("ArrowUp", 19),
    ] {
        page.press(key);
        assert_eq!(active(&page).as_ref(), Some(&rows[row]), "after {key}");
    }
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "moving chooses nothing");
}

#[test]
fn left_and_right() {
    let page = focused(&Exported::tree());
    page.press("Home");
    page.press("ArrowDown");
    page.press("ArrowRight");
    assert_eq!(active(&page).as_deref(), Some("t0000009"), "the first child");
    page.press("ArrowLeft");
    assert_eq!(active(&page).as_deref(), Some("t0000009"), "closed first");
    page.press("ArrowLeft");
    assert_eq!(active(&page).as_deref(), Some("t0000002"), "then the parent");
}

#[test]
fn enter_chooses() {
    let tree = Exported::tree();
    let page = focused(&tree);
    page.press("End");
    page.press("ArrowUp");
    page.press("Enter");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    assert_eq!(page.link(), "?leafId=t0000021&targetId=t0000021");
    assert_eq!(active(&page).as_deref(), Some("t0000021"), "the focus stays on the row");
    assert_eq!(page.get::<String>("document.activeElement.id"), "tree");
}

#[test]
fn focus_stays_in_sight() {
    let long = Exported::long();
    let rows = long.row_ids(&long.leaf(), Filter::Default, "");
    let page = focused(&long);
    for key in ["End", "Home", "PageDown", "PageDown", "PageUp"] {
        page.press(key);
        let inside: bool = page.get("(() => { const tree = document.getElementById('tree'); const box = tree.getBoundingClientRect(); const row = document.getElementById(tree.getAttribute('aria-activedescendant')).getBoundingClientRect(); return row.top >= box.top - 1 && row.bottom <= box.bottom + 1; })()");
        assert!(inside, "after {key}");
    }
    let at = rows.iter().position(|row| Some(row) == active(&page).as_ref()).unwrap();
    assert!(at > 5 && at < 40, "one page below the top: {at}");
}

#[test]
fn browser_shortcuts_stay() {
    let page = focused(&Exported::tree());
    page.run("window.__kept = []; addEventListener('keydown', (event) => window.__kept.push(event), true)");
    page.press_shift("End");
    page.press("ArrowDown");
    assert_eq!(
        page.get::<Vec<bool>>("window.__kept.map((event) => event.defaultPrevented)"),
        [false, true]
    );
}

#[test]
fn skip_link() {
    let page = Exported::tree().open();
    page.press("Tab");
    assert_eq!(page.get::<String>("document.activeElement.className"), "skip-link");
    page.press("Enter");
    assert_eq!(page.get::<String>("document.activeElement.id"), "transcript");
    assert_eq!(page.link(), "", "a deep link would be lost");
}

/// It is measured where it is laid out, and again when its width changes.
#[test]
fn code_and_tables_that_scroll_are_tab_stops() {
    let page = Exported::long().open();
    page.run("for (const article of document.querySelectorAll('article')) article.style.contentVisibility = 'visible'");
    for width in ["", "20rem", "60rem"] {
        page.run(&format!("document.getElementById('transcript').style.inlineSize = '{width}'"));
        page.settle();
        let [scroll, stops, both]: [usize; 3] = page.get(
            "(() => {
                const all = Array.from(document.querySelectorAll('#transcript :is(pre, .table)')).filter((element) => element.checkVisibility());
                const scroll = all.filter((element) => element.scrollWidth > element.clientWidth);
                const stops = all.filter((element) => element.getAttribute('tabindex') === '0');
                return [scroll.length, stops.length, scroll.filter((element) => stops.includes(element)).length];
            })()",
        );
        assert!(
            scroll > 0 && stops == scroll && both == scroll,
            "{width}: {scroll} scroll, {stops} are stops, {both} are both"
        );
    }
}
