//! Names and values in tables: of Markdown, of databases' tools, CSV.
//!
//! A heading or a first cell is the name, and what stands below or beside it the value. `parting` says what parts the
//! cells; without a sign, columns begin where headings do (`aligned`). So much is read below one heading and no
//! more (`MAX_ROWS`): a long log may begin like a table.

use std::ops::Range;

use crate::redact::bytes::contains;

use super::lines::NotationLine;
use super::named::Named;
use super::value::{part, trim_end};

/// Bytes of rows that are read below one heading.
const MAX_ROWS: usize = 1 << 16;

/// The values in the cells beside or below a name.
pub(super) fn values(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    let Some(line) = NotationLine::of(text, named.range.start) else { return Vec::new() };
    let Some(part) = parting(text, line, named) else { return Vec::new() };
    match part {
        Part::Columns if line.first(text) == named.range.start => {
            let beside = listed(text, line, named);
            beside.map_or_else(|| aligned(text, line, named), |value| vec![value])
        }
        Part::Columns => aligned(text, line, named),
        _ => cells_of(text, line, named, part),
    }
}

/// What parts the cells of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Bar,
    Box,
    Sign(u8),
    /// Nothing but spaces: cells begin where headings do.
    Columns,
}

impl Part {
    fn sign(self) -> &'static [u8] {
        match self {
            Part::Bar => b"|",
            Part::Box => "│".as_bytes(),
            Part::Sign(b';') => b";",
            Part::Sign(b'\t') => b"\t",
            Part::Sign(_) => b",",
            Part::Columns => b"",
        }
    }
}

fn parting(text: &[u8], line: NotationLine, named: &Named) -> Option<Part> {
    let own = line.text(text);
    let name = &named.range;
    let around = |byte: &u8| b" \t`*_\"'".contains(byte);
    let after = part(text, name.end..line.end).iter().find(|byte| !around(byte)).copied();
    let before =
        part(text, line.start..name.start).iter().rev().find(|byte| !around(byte)).copied();
    if after == Some(b'|') || before == Some(b'|') && after.is_none() {
        return Some(Part::Bar);
    }
    if contains(own, "│".as_bytes()) {
        return Some(Part::Box);
    }
    let sign = [b',', b';', b'\t'].into_iter().find(|sign| own.contains(sign));
    if let Some(sign) = sign {
        let is_heading = |field: &[u8]| {
            let field = field.trim_ascii();
            !field.is_empty()
                && field.len() <= 40
                && field.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.\" ".contains(byte))
        };
        let fits = own.split(|&byte| byte == sign).all(is_heading) && line.indent(text) == 0;
        return fits.then_some(Part::Sign(sign));
    }
    (own.windows(2).any(|pair| pair == b"  ") && own.len() < 400).then_some(Part::Columns)
}

fn cells_of(text: &[u8], line: NotationLine, named: &Named, part: Part) -> Vec<Range<usize>> {
    let sign = part.sign();
    let heading = cells(text, line, sign);
    let Some(column) = heading.iter().position(|cell| {
        cell.start <= named.range.start
            && named.range.end <= cell.end
            && bare_cell(text, cell) == named.range
    }) else {
        return Vec::new();
    };
    let is_csv = matches!(part, Part::Sign(_));
    let below = line.next(text);
    let is_head = below.is_some_and(|below| {
        if is_csv || is_list(line.text(text)) && part == Part::Bar {
            cells(text, below, sign).len() == heading.len()
        } else {
            is_rule(below.text(text))
        }
    });
    if !is_head {
        if is_csv {
            return Vec::new();
        }
        // A row of a name and its value.
        if column == 0 && heading.len() == 2 && is_below(text, line, is_record) {
            return vec![bare_cell(text, &heading[1])];
        }
        if !line.text(text).trim_ascii().starts_with(sign) {
            return Vec::new();
        }
        return heading.get(column + 1).map(|cell| bare_cell(text, cell)).into_iter().collect();
    }
    let mut found = Vec::new();
    let mut next = below;
    let mut read = 0;
    while let Some(row) = next.filter(|_| read < MAX_ROWS) {
        next = row.next(text);
        read = row.end - line.end;
        let own = row.text(text);
        if is_rule(own) {
            continue;
        }
        let cells = cells(text, row, sign);
        let fits = if is_csv { cells.len() == heading.len() } else { cells.len() > column };
        if !fits || own.trim_ascii().is_empty() {
            break;
        }
        let value = bare_cell(text, &cells[column]);
        // Another heading: it is read for itself.
        let is_heading = super::named::names_secret(text, &value);
        if is_heading {
            break;
        }
        found.push(value);
    }
    found
}

