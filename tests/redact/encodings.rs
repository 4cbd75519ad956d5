//! What is found in a text is found in every form in which a session can hold
//! that text, and whatever stands beside it.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use leafpress::redact::{Rules, Scanner};
use serde_json::Value;

use crate::redact::broken::WAYS;
use crate::redact::fixture::{Letters, Planted, lines, planted};

/// Writes a text otherwise; a reader gets the same text back.
pub(crate) type Form = (&'static str, fn(&str) -> String);

/// What stands beside a secret: signs that JSON escapes or need not escape, wide ones too.
#[rustfmt::skip]
pub(crate) const NEIGHBORS: &[&str] = &[
    "", " ", "\u{201c}", "\u{79d8}\u{5bc6}", "\u{2192}", "\u{a0}", "\0", "\u{1f511}", "\u{e9}", "\t", "\n", "\r\n", "\"", ",",
    "\u{1b}[0m", "\u{2028}", "\u{fffd}",
];

/// How a text may hold it.
pub(crate) const LAYERS: &[Form] = &[
    ("plain", str::to_owned),
    ("JSON", |text| format!("{{\"a\":{}}}", quoted(text))),
    ("JSON twice", |text| format!("[{}]", quoted(&quoted(text)))),
    ("JSON three times", |text| quoted(&quoted(&quoted(text)))),
    ("JSON in ASCII", |text| {
        format!("{{\"a\":\"{}\"}}", escaped(text, |letter| !letter.is_ascii()))
    }),
    ("JSON in escapes", |text| format!("{{\"a\":\"{}\"}}", escaped(text, |_| true))),
    ("JSON of escapes twice", |text| quoted(&format!("\"{}\"", escaped(text, |_| true)))),
    ("percent signs", |text| {
        percent(text, |byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
    }),
    ("percent signs only", |text| percent(text, |_| false)),
    ("entities", |text| {
        by_letter(
            text,
            |letter| letter.is_ascii_punctuation(),
            |letter| format!("&#{};", u32::from(letter)),
        )
    }),
    ("backslashes", |text| {
        by_letter(
            text,
            |letter| "_*[]().#!|~<>{}+-`".contains(letter),
            |letter| format!("\\{letter}"),
        )
    }),
    ("colors", |text| {
        by_letter(
            text,
            |letter| "aeiouAEIOU0_".contains(letter),
            |letter| format!("\x1b[1;31m{letter}"),
        )
    }),
    ("invisible", |text| {
        by_letter(
            text,
            |letter| "aeiouAEIOU0_".contains(letter),
            |letter| format!("\u{200b}{letter}"),
        )
    }),
    ("base64", |text| BASE64.encode(padded(text).as_bytes())),
    ("base64url", |text| BASE64URL_NOPAD.encode(padded(text).as_bytes())),
    ("base64 twice", |text| BASE64.encode(BASE64.encode(padded(text).as_bytes()).as_bytes())),
];

/// How a JSON string of the file may be written.
pub(crate) const STRINGS: &[Form] = &[
    ("as usual", quoted),
    ("ASCII", |text| format!("\"{}\"", escaped(text, |letter| !letter.is_ascii()))),
    ("escapes", |text| format!("\"{}\"", escaped(text, |_| true))),
    ("slashes", |text| quoted(text).replace('/', "\\/")),
    ("signs", |text| format!("\"{}\"", escaped(text, |letter| !letter.is_ascii_alphanumeric()))),
];

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Base64 is known by its first letters, which a text of some length has.
fn padded(text: &str) -> String {
    format!("# settings of the program\n{text}\n")
}

fn by_letter(text: &str, is: fn(char) -> bool, written: impl Fn(char) -> String) -> String {
    text.chars()
        .map(|letter| if is(letter) { written(letter) } else { letter.to_string() })
        .collect()
}

fn escaped(text: &str, is: fn(char) -> bool) -> String {
    let unit = |unit: u16| format!("\\u{unit:04x}");
    let all = |letter: char| {
        letter.encode_utf16(&mut [0; 2]).iter().map(|&code| unit(code)).collect::<String>()
    };
    let must = |letter: char| letter.is_control() || "\"\\".contains(letter);
    text.chars()
        .map(|letter| if is(letter) || must(letter) { all(letter) } else { letter.to_string() })
        .collect()
}

fn percent(text: &str, plain: fn(u8) -> bool) -> String {
    let byte =
        |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(byte).collect()
}

fn is_found(scanner: &Scanner, line: &str, rule: &str) -> bool {
    scanner.scan_json(line).iter().any(|finding| finding.rule == rule)
}

/// The token alone where it says itself what it is, else with what tells it.
fn texts(scanner: &Scanner) -> Vec<Planted> {
    let all = lines("kinds.jsonl");
    let all = all.iter().enumerate().map(|(at, kind)| planted(kind, at as u64 + 31));
    all.map(|mut one| {
        if scanner.scan_text(&one.value).iter().any(|hit| hit.rule == one.rule) {
            one.text.clone_from(&one.value);
        }
        one
    })
    .collect()
}

#[test]
fn what_a_text_gives_away_is_found_however_it_is_written() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut missed = Vec::new();
    let mut count = 0;
    for (kind, one) in texts(&scanner).iter().enumerate() {
        for (at, before) in NEIGHBORS.iter().enumerate() {
            let behind = NEIGHBORS[(at * 7 + 3) % NEIGHBORS.len()];
            let start = if at % 2 == 0 { "it is " } else { "" };
            let text = format!("{start}{before}{}{behind}", one.text);
            let plain = scanner.scan_text(&text);
            if !plain.iter().any(|hit| hit.rule == one.rule) {
                missed.push(format!("{} in plain text: {text:?}", one.rule));
            }
            for (number, (layer, write)) in LAYERS.iter().enumerate() {
                if text.contains('\x1b') && is_by_letter(layer) {
                    continue;
                }
                let layered = write(&text);
                for (way, string) in STRINGS.iter().enumerate() {
                    // Each layer meets each way in some kind, the plain layer in all of them.
                    if number > 0 && (kind + at + number) % STRINGS.len() != way {
                        continue;
                    }
                    count += 1;
                    let (way, write) = string;
                    let line = format!("{{\"id\":1,\"text\":{}}}", write(&layered));
                    if !is_gone(&scanner, &line, layer, &one.rule) {
                        missed.push(format!("{}: {layer}, {way}: {line}", one.rule));
                    }
                }
            }
        }
    }
    println!("{} of {count} missed", missed.len());
    assert!(missed.is_empty(), "{}", summary(&missed));
}

/// JSON as a string of JSON, such as the arguments of a call: where a string in it begins, a line
/// begins, as a variable before a command does, and where it ends, a line ends.
#[test]
fn what_a_text_gives_away_at_its_edges_is_found_in_json_within_json() {
    const VALUES: [&str; 3] = ["{{word:8}}", "{{human:0}}", "{{word:4}}\u{e9}{{digit:1}}"];
    const WRAPPED: [Form; 5] = [
        ("string", quoted),
        ("strings", |text| quoted(&quoted(text))),
        ("object", |text| format!("{{\"command\":{}}}", quoted(text))),
        ("lines", |text| {
            format!("{{\n  \"a\": 1,\n  \"b\": {},\n  \"c\": \"\"\n}}\n", quoted(text))
        }),
        ("list", |text| {
            let list = format!("[\"bash\",\"-c\",{}]", quoted(text));
            format!("{{\"a\":{}}}", quoted(&list))
        }),
    ];
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let is_found =
        |text: &str| !scanner.scan_json(&format!("{{\"x\":{}}}", quoted(text))).is_empty();
    let (mut missed, mut count) = (Vec::new(), 0);
    let mut check = |text: &str| {
        if is_found(text) {
            count += 1;
            let lost = WRAPPED.iter().filter(|(_, write)| !is_found(&write(text)));
            missed.extend(lost.map(|(form, _)| format!("{form}: {text:?}")));
        }
    };
    for (at, row) in lines("notations.jsonl").iter().enumerate() {
        let value = Letters::new(at as u64 + 1).fill(VALUES[at % VALUES.len()]);
        check(&row["text"].as_str().unwrap().replace("{{value}}", &value));
    }
    for name in ["API_KEY=", "API_KEY\\="] {
        check(&format!("{name}tokené3"));
    }
    // The string has escapes of its own, and what they stand for ends where the string does.
    check("password 1`\\u0041Cookie: ");
    assert!(count > 400, "{count}");
    assert!(missed.is_empty(), "{} of {count}: {}", missed.len(), summary(&missed));
}

/// Tokens that are broken over lines are found in every form too.
#[test]
fn what_is_broken_over_lines_is_found_however_it_is_written() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut missed = Vec::new();
    let mut count = 0;
    let whole = texts(&scanner).into_iter().filter(|one| one.text == one.value);
    for (kind, one) in whole.enumerate() {
        let (first, second) = one.value.split_at(one.value.len() * 3 / 5);
        for (number, (layer, write)) in LAYERS.iter().enumerate() {
            let (_, broken) = WAYS[(kind + number) % WAYS.len()];
            let text = broken(&[first, second]);
            // What the plain text does not give away is counted where this is measured.
            if !scanner.scan_text(&text).iter().any(|hit| &text[hit.range.clone()] == second) {
                continue;
            }
            let (way, string) = STRINGS[(kind * 3 + number) % STRINGS.len()];
            count += 1;
            let line = format!("{{\"id\":1,\"text\":{}}}", string(&write(&text)));
            if !is_gone(&scanner, &line, layer, &one.rule) {
                missed.push(format!("{}: {layer}, {way}: {line}", one.rule));
            }
        }
    }
    println!("broken: {} of {count} missed", missed.len());
    assert!(count > 3_000, "{count}");
    assert!(missed.is_empty(), "{}", summary(&missed));
}

