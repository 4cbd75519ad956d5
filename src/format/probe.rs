//! The beginning of a file, for recognizing whose it is.

use crate::session::json::Json;

use super::lines::{first_rows, whole_values};

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
        let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
        if let Some(lines) = rows(source) {
            return Probe { source, whole: None, lines };
        }
        let lines: Vec<Json<'a>> =
            source.split(|byte| *byte == b'\n').flat_map(objects).take(OBJECTS).collect();
        // Within an object that goes over many lines, a line may look like one of its own.
        let mut filled =
            source.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let begins_with_lines =
            filled.next().is_some_and(|line| line.len() < LINE_BYTES && object(line).is_some());
        let is_one = !begins_with_lines || filled.next().is_none();
        let whole = if is_one { object(source) } else { None };
        Probe { source, whole, lines }
    }

    /// Whether any of the first objects is such a one.
    pub(super) fn any(&self, is: impl Fn(&Json<'a>) -> bool) -> bool {
        self.lines.iter().any(is)
    }
}

/// The first rows of a file that is an array of them.
fn rows(source: &[u8]) -> Option<Vec<Json<'_>>> {
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
    if line.len() < LINE_BYTES
        && let Some(one) = object(line)
    {
        return vec![one];
    }
    let line = line.trim_ascii();
    if line.first() != Some(&b'{') {
        return Vec::new();
    }
    // Of a long line its beginning, which is then one that is cut off.
    let begin = String::from_utf8_lossy(&line[..line.len().min(LINE_BYTES)]);
    let (values, _) = whole_values(&begin);
    let objects = values.iter().filter_map(|text| serde_json::from_str(text).ok());
    objects.filter(|json| matches!(json, Json::Object(_))).take(OBJECTS).map(Json::owned).collect()
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
