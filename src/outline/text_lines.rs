//! About how many lines an entry's text takes: the page knows by it how much room an entry needs before it is built.

use crate::session::Body;
use crate::session::message::{Block, Message};

/// Letters in a line of the page on a wide screen and on a phone, about.
const LINE_LETTERS: [usize; 2] = [90, 43];

/// More lines make no difference to what the page can do with them.
const MOST: usize = 5000;

/// What each line of the text takes, in tenths of a line of the page.
const CODE: usize = 8;
const GAP: usize = 5;
const HEADING: usize = 15;
const TABLE_ROW: usize = 14;
/// While it is collapsed.
const THINKING: usize = 11;

/// The lines of what a person or a model wrote, on a wide screen and on a phone; 0 for anything else.
pub(super) fn text_lines(body: &Body<'_>) -> [usize; 2] {
    let content: &[Block<'_>] = match body {
        Body::Message(Message::User(content)) => content,
        Body::Message(Message::Assistant(assistant)) => &assistant.content,
        _ => return [0; 2],
    };
    LINE_LETTERS.map(|letters| {
        let blocks = content.iter().map(|block| match block {
            Block::Text(text) => tenths(text.trim(), letters),
            Block::Thinking { .. } => THINKING,
            _ => 0,
        });
        blocks.sum::<usize>().div_ceil(10).min(MOST)
    })
}

fn tenths(text: &str, letters: usize) -> usize {
    let mut in_code = false;
    text.lines()
        .map(|line| {
            let line = line.trim();
            if line.starts_with("```") {
                in_code = !in_code;
                return CODE;
            }
            match line.bytes().next() {
                _ if in_code => CODE,
                None => GAP,
                Some(b'#') => HEADING,
                Some(b'|') => TABLE_ROW,
                Some(_) => 10 * line.chars().count().div_ceil(letters),
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::tenths;

    #[test]
    fn lines_as_the_page_breaks_them() {
        assert_eq!(tenths("", 90), 0);
        assert_eq!(tenths("a", 90), 10);
        assert_eq!(tenths(&"é".repeat(90), 90), 10);
        assert_eq!(tenths(&"é".repeat(91), 90), 20);
        assert_eq!(tenths("# one\n\ntwo\n", 90), 15 + 5 + 10);
        assert_eq!(tenths(&format!("```\n{}\n```\n| a |", "x".repeat(200)), 90), 8 + 8 + 8 + 14);
    }
}
