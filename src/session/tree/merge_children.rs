//! Adds the entries of child sessions to the session that started them.
//!
//! One index holds the entries of all sessions, so that a link, a search hit or a path needs no second kind of address.
//! The sub-sessions of a child that had merged its own lie behind it already. What is too much, too deep or the same
//! again becomes one entry that says why (`limits.rs`).

mod limits;

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::build::Interner;
use super::child::Child;
use super::child::Children;
use super::child::SubSession;
use super::file::{Place, SessionFile};
use super::index::EntryIndex;
use super::parents::{ChildLink, Tree};
use super::session::Record;
use super::session::Session;
use crate::session::model::header::Header;
use crate::session::texts::json::Json;
use crate::session::texts::key;
use crate::session::texts::text::counted;
use limits::{Limits, Refusal, Refused, Size};

impl Session {
    /// This session with the entries of its children, and theirs, behind its own.
    pub(crate) fn with_merged_children(mut self) -> Session {
        let children = self.children.take();
        self.with_children(children)
    }

    /// The same with children that are not merged yet.
    pub(crate) fn linked(mut self, children: Vec<Child>) -> Session {
        self.children = Children(children);
        self
    }

    /// Writes anew what is known of the session and of the children that are not merged yet, and theirs, beside their
    /// entries: names, titles, folders, notes.
    pub(crate) fn rewrite_facts(&mut self, rewrite: impl Fn(String) -> String) {
        let again = |text: &mut String| *text = rewrite(std::mem::take(text));
        let own = |session: &mut Session| {
            let Header { id, cwd, parent_session, title, agent, .. } = &mut session.header;
            let texts = [id, cwd].into_iter().chain(parent_session).chain(title).chain(agent);
            texts.chain(&mut session.name).chain(&mut session.notes).for_each(again);
        };
        own(self);
        let mut open = vec![&mut self.children.0];
        while let Some(children) = open.pop() {
            for Child { key, agent, task, started_by: _, session } in children {
                std::iter::once(key).chain(agent).chain(task).for_each(again);
                match session {
                    Ok(session) => {
                        own(session);
                        open.push(&mut session.children.0);
                    }
                    Err(reason) => again(reason),
                }
            }
        }
    }

    /// Its children that are not merged yet.
    #[cfg(test)]
    pub(crate) fn unmerged(&self) -> &[Child] {
        &self.children.0
    }

    /// This session with further ones that its entries started: each is shown
    /// below its entry, its own children within it. Of very many, the last
    /// ones are left out and counted.
    #[doc(hidden)]
    #[must_use]
    pub fn with_children(self, children: Vec<Child>) -> Session {
        self.with_children_within(children, Limits::default())
    }

    fn with_children_within(mut self, children: Vec<Child>, limits: Limits) -> Session {
        if children.is_empty() {
            return self;
        }
        self.leaf = Some(self.leaf());
        let mut gathering = Gathering::new(self, limits);
        let mut queue: VecDeque<(usize, Child)> = children.into_iter().map(|c| (0, c)).collect();
        while let Some((parent, child)) = queue.pop_front() {
            let number = gathering.session.sub_sessions.len() + 1;
            let grandchildren = gathering.add(parent, child);
            queue.extend(grandchildren.into_iter().map(|child| (number, child)));
        }
        gathering.finish()
    }

    /// This session without its children.
    pub(crate) fn without_children(mut self) -> Session {
        self.children = Children::default();
        self
    }
}

struct Gathering {
    session: Session,
    limits: Limits,
    types: Interner,
    parents: Vec<Option<EntryIndex>>,
    /// The first root of each session.
    roots: Vec<EntryIndex>,
    /// The keys in use, each with how many sessions were called so.
    keys: HashMap<String, usize>,
    /// Sessions by their content.
    shown: HashMap<u64, String>,
    refused: Refused,
    key_bytes: usize,
    entries: usize,
}

impl Gathering {
    fn new(mut session: Session, limits: Limits) -> Self {
        let keys = session.sub_sessions.iter().map(|sub| (sub.key.clone(), 1)).collect();
        let mut types = Interner::default();
        for name in std::mem::take(&mut session.types) {
            types.intern(name);
        }
        let numbers = 0..=session.sub_sessions.len();
        Gathering {
            parents: session.indices().map(|entry| session.tree.parent(entry)).collect(),
            roots: numbers.map(|number| first_root(&session, number)).collect(),
            session,
            limits,
            types,
            keys,
            shown: HashMap::new(),
            refused: Refused::default(),
            key_bytes: 0,
            entries: 0,
        }
    }

