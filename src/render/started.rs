//! Links from an entry to the sessions that it started, and what stands for one that is not there.

use super::html::Html;
use crate::session::text::{cut, one_line};
use crate::session::{EntryIndex, Session, SubSession};

/// Of a task, in UTF-16 units; its session has the whole.
const TASK_UNITS: usize = 200;

/// A line for each session, the page's own words: its entries say the same.
pub(super) fn links(session: &Session, index: EntryIndex) -> Html {
    let mut html = Html::new();
    for number in session.tree().started_by(index) {
        let Some(sub) = session.children().get(number - 1) else { continue };
        html.push_markup("<p class=\"sub-session\" data-ui><a href=\"#entry-");
        html.push_text(&session.key(sub.first));
        html.push_markup("\"><b>");
        html.push_text(sub.name());
        html.push_markup("</b>");
        if let Some(task) = &sub.task {
            html.push_text(": ");
            html.push_text(cut(&one_line(task), TASK_UNITS));
        }
        html.push_markup("</a> <span class=\"fact\">");
        html.push_text(sub.state(session));
        if let Some(reason) = &sub.missing {
            html.push_text(": ");
            html.push_text(reason);
        } else {
            html.push_text(" · ");
            html.push_text(&entries(sub.len));
        }
        html.push_markup("</span></p>\n");
    }
    html
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

fn entries(count: usize) -> String {
    match count {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    }
}
