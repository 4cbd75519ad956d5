//! Where Gemini CLI keeps sessions, and what the parts of one say in a listing.

use std::path::Path;

use crate::session::json::Json;
use crate::session::time;

use crate::format::listing::{Env, Listed, Listing, SessionsFolder, content, owned};
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;

use super::agents::working_directory;

pub(super) const LISTING: Listing =
    Listing { folders, names, begins, take, take_beside: Some(take_beside), belongs };

/// `tool-outputs` has what was too long for a session.
fn belongs(names: &[&str]) -> bool {
    matches!(names, [_project, "chats" | "tool-outputs" | ".project_root"])
}

// `${GEMINI_CLI_HOME:-~}/.gemini/tmp/<project>/chats/`: gemini-cli, 0.61.0.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    /// By project, and in `chats` there.
    const LEVELS: usize = 2;
    let home = env.gemini_home.clone().or_else(|| env.home.clone());
    SessionsFolder::within(home, ".gemini/tmp", LEVELS).into_iter().collect()
}

fn names(name: &str) -> bool {
    let ending = Path::new(name).extension();
    name.starts_with("session-")
        && ending.is_some_and(|ending| ending == "jsonl" || ending == "json")
}

fn begins(head: &[Json<'_>], is_own_folder: bool) -> bool {
    // Of one object this is what stands before its messages.
    let begins =
        |json: &Json<'_>| is_own_folder && has_id(json) && text(json, "startTime").is_some();
    head.first().is_some_and(|first| is_header(first) || begins(first))
}

fn has_id(json: &Json<'_>) -> bool {
    text(json, "sessionId").is_some() && json.get("type").is_none()
}

/// The ids of a session and of its project; not every version names the project.
pub(super) fn is_header(json: &Json<'_>) -> bool {
    let has = |key| text(json, key).is_some();
    has("sessionId")
        && (has("projectHash")
            || has("startTime")
                && (has("lastUpdated")
                    || ["messages", "kind"].iter().any(|key| json.get(key).is_some())))
}

fn take(listed: &mut Listed, part: &Json<'_>) {
    let about = part.get("$set").unwrap_or(part);
    if has_id(part) {
        listed.id = owned(part, "sessionId").unwrap_or_default();
        listed.began = part.get("startTime").and_then(time::read);
    }
    match text(part, "type") {
        Some(kind @ ("user" | "gemini" | "model")) => {
            listed.spoken(part.get("timestamp").and_then(time::read));
            let words = content(part);
            // gemini-cli does not take such texts for prompts.
            let is_command = words.starts_with(['/', '?']);
            if kind == "user" && !is_command {
                listed.asked(&words);
            }
        }
        Some(_) => {}
        // Metadata, in the header or behind the messages.
        None => {
            if let Some(title) = owned(about, "summary") {
                listed.title = Some(title);
            }
        }
    }
}

fn take_beside(listed: &mut Listed, options: &ReadOptions) {
    listed.cwd = listed.cwd.take().or_else(|| working_directory(options));
}
