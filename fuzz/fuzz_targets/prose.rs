//! Any text as a prompt and its response: Markdown, formulas, every script, drawn and written again.

#![no_main]

use std::io;

use leafpress::markdown::{Detail, MarkdownOptions};
use leafpress::{Options, markdown};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/"});
    let message = |id: u8, role: &str| {
        json!({
            "type": "message",
            "id": id.to_string(),
            "parentId": (id > 1).then(|| (id - 1).to_string()),
            "message": {"role": role, "content": [{"type": "text", "text": text}]},
        })
    };
    let lines = [header, message(1, "user"), message(2, "assistant")].map(|line| line.to_string());
    let session = leafpress::read(lines.join("\n").into_bytes()).expect("lines of pi");
    leafpress::export(&session, &Options::default(), &mut io::sink()).expect("a sink takes all");
    let options = MarkdownOptions::new().detail(Detail::Full);
    markdown::write(&session, &options, io::sink()).expect("a sink takes all");
});
