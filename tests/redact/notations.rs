//! Recall on the ways in which people, tools and programs write a secret, and
//! false alarms on what is written alike.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use leafpress::redact::{Redactor, Rules, Scanner};
use serde_json::{Value, json};

use crate::redact::fixture::{Letters, lines};

/// What stands where a secret does: passwords as people choose them, and one of a generator.
const VALUES: [&str; 3] = ["{{human:0}}", "{{alnum:20}}", "{{human:1}}"];

/// The least share of each group that is found, in percent.
const FLOORS: [(&str, usize); 15] = [
    ("code", 95),
    ("devices", 95),
    ("expect", 95),
    ("files", 92),
    ("flags", 95),
    ("manifest", 95),
    ("names", 95),
    ("output", 95),
    ("prose", 95),
    ("redis", 95),
    ("sql", 95),
    ("tables", 97),
    ("terraform", 97),
    ("xml", 97),
    ("yaml", 93),
];

struct Case {
    group: String,
    place: &'static str,
    value: String,
    line: String,
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (at, row) in lines("notations.jsonl").iter().enumerate() {
        let template = row["text"].as_str().unwrap();
        for (number, value) in VALUES.iter().enumerate() {
            for (count, place) in ["plain", "added", "numbered", "heredoc"].into_iter().enumerate()
            {
                let mut letters = Letters::new((at * 97 + number * 13 + count) as u64 + 1);
                let value = letters.fill(value);
                let coded = BASE64.encode(value.as_bytes());
                let text = template.replace("{{b64value}}", &coded).replace("{{value}}", &value);
                let is_coded = template.contains("{{b64value}}");
                all.push(Case {
                    group: row["group"].as_str().unwrap().to_owned(),
                    place,
                    value: if is_coded { coded } else { value },
                    line: entry(&placed(place, &text)),
                });
            }
        }
    }
    all
}

/// The text as a tool or a person brings it into a session.
fn placed(place: &str, text: &str) -> String {
    let lines = || text.lines().enumerate();
    match place {
        "added" => lines().map(|(_, line)| format!("+{line}\n")).collect(),
        "numbered" => lines().map(|(at, line)| format!("{:6}\t{line}\n", at + 9)).collect(),
        "heredoc" => format!("cat > settings <<'EOF'\n{text}\nEOF\n"),
        _ => text.to_owned(),
    }
}

fn entry(text: &str) -> String {
    let message = json!({"role": "user", "content": [{"type": "text", "text": text}]});
    json!({"type": "message", "id": "a", "message": message}).to_string()
}

#[test]
fn secrets_are_found_however_they_are_written() {
    let cases = cases();
    let redactor = Redactor::new(&Rules::new()).unwrap();
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for case in &cases {
        // Nothing was learned: what is found is found where it stands.
        let new = String::from_utf8(redactor.file(case.line.as_bytes())).unwrap();
        let parsed: Value = serde_json::from_str(&new).unwrap();
        let text = parsed["message"]["content"][0]["text"].as_str().unwrap();
        let is_found = !text.contains(&case.value);
        let group = groups.entry(&case.group).or_default();
        group.0 += usize::from(is_found);
        group.1 += 1;
        if !is_found {
            missed.push(format!("{} {}: {:.160}", case.group, case.place, case.line));
        }
    }
    let (mut found, mut count) = (0, 0);
    for (group, (hits, all)) in &groups {
        println!("{group:12} {hits:5} of {all:5}, {:.1} %", *hits as f64 * 100.0 / *all as f64);
        found += hits;
        count += all;
    }
    println!("notations: {found} of {count}, {:.1} %", found as f64 * 100.0 / count as f64);
    for (group, floor) in FLOORS {
        let (hits, all) = groups[group];
        assert!(hits * 100 >= all * floor, "{group}: {hits} of {all}\n{}", missed.join("\n"));
    }
    assert_eq!(groups.len(), FLOORS.len());
}

/// Passwords that have no digit, where a sentence ends with one.
#[test]
fn passwords_of_letters_are_found_in_sentences() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let sentences = [
        "the password is {}",
        "The root password is {}.",
        "The database password is set to `{}`, as always.",
        "Das Passwort lautet {}",
        "le mot de passe est {}.",
        "Mot de passe : {}",
        "la contraseña es {}",
        "Пароль: {}",
        "пароль для базы: {}",
        "密码：{}",
        "パスワード: {}",
        "password: {}",
    ];
    let mut missed = Vec::new();
    let mut count = 0;
    for (seed, sentence) in sentences.iter().enumerate() {
        for number in 0..20 {
            let value = Letters::new(seed as u64 * 20 + number + 1).fill("{{word:9}}{{word:9}}");
            let text = sentence.replace("{}", &value);
            count += 1;
            if !scanner.scan_text(&text).iter().any(|hit| text[hit.range.clone()] == value) {
                missed.push(text);
            }
        }
    }
    println!("passwords of letters: {} of {count}", count - missed.len());
    assert!(missed.len() * 20 <= count, "{missed:#?}");
}

/// A manifest is read by its structure where the JSON is no text in a string.
#[test]
fn manifests_are_found_as_json() {
    let mut letters = Letters::new(77);
    let [first, second] = ["{{human:0}}", "{{alnum:20}}"].map(|value| letters.fill(value));
    let coded = BASE64.encode(first.as_bytes());
    let data = json!({"user.txt": coded.as_str(), "ca": second.as_str()});
    let manifests = [
        json!({"apiVersion": "v1", "data": {"pin": coded.as_str()}, "kind": "Secret"}),
        json!({"kind": "Secret", "stringData": {"pin": second.as_str()}}),
        json!({"kind": "List", "items": [{"kind": "Secret", "data": data.clone()}]}),
    ];
    for manifest in manifests {
        let entry =
            json!({"type": "message", "message": {"role": "toolResult", "details": manifest}});
        let forms = [
            manifest.to_string(),
            serde_json::to_string_pretty(&manifest).unwrap(),
            entry.to_string(),
        ];
        for form in forms {
            let redactor = Redactor::new(&Rules::new()).unwrap();
            let new = String::from_utf8(redactor.file(form.as_bytes())).unwrap();
            assert!(!new.contains(&coded) && !new.contains(&second), "{new}");
        }
    }
    let other = json!({"kind": "ConfigMap", "data": data}).to_string();
    let redactor = Redactor::new(&Rules::new()).unwrap();
    assert_eq!(redactor.file(other.as_bytes()), other.as_bytes());
}

#[test]
fn what_is_written_alike_is_left_alone() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let rows = lines("near-misses.jsonl");
    let mut alarms = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        for place in ["plain", "added", "numbered", "heredoc"] {
            let text = placed(place, text);
            for hit in scanner.scan_text(&text) {
                alarms.push(format!("{place}: {:?} in {text:?}", &text[hit.range]));
            }
        }
    }
    println!("false alarms: {} in {} near misses", alarms.len(), rows.len() * 4);
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}
