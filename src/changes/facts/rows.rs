//! The lines of a session file that entries stand on.

use std::collections::HashMap;
use std::ops::Range;

use crate::session::json::Json;
use crate::session::{EntryIndex, Session};

/// Reads lines by their numbers.
#[derive(Debug)]
pub(super) struct Rows<'s> {
    session: &'s Session,
    /// By session, where its lines are.
    lines: HashMap<usize, Vec<Range<usize>>>,
    last: Option<(EntryIndex, Option<Json<'s>>)>,
}

impl<'s> Rows<'s> {
    pub(super) fn new(session: &'s Session) -> Rows<'s> {
        Rows { session, lines: HashMap::new(), last: None }
    }

    /// The line that an entry stands on, where that is JSON.
    pub(super) fn of(&mut self, entry: EntryIndex) -> Option<Json<'s>> {
        if let Some((last, row)) = &self.last
            && *last == entry
        {
            return row.clone();
        }
        let row = self.read(entry);
        self.last = Some((entry, row.clone()));
        row
    }

    fn read(&mut self, entry: EntryIndex) -> Option<Json<'s>> {
        let sub = self.session.sub_session_of(entry);
        let number = sub.map_or(0, |sub| sub.in_file);
        let source: &'s [u8] = match number.checked_sub(1) {
            Some(nth) => self.session.sub_sessions().get(nth)?.source(),
            None => self.session.source(),
        };
        let lines = self.lines.entry(number).or_insert_with(|| lines(source));
        let line = (self.session.line(entry) as usize).checked_sub(1)?;
        serde_json::from_str(std::str::from_utf8(&source[lines.get(line)?.clone()]).ok()?).ok()
    }
}

fn lines(source: &[u8]) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut lines = Vec::new();
    for at in memchr::memchr_iter(b'\n', source).chain([source.len()]) {
        lines.push(from..at);
        from = at + 1;
    }
    lines
}
