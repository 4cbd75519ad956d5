//! Where Codex keeps sessions, and what the lines of one say in a listing.

use crate::session::json::Json;
use crate::session::time;

use crate::format::compressed::plain_name;
use crate::format::listing::{Env, Listed, Listing, SessionsFolder, content, is_lines, owned};
use crate::format::probe::text;

use super::reader::REQUEST;

pub(super) const LISTING: Listing =
    Listing { folders, names: is_rollout, begins, take, take_beside: None, belongs: |_| false };

// `$CODEX_HOME`, else `~/.codex`: codex-rs, rollout; 0.169.0.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    /// By year, month and day.
    const LEVELS: usize = 3;
    let own = env.codex_home.clone().or_else(|| env.in_home(".codex"));
    let current = SessionsFolder::within(own.clone(), "sessions", LEVELS);
    current.into_iter().chain(SessionsFolder::within(own, "archived_sessions", 0)).collect()
}

/// Those of more than a week are compressed.
// `.jsonl.zst`, those older than 7 days: codex-rs, rollout (compression).
fn is_rollout(name: &str) -> bool {
    is_lines(plain_name(name)) && name.starts_with("rollout-")
}

/// The first versions wrote the header bare.
fn begins(head: &[Json<'_>], is_own_folder: bool) -> bool {
    head.first().is_some_and(|first| {
        let is_bare = || first.get("id").is_some() && first.get("timestamp").is_some();
        text(first, "type") == Some("session_meta") || is_own_folder && is_bare()
    })
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    let at = line.get("timestamp").and_then(time::read);
    let payload = line.get("payload").unwrap_or(line);
    match (text(line, "type"), text(payload, "type")) {
        // A fork's file repeats the header of the thread that it came from. codex-rs, rollout; letta trajectory.
        (Some("session_meta"), _) if !listed.id.is_empty() => {}
        (Some("session_meta"), _) => {
            let source = payload.get("source");
            listed.is_agents = source.is_some_and(|source| source.get("subagent").is_some());
            listed.id = owned(payload, "id").unwrap_or_default();
            listed.cwd = owned(payload, "cwd");
            listed.began = payload.get("timestamp").and_then(time::read).or(at);
        }
        (_, Some("user_message")) => {
            listed.spoken(at);
            let message = owned(payload, "message").unwrap_or_default();
            listed.asked(message.split_once(REQUEST).map_or(&message, |(_, request)| request));
        }
        (_, Some("message")) => match text(payload, "role") {
            Some("user") => {
                listed.spoken(at);
                listed.asked(&content(payload));
            }
            Some("assistant") => listed.spoken(at),
            _ => {}
        },
        // The first versions wrote the header bare.
        _ if listed.id.is_empty() => {
            listed.id = owned(payload, "id").unwrap_or_default();
            listed.began = at;
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_has_its_own_id() {
        let mut listed = Listed::default();
        for (id, cwd) in [("own", "/own"), ("copied", "/copied")] {
            let line =
                format!(r#"{{"type":"session_meta","payload":{{"id":"{id}","cwd":"{cwd}"}}}}"#);
            take(&mut listed, &serde_json::from_str(&line).unwrap());
        }
        assert_eq!((listed.id.as_str(), listed.cwd.as_deref()), ("own", Some("/own")));
    }
}
