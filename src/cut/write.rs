//! The new session: texts, stubs, and what is known of them.
//!
//! A session without parts is never the old one with holes: it is built from new texts alone, so that what was removed
//! cannot be reached from it. Sub-sessions are written from the deepest outward, since a session holds its children.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::cut::CutError;
use crate::session::attachments::Attachments;
use crate::session::calls::Calls;
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::{
    Body, Child, ContextRules, EntryIndex, Header, Label, Place, RawEntry, Session, SessionBuilder,
    key, omitted, time,
};

use super::Cut;
use super::order;
use super::pictures;
use super::selection::Selection;
use super::strip::Text;
use super::stubs::{Stub, Stubs};
use super::titles;

/// Builds the session and its sub-sessions anew.
pub(super) fn session(
    mut session: Session,
    cut: &Cut,
    selection: &Selection,
    stubs: &Stubs,
    texts: &[Option<Text>],
) -> Result<Session, CutError> {
    let sessions = session.sub_sessions().len() + 1;
    let calls = if sessions > 1 { Calls::read(&session) } else { Calls::default() };
    let mut attachments: Vec<_> = (0..sessions).map(|n| session.take_attachments(n)).collect();
    let writer = Writer { session: &session, cut, selection, stubs, texts };
    let mut children: Vec<Vec<Child>> = (0..sessions).map(|_| Vec::new()).collect();
    for number in (1..sessions).rev().filter(|&number| selection.stays(number)) {
        let sub = &session.sub_sessions()[number - 1];
        let files = std::mem::take(&mut attachments[number]);
        let within = std::mem::take(&mut children[number]);
        let own = if let Some(reason) = &sub.missing {
            Err(reason.clone())
        } else {
            let builder = writer.with_files(number, files, within);
            builder.link().map(Box::new).ok_or_else(|| "nothing of it is left".to_owned())
        };
        let tells = titles::has_call(&session, selection, &calls, sub.started_by);
        children[sub.parent].push(Child {
            key: key::decode(sub.key.rsplit('/').next().unwrap_or_default()).unwrap_or_default(),
            agent: sub.agent.clone().filter(|_| tells),
            task: sub.task.clone().filter(|_| tells),
            started_by: sub.is_tied.then(|| session.id_at(sub.started_by).to_owned()),
            session: own,
        });
    }
    let (files, within) = (std::mem::take(&mut attachments[0]), std::mem::take(&mut children[0]));
    writer.with_files(0, files, within).finish().ok_or(CutError::NothingLeft)
}

struct Writer<'c> {
    session: &'c Session,
    cut: &'c Cut,
    selection: &'c Selection,
    stubs: &'c Stubs,
    texts: &'c [Option<Text>],
}

/// Lines as they are written, and the entries on them.
struct Lines {
    source: String,
    entries: Vec<RawEntry>,
    aliases: Vec<(String, String)>,
}

