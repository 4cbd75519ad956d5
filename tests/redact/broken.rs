//! Tokens that a terminal, an editor, a mail, a tool or a model has broken over lines.

use std::collections::BTreeMap;

use leafpress::redact::{Redactor, Rules, Scanner};
use serde_json::Value;

use crate::redact::fixture::{Letters, Planted, lines, planted};

/// Writes the parts of a token on lines of their own.
type Way = (&'static str, fn(&[&str]) -> String);

/// Parts between `open` and `close` on each line, with `before` each further line.
fn joined(parts: &[&str], before: &str, open: &str, close: &str) -> String {
    format!(
        "{open}{}{}",
        parts.join(&format!("{close}\n{before}{open}")),
        close.trim_end_matches(['\\', '+', '.', ' '])
    )
}

/// How a line that is too long goes on in the next one.
#[rustfmt::skip]
pub(crate) const WAYS: &[Way] = &[
    ("newline", |parts| format!("I used {} for the upload.", parts.join("\n"))),
    ("CRLF", |parts| format!("export TOKEN_OF_ME={}\r\necho done", parts.join("\r\n"))),
    ("indented", |parts| format!("  value: {}\n  other: 1", parts.join("\n         "))),
    ("backslash", |parts| format!("run --with {} --fast", parts.join("\\\n"))),
    ("backslash, indented", |parts| format!("run --with {} \\\n    --fast", parts.join("\\\n    "))),
    ("strings and plus", |parts| format!("x = {};", joined(parts, "    ", "\"", "\" +"))),
    ("plus and strings", |parts| format!("x = {}", joined(parts, "    + ", "'", "'"))),
    ("strings and dot", |parts| format!("$x = {};", joined(parts, "    ", "'", "' ."))),
    ("strings side by side", |parts| format!("x = ({})", joined(parts, "     ", "\"", "\""))),
    ("strings and backslash", |parts| format!("x = {}\ny = 1", joined(parts, "    ", "\"", "\" \\"))),
    ("box", |parts| format!("╭────╮\n{}\n╰────╯", joined(parts, "", "│ ", "   │"))),
    ("bars", |parts| format!("{}\n", joined(parts, "", "| ", " |"))),
    ("quote", |parts| format!("> it is {} now\n> bye", parts.join("\n> "))),
    ("quoted output", |parts| format!("  │ {}\n  │ ok", parts.join("\n  │ "))),
    ("added", |parts| format!("+{}\n+other", parts.join("\n+"))),
    ("removed", |parts| format!("-{}\n-other", parts.join("\n-"))),
    ("numbered", |parts| format!("     9→it is {} now\n    12→x", parts.join("\n    10→"))),
    ("numbered, bars", |parts| format!(" 9 | {}\n12 | x", parts.join("\n10 | "))),
    ("below a word", |parts| format!("of the program\n{}", parts.join("\n"))),
    ("comment", |parts| format!("# {}\n# ok", parts.join("\n# "))),
];

/// The parts of a value that are 20 letters long, or two of any length.
fn parts(value: &str, letters: &mut Letters, is_folded: bool) -> Vec<String> {
    let all: Vec<char> = value.chars().collect();
    if is_folded {
        return all.chunks(20).map(String::from_iter).collect();
    }
    let share: usize = letters.of("123456789", 2).parse().unwrap();
    let at = (all.len() * share / 100).clamp(1, all.len() - 1);
    [&all[..at], &all[at..]].map(String::from_iter).to_vec()
}

/// Tokens that identify themselves.
fn tokens(scanner: &Scanner) -> Vec<Value> {
    let is_told = |kind: &Value| {
        let alone = planted(kind, 91);
        let hits = scanner.scan_text(&alone.value);
        let is_whole = |hit: &leafpress::redact::Hit| hit.range == (0..alone.value.len());
        kind["group"] != "forms" && hits.iter().any(is_whole)
    };
    lines("kinds.jsonl").into_iter().filter(is_told).collect()
}

/// The most letters in a row of the parts that no finding covers.
fn left_over(scanner: &Scanner, text: &str, parts: &[String]) -> usize {
    let hits = scanner.scan_text(text);
    let is_hidden = |at: usize| hits.iter().any(|hit| hit.range.contains(&at));
    let mut from = 0;
    let mut most = 0;
    for part in parts {
        let at = from + text[from..].find(part.as_str()).unwrap();
        from = at + part.len();
        let bare = (at..from).map(|at| !is_hidden(at)).collect::<Vec<_>>();
        most = bare.split(|bare| !bare).map(<[bool]>::len).max().unwrap_or(0).max(most);
    }
    most
}

/// Fewer letters than this of a token give nothing away.
const FEW: usize = 4;

/// How a text is written in a session.
type Writing = fn(&str) -> String;

#[test]
fn broken_tokens_are_found_in_all_their_lines() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let writings: [(&str, Writing); 3] = [
        ("plain", str::to_owned),
        ("JSON", |text| Value::from(text).to_string()),
        ("JSON twice", |text| Value::from(Value::from(text).to_string()).to_string()),
    ];
    let mut table: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let mut missed = Vec::new();
    for (number, kind) in tokens(&scanner).iter().enumerate() {
        for (at, (way, write)) in WAYS.iter().enumerate() {
            let seed = (number * 100 + at) as u64 + 5;
            let Planted { rule, value, .. } = planted(kind, seed);
            let parts = parts(&value, &mut Letters::new(seed), number % 2 == 0);
            let borrowed: Vec<&str> = parts.iter().map(String::as_str).collect();
            let text = write(&borrowed);
            for (writing, form) in writings {
                let written = form(&text);
                let is_found = left_over(&scanner, &written, &parts) < FEW;
                for key in [("way", *way), ("writing", writing), ("all", "all")] {
                    let share = table.entry(key).or_default();
                    share.0 += usize::from(is_found);
                    share.1 += 1;
                }
                if !is_found {
                    missed.push(format!("{rule}, {way}, {writing}: {written}"));
                }
            }
        }
    }
    println!("{:#?}", missed.iter().step_by(missed.len() / 25 + 1).collect::<Vec<_>>());
    for ((group, name), (found, all)) in &table {
        println!("{group:8} {name:24} {all:6} {:6.1}%", *found as f64 * 100.0 / *all as f64);
    }
    for ((group, name), (found, all)) in table {
        assert!(found * 1000 >= all * 960, "{group} {name}: {found} of {all}");
    }
}

