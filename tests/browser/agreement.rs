//! The page computes the same rows, contexts and hits as the library, for every entry of every sample.

use std::fs;

use leafpress::Filter;
use leafpress::session::context::Facts;
use serde_json::Value;

use crate::support::{Exported, Page, own_file};

#[test]
fn samples() {
    folder("tests/fixtures/samples", 10);
}

#[test]
fn pi_harness() {
    folder("tests/fixtures/samples/pi-harness", 4);
}

#[test]
fn samples_2026_03() {
    folder("tests/fixtures/samples-2026-03", 5);
}

#[test]
fn samples_2026_03_broken() {
    folder("tests/fixtures/samples-2026-03/broken", 3);
}

#[test]
fn samples_2026_11() {
    folder("tests/fixtures/samples-2026-11", 7);
}

#[test]
fn examples() {
    folder("examples", 2);
}

#[test]
fn damaged() {
    folder("tests/fixtures/damaged", 15);
}

/// Rows of so many leaves come in one answer.
const LEAVES_AT_ONCE: usize = 16;

const QUERIES: [&str; 14] = [
    "user",
    "READ",
    "assistant the",
    "e",
    "beta",
    "2",
    "summary",
    "<",
    "mark-",
    "label",
    "compaction",
    "wren",
    "É ü",
    "\u{feff}bed\u{a0}s\u{2028}",
];

fn folder(folder: &str, at_least: usize) {
    let mut count = 0;
    let mut files: Vec<_> =
        fs::read_dir(own_file(folder)).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"))
    {
        // Files without entries are no business of the page.
        let Ok(pressed) = Exported::bytes(fs::read(file).unwrap()) else { continue };
        agrees(&file.display().to_string(), &pressed);
        count += 1;
    }
    assert!(count >= at_least, "{folder} has only {count} sessions");
}

#[test]
fn newer_formats() {
    for file in [
        "codex/rollout.jsonl",
        "copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "opencode/export-v1.json",
        "gemini/rewind.jsonl",
        "cursor/older.txt",
        "atif/trajectory.json",
        "sts/llama-app.jsonl",
    ] {
        let file = format!("tests/fixtures/samples/{file}");
        agrees(&file, &Exported::file(&file));
    }
}

#[test]
fn hostile() {
    let file = "tests/fixtures/hostile.jsonl";
    agrees(file, &Exported::file(file));
}

#[test]
fn a_summary_that_an_edit_takes_away() {
    let lines = [
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#,
        r#"{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"one"}}"#,
        r#"{"type":"message","id":"2","parentId":"1","message":{"role":"user","content":"two"}}"#,
        r#"{"type":"compaction","id":"3","parentId":"2","summary":"S","firstKeptEntryId":"2"}"#,
        r#"{"type":"context_edit","id":"4","parentId":"3","targetId":"3","replacement":null}"#,
        r#"{"type":"context_edit","id":"5","parentId":"4","targetId":"3","replacement":{"content":"x"}}"#,
    ];
    let pressed = Exported::bytes(lines.join("\n").into_bytes()).unwrap();
    agrees("a compaction that an edit takes away", &pressed);
}

#[test]
fn a_reset_that_keeps_a_part() {
    let lines = [
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#,
        r#"{"type":"custom","id":"0","parentId":null,"customType":"openclaw:run"}"#,
        r#"{"type":"message","id":"1","parentId":"0","message":{"role":"user","content":"one"}}"#,
        r#"{"type":"message","id":"2","parentId":"1","message":{"role":"toolResult","toolCallId":"gone","content":[]}}"#,
        r#"{"type":"message","id":"3","parentId":"2","message":{"role":"assistant","content":[{"type":"text","text":"kept"}]}}"#,
        r#"{"type":"custom_message","id":"4","parentId":"3","customType":"x","content":"aside","display":true}"#,
        r#"{"type":"message","id":"5","parentId":"4","message":{"role":"user","content":"two"}}"#,
        r#"{"type":"reset","id":"6","parentId":"5","reason":"manual","firstKeptEntryId":"2"}"#,
        r#"{"type":"message","id":"7","parentId":"6","message":{"role":"user","content":"three"}}"#,
        r#"{"type":"reset","id":"8","parentId":"7","reason":"manual"}"#,
        r#"{"type":"message","id":"9","parentId":"8","message":{"role":"user","content":"four"}}"#,
    ];
    let pressed = Exported::bytes(lines.join("\n").into_bytes()).unwrap();
    let leaf = pressed.session.find("7").unwrap();
    let context = Facts::read(&pressed.session).context(Some(leaf));
    let sent = context.messages.iter().filter(|message| message.sent).count();
    assert_eq!(sent, 3, "the part kept has no result without its call, and no aside");
    agrees("a reset that keeps a part", &pressed);
}

