//! Every block of code and every output has a button that copies it, with what is folded away in it.

use serde_json::json;

use crate::support::sessions::{long_output, working};
use crate::support::{Exported, Page, article};

#[track_caller]
fn assert_copies(page: &Page, button: &str, text: &str) {
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.call::<()>("(s) => document.querySelector(s).focus()", &[button]);
    page.click(button);
    page.wait_for("document.getElementById('notice').textContent", "Copied");
    page.wait_for("await navigator.clipboard.readText()", text);
    page.run("document.querySelector('#notice').textContent = ''");
}

/// All pages share one clipboard: one test for all of it.
#[test]
fn copies_the_whole_text() {
    let page = Exported::bytes(working(2)).unwrap().page().with_clipboard().open("?targetId=turn1");
    assert_copies(&page, &format!("{} .copy-code", article("turn1")), "fn gauge() -> u32 { 1 }");
    let output = format!("{} .card-body > .copy-code", article("result1"));
    assert_copies(&page, &output, long_output("tide1 line").trim_end());
    assert_eq!(page.count(&output), 1, "one for all pieces of a text");
}

#[test]
fn in_the_context_view_too() {
    let page = Exported::bytes(working(2)).unwrap().open();
    page.settle();
    page.press("v");
    page.wait("the context view", "document.querySelectorAll('#context-view .card').length === 2");
    page.wait(
        "its buttons",
        "document.querySelectorAll('#context-view .card-body > .copy-code').length === 2",
    );
    page.settle();
    assert_eq!(page.count("#context-view .card-body > .copy-code"), 2, "copies do not double them");
}

#[test]
fn covers_no_code_on_a_phone() {
    let long = "x ".repeat(200);
    let lines = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#.to_owned(),
        json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "assistant", "content": [
            {"type": "text", "text": format!("```\n{long}\n```\n\n```rust\n{long}\n```")},
            {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "/w/a.rs"}},
        ]}}).to_string(),
        json!({"type": "message", "id": "r", "parentId": "a", "message": {"role": "toolResult", "toolCallId": "c",
            "toolName": "read", "content": [{"type": "text", "text": format!("{long}\n").repeat(80)}]}}).to_string(),
    ];
    let pressed = Exported::bytes(lines.join("\n").into_bytes()).unwrap();
    let page = pressed.page().narrow().open("?targetId=r");
    page.settle();
    page.press("3");
    page.wait("the buttons", "document.querySelectorAll('#transcript .copy-code').length >= 3");
    let covered: Vec<String> = page.get(
        "Array.from(document.querySelectorAll('#transcript .copy-code')).flatMap((button) => {
            const own = button.getBoundingClientRect();
            const box = button.nextElementSibling;
            const text = document.createRange();
            text.selectNodeContents(box.querySelector('pre:not(.gutter) code') ?? box);
            const first = text.getClientRects()[0];
            return own.width === 0 || own.bottom <= first.top + 1 ? [] : [`${own.bottom} > ${first.top}: ${box.className}`];
        })",
    );
    assert_eq!(covered, [""; 0]);
    assert!(page.get::<bool>("document.documentElement.scrollWidth <= 390"));
}

/// At Steps a card is a line: what it says ends at one edge, whether its text can be copied or not.
#[test]
fn lines_of_cards_end_at_one_edge() {
    let page = Exported::long().open();
    page.press("2");
    page.settle();
    let edges: Vec<i64> = page.get(
        "Array.from(document.querySelectorAll('#transcript > article:has(> .entry-head > time) .card:not([open]) > .card-head'))
            .filter((head) => head.checkVisibility({ contentVisibilityAuto: true }) && head.querySelector('.fact, .state') !== null)
            .map((head) => Math.round(Array.from(head.querySelectorAll('.fact, .state')).at(-1).getBoundingClientRect().right))",
    );
    assert!(edges.len() > 3 && edges.iter().all(|edge| *edge == edges[0]), "{edges:?}");
}
