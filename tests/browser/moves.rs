//! Moving through the text by key and by button: prompts, failures, compactions, forks, hits.

use leafpress::session::EntryIndex;
use serde_json::Value;

use crate::support::{Exported, Page};

#[test]
fn prompts_by_key() {
    by_key("", "j", "k", is_prompt, 5);
}

#[test]
fn failures_by_key() {
    by_key("", "e", "E", is_failure, 2);
}

#[test]
fn failed_responses_by_key() {
    by_key("?leafId=27312147", "e", "E", is_failure, 2);
}

#[test]
fn compactions_by_key() {
    by_key("", "c", "C", is_compaction, 1);
}

#[test]
fn forks_by_key() {
    by_key("", "f", "F", is_fork, 1);
}

/// An entry in its session, from the file's own line.
struct At<'a> {
    pressed: &'a Exported,
    entry: usize,
    line: Value,
}

fn is_prompt(at: &At<'_>) -> bool {
    at.line["message"]["role"] == "user"
}

fn is_failure(at: &At<'_>) -> bool {
    let message = &at.line["message"];
    let stop = &message["stopReason"];
    let is_ended = stop == "error";
    is_ended
        || message["isError"] == true
        || message["exitCode"].as_i64().is_some_and(|code| code != 0)
}

fn is_compaction(at: &At<'_>) -> bool {
    at.line["type"] == "compaction"
}

fn is_fork(at: &At<'_>) -> bool {
    let tree = at.pressed.session.tree();
    match tree.parent(EntryIndex::new(at.entry)) {
        Some(parent) => tree.children(parent).len() > 1,
        None => tree.roots().len() > 1,
    }
}

