//! Where Qwen Code keeps sessions, and what the lines of one say in a listing.

use crate::session::json::Json;

use crate::format::gemini::parts::Content;
use crate::format::listing::{Env, Listed, Listing, SessionsFolder, is_lines, owned};
use crate::format::probe::text;

pub(super) const LISTING: Listing = Listing {
    folders,
    names,
    begins,
    take,
    take_beside: None,
    belongs: |names| matches!(names, [_project, "chats" | "subagents"]),
};

// `~/.qwen/projects/<project>/chats/<id>.jsonl` (0.24.4); `QWEN_RUNTIME_DIR` and `QWEN_HOME`: qwen-code.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    /// By project, and in `chats` there.
    const LEVELS: usize = 2;
    let home = env.qwen_home.clone().or_else(|| env.in_home(".qwen"));
    SessionsFolder::within(home, "projects", LEVELS).into_iter().collect()
}

fn names(name: &str) -> bool {
    is_lines(name) && !name.starts_with("agent-")
}

fn begins(head: &[Json<'_>], _is_own_folder: bool) -> bool {
    head.iter().any(super::is_own)
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    let at = listed.line(line);
    listed.is_agents |= line.get("isSidechain").is_some_and(Json::is_truthy);
    match text(line, "type") {
        Some("user") => {
            listed.spoken(at);
            let is_typed = !matches!(text(line, "provenance"), Some("system"));
            let content = line.get("message").filter(|_| is_typed);
            let blocks = content.map(|message| Content::of(message, "").blocks).unwrap_or_default();
            // Before the prompt stands what the program put in, in a part of its own.
            for block in &blocks {
                listed.asked(text(block, "text").unwrap_or_default());
            }
        }
        Some("assistant" | "tool_result") => listed.spoken(at),
        Some("system") => {
            let title = line.get("systemPayload").and_then(|said| owned(said, "customTitle"));
            listed.title = title.or(listed.title.take());
        }
        _ => {}
    }
}
