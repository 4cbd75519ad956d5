//! Sessions that an entry started, and what stands for one that is not there.

use super::{Content, Line, Part, Role, Span, Style};
use crate::session::message::Message;
use crate::session::{Body, Entry, EntryIndex, Session, SubSession};

/// The sessions that an entry started.
pub(crate) fn sub_sessions(
    session: &Session,
    index: EntryIndex,
    entry: &Entry<'_>,
) -> Content<'static> {
    let in_card = in_card(session, index, entry).is_some();
    let numbers = session.tree().started_by(index);
    numbers.map(|number| Part::SubSession { nth: number - 1, in_card }).collect()
}

/// The session that a tool's card tells of: the only one that the call started, and it can be shown.
pub(crate) fn in_card<'s>(
    session: &'s Session,
    index: EntryIndex,
    entry: &Entry<'_>,
) -> Option<&'s SubSession> {
    let mut started = session.tree().started_by(index);
    let sub = session.sub_sessions().get(started.next()? - 1)?;
    let is_result = matches!(entry.body, Body::Message(Message::ToolResult(_)));
    (is_result && started.next().is_none() && sub.missing.is_none()).then_some(sub)
}

/// From its first entry to its end, in milliseconds.
#[expect(clippy::cast_precision_loss, reason = "shown in seconds")]
pub(crate) fn worked(session: &Session, sub: &SubSession) -> Option<f64> {
    let ms = session.time(sub.leaf)? - session.time(sub.first)?;
    (ms > 0).then_some(ms as f64)
}

/// The sub-session in whose place an entry stands.
pub(crate) fn missing(session: &Session, index: EntryIndex) -> Option<&SubSession> {
    session.sub_session_of(index).filter(|sub| sub.missing.is_some())
}

/// What stands in the place of a session that cannot be shown.
pub(super) fn reason(sub: &SubSession) -> Content<'_> {
    let why = [
        Span::styled(Style::Name, sub.name()),
        Span::own(" cannot be shown: "),
        Span::text(sub.missing.as_deref().unwrap_or_default()),
    ];
    let task = sub.task.as_deref();
    let task = task.map(|task| Line::new(Role::Text, [Span::own("Its task: "), Span::text(task)]));
    let lines = [Some(Line::new(Role::Note, why)), task];
    lines.into_iter().flatten().map(Part::Line).collect()
}
