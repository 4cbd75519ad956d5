//! "Also in the transcript": filter and search leave out articles too.

use leafpress::Filter;

use super::query::search;
use crate::support::{Exported, Page};

const SWITCH: &str = "#only";

/// The entries of a leaf's path that have a row.
fn listed(
    pressed: &Exported,
    leaf: &str,
    filter: Filter,
    query: &str,
    target: &str,
) -> Vec<String> {
    let rows = pressed.row_ids(leaf, filter, query);
    let mut path = pressed.path(leaf);
    path.retain(|key| rows.contains(key) || key == target);
    path
}

#[track_caller]
fn assert_shown(page: &Page, wanted: &[String], path: usize) {
    assert_eq!(page.shown_articles(), wanted);
    let status = page.text("#status");
    let told = format!("{} of {path} shown", wanted.len());
    assert!(status.ends_with(&told), "{status}, not {told}");
}

#[test]
fn articles_are_the_rows_of_the_path() {
    for file in [
        "tests/fixtures/samples/pi-1.5-tree.jsonl",
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "examples/lighthouse.jsonl",
    ] {
        let pressed = Exported::file(file);
        let leaf = pressed.leaf();
        let path = pressed.path(&leaf);
        let page = pressed.open();
        page.click(SWITCH);
        for filter in Filter::ALL.iter().copied() {
            page.click(&format!("button[data-filter={}]", filter.name()));
            assert_shown(&page, &listed(&pressed, &leaf, filter, "", ""), path.len());
        }
        page.click(SWITCH);
        assert_eq!(page.shown_articles(), path, "{file}: all of it again");
        assert!(!page.text("#status").contains("shown"));
    }
}

#[test]
fn in_the_address() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click("button[data-filter=user-only]");
    page.click(SWITCH);
    page.wait_for("location.search", "?leafId=t0000025&filter=user-only&only=1");
    let wanted = listed(&tree, "t0000025", Filter::UserOnly, "", "");
    assert_eq!(page.shown_articles(), wanted);
    page.reload();
    assert!(page.get::<bool>("document.getElementById('only').checked"));
    assert_eq!(page.shown_articles(), wanted);
    page.click(SWITCH);
    page.wait_for("location.search", "?leafId=t0000025&filter=user-only");
    assert_eq!(page.shown_articles(), tree.path("t0000025"));
}

#[test]
fn with_a_search() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000006&only=1");
    assert_eq!(page.shown_articles(), listed(&tree, "t0000006", Filter::Default, "", ""));
    search(&page, "left");
    assert_shown(&page, &listed(&tree, "t0000006", Filter::Default, "left", ""), 6);
    page.press("Enter");
    assert_eq!(page.shown_articles().first().map(String::as_str), Some("t0000003"));
    search(&page, "nothing-has-this");
    // No entry stands beside "Nothing matches".
    assert_shown(&page, &[], 6);
    page.press("Escape");
    page.wait_for("document.getElementById('search').value", "");
    assert_ended(&page);
    assert_eq!(page.shown_articles(), tree.path("t0000006"));
}

#[track_caller]
fn assert_ended(page: &Page) {
    assert!(!page.get::<bool>("document.getElementById('only').checked"));
    assert!(!page.text("#status").contains("shown"));
}

#[test]
fn ends_with_the_filter_and_the_search() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click("button[data-filter=user-only]");
    page.click(SWITCH);
    search(&page, "left");
    page.press("Escape");
    page.wait_for("document.getElementById('search').value", "");
    let user = listed(&tree, "t0000025", Filter::UserOnly, "", "");
    assert_eq!(page.shown_articles(), user, "the filter has chosen them, too");
    page.click("button[data-filter=default]");
    assert_ended(&page);
    assert_eq!(page.shown_articles(), tree.path("t0000025"));
}

#[test]
fn what_was_asked_for_stays() {
    let tree = Exported::tree();
    let link = "?leafId=t0000025&targetId=t0000011&filter=user-only&only=1";
    let page = tree.page().open(link);
    let wanted = listed(&tree, "t0000025", Filter::UserOnly, "", "t0000011");
    assert!(wanted.contains(&"t0000011".to_owned()));
    assert_eq!(page.shown_articles(), wanted);
    assert!(page.is_in_view("t0000011"));
    assert_eq!(page.link(), link);
}

#[test]
fn follows_the_branch() {
    let tree = Exported::tree();
    let page = tree.page().open("?filter=no-tools&only=1");
    page.click_row("t0000018");
    let wanted = listed(&tree, "t0000018", Filter::NoTools, "", "t0000018");
    assert!(wanted.len() < tree.path("t0000018").len());
    assert_eq!(page.shown_articles(), wanted);
    page.back();
    page.wait_for("document.querySelector('#tree .leaf')?.dataset.entryId ?? null", "t0000025");
    assert_eq!(page.shown_articles(), listed(&tree, "t0000025", Filter::NoTools, "", ""));
}
