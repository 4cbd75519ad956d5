//! Secrets that Markdown or HTML writes otherwise.

use leafpress::redact::{Redactor, Rules};
use serde_json::json;

use crate::redact::fixture::Letters;

fn redacted(text: &str, known: &str) -> String {
    let line = json!({ "text": text }).to_string();
    let known = json!({ "text": known }).to_string();
    let mut redactor = Redactor::new(&Rules::new()).unwrap();
    redactor.learn(known.as_bytes());
    redactor.learn(line.as_bytes());
    let new: serde_json::Value = serde_json::from_slice(&redactor.file(line.as_bytes())).unwrap();
    new["text"].as_str().unwrap().to_owned()
}

/// A text in the ways that read the same once it is shown.
fn ways(value: &str) -> Vec<String> {
    let (start, end) = value.split_at(9);
    let first = value.chars().next().map_or(0, u32::from);
    let mut ways = vec![
        value.replace('_', "\\_"),
        value.replace('_', "\\\\_"),
        value.replace('_', "&lowbar;"),
        format!("&#{first};{}", &value[1..]),
        format!("&#x{first:x};{}", &value[1..]),
        format!("&#X{first:04X};{}", &value[1..]),
        format!("**{start}**{end}"),
        format!("*{start}*{end}"),
        format!("{start}`{end}`"),
        format!("**{}**{end}", start.replace('_', "\\_")),
    ];
    let invisible = "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}";
    ways.extend(invisible.chars().map(|sign| format!("{start}{sign}{end}")));
    ways.push(format!("{start}{invisible}{end}"));
    ways.push(format!("{start}&shy;{end}&#8203;"));
    ways.push(format!("{start}\\u200b{end}"));
    ways
}

#[test]
fn tokens_are_found_however_they_are_shown() {
    let token = Letters::new(21).fill("ghp_{{alnum:36}}");
    let mut kept = Vec::new();
    for way in ways(&token) {
        let new = redacted(&format!("it is {way} now"), "");
        let is_gone = new.contains("[redacted:github-token #1]") && !new.contains(&token[12..30]);
        if !is_gone || !new.starts_with("it is ") || !new.ends_with(" now") {
            kept.push(new);
        }
    }
    assert!(kept.is_empty(), "{}", kept.join("\n"));
}

#[test]
fn values_known_from_elsewhere_are_found_however_they_are_shown() {
    let value = "kestrel_91&lantern-field";
    let mut texts = ways(value);
    texts.retain(|text| text != value);
    texts.push(value.replace('&', "&amp;"));
    for text in texts {
        let new = redacted(&format!("so {text} it is"), &format!("DB_PASSWORD={value}"));
        assert!(new.contains("[redacted:password #1]") && !new.contains("lantern"), "{new}");
    }
}

#[test]
fn what_only_looks_like_another_way_stays() {
    let mut rules = Rules::new();
    rules.personal(None);
    let same = "2**3 a*b*c `x`y &amp; &copy; \\d+\\.\\_ caf\u{ad}e x\u{200d}y snake\\_case";
    let mut redactor = Redactor::new(&rules).unwrap();
    redactor.learn(same.as_bytes());
    assert_eq!(redactor.text(same), same);
    let home = "C:\\Users\\marie\\.pi\\_x";
    redactor.learn(home.as_bytes());
    assert_eq!(redactor.text(home), "~\\.pi\\_x");
}