/// `id|user|password`, as `sqlite3` writes headings in its list mode.
fn is_list(row: &[u8]) -> bool {
    let is_name = |cell: &[u8]| {
        !cell.is_empty()
            && cell.len() <= 40
            && cell.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    row.contains(&b'|') && row.split(|&byte| byte == b'|').all(is_name)
}

/// Lines above a row in which its heading is looked for.
const MAX_ABOVE: usize = 40;

/// Whether a heading stands above a row, and no line between them is blank.
fn is_below(text: &[u8], line: NotationLine, is_heading: fn(&[u8]) -> bool) -> bool {
    let above = std::iter::successors(line.before(text), |line| line.before(text));
    let mut above = above.take(MAX_ABOVE).take_while(|line| !line.is_blank(text));
    above.any(|line| is_heading(line.text(text).trim_ascii()))
}

/// What `psql` puts before each row in its expanded form.
fn is_record(line: &[u8]) -> bool {
    // Its first sign is that of a diff, too.
    let line = line.strip_prefix(b"+").unwrap_or(line);
    line.strip_prefix(b"-").unwrap_or(line).starts_with(b"[ RECORD ")
}

/// `Key    Value`, with a rule below.
fn is_of_values(line: &[u8]) -> bool {
    line.strip_prefix(b"Key ").is_some_and(|rest| rest.trim_ascii() == b"Value")
}

/// The value beside a name, as Vault lists both.
fn listed(text: &[u8], line: NotationLine, named: &Named) -> Option<Range<usize>> {
    let rest = part(text, named.range.end..line.end);
    let spaces = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (spaces >= 2 && is_below(text, line, is_of_values)).then_some(())?;
    let value = named.range.end + spaces..line.end;
    Some(bare_cell(text, &value)).filter(|value| !text[value.clone()].contains(&b' '))
}

/// The second column below the heading at `literal`, as Vault prints what a secret holds.
pub(super) fn held(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let Some(heading) = NotationLine::of(text, literal.start) else { return Vec::new() };
    let mut rows = std::iter::successors(heading.next(text), |row| row.next(text));
    if !rows.next().is_some_and(|row| is_of_values(row.text(text).trim_ascii())) {
        return Vec::new();
    }
    let rows = rows.take(MAX_ABOVE).take_while(|row| !row.is_blank(text));
    rows.filter_map(|row| {
        let column = row.start + row.text(text).windows(2).position(|pair| pair == b"  ")?;
        let cell = bare_cell(text, &(column..row.end));
        (!is_rule(row.text(text)) && !text[cell.clone()].contains(&b' ')).then_some(cell)
    })
    .collect()
}

/// `|---|:--|`, `+----+`, `----+----`
fn is_rule(row: &[u8]) -> bool {
    let row = row.trim_ascii();
    let is_drawn = |byte: &u8| b"|+-=: \t".contains(byte) || *byte >= 0x80;
    row.len() >= 3
        && row.iter().all(is_drawn)
        && (row.contains(&b'-') || row.contains(&b'=') || row.starts_with("├".as_bytes()))
}

/// The cells of a row; a comma between quotes parts none.
fn cells(text: &[u8], line: NotationLine, sign: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = line.start;
    let mut at = line.start;
    let mut is_quoted = false;
    let knows_quotes = matches!(sign, b"," | b";");
    while at < line.end {
        if knows_quotes && text[at] == b'"' {
            is_quoted = !is_quoted;
        }
        if !is_quoted && text[at..line.end].starts_with(sign) {
            found.push(from..at);
            from = at + sign.len();
            at = from;
        } else {
            at += 1;
        }
    }
    found.push(from..line.end.max(from));
    found
}

/// The cell without spaces, quotes and emphasis.
fn bare_cell(text: &[u8], cell: &Range<usize>) -> Range<usize> {
    let mut range = cell.clone();
    let is_around = |byte: u8| b" \t`*\"'\r".contains(&byte);
    while range.start < range.end && is_around(text[range.start]) {
        range.start += 1;
    }
    while range.start < range.end && is_around(text[range.end - 1]) {
        range.end -= 1;
    }
    range
}

/// The values below a heading that begin in its column.
fn aligned(text: &[u8], line: NotationLine, named: &Named) -> Vec<Range<usize>> {
    let own = line.text(text);
    // Of small letters where a rule stands below, as `sqlite3` draws it.
    let is_ruled = line.next(text).is_some_and(|below| is_rule(below.text(text)));
    let is_heading = |byte: &u8| {
        byte.is_ascii_uppercase()
            || b" _-/()\t".contains(byte)
            || byte.is_ascii_digit()
            || is_ruled && byte.is_ascii_lowercase()
    };
    if !own.iter().all(is_heading)
        || text
            .get(named.range.end)
            .is_some_and(|&byte| byte != b' ' && byte != b'\n' && byte != b'\r')
    {
        return Vec::new();
    }
    let Some(column) = named.range.start.checked_sub(line.start) else { return Vec::new() };
    let mut found = Vec::new();
    let mut next = line.next(text);
    while let Some(row) = next.filter(|row| row.end - line.end < MAX_ROWS) {
        next = row.next(text);
        if is_ruled && is_rule(row.text(text)) {
            continue;
        }
        let start = row.start + column;
        let begins =
            start < row.end && text[start] != b' ' && (column == 0 || text[start - 1] == b' ');
        if !begins {
            break;
        }
        let len =
            text[start..row.end].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let mut range = start..start + len;
        trim_end(text, &mut range);
        found.push(range);
    }
    found
}

/// `INSERT INTO t (name, password) VALUES ('x', 'y')`: the values in the name's column.
pub(super) fn inserted(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    let name = &named.range;
    let from = name.start.saturating_sub(600);
    let Some(open) = memchr::memrchr(b'(', &text[from..name.start]).map(|at| from + at) else {
        return Vec::new();
    };
    let head = &text[open..name.start];
    let is_column = |byte: &u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"_,\"`[]('.".contains(byte)
    };
    if !head.iter().all(is_column) {
        return Vec::new();
    }
    let column = head.split(|&byte| byte == b',').count() - 1;
    let behind = &text[name.end..text.len().min(name.end + 600)];
    let Some(close) = behind.iter().position(|byte| !is_column(byte)) else { return Vec::new() };
    let mut at = super::value::skip_blank(text, name.end + close + 1);
    if behind[close] != b')'
        || !text[at..].get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"values"))
    {
        return Vec::new();
    }
    at += 6;
    let mut found = Vec::new();
    loop {
        at = super::value::skip_blank(text, at);
        if text.get(at) != Some(&b'(') || found.len() >= 1000 {
            return found;
        }
        let Some((value, end)) = field(text, at + 1, column) else { return found };
        found.extend(value);
        at = super::value::skip_blank(text, end);
        if text.get(at) != Some(&b',') {
            return found;
        }
        at += 1;
    }
}

/// The string in a column of a list of values, and where the list has ended.
fn field(text: &[u8], from: usize, column: usize) -> Option<(Option<Range<usize>>, usize)> {
    let mut at = from;
    let mut number = 0;
    let mut depth = 0;
    let mut found = None;
    let far = text.len().min(from + 4000);
    while at < far {
        match text[at] {
            b'\'' | b'"' => {
                let range = super::value::string(text, at)?;
                at = range.end;
                if number == column && depth == 0 {
                    found = Some(range);
                }
            }
            b'(' => depth += 1,
            b')' if depth == 0 => return Some((found, at + 1)),
            b')' => depth -= 1,
            b',' if depth == 0 => number += 1,
            _ => {}
        }
        at += 1;
    }
    None
}
