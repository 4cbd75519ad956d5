//! One stub for all entries that belonged together and are gone.

use crate::session::{Body, EntryIndex, Session, omitted};

use super::selection::{Selection, Why};

/// The stubs of a session and of its sub-sessions.
pub(super) struct Stubs {
    stubs: Vec<Stub>,
    /// By entry; none for one that stays or whose session goes.
    of: Vec<Option<usize>>,
}

/// Entries that are gone, named in one place.
pub(super) struct Stub {
    /// The first of them, whose id and place it has.
    pub(super) first: EntryIndex,
    pub(super) why: Why,
    /// How many, those of sub-sessions included.
    pub(super) count: usize,
    pub(super) sub_sessions: usize,
    /// Those of the session itself, the first of them first.
    pub(super) entries: Vec<EntryIndex>,
}

impl Stubs {
    pub(super) fn new(session: &Session, selection: &Selection) -> Stubs {
        let mut stubs = Stubs { stubs: Vec::new(), of: vec![None; session.len()] };
        for entry in session.tree().order() {
            let Some(why) = selection.why(entry).filter(|why| *why != Why::Session) else {
                continue;
            };
            let above = session.tree().parent(entry).and_then(|parent| stubs.of[parent.get()]);
            let nth = match above {
                // Where removed entries part, one stub for all would count for each of the paths.
                Some(above)
                    if stubs.stubs[above].takes(why)
                        && (why.is_place() || session.tree().branch(entry).count == 1) =>
                {
                    above
                }
                _ => stubs.begin(entry, why),
            };
            let (count, sub_sessions) = counts(session, entry);
            stubs.stubs[nth].count += count;
            stubs.stubs[nth].sub_sessions += sub_sessions;
            stubs.stubs[nth].entries.push(entry);
            stubs.of[entry.get()] = Some(nth);
        }
        stubs.count_sessions(session, selection);
        stubs
    }

    /// The stub of an entry that is gone.
    pub(super) fn of(&self, entry: EntryIndex) -> Option<&Stub> {
        self.of[entry.get()].map(|nth| &self.stubs[nth])
    }

    fn begin(&mut self, first: EntryIndex, why: Why) -> usize {
        self.stubs.push(Stub { first, why, count: 0, sub_sessions: 0, entries: Vec::new() });
        self.stubs.len() - 1
    }

    /// Sessions go with the entry that started them, and those within with them.
    fn count_sessions(&mut self, session: &Session, selection: &Selection) {
        let mut told_by = vec![None; session.sub_sessions().len() + 1];
        // Of a session that nothing says which entry started, the first stub beside it tells.
        let mut first_stub = vec![None; told_by.len()];
        for (nth, stub) in self.stubs.iter().enumerate() {
            first_stub[session.tree().session_of(stub.first)].get_or_insert(nth);
        }
        for (number, sub) in (1..).zip(session.sub_sessions()) {
            if selection.stays(number) {
                continue;
            }
            let outer = told_by[session.tree().session_of(sub.started_by)];
            told_by[number] = self.of[sub.started_by.get()].or(outer).or(first_stub[sub.parent]);
            if let Some(nth) = told_by[number] {
                self.stubs[nth].sub_sessions += 1;
                self.stubs[nth].count += if sub.missing.is_none() { sub.len } else { 0 };
            }
        }
    }
}

/// How many entries and sub-sessions an entry stands for: a stub of an earlier cut for more than one.
fn counts(session: &Session, entry: EntryIndex) -> (usize, usize) {
    if session.entry_type_at(entry) == omitted::TYPE
        && let Body::Omitted(omitted) = session.entry_at(entry).body
    {
        return (omitted.count, omitted.sub_sessions);
    }
    (1, 0)
}

impl Stub {
    /// Whether an entry below belongs to it.
    fn takes(&self, why: Why) -> bool {
        match (self.why.is_place(), why.is_place()) {
            (true, true) | (false, false) => true,
            // What was kept of the tree and is not listed stands for itself.
            _ => false,
        }
    }
}
