//! Where each agent keeps its sessions.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};

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
        add_files(&self.folder, self.levels, names, &mut files);
        // An agent that was stopped between the two leaves both; the compressed one is then the copy.
        let is_there = |path: PathBuf| files.binary_search_by(|(own, _)| own.cmp(&path)).is_ok();
        let paths = files.iter().map(|(path, _)| path);
        let copies = paths.filter(|path| plain_path(path).is_some_and(is_there));
        let copies: HashSet<PathBuf> = copies.cloned().collect();
        files.retain(|(path, _)| !copies.contains(path));
        files
    }
}

/// Adds the files of a folder and of those below it, down to so many levels, in the order of their paths.
fn add_files(
    folder: &Path,
    levels: usize,
    names: fn(&str) -> bool,
    files: &mut Vec<(PathBuf, Metadata)>,
) {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut entries: Vec<(OsString, DirEntry)> =
        entries.map(|entry| (entry.file_name(), entry)).collect();
    entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for (name, entry) in entries {
        let Ok(kind) = entry.file_type() else { continue };
        let is_named = name.to_str().is_some_and(names);
        // In a large home, most of the time goes into what the system is asked of each file.
        if kind.is_dir() {
            if levels > 0 {
                add_files(&entry.path(), levels - 1, names, files);
            }
        } else if kind.is_file() {
            let about = is_named.then(|| metadata(&entry).ok()).flatten();
            files.extend(about.map(|about| (entry.path(), about)));
        } else if let Ok(about) = fs::metadata(entry.path()) {
            // Links are followed; `levels` bounds where they can lead.
            if about.is_dir() && levels > 0 {
                add_files(&entry.path(), levels - 1, names, files);
            } else if about.is_file() && is_named {
                files.push((entry.path(), about));
            }
        }
    }
}

/// What the system says of a file that is no link.
fn metadata(entry: &DirEntry) -> io::Result<Metadata> {
    // By its name in an open folder a file is found sooner. Windows answers so with the size that a file had before it was
    // opened for writing.
    if cfg!(unix) { entry.metadata() } else { fs::metadata(entry.path()) }
}

/// Of a compressed file, the path that it has without its second ending.
fn plain_path(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let plain = plain_name(name);
    (plain.len() < name.len()).then(|| path.with_file_name(plain))
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
