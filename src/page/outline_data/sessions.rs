//! The sessions of a page: the session itself, and those of its sub-agents.

use std::borrow::Cow;

use serde::Serialize;

use super::columns::{Drawn, Number, Numbers, number};
use crate::content::work::Work;
use crate::session::invisible::marked;
use crate::session::text::{counted, counted_entries};
use crate::session::{Session, SubSession};

/// A session of the page; the first is the outermost.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionData<'a> {
    name: Drawn<'a>,
    /// As it is drawn; before it the reason where nothing of the session is there.
    task: String,
    /// `done · 13 entries · 1 failure`; empty where nothing of it is there.
    facts: String,
    parent: Number,
    started_by: Number,
    first: Number,
    leaf: Number,
    count: usize,
    /// Its lines are among those of the sub-sessions' files.
    beside: bool,
}

/// The sessions of a page, empty where there is only one.
pub(super) fn sessions<'a>(
    session: &'a Session,
    numbers: &Numbers<'_>,
    work: &Work<'_>,
) -> Vec<SessionData<'a>> {
    if session.sub_sessions().is_empty() {
        return Vec::new();
    }
    let main = SessionData {
        name: Drawn("Main"),
        task: String::new(),
        facts: String::new(),
        parent: -1,
        started_by: -1,
        first: 0,
        leaf: numbers.of(session.leaf()),
        count: session.own_len(),
        beside: false,
    };
    let further = session.sub_sessions().iter().map(|sub| SessionData {
        name: Drawn(sub.name()),
        task: marked(&task_words(session, sub)).into_owned(),
        facts: sub_session_facts(session, sub, work),
        parent: number(sub.parent),
        started_by: numbers.of(sub.started_by),
        first: session
            .tree()
            .roots_of(session.tree().session_of(sub.first))
            .next()
            .map_or(-1, |root| numbers.of(root)),
        leaf: numbers.of(sub.leaf),
        count: sub.len,
        beside: sub.in_file > 0,
    });
    std::iter::once(main).chain(further).collect()
}

fn task_words<'s>(session: &Session, sub: &'s SubSession) -> Cow<'s, str> {
    let task = sub.task.as_deref().unwrap_or_default();
    let Some(reason) = &sub.missing else { return task.into() };
    let task = if task.is_empty() { String::new() } else { format!(", {task}") };
    format!("{}: {reason}{task}", sub.state(session)).into()
}

fn sub_session_facts(session: &Session, sub: &SubSession, work: &Work<'_>) -> String {
    if sub.missing.is_some() {
        return String::new();
    }
    let mut facts = format!("{} · {}", sub.state(session), counted_entries(sub.len));
    let failures = work.failures_of(sub);
    if failures > 0 {
        facts.push_str(" · ");
        facts.push_str(&counted(failures, "failure"));
    }
    facts
}
