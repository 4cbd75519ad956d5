//! A token in each text of what agents write since the autumn of 2026: citations, calls that a provider runs, stops,
//! rows of unknown types, a database.

use serde_json::Value;

use crate::support::home::Home;
use crate::support::inflated::everything;
use crate::support::session::fixture;

/// Keys whose values say what something is or where it stands.
const STRUCTURE: [&str; 30] = [
    "type",
    "subtype",
    "role",
    "id",
    "uuid",
    "parentId",
    "parentUuid",
    "sessionId",
    "session_id",
    "tool_use_id",
    "toolCallId",
    "call_id",
    "name",
    "timestamp",
    "version",
    "model",
    "modelId",
    "provider",
    "api",
    "cwd",
    "stop_reason",
    "stopReason",
    "media_type",
    "mimeType",
    "data",
    "image_url",
    "phase",
    "status",
    "customType",
    "attributionAgent",
];

/// An identifier of an AWS key of its own.
fn token(number: usize) -> String {
    let mut letters = String::new();
    let mut rest = number * 7_919 + 104_729;
    for _ in 0..16 {
        rest = (rest * 1_103_515_245 + 12_345) % (1 << 31);
        letters.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[rest >> 16 & 31]));
    }
    format!("AKIA{letters}")
}

/// Adds a token to each text below a value.
fn plant(value: &mut Value, key: &str, tokens: &mut Vec<String>) {
    match value {
        Value::String(text) if !STRUCTURE.contains(&key) && !text.starts_with(['[', '{']) => {
            let token = token(tokens.len());
            *text = format!("{text} {token}");
            tokens.push(token);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| plant(item, key, tokens)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(key, value)| plant(value, key, tokens));
        }
        _ => {}
    }
}

/// The page of a session is written, and has no part of a token in any form.
fn leaves_no_trace(home: &Home, session: &str, tokens: &[String]) {
    home.run(&[session, "-o", "page.html", "--force", "--redact"]).success();
    let page = home.read("page.html");
    let all = everything(&page);
    for token in tokens {
        let part = &token[4..];
        assert!(!page.contains(part) && !all.contains(part), "{session}: {token}");
    }
    home.run(&["markdown", session, "--redact", "--detail", "full"]).success();
}

#[test]
fn what_the_newest_agents_write_is_redacted() {
    let unknown = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"later-thing","uuid":"u2","parentUuid":"u1","sessionId":"s","inner":{"reason":"planted words of lime"}}
{"type":"assistant","uuid":"u4","parentUuid":"u2","sessionId":"s","message":{"id":"m","role":"assistant","model":"claude","stop_reason":"refusal","content":[{"type":"text","text":"done"},{"type":"later","text":"some words within"}]}}
"#;
    let mut files: Vec<(String, String)> = [
        "codex-phases-images",
        "continued-in",
        "pi-1.6-escape",
        "provider-tools-and-citations",
        "right-to-left-math",
        "system-rows-with-words",
    ]
    .map(|name| {
        let file = fixture(&format!("samples-2026-11/{name}.jsonl"));
        (format!("{name}.jsonl"), String::from_utf8(file).unwrap())
    })
    .into();
    files.push(("unknown.jsonl".to_owned(), unknown.to_owned()));
    let home = Home::new();
    for (name, text) in files {
        let mut tokens = Vec::new();
        let lines = text.lines().map(|line| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            plant(&mut value, "", &mut tokens);
            value.to_string()
        });
        let planted = lines.collect::<Vec<_>>().join("\n");
        assert!(tokens.len() >= 3, "{name}");
        home.file(&name, &planted);
        // What is there without redaction is what can be lost.
        home.run(&[&name, "-o", "page.html", "--force"]).success();
        let all = everything(&home.read("page.html"));
        assert!(tokens.iter().all(|token| all.contains(token.as_str())), "{name}");
        leaves_no_trace(&home, &name, &tokens);
    }
}

#[test]
fn a_database_is_redacted() {
    let mut file = fixture("samples-2026-11/openclaw.sqlite");
    let mut tokens = Vec::new();
    // Of the same length: a title, a prompt of each window.
    for text in ["Depths of the harbor", "A new day: the dock?", "How deep is the quay"] {
        let token = token(tokens.len());
        assert_eq!(text.len(), token.len());
        let at = file.windows(text.len()).position(|bytes| bytes == text.as_bytes()).unwrap();
        file[at..at + token.len()].copy_from_slice(token.as_bytes());
        tokens.push(token);
    }
    let home = Home::new();
    std::fs::write(home.path("openclaw-agent.sqlite"), file).unwrap();
    home.run(&["openclaw-agent.sqlite", "-o", "page.html"]).success();
    let all = everything(&home.read("page.html"));
    assert!(tokens.iter().all(|token| all.contains(token.as_str())), "{tokens:?}");
    leaves_no_trace(&home, "openclaw-agent.sqlite", &tokens);
}
