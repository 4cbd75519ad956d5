//! What tells of a whole session of which something is gone: titles that an agent made, and
//! entries about all of it. Also tasks whose call is gone.

use crate::session::calls::Calls;
use crate::session::event::Event;
use crate::session::{Body, EntryIndex, Session};

use super::selection::{Selection, Why};
use super::strip::Text;

/// Takes out the titles that nobody gave by hand, where any entry of the session goes.
pub(super) fn drop_made(session: &Session, selection: &mut Selection) {
    for number in 0..=session.sub_sessions().len() {
        if !loses(session, selection, number) {
            continue;
        }
        for entry in session.entries_of(number) {
            let is_made = match session.entry_type_at(entry) {
                "session_info" => session.format().traits().makes_titles,
                "title_change" => match session.entry_at(entry).body {
                    Body::Event(Event::Title { source, .. }) => source.as_deref() != Some("user"),
                    _ => false,
                },
                _ => false,
            };
            if is_made {
                selection.remove(entry, Why::Title);
            }
        }
    }
}

/// Takes out what entries say of a whole session of which something goes.
pub(super) fn drop_about(session: &Session, selection: &Selection, texts: &mut [Option<Text>]) {
    if session.format().traits().about.is_none() {
        return;
    }
    for number in 0..=session.sub_sessions().len() {
        if selection.stays(number) && loses(session, selection, number) {
            for entry in session.entries_of(number).filter(|&entry| is_about(session, entry)) {
                if let Some(text) = &mut texts[entry.get()] {
                    text.drop_data();
                }
            }
        }
    }
}

/// Whether an entry says something of its whole session.
pub(super) fn is_about(session: &Session, entry: EntryIndex) -> bool {
    let Some(about) = session.format().traits().about else { return false };
    session.entry_type_at(entry) == "custom"
        && matches!(session.entry_at(entry).body, Body::Custom { custom_type, .. } if custom_type == about)
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
    session.entry_at(started_by).calls_tools() || !loses(session, selection, number)
}
