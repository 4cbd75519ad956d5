//! Two tabs of one page: the same address shows the same, and neither disturbs the other.

use super::address::seen;
use crate::support::Exported;

#[test]
fn the_same_address_shows_the_same() {
    let tree = Exported::tree();
    let first = tree.open();
    first.click_row("t0000003");
    first.click("[data-filter=all]");
    first.click("#search");
    first.type_text("left OR answer");
    first.press("Escape");
    first.type_text("answer -middle");
    first.click("#only");
    first.wait_for(
        "location.search",
        "?leafId=t0000008&targetId=t0000003&filter=all&q=answer%20-middle&only=1",
    );
    let second = first.beside(&tree).open(&first.link());
    assert_eq!(seen(&second), seen(&first));
    assert!(second.is_in_view("t0000003"));
    first.click("[data-view=context]");
    let third = first.beside(&tree).open(&first.link());
    assert_eq!(seen(&third), seen(&first));
    assert_ne!(seen(&third), seen(&second));
}

#[test]
fn each_its_own_state() {
    let tree = Exported::tree();
    let first = tree.open();
    let second = first.beside(&tree).open("");
    let before = (seen(&second), second.link());
    first.click_row("t0000021");
    first.click("[data-filter=user-only]");
    first.click("#only");
    first.run("leafpress.fold('t0000019', true)");
    first.settle();
    assert_eq!((seen(&second), second.link()), before);
    second.click_row("t0000016");
    assert_eq!(first.leaf_row(), None, "its row is in the fold");
    assert_eq!(first.shown_articles().last().map(String::as_str), Some("t0000021"));
}

#[test]
fn what_is_remembered_is_shared() {
    let tree = Exported::tree();
    let first = tree.open();
    let second = first.beside(&tree).open("");
    first.click("#label-times");
    first.click("#theme-toggle");
    assert_eq!(second.count("#tree .label-time"), 0, "not under the reader's hand");
    second.reload();
    assert_eq!(second.count("#tree .label-time"), 2);
    assert_eq!(second.attribute("html", "data-theme").as_deref(), Some("light"));
}
