//! The entries that each agent writes, field by field in its order. Keys that a shape does not
//! name follow in the order in which they were given.
//!
//! Programs read fields by name, and still each writes them in an order of its own: a file of the store's should not
//! be told from one of the agent's. `line` goes along the shape, then adds what was given beyond it.

use serde_json::value::RawValue;

use crate::session::json::Json;

use super::{Agent, NewEntry, StoreError};

/// One type of entry.
#[derive(Debug)]
pub(super) struct Shape {
    entry_type: &'static str,
    fields: &'static [Field],
}

/// A part of an entry.
#[derive(Debug, Clone, Copy)]
enum Field {
    /// `id`, `parentId` and `timestamp`.
    Base,
    /// A key, where it was given.
    Given(&'static str),
    /// A key that has another name in entries before they are written.
    Named(&'static str, &'static str),
    /// A key, or this JSON where it was not given.
    Else(&'static str, &'static str),
    /// A key, or the entry's own id.
    OwnId(&'static str),
    /// A key of two texts with a slash between them.
    Joined(&'static str, [&'static str; 2]),
}

use Field::{Base, Else, Given, Joined, Named, OwnId};

const fn shape(entry_type: &'static str, fields: &'static [Field]) -> Shape {
    Shape { entry_type, fields }
}

/// pi 1.5.2, and the types of oh-my-pi's that a file of the store's own may hold.
pub(super) const PI: &[Shape] = &[
    shape("message", &[Base]),
    shape("thinking_level_change", &[Base]),
    shape("model_change", &[Base]),
    shape("compaction", &[Base, Given("summary"), OwnId("firstKeptEntryId")]),
    shape("branch_summary", &[Base]),
    shape("custom", &[Base]),
    shape("custom_message", &[Base]),
    shape("label", &[Base]),
    shape("session_info", &[Base]),
    shape("context_edit", &[Base]),
    shape("usage", &[Base]),
    shape("mode_change", &[Base]),
    shape("session_init", &[Base]),
    shape("ttsr_injection", &[Base]),
];

/// oh-my-pi 18.3.4.
pub(super) const OMP: &[Shape] = &[
    shape("message", &[Base]),
    shape("thinking_level_change", &[Base, Given("thinkingLevel"), Else("configured", "null")]),
    shape(
        "model_change",
        &[
            Base,
            Joined("model", ["provider", "modelId"]),
            Given("role"),
            Else("resolvedModelIsFallback", "false"),
        ],
    ),
    shape(
        "compaction",
        &[
            Base,
            Given("summary"),
            Given("shortSummary"),
            Else("firstKeptEntryId", "\"\""),
            Given("tokensBefore"),
            Given("tokensAfter"),
            Given("method"),
            Given("providerReplayThroughEntryId"),
            Given("details"),
            Named("fromExtension", "fromHook"),
            Given("preserveData"),
        ],
    ),
    shape(
        "branch_summary",
        &[
            Base,
            Given("fromId"),
            Given("summary"),
            Given("details"),
            Named("fromExtension", "fromHook"),
        ],
    ),
    shape("custom", &[Given("customType"), Given("data"), Base]),
    shape(
        "custom_message",
        &[
            Given("customType"),
            Given("content"),
            Given("display"),
            Given("details"),
            Else("attribution", "\"agent\""),
            Base,
        ],
    ),
    shape("label", &[Base]),
    shape("title_change", &[Base]),
    shape("mode_change", &[Base]),
    shape("session_init", &[Base]),
    shape("ttsr_injection", &[Base]),
    shape("reset_boundary", &[Base]),
    shape("service_tier_change", &[Base]),
    shape("credential_pin", &[Base]),
    shape("model_usage", &[Base]),
];

/// What every entry has, and the store alone sets.
const BASE: [&str; 4] = ["type", "id", "parentId", "timestamp"];

/// An entry's place in the session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position<'a> {
    pub(super) id: &'a str,
    pub(super) parent: Option<&'a str>,
    /// ISO 8601.
    pub(super) time: &'a str,
}

/// The entry as one line with its end, as its agent writes it.
///
/// # Errors
/// [`StoreError::NoSuchEntry`] for a type that the agent does not know.
pub(super) fn line(
    agent: Agent,
    entry: &NewEntry,
    position: Position<'_>,
) -> Result<String, StoreError> {
    let entry_type = entry.entry_type();
    let shape = agent.rules().shapes.iter().find(|shape| shape.entry_type == entry_type);
    let Some(shape) = shape else {
        return Err(StoreError::NoSuchEntry { entry_type, agent });
    };
    let mut line = EntryLine { text: format!(r#"{{"type":"{entry_type}""#), used: Vec::new() };
    for &field in shape.fields {
        line.field(field, entry, position);
    }
    for (key, raw) in entry.fields() {
        if !BASE.contains(&key) && !line.used.contains(&key) {
            line.put(key, raw.get());
        }
    }
    line.text.push_str("}\n");
    Ok(line.text)
}

struct EntryLine {
    text: String,
    /// Keys of the entry that are in it.
    used: Vec<&'static str>,
}

impl EntryLine {
    fn field(&mut self, field: Field, entry: &NewEntry, position: Position<'_>) {
        match field {
            Base => {
                self.put("id", &string(position.id));
                let parent = position.parent.map_or_else(|| "null".to_owned(), string);
                self.put("parentId", &parent);
                self.put("timestamp", &string(position.time));
            }
            Given(key) => self.take(key, key, entry),
            Named(key, given) => {
                self.take(key, key, entry);
                self.take(key, given, entry);
            }
            Else(key, default) => match entry.field(key) {
                Some(_) => self.take(key, key, entry),
                None => self.put(key, default),
            },
            OwnId(key) => match entry.field(key) {
                Some(_) => self.take(key, key, entry),
                None => self.put(key, &string(position.id)),
            },
            Joined(key, [first, second]) => {
                let text = |key| entry.field(key).and_then(text);
                match (text(first), text(second)) {
                    (Some(one), Some(two)) => self.put(key, &string(&format!("{one}/{two}"))),
                    _ => return,
                }
                self.used.extend([first, second]);
            }
        }
    }

    fn take(&mut self, key: &'static str, given: &'static str, entry: &NewEntry) {
        if let Some(raw) = entry.field(given) {
            self.put(key, raw.get());
            self.used.push(given);
        }
    }

    fn put(&mut self, key: &str, json: &str) {
        self.text.extend([",", &string(key), ":", json]);
    }
}

fn string(text: &str) -> String {
    Json::String(text.into()).compact()
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}
