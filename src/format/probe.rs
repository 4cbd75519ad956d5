//! The beginning of a file, for recognizing whose it is.

use crate::byte_search;
use crate::session::json::Json;

use super::lines::{begins_array, first_rows, whole_values};

/// So many of a file's first objects are looked at.
pub(super) const OBJECTS: usize = 40;

/// So much of a line is looked at.
const LINE_BYTES: usize = 4 << 20;

/// What a file begins with.
#[derive(Debug)]
pub(super) struct Probe<'a> {
    /// All of it, for what its beginning cannot tell.
    pub(super) source: &'a [u8],
    /// The file is one JSON object, not lines of them.
    pub(super) whole: Option<Json<'a>>,
    /// Else the objects of its first lines; lines that are none are passed over.
    pub(super) lines: Vec<Json<'a>>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        let source = without_mark(source);
        if let Some(lines) = rows(source) {
            return Probe { source, whole: None, lines };
        }
        let mut filled = filled_lines(source);
        let first = filled.next().unwrap_or_default();
        // Within an object that goes over many lines, a line may look like one of its own.
        let begins_with_line = short_object(first);
        let is_one = begins_with_line.is_none() || filled.clone().next().is_none();
        let first = begins_with_line.map_or_else(|| objects(first), |line| vec![line]);
        let lines = first.into_iter().chain(filled.flat_map(objects)).take(OBJECTS).collect();
        let whole = if is_one { object(source) } else { None };
        Probe { source, whole, lines }
    }

    /// Whether any of the first objects of a file is such a one; those behind it are not read.
    pub(super) fn any_of(source: &'a [u8], is: impl Fn(&Json<'a>) -> bool) -> bool {
        let source = without_mark(source);
        if begins_array(source) {
            return Probe::new(source).any(is);
        }
        filled_lines(source).flat_map(objects).take(OBJECTS).any(|line| is(&line))
    }

    /// Whether any of the first objects is such a one.
    pub(super) fn any(&self, is: impl Fn(&Json<'a>) -> bool) -> bool {
        self.lines.iter().any(is)
    }
}

/// The bytes without a byte order mark.
fn without_mark(source: &[u8]) -> &[u8] {
    source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source)
}

/// The lines that hold something.
fn filled_lines(source: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    let lines = byte_search::lines(source).map(|line| source[line].trim_ascii());
    lines.filter(|line| !line.is_empty())
}

/// The first rows of a file that is an array of them.
fn rows(source: &[u8]) -> Option<Vec<Json<'_>>> {
    if !begins_array(source) {
        return None;
    }
    // Of a long file its beginning, in which the last row may be cut off.
    let begin = &source[..source.len().min(LINE_BYTES)];
    let text = match str::from_utf8(begin) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&begin[..error.valid_up_to()]).unwrap_or_default(),
    };
    let rows: Vec<Json<'_>> =
        first_rows(text, OBJECTS)?.into_iter().filter_map(|row| object(row.as_bytes())).collect();
    (!rows.is_empty()).then_some(rows)
}

/// The objects of a line: one, or several that stand on it.
fn objects(line: &[u8]) -> Vec<Json<'_>> {
    if let Some(one) = short_object(line) {
        return vec![one];
    }
    if line.first() != Some(&b'{') {
        return Vec::new();
    }
    // Of a long line its beginning, which is then one that is cut off.
    let begin = String::from_utf8_lossy(&line[..line.len().min(LINE_BYTES)]);
    let (values, _) = whole_values(&begin);
    let objects = values.iter().filter_map(|text| serde_json::from_str(text).ok());
    objects.filter(|json| matches!(json, Json::Object(_))).take(OBJECTS).map(Json::owned).collect()
}

/// The object that is all of a line, unless it is too long to be looked at.
fn short_object(line: &[u8]) -> Option<Json<'_>> {
    if line.len() < LINE_BYTES { object(line) } else { None }
}

/// An object that is all of these bytes.
pub(super) fn object(bytes: &[u8]) -> Option<Json<'_>> {
    let text = std::str::from_utf8(bytes.trim_ascii()).ok()?;
    text.starts_with('{').then_some(())?;
    serde_json::from_str(text).ok().filter(|json| matches!(json, Json::Object(_)))
}

/// The text of a field.
pub(super) fn text<'j>(json: &'j Json<'_>, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str()
}
