//! A text with the words in one piece that line breaks part: a terminal, an editor, a mail, a
//! diff, or a program that joins strings over lines.
//!
//! Only such words are in this view, each with some text before it, so that searching it costs
//! little beside searching the text itself.

use std::ops::Range;

use crate::redact::bytes::{ALPHANUMERIC, Bytes};

use super::signs::{MAX_SIGNS, MAX_SPACES, Signs, spaced};
use super::view::View;

/// Text before a broken word that is part of the view, in bytes: what names a key stands there.
const CONTEXT: usize = 64;

/// Longest part of a word in one line, in bytes.
const MAX_RUN: usize = 2_000;

/// Longest broken word, in bytes and in lines.
const MAX_WORD: usize = 5_000;
pub(crate) const MAX_LINES: usize = 64;

/// Shortest broken word that may be a token: with a digit or some capitals in it, and without.
const MIN_WORD: usize = 16;
const MIN_LETTERS: usize = 30;
const MIN_CAPITALS: usize = 6;

/// Columns of a line that mail breaks by an equals sign.
const MAIL: Range<usize> = 60..78;

/// Beside these a token may be broken.
static LETTER: Bytes = ALPHANUMERIC.and(b"_-.+/=~:$!");

/// With these a word goes on: all that are visible but quotes, brackets and what ends a clause.
static RUN: Bytes = ALPHANUMERIC.and(b"!#$%&*+-./:=?@^_|~");

/// A break within a word.
#[derive(Debug)]
pub(crate) struct Joint {
    /// Where the view joins the two parts.
    pub(crate) at: usize,
    /// Where the broken word ends in the view, and the run of letters behind it.
    pub(crate) word_end: usize,
    /// A sign says that the line goes on: a backslash, or a plus between strings.
    pub(crate) is_stated: bool,
}

/// The view of all broken words.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) view: View,
    pub(crate) joints: Vec<Joint>,
}

/// A break as it stands in the text, with all that belongs to it.
#[derive(Debug)]
struct Break {
    range: Range<usize>,
    is_stated: bool,
}

/// The words of a text that line breaks part. `None` without any.
pub(crate) fn broken(text: &str) -> Option<Broken> {
    let (words, breaks) = words(text.as_bytes());
    if words.is_empty() {
        return None;
    }
    let mut pieces: Vec<(Range<usize>, Option<char>)> = Vec::new();
    let mut joints = Vec::new();
    let (mut copied, mut removed) = (0, 0);
    for word in &words {
        let start = context(text, word.start, copied);
        if start > copied {
            pieces.push((copied..start, Some('\n')));
            removed += start - copied - 1;
        }
        let from = joints.len();
        for one in &breaks[word.breaks.clone()] {
            let at = one.range.start - removed;
            joints.push(Joint { at, word_end: 0, is_stated: one.is_stated });
            removed += one.range.len();
            pieces.push((one.range.clone(), None));
        }
        for joint in &mut joints[from..] {
            joint.word_end = word.end - removed;
        }
        copied = word.end;
    }
    if copied < text.len() {
        pieces.push((copied..text.len(), Some('\n')));
    }
    let view = View::build(text, pieces.into_iter())?;
    Some(Broken { view, joints })
}

/// Where the text before a word begins that is shown with it.
fn context(text: &str, word: usize, copied: usize) -> usize {
    let from = word.saturating_sub(CONTEXT).max(copied);
    let line =
        memchr::memrchr(b'\n', &text.as_bytes()[from..word]).map_or(from, |at| from + at + 1);
    (line..word).find(|&at| text.is_char_boundary(at)).unwrap_or(word)
}

/// A word over several lines.
#[derive(Debug)]
struct Word {
    start: usize,
    end: usize,
    /// Where its breaks stand in the list of all.
    breaks: Range<usize>,
}

impl Word {
    /// Whether it may be a token at all.
    fn may_be_token(&self, text: &[u8], breaks: &[Break]) -> bool {
        let gaps: usize = breaks[self.breaks.clone()].iter().map(|one| one.range.len()).sum();
        let len = self.end - self.start - gaps;
        let own = &text[self.start..self.end];
        let capitals = || own.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        len >= MIN_LETTERS
            || len >= MIN_WORD && (own.iter().any(u8::is_ascii_digit) || capitals() >= MIN_CAPITALS)
    }
}

/// The words that line breaks part, and their breaks.
fn words(text: &[u8]) -> (Vec<Word>, Vec<Break>) {
    let mut words: Vec<Word> = Vec::new();
    let mut breaks: Vec<Break> = Vec::new();
    let mut line = 0;
    for at in memchr::memchr_iter(b'\n', text) {
        let found = line_break(text, line, at);
        line = at + 1;
        let Some(found) = found else { continue };
        let start = run_start(text, found.range.start);
        let end = run_end(text, found.range.end);
        let goes_on = words.last_mut().filter(|word| {
            found.range.start <= word.end
                && word.breaks.len() < MAX_LINES
                && end - word.start < MAX_WORD
        });
        if let Some(word) = goes_on {
            word.breaks.end += 1;
            word.end = end;
        } else {
            if let Some(word) = words.pop_if(|word| !word.may_be_token(text, &breaks)) {
                breaks.truncate(word.breaks.start);
            }
            words.push(Word { start, end, breaks: breaks.len()..breaks.len() + 1 });
        }
        breaks.push(found);
    }
    words.pop_if(|word| !word.may_be_token(text, &breaks));
    // A word that was cut for its length begins where the one before has ended.
    for at in 1..words.len() {
        let before = words[at - 1].end;
        words[at].start = words[at].start.max(before);
    }
    words.retain(|word| breaks[word.breaks.start].range.start >= word.start);
    (words, breaks)
}

