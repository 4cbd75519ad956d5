//! Back and forward: each move to another branch or view is a step, small changes are none.

use super::address::{SentMessage, seen};
use crate::support::{Exported, Page};

fn length(page: &Page) -> usize {
    page.get("history.length")
}

/// The state of the page with its address.
fn shown(page: &Page) -> (SentMessage, String) {
    (seen(page), page.link())
}

/// A name, and what a reader does.
type Move = (&'static str, fn(&Page));

/// Ten ways to move, each of which makes a step.
const MOVES: [Move; 10] = [
    ("a row of another branch", |page| page.click_row("t0000003")),
    ("a row further down it", |page| page.click_row("t0000005")),
    ("the context", |page| page.click("[data-view=context]")),
    ("a script's link", |page| {
        page.run("leafpress.go({ leafId: 't0000018', targetId: 't0000014' })");
    }),
    ("the path", |page| page.click("[data-view=path]")),
    ("the next fork", |page| page.click("#transcript article:not([hidden]) .fork-link[rel=prev]")),
    ("a second root", |page| page.click_row("t0000020")),
    ("its other fork", |page| page.click_row("t0000021")),
    ("a fragment", |page| page.run("location.hash = 'entry-t0000025'")),
    ("back to the first branch", |page| page.click_row("t0000008")),
];

#[test]
fn ten_moves_back_and_forward() {
    let tree = Exported::tree();
    let page = tree.open();
    let first = length(&page);
    let mut states = vec![shown(&page)];
    for (nth, (name, make)) in MOVES.iter().enumerate() {
        let before = page.link();
        make(&page);
        page.wait(
            "the address to follow",
            &format!("location.search + location.hash !== '{before}'"),
        );
        page.settle();
        assert_eq!(length(&page), first + nth + 1, "{name} is one step");
        states.push(shown(&page));
    }
    for (nth, state) in states.iter().enumerate().rev().skip(1) {
        page.back();
        assert_at(&page, state, &format!("back to {nth}"));
    }
    for (nth, state) in states.iter().enumerate().skip(1) {
        page.run("history.forward()");
        assert_at(&page, state, &format!("forward to {nth}"));
    }
    assert_eq!(length(&page), first + MOVES.len(), "going back and forward adds nothing");
}

fn assert_at(page: &Page, (state, link): &(SentMessage, String), place: &str) {
    page.wait_for("location.search + location.hash", link);
    page.settle();
    assert_eq!(seen(page), *state, "{place}, {link}");
}

#[test]
fn small_changes_are_no_steps() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click_row("t0000008");
    page.wait_for("location.search", "?leafId=t0000008&targetId=t0000008");
    let before = length(&page);
    page.click_row("t0000003");
    page.click("[data-filter=no-tools]");
    page.click("[data-filter=all]");
    page.click("#search");
    page.type_text("l");
    page.type_text("e");
    page.type_text("ft");
    page.wait_for("document.getElementById('search-status').textContent", "4 hits");
    page.click("#only");
    page.click("#only");
    page.click("#label-times");
    page.run("leafpress.fold('t0000003', true); leafpress.fold('t0000003', false)");
    page.wait_for("location.search", "?leafId=t0000008&targetId=t0000003&filter=all&q=left");
    assert_eq!(length(&page), before);
    page.back();
    page.wait_for("location.search", "");
    assert_eq!(page.shown_articles(), tree.path("t0000025"));
    assert_eq!(
        page.text("[data-filter][aria-pressed=true]").trim_end_matches(char::is_numeric),
        "Default"
    );
    page.run("history.forward()");
    page.wait_for("location.search", "?leafId=t0000008&targetId=t0000003&filter=all&q=left");
    page.wait_for("document.getElementById('search-status').textContent", "4 hits");
}

#[test]
fn back_brings_the_place_in_the_text() {
    let page = Exported::long().open();
    page.run("scrollTo(0, document.documentElement.scrollHeight / 3)");
    page.settle();
    let top = "Array.from(document.querySelectorAll('#transcript > article:not([hidden])')).find((article) => article.getBoundingClientRect().bottom > 60).id";
    let before: String = page.get(top);
    assert_ne!(before, "", "far down");
    page.run("leafpress.go({ leafId: leafpress.rows(document.querySelector('#tree .leaf')?.dataset.entryId ?? '42973fa8', 'all').find(({ onPath }) => !onPath).id })");
    page.settle();
    page.back();
    page.wait_for(top, before);
}

#[test]
fn a_fragment_typed_by_hand() {
    let tree = Exported::tree();
    let page = tree.open();
    let before = shown(&page);
    for (hash, leaf) in
        [("#leafId=t0000006&filter=user-only&q=left", "t0000006"), ("#leafId=t0000022", "t0000022")]
    {
        page.call::<()>("(hash) => { location.hash = hash; return null; }", &[hash]);
        page.wait_for("Array.from(document.querySelectorAll('#transcript > article:not([hidden])')).at(-1).id", format!("entry-{leaf}"));
        assert_eq!(page.link(), hash);
    }
    assert_eq!(
        page.get::<String>("document.getElementById('search').value"),
        "",
        "the second one asks for none"
    );
    page.back();
    page.wait_for("document.getElementById('search').value", "left");
    page.back();
    page.wait_for("location.hash", "");
    page.wait_for("document.getElementById('search').value", "");
    assert_eq!(shown(&page), before);
}

#[test]
fn back_after_a_reload() {
    let tree = Exported::tree();
    let page = tree.open();
    let before = shown(&page);
    page.click_row("t0000021");
    page.wait_for("location.search", "?leafId=t0000021&targetId=t0000021");
    let after = shown(&page);
    page.reload();
    assert_eq!(shown(&page), after);
    page.back();
    assert_at(&page, &before, "behind the reload");
    page.run("history.forward()");
    assert_at(&page, &after, "before it");
}

/// What is written late must not be written into another step.
#[test]
fn a_quick_hand_leaves_no_wrong_step() {
    let tree = Exported::tree();
    let page = tree.open();
    page.run(
        "const press = (selector) => document.querySelector(selector).click();
         press('[data-filter=all]');
         press('[data-filter=user-only]');
         press('#tree [data-entry-id=t0000003]');
         press('[data-filter=no-tools]');
         history.back();",
    );
    page.wait_for("location.search", "?leafId=t0000025&filter=user-only");
    page.settle();
    let there: f64 = page.get("performance.now()");
    page.wait(
        "what is slowed down to have been written",
        &format!("performance.now() > {}", there + 900.0),
    );
    assert_eq!(page.link(), "?leafId=t0000025&filter=user-only");
    assert_eq!(page.drawn_rows(), tree.row_ids("t0000025", leafpress::Filter::UserOnly, ""));
    page.run("history.forward()");
    page.wait("the step ahead", "location.search.startsWith('?leafId=t0000008&targetId=t0000003')");
    page.settle();
    assert_eq!(page.shown_articles(), tree.path("t0000008"));
}
