//! Characters that a reader does not see: what turns the direction of the text
//! around them, what takes no room, and control characters.
//!
//! The page and the terminal draw a mark in their place. Where such a character
//! belongs to what is seen (in an emoji, a flag, Persian, Hindi or Thai), it is
//! left alone.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use crate::byte_search;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Seen(&'t str),
    /// Characters in a row; either all of them are white space or none is.
    Invisible(&'t str),
}

/// The pieces of a text in order; together they are the text.
pub(crate) fn pieces(text: &str) -> Pieces<'_> {
    Pieces { text, at: 0, before: None }
}

/// See [`pieces`].
#[derive(Debug)]
pub(crate) struct Pieces<'t> {
    text: &'t str,
    at: usize,
    /// The character before the text, where that is a part of a longer one.
    before: Option<char>,
}

impl Pieces<'_> {
    /// The same for a text that follows a character.
    pub(crate) fn after(mut self, before: Option<char>) -> Self {
        self.before = before;
        self
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if self.at == self.text.len() {
            return None;
        }
        let run = next_run(self.text, self.at, self.before).unwrap_or(self.text.len()..0);
        if run.start > self.at {
            let seen = &self.text[self.at..run.start];
            self.at = run.start;
            return Some(Piece::Seen(seen));
        }
        self.at = run.end;
        Some(Piece::Invisible(&self.text[run]))
    }
}

/// Whether a text may hold an invisible character. One that belongs to an emoji
/// counts too: telling it takes the text around it.
pub(crate) fn may_be_in(text: &str) -> bool {
    next_suspect(text, 0).is_some()
}

/// The text with `‹U+202E›` in place of each invisible character.
pub(crate) fn marked(text: &str) -> Cow<'_, str> {
    if !may_be_in(text) {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + 16);
    for piece in pieces(text) {
        match piece {
            Piece::Seen(seen) => marked.push_str(seen),
            Piece::Invisible(run) => {
                let _ = write!(marked, "‹{}›", label(run));
            }
        }
    }
    Cow::Owned(marked)
}

/// What a mark says of the characters in its place: `U+202E`, `U+200B ×3`. Tag
/// characters mirror ASCII, so a text hidden in them can be read.
pub(crate) fn label(run: &str) -> String {
    /// Beyond so many different ones a mark only counts.
    const NAMED: usize = 8;
    let mut label = String::new();
    let mut rest = run.chars().peekable();
    let mut named = 0;
    while let Some(c) = rest.next() {
        if named == NAMED {
            let _ = write!(label, " and {} more", rest.count() + 1);
            break;
        }
        named += 1;
        label.push_str(if label.is_empty() { "" } else { " " });
        if let Some(first) = tag_letter(c) {
            label.push_str("tags “");
            label.push(first);
            while let Some(letter) = rest.peek().copied().and_then(tag_letter) {
                label.push(letter);
                rest.next();
            }
            label.push('”');
            continue;
        }
        let _ = write!(label, "U+{:04X}", u32::from(c));
        let mut times = 1;
        while rest.next_if_eq(&c).is_some() {
            times += 1;
        }
        if times > 1 {
            let _ = write!(label, " ×{times}");
        }
    }
    label
}

/// What the characters are called, where all are the same.
pub(crate) fn name(run: &str) -> &'static str {
    let first = run.chars().next().unwrap_or_default();
    if !run.chars().all(|c| c == first) {
        return "invisible characters";
    }
    match first {
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "control character",
        '\u{ad}' => "soft hyphen",
        '\u{61c}' => "Arabic letter mark",
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => "Hangul filler",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "end of embedding or override",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2060}' => "word joiner",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "end of isolate",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{feff}' => "zero width no-break space",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        _ => "invisible character",
    }
}

/// The letter that a tag character mirrors.
fn tag_letter(c: char) -> Option<char> {
    matches!(c, '\u{e0020}'..='\u{e007e}').then(|| char::from_u32(u32::from(c) - 0xe0000)).flatten()
}

/// The next invisible characters in a row, from `at` on.
fn next_run(text: &str, at: usize, before: Option<char>) -> Option<Range<usize>> {
    let mut from = at;
    loop {
        let (start, c) = next_suspect(text, from)?;
        let previous = text[..start].chars().next_back().or(before);
        if let Some(len) = flag_length(previous, &text[start..]) {
            from = start + len;
            continue;
        }
        from = start + c.len_utf8();
        if !belongs(previous, c, text[from..].chars().next()) {
            return Some(start..run_end(text, from, c));
        }
    }
}

