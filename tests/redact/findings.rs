//! What is said of findings holds nothing of any secret, wherever in the session it stands again.

use std::sync::LazyLock;

use data_encoding::{BASE64, HEXLOWER};
use leafpress::redact::{Rules, Scanner};
use leafpress::report;
use serde_json::json;

use crate::redact::fixture::{Planted, lines, planted};

/// Made once: its patterns are compiled when they are first needed.
static SCANNER: LazyLock<Scanner> = LazyLock::new(|| Scanner::new(&Rules::new()).unwrap());

fn told(texts: &[String]) -> String {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"0\",\"cwd\":\"/w\"}\n".to_owned();
    for (at, text) in texts.iter().enumerate() {
        let parent = if at == 0 { json!(null) } else { json!(format!("e{}", at - 1)) };
        let content = json!([{ "type": "text", "text": text }]);
        let line = json!({
            "type": "message", "id": format!("e{at}"), "parentId": parent,
            "timestamp": "2026-11-02T09:00:00Z", "message": { "role": "user", "content": content },
        });
        file.push_str(&format!("{line}\n"));
    }
    let session = leafpress::read(file.into_bytes()).unwrap();
    let found = report::secrets(&session, &SCANNER, None);
    assert!(!found.findings.is_empty(), "{texts:?}");
    serde_json::to_string(&found).unwrap()
}

/// Four letters of a value that are shown, if any.
fn part_in<'a>(told: &str, planted: &'a Planted) -> Option<&'a str> {
    // The first four letters that have one of the secret's own among them.
    let first = planted.public.saturating_sub(3);
    let lines = planted.value.lines();
    let mut parts = lines
        .flat_map(|line| (first..line.len().saturating_sub(3)).map(move |at| &line[at..at + 4]));
    // A rule may be called what its tokens have in them: `webhook`.
    let told = told.replace(&planted.rule, "");
    parts.find(|part| told.contains(part))
}

#[test]
fn no_four_letters_of_a_secret_are_told() {
    let mut leaks = Vec::new();
    let kinds = lines("kinds.jsonl");
    for (at, kind) in kinds.iter().enumerate() {
        let one = planted(kind, at as u64 + 57);
        let other = planted(&kinds[(at + 11) % kinds.len()], at as u64 + 91);
        let value = one.value.as_str();
        let half = value.get(value.len() / 2..).unwrap_or_default();
        let percent: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let escapes: String = value.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        let ways = [
            format!("{} {value}", one.text),
            format!("{value} {} {value}", one.text),
            format!("{half} {} {half}", one.text),
            format!("{half}{}", other.text),
            format!("{percent} {}", other.text),
            format!("{escapes} {}", other.text),
            format!(
                "{} {} {}",
                HEXLOWER.encode(value.as_bytes()),
                other.text,
                BASE64.encode(value.as_bytes())
            ),
            format!(
                "{}_{} {}",
                &value[..value.len().min(6)],
                other.text,
                &value[..value.len().min(9)]
            ),
        ];
        for way in ways {
            // Known from an entry behind it, and from one before it.
            for texts in [vec![one.text.clone(), way.clone()], vec![way.clone(), one.text.clone()]]
            {
                let told = told(&texts);
                for planted in [&one, &other] {
                    if let Some(part) = part_in(&told, planted) {
                        leaks.push(format!("`{part}` of {}: {told}", planted.rule));
                    }
                }
            }
        }
    }
    assert!(leaks.is_empty(), "{} leaks:\n{:.4000}", leaks.len(), leaks.join("\n"));
}

#[test]
fn a_password_that_begins_like_a_name_is_not_taken_for_a_public_prefix() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let findings =
        scanner.scan_json(concat!("{\"a\":\"export DB_PASSWORD=", "passionfruit-9-kiwi\"}"));
    assert_eq!(findings.len(), 1);
    assert!(findings[0].context.ends_with('…'), "{}", findings[0].context);
    assert!(!findings[0].context.contains("pass"), "{}", findings[0].context);
}
