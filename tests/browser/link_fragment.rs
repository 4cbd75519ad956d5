//! Deep links in the fragment, for hosts that eat queries, and `#entry-…`.

use crate::support::Exported;

#[test]
fn leaf_and_target() {
    let tree = Exported::tree();
    let page = tree.page().open("#leafId=t0000006&targetId=t0000003");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"));
    assert_eq!(page.notice(), None);
    page.click_row("t0000021");
    assert_eq!(page.link(), "#leafId=t0000021&targetId=t0000021", "the address keeps its form");
}

#[test]
fn fragment_wins_over_query() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000025&targetId=t0000001#leafId=t0000022");
    assert_eq!(page.shown_articles(), tree.path("t0000022"));
    assert_eq!(page.notice(), None, "the query's target is not mixed in");
}

#[test]
fn entry_on_another_branch() {
    let tree = Exported::tree();
    let page = tree.page().open("#entry-t0000016");
    assert_eq!(page.shown_articles(), tree.path("t0000016"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000016"));
    assert_eq!(page.notice(), None);
}

#[test]
fn entry_with_a_leaf_in_the_query() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000006#entry-t0000003");
    assert_eq!(page.shown_articles(), tree.path("t0000006"), "the leaf is kept where it can be");
    page.load_anew("?leafId=t0000006#entry-t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    assert_eq!(page.notice(), None);
}

#[test]
fn fragment_typed_by_hand() {
    let tree = Exported::tree();
    let page = tree.open();
    page.run("location.hash = '#entry-t0000018'");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000018");
    assert_eq!(page.shown_articles(), tree.path("t0000018"));
    page.run("location.hash = '#leafId=t0000006'");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000006");
    page.back();
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000018");
}

#[test]
fn other_fragments_stay() {
    let tree = Exported::tree();
    let page = tree.page().open("#somewhere");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    assert_eq!(page.notice(), None);
    page.click_row("t0000021");
    assert_eq!(page.link(), "?leafId=t0000021&targetId=t0000021#somewhere");
}
