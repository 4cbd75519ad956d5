//! A chain of 20,000 entries and a fan of 5,000 branches open, filter, search and switch.

use leafpress::Filter;

use crate::support::{Exported, Page, sessions};

#[test]
fn chain_of_20_000() {
    let chain = Exported::bytes(sessions::chain(20_000)).unwrap();
    let page = chain.open();
    assert_eq!(page.text("#status"), "20,000 of 20,000 entries");
    assert_few_articles(&page, 20_000);
    page.click("button[data-filter=user-only]");
    page.wait_for("document.getElementById('status').textContent", "10,000 of 20,000 entries");
    page.click("button[data-filter=all]");
    page.click("#search");
    page.type_text("number 1234");
    let hits = chain.row_ids(&chain.leaf(), Filter::All, "number 1234");
    let status = format!("{} hits", hits.len());
    page.wait_for("document.getElementById('search-status').textContent", status);
    assert_eq!(page.drawn_rows(), hits);
    page.click_row("e12345");
    page.wait_until_in_view("e12345");
    page.settle();
    assert!(page.is_in_view("e12345"));
    page.run("leafpress.go({ leafId: 'e5' })");
    assert_eq!(page.shown_articles(), chain.path("e5"), "any entry can be the leaf");
    page.run("leafpress.go({ leafId: 'e19999' })");
    assert_few_articles(&page, 20_000);
}

/// Memory is bounded by what is shown.
fn assert_few_articles(page: &Page, path: usize) {
    let articles = page.count("#transcript > article:not([hidden])");
    assert!((1..5000).contains(&articles), "{articles} of {path}");
    assert_eq!(page.count("#transcript > .space"), 2);
}

#[test]
fn chain_deep_link_to_the_middle() {
    let chain = Exported::bytes(sessions::chain(20_000)).unwrap();
    let page = chain.page().open("?leafId=e19999&targetId=e10000");
    page.wait_until_in_view("e10000");
    page.settle();
    assert!(page.is_in_view("e10000"), "it stays there");
    assert!(page.drawn_rows().contains(&"e10000".to_owned()));
    assert_eq!(page.notice(), None);
}

#[test]
fn fan_of_5_000() {
    let fan = Exported::bytes(sessions::fan(5000)).unwrap();
    let page = fan.open();
    assert_eq!(page.shown_articles(), ["root", "b4999", "c4999"]);
    page.click("button[data-filter=no-tools]");
    page.click("#search");
    page.type_text("answer 77");
    page.wait(
        "the search to end",
        "/^\\d+ hits$/.test(document.getElementById('search-status').textContent)",
    );
    let hits = fan.row_ids(&fan.leaf(), Filter::NoTools, "answer 77");
    assert_eq!(page.text("#search-status"), format!("{} hits", hits.len()));
    page.click_row("b77");
    assert_eq!(page.shown_articles(), ["root", "b77", "c77"]);
    page.press("Escape");
    page.run("leafpress.go({ leafId: 'c3000', targetId: 'b3000' })");
    assert_eq!(page.shown_articles(), ["root", "b3000", "c3000"]);
    page.back();
    page.wait_for("document.querySelector('#tree .leaf').dataset.entryId", "c77");
}

#[test]
fn fan_deep_link_to_the_middle() {
    let fan = Exported::bytes(sessions::fan(5000)).unwrap();
    let page = fan.page().open("#targetId=b2500");
    assert_eq!(page.shown_articles(), ["root", "b2500", "c2500"]);
    assert!(page.is_in_view("b2500"));
    assert_eq!(page.drawn_rows()[..3], ["root", "b2500", "c2500"]);
}
