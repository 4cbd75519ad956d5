//! Where Cursor keeps transcripts, and what the lines of one say in a listing.

use std::path::{Path, PathBuf};

use crate::session::json::Json;

use crate::format::listing::{Env, Listed, Listing, SessionsFolder, content, is_lines};
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;

use super::prompt::Prompt;
use super::{is_end, is_message, stem};

pub(super) const LISTING: Listing =
    Listing { folders, names: is_lines, begins, take, take_beside: Some(take_beside), belongs };

fn belongs(names: &[&str]) -> bool {
    matches!(names, [_project, "agent-transcripts"])
}

/// Folders looked for to find the one that a project's name stands for.
const MAX_LOOKS: usize = 500;

// `~/.cursor/projects/<path with - for />/agent-transcripts/<id>/<id>.jsonl` or flat: toolpath, agentsview.
// `CURSOR_CONFIG_DIR`: deja-vu.
fn folders(env: &Env) -> Vec<SessionsFolder> {
    /// The project, `agent-transcripts`, and in newer versions the session.
    const LEVELS: usize = 3;
    let own = env.cursor_config_dir.clone().or_else(|| env.in_home(".cursor"));
    SessionsFolder::within(own, "projects", LEVELS).into_iter().collect()
}

fn begins(head: &[Json<'_>], is_own_folder: bool) -> bool {
    is_own_folder && head.first().is_some_and(|first| is_message(first) || is_end(first))
}

fn take(listed: &mut Listed, line: &Json<'_>) {
    let Some(message) = line.get("message").filter(|_| text(line, "role") == Some("user")) else {
        return;
    };
    let prompt = Prompt::read(&content(message));
    listed.began = listed.began.or(prompt.time);
    listed.spoken(prompt.time);
    listed.asked(&prompt.query);
}

/// The id is the file's name, and the folder that the agent worked in the project's.
fn take_beside(listed: &mut Listed, options: &ReadOptions) {
    let Some(session) = options.session.as_deref() else { return };
    stem(session).unwrap_or_default().clone_into(&mut listed.id);
    let names = session.ancestors().filter(|folder| folder.ends_with("agent-transcripts"));
    let slug = names.last().and_then(|folder| folder.parent()?.file_name()?.to_str());
    listed.cwd = slug.and_then(|slug| folder_of(slug, Path::new("/")));
}

/// The folder whose path, with `-` for `/`, is the project's name: the only one that exists.
fn folder_of(slug: &str, root: &Path) -> Option<String> {
    let words: Vec<&str> = slug.split('-').collect();
    let mut open: Vec<(PathBuf, usize)> = vec![(root.to_owned(), 0)];
    let mut found: Option<PathBuf> = None;
    let mut looks = 0;
    while let Some((folder, from)) = open.pop() {
        for to in from + 1..=words.len() {
            looks += 1;
            let path = folder.join(words[from..to].join("-"));
            if looks > MAX_LOOKS {
                return None;
            }
            if words[from].is_empty() || !path.is_dir() {
                continue;
            }
            if to < words.len() {
                open.push((path, to));
            } else if found.replace(path).is_some() {
                return None;
            }
        }
    }
    found?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_the_only_folder_of_its_name() {
        let root = tempfile::tempdir().unwrap();
        let make = |path: &str| std::fs::create_dir_all(root.path().join(path)).unwrap();
        let find = |slug: &str| {
            let found = folder_of(slug, root.path())?;
            Some(Path::new(&found).strip_prefix(root.path()).unwrap().to_str().unwrap().to_owned())
        };
        make("home/ana/my-app");
        assert_eq!(find("home-ana-my-app").as_deref(), Some("home/ana/my-app"));
        assert_eq!(find("home-ana-other"), None);
        assert_eq!(find(""), None);
        make("home/ana/my/app");
        assert_eq!(find("home-ana-my-app"), None, "it may be either");
        assert_eq!(find(&"-".repeat(10_000)), None);
    }
}