/// Where the row ends that `last`, which ends at `end`, begins. Nothing belongs to
/// an invisible character, so no look around is needed.
fn run_end(text: &str, mut end: usize, last: char) -> usize {
    for c in text[end..].chars() {
        if !is_suspect(c) || c.is_whitespace() != last.is_whitespace() {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// Whether such a character may begin with this byte. Most texts have few of them.
#[expect(clippy::needless_bitwise_bool, reason = "looked for in blocks, without branches")]
fn is_lead(byte: u8) -> bool {
    let is_control = (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    let is_lead =
        (byte == 0xc2) | (byte == 0xcd) | (byte == 0xd8) | (byte == 0xef) | (byte == 0xf0);
    is_control | is_lead | (byte == 0x7f) | (0xe1..=0xe3).contains(&byte) | (byte == 0xf3)
}

fn next_suspect(text: &str, from: usize) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += byte_search::first(&bytes[at..], is_lead)?;
        let c = text[at..].chars().next()?;
        if is_suspect(c) {
            return Some((at, c));
        }
        at += c.len_utf8();
    }
}

/// Control characters, and what Unicode 17 calls `Default_Ignorable_Code_Point`,
/// `Bidi_Control`, a line or paragraph separator or an interlinear annotation.
fn is_suspect(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        _ => matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'),
    }
}

/// Whether a character is needed for those around it to be seen as they are meant.
fn belongs(previous: Option<char>, c: char, next: Option<char>) -> bool {
    let Some(previous) = previous else { return false };
    match c {
        '\u{200d}' if is_pictograph(previous) => next.is_none_or(is_pictograph),
        '\u{200c}' | '\u{200d}' => {
            is_joining(previous) && next.is_none_or(|c| !c.is_ascii_alphanumeric())
        }
        // Words of these languages are not set apart by blanks.
        '\u{200b}' => matches!(previous,
            '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{19df}'),
        '\u{34f}' => !previous.is_ascii() && !is_suspect(previous),
        '\u{115f}' => matches!(next, Some('\u{1160}'..='\u{11ff}')),
        '\u{1160}' => matches!(previous, '\u{1100}'..='\u{115f}'),
        '\u{180b}'..='\u{180f}' => {
            matches!(previous, '\u{1800}'..='\u{180a}' | '\u{1810}'..='\u{18af}')
        }
        // Keycaps: a digit, the selector, the frame around both.
        '\u{fe0e}' | '\u{fe0f}' if matches!(previous, '0'..='9' | '#' | '*') => {
            next == Some('\u{20e3}')
        }
        '\u{fe00}'..='\u{fe0f}' => {
            let has_forms = matches!(previous, '\u{a9}' | '\u{ae}' | '\u{1000}'..);
            has_forms && !is_suspect(previous) && !previous.is_whitespace()
        }
        '\u{e0100}'..='\u{e01ef}' => matches!(previous,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'),
        _ => false,
    }
}

/// Emoji and the symbols that may be drawn as such, with what follows one in a sequence.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{205f}' | '\u{2070}'..='\u{3299}' | '\u{fe0f}'
        | '\u{1f000}'..='\u{1fbff}')
}

