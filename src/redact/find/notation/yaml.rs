//! Values that stand on other lines than their names, or under a label of
//! their own: YAML, Terraform, `name` and `value` side by side.
//!
//! `values` tries the forms in turn: a pair of labels, a block, what stands indented below the name. Each looks at a
//! bounded number of lines, so that a long list behind each of many names costs no more than the text.

use std::ops::Range;

use super::lines::NotationLine;
use super::named::Named;
use super::value::{part, skip_blank, skip_spaces, string_or_word};

/// Lines that may stand between `name:` and `value:`.
const MAX_BETWEEN: usize = 3;

/// Lines of a Terraform block that are looked at.
const MAX_BLOCK: usize = 16;

/// Items of a list that are looked at.
const MAX_ITEMS: usize = 200;

const VALUES: &[&[u8]] = &[b"value", b"Value", b"ParameterValue", b"parameterValue", b"default"];

/// The values given to a name.
pub(super) fn values(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    if let Some(found) = pair(text, named) {
        return vec![found];
    }
    if let Some(found) = block(text, named) {
        return vec![found];
    }
    below(text, named)
}

/// `name: DB_PASSWORD` and `value: x`, in either order, on lines or in braces.
fn pair(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let name = &named.range;
    let near = &text[name.start.saturating_sub(40)..name.start];
    if !is_label(near) {
        return None;
    }
    let mut at = name.end;
    at += usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    let same_line = skip_spaces(text, at);
    if text.get(same_line) == Some(&b',') {
        return labelled(text, skip_blank(text, same_line + 1));
    }
    if !matches!(text.get(same_line), None | Some(b'\n' | b'\r' | b'#')) {
        return None;
    }
    let line = NotationLine::of(text, name.start)?;
    let mut next = line;
    for _ in 0..MAX_BETWEEN {
        let Some(line) = next.next(text) else { break };
        next = line;
        let first = next.first(text);
        if let Some(found) = labelled(text, first) {
            return Some(found);
        }
        // The next item begins.
        if text.get(first) == Some(&b'-') {
            break;
        }
    }
    let before = line.before(text)?;
    let first = before.first(text);
    let dash = if text[first..].starts_with(b"- ") { 2 } else { 0 };
    labelled(text, skip_spaces(text, first + dash))
}

/// Whether `name:`, `"key":`, `ParameterKey=` or the like stands before.
fn is_label(near: &[u8]) -> bool {
    let near = near.strip_suffix(b"\"").or(near.strip_suffix(b"'")).unwrap_or(near);
    let near = near.trim_ascii_end();
    let Some((b':' | b'=', near)) = near.split_last() else { return false };
    let near = near.trim_ascii_end();
    let near = near.strip_suffix(b"\"").or(near.strip_suffix(b"'")).unwrap_or(near);
    let labels: [&[u8]; 8] =
        [b"name", b"Name", b"key", b"Key", b"ParameterKey", b"parameterKey", b"variable", b"NAME"];
    labels.iter().any(|label| {
        let before = near.strip_suffix(*label);
        before.is_some_and(|before| !before.last().is_some_and(u8::is_ascii_alphanumeric))
    })
}

/// The value behind `value:` or `value =`.
fn labelled(text: &[u8], at: usize) -> Option<Range<usize>> {
    let quote = usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    let label = VALUES.iter().find(|label| text[at + quote..].starts_with(label))?;
    let behind = skip_spaces(text, at + quote + label.len() + quote);
    matches!(text.get(behind), Some(b':' | b'=')).then_some(())?;
    let value = string_or_word(text, skip_spaces(text, behind + 1))?;
    Some(value.range)
}

/// `variable "db_password" { … default = "x" }`
fn block(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let name = &named.range;
    let before = text[..name.start].strip_suffix(b"\"")?;
    let kinds: [&[u8]; 5] = [b"variable ", b"parameter ", b"output ", b"param ", b"local "];
    kinds.iter().find(|kind| before.ends_with(kind))?;
    let open = skip_spaces(text, name.end + 1);
    (text.get(open) == Some(&b'{')).then_some(())?;
    let mut line = NotationLine::of(text, open)?;
    let first = skip_spaces(text, open + 1);
    if first < line.end {
        return labelled(text, first);
    }
    for _ in 0..MAX_BLOCK {
        line = line.next(text)?;
        let first = line.first(text);
        if text.get(first) == Some(&b'}') && line.indent(text) == 0 {
            return None;
        }
        if let Some(found) = labelled(text, first) {
            return Some(found);
        }
    }
    None
}

/// What stands on the lines below `name:`.
fn below(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    let Some(items) = opens_lines(text, named) else { return Vec::new() };
    let Some(line) = NotationLine::of(text, named.range.start) else { return Vec::new() };
    let mut found = Vec::new();
    let mut next = line;
    let indent = line.indent(text);
    for _ in 0..MAX_ITEMS {
        let Some(line) = next.next(text) else { break };
        next = line;
        let first = line.first(text);
        let rest = part(text, first..line.end);
        let is_item = rest.starts_with(b"- ");
        let is_inside = line.indent(text) > indent || is_item && line.indent(text) == indent;
        if rest.is_empty() || !is_inside || is_item && items == Below::Block {
            break;
        }
        let begin = if is_item { skip_spaces(text, first + 2) } else { first };
        // A word alone on its line, not a name of something below.
        let Some(value) = string_or_word(text, begin) else { break };
        let mut behind = value.range.end;
        behind += usize::from(value.is_quoted);
        let tail = part(text, behind..line.end).trim_ascii_start();
        if !tail.is_empty() && !tail.starts_with(b"#") && tail != b"," {
            break;
        }
        found.push(value.range);
        if !is_item && items == Below::Plain {
            break;
        }
    }
    found
}

#[derive(PartialEq, Eq)]
enum Below {
    /// Behind `|` or `>`.
    Block,
    /// A value or a list.
    Plain,
}

/// Whether nothing but a colon, and perhaps the sign of a block, follows the name.
fn opens_lines(text: &[u8], named: &Named) -> Option<Below> {
    let mut at = named.range.end;
    at += usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    (text.get(at) == Some(&b':')).then_some(())?;
    at = skip_spaces(text, at + 1);
    let mut kind = Below::Plain;
    if matches!(text.get(at), Some(b'|' | b'>')) {
        kind = Below::Block;
        at += 1;
        at += text[at..].iter().take(2).take_while(|byte| b"+-123456789".contains(byte)).count();
        at = skip_spaces(text, at);
    } else if text.get(at) == Some(&b'[') {
        at = skip_spaces(text, at + 1);
    }
    matches!(text.get(at), Some(b'\n' | b'\r')).then_some(kind)
}

/// `[x, "y"]` behind a name of several things.
pub(super) fn inline_list(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if text.get(at) != Some(&b'[') {
        return found;
    }
    let mut at = skip_blank(text, at + 1);
    for _ in 0..MAX_ITEMS {
        let Some(value) = string_or_list_word(text, at) else { break };
        at = value.end;
        at += usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
        found.push(value);
        at = skip_blank(text, at);
        if text.get(at) != Some(&b',') {
            break;
        }
        at = skip_blank(text, at + 1);
    }
    found
}

fn string_or_list_word(text: &[u8], at: usize) -> Option<Range<usize>> {
    if text.get(at).is_some_and(|byte| b"\"'".contains(byte)) {
        return super::value::string(text, at);
    }
    let range = super::value::bare(text, at, &super::value::IN_LIST);
    (!range.is_empty()).then_some(range)
}