/// The break at `at`, behind the line that begins at `line`, if a word goes on over it.
fn line_break(text: &[u8], line: usize, at: usize) -> Option<Break> {
    // Most lines end with a sign that no word goes on behind.
    let last = *text[line..trimmed(text, line, at)].last()?;
    if !LETTER.has(last)
        && last.is_ascii()
        && !is_quote(last)
        && !matches!(last, b'\\' | b'|' | b'&')
    {
        return None;
    }
    let before = Ending::of(text, line, at);
    let last = text[line..before.at].last().copied().filter(|byte| LETTER.has(*byte))?;
    let head = beginning(text, line, at + 1, before.quote)?;
    let first = text.get(head).copied().filter(|byte| LETTER.has(*byte))?;
    (last.is_ascii_alphanumeric() || first.is_ascii_alphanumeric())
        .then_some(Break { range: before.at..head, is_stated: before.is_stated })
}

/// How a line ends in the midst of a word.
struct Ending {
    at: usize,
    quote: Option<u8>,
    is_stated: bool,
}

impl Ending {
    fn of(text: &[u8], line: usize, newline: usize) -> Ending {
        let mut end = trimmed(text, line, newline);
        let own = &text[line..end];
        if own.last().is_some_and(u8::is_ascii_alphanumeric) {
            return Ending { at: end, quote: None, is_stated: false };
        }
        let mut is_stated = false;
        if own.ends_with(b"\\") && !own.ends_with(b"\\\\") {
            is_stated = true;
            end = trimmed(text, line, end - 1);
        } else if let Some(len) = border(own) {
            end = trimmed(text, line, end - len);
        } else if let Some(behind) = behind_operator(own) {
            is_stated = true;
            end = trimmed(text, line, line + behind);
        }
        let quote = text[line..end].last().copied().filter(|byte| is_quote(*byte));
        end -= usize::from(quote.is_some());
        let own = &text[line..end];
        let is_mail = MAIL.contains(&own.len()) && own.ends_with(b"=") && !own.ends_with(b"==");
        end -= usize::from(quote.is_none() && is_mail);
        Ending { at: end, quote, is_stated }
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Spaces and carriage returns taken off.
fn trimmed(text: &[u8], from: usize, end: usize) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    end - text[from..end].iter().rev().take(MAX_SPACES).take_while(is_space).count()
}

/// The length of a box's right border.
fn border(line: &[u8]) -> Option<usize> {
    let borders = ["|", "│", "┃", "║"];
    borders.iter().find(|sign| line.ends_with(sign.as_bytes())).map(|sign| sign.len())
}

/// Where a string ends that an operator joins to the next one.
fn behind_operator(line: &[u8]) -> Option<usize> {
    let operators: [&[u8]; 5] = [b"+", b"..", b".", b"&", b"||"];
    let sign = operators.iter().find(|sign| line.ends_with(sign))?;
    let end = trimmed(line, 0, line.len() - sign.len());
    line[..end].last().is_some_and(|byte| is_quote(*byte)).then_some(end)
}

/// Where a word goes on in the line at `start`; none when a string was closed and no other begins.
fn beginning(text: &[u8], before: usize, start: usize, quote: Option<u8>) -> Option<usize> {
    let first = spaced(text, start);
    // A word begins there, and neither a sign nor a number.
    if quote.is_none()
        && text.get(first).is_none_or(|byte| byte.is_ascii_alphabetic() || *byte == b'\n')
    {
        return Some(first);
    }
    let may_be_signed = text.get(first..).is_some_and(Signs::may_begin);
    let signed = may_be_signed.then(|| behind_signs(&text[before..start], &text[start..]));
    let begin = signed.flatten().map_or(first, |len| start + len);
    let Some(quote) = quote else { return Some(begin) };
    let operators: [&[u8]; 4] = [b"+", b"..", b".", b"&"];
    let rest = &text[begin..];
    let sign = operators.iter().find(|sign| rest.starts_with(sign)).map_or(0, |sign| sign.len());
    let mut at = spaced(text, begin + sign);
    at += usize::from(text.get(at).is_some_and(|byte| b"fbru".contains(byte)));
    (text.get(at) == Some(&quote)).then_some(at + 1)
}

/// The length of the signs that a line has in common with the one before it; none if they differ.
fn behind_signs(before: &[u8], line: &[u8]) -> Option<usize> {
    // What a terminal has broken has no signs of its own. The first line of a string has them
    // behind its quote.
    let quoted = memchr::memrchr(b'"', before).map(|at| &before[at + 1..]);
    [quoted, Some(before)].into_iter().flatten().find_map(|other| {
        let (_, signs) = Signs::of(other, MAX_SIGNS);
        let (len, own) = Signs::of(line, signs.count());
        let is_whole = other.len() == before.len();
        (own == signs && (is_whole || signs != Signs::default())).then_some(len)
    })
}

fn run_start(text: &[u8], end: usize) -> usize {
    end - text[..end].iter().rev().take(MAX_RUN).take_while(|byte| RUN.has(**byte)).count()
}

fn run_end(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take(MAX_RUN).take_while(|byte| RUN.has(**byte)).count()
}
