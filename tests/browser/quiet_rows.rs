//! At Story the steps of a turn are one quiet row of the tree.

use leafpress::Filter;
use serde_json::json;

use super::folds::{active, focus_tree};
use crate::query::search;
use crate::support::sessions::Lines;
use crate::support::{Exported, Page, row};

/// A call without words, and its result.
fn step(lines: &mut Lines, id: &str, parent: &str, failed: bool) -> String {
    let call = format!("{id}-call");
    let content = json!([{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": format!("/w/coast/charts/of/the/inner/and/the/outer/harbor/{id}.rs")}}]);
    lines.entry(&call, Some(parent), json!({"type": "message", "message": {"role": "assistant", "content": content, "stopReason": "toolUse"}}));
    lines.entry(id, Some(&call), json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": "water"}], "isError": failed}}));
    id.to_owned()
}

fn steps(lines: &mut Lines, name: &str, parent: &str, count: usize) -> String {
    (1..=count).fold(parent.to_owned(), |parent, nth| {
        step(lines, &format!("{name}{nth}"), &parent, nth == 2)
    })
}

/// Three turns, the last two on two branches; the second of these is the current one.
fn turns() -> Exported {
    let mut lines = Lines::new();
    lines.user("ask", None, "why is the low water late?");
    let last = steps(&mut lines, "a", "ask", 3);
    lines.assistant("answer", Some(&last), "It samples 24 hours a day.");
    for name in ["b", "c"] {
        let id = |what: &str| format!("{name}-{what}");
        lines.user(&id("ask"), Some("answer"), "ship it");
        let last = steps(&mut lines, name, &id("ask"), 2);
        lines.assistant(&id("answer"), Some(&last), "Shipped.");
    }
    Exported::story(lines.bytes())
}

const STORY: [&str; 8] = ["ask", "a1", "answer", "c-ask", "c1", "c-answer", "b-ask", "b1"];

fn collapsed(page: &Page) -> Vec<(String, String)> {
    page.get(
        "Array.from(document.querySelectorAll('#tree [role=treeitem][aria-expanded=false]'), (row) => [row.dataset.entryId, row.dataset.steps ?? ''])",
    )
}

fn with(shown: &[&str], after: &str, more: &[&str]) -> Vec<String> {
    let mut rows: Vec<String> = shown.iter().map(|&key| key.to_owned()).collect();
    let at = rows.iter().position(|key| key == after).unwrap() + 1;
    rows.splice(at..at, more.iter().map(|&key| key.to_owned()));
    rows
}

fn story() -> Vec<&'static str> {
    [&STORY[..], &["b-answer"]].concat()
}

#[test]
fn stand_for_the_steps() {
    let turns = turns();
    let page = turns.open();
    assert_eq!(page.drawn_rows(), story());
    let quiet = [("a1", "3"), ("c1", "2"), ("b1", "2")]
        .map(|(key, steps)| (key.to_owned(), steps.to_owned()));
    assert_eq!(collapsed(&page), quiet);
    assert_eq!(page.text(&row("a1")), "3 steps 1 failure");
    // They stand for entries, which the figures and the script count as ever.
    let all = turns.row_ids("c-answer", Filter::Default, "");
    assert_eq!(all.len(), 13);
    assert_eq!(page.text("#status"), "13 of 20 entries");
    assert_eq!(page.attribute("#status", "data-shown").as_deref(), Some("13"));
    assert_eq!(page.attribute("#status", "data-total").as_deref(), Some("20"));
    assert_eq!(page.text("[data-filter=default] .count"), "13");
    let rows: Vec<String> = page.get("leafpress.rows('c-answer').map(({ id }) => id)");
    assert_eq!(rows, all);
}

/// As the line of the steps in the transcript does.
#[test]
fn say_what_edits_changed() {
    let mut lines = Lines::new();
    lines.user("ask", None, "make it eight lines");
    let edit = json!([{"type": "toolCall", "id": "e", "name": "edit",
        "arguments": {"path": "/w/tide.rs", "oldText": "low\nhigh\n", "newText": "low\nslack\nebb\n"}}]);
    lines.entry("e-call", Some("ask"), json!({"type": "message", "message": {"role": "assistant", "content": edit, "stopReason": "toolUse"}}));
    lines.entry("e", Some("e-call"), json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "e", "content": [{"type": "text", "text": "done"}], "isError": false}}));
    let last = steps(&mut lines, "a", "e", 2);
    lines.assistant("answer", Some(&last), "Eight.");
    let exported = Exported::story(lines.bytes());
    let page = exported.open();
    let text = |selector: &str| {
        page.get::<Vec<String>>(&format!("Array.from(document.querySelectorAll('{selector}'), ({{ textContent }}) => textContent)"))
    };
    assert_eq!(text("#transcript .steps :is(ins, del)"), ["+2", "−1"]);
    assert_eq!(text("#sidebar [data-steps] :is(ins, del)"), ["+2", "−1"]);
}

