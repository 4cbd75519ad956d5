//! Adds the entries of child sessions to the session that started them.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::build::{Interner, Place};
use super::json::Json;
use super::tree::{EntryIndex, Hung, Tree};
use super::{Child, Record, Session, SubSession, key};

/// So many entries of sub-sessions are shown in one page.
const MAX_ENTRIES: usize = 1_000_000;

/// So many sub-sessions are shown in one page.
const MAX_SESSIONS: usize = 20_000;

/// So many bytes may the keys of their entries take, which grow with the depth.
const MAX_KEY_BYTES: usize = 64 << 20;

impl Session {
    /// This session with the entries of its children, and theirs, behind its own.
    pub(crate) fn gathered(mut self) -> Session {
        let children = std::mem::take(&mut self.children);
        self.with_children(children)
    }

    /// The same with children that are not gathered yet.
    pub(crate) fn linked(mut self, children: Vec<Child>) -> Session {
        self.children = children;
        self
    }

    /// This session with further ones that its entries started: each is shown
    /// below its entry, its own children within it.
    #[must_use]
    pub fn with_children(mut self, children: Vec<Child>) -> Session {
        if children.is_empty() {
            return self;
        }
        self.leaf = Some(self.leaf());
        let mut gathering = Gathering::new(self);
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
        // One after the other: children within children would be dropped recursively.
        let mut queue = std::mem::take(&mut self.children);
        while let Some(child) = queue.pop() {
            if let Ok(mut session) = child.session {
                queue.append(&mut session.children);
            }
        }
        self
    }
}

struct Gathering {
    session: Session,
    types: Interner,
    parents: Vec<Option<EntryIndex>>,
    /// The keys in use, each with how many sessions were called so.
    keys: HashMap<String, usize>,
    /// Sessions by their content.
    shown: HashMap<u64, String>,
    key_bytes: usize,
    entries: usize,
}

impl Gathering {
    fn new(mut session: Session) -> Self {
        let keys = session.sub_sessions.iter().map(|sub| (sub.key.clone(), 1)).collect();
        let mut types = Interner::default();
        for name in std::mem::take(&mut session.types) {
            types.intern(name);
        }
        Gathering {
            parents: (0..session.len()).map(|entry| session.tree.parent(entry)).collect(),
            session,
            types,
            keys,
            shown: HashMap::new(),
            key_bytes: 0,
            entries: 0,
        }
    }

    /// Adds one child, and gives its own.
    fn add(&mut self, parent: usize, child: Child) -> Vec<Child> {
        let Child { key, agent, task, started_by, session } = child;
        let content = session.as_ref().ok().map(|session| fingerprint(&key, session));
        let own_key = key::encode(if key.is_empty() { "sub-session" } else { &key });
        let full_key = match parent.checked_sub(1) {
            Some(above) => format!("{}/{own_key}", self.session.sub_sessions[above].key),
            None => own_key,
        };
        if content.is_some_and(|content| self.shown.get(&content) == Some(&full_key)) {
            return Vec::new();
        }
        let key = self.free_key(&full_key);
        let session = session.and_then(|session| self.admitted(session, content, &key));
        let (session, missing) = match session {
            Ok(session) => (Some(*session), None),
            Err(reason) => (None, Some(reason)),
        };
        if let Some(content) = content.filter(|_| session.is_some()) {
            self.shown.insert(content, key.clone());
        }
        let mut sub = SubSession {
            started_by: self.starter(parent, started_by.as_deref()),
            first: self.session.records.len(),
            len: 0,
            leaf: self.session.records.len(),
            by_id: HashMap::new(),
            damage: Vec::new(),
            key,
            agent,
            task,
            parent,
            missing,
        };
        let Some(mut session) = session else {
            self.append_reason(&mut sub);
            self.push(sub);
            return Vec::new();
        };
        let grandchildren = std::mem::take(&mut session.children);
        let within = std::mem::take(&mut session.sub_sessions);
        sub.len = within.first().map_or(session.len(), |inner| inner.first);
        self.append(&mut sub, session);
        self.push_with(sub, within);
        grandchildren
    }

