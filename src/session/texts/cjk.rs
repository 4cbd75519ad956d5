//! Emphasis beside the punctuation of Chinese, Japanese and Korean.
//!
//! The rule for where `**` may begin and end looks at blanks and punctuation
//! around it. These scripts write no blanks there, so `**「粉」**很` and `**"밀"**은` would stay as they are,
//! stars included. A joint between the stars and the punctuation, which counts
//! as a letter, makes both sides possible; it is taken out of the markup again.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::CharIndices;

/// A character for private use, which no text holds that is handled here.
const JOINT: char = '\u{f8f0}';

/// The text with joints where emphasis beside such punctuation may end or
/// begin; `None` where there is no such place.
pub(crate) fn with_joints(text: &str) -> Option<String> {
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
        let joint = if is_beside(before, after) {
            Some(at)
        } else {
            is_beside(after, before).then_some(end)
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
pub(crate) fn without_joints(markup: &str) -> Cow<'_, str> {
    if markup.contains(JOINT) { markup.replace(JOINT, "").into() } else { markup.into() }
}

/// Whether a run of stars between such a sign and such a letter needs a joint.
fn is_beside(sign: char, letter: char) -> bool {
    is_wide_punctuation(sign) && letter.is_alphanumeric()
        || sign.is_ascii_punctuation() && sign != '*' && is_of_these_scripts(letter)
}

/// Kana, Han and Hangul.
// The Unicode Standard, the blocks from Hiragana to Hangul Syllables.
pub(crate) fn is_of_these_scripts(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3131}'..='\u{318e}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{20000}'..='\u{323af}')
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '\u{2014}' | '\u{2018}'..='\u{201f}' | '\u{2026}' | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_stand_where_emphasis_would_not_end() {
        let joined = |text| with_joints(text).map(|text| text.replace(JOINT, "|"));
        assert_eq!(joined("**「粉」**很").as_deref(), Some("**「粉」|**很"));
        assert_eq!(joined("很**「粉」**").as_deref(), Some("很**|「粉」**"));
        assert_eq!(joined("**\"밀\"**은").as_deref(), Some("**\"밀\"|**은"));
        assert_eq!(joined("**밀(wheat)**은").as_deref(), Some("**밀(wheat)|**은"));
        for text in ["**\"a\"**b", "**粉** 很", "a*b*c", "「粉」"] {
            assert_eq!(joined(text), None, "{text}");
        }
    }
}