/// Letters of scripts that join or stack: Arabic and its neighbors, those of India
/// and Southeast Asia, Mongolian.
fn is_joining(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{109f}' | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}'
        | '\u{1800}'..='\u{180a}' | '\u{1810}'..='\u{18af}' | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// The length of the tag characters that make a flag such as Scotland's of the
/// black flag before them.
fn flag_length(previous: Option<char>, tags: &str) -> Option<usize> {
    /// The longest subdivision has a country of two letters and four of its own.
    const LONGEST: usize = 6;
    if previous != Some('\u{1f3f4}') {
        return None;
    }
    let is_code = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let code = tags.chars().take_while(is_code).take(LONGEST).count();
    let end = tags.chars().nth(code);
    (code >= 3 && end == Some('\u{e007f}')).then(|| (code + 1) * '\u{e007f}'.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invisible(text: &str) -> Vec<&str> {
        let all: Vec<Piece<'_>> = pieces(text).collect();
        let whole: String = all
            .iter()
            .map(|piece| match piece {
                Piece::Seen(part) | Piece::Invisible(part) => *part,
            })
            .collect();
        assert_eq!(whole, text);
        all.into_iter()
            .filter_map(|piece| match piece {
                Piece::Invisible(run) => Some(run),
                Piece::Seen(_) => None,
            })
            .collect()
    }

    #[test]
    fn what_turns_or_hides_a_text_is_found() {
        for c in "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}\
                  \u{200b}\u{200c}\u{200d}\u{2060}\u{2061}\u{2064}\u{206f}\u{feff}\u{ad}\u{115f}\u{1160}\u{3164}\
                  \u{ffa0}\u{34f}\u{180e}\u{fe0f}\u{e0001}\u{e0041}\u{e007f}\u{e0101}\u{2028}\u{fff9}\u{1}\u{1b}\
                  \u{7f}\u{85}\u{9b}"
            .chars()
        {
            let text = format!("ad{c}min");
            assert_eq!(invisible(&text), [c.to_string()], "{c:?}");
            assert_eq!(invisible(&c.to_string()), [c.to_string()], "{c:?}");
        }
        assert_eq!(invisible("a\u{202e}\u{200b}b\u{2069}"), ["\u{202e}\u{200b}", "\u{2069}"]);
        assert_eq!(invisible("a\u{2028}\u{202e}b"), ["\u{2028}", "\u{202e}"]);
    }

    #[test]
    fn what_belongs_to_what_is_seen_is_left_alone() {
        for text in [
            "plain\ttext\r\n, \u{a0}é, “quotes”… — •",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466} family",
            "\u{2764}\u{fe0f}\u{200d}\u{1f525} \u{26a0}\u{fe0f} 1\u{fe0f}\u{20e3} \u{a9}\u{fe0f}",
            "\u{1f469}\u{1f3fd}\u{200d}\u{1f4bb} \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Scotland",
            "می\u{200c}خواهم ه\u{200d}",
            "क्\u{200d}ष र्\u{200c}य",
            "ภาษา\u{200b}ไทย",
            "葛\u{e0100}",
            "\u{1822}\u{180b}",
            "שׁ\u{34f}ׂ",
        ] {
            assert_eq!(invisible(text), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn belonging_cannot_be_borrowed() {
        // A text smuggled in selectors behind an emoji: only the first belongs to it.
        assert_eq!(invisible("\u{1f600}\u{fe01}\u{e0141}\u{e0142}"), ["\u{e0141}\u{e0142}"]);
        let tags: String =
            "ignore all".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        assert_eq!(invisible(&format!("\u{1f3f4}{tags}\u{e007f}")).len(), 1);
        assert_eq!(invisible("\u{1f600}\u{200d}a\u{200d}\u{1f600}").len(), 2);
        assert_eq!(invisible("\u{1f600}\u{202e}x"), ["\u{202e}"]);
        assert_eq!(invisible("م\u{200c}\u{200c}م"), ["\u{200c}"]);
        assert_eq!(invisible("1\u{fe0f}2 é\u{fe0f}").len(), 2);
    }

    #[test]
    fn marks_say_what_stands_there() {
        assert_eq!(marked("a\u{202e}b"), "a‹U+202E›b");
        assert_eq!(marked("\u{200b}\u{200b}\u{200b}\u{ad}"), "‹U+200B ×3 U+00AD›");
        assert_eq!(marked("x\u{1b}"), "x‹U+001B›");
        let tags: String =
            "\u{1}hi".chars().map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap()).collect();
        assert_eq!(marked(&tags), "‹U+E0001 tags “hi”›");
        let many: String = ('\u{fe00}'..='\u{fe0f}').collect();
        assert!(label(&many).ends_with("U+FE07 and 8 more"), "{}", label(&many));
        assert!(matches!(marked("caf\u{e9} … “x”"), Cow::Borrowed(_)));
        assert_eq!(name("\u{202e}"), "right-to-left override");
        assert_eq!(name("\u{202e}\u{200b}"), "invisible characters");
    }

    #[test]
    fn every_lead_is_known() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_suspect(*c)) {
            let mut bytes = [0; 4];
            assert!(is_lead(c.encode_utf8(&mut bytes).as_bytes()[0]), "{c:?}");
        }
    }
}
