//! Files that are one JSON value: its parts are found by [`spans`](super::spans) and read one by
//! one, so that a torn or damaged file gives all the rest.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::session::json::Json;
use crate::session::{Damage, DamageKind};

use super::lines;
use super::spans::Span;
use super::translation::Translation;

/// The text of a file, and what was wrong with it so far.
pub(super) struct Document<'s> {
    pub(super) text: Cow<'s, str>,
    pub(super) damage: Vec<Damage>,
}

impl<'s> Document<'s> {
    /// Reads the bytes; where the value ends too early, that is damage on the last line.
    pub(super) fn new(source: &'s [u8]) -> Document<'s> {
        let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
        let text = String::from_utf8_lossy(source);
        let mut damage = Vec::new();
        if let Err(error) = str::from_utf8(source) {
            let line = line_of(&source[..error.valid_up_to()]);
            damage.push(Damage { line, kind: DamageKind::InvalidUtf8 });
        }
        let mut parser = serde_json::Deserializer::from_str(&text);
        let whole: Result<IgnoredAny, _> = serde::Deserialize::deserialize(&mut parser);
        match whole {
            Err(error) if error.is_eof() => {
                let line = line_of(text.trim_end().as_bytes());
                damage.push(Damage { line, kind: DamageKind::TornLastLine });
            }
            Ok(_) if parser.end().is_err() => {
                let line = line_of(text.trim_end().as_bytes());
                damage.push(Damage { line, kind: DamageKind::NotJson });
            }
            _ => {}
        }
        Document { text, damage }
    }

    /// The value of the part that lies there; what was wrong with it is added to `damage`.
    pub(super) fn read<'t>(
        text: &'t str,
        span: Span,
        damage: &mut Vec<Damage>,
    ) -> Option<Json<'t>> {
        let own = &text[span.start..span.end];
        if let Ok(json) = serde_json::from_str(own) {
            return Some(json);
        }
        // Between the parts of a value a newline is but a blank, within strings it is damage.
        let one_line = own.replace('\n', " ");
        let mut found = None;
        let read = lines::scan_json(one_line.as_bytes(), |_, json| {
            found.get_or_insert_with(|| json.owned());
        });
        damage.extend(read.damage.iter().map(|one| Damage { line: span.line, kind: one.kind }));
        found
    }

    /// Hands the damage over: an end that came too early once.
    pub(super) fn told(damage: Vec<Damage>, out: &mut Translation) {
        let mut is_torn = false;
        for Damage { line, kind } in damage.into_iter().rev() {
            let is_tear = kind == DamageKind::TornLastLine;
            if !(is_tear && is_torn) {
                out.damage(line, kind);
            }
            is_torn |= is_tear;
        }
    }
}

/// The line, counted from 1, on which these bytes end.
fn line_of(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count() + 1).unwrap_or(u32::MAX)
}
