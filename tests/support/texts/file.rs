//! The rows of a file before they are walked: those of documents, of transcripts in plain text, and of chats that
//! list their history again.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::place::at;
use super::rows::{Kind, Text, Walked};
use super::shapes::Shape;

/// A text with a role on a line of its own before each message.
pub(super) fn of_transcript(file: &str) -> Walked {
    let is_mark = |line: &str| matches!(line, "user:" | "assistant:") || line.starts_with("[Tool ");
    let lines = file.lines().zip(1..).filter(|(line, _)| !is_mark(line));
    // `  name: value` is an argument.
    let text = |(line, row): (&str, usize)| {
        let argument = line.strip_prefix("  ").and_then(|line| line.split_once(": "));
        let (kind, text) = argument.map_or_else(
            || (Kind::Note, line.trim_start_matches("[Thinking] ")),
            |(_, argument)| (Kind::Arguments, argument),
        );
        Text { row, kind, words: text.to_owned(), before: None, track: String::new() }
    };
    Walked {
        shape: "cursor, older",
        texts: lines.map(text).collect(),
        sentences: Vec::new(),
        left_out: BTreeSet::new(),
        strings: Vec::new(),
        loose: &[],
    }
}

/// The rows of a document, which begins with its other fields.
pub(super) fn within(document: &Value, shape: &Shape) -> Vec<Value> {
    if shape.within.is_empty() {
        return vec![document.clone()];
    }
    let rows: Vec<Value> =
        shape.within.iter().flat_map(|place| at(document, place)).cloned().collect();
    let mut head = document.clone();
    for place in shape.within {
        if let Some(fields) = head.as_object_mut() {
            fields.remove(place.split('.').next().unwrap_or_default());
        }
    }
    std::iter::once(head).chain(rows).collect()
}

/// Gemini CLI lists the history of a chat again when it is resumed.
pub(super) fn unlisted(rows: Vec<Value>) -> Vec<Value> {
    let mut known: HashSet<String> = HashSet::new();
    let mut out = Vec::with_capacity(rows.len());
    for row in rows {
        let listed = at(&row, "$set.messages.*");
        if listed.is_empty() {
            known.extend(text_at(&row, "id"));
            out.push(row);
        } else {
            let listed: Vec<Value> = listed.into_iter().cloned().collect();
            out.extend(
                listed
                    .into_iter()
                    .filter(|row| text_at(row, "id").is_some_and(|id| known.insert(id))),
            );
        }
    }
    out
}

pub(super) fn text_at(row: &Value, places: &str) -> Option<String> {
    let found = places.split('|').filter(|place| !place.is_empty());
    let text =
        found.filter_map(|place| row.pointer(&pointer(place))).find(|value| !value.is_null())?;
    Some(text.as_str().map_or_else(|| text.to_string(), str::to_owned))
}

pub(super) fn pointer(place: &str) -> String {
    format!("/{}", place.replace('.', "/"))
}
