//! On a phone the sidebar is a drawer behind the hamburger button.

use crate::support::{Driver, Exported, Page, Test};

pub(crate) const TESTS: &[Test] = &[
    ("closed_at_first", closed_at_first),
    ("opens_and_takes_the_focus", opens_and_takes_the_focus),
    ("keeps_the_focus_inside", keeps_the_focus_inside),
    ("escape_closes", escape_closes),
    ("scrim_closes", scrim_closes),
    ("own_button_closes", own_button_closes),
    ("choosing_a_row_closes", choosing_a_row_closes),
    ("the_tree_is_drawn_as_it_opens", the_tree_is_drawn_as_it_opens),
    ("wide_page_has_no_drawer", wide_page_has_no_drawer),
];

const TOGGLE: &str = "#sidebar-toggle";

/// The sidebar as drawn: its left and right edge, or nothing.
const EDGES: &str = "(() => { const sidebar = document.getElementById('sidebar'); const { left, right } = sidebar.getBoundingClientRect(); return getComputedStyle(sidebar).visibility === 'visible' ? [left, right] : null; })()";

const FOCUS_IS_INSIDE: &str = "document.getElementById('sidebar').contains(document.activeElement)";

fn open_drawer(driver: &Driver<'_>, pressed: &Exported) -> Page {
    let page = driver.page(pressed).narrow().open("");
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

fn closed_at_first(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).narrow().open("");
    assert_closed(&page);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"));
    for _ in 0..6 {
        page.press("Tab");
        assert!(!page.get::<bool>(FOCUS_IS_INSIDE), "a closed drawer takes no focus");
    }
}

/// Drawing rows that nobody sees would cost each frame of a scroll.
fn the_tree_is_drawn_as_it_opens(driver: &Driver<'_>) {
    let page = driver.page(&Exported::tree()).narrow().open("");
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

fn opens_and_takes_the_focus(driver: &Driver<'_>) {
    let page = open_drawer(driver, &Exported::tree());
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

fn keeps_the_focus_inside(driver: &Driver<'_>) {
    let page = open_drawer(driver, &Exported::tree());
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

fn escape_closes(driver: &Driver<'_>) {
    let page = open_drawer(driver, &Exported::tree());
    page.press("Escape");
    assert_closed(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "sidebar-toggle");
}

fn scrim_closes(driver: &Driver<'_>) {
    let page = open_drawer(driver, &Exported::tree());
    page.click_at([385.0, 600.0]);
    assert_closed(&page);
    assert_eq!(page.get::<String>("document.activeElement.id"), "sidebar-toggle");
}

fn own_button_closes(driver: &Driver<'_>) {
    let page = open_drawer(driver, &Exported::tree());
    page.click(".drawer-close");
    assert_closed(&page);
}

fn choosing_a_row_closes(driver: &Driver<'_>) {
    let garden = Exported::file("examples/garden.jsonl");
    let page = open_drawer(driver, &garden);
    page.click_row("b4f88561");
    assert_closed(&page);
    page.settle();
    assert_eq!(page.leaf_row(), page.shown_articles().pop());
    assert!(page.is_in_view("b4f88561"));
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-b4f88561");
}

fn wide_page_has_no_drawer(driver: &Driver<'_>) {
    let page = driver.open(&Exported::tree());
    assert!(page.get::<bool>(&format!("{EDGES}?.[0] === 0")));
    assert_eq!(
        page.get::<usize>("document.getElementById('sidebar-toggle').getClientRects().length"),
        0
    );
    page.press("Escape");
    assert!(page.get::<bool>(&format!("{EDGES}?.[0] === 0")));
}
