//! Where pi and oh-my-pi keep sessions, and what the lines of theirs say in a listing.

use crate::session::json::Json;
use crate::session::time;

use super::compressed::plain_name;
use super::listing::{Env, Listed, Listing, SessionsFolder, content, is_lines, owned};
use super::probe::text;

/// pi's.
pub(super) const PI: Listing = Listing {
    folders: pi_folders,
    names: is_session,
    begins: |head, _| header(head).is_some(),
    take,
    take_beside: None,
    belongs: |_| false,
};

/// oh-my-pi's.
pub(super) const OMP: Listing = Listing {
    folders: omp_folders,
    names: is_session,
    begins: begins_omp,
    take,
    take_beside: None,
    belongs: |_| false,
};

// `PI_CODING_AGENT_SESSION_DIR`, else sessions in `PI_CODING_AGENT_DIR`, else in `~/.pi/agent` (pi 1.5.2).
fn pi_folders(env: &Env) -> Vec<SessionsFolder> {
    let agent = env.pi_agent_dir.clone().or_else(|| env.in_home(".pi/agent"));
    let own = SessionsFolder::within(env.pi_session_dir.clone(), "", 1);
    let own = own.into_iter().chain(SessionsFolder::within(agent, "sessions", 1));
    own.chain(openclaw_folders(env)).collect()
}

/// OpenClaw's sessions are pi's: `agents/<agent>/sessions/<id>.jsonl`, and since 2026.9 those of
/// `agents/<agent>/agent/openclaw-agent.sqlite`.
// `$OPENCLAW_STATE_DIR`, `$CLAWDBOT_STATE_DIR`, `~/.openclaw`, `~/.clawdbot`: agentsview, deja-vu, toolpath.
fn openclaw_folders(env: &Env) -> Vec<SessionsFolder> {
    const LEVELS: usize = 2;
    let own = env.openclaw_state_dir.clone();
    let homes = || [".openclaw", ".clawdbot"].map(|name| env.in_home(name));
    let states = own.map_or_else(|| homes().to_vec(), |own| vec![Some(own)]);
    states.into_iter().filter_map(|state| SessionsFolder::within(state, "agents", LEVELS)).collect()
}

/// In the home folder, and below `XDG_DATA_HOME` where omp was set up to use it (not on Windows);
/// of each profile.
// Profiles and XDG: letta trajectory, deja-vu; `agent/sessions`: omp 18.3.4.
fn omp_folders(env: &Env) -> Vec<SessionsFolder> {
    let name = env.omp_config_dir.clone().unwrap_or_else(|| ".omp".into());
    let root = env.home.as_ref().map(|home| home.join(name));
    let xdg = env.xdg_data_home.as_ref().filter(|_| !cfg!(windows)).map(|data| data.join("omp"));
    let folders = [
        SessionsFolder::within(root.clone(), "agent/sessions", 1),
        // `profiles/<name>/agent/sessions/<project>/`
        SessionsFolder::within(root, "profiles", 4),
        SessionsFolder::within(xdg.clone(), "sessions", 1),
        SessionsFolder::within(xdg, "profiles", 3),
    ];
    folders.into_iter().flatten().collect()
}

/// omp compresses cold sessions and keeps rescue copies; OpenClaw keeps what was reset or deleted.
// `.bak`: omp 18.3.4. `.checkpoint.`, `.deleted`, `.reset`: OpenClaw (agentsview).
fn is_session(name: &str) -> bool {
    const ASIDE: [&str; 4] = [".bak", ".checkpoint.", ".deleted", ".reset"];
    is_openclaws(name)
        || is_lines(plain_name(name)) && !ASIDE.iter().any(|aside| name.contains(aside))
}

/// OpenClaw's database.
fn is_openclaws(name: &str) -> bool {
    cfg!(feature = "sqlite") && name == "openclaw-agent.sqlite"
}

/// The header, which stands first or behind omp's title.
fn header<'h, 'a>(head: &'h [Json<'a>]) -> Option<&'h Json<'a>> {
    let is = |line: &Json<'_>, name| text(line, "type") == Some(name);
    let first = head.first().filter(|first| is(first, "title") || is(first, "session"))?;
    let header = if is(first, "session") { first } else { head.get(1)? };
    Some(header).filter(|header| is(header, "session") && text(header, "id").is_some())
}

fn begins_omp(head: &[Json<'_>], is_own_folder: bool) -> bool {
    let has_title = head.first().is_some_and(|first| text(first, "type") == Some("title"));
    header(head)
        .is_some_and(|header| has_title || is_own_folder || header.get("titleSource").is_some())
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    match text(line, "type") {
        Some("session") if listed.id.is_empty() => {
            listed.id = owned(line, "id").unwrap_or_default();
            listed.cwd = owned(line, "cwd");
            listed.began = line.get("timestamp").and_then(time::read);
            if listed.title.is_none() {
                listed.title = owned(line, "title");
            }
        }
        // Of omp 18.3.4; `session_info` is pi's, and an empty name clears (1.5.2).
        Some("title" | "title_change") => listed.title = owned(line, "title"),
        Some("session_info") => listed.title = owned(line, "name"),
        Some("message") => {
            let Some(message) = line.get("message") else { return };
            let at = message.get("timestamp").and_then(time::read);
            let at = at.or_else(|| line.get("timestamp").and_then(time::read));
            match text(message, "role") {
                Some("user") => {
                    listed.spoken(at);
                    listed.asked(&content(message));
                }
                Some("assistant") => listed.spoken(at),
                _ => {}
            }
        }
        _ => {}
    }
}
