//! The session as it is now, from what it was before the last entries.

use std::sync::PoisonError;

use crate::format;
use crate::session::json::Json;
use crate::session::{EntryIndex, RawEntry, Session, time};

use super::index::At;
use super::{SessionStore, first_lines};

impl SessionStore {
    pub(super) fn read_anew(&self) -> Option<Session> {
        let format = self.agent.rules().format;
        format::read_with(self.bytes.clone(), Some(format), &first_lines::options()).ok()
    }

    /// The session from what it was before the last entries.
    pub(super) fn extended(&self) -> Option<Session> {
        let before = self.session_before.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let last = before.line(EntryIndex::new(before.len() - 1));
        let added = (before.len()..self.index.len()).map(At::new).zip(last + 1..);
        let entries = added.map(|(at, line)| self.raw_entry(at, line)).collect::<Option<_>>()?;
        before.extended(&self.bytes, entries)
    }

    fn raw_entry(&self, at: At, line: u32) -> Option<RawEntry> {
        let json: Json<'_> = serde_json::from_str(self.text(at)).ok()?;
        let text = |key: &str| json.get(key).and_then(Json::as_str);
        Some(RawEntry {
            id: self.index.id(at).to_owned(),
            parent_id: text("parentId").map(str::to_owned),
            entry_type: text("type")?.to_owned(),
            time: json.get("timestamp").and_then(time::read),
            line,
            place: self.index.place(at),
        })
    }

    /// An entry was added: the session is made from what it was when it is asked for.
    pub(super) fn session_goes_on(&mut self) {
        if let Some(Some(session)) = self.session.take() {
            *self.session_before.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(session);
        }
    }

    /// Entries are gone, or other lines have changed.
    pub(super) fn forget_session(&mut self) {
        self.session.take();
        self.session_before.get_mut().unwrap_or_else(PoisonError::into_inner).take();
    }
}
