//! The files of agents: where they lie, and which are this session's.
//! `subagents/agent-<id>.jsonl` with `.meta.json`: 2.1.330. `subagents/workflows/<run>/`, `tool-results/` and files
//! beside the session: toolpath, agentsview and claude-code-log (dev-docs/agents.md, dev-docs/workflows.md).

use std::collections::HashSet;

use crate::format::decode::decompressed_beginning;
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;

use super::access::text;
use super::rows::Lines;
use super::unit::{Meta, Unit};

/// A file's beginning, enough for its first line in nearly all cases.
const BEGINNING_BYTES: u64 = 64 << 10;

/// How the files of agents end; compressed ones where a home was archived.
const ENDINGS: [&str; 3] = [".jsonl", ".jsonl.gz", ".jsonl.zst"];

/// The agent whose file has this name.
fn agent_of(name: &str) -> Option<&str> {
    let own = name.strip_prefix("agent-")?;
    ENDINGS.iter().find_map(|ending| own.strip_suffix(ending))
}

/// Where a session's other files lie; each checked to be within its parent.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// Its agents', each folder with whether all in it are this session's.
    agents: Vec<(OwnFolder, bool)>,
    pub(super) results: Option<OwnFolder>,
    /// Why one of them was not entered.
    pub(super) refused: Option<String>,
}

impl Folders {
    pub(super) fn of(options: &ReadOptions) -> Folders {
        let mut folders = Folders::default();
        let Some(folder) = options.folder() else { return folders };
        let entered = options.own_folder().and_then(|own| folders.enter(&own));
        if let Err(error @ (SessionFileError::Link | SessionFileError::Unreadable(_))) = entered {
            folders.refused = Some(error.to_string());
        }
        folders.agents.push((folder, false));
        folders
    }

    /// Finds those in the folder that carries the session's name.
    fn enter(&mut self, own: &OwnFolder) -> Result<(), SessionFileError> {
        self.results = own.sub_folder("tool-results").ok();
        let agents = own.sub_folder("subagents")?;
        let runs = agents.sub_folder("workflows").map(|runs| runs.folders());
        self.agents.push((agents, true));
        self.agents.extend(runs.into_iter().flatten().map(|run| (run, true)));
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }
}

/// Reads agents' files, each once.
pub(super) struct Reading<'l> {
    known: HashSet<String>,
    /// Named by results, and not read yet.
    wanted: Vec<String>,
    session_ids: &'l HashSet<String>,
    /// The file at hand is an agent's itself: those beside it are its siblings unless it names them.
    is_agents_own: bool,
    budget: Budget,
}

impl<'l> Reading<'l> {
    pub(super) fn new(
        units: &[Unit],
        lines: &'l Lines,
        is_agents_own: bool,
        budget: Budget,
    ) -> Reading<'l> {
        let mut known: HashSet<String> = units.iter().map(|unit| unit.key.clone()).collect();
        if is_agents_own {
            known.extend(lines.rows.iter().filter_map(|row| row.agent.clone()));
        }
        let wanted = units.iter().flat_map(|unit| unit.written.started.by_agent.keys().cloned());
        Reading {
            known,
            wanted: wanted.collect(),
            session_ids: &lines.session_ids,
            is_agents_own,
            budget,
        }
    }

    pub(super) fn read(&mut self, folders: &Folders, units: &mut Vec<Unit>) {
        for (folder, is_own) in &folders.agents {
            for name in folder.list("") {
                let Some(id) = agent_of(&name) else { continue };
                if *is_own || (!self.is_agents_own && self.belongs(folder, &name)) {
                    self.add(id, &name, folder, folders, units);
                }
            }
        }
        // What those name may lie beside, in whatever session's name.
        while let Some(id) = self.wanted.pop() {
            let names = ENDINGS.map(|ending| format!("agent-{id}{ending}"));
            let held = folders.agents.iter().find_map(|(folder, _)| {
                let name = names.iter().find(|name| folder.begin(name, 1).is_ok())?;
                Some((folder, name))
            });
            if let Some((folder, name)) = held {
                self.add(&id, name, folder, folders, units);
            }
        }
    }

    /// Whether a file beside the session begins with a line of this session.
    fn belongs(&self, folder: &OwnFolder, name: &str) -> bool {
        let Ok(bytes) = folder.begin(name, BEGINNING_BYTES) else { return false };
        let bytes = decompressed_beginning(bytes);
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let id = serde_json::from_slice(line)
            .ok()
            .and_then(|line: Json<'_>| text(&line, "sessionId").map(str::to_owned));
        id.is_some_and(|id| self.session_ids.contains(&id))
    }

    fn add(
        &mut self,
        id: &str,
        name: &str,
        folder: &OwnFolder,
        folders: &Folders,
        units: &mut Vec<Unit>,
    ) {
        if !self.known.insert(id.to_owned()) {
            return;
        }
        let unit = match self.budget.read_session(folder, name) {
            Err(error @ SessionFileError::TooMany) => {
                Unit::failed(id.to_owned(), error.to_string())
            }
            read => {
                let mut unit = match read {
                    Ok(source) => Unit::file(id.to_owned(), source, folders.results.as_ref()),
                    Err(error) => Unit::failed(id.to_owned(), error.to_string()),
                };
                let meta = folder.read(&format!("agent-{id}.meta.json"));
                unit.meta = meta.map(|bytes| Meta::read(&bytes)).unwrap_or_default();
                unit
            }
        };
        self.wanted.extend(unit.written.started.by_agent.keys().cloned());
        units.push(unit);
    }
}
