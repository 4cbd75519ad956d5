//! Story, steps and full, by key and by button.

use serde_json::json;

use crate::support::{Browser, Exported, sessions::Lines};

in_each_engine!(levels);

/// The entries of which more than a line is seen.
const SEEN: &str = "Array.from(document.querySelectorAll('#transcript > article:not([hidden])'))
    .filter((article) => article.querySelector(':scope > .body')?.checkVisibility({ contentVisibilityAuto: false }) && !article.querySelector(':scope > .body').hasAttribute('hidden'))
    .map((article) => article.id.slice('entry-'.length))";

fn turn() -> Vec<u8> {
    let call =
        json!([{"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "tide.rs"}}]);
    let call = json!({"type": "message", "message": {"role": "assistant", "content": call, "stopReason": "toolUse"}});
    let result = json!({"role": "toolResult", "toolCallId": "c1", "content": [{"type": "text", "text": "fn low_water()"}]});
    let mut lines = Lines::new();
    lines
        .user("ask", None, "Why is the low water late?")
        .entry("call", Some("ask"), call)
        .entry("result", Some("call"), json!({"type": "message", "message": result}))
        .assistant("answer", Some("result"), "It samples 24 hours a day.");
    lines.bytes()
}

fn levels(browser: &Browser) {
    let page = browser.open(&Exported::story(turn()), "");
    let open = "document.querySelectorAll('#transcript .card[open]').length";
    let level = "document.documentElement.dataset.detail";
    page.wait_for(SEEN, ["ask", "answer"]);
    page.click("#transcript [data-steps] button");
    page.wait_for(
        "document.querySelector('#transcript [data-steps] button').getAttribute('aria-expanded')",
        "true",
    );
    page.wait_for(SEEN, ["ask", "call", "result", "answer"]);
    page.press("3");
    page.wait_for(level, "full");
    page.wait_for(open, 1);
    page.press("2");
    page.wait_for(level, "steps");
    page.wait_for(open, 0);
    page.wait_for(SEEN, ["ask", "call", "result", "answer"]);
    page.click("#tools button[data-detail=full]");
    page.wait_for(level, "full");
    page.wait_for(open, 1);
    page.press("1");
    page.wait_for(level, "story");
    page.wait_for(
        "Array.from(document.querySelectorAll('#tools button[data-detail][aria-pressed=true]'), (button) => button.dataset.detail)",
        ["story"],
    );
}
