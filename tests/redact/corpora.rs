//! Recall on what is planted, false alarms on what looks like it.

use leafpress::redact::{Redactor, Rules, Scanner};
use serde_json::Value;

use crate::redact::fixture::{Letters, Planted, lines, placed, planted};
use crate::redact::traces::has_trace;

/// Every kind at every place, each with a value of its own, so that none is
/// found because another place gave it away.
fn every_place() -> Vec<(String, Planted, String)> {
    let kinds = lines("kinds.jsonl");
    let places = lines("places.jsonl");
    let mut all = Vec::new();
    for (at, kind) in kinds.iter().enumerate() {
        for (number, place) in places.iter().enumerate() {
            let planted = planted(kind, (at * 1000 + number) as u64 + 7);
            let line = placed(place, &planted.text);
            all.push((place["id"].as_str().unwrap().to_owned(), planted, line));
        }
    }
    all
}

fn redacted(file: &str) -> String {
    let mut redactor = Redactor::new(&Rules::new()).unwrap();
    redactor.learn(file.as_bytes());
    String::from_utf8(redactor.file(file.as_bytes())).unwrap()
}

/// A value with its strings and keys blanked.
fn shape(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from(""),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(fields) => fields.values().map(shape).collect(),
        _ => value.clone(),
    }
}

#[test]
fn planted_secrets_leave_no_trace() {
    let all = every_place();
    let lines: Vec<&str> = all.iter().map(|(_, _, line)| line.as_str()).collect();
    let file = lines.join("\n");
    let new = redacted(&file);
    let mut missed = Vec::new();
    for ((place, planted, old), new) in all.iter().zip(new.lines()) {
        let parsed: Value = serde_json::from_str(new)
            .unwrap_or_else(|error| panic!("{place} {}: {error}: {new}", planted.rule));
        let before: Value = serde_json::from_str(old).unwrap();
        assert_eq!(shape(&parsed), shape(&before), "{place} {}: {new}", planted.rule);
        if has_trace(new, &planted.value) {
            missed.push(format!("{place} {}: {new:.400}", planted.rule));
        }
    }
    assert_eq!(new.lines().count(), all.len());
    let found = all.len() - missed.len();
    println!("recall: {found} of {} planted secrets leave no trace", all.len());
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
    assert_eq!(redacted(&new), new, "redacting twice changes nothing");
}

#[test]
fn planted_secrets_are_found_by_their_rule() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    for kind in lines("kinds.jsonl") {
        let planted = planted(&kind, 3);
        let rules: Vec<String> =
            scanner.scan_text(&planted.text).into_iter().map(|hit| hit.rule).collect();
        assert!(
            rules.contains(&planted.rule),
            "{} found as {rules:?}: {}",
            planted.rule,
            planted.text
        );
    }
}

#[test]
fn findings_show_no_secret() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    for (place, planted, line) in every_place() {
        let findings = scanner.scan_json(&line);
        assert!(!findings.is_empty(), "{place} {}: {line}", planted.rule);
        for finding in findings {
            let told = serde_json::to_string(&finding).unwrap();
            assert!(!has_trace(&told, &planted.value), "{place}: {told}");
        }
    }
}

#[test]
fn look_alikes_are_left_alone() {
    let harmless: Vec<String> = lines("harmless.jsonl")
        .iter()
        .enumerate()
        .map(|(at, line)| Letters::new(at as u64).fill(&line.to_string()))
        .collect();
    // As entries, as texts, and as texts within JSON within strings.
    let mut alarms = 0;
    let mut count = 0;
    for line in &harmless {
        let text = serde_json::from_str::<Value>(line).unwrap()["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let nested = serde_json::json!({"output": line}).to_string();
        let encoded = serde_json::json!({"output": data_encoding::BASE64.encode(text.as_bytes())})
            .to_string();
        for form in [line.clone(), text, nested, encoded] {
            count += 1;
            let new = redacted(&form);
            if new != form {
                alarms += 1;
                println!("false alarm: {new:.600}");
            }
        }
    }
    println!("false alarms: {alarms} in {count} harmless texts");
    assert_eq!(alarms, 0);
}
