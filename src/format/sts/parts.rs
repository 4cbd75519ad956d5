//! What a file holds, in file order: headers and messages, whichever generation wrote it.

use std::borrow::Cow;

use crate::format::document::Document;
use crate::format::lines::scan_json;
use crate::format::probe::text;
use crate::format::repair::value_end;
use crate::format::spans::{Span, items, members};
use crate::session::json::Json;
use crate::session::{Damage, DamageKind};

/// Where a part stands.
#[derive(Debug, Clone)]
pub(super) struct At {
    pub(super) line: u32,
    /// A lasting id for what has none.
    pub(super) id: String,
}

/// A part of a file.
pub(super) enum Part<'t> {
    /// What a session says of itself.
    Header(Json<'t>),
    /// A message, without the line around it.
    Message(Json<'t>),
    /// A line of another kind.
    Other(Json<'t>),
    /// A value that is no object.
    Odd,
}

/// A file of either generation.
pub(super) enum File<'s> {
    Lines(&'s [u8]),
    /// One JSON value: an export, or a list of them.
    Exports(Document<'s>),
}

impl<'s> File<'s> {
    pub(super) fn new(source: &'s [u8]) -> File<'s> {
        if is_export(source) { File::Exports(Document::new(source)) } else { File::Lines(source) }
    }

    /// Hands over part by part, and tells what was wrong.
    pub(super) fn each(&self, mut each: impl FnMut(At, Part<'_>)) -> Vec<Damage> {
        match self {
            File::Lines(source) => each_line(source, each),
            File::Exports(document) => {
                let mut damage = document.damage.clone();
                let mut nth = 0;
                for export in exports(&document.text) {
                    each_of_export(&document.text, export, &mut nth, &mut damage, &mut each);
                }
                damage
            }
        }
    }
}

fn each_line(source: &[u8], mut each: impl FnMut(At, Part<'_>)) -> Vec<Damage> {
    let scan = scan_json(source, |value, json| {
        let at = At { line: value.line, id: value.line_id() };
        let is_object = matches!(json, Json::Object(_));
        let has_message = matches!(json.get("message"), Some(Json::Object(_)));
        let part = match text(&json, "type") {
            _ if !is_object => Part::Odd,
            Some("session") => Part::Header(json),
            Some("message") if has_message => {
                Part::Message(json.get("message").cloned().unwrap_or(Json::Null))
            }
            _ => Part::Other(json),
        };
        each(at, part);
    });
    scan.damage
}

/// The members of an export: `conv` first, wherever it stands.
fn each_of_export(
    document: &str,
    export: Span,
    nth: &mut usize,
    damage: &mut Vec<Damage>,
    each: &mut impl FnMut(At, Part<'_>),
) {
    let own = &document[export.start..export.end];
    let moved = |span: Span| Span {
        start: span.start + export.start,
        end: span.end + export.start,
        line: span.line + export.line - 1,
    };
    let mut at = |span: Span| {
        *nth += 1;
        At { line: span.line, id: format!("message-{nth}") }
    };
    let members = members(own);
    let named = |name: &str| members.iter().rev().find(|(key, _)| *key == name);
    let header = named("conv").map(|(_, span)| moved(*span));
    match header.and_then(|span| Some((span, Document::read(document, span, damage)?))) {
        Some((span, json @ Json::Object(_))) => each(at(span), Part::Header(json)),
        Some((span, _)) => each(at(span), Part::Odd),
        None => each(at(export), Part::Header(Json::Object(Vec::new()))),
    }
    for (key, span) in &members {
        let span = moved(*span);
        if *key == "messages" && document[span.start..].starts_with('[') {
            for item in items(document, span) {
                let json = Document::read(document, item, damage);
                match json {
                    Some(json @ Json::Object(_)) => each(at(item), Part::Message(json)),
                    Some(_) => each(at(item), Part::Odd),
                    None => {}
                }
            }
        } else if *key != "conv"
            && let Some(json) = Document::read(document, span, damage)
        {
            let whole = Json::Object(vec![((*key).to_owned().into(), json)]);
            each(at(span), Part::Other(whole));
        }
    }
}

/// The exports that a text consists of.
fn exports(text: &str) -> Vec<Span> {
    let start = text.len() - text.trim_start().len();
    let line = text[..start].matches('\n').count() + 1;
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    let whole = Span { start, end: text.len(), line };
    if text[start..].starts_with('[') { items(text, whole) } else { vec![whole] }
}

/// Whether it is one object `{conv, messages}`, or a list that begins with one; also where it is torn.
pub(super) fn is_export(source: &[u8]) -> bool {
    /// So much is looked at for the beginning of a list.
    const HEAD_BYTES: usize = 4 << 20;
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source).trim_ascii_start();
    let head = &source[..source.len().min(HEAD_BYTES)];
    let head = match head.first() {
        Some(b'[') => head[1..].trim_ascii_start(),
        // Lines behind the first do not belong to its object.
        Some(b'{') => &head[..value_end(head, 0)],
        _ => return false,
    };
    // All that comes before the messages is small. Its end may halve a character.
    let head = match str::from_utf8(head) {
        Ok(head) => Cow::Borrowed(head),
        Err(error) if error.error_len().is_none() => {
            Cow::Borrowed(str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default())
        }
        Err(_) => String::from_utf8_lossy(head),
    };
    let members = members(&head);
    let begins = |name: &str, with: char| {
        let named = members.iter().find(|(key, _)| *key == name);
        named.is_some_and(|(_, span)| head[span.start..].starts_with(with))
    };
    begins("conv", '{') && begins("messages", '[')
}

impl Part<'_> {
    /// Why the part has no row.
    pub(super) fn damage(&self) -> Option<DamageKind> {
        matches!(self, Part::Odd).then_some(DamageKind::NotAnObject)
    }
}
