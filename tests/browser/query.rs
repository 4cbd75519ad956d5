//! The search grammar in the page: its vectors, its operators as typed, its help.

use std::fs;

use leafpress::Filter;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{Exported, Page, own_file};

#[derive(Deserialize)]
struct Vector {
    query: String,
    note: String,
    matches: bool,
    entry: Value,
}

#[test]
fn vectors() {
    let vectors = fs::read(own_file("tests/fixtures/vectors/search.json")).unwrap();
    let vectors: Vec<Vector> = serde_json::from_slice(&vectors).unwrap();
    assert!(vectors.len() > 40, "{} vectors", vectors.len());
    let page = Exported::tree().open();
    for Vector { query, note, matches, entry } in vectors {
        let found: bool =
            page.call("(query, entry) => leafpress.matches(query, entry)", &(&query, &entry));
        assert_eq!(found, matches, "{query:?}: {note}, in {entry}");
    }
}

/// A word that looks like an operator and is none is searched for as text, and the reader is informed.
#[test]
fn advice() {
    let vectors = fs::read(own_file("tests/fixtures/vectors/search-advice.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_slice(&vectors).unwrap();
    let page = Exported::tree().open();
    for vector in &vectors {
        let query = vector["query"].as_str().unwrap();
        let found: Value = page.call("(query) => leafpress.advice(query)", &[query]);
        assert_eq!(found, vector["advice"], "{query}");
    }
    search(&page, "is:eror");
    assert_eq!(page.text("#search-advice"), "unknown state is:eror; did you mean is:error?");
    page.click("#search-advice button");
    page.wait_for("document.querySelector('#search').value", "is:error");
    assert_eq!(page.count("#search-advice[hidden]"), 1);
    // The other words stay, and a value belongs to its operator.
    search(&page, "tide rol:user x");
    assert_eq!(page.text("#search-advice"), "unknown operator rol:; did you mean role:user?");
    page.click("#search-advice button");
    page.wait_for("document.querySelector('#search').value", "tide role:user x");
    assert!(page.get::<bool>("document.activeElement.id === 'search'"));
}

#[test]
fn a_hit_says_why() {
    let page = Exported::bytes(crate::support::sessions::working(3)).unwrap().open();
    search(&page, "\"tide1 line 20\"");
    let row = crate::support::row("result1");
    page.wait(
        "the words",
        &format!("document.querySelector({:?}) !== null", format!("{row} .around mark")),
    );
    let words = page.text(&format!("{row} .around"));
    assert!(words.contains("tide1 line 20") && words.starts_with('…'), "{words}");
}

/// A hit far down in long output: its fold opens, the other one does not, and no more lines are seen than are needed.
#[test]
fn a_hit_in_long_output() {
    let page = Exported::bytes(crate::support::sessions::working(3)).unwrap().open();
    search(&page, "\"tide1 line 20\"");
    page.press("Enter");
    page.wait_until_in_view("result1");
    let fold = format!("{} details.more", crate::support::article("result1"));
    page.wait("the fold", &format!("document.querySelector({fold:?}).open"));
    let lines = format!(
        "(() => {{ const box = document.querySelector({:?}); return box === null ? 0 : Math.round(box.clientHeight / parseFloat(getComputedStyle(box).lineHeight)); }})()",
        format!("{fold} > .around-hit")
    );
    page.wait_for(&lines, 11);
    // Where the words stand in the box, in its heights.
    let place: f64 = page.get(&format!("(() => {{ const box = document.querySelector({:?}); const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT); const range = new Range(); while (walker.nextNode()) {{ const at = walker.currentNode.data.indexOf('tide1 line 20'); if (at >= 0) {{ range.setStart(walker.currentNode, at); range.setEnd(walker.currentNode, at + 5); break; }} }} const [hit, seen] = [range.getBoundingClientRect(), box.getBoundingClientRect()]; return (hit.top - seen.top) / seen.height; }})()", format!("{fold} > .around-hit")));
    assert!((0.35..0.6).contains(&place), "in the middle: {place}");
    assert_eq!(page.count("details.more[open]"), 1, "only the one with the hit");
    page.click(&format!("{fold} > .all-lines"));
    assert_eq!(page.count(".around-hit, .all-lines"), 0);
    assert!(page.get::<bool>(&format!("document.querySelector({fold:?}).open")));
}

pub(super) fn search(page: &Page, query: &str) {
    page.click("#search");
    page.run("document.getElementById('search').select()");
    page.type_text(query);
    page.wait_for("document.getElementById('search').value", query);
    page.wait(
        "the search to end",
        "/^\\d/.test(document.getElementById('search-status').textContent)",
    );
}

#[test]
fn operators_as_typed() {
    let tree = Exported::tree();
    let page = tree.page().open("?filter=all");
    for (query, hits) in [
        ("\"leaf B\"", vec!["t0000007"]),
        ("leaf b", vec!["t0000007"]),
        ("\"b leaf\"", vec![]),
        ("left -leaf", vec!["t0000003", "t0000004"]),
        ("role:user alpha", vec!["t0000001"]),
        ("ROLE:Assistant alpha", vec!["t0000002"]),
        ("role:tool", vec!["t0000014"]),
        ("tool:bash", vec!["t0000014"]),
        ("is:labeled", vec!["t0000009", "t0000019"]),
        ("label:", vec!["t0000009", "t0000019"]),
        ("label:bet", vec!["t0000019"]),
        ("is:labeled -label:bet", vec!["t0000009"]),
        ("is:prompt fork", vec!["t0000021", "t0000022"]),
        ("after:2026-11-02T09:11 middle", vec!["t0000025"]),
        ("before:2026-11-02T09:01 role:assistant", vec!["t0000002"]),
        ("before:2026", vec![]),
        ("before:2026 -after:2027", vec![]),
        ("is:compaction", vec![]),
    ] {
        search(&page, query);
        assert_eq!(page.drawn_rows(), hits, "{query}");
        let noun = if hits.len() == 1 { "hit" } else { "hits" };
        let status = page.text("#search-status");
        // The turn that only calls a tool is found by it, and has no row.
        assert!(status.starts_with(&format!("{} {noun}", hits.len())), "{query}: {status}");
    }
}

#[test]
fn agrees_with_the_library() {
    for file in ["examples/lighthouse.jsonl", "tests/fixtures/samples/pi-1.5-main.jsonl"] {
        let pressed = Exported::file(file);
        let page = pressed.page().open("?filter=all");
        for query in [
            "is:error",
            "is:prompt",
            "is:compaction",
            "tool:edit -is:error",
            "tool:\"read\" role:assistant",
            "role:user -is:prompt",
            "\"the test\"",
            "after:2026-05 -role:tool",
            "before:1999",
            "nonsense:x",
            "is:nonsense",
            "\"",
            "-",
        ] {
            let found: Vec<String> = page.call("(query) => leafpress.search(query)", &[query]);
            assert_eq!(found, pressed.hit_keys(query), "{file}: {query}");
            let rows: Vec<String> = page.call(
                "async (leaf, query) => leafpress.rows(leaf, 'all', await leafpress.search(query)).map(({ id }) => id)",
                &(pressed.leaf(), query),
            );
            assert_eq!(
                rows,
                pressed.row_ids(&pressed.leaf(), Filter::All, query),
                "{file}: {query}"
            );
        }
    }
}

#[test]
fn help_in_place() {
    let tree = Exported::tree();
    let page = tree.open();
    let (button, help) = ("#search-help", "#search-help-text");
    assert_eq!(page.attribute(button, "aria-expanded").as_deref(), Some("false"));
    assert_eq!(page.get::<u32>("document.getElementById('search-help-text').offsetHeight"), 0);
    page.click(button);
    assert_eq!(page.attribute(button, "aria-expanded").as_deref(), Some("true"));
    for operator in
        ["\"a phrase\"", "-word", "role:", "tool:", "is:error", "label:", "before:", "after:"]
    {
        assert!(page.text(help).contains(operator), "{operator} is explained");
    }
    page.click("[data-example='role:user']");
    assert_eq!(page.get::<String>("document.activeElement.id"), "search");
    page.wait_for("document.getElementById('search').value", "role:user");
    page.type_text(" left");
    page.wait_for("document.getElementById('search-status').textContent", "3 hits");
    assert_eq!(page.drawn_rows(), tree.row_ids(&tree.leaf(), Filter::Default, "role:user left"));
    page.click("[data-example='-word']");
    page.wait_for("document.getElementById('search').value", "role:user left -word");
    page.click(button);
    assert_eq!(page.get::<u32>("document.getElementById('search-help-text').offsetHeight"), 0);
    // Each example is one that the grammar understands as what it says.
    let examples: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('[data-example]'), (button) => button.dataset.example)",
    );
    assert!(examples.len() >= 7, "{examples:?}");
    for example in examples {
        let found: Vec<String> = page.call("(query) => leafpress.search(query)", &[&example]);
        assert_eq!(found, tree.hit_keys(&example), "{example}");
    }
}