pub(super) fn agrees(name: &str, pressed: &Exported) {
    let page = pressed.open();
    let keys = pressed.keys();
    for leaves in keys.chunks(LEAVES_AT_ONCE) {
        rows_agree(&page, name, pressed, leaves);
        contexts_agree(&page, name, pressed, leaves);
    }
    hits_agree(&page, name, pressed);
}

fn rows_agree(page: &Page, name: &str, pressed: &Exported, leaves: &[String]) {
    let filters = Filter::ALL.iter().copied().map(Filter::name).collect::<Vec<_>>();
    let rows: Vec<Vec<Vec<Value>>> = page.call(
        "(leaves, filters) => leaves.map((leaf) => filters.map((filter) => leafpress.rows(leaf, filter).map(({ fold, ...row }) => row)))",
        &(leaves, filters),
    );
    for (leaf, rows) in leaves.iter().zip(rows) {
        for (filter, rows) in Filter::ALL.iter().copied().zip(rows) {
            let wanted = pressed.rows(leaf, filter, "");
            assert_same(&format!("{name}, leaf {leaf}, {}", filter.name()), &rows, &wanted);
        }
    }
}

/// Both what the page's script computes and what it does to the document.
fn contexts_agree(page: &Page, name: &str, pressed: &Exported, leaves: &[String]) {
    let facts = Facts::read(&pressed.session);
    let contexts: Vec<(Value, Vec<(String, String)>)> = page.call(
        "(...leaves) => leaves.map((leaf) => {
            leafpress.go({ leafId: leaf });
            const shown = document.querySelectorAll('#transcript > article:not([hidden])');
            return [leafpress.context(leaf), Array.from(shown, (a) => [a.id.slice('entry-'.length), a.dataset.context])];
        })",
        &leaves,
    );
    for (leaf, (context, shown)) in leaves.iter().zip(contexts) {
        let place = format!("{name}, leaf {leaf}");
        let wanted = pressed.context(&facts, leaf);
        assert_same(&place, &list(&context["messages"]), &list(&wanted["messages"]));
        assert_eq!(context, wanted, "{place}");
        let states: Vec<_> = pressed
            .path(leaf)
            .into_iter()
            .map(|key| {
                let state = wanted["states"][&key].as_str().unwrap_or_default().to_owned();
                (key, state)
            })
            .collect();
        assert_eq!(shown, states, "{place}: the articles on show and their data-context");
    }
}

fn hits_agree(page: &Page, name: &str, pressed: &Exported) {
    let hits: Vec<Vec<String>> = page.call(
        "(...queries) => Promise.all(queries.map((query) => leafpress.search(query)))",
        &QUERIES,
    );
    for (query, hits) in QUERIES.iter().zip(hits) {
        assert_eq!(hits, pressed.hit_keys(query), "{name}: hits of {query:?}");
    }
    let leaf = pressed.leaf();
    let rows: Vec<Vec<Value>> = page.call(
        "(leaf, queries) => Promise.all(queries.map(async (query) => leafpress.rows(leaf, 'all', await leafpress.search(query)).map(({ fold, ...row }) => row)))",
        &(&leaf, QUERIES),
    );
    for (query, rows) in QUERIES.iter().zip(rows) {
        assert_same(
            &format!("{name}: rows of {query:?}"),
            &rows,
            &pressed.rows(&leaf, Filter::All, query),
        );
    }
}

/// The words that the script finds in an article are those that the library finds in its fragment.
#[test]
fn search_sees_the_same_text() {
    for file in [
        "examples/lighthouse.jsonl",
        "tests/fixtures/samples/pi-1.5-main.jsonl",
        "tests/fixtures/hostile.jsonl",
    ] {
        let pressed = Exported::file(file);
        let page = pressed.open();
        let texts: Vec<String> = page.of_every_article(
            &pressed,
            "(article) => {
                const copy = article.cloneNode(true);
                for (const own of copy.querySelectorAll('[data-ui]')) own.remove();
                return copy.textContent;
            }",
        );
        for (entry, text) in pressed.session.tree().order().zip(texts) {
            let wanted = &pressed.texts()[entry.get()];
            let words: Vec<_> = text.split_whitespace().collect();
            assert_eq!(
                words,
                wanted.split_whitespace().collect::<Vec<_>>(),
                "{file}: {}",
                pressed.session.key(entry).unwrap()
            );
        }
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// Compares line by line and shows where they part.
#[track_caller]
fn assert_same(place: &str, page: &[Value], library: &[Value]) {
    let Some(at) = (0..page.len().max(library.len())).find(|&at| page.get(at) != library.get(at))
    else {
        return;
    };
    let line =
        |values: &[Value]| values.get(at).map_or_else(|| "nothing".to_owned(), Value::to_string);
    panic!(
        "{place}: line {} of {} and {}\n  page:    {}\n  library: {}",
        at + 1,
        page.len(),
        library.len(),
        line(page),
        line(library)
    );
}
