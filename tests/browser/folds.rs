//! Folding branches of the tree, by pointer and by key.

use serde_json::json;

use leafpress::Filter;

use crate::support::sessions::Lines;
use crate::support::{Exported, Page, row};

/// The rows of the small tree below `t0000003`.
const LEFT: [&str; 5] = ["t0000004", "t0000005", "t0000006", "t0000007", "t0000008"];

/// The keys of the drawn rows that are folded, from above.
pub(super) fn folded(page: &Page) -> Vec<String> {
    expanded(page, "false")
}

fn expanded(page: &Page, value: &str) -> Vec<String> {
    let rows: Vec<String> = page.call(
        "(value) => Array.from(document.querySelectorAll(`#tree [aria-expanded=${value}]`), (row) => row.dataset.entryId)",
        &[value],
    );
    page.drawn_rows().into_iter().filter(|key| rows.contains(key)).collect()
}

/// The key of the row under the keyboard.
pub(super) fn active(page: &Page) -> String {
    page.get("document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.dataset.entryId ?? ''")
}

pub(super) fn focus_tree(page: &Page) {
    page.run("document.getElementById('tree').focus()");
}

/// Exports keys, and says which row each led to.
#[track_caller]
fn walk(page: &Page, steps: &[(&str, &str)]) {
    for (nth, &(key, wanted)) in steps.iter().enumerate() {
        page.press(key);
        assert_eq!(active(page), wanted, "after step {}, {key}", nth + 1);
    }
}

fn mark(key: &str) -> String {
    format!("{} > .fold-mark", row(key))
}

fn without(rows: &[String], left_out: &[&str]) -> Vec<String> {
    rows.iter().filter(|key| !left_out.contains(&key.as_str())).cloned().collect()
}

#[test]
fn by_the_mark() {
    let tree = Exported::tree();
    let all = tree.row_ids(&tree.leaf(), Filter::Default, "");
    let page = tree.open();
    assert_eq!(
        expanded(&page, "true"),
        [
            "t0000001", "t0000009", "t0000003", "t0000005", "t0000007", "t0000012", "t0000017",
            "t0000019"
        ],
        "roots and branches with something below them"
    );
    assert_eq!(page.count("#tree .fold-mark"), 8);
    page.click(&mark("t0000003"));
    assert_eq!(page.drawn_rows(), without(&all, &LEFT));
    assert_eq!(folded(&page), ["t0000003"]);
    assert_eq!(page.text("#status"), "16 of 25 entries");
    page.click(&mark("t0000003"));
    assert_eq!(page.drawn_rows(), all);
    assert_eq!(folded(&page), [""; 0]);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()), "nothing was chosen");
    assert_eq!(page.link(), "");
}

#[test]
fn the_mark_is_large_enough() {
    let tree = Exported::tree();
    let wide = tree.open();
    let narrow = tree.page().narrow().open("");
    narrow.click("#sidebar-toggle");
    narrow.wait(
        "the drawer to open",
        "document.getElementById('sidebar').getBoundingClientRect().left >= 0",
    );
    // With a mouse rows are as high as 38 of them in a window of 900 pixels are.
    for (page, least) in [(wide, 20.0), (narrow, 24.0)] {
        page.settle();
        let sizes: Vec<(f64, f64)> = page.get(
            "Array.from(document.querySelectorAll('#tree .fold-mark'), (mark) => {
                const { width, height } = mark.getBoundingClientRect();
                return [width, height];
            })",
        );
        assert_eq!(sizes.len(), 8);
        let small: Vec<_> = sizes.iter().filter(|(w, h)| *w < 24.0 || *h < least).collect();
        assert!(small.is_empty(), "{small:?}");
        let covered: Vec<String> = page.get(
            "Array.from(document.querySelectorAll('#tree .fold-mark')).filter((mark) => {
                const view = document.getElementById('tree').getBoundingClientRect();
                const { left, right, top, bottom } = mark.getBoundingClientRect();
                const points = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
                return bottom < view.bottom && !points.every(([x, y]) => mark.contains(document.elementFromPoint(x, y)));
            }).map((mark) => mark.parentElement.dataset.entryId)",
        );
        assert!(covered.is_empty(), "something lies over the marks of {covered:?}");
    }
}

