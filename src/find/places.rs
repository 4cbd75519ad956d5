//! Where each agent keeps its sessions.

use std::fs;
use std::path::PathBuf;

use crate::format;
pub use crate::format::listing::Env;
use crate::session::Dialect;

/// A folder in which an agent keeps sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFolder {
    /// Whose place it is; a file in it may be another's.
    pub agent: Dialect,
    /// The folder.
    pub folder: PathBuf,
    /// How many levels of folders lie between it and the files, at most.
    levels: usize,
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
        let Some(names) = format::listing(self.agent).map(|listing| listing.names) else {
            return Vec::new();
        };
        // A place may be one file, such as a database that the environment names.
        if self.folder.is_file() {
            return vec![self.folder.clone()];
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
                    files.push(path);
                }
            }
        }
        files.sort();
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
            "/h/.omp/agent/sessions",
            "/h/.claude/projects",
            "/h/.config/claude/projects",
            "/h/.codex/sessions",
            "/h/.local/share/opencode",
        ];
        assert_eq!(folders(&home), found(&expected));
        let moved = Env {
            home: None,
            pi_agent_dir: Some("/a".into()),
            pi_session_dir: Some("/s".into()),
            claude_config_dir: Some("/c".into()),
            codex_home: Some("/x".into()),
            data_home: Some("/d".into()),
            opencode_db: None,
        };
        let expected = ["/s", "/a/sessions", "/c/projects", "/x/sessions", "/d/opencode"];
        assert_eq!(folders(&moved), found(&expected));
        assert!(folders(&Env::default()).is_empty());
    }
}
