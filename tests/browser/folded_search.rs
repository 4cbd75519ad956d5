//! Words inside shut cards, thinking and hidden messages are found by search, and shown.

use crate::support::sessions::working;
use crate::support::{Exported, Page, article};

#[track_caller]
fn find(page: &Page, query: &str) {
    page.click("#search");
    page.run("document.getElementById('search').select()");
    page.type_text(query);
    page.wait_for("document.getElementById('search-status').textContent", "1 hit");
    page.press("Enter");
}

#[track_caller]
fn wait_until_open(page: &Page, details: &str) {
    page.wait("the fold to open", &format!("document.querySelector({details:?})?.open === true"));
}

#[test]
fn words_in_folds_are_shown() {
    let page = Exported::bytes(working(12)).unwrap().open();
    page.press("2");
    page.wait_for("document.querySelectorAll('#transcript .card[open]').length", 0);
    find(&page, "\"tide7 line 20\"");
    wait_until_open(&page, &format!("{} .card", article("result7")));
    wait_until_open(&page, &format!("{} .more", article("result7")));
    find(&page, "\"pondering 3\"");
    wait_until_open(&page, &format!("{} .thinking", article("turn3")));
    find(&page, "springtide");
    wait_until_open(&page, &format!("{} .hidden-message", article("aside")));
    assert_eq!(page.count("#transcript .card[open]"), 1, "only what was walked to");
}

#[test]
fn a_link_opens_nothing_more_than_needed() {
    let page = Exported::bytes(working(12)).unwrap().page().open("?targetId=result7&q=tide7");
    page.wait_until_in_view("result7");
    page.settle();
    assert_eq!(page.count("#transcript .card[open]"), 12);
}