#[test]
fn a_click_goes_there_and_opens() {
    let page = turns().open();
    page.click_row("a1");
    assert_eq!(page.drawn_rows(), with(&story(), "a1", &["a2", "a3"]));
    assert_eq!(page.selected_row().as_deref(), Some("a1"));
    page.wait_for("location.search", "?leafId=c-answer&targetId=a1");
    page.wait_until_in_view("a1");
    assert_eq!(
        page.attribute("#transcript [data-steps] button", "aria-expanded").as_deref(),
        Some("true")
    );
}

#[test]
fn enter_goes_there_and_opens() {
    let page = turns().open();
    focus_tree(&page);
    for key in ["Home", "ArrowDown", "Enter"] {
        page.press(key);
    }
    assert_eq!(active(&page), "a1");
    assert_eq!(page.drawn_rows(), with(&story(), "a1", &["a2", "a3"]));
    assert_eq!(page.selected_row().as_deref(), Some("a1"));
}

#[test]
fn arrows_only_open_and_close() {
    let page = turns().open();
    focus_tree(&page);
    for key in ["Home", "ArrowDown", "ArrowRight"] {
        page.press(key);
    }
    assert_eq!(page.drawn_rows(), with(&story(), "a1", &["a2", "a3"]));
    assert_eq!(page.attribute(&row("a1"), "aria-expanded").as_deref(), Some("true"));
    page.press("ArrowRight");
    assert_eq!(active(&page), "a2", "into it");
    page.press("ArrowUp");
    page.press("ArrowLeft");
    assert_eq!(page.drawn_rows(), story());
    assert_eq!(active(&page), "a1");
    assert_eq!(page.link(), "", "nothing was chosen");
}

#[test]
fn the_mark_only_opens_and_closes() {
    let page = turns().open();
    let mark = format!("{} > .fold-mark", row("c1"));
    page.click(&mark);
    assert_eq!(page.drawn_rows(), with(&story(), "c1", &["c2"]));
    page.click(&mark);
    assert_eq!(page.drawn_rows(), story());
    assert_eq!(page.link(), "");
}

#[test]
fn nothing_is_collapsed_elsewhere() {
    let turns = turns();
    let page = turns.open();
    let rows = |filter| turns.row_ids("c-answer", filter, "");
    for filter in [Filter::NoTools, Filter::UserOnly, Filter::All] {
        page.click(&format!("button[data-filter={}]", filter.name()));
        assert_eq!(page.drawn_rows(), rows(filter), "{}", filter.name());
        assert_eq!(page.count("#tree [data-steps]"), 0);
    }
    page.click("button[data-filter=default]");
    assert_eq!(page.drawn_rows(), story());
    for (key, is_story) in [("2", false), ("3", false), ("1", true)] {
        page.press(key);
        page.settle();
        let wanted = if is_story {
            story().iter().map(|&key| key.to_owned()).collect()
        } else {
            rows(Filter::Default)
        };
        assert_eq!(page.drawn_rows(), wanted, "level {key}");
    }
    search(&page, "water");
    assert_eq!(page.drawn_rows(), turns.row_ids("c-answer", Filter::Default, "water"));
    assert_eq!(page.count("#tree [data-steps]"), 0);
}

#[test]
fn links_open_what_they_need() {
    let turns = turns();
    let page = turns.page().open("?leafId=c-answer&targetId=a2");
    assert_eq!(page.drawn_rows(), with(&story(), "a1", &["a2", "a3"]));
    assert_eq!(page.selected_row().as_deref(), Some("a2"));
    page.run("leafpress.go({ targetId: 'c2' })");
    page.wait_for(
        "document.querySelector('#tree [aria-selected=true]')?.dataset.entryId ?? null",
        "c2",
    );
}

#[test]
fn off_the_branch() {
    let turns = turns();
    let page = turns.open();
    page.click_row("b1");
    assert_eq!(page.shown_articles(), turns.path("b-answer"));
    assert_eq!(page.selected_row().as_deref(), Some("b1"));
    assert!(page.drawn_rows().contains(&"b2".to_owned()));
}

#[test]
fn are_current_while_read() {
    let mut lines = Lines::new();
    lines.user("ask", None, "why?");
    let last = steps(&mut lines, "a", "ask", 3);
    lines.assistant("answer", Some(&last), &"It samples.\n\n".repeat(80));
    let page = Exported::story(lines.bytes()).open();
    page.run(
        "document.querySelector('#transcript [data-steps]').scrollIntoView(), scrollBy(0, -48)",
    );
    page.wait_for("document.querySelector('#tree [aria-current]')?.dataset.entryId ?? null", "a1");
}

