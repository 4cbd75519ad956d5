//! What the page's header says of the session.

use std::collections::HashSet;

use crate::render::figures::{counted, money, tokens};
use crate::session::entry::Entry;
use crate::session::message::Message;
use crate::session::omitted::Parts;
use crate::session::usage::Usage;
use crate::session::{Body, EntryIndex, Session, text, time};

use super::View;

/// One line of the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    /// The value as a machine reads it, where it is a time.
    pub(super) time: Option<String>,
    /// The same for the path on show alone.
    pub(super) more: Option<String>,
}

/// Counts over some entries.
#[derive(Debug, Default)]
struct Count {
    entries: usize,
    prompts: usize,
    answers: usize,
    tool_calls: usize,
    /// Entries that were left out.
    omitted: usize,
    /// Parts that entries lost.
    parts: Parts,
    usage: Usage,
}

impl Count {
    fn add(&mut self, entry: &Entry<'_>, usage: Option<Usage>) {
        self.parts += entry.omitted;
        if let Body::Omitted(omitted) = &entry.body {
            self.omitted += omitted.count;
            return;
        }
        self.entries += 1;
        match &entry.body {
            Body::Message(Message::User(_)) => self.prompts += 1,
            Body::Message(Message::Assistant(assistant)) => {
                self.answers += 1;
                self.tool_calls += assistant.calls().count();
            }
            _ => {}
        }
        self.usage += usage.unwrap_or_default();
    }
}

/// The header's facts: of the whole file, and of the path on show apart.
pub(super) fn facts(session: &Session, view: &View) -> Vec<Fact> {
    let on_path = |entry: EntryIndex| session.tree().is_on_path(entry, view.leaf);
    let (mut whole, mut path) = (Count::default(), Count::default());
    let mut models = Models::default();
    for index in 0..session.len() {
        let entry = session.entry(index);
        let usage = entry.usage();
        whole.add(&entry, usage);
        if on_path(index) {
            path.add(&entry, usage);
        }
        models.add(&entry.body);
    }
    let header = session.header();
    let fact = |name, value: String| {
        (!value.is_empty()).then_some(Fact { name, value, time: None, more: None })
    };
    let begun = header.time.or_else(|| (0..session.len()).find_map(|index| session.time(index)));
    let both = |name, value: fn(&Count) -> String| {
        let (value, path) = (value(&whole), value(&path));
        let path = if path.is_empty() { "nothing".to_owned() } else { path };
        let more = (path != value).then(|| format!("{path} on this path"));
        (!value.is_empty()).then_some(Fact { name, value, time: None, more })
    };
    let leaves = session.tree().leaves().count();
    let listed = [
        begun.map(|ms| Fact {
            name: "Begun",
            value: time::plain(ms) + " UTC",
            time: Some(time::iso(ms)),
            more: None,
        }),
        fact("Folder", text::short_path(&header.cwd)),
        fact(if models.names.len() == 1 { "Model" } else { "Models" }, models.names.join(", ")),
        both("Entries", |count| count.entries.to_string()),
        both("Not included", not_included),
        fact("Sub-sessions", sub_sessions(session)),
        fact("Branches", if leaves > 1 { leaves.to_string() } else { String::new() }),
        both("Messages", |count| {
            format!(
                "{}, {}, {}",
                counted(count.prompts, "prompt"),
                counted(count.answers, "answer"),
                counted(count.tool_calls, "tool call")
            )
        }),
        both("Tokens", |count| tokens(&count.usage)),
        both("Cost", |count| money(count.usage.cost)),
        fact(
            "Forked from",
            header.parent_session.as_deref().map(text::short_path).unwrap_or_default(),
        ),
        fact("Session", header.id.clone()),
    ];
    listed.into_iter().flatten().collect()
}

/// `34 entries, thinking, 12 KB of output, 2 images`; empty where all is there.
fn not_included(count: &Count) -> String {
    let parts = &count.parts;
    let counted = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {more}")),
    };
    let listed = [
        counted(count.omitted, "entry", "entries"),
        counted(parts.thinking, "part of thinking", "parts of thinking"),
        (parts.output > 0).then(|| format!("{} of output", text::bytes(parts.output))),
        counted(parts.images, "image", "images"),
        counted(parts.system, "system prompt or reminder", "system prompts or reminders"),
        counted(parts.errors, "error message", "error messages"),
        counted(parts.summary, "summary", "summaries"),
        counted(parts.other, "further part", "further parts"),
    ];
    listed.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `3, which hold 42 of the entries`.
fn sub_sessions(session: &Session) -> String {
    let within: usize = session.children().iter().map(|sub| sub.len).sum();
    match session.children().len() {
        0 => String::new(),
        1 => format!("1, which holds {within} of the entries"),
        count => format!("{count}, which hold {within} of the entries"),
    }
}

/// The models of all assistant turns, in order of first appearance.
#[derive(Default)]
struct Models {
    names: Vec<String>,
    seen: HashSet<String>,
}

impl Models {
    fn add(&mut self, body: &Body<'_>) {
        let Body::Message(Message::Assistant(assistant)) = body else { return };
        let Some(model) = &assistant.model else { return };
        let name = match model.provider.as_ref() {
            "" => model.id.to_string(),
            provider => format!("{provider}/{}", model.id),
        };
        if self.seen.insert(name.clone()) {
            self.names.push(name);
        }
    }
}
