//! Where each agent keeps its sessions.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::session::Dialect;

/// What of a process's environment says where sessions are.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// The person's home folder.
    pub home: Option<PathBuf>,
    /// pi's `PI_CODING_AGENT_DIR`.
    pub pi_agent_dir: Option<PathBuf>,
    /// pi's `PI_CODING_AGENT_SESSION_DIR`.
    pub pi_session_dir: Option<PathBuf>,
    /// Claude Code's `CLAUDE_CONFIG_DIR`.
    pub claude_config_dir: Option<PathBuf>,
    /// Codex's `CODEX_HOME`.
    pub codex_home: Option<PathBuf>,
}

impl Env {
    /// The environment of this process; what is set to nothing counts as not set.
    pub fn of_process() -> Env {
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let folder = |name| {
            let value: OsString = env::var_os(name).filter(|value| !value.is_empty())?;
            Some(expanded(Path::new(&value), home.as_deref()))
        };
        Env {
            pi_agent_dir: folder("PI_CODING_AGENT_DIR"),
            pi_session_dir: folder("PI_CODING_AGENT_SESSION_DIR"),
            claude_config_dir: folder("CLAUDE_CONFIG_DIR"),
            codex_home: folder("CODEX_HOME"),
            home,
        }
    }
}

/// A leading `~` stands for the home folder.
fn expanded(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// A folder in which an agent keeps sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Whose place it is; a file in it may be another's.
    pub agent: Dialect,
    /// The folder.
    pub folder: PathBuf,
    /// How many levels of folders lie between it and the files, at most.
    levels: usize,
}

/// The places of all agents, whether they exist or not.
pub fn places(env: &Env) -> Vec<Place> {
    let in_home = |path: &str| env.home.as_ref().map(|home| home.join(path));
    let mut places: Vec<Place> = Vec::new();
    let mut add = |agent, folder: Option<PathBuf>, below: &str, levels| {
        let Some(folder) = folder else { return };
        let folder = if below.is_empty() { folder } else { folder.join(below) };
        if !places.iter().any(|place| place.folder == folder) {
            places.push(Place { agent, folder, levels });
        }
    };
    add(Dialect::Pi, env.pi_session_dir.clone(), "", 1);
    add(Dialect::Pi, env.pi_agent_dir.clone().or_else(|| in_home(".pi/agent")), "sessions", 1);
    add(Dialect::Omp, in_home(".omp/agent"), "sessions", 1);
    let claude = env.claude_config_dir.clone();
    let default = claude.is_none().then(|| in_home(".config/claude")).flatten();
    add(Dialect::ClaudeCode, claude.or_else(|| in_home(".claude")), "projects", 1);
    add(Dialect::ClaudeCode, default, "projects", 1);
    // By year, month and day.
    add(Dialect::Codex, env.codex_home.clone().or_else(|| in_home(".codex")), "sessions", 3);
    places
}

impl Place {
    /// The files that look like sessions by their names, sorted. Deeper
    /// folders hold what belongs to a session, such as those of its sub-agents.
    pub fn files(&self) -> Vec<PathBuf> {
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
                } else if about.is_file() && self.is_session(&path) {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    fn is_session(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
        let is_lines = path.extension().is_some_and(|ending| ending == "jsonl");
        match self.agent {
            // Sub-agents' files of older versions lie beside the sessions.
            Dialect::ClaudeCode => is_lines && !name.starts_with("agent-"),
            Dialect::Codex => is_lines && name.starts_with("rollout-"),
            // omp packs cold sessions and keeps rescue copies.
            _ => (is_lines || name.ends_with(".jsonl.gz")) && !name.contains(".bak"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(env: &Env) -> Vec<String> {
        places(env).iter().map(|place| place.folder.display().to_string()).collect()
    }

    #[test]
    fn the_environment_moves_the_places() {
        let home = Env { home: Some("/h".into()), ..Env::default() };
        assert_eq!(
            folders(&home),
            [
                "/h/.pi/agent/sessions",
                "/h/.omp/agent/sessions",
                "/h/.claude/projects",
                "/h/.config/claude/projects",
                "/h/.codex/sessions"
            ]
        );
        let moved = Env {
            home: None,
            pi_agent_dir: Some("/a".into()),
            pi_session_dir: Some("/s".into()),
            claude_config_dir: Some("/c".into()),
            codex_home: Some("/x".into()),
        };
        assert_eq!(folders(&moved), ["/s", "/a/sessions", "/c/projects", "/x/sessions"]);
        assert!(folders(&Env::default()).is_empty());
    }

    #[test]
    fn a_tilde_is_the_home_folder() {
        let home = Some(Path::new("/h"));
        assert_eq!(expanded(Path::new("~/x"), home), Path::new("/h/x"));
        assert_eq!(expanded(Path::new("/~/x"), home), Path::new("/~/x"));
    }
}
