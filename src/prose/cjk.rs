//! Emphasis beside the punctuation of Chinese and Japanese.
//!
//! The rule for where `**` may begin and end looks at blanks and punctuation
//! around it. These scripts write no blanks, so `**「粉」**很` would stay as it is,
//! stars included. A joint between the stars and the punctuation, which counts
//! as a letter, makes both sides possible; it is taken out of the markup again.

use std::iter::Peekable;
use std::str::CharIndices;

/// A character for private use, which no text holds that is handled here.
const JOINT: char = '\u{f8f0}';

/// The text with joints where emphasis beside such punctuation may end or
/// begin; `None` where there is no such place.
pub(super) fn with_joints(text: &str) -> Option<String> {
    if !text.contains('*') || text.contains(JOINT) {
        return None;
    }
    let mut joined = String::new();
    let mut copied = 0;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c != '*' {
            before = c;
            continue;
        }
        let end = end_of_run(at, &mut chars);
        let after = chars.peek().map_or(' ', |(_, c)| *c);
        let joint = if is_punctuation(before) && is_letter(after) {
            Some(at)
        } else {
            (is_letter(before) && is_punctuation(after)).then_some(end)
        };
        if let Some(joint) = joint {
            joined.push_str(&text[copied..joint]);
            joined.push(JOINT);
            copied = joint;
        }
        before = '*';
    }
    joined.push_str(&text[copied..]);
    (copied > 0).then_some(joined)
}

/// Takes the rest of a run of stars that begins at `start`; where it ends.
fn end_of_run(start: usize, chars: &mut Peekable<CharIndices<'_>>) -> usize {
    let mut end = start + 1;
    while chars.next_if(|(_, c)| *c == '*').is_some() {
        end += 1;
    }
    end
}

/// The markup without the joints.
pub(super) fn without_joints(markup: &str) -> String {
    markup.replace(JOINT, "")
}

fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{2014}' | '\u{2018}'..='\u{201f}' | '\u{2026}' | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}