    /// Adds one child, and gives its own.
    fn add(&mut self, parent: usize, child: Child) -> Vec<Child> {
        let Child { key, agent, task, started_by, session } = child;
        let content = session.as_ref().ok().map(|session| fingerprint(&key, session));
        let own_key = key::encode(if key.is_empty() { "sub-session" } else { &key });
        let full_key = self.within(parent, &own_key);
        if content.is_some_and(|content| self.shown.get(&content) == Some(&full_key)) {
            return Vec::new();
        }
        let starter = self.starter(parent, started_by.as_deref());
        let sub = SubSession {
            key: full_key,
            agent,
            task,
            parent,
            started_by: starter.unwrap_or(self.roots[parent]),
            is_tied: starter.is_some(),
            ..self.empty()
        };
        match self.admitted(session, content, &sub.key) {
            Ok(session) => self.show(sub, *session, content),
            Err((refusal, size)) => {
                self.refuse(sub, &refusal, size);
                Vec::new()
            }
        }
    }

    /// A sub-session behind all that are there.
    fn empty(&self) -> SubSession {
        SubSession {
            key: String::new(),
            agent: None,
            task: None,
            parent: 0,
            started_by: EntryIndex::FIRST,
            is_tied: false,
            first: EntryIndex::new(self.session.records.len()),
            len: 0,
            leaf: EntryIndex::new(self.session.records.len()),
            missing: None,
            in_file: 0,
            file: SessionFile::default(),
        }
    }

    fn within(&self, parent: usize, own_key: &str) -> String {
        match parent.checked_sub(1) {
            Some(above) => format!("{}/{own_key}", self.session.sub_sessions[above].key),
            None => own_key.to_owned(),
        }
    }

    fn show(
        &mut self,
        mut sub: SubSession,
        mut session: Session,
        content: Option<u64>,
    ) -> Vec<Child> {
        sub.key = self.free_key(&sub.key);
        if let Some(content) = content {
            self.shown.insert(content, sub.key.clone());
        }
        let grandchildren = session.children.take();
        let within = std::mem::take(&mut session.sub_sessions);
        sub.len = within.first().map_or(session.len(), |inner| inner.first.get());
        let number = self.session.sub_sessions.len() + 1;
        sub.in_file = if session.file.source.is_empty() { 0 } else { number };
        let first = sub.first;
        let roots = (0..=within.len()).map(|number| first_root(&session, number).behind(first));
        self.roots.extend(roots);
        self.append(&mut sub, session);
        self.push_with(sub, within);
        grandchildren
    }

    /// In its place stands an entry that says why; of many for one reason the
    /// first ones have one, the rest are counted.
    fn refuse(&mut self, mut sub: SubSession, refusal: &Refusal, size: Size) {
        let told = refusal.told(size);
        let place = (sub.parent, sub.started_by);
        if self.refused.takes_another(refusal, size, place, self.limits.alike) {
            sub.key = self.free_key(&sub.key);
            sub.missing = Some(told);
            self.push_stub(sub);
        }
    }

    fn push_stub(&mut self, mut sub: SubSession) {
        self.append_reason(&mut sub);
        self.roots.push(sub.first);
        self.push(sub);
    }

    fn push(&mut self, sub: SubSession) {
        self.entries += sub.len;
        self.key_bytes += sub.key.len() * (sub.len + sub.file.aliases.len());
        self.session.sub_sessions.push(sub);
    }

    /// The sub-sessions of a child that had merged its own lie behind its entries already.
    fn push_with(&mut self, sub: SubSession, within: Vec<SubSession>) {
        let (first, key) = (sub.first, sub.key.clone());
        self.push(sub);
        let number = self.session.sub_sessions.len();
        for inner in within {
            let key = format!("{key}/{}", inner.key);
            self.keys.insert(key.clone(), 1);
            self.push(SubSession {
                key,
                first: inner.first.behind(first),
                started_by: inner.started_by.behind(first),
                leaf: inner.leaf.behind(first),
                parent: number + inner.parent,
                in_file: number + inner.in_file,
                ..inner
            });
        }
    }

    /// Two children may have one name.
    fn free_key(&mut self, key: &str) -> String {
        let mut free = key.to_owned();
        while self.keys.contains_key(&free) {
            let nth = self.keys.entry(key.to_owned()).or_insert(1);
            *nth += 1;
            free = format!("{key}~{nth}");
        }
        self.keys.insert(free.clone(), 1);
        free
    }

    /// The session, unless there is none, it is shown already or is too much.
    fn admitted(
        &self,
        session: Result<Box<Session>, String>,
        content: Option<u64>,
        key: &str,
    ) -> Result<Box<Session>, (Refusal, Size)> {
        let counted = self.session.sub_sessions.len();
        let limit = |what| Err(Refusal::Limit(what));
        let verdict = match &session {
            _ if counted >= self.limits.sessions => limit(self.limits.of_sessions()),
            Err(reason) => Err(Refusal::Other(reason.clone())),
            Ok(session) => match content.and_then(|content| self.shown.get(&content)) {
                Some(other) => Err(Refusal::Other(format!("it is shown elsewhere, as {other}"))),
                None if counted + session.sub_sessions.len() >= self.limits.sessions => {
                    limit(self.limits.of_sessions())
                }
                None if self.entries + session.len() > self.limits.entries => {
                    limit(self.limits.of_entries())
                }
                None if self.key_bytes + key_bytes(key, session) > self.limits.key_bytes => {
                    limit(self.limits.of_key_bytes())
                }
                None => Ok(()),
            },
        };
        match (verdict, session) {
            (Ok(()), Ok(session)) => Ok(session),
            (Err(refusal), session) => Err((refusal, Size::of(session.ok()))),
            (Ok(()), Err(reason)) => Err((Refusal::Other(reason), Size::of(None))),
        }
    }

