//! Sub-agents' sessions. They lie in a folder beside the session that has its id, each as
//! `<id>.jsonl`; those that they start lie in folders of their own ids beside it (0.61.0; gemini-cli).

use std::collections::{BTreeMap, HashSet};

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::probe::Probe;
use crate::format::read_options::ReadOptions;
use crate::session::{Child, Session};

use super::results::Started;
use super::{recognizes, translate};

/// What a session says of those that it started.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Its own id, which the folder has as its name.
    pub(super) session: String,
    pub(super) started: Vec<Started>,
}

/// The folder that Gemini CLI was started in: a file in the project's folder says it.
// `.project_root` beside `chats`: gemini-cli.
pub(super) fn working_directory(options: &ReadOptions) -> Option<String> {
    /// A path is no longer than this.
    const MAX_BYTES: u64 = 64 << 10;
    let mut budget = Budget { files: 1, bytes: MAX_BYTES, file_bytes: MAX_BYTES };
    let bytes = budget.read(&options.folder_around("chats")?, ".project_root").ok()?;
    let path = String::from_utf8(bytes).ok()?;
    Some(path.trim().to_owned()).filter(|path| !path.is_empty())
}

/// The session with those that it started, theirs in them.
pub(super) fn with_agents(session: Session, wanted: Wanted, options: &ReadOptions) -> Session {
    let mut agents =
        Agents { chats: options.folder(), budget: Budget::default(), seen: HashSet::new() };
    agents.seen.insert(wanted.session.clone());
    with_descendants(session, wanted, |_, wanted, _| agents.children(wanted))
}

struct Agents {
    chats: Option<OwnFolder>,
    budget: Budget,
    /// The ids of the sessions whose folders were read: none is its own descendant.
    seen: HashSet<String>,
}

impl Agents {
    fn children(&mut self, wanted: Wanted) -> Vec<FoundChild<Wanted>> {
        let folder = match &self.chats {
            Some(chats) => chats.sub_folder(&wanted.session),
            None => Err(SessionFileError::Missing),
        };
        let mut files = folder.as_ref().map(files).unwrap_or_default();
        let mut children = Vec::new();
        for started in wanted.started {
            let found = match (&folder, files.remove(&started.session)) {
                (Ok(folder), Some(name)) => self.read(folder, &name),
                (Err(error @ SessionFileError::Link), _) => Err(error.to_string()),
                _ if self.chats.is_none() => {
                    Err("the session came without a place, so its file was not looked for"
                        .to_owned())
                }
                _ => Err("its file is not beside the session".to_owned()),
            };
            children.push(self.child(started.session.clone(), Some(&started), found));
        }
        if let Ok(folder) = &folder {
            for (key, name) in files {
                let found = self.read(folder, &name);
                children.push(self.child(key, None, found));
            }
        }
        children
    }

    fn read(&mut self, folder: &OwnFolder, name: &str) -> Result<(Session, Wanted), String> {
        let source = self.budget.read(folder, name).map_err(|error| error.to_string())?;
        // The session says what its folder is called: not all that lies in one of that name is a session.
        if !recognizes(&Probe::new(&source)) {
            return Err("not a session of Gemini CLI".to_owned());
        }
        let (translation, wanted) = translate(&source);
        let session = translation.finish(source).map_err(|error| error.to_string())?;
        Ok((session, wanted))
    }

    fn child(
        &mut self,
        key: String,
        started: Option<&Started>,
        found: Result<(Session, Wanted), String>,
    ) -> FoundChild<Wanted> {
        let (session, next) = found.map_or_else(
            |error| (Err(error), None),
            |(session, next)| (Ok(Box::new(session)), Some(next)),
        );
        // Two files of one id would share a folder.
        let next = next.filter(|next| self.seen.insert(next.session.clone()));
        let child = Child {
            key,
            agent: started.and_then(|started| started.agent.clone()),
            task: started.and_then(|started| started.task.clone()),
            started_by: started.map(|started| started.entry.clone()),
            session,
        };
        FoundChild { child, next }
    }
}

/// The sessions in a folder by id. Of both forms of one, the lines are newer.
// gemini-cli takes the `.jsonl` too.
fn files(folder: &OwnFolder) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for ending in [".json", ".jsonl"] {
        for name in folder.list(ending) {
            if let Some(id) = name.strip_suffix(ending) {
                files.insert(id.to_owned(), name.clone());
            }
        }
    }
    files
}
