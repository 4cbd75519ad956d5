//! The keys that the tests press, as on a US keyboard.

use serde_json::{Value, json};

/// The events of a key pressed and released.
pub(super) fn stroke(key: &str, shift: bool) -> [Value; 2] {
    let (code, number, text) = describe(key);
    let event = |kind: &str| {
        json!({
            "type": kind,
            "key": key,
            "code": code,
            "text": text,
            "windowsVirtualKeyCode": number,
            "nativeVirtualKeyCode": number,
            "modifiers": if shift { 8 } else { 0 },
        })
    };
    [event(if text.is_empty() { "rawKeyDown" } else { "keyDown" }), event("keyUp")]
}

/// A key's place on the keyboard, its number and what it types.
fn describe(key: &str) -> (String, u32, &str) {
    let named = |number: u32| (key.to_owned(), number, "");
    match key {
        "Tab" => named(9),
        "Enter" => (key.to_owned(), 13, "\r"),
        "Escape" => named(27),
        " " => ("Space".to_owned(), 32, key),
        "PageUp" => named(33),
        "PageDown" => named(34),
        "End" => named(35),
        "Home" => named(36),
        "ArrowLeft" => named(37),
        "ArrowUp" => named(38),
        "ArrowRight" => named(39),
        "ArrowDown" => named(40),
        "/" | "?" => ("Slash".to_owned(), 191, key),
        ":" => ("Semicolon".to_owned(), 186, key),
        _ => {
            let &[letter] = key.as_bytes() else { panic!("no key {key}") };
            let letter = letter.to_ascii_uppercase();
            let row = if letter.is_ascii_digit() { "Digit" } else { "Key" };
            assert!(letter.is_ascii_alphanumeric(), "no key {key}");
            (format!("{row}{}", char::from(letter)), letter.into(), key)
        }
    }
}