impl Writer<'_> {
    /// A session with the files beside it, and with the children that it started, the last of
    /// them first.
    fn with_files(&self, number: usize, files: Attachments, within: Vec<Child>) -> SessionBuilder {
        let mut builder = self.written(number);
        builder.attachments(pictures::kept(files, self.cut, builder.source()));
        within.into_iter().rev().for_each(|child| builder.child(child));
        builder
    }

    fn written(&self, number: usize) -> SessionBuilder {
        let labels = self.labels_beside(number);
        let header = self.header(number);
        let mut lines = Lines {
            source: self.header_line(number, &header, &labels) + "\n",
            entries: Vec::new(),
            aliases: Vec::new(),
        };
        let aliases = self.aliases(number);
        let is_written = |entry: &EntryIndex| {
            self.texts[(*entry).get()].is_some()
                || self.stubs.of(*entry).is_some_and(|stub| stub.first == *entry)
        };
        let written = self.session.entries_of(number).filter(is_written).collect();
        for entry in order::ordered(self.session, self.stubs, written) {
            if let Some(text) = &self.texts[entry.get()] {
                let own = aliases.get(&entry).map(Vec::as_slice).unwrap_or_default();
                self.entry(&mut lines, entry, text, own);
            } else if let Some(stub) = self.stubs.of(entry) {
                self.stub(&mut lines, stub, self.all_ids(stub, &aliases));
            }
        }
        let mut builder = SessionBuilder::new(lines.source.into_bytes(), Vec::new());
        builder.format(self.session.format());
        builder.header(header);
        builder.leaf(self.id_now(self.selection.leaf(number)));
        // What was wrong with the file, and what of it has no row, is true of the rest too.
        let damage = match number.checked_sub(1) {
            Some(nth) => self.session.sub_sessions()[nth].damage(),
            None => self.session.damage(),
        };
        for damage in damage {
            builder.damage(damage.line, damage.kind);
        }
        if number == 0 {
            self.notes().into_iter().for_each(|note| builder.note(note));
        }
        lines.entries.into_iter().for_each(|entry| builder.push(entry));
        for (alias, id) in lines.aliases {
            builder.alias(alias, id);
        }
        for (id, label) in labels {
            builder.label(id, Some(label));
        }
        builder
    }

    /// Notes are about whole files: where entries go, they may tell of these.
    fn notes(&self) -> Vec<String> {
        let notes = self.session.notes();
        let is_less = self.session.indices().any(|entry| self.selection.is_gone(entry));
        if notes.is_empty() || self.cut.keep_summaries || !is_less {
            return notes.to_vec();
        }
        vec![format!("{} about the whole session not included", counted(notes.len(), "note"))]
    }

    /// Whether a session loses entries of which its titles may tell.
    fn loses(&self, number: usize) -> bool {
        !self.cut.keep_summaries && titles::loses(self.session, self.selection, number)
    }

    fn header(&self, number: usize) -> Header {
        let header = self.session.header();
        if number > 0 {
            let sub = &self.session.sub_sessions()[number - 1];
            return Header { id: sub.key.clone(), version: 3, ..Header::default() };
        }
        let is_lost = self.loses(0);
        let keeps_version = self.session.format().traits().context == ContextRules::Harness;
        Header {
            version: if keeps_version { header.version } else { 3 },
            title: header.title.clone().filter(|_| !is_lost),
            // An entry that is left out may be the one that says it.
            agent: header.agent.clone().filter(|_| !is_lost),
            agent_version: header.agent_version.clone().filter(|_| !is_lost),
            git_branch: header.git_branch.clone().filter(|_| !is_lost),
            continued_in: if is_lost { Vec::new() } else { header.continued_in.clone() },
            // Their lines are those of the file that was cut.
            costs: Vec::new(),
            ..header.clone()
        }
    }

    /// What pi's header has, and under a name of its own what it has no place for.
    fn header_line(&self, number: usize, header: &Header, labels: &[(String, Label)]) -> String {
        let text = |text: &str| Json::String(text.to_owned().into());
        let number_of = |number: i64| Json::Number(number.into());
        let labels = labels.iter().map(|(id, label)| {
            Json::Array(vec![text(id), text(&label.text), label.time.map_or(Json::Null, number_of)])
        });
        let labels: Vec<Json<'_>> = labels.collect();
        let continued: Vec<Json<'_>> = header.continued_in.iter().map(|id| text(id)).collect();
        let own = [
            ("dialect", Some(text(self.session.format().name()))),
            ("version", (header.version != 3).then(|| number_of(header.version.into()))),
            ("agent", header.agent.as_deref().map(text)),
            ("agentVersion", header.agent_version.as_deref().map(text)),
            ("gitBranch", header.git_branch.as_deref().map(text)),
            ("continuedIn", (!continued.is_empty()).then_some(Json::Array(continued))),
            ("leaf", Some(text(&self.id_now(self.selection.leaf(number))))),
            ("labels", (!labels.is_empty()).then_some(Json::Array(labels))),
        ];
        let object = |fields: Vec<(&'static str, Option<Json<'static>>)>| {
            let fields = fields.into_iter().filter_map(|(key, value)| Some((key.into(), value?)));
            Json::Object(fields.collect())
        };
        let line = object(vec![
            ("type", Some(text("session"))),
            ("version", Some(number_of(3))),
            ("id", Some(text(&header.id))),
            ("timestamp", header.time.map(|ms| text(&time::iso(ms)))),
            ("cwd", Some(text(&header.cwd))),
            ("parentSession", header.parent_session.as_deref().map(text)),
            ("title", header.title.as_deref().map(text)),
            (omitted::HEADER, Some(object(own.into()))),
        ]);
        line.compact()
    }

    fn entry(&self, lines: &mut Lines, entry: EntryIndex, text: &Text, aliases: &[String]) {
        let entry_type = self.session.entry_type_at(entry);
        let mut more = text.fields.clone();
        if !text.parts.is_empty() {
            push_field(&mut more, omitted::PARTS, &text.parts.json());
        }
        // A stub of an earlier cut says its ids itself.
        if !aliases.is_empty() && entry_type != omitted::TYPE {
            push_field(&mut more, omitted::ALIASES, &list(aliases.iter().map(String::as_str)));
        }
        let id = self.session.id_at(entry);
        lines.aliases.extend(aliases.iter().map(|alias| (alias.clone(), id.to_owned())));
        self.push(lines, entry, entry_type, &more);
    }

    fn stub(&self, lines: &mut Lines, stub: &Stub, ids: Vec<String>) {
        let mut more = "{".to_owned();
        push_field(&mut more, "count", &Json::Number(stub.count.into()));
        if stub.sub_sessions > 0 {
            push_field(&mut more, "subSessions", &Json::Number(stub.sub_sessions.into()));
        }
        push_field(&mut more, "ids", &list(ids.iter().map(String::as_str)));
        push_field(&mut more, "why", &Json::String(self.why(stub).into()));
        if !stub.why.is_place() {
            push_field(&mut more, "quiet", &Json::Bool(true));
        }
        if let Some(level) = self.thinking_level(stub) {
            push_field(&mut more, "thinkingLevel", &Json::String(level.into()));
        }
        let id = self.session.id_at(stub.first);
        let others = ids.into_iter().filter(|alias| alias != id);
        lines.aliases.extend(others.map(|alias| (alias, id.to_owned())));
        self.push(lines, stub.first, omitted::TYPE, &more);
    }

    /// The level at which what is below the stub goes on.
    fn thinking_level(&self, stub: &Stub) -> Option<String> {
        let leaf = self.selection.leaf(self.session.tree().session_of(stub.first));
        let is_above = |entry| !stub.why.is_place() || self.session.tree().is_on_path(entry, leaf);
        let mut levels = stub.entries.iter().rev().filter(|&&entry| is_above(entry));
        levels.find_map(|&entry| self.level_set_by(entry))
    }

    fn level_set_by(&self, entry: EntryIndex) -> Option<String> {
        if !matches!(self.session.entry_type_at(entry), "thinking_level_change" | omitted::TYPE) {
            return None;
        }
        match self.session.entry_at(entry).body {
            Body::ThinkingLevelChange(level) => Some(level.into_owned()),
            Body::Omitted(omitted) => omitted.thinking_level.map(Cow::into_owned),
            _ => None,
        }
    }

    fn why(&self, stub: &Stub) -> String {
        match (&self.cut.only, stub.why) {
            (Some(kinds), super::selection::Why::Kind) => {
                let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
                format!("this page contains only {} entries", names.join(", "))
            }
            (_, why) => why.words().to_owned(),
        }
    }

    /// `more` is an object that lacks its closing brace.
    fn push(&self, lines: &mut Lines, entry: EntryIndex, entry_type: &str, more: &str) {
        let text = |text: &str| Json::String(text.to_owned().into());
        let start = lines.source.len();
        let parent = self.session.tree().parent(entry).map(|parent| self.id_now(parent));
        let own = Json::Object(vec![
            ("type".into(), text(entry_type)),
            ("id".into(), text(self.session.id_at(entry))),
            ("parentId".into(), parent.as_deref().map_or(Json::Null, text)),
        ]);
        let own = own.compact();
        lines.source.push_str(own.strip_suffix('}').unwrap_or(&own));
        let lacks_time = order::lacks_time(self.session, self.stubs, entry);
        let time = self.session.time(entry).filter(|_| !lacks_time);
        if let Some(ms) = time {
            push_field(&mut lines.source, "timestamp", &text(&time::iso(ms)));
        }
        if let Some(more) = more.strip_prefix('{').filter(|more| !more.is_empty()) {
            lines.source.push(',');
            lines.source.push_str(more);
        }
        lines.source.push('}');
        let len = lines.source.len() - start;
        lines.source.push('\n');
        lines.entries.push(RawEntry {
            id: self.session.id_at(entry).to_owned(),
            parent_id: parent,
            entry_type: entry_type.to_owned(),
            time,
            // The header is the first.
            line: u32::try_from(lines.entries.len() + 2).unwrap_or(u32::MAX),
            place: Place::Source { start, len },
        });
    }

    /// Under which id an entry, or the stub that stands for it, is found.
    fn id_now(&self, entry: EntryIndex) -> String {
        let entry = self.stubs.of(entry).map_or(entry, |stub| stub.first);
        self.session.id_at(entry).to_owned()
    }

    fn all_ids(&self, stub: &Stub, aliases: &HashMap<EntryIndex, Vec<String>>) -> Vec<String> {
        let mut ids = Vec::new();
        for entry in &stub.entries {
            ids.push(self.session.id_at(*entry).to_owned());
            ids.extend(aliases.get(entry).into_iter().flatten().cloned());
        }
        ids
    }

    /// Further ids by entry.
    fn aliases(&self, number: usize) -> HashMap<EntryIndex, Vec<String>> {
        let mut aliases: HashMap<EntryIndex, Vec<String>> = HashMap::new();
        let mut add = |alias: &str, entry| {
            aliases.entry(entry).or_default().push(alias.to_owned());
        };
        match number.checked_sub(1).map(|nth| &self.session.sub_sessions()[nth]) {
            None => self.session.aliases().iter().for_each(|(alias, entry)| add(alias, *entry)),
            Some(sub) => sub.aliases().for_each(|(alias, entry)| add(alias, entry)),
        }
        aliases
    }

    /// The labels of what stays that no entry gives.
    fn labels_beside(&self, number: usize) -> Vec<(String, Label)> {
        let session = self.session;
        let mut by_entries: HashMap<EntryIndex, String> = HashMap::new();
        for entry in session.entries_of(number).filter(|&e| session.entry_type_at(e) == "label") {
            if let Body::Label { target_id, label: Some(label) } = session.entry_at(entry).body
                && let Some(target) = session.index_beside(entry, &target_id)
            {
                by_entries.insert(target, label.into_owned());
            }
        }
        let is_lost = self.loses(number);
        // A label that no entry gives to what is about the whole session is its name.
        let kept = session.entries_of(number).filter(|&entry| {
            !(self.selection.is_gone(entry) || is_lost && titles::is_about(session, entry))
        });
        let beside = kept.filter_map(|entry| {
            let label = session.label(entry)?;
            let is_beside = by_entries.get(&entry) != Some(&label.text);
            is_beside.then(|| (session.id_at(entry).to_owned(), label.clone()))
        });
        beside.collect()
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> Json<'t> {
    Json::Array(texts.map(|text| Json::String(text.into())).collect())
}

/// Adds a field to an object that lacks its closing brace.
fn push_field(object: &mut String, name: &str, value: &Json<'_>) {
    if !object.ends_with('{') {
        object.push(',');
    }
    object.push('"');
    object.push_str(name);
    object.push_str("\":");
    object.push_str(&value.compact());
}
