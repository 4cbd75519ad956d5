//! Looks for a value in any form it can be read from. Shares no code with what
//! it checks.

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD};
use serde_json::Value;

/// Shortest part of a value that counts as a trace.
const PART: usize = 10;

/// Whether `file`, or anything that can be read out of it, holds a good part of a value.
pub(crate) fn has_trace(file: &str, value: &str) -> bool {
    let readings = readings(file);
    parts(value).iter().any(|part| readings.iter().any(|reading| reading.contains(part.as_str())))
}

/// The value, or stretches of each of its lines.
fn parts(value: &str) -> Vec<String> {
    let stretches = |line: &str| {
        let letters: Vec<char> = line.chars().collect();
        let len = PART.min(letters.len());
        letters
            .chunks(len.max(1))
            .filter(|part| part.len() == len && len >= 5)
            .map(String::from_iter)
            .collect::<Vec<_>>()
    };
    // The public beginning of a token may stand anywhere.
    value
        .lines()
        .flat_map(|line| {
            stretches(
                line.strip_prefix("github_pat_")
                    .or(line.strip_prefix("sk-ant-api03-"))
                    .or(line.strip_prefix("pypi-AgEIcHlwaS5vcmc"))
                    .or(line.strip_prefix("AGE-SECRET-KEY-1"))
                    .or(line.strip_prefix("pscale_tkn_"))
                    .unwrap_or(line),
            )
        })
        .collect()
}

/// The text and all that it says once decoded, in each way on top of each other.
fn readings(file: &str) -> Vec<String> {
    let mut all = vec![file.to_owned()];
    let mut at = 0;
    while at < all.len() && all.len() < 4000 {
        let text = all[at].clone();
        at += 1;
        let mut more = strings(&text);
        more.push(without_escapes(&text));
        more.push(without_colors(&text));
        more.push(without_percent(&text));
        more.extend(decoded_runs(&text));
        for new in more {
            if new != text && !new.is_empty() && !all.contains(&new) {
                all.push(new);
            }
        }
    }
    all
}

fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<Value> =
        text.lines().chain([text]).filter_map(|line| serde_json::from_str(line).ok()).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                for (key, value) in fields {
                    found.push(key);
                    open.push(value);
                }
            }
            _ => {}
        }
    }
    found
}

fn without_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let code = behind
            .strip_prefix('u')
            .and_then(|code| code.get(..4))
            .and_then(|code| u32::from_str_radix(code, 16).ok());
        let (letter, len) = match behind.chars().next() {
            Some('n') => ('\n', 1),
            Some('u') if code.is_some() => (code.and_then(char::from_u32).unwrap_or('?'), 5),
            Some(letter @ ('"' | '\\' | '/')) => (letter, 1),
            _ => ('\\', 0),
        };
        out.push(letter);
        rest = &behind[len..];
    }
    out + rest
}

fn without_colors(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\x1b[") {
        out.push_str(before);
        rest = behind.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';');
        rest = rest.strip_prefix('m').unwrap_or(rest);
    }
    out + rest
}

fn without_percent(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('%') {
        out.push_str(before);
        let code = behind.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        if let Some(code) = code.filter(u8::is_ascii) {
            out.push(char::from(code));
            rest = &behind[2..];
        } else {
            out.push('%');
            rest = behind;
        }
    }
    out + rest
}

/// What the base64 of a text says; lines of it are also read as one.
fn decoded_runs(text: &str) -> Vec<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "+/-_".contains(letter);
    let joined = text.replace('\n', "");
    let mut found = Vec::new();
    for text in [text, &joined] {
        for run in text.split(|letter| !is_letter(letter)).filter(|run| run.len() >= 16) {
            for skip in 0..4 {
                let letters = &run.as_bytes()[skip..];
                let letters = &letters[..letters.len() / 4 * 4
                    + if letters.len() % 4 == 1 { 0 } else { letters.len() % 4 }];
                for encoding in [&BASE64_NOPAD, &BASE64URL_NOPAD] {
                    let mut lenient = encoding.specification();
                    lenient.check_trailing_bits = false;
                    let bytes = lenient.encoding().unwrap().decode(letters).unwrap_or_default();
                    found.extend(String::from_utf8(bytes).ok().filter(|text| {
                        !text.chars().any(|letter| letter.is_control() && !letter.is_whitespace())
                    }));
                }
            }
        }
    }
    found
}

#[test]
fn traces_are_seen_in_every_form() {
    let value = "Zx81kQ22mmPl0c7Yw";
    let text = format!("secret={value}");
    let base64 = data_encoding::BASE64.encode(text.as_bytes());
    let each = |form: &dyn Fn(u8) -> String| value.bytes().map(form).collect::<Vec<_>>().concat();
    let forms = [
        value.to_owned(),
        serde_json::json!({"a": [{value: 1}]}).to_string(),
        serde_json::json!({"a": serde_json::json!({"b": value}).to_string()}).to_string(),
        format!("x {base64} y"),
        data_encoding::BASE64.encode(base64.as_bytes()),
        each(&|byte| format!("\\u{byte:04x}")),
        each(&|byte| format!("%{byte:02X}")),
        each(&|byte| format!("\x1b[31m{}", char::from(byte))),
    ];
    for form in forms {
        assert!(has_trace(&form, value), "{form}");
    }
    assert!(!has_trace("[redacted:password #1]", value));
}
