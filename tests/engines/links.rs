//! Deep links lead to their branch and entry.

use crate::support::{Browser, Exported};

in_each_engine!(leaf_and_target);

fn leaf_and_target(browser: &Browser) {
    let tree = Exported::tree();
    let link = "?leafId=t0000006&targetId=t0000003";
    let page = browser.open(&tree, link);
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    assert_eq!(page.get::<String>("location.search + location.hash"), link);
    drop(page);
    let long = Exported::long();
    let page = browser.open(&long, "?leafId=42973fa8&targetId=96ad78d7");
    page.wait_until_in_view("96ad78d7");
    assert!(page.get::<f64>("scrollY") > 1000.0);
    assert!(page.drawn_rows().contains(&"96ad78d7".to_owned()), "its row is in sight");
    // Scrolling may go on while heights settle, but ends there.
    page.settle();
    page.wait_until_in_view("96ad78d7");
}