/// One token, one mark, and the signs around each line stay.
#[test]
fn the_lines_of_a_token_have_one_mark() {
    let token = Letters::new(3).fill("sk-ant-api03-{{alnum:93}}AA");
    let (first, second) = token.split_at(60);
    let mark = "[redacted:anthropic-key #1]";
    for (open, between, close) in [
        ("", "\n", ""),
        ("> ", "\n> ", "\n> so"),
        ("│ ", " │\n│ ", "   │"),
        ("x = \"", "\" +\n    \"", "\""),
    ] {
        let text = format!("{open}{first}{between}{second}{close}");
        let after = format!("{open}{mark}{between}{mark}{close}");
        for text in [text.clone(), serde_json::json!({"a": text}).to_string()] {
            let after = if text.starts_with("{\"a\"") {
                serde_json::json!({"a": after}).to_string()
            } else {
                after.clone()
            };
            let mut redactor = Redactor::new(&Rules::new()).unwrap();
            redactor.learn(text.as_bytes());
            assert_eq!(String::from_utf8(redactor.file(text.as_bytes())).unwrap(), after);
        }
    }
}

/// What mail breaks by an equals sign.
#[test]
fn mail_is_read_on() {
    let token = Letters::new(8).fill("ghp_{{alnum:36}}");
    let (first, second) = token.split_at(24);
    let text = format!("The token for the release of the shop at noon: {first}=\n{second} for us");
    let hits = Scanner::new(&Rules::new()).unwrap().scan_text(&text);
    let found: Vec<&str> = hits.iter().map(|hit| &text[hit.range.clone()]).collect();
    assert_eq!(found, [first, second]);
}

/// A token that is whole leaves the next line alone.
#[test]
fn whole_tokens_take_in_no_word_of_the_next_line() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let next = [
        "done",
        "echo done",
        "export NAME=value",
        "AWS_REGION2=eu-west-1",
        "The next sentence begins.",
        "getToken2(name)",
        "step2_phase3",
        "user@host:~$ ls",
        "2026-03-01 10:00:00 INFO ok",
        "2026-03-01T10:00:00Z INFO",
        "- item",
        "src/main.rs:12:4: error",
        "v1.2.3-beta4",
        "node_modules/.bin/x2",
        "3 files changed",
        "https://host/path2",
        "x2",
        "utf8",
        "3f9a1c7 fix it",
        "END",
        "A1",
    ];
    let mut wrong = Vec::new();
    for (number, kind) in tokens(&scanner).iter().enumerate() {
        for (at, next) in next.iter().enumerate() {
            for between in ["\n", "\n  ", "\n> ", "\n+"] {
                let one = planted(kind, (number * 31 + at) as u64 + 2);
                let open = &between[1..];
                let text = format!("{open}{}{between}{next}{between}{next}", one.value);
                let begins = open.len() + one.value.len();
                for hit in scanner.scan_text(&text) {
                    if hit.range.end > begins {
                        wrong.push(format!("{}: {:?} of {text:?}", one.rule, &text[hit.range]));
                    }
                }
            }
        }
    }
    println!(
        "{} wrong\n{:#?}",
        wrong.len(),
        wrong.iter().step_by(wrong.len() / 15 + 1).collect::<Vec<_>>()
    );
    assert!(wrong.is_empty());
}
