//! Keys by their names.

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::key::Key;

/// Presses a key, such as `j` or `Enter`, while others are held.
pub(super) fn stroke(held: &[Key], key: &str) -> KeyActions {
    let held: Vec<char> = held.iter().map(|&key| key.into()).collect();
    let key = code(key);
    let mut actions = KeyActions::new("keyboard".to_owned());
    for &value in held.iter().chain([&key]) {
        actions = actions.then(KeyAction::Down { value });
    }
    for &value in [key].iter().chain(held.iter().rev()) {
        actions = actions.then(KeyAction::Up { value });
    }
    actions
}

fn code(name: &str) -> char {
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => match name {
            "Enter" => Key::Enter.into(),
            "Escape" => Key::Escape.into(),
            "Tab" => Key::Tab.into(),
            "ArrowDown" => Key::Down.into(),
            _ => panic!("no key is named {name}"),
        },
    }
}
