//! The sessions that a database holds.

use std::collections::HashMap;
use std::path::Path;

use crate::format::database::{Database, DatabaseError, DatabaseSession};
#[cfg(feature = "catalog")]
use crate::format::decode::Limit;
use crate::format::listing::Listed;
use crate::session::Format;

use super::session::MAX_COUNTED_BYTES;
use super::{FoundSession, Kept};

/// All of them, from two queries; `None` where it is not readable. `problem` is what a person has to know
/// of a database that is an agent's.
pub(super) fn sessions(
    path: &Path,
    agent: Format,
    problem: &mut Option<String>,
) -> Option<Vec<FoundSession>> {
    let opened = Database::open(path).and_then(|database| Ok((database.sessions()?, database)));
    let (sessions, database) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let is_other = matches!(error, DatabaseError::NotAnAgents(_));
            *problem = (!is_other).then(|| error.to_string());
            return None;
        }
    };
    *problem = database.unread().map(str::to_owned);
    // Without them a listing is as good as one of titles.
    let prompts = database.prompts().unwrap_or_default();
    let mut prompts: HashMap<String, String> = prompts.into_iter().rev().collect();
    let found = |session: DatabaseSession| FoundSession {
        agent,
        path: path.to_owned(),
        in_file: Some(session.id.clone()),
        size: 0,
        time: session.time,
        cwd: session.cwd,
        title: session.title,
        prompt: prompts.remove(&session.id).and_then(|prompt| {
            let mut listed = Listed::default();
            listed.asked(&prompt);
            listed.prompt
        }),
        id: session.id,
        counts: None,
        called: None,
        ended: None,
        kept: Kept::No,
    };
    Some(sessions.into_iter().map(found).collect())
}

/// One of them, unless it is too large to be counted.
pub(super) fn session(path: &Path, id: &str) -> Option<Vec<u8>> {
    Database::open(path).ok()?.session(id, MAX_COUNTED_BYTES).ok()
}

/// One of them, however large it is.
#[cfg(feature = "catalog")]
pub(super) fn whole_session(path: &Path, id: &str) -> Option<Vec<u8>> {
    Database::open(path).ok()?.session(id, Limit::default().bytes()).ok()
}
