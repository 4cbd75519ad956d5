//! Deep links in the fragment, for hosts that eat queries, and `#entry-…`.

use crate::support::{Driver, Exported, Test};

pub(crate) const TESTS: &[Test] = &[
    ("leaf_and_target", leaf_and_target),
    ("fragment_wins_over_query", fragment_wins_over_query),
    ("entry_on_another_branch", entry_on_another_branch),
    ("entry_with_a_leaf_in_the_query", entry_with_a_leaf_in_the_query),
    ("fragment_typed_by_hand", fragment_typed_by_hand),
    ("other_fragments_stay", other_fragments_stay),
];

fn leaf_and_target(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("#leafId=t0000006&targetId=t0000003");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    assert_eq!(page.notice(), None);
    page.click_row("t0000021");
    assert_eq!(page.link(), "#leafId=t0000021&targetId=t0000021", "the address keeps its form");
}

fn fragment_wins_over_query(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?leafId=t0000025&targetId=t0000001#leafId=t0000022");
    assert_eq!(page.shown_articles(), tree.path("t0000022"));
    assert_eq!(page.notice(), None, "the query's target is not mixed in");
}

fn entry_on_another_branch(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("#entry-t0000016");
    assert_eq!(page.shown_articles(), tree.path("t0000016"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000016"));
    assert_eq!(page.notice(), None);
}

fn entry_with_a_leaf_in_the_query(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("?leafId=t0000006#entry-t0000003");
    assert_eq!(page.shown_articles(), tree.path("t0000006"), "the leaf is kept where it can be");
    page.load_anew("?leafId=t0000006#entry-t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    assert_eq!(page.notice(), None);
}

fn fragment_typed_by_hand(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.open(&tree);
    page.run("location.hash = '#entry-t0000018'");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000018");
    assert_eq!(page.shown_articles(), tree.path("t0000018"));
    page.run("location.hash = '#leafId=t0000006'");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000006");
    page.back();
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000018");
}

fn other_fragments_stay(driver: &Driver<'_>) {
    let tree = Exported::tree();
    let page = driver.page(&tree).open("#somewhere");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.notice(), None);
    page.click_row("t0000021");
    assert_eq!(page.link(), "?leafId=t0000021&targetId=t0000021#somewhere");
}
