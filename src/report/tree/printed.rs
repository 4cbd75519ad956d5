//! Rows as `/tree` of pi 1.5.2 and of omp 18.3.4 print them; for all other agents with what the heads of the
//! cards say. The one place that makes these forms.
//!
//! One deviation: a type unknown to pi shows as `[its name]` where pi leaves the row blank, since a blank row
//! says nothing of what lies there.

use crate::outline::{Form, NOT_SHOWN, Said, TEXT_UNITS};
use crate::session::calls::Calls;
use crate::session::entry::Entry;
use crate::session::message::{Message, ToolCall, ToolResult};
use crate::session::text::{cut, one_line};
use crate::session::{Body, EntryIndex, Format, RowStyle, Session};

/// What one entry gives to the printed rows: its own, and those of the results of its calls.
#[derive(Debug)]
pub(crate) struct Printed {
    text: String,
    calls: Vec<String>,
}

impl Printed {
    pub(crate) fn of(entry: &Entry<'_>, format: Format) -> Printed {
        let calls = match &entry.body {
            Body::Message(Message::Assistant(assistant)) => {
                assistant.calls().map(|call| shown(&answered(call, format))).collect()
            }
            _ => Vec::new(),
        };
        let text = match &entry.body {
            Body::Message(Message::ToolResult(result)) => unasked(result, format),
            body => form(&Said::of(body, format)),
        };
        Printed { text: shown(&text), calls }
    }
}

/// The rows of all entries.
pub(crate) fn rows(session: &Session, calls: &Calls, mut printed: Vec<Printed>) -> Vec<String> {
    let row = |index: EntryIndex| {
        if let Some(text) = missing(session, index) {
            return text;
        }
        let place = calls.call_of(index);
        let asked =
            place.and_then(|place| printed[place.entry.get()].calls.get(place.nth).cloned());
        asked.unwrap_or_else(|| std::mem::take(&mut printed[index.get()].text))
    };
    session.indices().map(row).collect()
}

/// The row of one entry.
pub(crate) fn row(session: &Session, calls: &Calls, index: EntryIndex) -> String {
    let printed = |index| Printed::of(&session.entry_at(index), session.format());
    let asked = || {
        let place = calls.call_of(index)?;
        printed(place.entry).calls.into_iter().nth(place.nth)
    };
    missing(session, index).or_else(asked).unwrap_or_else(|| printed(index).text)
}

/// The one entry of a session that is not there says why.
fn missing(session: &Session, index: EntryIndex) -> Option<String> {
    let reason = session.sub_session_of(index)?.missing.as_deref()?;
    Some(shown(&format!("[{NOT_SHOWN}]: {}", one_line(reason))))
}

fn shown(text: &str) -> String {
    cut(text, TEXT_UNITS).to_owned()
}

fn form(Said { form, who, text }: &Said) -> String {
    match (form, text) {
        (Form::Speech, Some(text)) => format!("{who}: {text}"),
        (Form::Note, Some(text)) => format!("[{who}]: {text}"),
        (Form::Fact, Some(text)) => format!("[{who}: {text}]"),
        (Form::Plain, Some(text)) => text.clone(),
        (_, None) => format!("[{who}]"),
    }
}

/// pi and its kin, whose programs word the rows.
fn is_pi(format: Format) -> bool {
    matches!(format.traits().rows, RowStyle::Pi | RowStyle::Omp)
}

/// The row of a call's result. pi and omp name the tool and the call in brackets.
fn answered(call: &ToolCall<'_>, format: Format) -> String {
    let name = one_line(&call.name);
    if is_pi(format) {
        let summary = call.summary_in(format.traits().rows == RowStyle::Omp);
        // Not trimmed.
        format!("[{name}: {}]", summary.replace(['\n', '\t'], " "))
    } else {
        format!("{name} {}", call.action().heading().text())
    }
}

/// The same where the call is not in the session.
fn unasked(result: &ToolResult<'_>, format: Format) -> String {
    match &result.name {
        Some(name) if is_pi(format) => format!("[{}]", one_line(name)),
        Some(name) => one_line(name),
        None => "[tool]".to_owned(),
    }
}
