//! The sessions that a database holds.

use std::collections::HashMap;
use std::path::Path;

use crate::format::database::{Database, DatabaseSession};
use crate::session::Dialect;
use crate::session::text::{cut, one_line};

use super::{FoundSession, MAX_COUNTED_BYTES};

/// Of a prompt so much is kept, in UTF-16 units.
const PROMPT_UNITS: usize = 300;

/// All of them, from two queries; `None` where it is not readable.
pub(super) fn sessions(path: &Path, agent: Dialect) -> Option<Vec<FoundSession>> {
    let database = Database::open(path).ok()?;
    let sessions = database.sessions().ok()?;
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
        prompt: prompts
            .remove(&session.id)
            .map(|prompt| cut(&one_line(&prompt), PROMPT_UNITS).to_owned())
            .filter(|prompt| !prompt.is_empty()),
        id: session.id,
        counts: None,
    };
    Some(sessions.into_iter().map(found).collect())
}

/// One of them, unless it is too large to be counted.
pub(super) fn session(path: &Path, id: &str) -> Option<Vec<u8>> {
    Database::open(path).ok()?.session(id, MAX_COUNTED_BYTES).ok()
}