#[test]
fn branches_keep_their_first_row() {
    let mut lines = Lines::new();
    lines.user("ask", None, "why?");
    for name in ["a", "b"] {
        let last = steps(&mut lines, name, "ask", 3);
        lines.assistant(&format!("{name}-answer"), Some(&last), "So.");
    }
    let page = Exported::story(lines.bytes()).open();
    assert_eq!(page.drawn_rows(), ["ask", "b1", "b2", "b-answer", "a1", "a2", "a-answer"]);
    assert_eq!(
        page.text(&row("b1")).trim_start_matches(['├', '└', '─', ' ']),
        "read: /w/coast/charts/of/the/inner/and/the/outer/harbor/b1.rs"
    );
    // As many as the line in the text says.
    assert_eq!(page.attribute(&row("b2"), "data-steps").as_deref(), Some("3"));
    assert_eq!(page.attribute("#transcript .steps", "data-steps").as_deref(), Some("3"));
}

/// A turn that a compaction divides is one turn: one line of steps, with a line for the compaction.
#[test]
fn a_compaction_within_a_turn() {
    let mut lines = Lines::new();
    lines.user("ask", None, "why?");
    let last = steps(&mut lines, "a", "ask", 2);
    lines.entry("cut", Some(&last), json!({"type": "compaction", "summary": "So far.", "firstKeptEntryId": "a1", "tokensBefore": 170_000}));
    let last = steps(&mut lines, "b", "cut", 3);
    lines.assistant("answer", Some(&last), "So.");
    let page = Exported::story(lines.bytes()).open();
    assert_eq!(page.drawn_rows(), ["ask", "a1", "cut", "answer"]);
    assert_eq!(page.text(&row("a1")), "5 steps 2 failures");
    assert_eq!(page.count("#transcript .steps"), 1);
    assert_eq!(page.attribute("#transcript .steps", "data-steps").as_deref(), Some("5"));
    assert_eq!(page.text(".did li"), "Compaction of 170k tokensWhat the model got next");
    page.click(".did li button");
    page.wait("the context", "new URLSearchParams(location.search).get('view') === 'context'");
    page.back();
    page.click(".did li a");
    page.wait_until_in_view("cut");
}

/// Settings before the first prompt have no row but in Full, and under another filter.
#[test]
fn the_first_row_is_what_was_asked() {
    let mut lines = Lines::new();
    lines.entry(
        "system",
        None,
        json!({"type": "message", "message": {"role": "system", "content": "You are a pilot."}}),
    );
    lines.user("ask", Some("system"), "why?");
    lines.assistant("answer", Some("ask"), "So.");
    let exported = Exported::story(lines.bytes());
    let page = exported.open();
    let all = exported.row_ids("answer", Filter::Default, "");
    assert_eq!(all, ["system", "ask", "answer"]);
    assert_eq!(page.drawn_rows(), ["ask", "answer"]);
    assert_eq!(page.text("#status"), "3 of 3 entries");
    let rows: Vec<String> = page.get("leafpress.rows('answer').map(({ id }) => id)");
    assert_eq!(rows, all);
    for (key, wanted) in [("2", &["ask", "answer"][..]), ("3", &["system", "ask", "answer"])] {
        page.press(key);
        page.settle();
        assert_eq!(page.drawn_rows(), wanted, "level {key}");
    }
    page.press("1");
    page.click("button[data-filter=all]");
    assert_eq!(page.drawn_rows(), all);
    search(&page, "pilot");
    assert_eq!(page.drawn_rows(), exported.row_ids("answer", Filter::All, "pilot"));
}

/// The reader stands above the first prompt; coming back opens nothing there.
#[test]
fn coming_back_to_the_top_opens_no_settings() {
    let mut lines = Lines::new();
    lines.entry(
        "system",
        None,
        json!({"type": "message", "message": {"role": "system", "content": "You are a pilot."}}),
    );
    for name in ["a", "b"] {
        let id = |what: &str| format!("{name}-{what}");
        lines.user(&id("ask"), Some("system"), "why?");
        let last = steps(&mut lines, name, &id("ask"), 2);
        lines.assistant(&id("answer"), Some(&last), &"It samples.\n\n".repeat(80));
    }
    let page = Exported::story(lines.bytes()).open();
    page.click("#transcript");
    page.run("scrollTo(0, 40)");
    page.wait("an address", "location.search !== ''");
    page.click_row("a-ask");
    page.settle();
    page.back();
    page.wait_for("new URLSearchParams(location.search).get('leafId') ?? 'b-answer'", "b-answer");
    page.settle();
    assert!(!page.link().contains("targetId=system"), "{}", page.link());
    assert_eq!(page.attribute("#entry-system .body", "hidden").as_deref(), Some("until-found"));
}

