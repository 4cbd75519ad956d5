//! Links from an entry to the sessions that it started, and what stands for one that is not there.

use crate::figures::duration;
use crate::html::Html;
use crate::session::entry::Entry;
use crate::session::message::Message;
use crate::session::story::Story;
use crate::session::text::{counted_entries, cut, one_line};
use crate::session::{Body, EntryIndex, Session, SubSession};

/// Of a task, in UTF-16 units; its session has the whole.
const TASK_UNITS: usize = 200;

/// A card for each session, or only the link where the card of its call says the rest; the page's own words, as the
/// entries of the session say the same.
pub(super) fn links(
    session: &Session,
    story: &Story,
    index: EntryIndex,
    entry: &Entry<'_>,
) -> Html {
    let mut html = Html::new();
    if let Some(sub) = in_card(session, index, entry) {
        html.push_markup("<p class=\"sub-session event\" data-ui>");
        html.push(&link(session, story, sub));
        html.push_markup("</p>\n");
        return html;
    }
    for number in session.tree().started_by(index) {
        let Some(sub) = session.children().get(number - 1) else { continue };
        html.push_markup("<p class=\"sub-session card card-head\" data-ui>⊞ <b class=\"tool\">");
        html.push_text(sub.name());
        html.push_markup("</b> ");
        if let Some(task) = &sub.task {
            html.push_markup("<span class=\"args\">");
            html.push_text(cut(&one_line(task), TASK_UNITS));
            html.push_markup("</span> ");
        }
        html.push_markup("<span class=\"fact\">");
        html.push_text(sub.state(session));
        if let Some(reason) = &sub.missing {
            html.push_text(": ");
            html.push_text(reason);
        }
        if let Some(ms) = worked(session, sub) {
            html.push_text(" · ");
            html.push_text(&duration(ms));
        }
        html.push_markup("</span> <span class=\"fact\">");
        html.push(&link(session, story, sub));
        html.push_markup("</span></p>\n");
    }
    html
}

/// The session that a tool's card leads to: the only one that the call started, and it can be shown.
pub(super) fn in_card<'s>(
    session: &'s Session,
    index: EntryIndex,
    entry: &Entry<'_>,
) -> Option<&'s SubSession> {
    let mut started = session.tree().started_by(index);
    let sub = session.children().get(started.next()? - 1)?;
    let is_result = matches!(entry.body, Body::Message(Message::ToolResult(_)));
    (is_result && started.next().is_none() && sub.missing.is_none()).then_some(sub)
}

/// `Open 7 entries →`, at the first that is more than a setting or state.
pub(super) fn link(session: &Session, story: &Story, sub: &SubSession) -> Html {
    let mut entries = sub.first..sub.first + sub.len;
    let first = entries.find(|&entry| !story.is_aside(entry)).unwrap_or(sub.first);
    let mut html = Html::new();
    html.push_markup("<a href=\"#entry-");
    html.push_text(&session.key(first));
    html.push_markup("\">Open ");
    html.push_text(&counted_entries(sub.len));
    html.push_markup(" →</a>");
    html
}

/// From its first entry to its end, in milliseconds.
#[expect(clippy::cast_precision_loss, reason = "shown in seconds")]
pub(super) fn worked(session: &Session, sub: &SubSession) -> Option<f64> {
    let ms = session.time(sub.leaf)? - session.time(sub.first)?;
    (ms > 0).then_some(ms as f64)
}

/// The sub-session in whose place an entry stands.
pub(super) fn missing(session: &Session, index: EntryIndex) -> Option<&SubSession> {
    session.sub_session_of(index).filter(|sub| sub.missing.is_some())
}

/// What stands in the place of a session that cannot be shown.
pub(super) fn reason(sub: &SubSession) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><b>");
    html.push_text(sub.name());
    html.push_markup("</b><span data-ui> cannot be shown: </span>");
    html.push_text(sub.missing.as_deref().unwrap_or_default());
    html.push_markup("</p>\n");
    if let Some(task) = &sub.task {
        html.push_markup("<p><span data-ui>Its task: </span>");
        html.push_text(task);
        html.push_markup("</p>\n");
    }
    html
}
