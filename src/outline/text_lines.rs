//! About how many lines an entry's text takes: the page knows by it how much room an entry needs before it is built.

use crate::session::Body;
use crate::session::message::{Block, Message};

/// Letters in a line of the page on a wide screen, about.
const LINE_LETTERS: usize = 84;

/// More lines make no difference to what the page can do with them.
const MOST: usize = 5000;

/// The lines of what a person or a model wrote; 0 for anything else.
pub(super) fn text_lines(body: &Body<'_>) -> usize {
    let content: &[Block<'_>] = match body {
        Body::Message(Message::User(content)) => content,
        Body::Message(Message::Assistant(assistant)) => &assistant.content,
        _ => return 0,
    };
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    });
    texts.flat_map(|text| text.trim().lines()).map(line_count).sum::<usize>().min(MOST)
}

/// An empty line is the space between two paragraphs.
fn line_count(line: &str) -> usize {
    line.chars().count().div_ceil(LINE_LETTERS)
}

#[cfg(test)]
mod tests {
    use super::line_count;

    #[test]
    fn long_lines_are_broken() {
        assert_eq!(line_count(""), 0);
        assert_eq!(line_count("a"), 1);
        assert_eq!(line_count(&"é".repeat(84)), 1);
        assert_eq!(line_count(&"é".repeat(85)), 2);
    }
}
