//! Links from an entry to the sessions that it started.

use crate::content::started::worked;
use crate::content::work::Work;
use crate::figures::duration;
use crate::html::Html;
use crate::session::text::{counted, counted_entries, cut, one_line};
use crate::session::{Session, SubSession};

/// Of a task, in UTF-16 units; its session has the whole.
const TASK_UNITS: usize = 200;

/// A card for a session, or only the link where the card of its call says the rest; the page's own words, as the
/// entries of the session say the same.
pub(super) fn link(session: &Session, work: &Work<'_>, nth: usize, in_card: bool) -> Html {
    let mut html = Html::new();
    let Some(sub) = session.sub_sessions().get(nth) else { return html };
    let failures = work.failures_of(sub);
    if in_card {
        html.push_markup("<p class=\"sub-session event\" data-ui>");
        push_failures(&mut html, failures);
        push_opening(&mut html, session, work, sub);
        html.push_markup("</p>\n");
        return html;
    }
    html.push_markup("<p class=\"sub-session card card-head\" data-ui><span class=\"icon\"></span> <b class=\"tool\">");
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
    push_failures(&mut html, failures);
    push_opening(&mut html, session, work, sub);
    html.push_markup("</span></p>\n");
    html
}

/// `1 failure · `; nothing without any.
fn push_failures(html: &mut Html, failures: usize) {
    if failures > 0 {
        html.push_markup("<span class=\"failed\">");
        html.push_text(&counted(failures, "failure"));
        html.push_markup("</span> · ");
    }
}

/// `Open 7 entries →`
fn push_opening(html: &mut Html, session: &Session, work: &Work<'_>, sub: &SubSession) {
    let first = work.opening_of(sub);
    html.push_markup("<a href=\"#entry-");
    html.push_text(&session.key_at(first));
    html.push_markup("\">Open ");
    html.push_text(&counted_entries(sub.len));
    html.push_markup(" →</a>");
}
