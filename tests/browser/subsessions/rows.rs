//! What rows, filters, searches and counts show of sub-sessions.

use leafpress::session::Child;
use leafpress::{Filter, Options};
use serde_json::json;

use super::{chain, child, family, row_text};
use crate::agreement;
use crate::families::{self, Vectors};
use crate::support::{Exported, Page, own_file};

fn text(page: &Page, id: &str) -> String {
    page.call("(id) => document.getElementById(id).textContent", &[id])
}

#[test]
fn hits_within_it() {
    let family = family();
    let page = family.open();
    page.click("#search");
    page.type_text("heron");
    page.wait(
        "the hits",
        "document.getElementById('search-status').textContent.startsWith('2 hits')",
    );
    assert_eq!(page.drawn_rows(), ["Scout/1"]);
    assert!(row_text(&page, "Scout/1").ends_with("2 hits"), "{}", row_text(&page, "Scout/1"));
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
    assert_eq!(
        page.get::<String>("document.getElementById('search-status').textContent"),
        "1 of 2 hits, in Main › Scout"
    );
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/Helper/1", "Scout/Helper/2"]);
    page.press("Enter");
    assert_eq!(page.shown_articles(), ["Scout/1", "Scout/2", "Scout/3", "Scout/4"]);
}

#[test]
fn hits_elsewhere() {
    let family = family();
    let page = family.open();
    page.click("#search");
    page.type_text("heron");
    page.wait_for(
        "document.getElementById('search-status').textContent",
        "2 hits, all in sub-agents",
    );
    assert_eq!(text(&page, "status"), "0 of 5 entries · hits in 1 sub-agent");
    page.press("Enter");
    page.press("Enter");
    assert_eq!(text(&page, "search-status"), "2 of 2 hits, in Main › Scout › Helper");
    page.run("document.getElementById('search').select()");
    page.type_text("again");
    page.wait_for(
        "document.getElementById('search-status').textContent",
        "2 hits, all in other sessions",
    );
    page.press("Enter");
    assert_eq!(text(&page, "search-status"), "1 of 2 hits");
    assert_eq!(page.shown_articles(), ["1", "2", "3", "4", "5"]);
    page.run("document.getElementById('search').select()");
    page.type_text("ahead");
    page.wait_for("document.getElementById('search-status').textContent", "1 hit, in a sub-agent");
}

#[test]
fn counts_are_of_the_session_on_show() {
    let family = family();
    let page = family.open();
    let status = || page.get::<String>("document.getElementById('status').textContent");
    assert_eq!(status(), "5 of 5 entries");
    page.click_row("Scout/1");
    assert_eq!(status(), "4 of 4 entries");
    page.click("button[data-filter=user-only]");
    assert_eq!(status(), "2 of 4 entries");
    assert_eq!(page.drawn_rows(), ["Scout/1", "Scout/3"]);
    page.click("#sidebar .crumbs button");
    assert_eq!(status(), "3 of 5 entries");
}

#[test]
fn filters() {
    let file = std::fs::read(own_file("tests/fixtures/vectors/sub-sessions.json")).unwrap();
    let vectors: Vectors = serde_json::from_slice(&file).unwrap();
    let session = vectors.session("family");
    let page = Exported::with_options(session, &Options::default()).open();
    page.click("button[data-filter=user-only]");
    assert_eq!(page.drawn_rows(), ["1", "6", "4"]);
    page.click("button[data-filter=labeled-only]");
    assert_eq!(page.drawn_rows(), ["Diver/1"]);
    assert!(row_text(&page, "Diver/1").ends_with("entries"), "no search, no hits");
    page.click_row("Diver/1");
    assert_eq!(page.drawn_rows(), ["Diver/2"]);
    page.click("#topbar .crumbs button");
    assert_eq!(page.drawn_rows(), ["Diver/1"]);
    page.click("button[data-filter=no-tools]");
    page.click_row("Lost/missing");
    assert_eq!(page.shown_articles(), ["Lost/missing"]);
    let told: String = page.get("document.getElementById('entry-Lost/missing').innerText");
    assert!(told.contains("Lost cannot be shown: not found"), "{told}");
}

#[test]
fn a_folded_starter_hides_it() {
    let family = family();
    let page = family.open();
    page.run("leafpress.fold('1', true)");
    assert_eq!(page.drawn_rows(), ["1"]);
    page.run("leafpress.fold('1', false)");
    assert_eq!(page.drawn_rows().len(), 7);
}