#[test]
fn a_sub_agent_keeps_its_row() {
    let page = crate::subsessions::family().page().open("?detail=story");
    assert!(page.count("#tree .row.sub-session") > 0);
}

#[test]
fn prompts_are_numbered() {
    let page = turns().open();
    let numbers = |what: &str| -> Vec<String> { page.get(what) };
    assert_eq!(
        numbers(
            "Array.from(document.querySelectorAll('#tree .text[data-tone=user]'), (text) => text.dataset.glyph)"
        ),
        ["1", "2", "2"]
    );
    assert_eq!(
        numbers(
            "Array.from(document.querySelectorAll('#transcript [data-nth]'), (head) => head.dataset.nth)"
        ),
        ["1", "2"]
    );
}

#[test]
fn rows_have_room() {
    let turns = turns();
    let wide = turns.open();
    let narrow = turns.page().narrow().open("");
    narrow.click("#sidebar-toggle");
    for (page, height) in [(wide, 24.0), (narrow, 44.0)] {
        page.settle();
        let boxes: Vec<(f64, f64)> = page.get("Array.from(document.querySelectorAll('#tree .row'), (row) => row.getBoundingClientRect()).map(({ top, height }) => [top, height])");
        assert!(boxes.iter().all(|row| (row.1 - height).abs() < 0.5), "{boxes:?}");
        // The second prompt is the fourth row.
        assert!((boxes[3].0 - boxes[2].0 - height - 8.0).abs() < 0.5, "{boxes:?}");
        assert!((boxes[4].0 - boxes[3].0 - height).abs() < 0.5, "{boxes:?}");
    }
}

#[test]
fn an_empty_tree_says_why() {
    let page = turns().open();
    let said = || page.text("#tree-empty");
    let is_shown = || page.get::<bool>("document.getElementById('tree-empty').checkVisibility()");
    assert!(!is_shown());
    page.click("button[data-filter=labeled-only]");
    assert!(is_shown());
    assert_eq!(said(), "No labels in this session. Show all entries");
    assert_eq!(page.text("#status"), "0 of 20 entries");
    page.click("#tree-empty button");
    assert!(!is_shown());
    assert_eq!(page.count("#filters [data-filter=all][aria-pressed=true]"), 1);
    page.click("#search");
    page.type_text("<i>sextant</i>");
    page.wait("the words", "document.getElementById('tree-empty').checkVisibility()");
    assert_eq!(said(), "Nothing matches \"<i>sextant</i>\". Clear search");
    assert_eq!(page.text("#status"), "0 of 20 entries");
    page.click("#tree-empty button");
    assert!(!is_shown());
    assert_eq!(page.get::<String>("document.getElementById('search').value"), "");
    assert_eq!(page.get::<String>("document.activeElement.id"), "search");
}

#[test]
fn a_files_name_keeps_its_room() {
    let page = turns().page().open("?detail=steps");
    let name = format!("{} .folders + span", row("a1"));
    assert_eq!(page.text(&name), "a1.rs");
    let is_whole: bool = page.get(&format!("(() => {{ const name = document.querySelector('{name}'); return name.getBoundingClientRect().right <= name.closest('.row').getBoundingClientRect().right && name.scrollWidth <= name.clientWidth + 1 || name.clientWidth === 0; }})()"));
    assert!(is_whole);
    let is_short: bool = page.get(&format!("(() => {{ const folders = document.querySelector('{} .folders'); return folders.scrollWidth > folders.clientWidth; }})()", row("a1")));
    assert!(is_short, "the folders are shortened");
}

#[test]
fn a_command_labels_the_entry() {
    let turns = turns();
    let page = turns.page().with_clipboard().open("?leafId=c-answer&targetId=answer");
    page.wait_until_in_view("answer");
    page.press_shift("L");
    let command = "leafpress label SESSION answer \"…\"";
    page.wait("the notice", "!document.getElementById('notice').hidden");
    assert!(
        page.text("#notice").starts_with(&format!("Copied: {command}")),
        "{}",
        page.text("#notice")
    );
    page.wait_for("await navigator.clipboard.readText()", command);
    let codex = Exported::file("tests/fixtures/samples/codex/rollout.jsonl");
    let page = codex.open();
    page.press_shift("L");
    page.wait_for(
        "document.getElementById('notice').textContent",
        "This session cannot hold labels",
    );
}
