//! At 390 px the sidebar is a drawer.

use crate::support::{Browser, Exported};

in_each_engine!(drawer);

/// The left edge of the sidebar as drawn, or nothing.
const EDGE: &str = "(() => { const sidebar = document.getElementById('sidebar'); return getComputedStyle(sidebar).visibility === 'visible' ? sidebar.getBoundingClientRect().left : null; })()";

fn drawer(browser: &Browser) {
    let tree = Exported::tree();
    let page = browser.open_narrow(&tree, "");
    page.wait_for(EDGE, None::<f64>);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert!(
        page.get::<bool>("document.documentElement.scrollWidth <= innerWidth"),
        "nothing sticks out"
    );
    page.click("#sidebar-toggle");
    page.wait_for(EDGE, 0);
    assert!(page.drawn_rows().len() > 10);
    page.wait(
        "the focus inside",
        "document.getElementById('sidebar').contains(document.activeElement)",
    );
    page.press("Escape");
    page.wait_for(EDGE, None::<f64>);
    page.wait_for("document.activeElement.id", "sidebar-toggle");
    page.click("#sidebar-toggle");
    page.wait_for(EDGE, 0);
    // Beside the drawer. At the edge there may be a scroll bar.
    page.click_at([360.0, 600.0]);
    page.wait_for(EDGE, None::<f64>);
    page.click("#sidebar-toggle");
    page.wait_for(EDGE, 0);
    page.click("#tree [data-entry-id=t0000004]");
    page.wait_for(EDGE, None::<f64>);
    page.wait_until_in_view("t0000004");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
    assert_eq!(page.count("[inert]"), 0, "the page can be used");
}
