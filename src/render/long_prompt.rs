//! How many lines of a long prompt stay out of sight until the reader asks for them.
//!
//! Only a browser knows the lines of a text exactly. What is known here, before anything is laid
//! out, is enough to collapse the prompt from the first frame on; the script opens one that fits.

use crate::ansi::width;
use crate::session::Body;
use crate::session::message::{Block, Message};

/// What is seen of a long prompt; `entry.css` has its height.
const SEEN: usize = 12;

/// A prompt with so many lines more is not worth a button.
const SPARE: usize = 2;

/// Columns of a line of prose at its full measure.
const COLUMNS: usize = 78;

/// The lines beyond those that are seen at first; `None` where all are.
pub(super) fn hidden_lines(body: &Body<'_>) -> Option<usize> {
    let content = match body {
        Body::Message(Message::User(content)) => content,
        Body::CustomMessage(custom) if custom.is_prompt() => &custom.content,
        _ => return None,
    };
    let lines: usize = content.iter().map(lines).sum();
    (lines > SEEN + SPARE).then(|| lines - SEEN)
}

fn lines(block: &Block<'_>) -> usize {
    match block {
        Block::Text(text) => {
            // A skill that the prompt brings along is a card.
            let skill = text.starts_with("<skill ").then(|| text.rfind("</skill>")).flatten();
            let typed = skill.map_or(text.as_ref(), |end| &text[end..]);
            let columns = |line: &str| line.trim().chars().map(width).sum::<usize>();
            typed.lines().map(|line| columns(line).div_ceil(COLUMNS)).sum()
        }
        // An image is worth its room.
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> Option<usize> {
        hidden_lines(&Body::Message(Message::User(vec![Block::Text(text.into())])))
    }

    #[test]
    fn a_long_prompt_has_hidden_lines() {
        assert_eq!(hidden(""), None);
        assert_eq!(hidden(&"line\n\n".repeat(14)), None, "two more are not worth a button");
        assert_eq!(hidden(&"line\n".repeat(105)), Some(93));
        assert_eq!(hidden(&"word ".repeat(400)), Some(14), "one paragraph of 26 lines");
        assert_eq!(hidden(&"字".repeat(780)), Some(8), "wide letters");
    }

    #[test]
    fn a_skill_is_a_card_of_one_line() {
        let skill =
            format!("<skill name=\"a\" location=\"b\">\n{}\n</skill>\n\ngo", "x\n".repeat(90));
        assert_eq!(hidden(&skill), None);
    }
}
