//! The order in which things happened, over all branches and sub-agents.

use crate::session::digest::Digest;
use crate::session::story::TurnRole;
use crate::session::{EntryIndex, Session};

/// When each entry was written, and to which prompt it belongs.
#[derive(Debug)]
pub(crate) struct Timeline {
    /// All entries in time order.
    pub(crate) order: Vec<EntryIndex>,
    /// By entry, its place in that order.
    position: Vec<usize>,
    /// By entry, the prompt whose turn it is part of. Those of a sub-agent are part of the turn that started it.
    prompts: Vec<Option<EntryIndex>>,
}

impl Timeline {
    pub(crate) fn read(session: &Session, digest: &Digest<'_>) -> Timeline {
        let keys = keys(session);
        let mut order: Vec<EntryIndex> = session.indices().collect();
        order.sort_by_key(|&entry| keys[entry.get()]);
        let mut position = vec![0; order.len()];
        for (place, &entry) in order.iter().enumerate() {
            position[entry.get()] = place;
        }
        Timeline { order, position, prompts: prompts(session, digest) }
    }

    /// Whether the session has such an entry.
    pub(crate) fn has(&self, entry: EntryIndex) -> bool {
        entry.get() < self.position.len()
    }

    pub(crate) fn position(&self, entry: EntryIndex) -> usize {
        self.position[entry.get()]
    }

    pub(crate) fn prompt(&self, entry: EntryIndex) -> Option<EntryIndex> {
        self.prompts[entry.get()]
    }
}

/// By entry: its time, then where the outermost session had got to, then its place in the file. An entry without
/// a time has that of the one before it in its file.
fn keys(session: &Session) -> Vec<(i64, EntryIndex, EntryIndex)> {
    let mut keys: Vec<(i64, EntryIndex, EntryIndex)> = Vec::with_capacity(session.len());
    let mut beside = 0;
    let mut last = (session.header().time.unwrap_or(i64::MIN), None);
    for entry in session.indices() {
        let number = session.tree().session_of(entry);
        if number != beside {
            beside = number;
            // Those that start others come before them, so that the key is there.
            let sub = session.sub_session_of(entry).map(|sub| sub.started_by);
            let (time, anchor, _) = sub.and_then(|by| keys.get(by.get())).copied().unwrap_or((
                0,
                EntryIndex::FIRST,
                EntryIndex::FIRST,
            ));
            last = (time, Some(anchor));
        }
        last.0 = session.time(entry).unwrap_or(last.0);
        keys.push((last.0, last.1.unwrap_or(entry), entry));
    }
    keys
}

fn prompts(session: &Session, digest: &Digest<'_>) -> Vec<Option<EntryIndex>> {
    let tree = session.tree();
    let mut prompts: Vec<Option<EntryIndex>> = vec![None; session.len()];
    // Each after the entry above it, and after the one that started its session.
    for entry in tree.order() {
        let sub = session.sub_session_of(entry);
        let above = tree.parent(entry).or_else(|| sub.map(|sub| sub.started_by));
        let is_prompt = sub.is_none() && digest.story.role(entry) == TurnRole::Prompt;
        prompts[entry.get()] =
            if is_prompt { Some(entry) } else { above.and_then(|above| prompts[above.get()]) };
    }
    prompts
}
