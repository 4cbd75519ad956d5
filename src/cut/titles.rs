//! Titles that an agent made from what is gone, and tasks whose call is.

use crate::session::calls::Calls;
use crate::session::event::Event;
use crate::session::{Body, EntryIndex, Session};

use super::select::{Selection, Why};

/// Takes out the titles that nobody gave by hand, where any entry of the session goes.
pub(super) fn drop_made(session: &Session, selection: &mut Selection) {
    for number in 0..=session.children().len() {
        if !loses(session, selection, number) {
            continue;
        }
        for entry in session.entries_of(number) {
            if session.entry_type(entry) != "title_change" {
                continue;
            }
            if let Body::Event(Event::Title { source, .. }) = session.entry(entry).body
                && source.as_deref() != Some("user")
            {
                selection.remove(entry, Why::Title);
            }
        }
    }
}

/// Whether any entry of a session goes.
pub(super) fn loses(session: &Session, selection: &Selection, number: usize) -> bool {
    session.entries_of(number).any(|entry| selection.is_gone(entry))
}

/// Whether the call stays that started a sub-session: it says who was to do what.
pub(super) fn has_call(
    session: &Session,
    selection: &Selection,
    calls: &Calls,
    started_by: EntryIndex,
) -> bool {
    if let Some(call) = calls.call_of(started_by) {
        return !selection.is_gone(call.entry);
    }
    let number = session.tree().session_of(started_by);
    session.entry(started_by).calls_tools() || !loses(session, selection, number)
}