#[test]
fn by_keys() {
    let tree = Exported::tree();
    let all = tree.row_ids(&tree.leaf(), Filter::Default, "");
    let page = tree.open();
    focus_tree(&page);
    walk(&page, &[("ArrowLeft", "t0000009"), ("ArrowLeft", "t0000009")]);
    assert_eq!(folded(&page), ["t0000009"]);
    assert_eq!(page.drawn_rows(), without(&all, &["t0000011", "t0000025"]));
    walk(&page, &[("ArrowDown", "t0000003"), ("ArrowUp", "t0000009"), ("ArrowRight", "t0000009")]);
    assert_eq!(page.drawn_rows(), all);
    walk(&page, &[("ArrowRight", "t0000011"), ("ArrowLeft", "t0000009")]);
    assert_eq!(page.shown_articles(), tree.path(&tree.leaf()));
}

#[test]
fn rows_are_those_of_the_script() {
    let tree = Exported::tree();
    let page = tree.open();
    for folds in [
        vec!["t0000003"],
        vec!["t0000003", "t0000012"],
        vec!["t0000001"],
        vec!["t0000019", "t0000005"],
    ] {
        page.load_anew("");
        for fold in &folds {
            page.click(&mark(fold));
        }
        let rows: Vec<String> = page.call(
            "(leaf, folds) => leafpress.rows(leaf, 'default', null, { folds }).map(({ id }) => id)",
            &(tree.leaf(), &folds),
        );
        assert_eq!(page.drawn_rows(), rows, "{folds:?}");
        let marked: Vec<String> = page.call(
            "(leaf, folds) => leafpress.rows(leaf, 'default', null, { folds }).filter(({ fold }) => fold === 'folded').map(({ id }) => id)",
            &(tree.leaf(), &folds),
        );
        assert_eq!(folded(&page), marked, "{folds:?}");
        assert!(page.drawn_rows().len() < 21, "{folds:?}");
    }
}

#[test]
fn inner_folds_survive() {
    let tree = Exported::tree();
    let all = tree.row_ids(&tree.leaf(), Filter::Default, "");
    let page = tree.open();
    page.click(&mark("t0000005"));
    page.click(&mark("t0000003"));
    page.click(&mark("t0000001"));
    assert_eq!(page.drawn_rows(), ["t0000001", "t0000019", "t0000020", "t0000021", "t0000022"]);
    page.click(&mark("t0000001"));
    assert_eq!(page.drawn_rows(), without(&all, &LEFT), "the one inside is still folded");
    page.click(&mark("t0000003"));
    assert_eq!(page.drawn_rows(), without(&all, &["t0000006"]), "and the one inside that");
}

#[test]
fn a_filter_clears() {
    let tree = Exported::tree();
    let page = tree.open();
    for filter in [Filter::UserOnly, Filter::NoTools, Filter::All, Filter::Default] {
        page.click(&mark("t0000003"));
        assert_eq!(folded(&page), ["t0000003"]);
        page.click(&format!("button[data-filter={}]", filter.name()));
        assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), filter, ""), "{}", filter.name());
        assert_eq!(folded(&page), [""; 0]);
    }
}

#[test]
fn a_search_clears() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click(&mark("t0000012"));
    page.click("#search");
    page.type_text("left");
    page.wait_for("document.getElementById('search-status').textContent", "4 hits");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, "left"));
    page.click(&mark("t0000003"));
    assert_eq!(page.drawn_rows(), ["t0000003"], "hits can be folded too");
    page.click("#search");
    page.press("Escape");
    page.wait_for("document.getElementById('search-status').textContent", "");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, ""));
    assert_eq!(folded(&page), [""; 0]);
}

