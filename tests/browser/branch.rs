//! Clicking a row of another branch shows that branch; on the path it only scrolls.

use leafpress::Filter;

use crate::support::Exported;

#[test]
fn abandoned_row_shows_its_branch() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click_row("t0000004");
    assert_eq!(page.shown_articles(), tree.path("t0000008"), "the newest leaf below the row");
    assert_eq!(page.link(), "?leafId=t0000008&targetId=t0000004");
    assert_eq!(
        page.drawn_rows(),
        tree.row_ids("t0000008", Filter::Default, ""),
        "its branch comes first"
    );
    assert_eq!(
        page.marked_rows(),
        ["t0000001", "t0000002", "t0000003", "t0000004", "t0000007", "t0000008"]
    );
    assert_eq!(page.attribute("#tree .leaf", "data-entry-id").as_deref(), Some("t0000008"));
    assert_eq!(
        page.attribute("#tree [aria-selected=true]", "data-entry-id").as_deref(),
        Some("t0000004")
    );
    assert!(page.is_in_view("t0000004"));
}

#[test]
fn row_on_the_path_keeps_the_leaf() {
    let tree = Exported::tree();
    let page = tree.open();
    let steps: usize = page.get("history.length");
    page.click_row("t0000002");
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    page.wait_for("location.search", "?leafId=t0000025&targetId=t0000002");
    assert_eq!(page.get::<usize>("history.length"), steps, "the address is replaced");
    assert_eq!(
        page.attribute("#tree [aria-selected=true]", "data-entry-id").as_deref(),
        Some("t0000002")
    );
}

#[test]
fn back_and_forward() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click_row("t0000006");
    page.click_row("t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    page.back();
    page.wait_for("location.search", "?leafId=t0000006&targetId=t0000006");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000006");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
    page.back();
    page.wait_for("location.search", "");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", tree.leaf());
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    page.run("history.forward()");
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "t0000006");
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
}

#[test]
fn long_branch_scrolls_to_the_entry() {
    let tree = Exported::long();
    let page = tree.open();
    page.click_row("42973fa8");
    page.settle();
    assert!(page.is_in_view("42973fa8"));
    page.click_row("20a506dd");
    page.settle();
    assert!(page.is_in_view("20a506dd"));
    assert_eq!(page.shown_articles(), tree.path("c529cb7f"));
}

#[test]
fn context_marks_follow_the_leaf() {
    let tree = Exported::long();
    let page = tree.open();
    let facts = leafpress::session::context::Facts::read(&tree.session);
    for leaf in ["42973fa8", "ff652092", "a971ec55", "42973fa8"] {
        page.run(&format!("leafpress.go({{ leafId: '{leaf}' }})"));
        assert_eq!(page.shown_articles(), tree.path(leaf));
        let states: serde_json::Value = page.get("Object.fromEntries(Array.from(document.querySelectorAll('#transcript > article:not([hidden])'), (a) => [a.id.slice(6), a.dataset.context]))");
        assert_eq!(states, tree.context(&facts, leaf)["states"], "{leaf}");
    }
}
