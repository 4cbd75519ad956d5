//! The searched words are marked in the text and in the rows.

use serde_json::json;

use super::query::search;
use crate::support::sessions::{Lines, chain};
use crate::support::{Exported, Page, row};

/// The marked texts as `entry: text`, in the order of the document.
fn marked(page: &Page) -> Vec<String> {
    page.settle();
    page.get(
        "Array.from(CSS.highlights.get('leafpress-hit') ?? [])
            .sort((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b))
            .map((range) => `${range.startContainer.parentElement.closest('article').id.slice('entry-'.length)}: ${range}`)",
    )
}

/// Each would cost the browser work in every frame.
#[test]
fn none_in_steps_that_stand_shut() {
    let working = Exported::story(crate::support::sessions::working(3));
    let page = working.page().open("?detail=story");
    search(&page, "gauge");
    let entries = |page: &Page| -> Vec<String> {
        let mut of: Vec<String> =
            marked(page).iter().map(|mark| mark.split(':').next().unwrap().to_owned()).collect();
        of.dedup();
        of
    };
    assert_eq!(entries(&page), ["ask"]);
    page.click(".steps-toggle");
    page.wait("the marks of the steps", "CSS.highlights.get('leafpress-hit').size > 4");
    assert!(entries(&page).len() > 3, "{:?}", entries(&page));
}

#[test]
fn words_in_the_text() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000006");
    assert_eq!(marked(&page), [""; 0]);
    search(&page, "LEFT");
    assert_eq!(marked(&page), ["t0000003: left", "t0000004: left", "t0000005: left"]);
    search(&page, "left a");
    assert_eq!(
        marked(&page),
        [
            "t0000003: left",
            "t0000004: left",
            "t0000004: a",
            "t0000005: left",
            "t0000005: a",
            "t0000005: A"
        ]
        .into_iter()
        .filter(|found| tree.hit_keys("left a").iter().any(|key| found.starts_with(key)))
        .collect::<Vec<_>>(),
        "in the hits only"
    );
}

#[test]
fn words_in_the_rows() {
    let page = Exported::tree().open();
    search(&page, "mid one");
    let marks: Vec<String> =
        page.get("Array.from(document.querySelectorAll('#tree mark'), (mark) => mark.textContent)");
    assert_eq!(page.drawn_rows(), ["t0000009"]);
    assert_eq!(marks, ["mid", "mid", "one"], "in the label, and in the words");
    let text: String = page.text(&format!("{} .text", row("t0000009")));
    assert_eq!(text, "user: middle one", "the row's text is as it was");
}

#[test]
fn across_elements_and_lines() {
    let mut lines = Lines::new();
    lines.user("q", None, "ask");
    lines.assistant("a", Some("q"), "some **bold**ness and `co`de,\nbroken\nlines here");
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    search(&page, "boldness");
    assert_eq!(marked(&page), ["a: boldness"]);
    search(&page, "\"code, broken lines\"");
    assert_eq!(marked(&page), ["a: code,\nbroken\nlines"]);
    assert_eq!(page.text("[id=entry-a] strong"), "bold", "the document is left alone");
}

/// `İ` is one letter, and two in lower case: marks behind it must not shift.
#[test]
fn letters_that_change_their_length() {
    let mut lines = Lines::new();
    lines.user("q", None, "İİİ Straße 🌻 needle İ needle");
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    search(&page, "needle 🌻");
    assert_eq!(marked(&page), ["q: 🌻", "q: needle", "q: needle"]);
}

#[test]
fn operators_mark_nothing() {
    let page = Exported::tree().page().open("?leafId=t0000006");
    search(&page, "role:user -right is:prompt");
    assert!(page.drawn_rows().len() > 3);
    assert_eq!(marked(&page), [""; 0]);
    assert_eq!(page.count("#tree mark"), 0);
}

#[test]
fn gone_with_the_search() {
    let page = Exported::tree().page().open("?leafId=t0000006");
    search(&page, "left");
    assert_eq!(marked(&page).len(), 3);
    page.press("Enter");
    page.press("Escape");
    page.wait_for("document.getElementById('search').value", "");
    assert_eq!(marked(&page), [""; 0]);
    assert_eq!(page.get::<usize>("CSS.highlights.get('leafpress-hit-now')?.size ?? 0"), 0);
    assert_eq!(page.count("mark"), 0);
}

#[test]
fn only_near_the_view() {
    let pressed = Exported::bytes(chain(400)).unwrap();
    let page = pressed.page().open("?targetId=e0");
    search(&page, "number");
    let near = marked(&page).len();
    assert!((5..200).contains(&near), "{near}");
    page.run("scrollTo(0, document.documentElement.scrollHeight)");
    page.wait(
        "the last ones to be marked",
        "Array.from(CSS.highlights.get('leafpress-hit')).some((range) => range.startContainer.parentElement.closest('article').id === 'entry-e399')",
    );
    assert!(!marked(&page).contains(&"e0: number".to_owned()), "those far away are let go");
}

#[test]
fn in_the_context_view() {
    let page = Exported::tree().page().open("?leafId=t0000006&view=context&q=left");
    page.wait_for("document.getElementById('search-status').textContent", "4 hits");
    page.wait("the marks", "(CSS.highlights.get('leafpress-hit')?.size ?? 0) === 3");
    let inside: bool = page.get(
        "Array.from(CSS.highlights.get('leafpress-hit')).every((range) => document.getElementById('context-view').contains(range.startContainer))",
    );
    assert!(inside, "they are where the reader looks");
}

/// As in a browser without the Custom Highlight API: nothing is painted, all else works.
#[test]
fn a_search_works_without_highlights() {
    let mut lines = Lines::new();
    lines.user("q", None, "ask");
    lines.assistant("a", Some("q"), "some boldness");
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    let without = json!({"source": "delete window.Highlight"});
    page.protocol("Page.addScriptToEvaluateOnNewDocument", without);
    page.reload();
    search(&page, "boldness");
    page.wait_for("document.getElementById('search-status').textContent", "1 hit");
}
