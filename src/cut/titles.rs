//! Titles that an agent made from what is gone.

use crate::session::event::Event;
use crate::session::{Body, Session};

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