    /// The entry with this id in the parent session, else its first root.
    fn starter(&self, parent: usize, id: Option<&str>) -> Option<EntryIndex> {
        id.and_then(|id| match parent.checked_sub(1) {
            Some(above) => self.session.sub_sessions[above].index_of(id),
            None => self.session.index_of(id),
        })
    }

    fn append(&mut self, sub: &mut SubSession, mut child: Session) {
        let base = self.session.repaired.len();
        self.session.repaired.append(&mut child.repaired);
        sub.leaf = child.leaf().behind(sub.first);
        for entry in child.indices() {
            let parent = child.tree.parent(entry);
            self.parents.push(parent.map(|parent| parent.behind(sub.first)));
        }
        for record in child.records {
            let place = match record.place {
                Place::Repaired(at) => Place::Repaired(base + at),
                Place::Source { .. } => record.place,
            };
            let entry_type = self.types.intern(child.types[record.entry_type as usize].clone());
            self.session.records.push(Record { entry_type, place, ..record });
        }
        let labels =
            child.labels.into_iter().map(|(entry, label)| (entry.behind(sub.first), label));
        self.session.labels.extend(labels);
        let name = sub.name();
        self.session.notes.extend(child.notes.iter().map(|note| format!("{name}: {note}")));
        sub.file = child.file;
    }

    /// An entry that says why the child is not there.
    fn append_reason(&mut self, sub: &mut SubSession) {
        const TYPE: &str = "custom";
        const ID: &str = "missing";
        let text = |text: &str| Json::String(text.to_owned().into());
        let told = [("agent", &sub.agent), ("task", &sub.task), ("reason", &sub.missing)];
        let told = told.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let data = told.map(|(name, value)| (name.into(), text(value))).collect();
        let entry = Json::Object(vec![
            ("type".into(), text(TYPE)),
            ("customType".into(), text("sub-session")),
            ("data".into(), Json::Object(data)),
        ]);
        self.session.repaired.push(entry.compact());
        self.session.records.push(Record {
            id: ID.to_owned(),
            entry_type: self.types.intern(TYPE.to_owned()),
            parent_missing: false,
            time: None,
            line: 0,
            place: Place::Repaired(self.session.repaired.len() - 1),
        });
        self.parents.push(None);
        sub.file.by_id.insert(ID.to_owned(), EntryIndex::FIRST);
        sub.len = 1;
    }

    /// Tells in one place of all that have none of their own.
    fn tell_the_rest(&mut self) {
        for rest in self.refused.take() {
            self.session.notes.extend(rest.note());
            if rest.untold.sessions > 0 {
                let (parent, started_by) = rest.place;
                let key = self.within(parent, "left-out");
                let stub = SubSession {
                    key: self.free_key(&key),
                    agent: Some(counted(rest.untold.sessions, "more sub-agent session")),
                    parent,
                    started_by,
                    missing: Some(rest.told()),
                    ..self.empty()
                };
                self.push_stub(stub);
            }
        }
    }

    fn finish(mut self) -> Session {
        self.tell_the_rest();
        let mut session = self.session;
        let times: Vec<Option<i64>> = session.records.iter().map(|record| record.time).collect();
        let link = |sub: &SubSession| ChildLink { first: sub.first, started_by: sub.started_by };
        let further: Vec<ChildLink> = session.sub_sessions.iter().map(link).collect();
        // Circles were cut in each session on its own.
        session.tree = Tree::build_all(&self.parents, &times, &further).0;
        session.types = self.types.names;
        session
    }
}

fn first_root(session: &Session, number: usize) -> EntryIndex {
    session.tree.roots_of(number).next().unwrap_or(EntryIndex::FIRST)
}

/// What the keys of a session and of those within it take.
fn key_bytes(key: &str, session: &Session) -> usize {
    let own = key.len() * (session.len() + session.file.aliases.len());
    let inner = session.sub_sessions.iter();
    own + inner
        .map(|sub| (sub.key.len() + 1) * sub.len + key.len() * sub.file.aliases.len())
        .sum::<usize>()
}

/// Tells one child from another of the same name.
fn fingerprint(key: &str, session: &Session) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key, &session.file.source, &session.repaired).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
