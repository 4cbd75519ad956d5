//! Where each agent keeps its sessions.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::PathBuf;

use crate::format;
use crate::format::compressed::plain_name;
pub use crate::format::listing::Env;
use crate::session::Format;

/// A folder in which an agent keeps sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentFolder {
    /// Whose place it is; a file in it may be another's.
    pub agent: Format,
    /// The folder.
    pub folder: PathBuf,
    /// How many levels of folders lie between it and the files, at most.
    pub(super) levels: usize,
}

/// The places of all agents, whether they exist or not.
pub fn places(env: &Env) -> Vec<AgentFolder> {
    let mut places: Vec<AgentFolder> = Vec::new();
    for agent in super::agents() {
        let folders = format::listing(agent).map(|listing| (listing.folders)(env));
        for folder in folders.into_iter().flatten() {
            if !places.iter().any(|place| place.folder == folder.path) {
                places.push(AgentFolder { agent, folder: folder.path, levels: folder.levels });
            }
        }
    }
    places
}

impl AgentFolder {
    /// The files that look like sessions by their names, sorted. Deeper
    /// folders hold what belongs to a session, such as those of its sub-agents.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files_with_facts().into_iter().map(|(path, _)| path).collect()
    }

    /// The same with what the system says of each.
    pub(super) fn files_with_facts(&self) -> Vec<(PathBuf, Metadata)> {
        let Some(names) = format::listing(self.agent).map(|listing| listing.names) else {
            return Vec::new();
        };
        // A place may be one file, such as a database that the environment names.
        if let Some(about) = fs::metadata(&self.folder).ok().filter(Metadata::is_file) {
            return vec![(self.folder.clone(), about)];
        }
        let mut files = Vec::new();
        let mut folders = vec![(self.folder.clone(), 0)];
        while let Some((folder, level)) = folders.pop() {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.filter_map(Result::ok) {
                let path = entry.path();
                // Links are followed; `levels` bounds where they can lead.
                let Ok(about) = fs::metadata(&path) else { continue };
                if about.is_dir() && level < self.levels {
                    folders.push((path, level + 1));
                } else if about.is_file() && entry.file_name().to_str().is_some_and(names) {
                    files.push((path, about));
                }
            }
        }
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        // An agent that was stopped between the two leaves both; the compressed one is then the copy.
        let plain: HashSet<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
        files.retain(|(path, _)| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let bare = plain_name(name);
            bare.len() == name.len() || !plain.contains(&path.with_file_name(bare))
        });
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(env: &Env) -> Vec<String> {
        places(env).iter().map(|place| place.folder.display().to_string()).collect()
    }

    /// Without this feature no database is looked for.
    fn found<'p>(places: &'p [&'p str]) -> &'p [&'p str] {
        let without = places.len() - usize::from(!cfg!(feature = "sqlite"));
        &places[..without]
    }

    #[test]
    fn the_environment_moves_the_places() {
        let home = Env { home: Some("/h".into()), ..Env::default() };
        let expected = [
            "/h/.pi/agent/sessions",
            "/h/.openclaw/agents",
            "/h/.clawdbot/agents",
            "/h/.omp/agent/sessions",
            "/h/.omp/profiles",
            "/h/.claude/projects",
            "/h/.config/claude/projects",
            "/h/.codex/sessions",
            "/h/.codex/archived_sessions",
            "/h/.copilot/session-state",
            "/h/.cursor/projects",
            "/h/.gemini/tmp",
            "/h/.qwen/projects",
            "/h/.local/share/opencode",
        ];
        assert_eq!(folders(&home), found(&expected));
        let moved = Env {
            pi_agent_dir: Some("/a".into()),
            pi_session_dir: Some("/s".into()),
            claude_config_dir: Some("/c".into()),
            codex_home: Some("/x".into()),
            xdg_data_home: Some("/d".into()),
            openclaw_state_dir: Some("/o".into()),
            copilot_home: Some("/g".into()),
            cursor_config_dir: Some("/u".into()),
            gemini_home: Some("/m".into()),
            qwen_home: Some("/q".into()),
            ..Env::default()
        };
        let mut expected = vec!["/s", "/a/sessions", "/o/agents"];
        if cfg!(not(windows)) {
            expected.extend(["/d/omp/sessions", "/d/omp/profiles"]);
        }
        expected.extend(["/c/projects", "/x/sessions", "/x/archived_sessions"]);
        expected.extend([
            "/g/session-state",
            "/u/projects",
            "/m/.gemini/tmp",
            "/q/projects",
            "/d/opencode",
        ]);
        assert_eq!(folders(&moved), found(&expected));
        let config = Env { omp_config_dir: Some(".o".into()), ..home };
        assert!(folders(&config).contains(&"/h/.o/agent/sessions".to_owned()));
        assert!(folders(&Env::default()).is_empty());
    }
}
