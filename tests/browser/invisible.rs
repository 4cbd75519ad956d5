//! Characters that turn or hide a text show as marks wherever the page draws a text.

use serde_json::json;

use crate::support::{Exported, Page, article, row};

/// What must not stand as text outside of a mark, in the whole document.
const LOOSE: &str = r"(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [document.title];
    while (texts.nextNode()) {
        const at = texts.currentNode.parentElement;
        if (at.closest('.unseen, script, style') === null) { found.push(texts.currentNode.data); }
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [href]')) {
        found.push(element.title, element.getAttribute('aria-label') ?? '', element.getAttribute('href') ?? '');
    }
    return found.filter((text) => /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text));
})()";

/// A branch of hostile texts, and another to compare with.
fn hostile() -> Exported {
    let message = |id: &str, parent: Option<&str>, role: &str, content: &str| {
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00Z",
            "message": {"role": role, "content": content, "model": "lamp\u{202e}ledom", "provider": "x\u{200b}y"}})
    };
    let text = "Run ad\u{200b}min.\n\n```sh\necho \"\u{202e}txt.exe\" # \u{2066}a\u{2069}\n```";
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w\u{202e}/x"}),
        json!({"type": "session_info", "id": "n", "parentId": null, "name": "Title \u{202e}eltit"}),
        message("a", Some("n"), "user", text),
        message("b", Some("a"), "assistant", "An answer \u{202e}rewsna"),
        message("c", Some("a"), "assistant", "Another \u{2067}one"),
        json!({"type": "label", "id": "l", "parentId": "c", "targetId": "c", "label": "la\u{202e}bel"}),
        json!({"type": "model_change", "id": "m", "parentId": "l", "provider": "x\u{200b}y", "modelId": "z\u{202e}"}),
    ];
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let source = lines.join("\n");
    Exported::bytes(source.into_bytes()).unwrap()
}

#[track_caller]
fn assert_none_loose(page: &Page) {
    assert_eq!(page.get::<Vec<String>>(LOOSE), Vec::<String>::new());
}

#[test]
fn marked_in_the_text() {
    let page = hostile().open();
    assert_none_loose(&page);
    let marks = format!("{} .unseen", article("a"));
    let drawn: Vec<String> = page.get(&format!(
        "Array.from(document.querySelectorAll({marks:?}), (mark) => getComputedStyle(mark, '::before').content)"
    ));
    assert_eq!(drawn, ["\"U+200B\"", "\"U+202E\"", "\"U+2066\"", "\"U+2069\""]);
    assert!(page.text("h1").contains("Title ‹U+202E›eltit"), "{}", page.text("h1"));
    let page = hostile().page().without_script().open("");
    assert_eq!(page.count(&marks), 4, "without script too");
}

/// The letters behind an override stand in their order, to its right.
#[test]
fn a_mark_turns_nothing_around_it() {
    let page = hostile().open();
    let places: Vec<f64> = page.get(&format!(
        r"(() => {{
            const mark = document.querySelectorAll({:?})[1];
            const text = mark.nextSibling;
            const left = (at) => {{
                const range = new Range();
                range.setStart(text, at);
                range.setEnd(text, at + 1);
                return range.getBoundingClientRect().left;
            }};
            return [mark.getBoundingClientRect().left, ...Array.from('txt.exe', (_, at) => left(at))];
        }})()",
        format!("{} .unseen", article("a"))
    ));
    assert!(places.is_sorted() && places[1] > places[0] + 8.0, "{places:?}");
}

#[test]
fn words_are_found_across_marks() {
    let pressed = hostile();
    let page = pressed.open();
    for query in ["admin", "txt.exe", "rewsna"] {
        let found: Vec<String> = page.call("(query) => leafpress.search(query)", &[query]);
        assert_eq!(found, pressed.hit_keys(query), "{query}");
        assert_eq!(found.len(), 1, "{query}");
    }
}

#[test]
fn copied_as_written() {
    let page = hostile().page().with_clipboard().open("");
    let button = format!("{} .copy-code", article("a"));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait_for("document.getElementById('notice').textContent", "Copied");
    let written = "echo \"\u{202e}txt.exe\" # \u{2066}a\u{2069}";
    page.wait_for("await navigator.clipboard.readText()", written);
    let selected: String = page.get(&format!(
        "(getSelection().selectAllChildren(document.querySelector({:?})), getSelection().toString())",
        format!("{} pre", article("a"))
    ));
    assert_eq!(selected.trim_end(), written);
}

#[test]
fn marked_where_the_script_draws() {
    let page = hostile().open();
    assert!(page.text(&row("c")).contains("[la‹U+202E›bel]"), "{}", page.text(&row("c")));
    assert!(page.text(&row("c")).contains("Another ‹U+2067›one"));
    assert_none_loose(&page);
    // The data stays as it is written: what other programs read, and what a search looks through.
    let labels: Vec<Option<String>> =
        page.get("leafpress.rows('c', 'all').map((row) => row.label)");
    assert!(labels.contains(&Some("la\u{202e}bel".to_owned())), "{labels:?}");
    page.press("l");
    page.wait("the branches", "document.querySelectorAll('#leaves-list li').length === 2");
    assert_none_loose(&page);
    page.press("Escape");
    page.press("v");
    page.wait("the context", "document.querySelector('#context-view article') !== null");
    page.settle();
    assert_none_loose(&page);
    page.load_anew("?leafId=c&compare=b");
    page.settle();
    assert!(page.count("#compare-view article") > 0);
    assert_none_loose(&page);
}

#[test]
fn raw_and_notices_escape() {
    let page = hostile().open();
    let button = format!("{} .raw", article("a"));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait("the text", "document.querySelector('#raw pre') !== null");
    assert!(page.text("#raw pre").contains(r"ad\u200bmin"), "{}", page.text("#raw pre"));
    assert_none_loose(&page);
    page.load_anew("?targetId=%E2%80%AEevil");
    assert!(page.notice().unwrap().contains(r"“\u202eevil”"), "{:?}", page.notice());
    assert_none_loose(&page);
}