#[test]
fn branches_of_it() {
    let page = family().open();
    page.press("l");
    page.wait_for("document.getElementById('leaves-status').textContent", "1 branch");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.click_row("Scout/1");
    // In the tree a letter finds a row.
    page.run("document.activeElement.blur()");
    page.press("l");
    page.wait_for(
        "document.getElementById('leaves-status').textContent",
        "1 branch in Main › Scout",
    );
}

#[test]
fn facts_keep_their_room() {
    let long = Child {
        task: Some("a task of many words ".repeat(20)),
        ..child("Scout", "1", chain(&["a heron", "b", "c heron"]))
    };
    let main = chain(&["go", "went"]).with_children(vec![long]);
    let page = Exported::with_options(main, &Options::default()).open();
    let fits = "(() => {
        const [tree, facts] = ['#tree', '.session-facts'].map((q) => document.querySelector(q).getBoundingClientRect());
        return facts.width > 0 && facts.right <= tree.right;
    })()";
    assert!(page.get::<bool>(fits));
    page.click("#search");
    page.type_text("heron");
    page.wait("the hits", "document.querySelector('.session-facts')?.textContent === ' · 2 hits'");
    assert!(page.get::<bool>(fits));
}

#[test]
fn figures_of_another_path() {
    let family = family();
    let page = family.open();
    page.click(".session-details > summary");
    let figures =
        || page.get::<bool>("document.querySelector('.on-path-figure').checkVisibility()");
    assert!(figures());
    assert!(text(&page, "session").contains("3, which hold 7 of the entries"));
    page.click_row("Scout/1");
    assert!(!figures());
    page.click("#topbar .crumbs button");
    assert!(figures());
}

#[test]
fn vectors() {
    let file = std::fs::read(own_file("tests/fixtures/vectors/sub-sessions.json")).unwrap();
    let vectors: Vectors = serde_json::from_slice(&file).unwrap();
    for name in ["family", "loose"] {
        let page = Exported::with_options(vectors.session(name), &Options::default()).open();
        for case in vectors.cases.iter().filter(|case| case.session == name) {
            let rows: Vec<(usize, bool, String)> = page.call(
                "async (leaf, filter, query) => leafpress.rows(leaf, filter, query === '' ? null : await leafpress.search(query), { subSessions: true })
                    .map(({ depth, subSession, id }) => [depth, subSession === true, id])",
                &(&case.leaf, case.filter().name(), &case.query),
            );
            let rows: Vec<String> =
                rows.iter().map(|(depth, sub, key)| families::line(*depth, *sub, key)).collect();
            let place = format!("{name} at {}, {}", case.leaf, case.filter().name());
            assert_eq!(rows, case.rows, "{place}, {:?}: {}", case.query, case.note);
        }
    }
}

#[test]
fn samples_agree() {
    let family = family();
    assert_eq!(family.row_ids("Scout/4", Filter::Default, "").len(), 4);
    agreement::agrees("a session with children", &family);
}

/// The row of the session says more than that of the call which started it, and stands alone; Full has both.
#[test]
fn a_sub_agent_is_one_row() {
    let line = |id: &str, parent: Option<&str>, message: serde_json::Value| {
        json!({"type": "message", "id": id, "parentId": parent, "message": message}).to_string()
    };
    let call = json!([{"type": "toolCall", "id": "c", "name": "Task", "arguments": {"description": "look around"}}]);
    let rows = [
        json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}).to_string(),
        line("a", None, json!({"role": "user", "content": "Send a scout"})),
        line(
            "b",
            Some("a"),
            json!({"role": "assistant", "content": call, "stopReason": "toolUse"}),
        ),
        line(
            "r",
            Some("b"),
            json!({"role": "toolResult", "toolCallId": "c", "toolName": "Task", "content": "a heron"}),
        ),
        line(
            "d",
            Some("r"),
            json!({"role": "assistant", "content": [{"type": "text", "text": "It saw a heron."}], "stopReason": "stop"}),
        ),
    ];
    let main = leafpress::read(rows.join("\n").into_bytes()).unwrap();
    let main = main.with_children(vec![child("Scout", "r", chain(&["look around", "a heron"]))]);
    let page = Exported::with_options(main, &Options::default()).open();
    for level in ["1", "2"] {
        page.press(level);
        page.settle();
        assert_eq!(page.drawn_rows(), ["a", "Scout/1", "d"]);
    }
    page.press("3");
    page.settle();
    assert_eq!(page.drawn_rows(), ["a", "r", "Scout/1", "d"]);
}
