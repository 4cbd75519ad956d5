//! A link whose target is not on the way to its leaf: the target wins, a notice says so.

use leafpress::Filter;

use crate::support::{Driver, Exported, Test};

pub(crate) const TESTS: &[Test] = &[
    ("target_wins", target_wins),
    ("notice_can_be_dismissed", notice_can_be_dismissed),
    ("notice_goes_with_the_next_choice", notice_goes_with_the_next_choice),
];

const LINK: &str = "?leafId=t0000025&targetId=t0000004";

fn target_wins(driver: &Driver<'_>) {
    let tree = Exported::tree();
    for link in [LINK, "#leafId=t0000025&targetId=t0000004"] {
        let page = driver.page(&tree).open(link);
        assert_eq!(page.shown_articles(), tree.path("t0000008"), "the newest leaf below it");
        assert_eq!(page.selected_row().as_deref(), Some("t0000004"));
        assert_eq!(page.drawn_rows(), tree.row_ids("t0000008", Filter::Default, ""));
        let notice = page.notice().expect("a notice");
        assert!(notice.contains("t0000025") && notice.contains("t0000004"), "{notice}");
    }
}

fn notice_can_be_dismissed(driver: &Driver<'_>) {
    let page = driver.page(&Exported::tree()).open(LINK);
    page.click("#notice button");
    assert_eq!(page.notice(), None);
}

fn notice_goes_with_the_next_choice(driver: &Driver<'_>) {
    let page = driver.page(&Exported::tree()).open(LINK);
    page.click_row("t0000001");
    assert_eq!(page.notice(), None);
}