    fn push(&mut self, sub: SubSession) {
        self.entries += sub.len;
        self.key_bytes += sub.key.len() * sub.len;
        self.session.sub_sessions.push(sub);
    }

    /// The sub-sessions of a child that had gathered its own lie behind its entries already.
    fn push_with(&mut self, sub: SubSession, within: Vec<SubSession>) {
        let (first, key) = (sub.first, sub.key.clone());
        self.push(sub);
        let number = self.session.sub_sessions.len();
        for inner in within {
            let key = format!("{key}/{}", inner.key);
            self.keys.insert(key.clone(), 1);
            self.push(SubSession {
                key,
                first: first + inner.first,
                started_by: first + inner.started_by,
                leaf: first + inner.leaf,
                parent: number + inner.parent,
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

    /// The session, unless it is shown already or is too much.
    fn admitted(
        &self,
        session: Box<Session>,
        content: Option<u64>,
        key: &str,
    ) -> Result<Box<Session>, String> {
        if let Some(other) = content.and_then(|content| self.shown.get(&content)) {
            return Err(format!("it is shown elsewhere, as {other}"));
        }
        let refused = |what: String| format!("left out: a page shows {what} of sub-sessions");
        if self.session.sub_sessions.len() >= MAX_SESSIONS {
            return Err(format!("left out: a page shows {MAX_SESSIONS} sub-sessions"));
        }
        if self.entries + session.len() > MAX_ENTRIES {
            return Err(refused(format!("{MAX_ENTRIES} entries")));
        }
        if self.key_bytes + key.len() * session.len() > MAX_KEY_BYTES {
            return Err(refused(format!("{} MB of names", MAX_KEY_BYTES >> 20)));
        }
        Ok(session)
    }

    /// The entry with this id in the parent session, else its first root.
    fn starter(&self, parent: usize, id: Option<&str>) -> EntryIndex {
        let above = parent.checked_sub(1).map(|above| &self.session.sub_sessions[above]);
        let named = id.and_then(|id| match above {
            Some(above) => above.index_of(id),
            None => self.session.index_of(id),
        });
        let first = above.map_or(0, |above| above.first);
        let roots = || (first..self.parents.len()).find(|&entry| self.parents[entry].is_none());
        named.or_else(roots).unwrap_or(first)
    }

    fn append(&mut self, sub: &mut SubSession, mut child: Session) {
        let base = self.session.repaired.len();
        self.session.repaired.append(&mut child.repaired);
        sub.leaf = sub.first + child.leaf();
        for entry in 0..child.records.len() {
            let parent = child.tree.parent(entry);
            self.parents.push(parent.map(|parent| sub.first + parent));
        }
        for record in child.records {
            let place = match record.place {
                Place::Repaired(at) => Place::Repaired(base + at),
                Place::Source { start, len } => {
                    let text = std::str::from_utf8(&child.source[start..start + len]);
                    self.session.repaired.push(text.unwrap_or_default().to_owned());
                    Place::Repaired(self.session.repaired.len() - 1)
                }
            };
            let entry_type = self.types.intern(child.types[record.entry_type as usize].clone());
            self.session.records.push(Record { entry_type, place, line: 0, ..record });
        }
        let labels = child.labels.into_iter().map(|(entry, label)| (sub.first + entry, label));
        self.session.labels.extend(labels);
        let name = sub.name();
        self.session.notes.extend(child.notes.iter().map(|note| format!("{name}: {note}")));
        sub.by_id = child.by_id;
        sub.damage = child.damage;
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
        sub.by_id.insert(ID.to_owned(), 0);
        sub.len = 1;
    }

    fn finish(self) -> Session {
        let mut session = self.session;
        let times: Vec<Option<i64>> = session.records.iter().map(|record| record.time).collect();
        let hung = |sub: &SubSession| Hung { first: sub.first, started_by: sub.started_by };
        let further: Vec<Hung> = session.sub_sessions.iter().map(hung).collect();
        // Circles were cut in each session on its own.
        session.tree = Tree::build_all(&self.parents, &times, &further).0;
        session.types = self.types.names;
        session
    }
}

/// Tells one child from another of the same name.
fn fingerprint(key: &str, session: &Session) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key, &session.source, &session.repaired).hash(&mut hasher);
    hasher.finish()
}
