//! Two tabs of one page: the same address shows the same, and neither disturbs the other.

use super::address::seen;
use crate::support::{Driver, Exported, Test};

pub(crate) const TESTS: &[Test] = &[
    ("the_same_address_shows_the_same", the_same_address_shows_the_same),
    ("each_its_own_state", each_its_own_state),
    ("what_is_remembered_is_shared", what_is_remembered_is_shared),
];

fn the_same_address_shows_the_same(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let first = driver.open(&tree);
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
    let second = driver.page(&tree).open(&first.link());
    assert_eq!(seen(&second), seen(&first));
    assert!(second.is_in_view("t0000003"));
    first.click("[data-view=context]");
    let third = driver.page(&tree).open(&first.link());
    assert_eq!(seen(&third), seen(&first));
    assert_ne!(seen(&third), seen(&second));
}

fn each_its_own_state(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let (first, second) = (driver.open(&tree), driver.open(&tree));
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

fn what_is_remembered_is_shared(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let (first, second) = (driver.open(&tree), driver.open(&tree));
    first.click("#label-times");
    first.click("#theme-toggle");
    assert_eq!(second.count("#tree .label-time"), 0, "not under the reader's hand");
    second.reload();
    assert_eq!(second.count("#tree .label-time"), 2);
    assert_eq!(second.attribute("html", "data-theme").as_deref(), Some("light"));
}
