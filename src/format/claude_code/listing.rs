//! Where Claude Code keeps sessions, and what the lines of one say in a listing.

use crate::session::json::Json;

use crate::format::listing::{Env, Listed, Listing, SessionsFolder, content, is_lines, owned};
use crate::format::probe::text;

use super::commands::{self, CommandText};

pub(super) const LISTING: Listing = Listing {
    folders,
    // Sub-agents' files of older versions lie beside the sessions.
    names: |name| is_lines(name) && !name.starts_with("agent-"),
    begins,
    take,
    take_beside: None,
    belongs: |names| matches!(names, [_project, name] if name.starts_with("agent-")),
};

// `CLAUDE_CONFIG_DIR`, else `~/.claude` (2.1.330; toolpath, directory-layout.md). `~/.config/claude`: other readers.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    let own = env.claude_config_dir.clone();
    let newer = own.is_none().then(|| env.in_home(".config/claude")).flatten();
    let folders = [own.or_else(|| env.in_home(".claude")), newer];
    folders.into_iter().filter_map(|folder| SessionsFolder::within(folder, "projects", 1)).collect()
}

/// Its lines have no header: those of other agents look alike.
fn begins(head: &[Json<'_>], is_own_folder: bool) -> bool {
    let is_turn =
        |line: &Json<'_>| matches!(text(line, "type"), Some("user" | "assistant" | "system"));
    is_own_folder && head.iter().any(is_turn)
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    let at = listed.line(line);
    let is = |key: &str| line.get(key).is_some_and(Json::is_truthy);
    match text(line, "type") {
        // A chosen title beats the model's; the last of each wins (toolpath, entry-types.md; agentsview).
        Some("custom-title") => {
            listed.title = owned(line, "customTitle");
            listed.is_title_chosen = true;
        }
        Some("ai-title") if !listed.is_title_chosen => listed.title = owned(line, "aiTitle"),
        Some("user") => {
            listed.spoken(at);
            let is_typed = !is("isMeta") && !is("isSidechain") && !is("isCompactSummary");
            if let Some(message) = line.get("message").filter(|_| is_typed) {
                let said = content(message);
                match commands::read(&said) {
                    Some(CommandText::Command { name, arguments }) => {
                        listed.asked(&format!("/{} {arguments}", name.trim_start_matches('/')));
                    }
                    _ => listed.asked(&said),
                }
            }
        }
        Some("assistant") => listed.spoken(at),
        _ => {}
    }
}
