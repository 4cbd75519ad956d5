//! A link whose target is not on the way to its leaf: the target wins, a notice says so.

use leafpress::Filter;

use crate::support::Exported;

const LINK: &str = "?leafId=t0000025&targetId=t0000004";

#[test]
fn target_wins() {
    let tree = Exported::tree();
    for link in [LINK, "#leafId=t0000025&targetId=t0000004"] {
        let page = tree.page().open(link);
        assert_eq!(page.shown_articles(), tree.path("t0000008"), "the newest leaf below it");
        assert_eq!(page.selected_row().as_deref(), Some("t0000004"));
        assert_eq!(page.drawn_rows(), tree.row_ids("t0000008", Filter::Default, ""));
        let notice = page.notice().expect("a notice");
        assert!(notice.contains("t0000025") && notice.contains("t0000004"), "{notice}");
    }
}

#[test]
fn notice_can_be_dismissed() {
    let page = Exported::tree().page().open(LINK);
    page.click("#notice button");
    assert_eq!(page.notice(), None);
}

#[test]
fn notice_goes_with_the_next_choice() {
    let page = Exported::tree().page().open(LINK);
    page.click_row("t0000001");
    assert_eq!(page.notice(), None);
}
