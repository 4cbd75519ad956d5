//! On a phone the sidebar is a drawer behind the hamburger button.

use crate::support::{Exported, Page};

const TOGGLE: &str = "#sidebar-toggle";

/// The sidebar as drawn: its left and right edge, or nothing.
const EDGES: &str = "(() => { const sidebar = document.getElementById('sidebar'); const { left, right } = sidebar.getBoundingClientRect(); return getComputedStyle(sidebar).visibility === 'visible' ? [left, right] : null; })()";

const FOCUS_IS_INSIDE: &str = "document.getElementById('sidebar').contains(document.activeElement)";

fn open_drawer(pressed: &Exported) -> Page {
    let page = pressed.page().narrow().open("");
    page.click(TOGGLE);
    page.wait("the drawer to slide in", &format!("{EDGES}?.[0] === 0"));
    page
}

fn assert_closed(page: &Page) {
    page.wait_for(EDGES, None::<[f64; 2]>);
    assert_eq!(page.attribute(TOGGLE, "aria-expanded").as_deref(), Some("false"));
    assert_eq!(page.count("#scrim[hidden]"), 1);
    assert_eq!(page.count("[inert]"), 0, "the page can be used");
}

#[test]
fn closed_at_first() {
    let tree = Exported::tree();
    let page = tree.page().narrow().open("");
    assert_closed(&page);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    for _ in 0..6 {
        page.press("Tab");
        assert!(!page.get::<bool>(FOCUS_IS_INSIDE), "a closed drawer takes no focus");
    }
}

/// Drawing rows that nobody sees would cost each frame of a scroll.
#[test]
fn the_tree_is_drawn_as_it_opens() {
    let page = Exported::tree().page().narrow().open("");
    let rows = "#tree [role=treeitem]";
    page.press("j");
    page.settle();
    assert_eq!(page.count(rows), 0, "the drawer is closed");
    page.click(TOGGLE);
    page.wait("the drawer to slide in", &format!("{EDGES}?.[0] === 0"));
    assert!(page.count(rows) > 3);
    assert_eq!(page.count("#tree [aria-current=location]"), 1, "the row of what is read");
    page.press("Escape");
    page.wait_for(EDGES, None::<[f64; 2]>);
    page.press("j");
    page.settle();
    page.click(TOGGLE);
    page.wait(
        "the row of what is read now",
        "document.querySelectorAll('#tree [aria-current=location]').length === 1",
    );
}

#[test]
fn opens_and_takes_the_focus() {
    let page = open_drawer(&Exported::tree());
    assert_eq!(page.attribute(TOGGLE, "aria-expanded").as_deref(), Some("true"));
    assert!(page.get::<bool>(FOCUS_IS_INSIDE));
    assert!(
        page.get::<bool>(
            "innerWidth - document.getElementById('sidebar').getBoundingClientRect().right > 40"
        ),
        "some of the scrim can be tapped"
    );
    assert!(page.drawn_rows().len() > 10);
}

#[test]
fn keeps_the_focus_inside() {
    let page = open_drawer(&Exported::tree());
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..24 {
        if n < 12 {
            page.press("Tab");
        } else {
            page.press_shift("Tab");
        }
        // Between the last and the first element the focus is on none.
        let focus: String = page.get("document.activeElement === document.body ? 'body' : document.activeElement.id || document.activeElement.textContent");
        assert!(focus == "body" || page.get(FOCUS_IS_INSIDE), "the focus went to {focus}");
        seen.insert(focus);
    }
    assert!(
        seen.contains("search") && seen.contains("tree") && seen.contains("Labeled2"),
        "{seen:?}"
    );
}

#[test]
fn escape_closes() {
    let page = open_drawer(&Exported::tree());
    page.press("Escape");
    assert_closed(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "sidebar-toggle");
}

#[test]
fn scrim_closes() {
    let page = open_drawer(&Exported::tree());
    page.click_at([385.0, 600.0]);
    assert_closed(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "sidebar-toggle");
}

#[test]
fn own_button_closes() {
    let page = open_drawer(&Exported::tree());
    page.click(".drawer-close");
    assert_closed(&page);
}

#[test]
fn choosing_a_row_closes() {
    let garden = Exported::file("examples/garden.jsonl");
    let page = open_drawer(&garden);
    page.click_row("b4f88561");
    assert_closed(&page);
    page.settle();
    assert_eq!(page.leaf_row(), page.shown_articles().pop());
    assert!(page.is_in_view("b4f88561"));
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-b4f88561");
}

#[test]
fn wide_page_has_no_drawer() {
    let page = Exported::tree().open();
    assert!(page.get::<bool>(&format!("{EDGES}?.[0] === 0")));
    assert_eq!(
        page.get::<usize>("document.getElementById('sidebar-toggle').getClientRects().length"),
        0
    );
    page.press("Escape");
    assert!(page.get::<bool>(&format!("{EDGES}?.[0] === 0")));
}