type Is = fn(&At<'_>) -> bool;

/// The keys on a path whose entries are of a kind.
fn stops(pressed: &Exported, leaf: &str, is: Is) -> Vec<String> {
    let of_kind = |key: &String| {
        let entry = pressed.session.find(key).unwrap();
        let line = serde_json::from_str(pressed.session.raw(entry).unwrap()).unwrap();
        is(&At { pressed, entry: entry.get(), line })
    };
    pressed.path(leaf).into_iter().filter(of_kind).collect()
}

/// The key of the entry that has the focus.
fn focused(page: &Page) -> Option<String> {
    page.get("document.activeElement.id.startsWith('entry-') ? document.activeElement.id.slice('entry-'.length) : null")
}

/// The leaf that the page shows.
fn leaf_on_show(page: &Page) -> String {
    page.shown_articles().pop().unwrap()
}

/// Every stop in turn by one key, none beyond the last, and back by the other.
fn by_key(suffix: &str, next: &str, previous: &str, is: Is, at_least: usize) {
    let long = Exported::long();
    let page = long.page().open(suffix);
    page.run("scrollTo(0, 0)");
    walk(&page, &stops(&long, &leaf_on_show(&page), is), next, previous, at_least);
}

fn walk(page: &Page, stops: &[String], next: &str, previous: &str, at_least: usize) {
    assert!(stops.len() >= at_least, "{next}: only {stops:?}");
    let path = page.shown_articles();
    for stop in stops {
        press(page, next);
        assert_eq!(focused(page).as_ref(), Some(stop), "{next}, of {stops:?}");
        page.settle();
        assert!(page.is_in_view(stop), "{next}: {stop}");
    }
    press(page, next);
    assert_eq!(focused(page).as_ref(), stops.last(), "{next}: there is none beyond");
    assert!(page.notice().unwrap().starts_with("No later "), "{:?}", page.notice());
    for stop in stops.iter().rev().skip(1) {
        press(page, previous);
        assert_eq!(focused(page).as_ref(), Some(stop), "{previous}, of {stops:?}");
    }
    press(page, previous);
    assert_eq!(focused(page).as_ref(), stops.first(), "{previous}: there is none ahead");
    assert!(page.notice().unwrap().starts_with("No earlier "), "{:?}", page.notice());
    assert_eq!(page.shown_articles(), path, "moves change no branch");
}

/// Capitals are typed with Shift.
fn press(page: &Page, key: &str) {
    if key.chars().all(|letter| letter.is_ascii_uppercase()) {
        page.press_shift(key);
    } else {
        page.press(key);
    }
}

fn search(page: &Page, query: &str) {
    page.click("#search");
    page.type_text(query);
    page.wait(
        "the search to end",
        "/^\\d+ hits?/.test(document.getElementById('search-status').textContent)",
    );
}

#[test]
fn hits_by_key() {
    let long = Exported::long();
    let page = long.open();
    search(&page, "offset");
    let hits = page.drawn_rows();
    assert!(hits.len() > 3, "{hits:?}");
    page.run("document.activeElement.blur()");
    let mut seen = Vec::new();
    for _ in 0..3 {
        page.press("n");
        seen.extend(focused(&page));
    }
    let first = hits.iter().position(|hit| *hit == seen[0]).unwrap();
    let wanted: Vec<_> = hits.iter().cycle().skip(first).take(3).cloned().collect();
    assert_eq!(seen, wanted);
    page.press_shift("N");
    assert_eq!(focused(&page).as_ref(), Some(&wanted[1]));
    page.settle();
    assert!(page.is_in_view(&wanted[1]));
}

/// In a session with two compactions, three forks, failed calls and commands.
#[test]
fn several_of_each() {
    let main = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let kinds: [(&str, &str, Is, usize); 3] =
        [("c", "C", is_compaction, 2), ("f", "F", is_fork, 2), ("e", "E", is_failure, 3)];
    for (next, previous, is, at_least) in kinds {
        let page = main.page().open("?leafId=ast00009");
        page.run("scrollTo(0, 0)");
        walk(&page, &stops(&main, "ast00009", is), next, previous, at_least);
    }
}

/// What a button moved to: its row is the selected one.
fn selected(page: &Page) -> Option<String> {
    page.settle();
    page.selected_row()
}

#[test]
fn prompts_by_button() {
    let long = Exported::long();
    let prompts = stops(&long, &long.leaf(), is_prompt);
    let page = long.open();
    page.run("scrollTo(0, 0)");
    for prompt in &prompts[..3] {
        page.click("#next-prompt");
        assert_eq!(selected(&page).as_ref(), Some(prompt));
        assert!(page.is_in_view(prompt));
    }
    page.click("#prev-prompt");
    assert_eq!(selected(&page).as_ref(), Some(&prompts[1]));
    page.wait(
        "the address to follow",
        &format!("location.search.includes('targetId={}')", prompts[1]),
    );
}

#[test]
fn each_kind_by_button() {
    let long = Exported::long();
    let kinds: [(&str, Is); 4] = [
        ("prompt", is_prompt),
        ("failure", is_failure),
        ("compaction", is_compaction),
        ("fork", is_fork),
    ];
    for leaf in [long.leaf(), "27312147".to_owned()] {
        let page = long.page().narrow().open(&format!("?leafId={leaf}"));
        page.run("scrollTo(0, 0)");
        for (name, is) in kinds {
            let stops = stops(&long, &leaf, is);
            page.click("#more");
            let row = format!("#menu [data-move={name}]");
            assert_eq!(
                page.text(&format!("{row} .move-count")),
                if stops.is_empty() { String::new() } else { stops.len().to_string() },
                "{name}"
            );
            assert_eq!(
                page.count(&format!("{row} button:disabled")),
                if stops.is_empty() { 2 } else { 0 },
                "{name}"
            );
            page.press("Escape");
            page.wait_for("document.querySelector('dialog[open]')", None::<()>);
            for stop in &stops {
                page.run("scrollTo(0, 0); dispatchEvent(new WheelEvent('wheel'))");
                let nth = stops.iter().position(|other| other == stop).unwrap();
                page.click("#more");
                for _ in 0..=nth {
                    page.click(&format!("{row} .move-next"));
                }
                // The drawer is closed, so no row says it.
                let target: String = page.get("document.querySelector('.target').id");
                assert_eq!(target, format!("entry-{stop}"), "{name}");
                assert!(page.is_in_view(stop), "{name}: {stop}");
                page.press("Escape");
                page.wait_for("document.querySelector('dialog[open]')", None::<()>);
            }
        }
    }
}

#[test]
fn says_when_there_is_none() {
    let page = Exported::tree().open();
    for (key, words) in [
        ("c", "No later compaction on this branch"),
        ("E", "No earlier failure on this branch"),
        ("b", "Nothing to go back to"),
    ] {
        press(&page, key);
        assert_eq!(page.notice().as_deref(), Some(words));
    }
}

#[test]
fn back_to_where_i_was() {
    let long = Exported::long();
    let page = long.open();
    page.run(
        "scrollTo({ top: 1500, behavior: 'instant' }); dispatchEvent(new WheelEvent('wheel'))",
    );
    page.settle();
    let place: f64 = page.get("document.querySelector('#transcript > article:nth-of-type(8)').getBoundingClientRect().top");
    let near = |page: &Page| {
        page.settle();
        let now: f64 = page.get("document.querySelector('#transcript > article:nth-of-type(8)').getBoundingClientRect().top");
        (now - place).abs()
    };
    page.press("c");
    page.press("j");
    assert!(near(&page) > 500.0);
    page.press("b");
    page.settle();
    assert_eq!(leaf_on_show(&page), long.leaf());
    page.press("b");
    assert!(near(&page) < 3.0, "{} pixels off", near(&page));
    page.press("b");
    assert_eq!(page.notice().as_deref(), Some("Nothing to go back to"));
    page.run("leafpress.go({ leafId: '27312147' })");
    assert_eq!(page.shown_articles(), long.path("27312147"));
    page.press("b");
    assert_eq!(page.shown_articles(), long.path(&long.leaf()), "across branches too");
    assert!(near(&page) < 3.0, "{} pixels off", near(&page));
    page.press("v");
    page.press("j");
    page.click("#more");
    page.run("Array.from(document.querySelectorAll('#menu .menu-item')).find((item) => item.textContent.startsWith('Go back')).dataset.asked = ''");
    page.click("#menu [data-asked]");
    assert_eq!(page.count("dialog[open]"), 0);
}

#[test]
fn top_and_bottom() {
    let page = Exported::long().open();
    page.press_shift("G");
    page.wait(
        "the bottom",
        "Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) < 2",
    );
    page.press("g");
    page.settle();
    assert!(page.get::<f64>("scrollY") > 1000.0, "one g is not enough");
    page.press("g");
    page.wait("the top", "scrollY === 0");
    page.press("b");
    page.wait("the way back", "scrollY > 1000");
}

/// The moves go through the list shown.
#[test]
fn in_the_context_view() {
    let main = Exported::file("tests/fixtures/samples/pi-1.5-main.jsonl");
    let page = main.page().open("?leafId=ast00009&view=context");
    page.run("scrollTo(0, 0)");
    for prompt in ["usr00004", "usr00005"] {
        page.press("j");
        let focused: String =
            page.get("document.activeElement.querySelector('a.to-path').getAttribute('href')");
        assert_eq!(focused, format!("#entry-{prompt}"), "the earlier prompts were summarised");
    }
    assert!(!page.get::<bool>("document.getElementById('context-view').hidden"));
    page.press("j");
    assert_eq!(page.notice().as_deref(), Some("No later prompt on this branch"));
}

/// Everything that a key could change.
const STATE: &str = "JSON.stringify([scrollY, document.activeElement.id, document.getElementById('context-view').hidden, document.querySelector('dialog[open]')?.id ?? null, document.getElementById('notice').hidden])";

const KEYS: [&str; 9] = ["j", "e", "t", "c", "f", "b", "v", "l", "g"];

#[test]
fn not_while_typing() {
    let page = Exported::long().open();
    page.press_shift("G");
    page.settle();
    page.click("#search");
    page.settle();
    let before: String = page.get(STATE);
    for key in KEYS {
        page.press(key);
    }
    page.press_shift("?");
    page.settle();
    assert_eq!(page.get::<String>(STATE), before);
    assert_eq!(
        page.get::<String>("document.getElementById('search').value"),
        format!("{}?", KEYS.concat())
    );
}

#[test]
fn not_with_modifiers() {
    let page = Exported::long().open();
    page.run("window.__taken = []; addEventListener('keydown', (event) => window.__taken.push(event.defaultPrevented))");
    let before: String = page.get(STATE);
    let mut count = 0;
    for modifier in ["ctrlKey", "altKey", "metaKey"] {
        for key in KEYS.iter().chain(&["G", "?", "/", "n"]) {
            page.call::<()>("(key, modifier) => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, [modifier]: true, bubbles: true, cancelable: true })); return null; }", &[key, &modifier]);
            count += 1;
        }
    }
    page.settle();
    assert_eq!(page.get::<String>(STATE), before);
    assert_eq!(page.get::<Vec<bool>>("window.__taken"), vec![false; count]);
    page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true, cancelable: true }))");
    assert_eq!(page.count("#leaves[open]"), 1, "without one it is ours");
}

#[test]
fn switched_off() {
    let page = Exported::long().open();
    page.press_shift("?");
    page.click("#single-keys");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    for _ in 0..2 {
        page.run("document.activeElement.blur()");
        let before: String = page.get(STATE);
        for key in KEYS {
            page.press(key);
        }
        page.press("/");
        page.press_shift("G");
        page.press_shift("?");
        page.settle();
        assert_eq!(page.get::<String>(STATE), before);
        page.reload();
    }
    page.click("#more");
    page.run("Array.from(document.querySelectorAll('#menu .menu-item')).find((item) => item.textContent.startsWith('Keys')).dataset.asked = ''");
    page.click("#menu [data-asked]");
    assert!(!page.get::<bool>("document.getElementById('single-keys').checked"), "remembered");
    page.click("#single-keys");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    page.press("l");
    assert_eq!(page.count("#leaves[open]"), 1, "on again");
}
