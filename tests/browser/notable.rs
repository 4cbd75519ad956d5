//! Notable calls: lines in the story, marks in tree and map, a search, a key.

use serde_json::json;

use crate::support::sessions::Lines;
use crate::support::{Exported, Page, row};

const CALLS: [(&str, &str, bool); 8] = [
    ("rm -rf src/old", "", false),
    ("rm -rf target /tmp/x", "", false),
    ("rm a.md && make", "make: <b>no</b>\n\nCommand exited with code 2", true),
    ("rm b.md", "rm: b.md: Permission denied\n\nCommand exited with code 1", true),
    ("sudo ls", "The user rejected it", true),
    ("cat .env", "KEY=1", false),
    ("git push -f", "To x\n + 1a2b3c4...5d6e7f8  main -> main (forced update)", false),
    ("echo '<i>&' >> ~/.bashrc", "", false),
];

/// A turn of calls, and the response to it.
pub(crate) fn session() -> Exported {
    let mut lines = Lines::new();
    lines.user("ask", None, "clean up");
    let mut parent = "ask".to_owned();
    for (nth, (command, output, is_error)) in CALLS.iter().enumerate() {
        let (call, result) = (format!("a{nth}"), format!("b{nth}"));
        let content = json!([{"type": "toolCall", "id": call, "name": "bash", "arguments": {"command": command}}]);
        lines.entry(&call, Some(&parent), json!({"type": "message", "message": {"role": "assistant", "content": content, "stopReason": "toolUse"}}));
        lines.entry(&result, Some(&call), json!({"type": "message", "message": {"role": "toolResult", "toolCallId": call, "toolName": "bash", "content": [{"type": "text", "text": output}], "isError": is_error}}));
        parent = result;
    }
    lines.assistant("answer", Some(&parent), "Cleaned up.");
    Exported::story(lines.bytes())
}

pub(crate) const NOTABLE: [&str; 5] = ["b0", "b2", "b5", "b6", "b7"];

fn titles(page: &Page) -> Vec<(String, String)> {
    page.get("Array.from(document.querySelectorAll('#tree .notable'), (mark) => [mark.parentElement.dataset.entryId, mark.title])")
}

#[test]
fn one_line_for_each_kind() {
    let page = session().open();
    let lines: Vec<String> = page.get("Array.from(document.querySelectorAll('[data-landmark]'), (line) => `${line.dataset.landmark}: ${line.textContent}`)");
    assert_eq!(
        lines,
        [
            "notable: Deleted files rm -rf src/old · 1 more call",
            "notable: Touched a credential file .env",
            "notable: Forced push git push -f",
            "push: Push main",
            "notable: Wrote outside the working directory ~/.bashrc",
        ]
    );
    page.click("[data-landmark=notable] a");
    page.settle();
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-b0");
}

#[test]
fn marks_in_the_tree() {
    let page = session().open();
    let first = |key: &str, title: &str| (key.to_owned(), title.to_owned());
    assert_eq!(titles(&page), [first("b0", "5 risky steps"), first("b6", "Forced push")]);
    assert_eq!(page.text(&row("b0")), "8 steps 3 failures 5");
    page.click("#detail [data-detail=steps]");
    page.settle();
    let deleted = "Deleted files";
    assert_eq!(
        titles(&page),
        [
            first("b0", deleted),
            first("b2", deleted),
            first("b5", "Touched a credential file"),
            first("b6", "Forced push"),
            first("b7", "Wrote outside the working directory"),
        ]
    );
}

#[test]
fn search_and_key() {
    let session = session();
    assert_eq!(session.hit_keys("is:notable"), NOTABLE);
    assert_eq!(session.hit_keys("is:notable is:error"), ["b2"]);
    let page = session.open();
    for key in NOTABLE {
        page.press("w");
        page.settle();
        assert_eq!(page.get::<String>("document.activeElement.id"), format!("entry-{key}"));
    }
    page.press("w");
    assert_eq!(page.notice().as_deref(), Some("No later risky step on this branch"));
    page.press_shift("W");
    assert_eq!(page.get::<String>("document.activeElement.id"), "entry-b6");
    page.click("#search");
    page.type_text("is:notable");
    page.wait("5 hits", "/^5 hits/.test(document.getElementById('search-status').textContent)");
    assert_eq!(page.drawn_rows(), NOTABLE);
}

#[test]
fn lines_fit_a_phone() {
    let page = session().page().narrow().open("");
    let wide: bool = page.get("document.documentElement.scrollWidth > innerWidth");
    assert!(!wide);
    let heights: Vec<f64> = page.get("Array.from(document.querySelectorAll('[data-landmark] a'), (link) => link.getBoundingClientRect().height)");
    assert!(heights.len() == 5 && heights.iter().all(|height| *height >= 44.0), "{heights:?}");
}
