//! Where Copilot CLI keeps sessions, and what the events of one say in a listing.

use crate::session::json::Json;
use crate::session::time;

use crate::format::listing::{Env, Listed, Listing, SessionsFolder, is_lines, owned};
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;

use super::workspace;

pub(super) const LISTING: Listing =
    Listing { folders, names: is_lines, begins, take, take_beside: Some(take_beside), belongs };

/// A session's folder has nothing else.
fn belongs(names: &[&str]) -> bool {
    names.len() == 1
}

// `$COPILOT_HOME`, else `~/.copilot`, on every system: 1.0.102. Flat `<id>.jsonl`: agentsview, agent-sessions.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    /// A folder for each session; the first versions had only a file.
    const LEVELS: usize = 1;
    let own = env.copilot_home.clone().or_else(|| env.in_home(".copilot"));
    SessionsFolder::within(own, "session-state", LEVELS).into_iter().collect()
}

fn begins(head: &[Json<'_>], is_own_folder: bool) -> bool {
    head.first().is_some_and(|first| {
        let is_start = text(first, "type") == Some("session.start");
        let by_copilot = first.get("data").and_then(|data| text(data, "producer")).is_some();
        is_start && (by_copilot || is_own_folder)
    })
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    let Some(data) = line.get("data") else { return };
    let at = line.get("timestamp").and_then(time::read);
    let is_agents = line.get("agentId").is_some() || data.get("parentToolCallId").is_some();
    match text(line, "type") {
        Some("session.start") if listed.id.is_empty() => {
            listed.id = owned(data, "sessionId").unwrap_or_default();
            listed.cwd = data.get("context").and_then(|context| owned(context, "cwd"));
            listed.began = data.get("startTime").and_then(time::read).or(at);
        }
        Some("user.message") if !is_agents => {
            listed.spoken(at);
            if data.get("source").is_none() {
                listed.asked(&owned(data, "content").unwrap_or_default());
            }
        }
        Some("assistant.message") => listed.spoken(at),
        // copilot-sdk.
        Some("session.title_changed") => {
            listed.title = owned(data, "title").or(listed.title.take());
        }
        _ => {}
    }
}

fn take_beside(listed: &mut Listed, options: &ReadOptions) {
    listed.title = workspace::title(options, &listed.id).or(listed.title.take());
}
