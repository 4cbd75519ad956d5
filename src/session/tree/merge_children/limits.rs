//! How much of sub-sessions is shown, and the count of what is not.

use std::collections::HashMap;

use crate::session::texts::text::{counted, counted_entries};
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// What one page takes of sub-sessions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) entries: usize,
    pub(super) sessions: usize,
    /// The keys of entries grow with the depth of their session.
    pub(super) key_bytes: usize,
    /// So many that are missing for one reason have an entry each.
    pub(super) alike: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1_000_000, sessions: 20_000, key_bytes: 64 << 20, alike: 100 }
    }
}

impl Limits {
    pub(super) fn of_sessions(self) -> String {
        format!("a page shows at most {}", counted(self.sessions, "sub-agent session"))
    }

    pub(super) fn of_entries(self) -> String {
        format!("a page shows at most {} of sub-agent sessions", counted_entries(self.entries))
    }

    pub(super) fn of_key_bytes(self) -> String {
        let most = match self.key_bytes >> 20 {
            0 => counted(self.key_bytes, "byte"),
            megabytes => format!("{megabytes} MB"),
        };
        format!(
            "a page holds at most {most} of keys, which are long in sessions deep within others"
        )
    }
}

/// Sessions and their entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) sessions: usize,
    pub(super) entries: usize,
}

impl Size {
    /// One child with all within it; the entries of one without a session are unknown.
    pub(super) fn of(session: Option<Box<Session>>) -> Size {
        let mut size = Size { sessions: 1, entries: 0 };
        let mut rest: Vec<Session> = session.into_iter().map(|session| *session).collect();
        while let Some(mut session) = rest.pop() {
            size.entries += session.len();
            size.sessions += session.sub_sessions.len();
            for child in session.children.take() {
                size.sessions += 1;
                rest.extend(child.session.ok().map(|session| *session));
            }
        }
        size
    }

    fn add(&mut self, other: Size) {
        self.sessions += other.sessions;
        self.entries += other.entries;
    }
}

/// Why a child is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Refusal {
    /// It would be too much for a page.
    Limit(String),
    /// There is no session, or it is shown already.
    Other(String),
}

impl Refusal {
    /// Why, of one child and what is within it.
    pub(super) fn told(&self, size: Size) -> String {
        match self {
            Refusal::Limit(why) => match size.sessions - 1 {
                0 => format!("not included: {why}"),
                1 => format!("not included, with the 1 inside it: {why}"),
                within => format!("not included, with the {within} inside it: {why}"),
            },
            Refusal::Other(reason) => reason.clone(),
        }
    }
}

/// Where a child hangs: its parent session and the entry that started it.
type Hanging = (usize, EntryIndex);

/// All that are not shown for one reason.
#[derive(Debug)]
pub(super) struct Rest {
    refusal: Refusal,
    all: Size,
    told: usize,
    /// Those without an entry of their own.
    pub(super) untold: Size,
    /// Where the first of those would hang.
    pub(super) place: Hanging,
}

impl Rest {
    /// Why, of those without an entry of their own.
    pub(super) fn told(&self) -> String {
        match &self.refusal {
            Refusal::Limit(why) => {
                format!("not included, with {}: {why}", counted_entries(self.untold.entries))
            }
            Refusal::Other(reason) => reason.clone(),
        }
    }

    /// For the page's head: what a limit left out, and what is merely counted.
    pub(super) fn note(&self) -> Option<String> {
        let Size { sessions, entries: count } = self.all;
        match &self.refusal {
            Refusal::Limit(why) => {
                let (what, with) = (counted(sessions, "sub-agent session"), counted_entries(count));
                Some(format!("{what} with {with} not included: {why}"))
            }
            Refusal::Other(reason) => (self.untold.sessions > 0).then(|| {
                format!("{} not included: {reason}", counted(sessions, "sub-agent session"))
            }),
        }
    }
}

/// What is not shown, by reason, in the order in which the reasons came up.
#[derive(Debug, Default)]
pub(super) struct Refused {
    rest: Vec<Rest>,
    by_reason: HashMap<Refusal, usize>,
}

impl Refused {
    /// Counts one more, and says whether it may have an entry of its own.
    pub(super) fn takes_another(
        &mut self,
        refusal: &Refusal,
        size: Size,
        place: Hanging,
        most: usize,
    ) -> bool {
        let at = *self.by_reason.entry(refusal.clone()).or_insert_with(|| {
            let (all, untold) = (Size::default(), Size::default());
            self.rest.push(Rest { refusal: refusal.clone(), all, told: 0, untold, place });
            self.rest.len() - 1
        });
        let rest = &mut self.rest[at];
        rest.all.add(size);
        if rest.told < most {
            rest.told += 1;
            return true;
        }
        if rest.untold.sessions == 0 {
            rest.place = place;
        }
        rest.untold.add(size);
        false
    }

    pub(super) fn take(&mut self) -> Vec<Rest> {
        std::mem::take(&mut self.rest)
    }
}
