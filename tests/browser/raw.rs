//! Every entry can be seen as it was written, a tool's result together with its call.

use serde_json::json;

use crate::support::sessions::{Lines, working};
use crate::support::{Exported, Page, article};

#[track_caller]
fn open(page: &Page, key: &str) {
    let button = format!("{} button.raw", article(key));
    page.wait("the button", &format!("document.querySelector({button:?}) !== null"));
    page.click(&button);
    page.wait_for("document.querySelector('dialog[open]')?.id ?? null", "raw");
}

#[test]
fn shows_call_and_result() {
    let page =
        Exported::bytes(working(3)).unwrap().page().with_clipboard().open("?targetId=result1");
    open(&page, "result1");
    let texts: Vec<String> =
        page.get("Array.from(document.querySelectorAll('#raw pre'), (pre) => pre.textContent)");
    let [call, result] = texts.as_slice() else { panic!("{texts:?}") };
    let call: serde_json::Value = serde_json::from_str(call).unwrap();
    assert_eq!(
        call,
        json!({"type": "toolCall", "id": "call1", "name": "bash", "arguments": {"command": "gauge --nth 1"}})
    );
    let result: serde_json::Value = serde_json::from_str(result).unwrap();
    assert_eq!(result["id"], "result1");
    page.click("#raw .copy-code");
    page.wait_for("document.getElementById('notice').textContent", "Copied");
    page.wait_for("JSON.parse(await navigator.clipboard.readText()).id", "call1");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog[open]')", None::<()>);
    assert!(
        page.get::<bool>("document.activeElement.matches('button.raw')"),
        "the focus comes back"
    );
    open(&page, "turn1");
    let own: String = page.text("#raw pre");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&own).unwrap()["id"], "turn1");
}

#[test]
fn tokens_stay_as_written() {
    let mut source = Lines::new().user("one", None, "first").bytes();
    let odd = r#"{"type":"message","id":"odd","parentId":"one","timestamp":"2026-01-03T00:00:00.000Z","message":{"role":"user","content":"a \"quoted\\ {brace}, [x]: é\u00e9 \ud83c\udf0a"},"big":12345678901234567890.10,"x":1,"x":2,"none":[],"nil":{}}"#;
    source.extend_from_slice(odd.as_bytes());
    source.push(b'\n');
    let page = Exported::bytes(source).unwrap().open();
    open(&page, "odd");
    let text = page.text("#raw pre");
    assert_eq!(text.lines().next(), Some("{"));
    assert!(
        text.contains("\n  \"big\": 12345678901234567890.10,\n  \"x\": 1,\n  \"x\": 2,\n"),
        "{text}"
    );
    let squeezed: String =
        text.split('\n').map(|line| line.trim_start().replacen("\": ", "\":", 1)).collect();
    assert_eq!(squeezed, odd);
}

#[test]
fn long_json_in_portions() {
    let words = "tide ".repeat(60_000);
    let page = Exported::bytes(Lines::new().user("long", None, &words).bytes()).unwrap().open();
    open(&page, "long");
    assert_eq!(page.text("#raw pre").len(), 100_000);
    for _ in 0..3 {
        page.click("#raw pre + button");
    }
    let all: serde_json::Value = serde_json::from_str(&page.text("#raw pre")).unwrap();
    assert_eq!(all["message"]["content"], words.as_str());
    assert_eq!(page.count("#raw pre + button[hidden]"), 1);
}