#[test]
fn a_branch_change_keeps() {
    let tree = Exported::tree();
    let page = tree.open();
    page.click(&mark("t0000003"));
    page.click_row("t0000021");
    assert_eq!(page.shown_articles(), tree.path("t0000021"));
    let rows = tree.row_ids("t0000021", Filter::Default, "");
    assert_eq!(page.drawn_rows(), without(&rows, &LEFT));
}

#[test]
fn a_link_opens() {
    let tree = Exported::tree();
    let page = tree.open();
    for follow in [
        "leafpress.go({ leafId: 't0000008', targetId: 't0000007' })",
        "location.hash = 'entry-t0000007'",
        "leafpress.go({ targetId: 't0000007' })",
    ] {
        page.load_anew("");
        for fold in ["t0000012", "t0000007", "t0000003", "t0000001"] {
            page.click(&mark(fold));
        }
        page.run(follow);
        page.wait_for(
            "document.querySelector('#tree [aria-selected=true]')?.dataset.entryId ?? null",
            "t0000007",
        );
        assert_eq!(folded(&page), ["t0000007", "t0000012"], "{follow}: only what hid it is opened");
        assert_eq!(page.notice(), None);
    }
}

#[test]
fn a_chosen_row_in_a_fold() {
    let tree = Exported::tree();
    let page = tree.page().open("?leafId=t0000006&targetId=t0000006");
    page.click(&mark("t0000003"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000003"), "the nearest row above it");
    assert_eq!(active(&page), "t0000003");
    page.click(&mark("t0000003"));
    assert_eq!(page.selected_row().as_deref(), Some("t0000006"), "it is chosen all the time");
    assert_eq!(page.link(), "?leafId=t0000006&targetId=t0000006");
}

/// Prompt and answer twice, then two branches of prompt, answer, prompt; the first one has an answer more.
fn two_branches() -> Exported {
    let mut lines = Lines::new();
    lines.user("user-1", None, "one").assistant("asst-1", Some("user-1"), "first");
    lines.user("user-2", Some("asst-1"), "two").assistant("asst-2", Some("user-2"), "second");
    for branch in ["b", "a"] {
        let id = |name: &str| format!("{name}{branch}");
        lines.user(&id("user-3"), Some("asst-2"), "three");
        lines.assistant(&id("asst-3"), Some(&id("user-3")), "third");
        lines.user(&id("user-4"), Some(&id("asst-3")), "four");
    }
    lines.assistant("asst-4a", Some("user-4a"), "fourth");
    Exported::bytes(lines.bytes()).unwrap()
}

const BRANCH_A: [&str; 3] = ["asst-3a", "user-4a", "asst-4a"];

#[test]
fn case_j5_fold_move_unfold() {
    let pressed = two_branches();
    let all = pressed.row_ids("asst-4a", Filter::Default, "");
    let page = pressed.open();
    focus_tree(&page);
    assert_eq!(active(&page), "asst-4a");
    walk(&page, &[("ArrowLeft", "user-3a"), ("ArrowLeft", "user-3a")]);
    assert_eq!(page.drawn_rows(), without(&all, &BRANCH_A));
    walk(&page, &[("ArrowDown", "user-3b"), ("ArrowUp", "user-3a"), ("ArrowRight", "user-3a")]);
    assert_eq!(page.drawn_rows(), all);
    // Here pi goes to the end of the chain; the page goes to the first row inside, as the ARIA pattern has it.
    walk(&page, &[("ArrowDown", "asst-3a"), ("ArrowLeft", "user-3a"), ("ArrowRight", "asst-3a")]);
}

#[test]
fn case_j7_fold_the_root() {
    let pressed = two_branches();
    let all = pressed.row_ids("asst-4a", Filter::Default, "");
    let page = pressed.open();
    focus_tree(&page);
    walk(&page, &[("ArrowLeft", "user-3a"), ("ArrowLeft", "user-3a"), ("ArrowLeft", "asst-2")]);
    walk(&page, &[("ArrowLeft", "user-1"), ("ArrowLeft", "user-1")]);
    assert_eq!(page.drawn_rows(), ["user-1"]);
    walk(&page, &[("ArrowDown", "user-1"), ("ArrowLeft", "user-1"), ("ArrowRight", "user-1")]);
    assert_eq!(page.drawn_rows(), without(&all, &BRANCH_A), "the inner fold is kept");
    walk(&page, &[("ArrowRight", "asst-1"), ("ArrowDown", "user-2"), ("ArrowDown", "asst-2")]);
    walk(&page, &[("ArrowRight", "user-3a"), ("ArrowDown", "user-3b")]);
}

#[test]
fn case_j8_out_of_a_branch() {
    let page = two_branches().page().open("?leafId=asst-4a");
    focus_tree(&page);
    walk(&page, &[("End", "user-4b"), ("ArrowLeft", "user-3b"), ("ArrowLeft", "user-3b")]);
    assert_eq!(folded(&page), ["user-3b"]);
    walk(&page, &[("ArrowLeft", "asst-2"), ("ArrowLeft", "user-1")]);
    assert_eq!(folded(&page), ["user-3b"], "going out folds nothing");
}

#[test]
fn case_j9_two_roots() {
    let mut lines = Lines::new();
    lines.user("user-1", None, "one").user("user-2", None, "two");
    lines.assistant("asst-2", Some("user-2"), "second");
    lines.assistant("asst-1", Some("user-1"), "first");
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    focus_tree(&page);
    walk(&page, &[("ArrowLeft", "user-1"), ("ArrowLeft", "user-1")]);
    assert_eq!(page.drawn_rows(), ["user-1", "user-2", "asst-2"]);
    walk(&page, &[("ArrowDown", "user-2"), ("ArrowRight", "asst-2"), ("ArrowLeft", "user-2")]);
    walk(&page, &[("ArrowLeft", "user-2")]);
    assert_eq!(page.drawn_rows(), ["user-1", "user-2"]);
    walk(&page, &[("ArrowLeft", "user-2")]);
}

#[test]
fn case_j10_through_hidden_entries() {
    let mut lines = Lines::new();
    let call =
        json!([{"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "true"}}]);
    let message = json!({"role": "assistant", "content": call, "provider": "acme", "model": "wren-2", "stopReason": "toolUse"});
    lines.user("user-1", None, "one");
    lines.entry("hidden", Some("user-1"), json!({"type": "message", "message": message}));
    lines.user("user-2", Some("hidden"), "two").assistant("asst-2", Some("user-2"), "second");
    let page = Exported::bytes(lines.bytes()).unwrap().open();
    focus_tree(&page);
    assert_eq!(page.drawn_rows(), ["user-1", "user-2", "asst-2"]);
    walk(&page, &[("ArrowLeft", "user-1"), ("ArrowLeft", "user-1")]);
    assert_eq!(page.drawn_rows(), ["user-1"]);
    walk(&page, &[("ArrowDown", "user-1")]);
}

#[test]
fn case_j11_folds_are_gone() {
    let pressed = two_branches();
    let all = pressed.row_ids("asst-4a", Filter::Default, "");
    let page = pressed.open();
    page.click(&mark("user-3a"));
    page.click("#search");
    page.type_text("o");
    page.wait("the search", "/^\\d/.test(document.getElementById('search-status').textContent)");
    page.press("Escape");
    page.wait_for("document.getElementById('search-status').textContent", "");
    assert_eq!(page.drawn_rows(), all);
    page.click(&mark("user-3a"));
    page.click("button[data-filter=user-only]");
    page.click("button[data-filter=default]");
    assert_eq!(page.drawn_rows(), all);
    assert_eq!(folded(&page), [""; 0]);
}
