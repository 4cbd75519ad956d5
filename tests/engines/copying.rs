//! The button of an entry copies a link, which then opens it.

use crate::support::{Browser, Exported};

in_each_engine!(copy);

fn copy(browser: &Browser) {
    let tree = Exported::tree();
    let page = browser.open(&tree, "?leafId=t0000006");
    page.click("[id=entry-t0000003] .copy-link");
    page.wait_for("document.getElementById('notice').textContent", "Link copied");
    // The clipboard as a reader has it: reading it by a script takes a permission that no driver gives.
    page.click("#search");
    page.paste();
    page.wait_for("document.getElementById('search').value", tree.link("t0000006", "t0000003"));
    drop(page);
    let page = browser.open(&tree, "?leafId=t0000006&targetId=t0000003");
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
}
