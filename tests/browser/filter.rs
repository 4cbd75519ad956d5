//! The filter buttons reduce the tree as the library does.

use leafpress::Filter;

use crate::support::Exported;

fn button(filter: Filter) -> String {
    format!("button[data-filter={}]", filter.name())
}

#[test]
fn each_button_shows_the_rows_of_its_mode() {
    let tree = Exported::tree();
    let page = tree.open();
    for filter in Filter::ALL.iter().copied().rev() {
        page.click(&button(filter));
        page.wait_for(&format!("document.querySelector('{}').ariaPressed", button(filter)), "true");
        let rows = tree.row_ids(&tree.leaf(), filter, "");
        assert_eq!(page.drawn_rows(), rows, "{}", filter.name());
        assert_eq!(page.text("#status"), format!("{} of 25 entries", rows.len()));
        assert_eq!(page.count("#filters [aria-pressed=true]"), 1);
    }
}

#[test]
fn transcript_stays_and_address_follows() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click(&button(Filter::UserOnly));
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::UserOnly, ""));
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
    // The address follows a little later.
    page.wait_for("location.search", "?leafId=t0000025&filter=user-only");
}

#[test]
fn a_filter_outlives_a_change_of_branch() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click(&button(Filter::UserOnly));
    page.click_row("t0000003");
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
    assert_eq!(page.drawn_rows(), tree.row_ids("t0000008", Filter::UserOnly, ""));
}
