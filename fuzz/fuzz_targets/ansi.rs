//! Any text as what a program printed: drawn without a control character, and with links that may be followed.

#![no_main]

use std::io;

use leafpress::markdown::{Detail, MarkdownOptions};
use leafpress::render::{Placement, Renderer};
use leafpress::session::digest::Digest;
use leafpress::{Session, markdown};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/"});
    let call =
        json!({"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "x"}});
    let result = json!([{"type": "text", "text": text}]);
    let messages = [
        json!({"role": "bashExecution", "command": "x", "output": text, "exitCode": 0}),
        json!({"role": "assistant", "content": [call]}),
        json!({"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": result}),
    ];
    let lines = messages.iter().enumerate().map(|(id, message)| {
        let parent = id.checked_sub(1).map(|id| id.to_string());
        json!({"type": "message", "id": id.to_string(), "parentId": parent, "message": message})
    });
    let lines: Vec<String> =
        std::iter::once(header).chain(lines).map(|line: Value| line.to_string()).collect();
    let session = leafpress::read(lines.join("\n").into_bytes()).expect("lines of pi");
    check_articles(&session);
    let options = MarkdownOptions::new().detail(Detail::Full);
    markdown::write(&session, &options, io::sink()).expect("a sink takes all");
});

fn check_articles(session: &Session) {
    let digest = Digest::read(session);
    let mut renderer = Renderer::new(session, &digest);
    for entry in session.indices() {
        let html = renderer.article(entry, Placement { state: None, leaf: session.leaf() });
        let is_shown = |c: char| !c.is_control() || c == '\n' || c == '\t';
        let shown = html.visible_text();
        assert!(shown.chars().all(is_shown), "{shown:?}");
        for address in html.as_str().split(" href=\"").skip(1) {
            let starts = ["http://", "https://", "mailto:", "#", "?leafId="];
            let address = address.to_ascii_lowercase();
            let is_safe =
                starts.iter().any(|start| address.starts_with(&start.to_ascii_lowercase()));
            assert!(is_safe, "{address:?}");
        }
    }
}
