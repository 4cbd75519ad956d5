//! What is found in a text is found in every form that a session can hold it in,
//! and what is left is the same text whichever way its string was written.

#![no_main]

use std::sync::LazyLock;

use data_encoding::BASE64;
use leafpress::redact::{Redactor, Rules, Scanner};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static SCANNER: LazyLock<Scanner> =
    LazyLock::new(|| Scanner::new(&Rules::new()).expect("the table's rules fit"));

/// What bytes from 0xc0 on stand for: more of what rules look at than chance would bring.
#[rustfmt::skip]
const PIECES: [&str; 64] = [
    "password", "API_KEY", "token", "secret", "auth", "Cookie: ", "Bearer ", "Basic ", "Authorization", "key",
    "://u:", "@h.net", "curl -u a:", "--user ", "AKIA", "ghp_", "sk-ant-", "xoxb-", "eyJ", "glpat-",
    "PRIVATE KEY-----\n", "-----BEGIN ", "[redacted:password #1]", "[redacted:", "=", ":", "\"", "'", "`", "\\",
    "\\n", "\\u0041", "\\u201c", "\\\\", "\\/", "%20", "%3D", "%5F", "%E2%80%9C", "&#61;",
    "&lowbar;", "\u{200b}", "\u{ad}", "**", "\u{201c}", "\u{79d8}", "\u{2192}", "\u{a0}", "\u{1f511}", "\u{e9}",
    "\u{1b}[31m", "\u{1b}]0;t\u{7}", "\n", "\r\n", "\t", "Zk3Qw9Lr7TbX2mVn", "8Ps4Yc6Hd1Jf5Gu0Ea9K", "OX66VTRVQOV2AAFA", "3f9a1c77b2e0d4856e1f", "k3strel-91",
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldY", "cGFzc3dvcmQ9azNzdHJlbC05MS1sYW50ZXJu", "{\"a\":\"", "\"}",
];

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let nested = Value::from(Value::from(text.as_str()).to_string()).to_string();
    let strings = [quoted(&text), ascii(&text), escapes(&text)];
    for string in strings.iter().chain([&nested]) {
        is_found_in(string, &text);
    }
    // Base64 is known by its first letters.
    let padded = format!("# settings of the program\n{text}");
    is_found_in(&quoted(&BASE64.encode(padded.as_bytes())), &padded);
    let [usual, ascii, escapes] = strings.map(|string| redacted(&string));
    assert_eq!(usual, ascii);
    assert_eq!(usual, escapes);
    let again = redacted(&quoted(&usual));
    assert_eq!(usual, again, "redacted twice");
    let mut redactor = Redactor::new(&Rules::new()).expect("the table's rules fit");
    redactor.learn(bytes);
    redactor.file(bytes);
});

/// What is found in a text is found in the string that holds it.
fn is_found_in(string: &str, text: &str) {
    let line = format!("{{\"x\":{string}}}");
    let is_found = SCANNER.scan_text(text).is_empty() || !SCANNER.scan_json(&line).is_empty();
    assert!(is_found, "found in {text:?}, not in {line}");
}

fn text(bytes: &[u8]) -> String {
    let piece = |&byte: &u8| match byte.checked_sub(0xc0) {
        Some(piece) => PIECES[usize::from(piece)].to_owned(),
        None => char::from(byte & 0x7f).to_string(),
    };
    bytes.iter().map(piece).collect()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn ascii(text: &str) -> String {
    let letter = |letter: char| if letter.is_ascii() { letter.to_string() } else { escape(letter) };
    quoted(text).chars().map(letter).collect()
}

fn escapes(text: &str) -> String {
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

fn escape(letter: char) -> String {
    letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// The text of a JSON string as it is read once it was redacted.
fn redacted(string: &str) -> String {
    let line = format!("{{\"x\":{string}}}\n");
    let mut redactor = Redactor::new(&Rules::new()).expect("the table's rules fit");
    redactor.learn(line.as_bytes());
    let new: Value =
        serde_json::from_slice(&redactor.file(line.as_bytes())).expect("JSON stays JSON");
    new["x"].as_str().expect("a string stays a string").to_owned()
}