/// Forms that write a terminal's sequence itself otherwise, which is none then.
fn is_by_letter(layer: &str) -> bool {
    ["percent", "entities", "backslashes", "colors", "invisible"]
        .iter()
        .any(|name| layer.starts_with(name))
}

/// Base64 goes as a whole, by the first rule that found something in it.
fn is_gone(scanner: &Scanner, line: &str, layer: &str, rule: &str) -> bool {
    is_found(scanner, line, rule)
        || layer.starts_with("base64") && !scanner.scan_json(line).is_empty()
}

fn summary(missed: &[String]) -> String {
    missed.iter().step_by(missed.len() / 60 + 1).map(|line| format!("{line:.700}\n")).collect()
}

/// The figure: known tokens behind signs that JSON writes as escapes.
#[test]
fn tokens_are_found_behind_every_escape() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut survived = 0;
    let mut count = 0;
    for one in texts(&scanner).iter().filter(|one| one.text == one.value) {
        for before in [
            "\\u201c",
            "\\u79d8",
            "\\u2192",
            "\\u00a0",
            "\\u0000",
            "\\ud83d\\udd11",
            "\\u00e9",
            "\\t",
            "\\n",
        ] {
            count += 1;
            let line = format!("{{\"text\":\"{before}{}\"}}", escaped(&one.value, |_| false));
            survived += usize::from(!is_found(&scanner, &line, &one.rule));
        }
    }
    println!("{survived} of {count} survive");
    assert_eq!(survived, 0);
}

/// A name that another literal overlaps, and every sign that assigns.
#[test]
fn names_and_signs_are_found_in_every_notation() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let value = crate::redact::fixture::Letters::new(5).fill("{{alnum:24}}");
    let names = [
        "accessKey",
        "SharedAccessKey",
        "taskKey_secret",
        "DB_PASSWORD",
        "API_KEY",
        "DB%5FPASSWORD",
        "api%5fkey",
    ];
    let signs =
        ["=", " = ", "?=", " ?= ", "+=", ":=", " := ", ": ", "\t=\t", ":\t", "\t:= ", "==", " => "];
    let mut missed = Vec::new();
    for name in names {
        for sign in signs {
            for quote in ["", "\""] {
                let text = format!("{name}{sign}{quote}{value}{quote}");
                for (layer, write) in LAYERS {
                    if layer.starts_with("base64")
                        || name.contains('%') && layer.contains("percent")
                    {
                        continue;
                    }
                    for (way, string) in STRINGS {
                        let line = format!("{{\"text\":{}}}", string(&write(&text)));
                        if !is_found(&scanner, &line, "password") {
                            missed.push(format!("{layer}, {way}: {line}"));
                        }
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), summary(&missed));
}
