//! An exported session: `{info, messages}`.

use crate::format::fields::id_of;
use crate::format::lines::value_at;
use crate::format::probe::text;
use crate::format::spans::{Span, items, members};
use crate::session::json::Json;
use crate::session::{DamageKind, time};

use super::chain::{At, Chain};
use super::{v1, v2};

/// Titles that OpenCode itself gives before there is a better one.
// opencode.
const NO_TITLES: [&str; 2] = ["New session - ", "Child session - "];

/// The lists within a message, read item by item where a message is damaged.
const LISTS: [&str; 2] = ["parts", "content"];

/// Reads the members of the object that the text begins with.
pub(super) fn read(text: &str, found: &[(&str, Span)]) -> Chain {
    let mut reader = ExportReader { text, chain: Chain::new() };
    let find = |name: &str| found.iter().rev().find(|(key, _)| *key == name).map(|(_, at)| *at);
    if let Some(info) = find("info") {
        reader.info(info);
    }
    match find("messages") {
        Some(messages) if text[messages.start..].starts_with('[') => {
            for (nth, message) in items(text, messages).into_iter().enumerate() {
                reader.message(nth, message);
            }
        }
        Some(_) => reader.chain.note("`messages` is not a list".to_owned()),
        None => {}
    }
    for (key, _) in found.iter().filter(|(key, _)| !matches!(*key, "info" | "messages")) {
        reader.chain.note(format!("unknown field of the export: `{key}`"));
    }
    reader.chain
}

struct ExportReader<'t> {
    text: &'t str,
    chain: Chain,
}

impl ExportReader<'_> {
    fn info(&mut self, span: Span) {
        let info = self.object(span);
        let location = info.get("location");
        let title = text(&info, "title").filter(|title| !title.is_empty());
        let header = self.chain.header();
        header.id = id_of(&info, "id").unwrap_or_default();
        header.version = if location.is_some() { 2 } else { 1 };
        header.time = info.get("time").and_then(|time| time.get("created")).and_then(time::read);
        let cwd =
            text(&info, "directory").or(location.and_then(|location| text(location, "directory")));
        header.cwd = cwd.map(str::to_owned).unwrap_or_default();
        header.agent_version = text(&info, "version").map(str::to_owned);
        let fork = info.get("fork").and_then(|fork| id_of(fork, "sessionID"));
        header.parent_session = fork.clone().or_else(|| id_of(&info, "parentID"));
        header.title = title.filter(|title| own_title(title)).map(str::to_owned);
        if fork.is_none() && title.is_some_and(is_forks) {
            let note = "A fork, as its title says: OpenCode does not store which session it was forked from";
            self.chain.note(note.to_owned());
        }
        if let Some(revert) = info.get("revert") {
            self.chain.undo(revert);
        }
    }

    fn message(&mut self, nth: usize, span: Span) {
        let message = self.object(span);
        if !matches!(message, Json::Object(_)) {
            return self.chain.damage(span.line, DamageKind::NotAnObject);
        }
        let own = |message: &Json<'_>| {
            let time = message.get("time").and_then(|time| time.get("created"));
            At {
                line: span.line,
                id: id_of(message, "id").unwrap_or_else(|| format!("message-{}", nth + 1)),
                time: time.and_then(time::read),
            }
        };
        match message.get("info") {
            Some(info) => v1::message(&mut self.chain, own(info), info, &message),
            None if message.get("parts").is_some() => {
                v1::message(&mut self.chain, own(&message), &Json::Null, &message);
            }
            None => v2::message(&mut self.chain, own(&message), &message),
        }
    }

    /// An object as written, else what can be read of it.
    fn object(&mut self, span: Span) -> Json<'static> {
        let part = &self.text[span.start..span.end];
        if let Ok(json) = serde_json::from_str::<Json<'_>>(part) {
            return json.owned();
        }
        let found = members(part);
        if found.is_empty() {
            return self.value(span).unwrap_or(Json::Null);
        }
        let within = |inner: Span| Span {
            start: span.start + inner.start,
            end: span.start + inner.end,
            line: span.line + inner.line - 1,
        };
        let mut fields = Vec::new();
        for (key, inner) in found {
            let inner = within(inner);
            let is_list = LISTS.contains(&key) && self.text[inner.start..].starts_with('[');
            let value = if is_list {
                let items = items(self.text, inner);
                Some(Json::Array(items.into_iter().filter_map(|item| self.value(item)).collect()))
            } else {
                self.value(inner)
            };
            fields.extend(value.map(|value| (key.to_owned().into(), value)));
        }
        Json::Object(fields)
    }

    /// A value, repaired where it has to be.
    fn value(&mut self, span: Span) -> Option<Json<'static>> {
        let mut read = None;
        let found = value_at(self.text, span, |json| read = Some(json.owned()));
        for damage in found.damage {
            self.chain.damage(span.line, damage.kind);
        }
        read
    }
}

/// Whether somebody, or a model, gave the title.
pub(super) fn own_title(title: &str) -> bool {
    !title.is_empty() && !NO_TITLES.iter().any(|start| title.starts_with(start))
}

/// OpenCode calls forks `Title (fork #2)`.
// 1.x copies the messages under new ids and keeps no pointer (opencode; 1.18.33). 2.x has `fork` {sessionID,
// boundary}.
fn is_forks(title: &str) -> bool {
    let number = title.rsplit_once(" (fork #").and_then(|(_, rest)| rest.strip_suffix(')'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_is_told_by_its_title() {
        assert!(is_forks("Tides (fork #2)"));
        for title in ["Tides", "Tides (fork #)", "Tides (fork #x)", "(fork #1) of tides"] {
            assert!(!is_forks(title), "{title}");
        }
    }
}
