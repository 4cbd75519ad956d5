//! What holds for the redaction of any JSON text.

use leafpress::redact::{Redactor, Rules, Scanner};
use proptest::prelude::*;
use serde_json::Value;

use crate::property::strategies;

/// Pieces that secrets, names of secrets and their disguises are made of.
fn piece() -> BoxedStrategy<String> {
    prop_oneof![
        4 => strategies::text(),
        3 => prop::sample::select(vec![
            "password", "\"password\": ", "API_KEY=", "token:", "\\\"", "\\n", "\n", "\\\\", "'", "\"", " ", "=", ":",
            "://u:", "@h", "Cookie: ", "; ", "Bearer ", "Basic ", "curl -u a:", "\x1b[31m", "%20", "%3D", "\\u0041",
            "/home/marie", "C:\\Users\\marie", "[redacted:password #1]", "[redacted:", " #2]", "~", "+", "-", "ZXhhbXBsZTEyMzQ1Njc4OTA",
        ]).prop_map(str::to_owned),
        2 => "[A-Za-z0-9]{6,40}",
        1 => "[A-Za-z0-9]{36}".prop_map(|rest| ["gh", "p_", &rest].concat()),
        1 => "[A-Za-z0-9]{64}".prop_map(|line| ["-----BEGIN ", "PRIVATE", " KEY-----\n", &line, "\n", &line].concat()),
        1 => "[ -~]{12,60}".prop_map(|text| data_encoding::BASE64.encode(["password=", &text].concat().as_bytes())),
    ]
    .boxed()
}

fn text() -> BoxedStrategy<String> {
    prop::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat()).boxed()
}

fn value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        6 => text().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => text().prop_map(|text| Value::from(Value::from(text).to_string())),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let pair = (text(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            prop::collection::vec(pair, 0..4).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
    .boxed()
}

/// A value with its strings and keys blanked; fields that fell together are missed.
fn shape(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from(""),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(fields) => Value::from(fields.len()),
        _ => value.clone(),
    }
}

fn redacted(rules: &Rules, file: &[u8]) -> Vec<u8> {
    let mut redactor = Redactor::new(rules).unwrap();
    redactor.learn(file);
    redactor.file(file)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn redacted_json_is_json_of_the_same_shape(values in prop::collection::vec(value(), 1..4), personal in any::<bool>()) {
        let mut rules = Rules::new();
        if personal {
            rules.personal(None).emails().hosts([]);
        }
        let lines: Vec<String> = values.iter().map(|value| format!("{{\"x\":{value}}}\n")).collect();
        let file = lines.concat();
        let new = String::from_utf8(redacted(&rules, file.as_bytes())).unwrap();
        prop_assert_eq!(new.lines().count(), values.len());
        for (new, old) in new.lines().zip(file.lines()) {
            let parsed: Value = serde_json::from_str(new).unwrap();
            prop_assert_eq!(shape(&parsed["x"]), shape(&serde_json::from_str::<Value>(old).unwrap()["x"]));
        }
        let again = redacted(&rules, new.as_bytes());
        prop_assert_eq!(String::from_utf8(again).unwrap(), new);
    }

    #[test]
    fn lines_without_findings_stay(values in prop::collection::vec(value(), 1..4)) {
        let scanner = Scanner::new(&Rules::new()).unwrap();
        for value in values {
            let line = format!("{{ \"x\" :{value}}}");
            let new = redacted(&Rules::new(), line.as_bytes());
            if scanner.scan_json(&line).is_empty() {
                prop_assert_eq!(String::from_utf8(new).unwrap(), line);
            } else {
                prop_assert_ne!(String::from_utf8(new).unwrap(), line);
            }
        }
    }

    #[test]
    fn any_bytes_can_be_redacted(bytes in any::<Vec<u8>>(), texts in prop::collection::vec(text(), 0..4)) {
        let file = [bytes, texts.join("\n").into_bytes()].concat();
        let new = redacted(Rules::new().personal(None), &file);
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count();
        prop_assert!(new.is_empty() || lines(&new) == lines(&file));
    }

    #[test]
    fn a_text_is_redacted_alike_however_its_string_is_written(text in text(), before in before()) {
        let text = [before, text].concat();
        let usual = Value::from(text.as_str()).to_string();
        let new = redacted_string(&usual);
        prop_assert_eq!(&redacted_string(&escaped(&text, |letter| !letter.is_ascii())), &new);
        prop_assert_eq!(&redacted_string(&escaped(&text, |_| true)), &new);
        let scanner = Scanner::new(&Rules::new()).unwrap();
        // Base64 is known by its first letters.
        let padded = ["# settings of the program\n", &text].concat();
        let base64 = format!("\"{}\"", data_encoding::BASE64.encode(padded.as_bytes()));
        for (string, text) in [(Value::from(usual.as_str()).to_string(), text), (base64, padded)] {
            let line = format!("{{\"x\":{string}}}");
            let is_found = scanner.scan_text(&text).is_empty() || !scanner.scan_json(&line).is_empty();
            prop_assert!(is_found, "{text:?}: {line}");
        }
    }
}

/// Signs that JSON writes as escapes, whose last letters are none of a word behind them.
fn before() -> impl Strategy<Value = String> {
    let signs = vec![
        "",
        "\u{201c}",
        "\u{79d8}",
        "\u{2192}",
        "\u{a0}",
        "\0",
        "\u{1f511}",
        "\u{e9}",
        "\t",
        "\u{2028}",
    ];
    prop::sample::select(signs).prop_map(str::to_owned)
}

fn escaped(text: &str, is: fn(char) -> bool) -> String {
    let must = |letter: char| letter.is_control() || "\"\\".contains(letter);
    let unit = |unit: &u16| format!("\\u{unit:04x}");
    let letter = |letter: char| {
        let units = letter.encode_utf16(&mut [0; 2]).iter().map(unit).collect();
        if is(letter) || must(letter) { units } else { letter.to_string() }
    };
    format!("\"{}\"", text.chars().map(letter).collect::<String>())
}

/// What is left of a JSON string, as it is read.
fn redacted_string(string: &str) -> String {
    let new = redacted(&Rules::new(), format!("{{\"x\":{string}}}\n").as_bytes());
    serde_json::from_slice::<Value>(&new).unwrap()["x"].as_str().unwrap().to_owned()
}
