//! How much of sub-sessions is shown, and the count of what is not.

use std::collections::BTreeMap;

use crate::session::texts::text::{counted, counted_entries};
use crate::session::tree::parents::EntryIndex;
use crate::session::tree::session::Session;

/// What one page takes of sub-sessions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) sessions: usize,
    /// The keys of entries grow with the depth of their session: a small file could make a page of any size.
    pub(super) key_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { sessions: 20_000, key_bytes: 64 << 20 }
    }
}

/// The limit that a child is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Over {
    Sessions,
    KeyBytes,
}

impl Over {
    /// In words.
    pub(super) fn told(self, limits: Limits) -> String {
        match self {
            Over::Sessions => {
                format!("a page shows at most {}", counted(limits.sessions, "sub-agent session"))
            }
            Over::KeyBytes => format!(
                "a page holds at most {} of keys, which are long in sessions deep within others",
                match limits.key_bytes >> 20 {
                    0 => counted(limits.key_bytes, "byte"),
                    megabytes => format!("{megabytes} MB"),
                }
            ),
        }
    }
}

/// All that are over one limit.
#[derive(Debug, Default)]
pub(super) struct Rest {
    pub(super) sessions: usize,
    pub(super) entries: usize,
    /// Where the first of them would hang: its parent session and the entry that started it.
    pub(super) place: (usize, EntryIndex),
}

impl Rest {
    /// Counts one child with all within it.
    fn add(&mut self, session: Option<Box<Session>>) {
        self.sessions += 1;
        let mut rest: Vec<Session> = session.into_iter().map(|session| *session).collect();
        while let Some(mut session) = rest.pop() {
            self.entries += session.len();
            self.sessions += session.sub_sessions.len();
            for child in session.children.take() {
                self.sessions += 1;
                rest.extend(child.session.ok().map(|session| *session));
            }
        }
    }

    /// For the page's head.
    pub(super) fn note(&self, why: &str) -> String {
        let sessions = counted(self.sessions, "sub-agent session");
        format!("{sessions} with {} not included: {why}", counted_entries(self.entries))
    }
}

/// What is not shown, by the limit that it is over.
#[derive(Debug, Default)]
pub(super) struct Refused(pub(super) BTreeMap<Over, Rest>);

impl Refused {
    pub(super) fn add(
        &mut self,
        over: Over,
        session: Option<Box<Session>>,
        place: (usize, EntryIndex),
    ) {
        let rest = self.0.entry(over).or_insert_with(|| Rest { place, ..Rest::default() });
        rest.add(session);
    }
}
