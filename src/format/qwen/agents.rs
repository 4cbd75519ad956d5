//! Sub-agents' sessions. All that descend from a session lie in one folder: `subagents/<session>/`
//! beside `chats/`, each as `agent-<id>.jsonl` with what started it in `agent-<id>.meta.json` (0.24.4).

use std::collections::BTreeMap;

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::probe::{Probe, text};
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;
use crate::session::{Child, Session};

use super::chat::{Started, Wanted, translate};
use super::recognizes;

/// A file in the folder, and what its `.meta.json` says.
struct File {
    id: String,
    name: String,
    agent: Option<String>,
    task: Option<String>,
    call: Option<String>,
}

/// The session with those that it started, theirs in them.
pub(super) fn with_agents(session: Session, wanted: Wanted, options: &ReadOptions) -> Session {
    if wanted.agent.is_some() {
        // A sub-agent's own file: its siblings are not its children.
        return session;
    }
    let mut budget = Budget::default();
    let folder = match options.folder_around("chats") {
        Some(project) => {
            project.sub_folder("subagents").and_then(|agents| agents.sub_folder(&wanted.session))
        }
        None => Err(SessionFileError::Missing),
    };
    let mut files = folder.as_ref().map(|folder| files(folder, &mut budget)).unwrap_or_default();
    with_descendants(session, wanted, |_, wanted, _| {
        // Sub-agents of sub-agents lie in the same folder, and name the agent that started them.
        let own = files.remove(&wanted.agent).unwrap_or_default();
        let mut children = Vec::new();
        let mut missing = wanted.calls.clone();
        for file in own {
            let found = folder
                .as_ref()
                .map_err(ToString::to_string)
                .and_then(|folder| read(folder, &file.name, &mut budget));
            let started = file.call.as_ref().and_then(|call| missing.remove(call));
            children.push(child(file, started, found));
        }
        let mut missing: Vec<(String, Started)> =
            missing.into_iter().filter(|(_, started)| started.is_ready).collect();
        missing.sort_by(|one, other| one.0.cmp(&other.0));
        for (call, started) in missing {
            let why = match &folder {
                Err(error @ SessionFileError::Link) => error.to_string(),
                _ => "its file is not beside the session".to_owned(),
            };
            let file = File { id: call, name: String::new(), agent: None, task: None, call: None };
            children.push(child(file, Some(started), Err(why)));
        }
        children
    })
}

fn read(folder: &OwnFolder, name: &str, budget: &mut Budget) -> Result<(Session, Wanted), String> {
    let source = budget.read(folder, name).map_err(|error| error.to_string())?;
    // The session says what its folder is called: not all that lies in one of that name is a session.
    if !recognizes(&Probe::new(&source)) {
        return Err("not a session of Qwen Code".to_owned());
    }
    let (translation, wanted) = translate(&source);
    let session = translation.finish(source).map_err(|error| error.to_string())?;
    Ok((session, wanted))
}

fn child(
    file: File,
    started: Option<Started>,
    found: Result<(Session, Wanted), String>,
) -> FoundChild<Wanted> {
    let (agent, task, entry) = match started {
        Some(started) => (started.agent, started.task, Some(started.entry)),
        None => (None, None, None),
    };
    let (session, next) = match found {
        Ok((session, next)) => {
            (Ok(Box::new(session)), Some(Wanted { agent: Some(file.id.clone()), ..next }))
        }
        Err(error) => (Err(error), None),
    };
    let child = Child {
        key: file.id,
        agent: file.agent.or(agent),
        task: file.task.or(task),
        started_by: entry,
        session,
    };
    FoundChild { child, next }
}

/// The files of a folder by the agent that started each; nothing stands for the session itself.
fn files(folder: &OwnFolder, budget: &mut Budget) -> BTreeMap<Option<String>, Vec<File>> {
    let mut files: BTreeMap<Option<String>, Vec<File>> = BTreeMap::new();
    for name in folder.list(".jsonl") {
        let Some(id) = name.strip_prefix("agent-").and_then(|id| id.strip_suffix(".jsonl")) else {
            continue;
        };
        let bytes = budget.read(folder, &format!("agent-{id}.meta.json")).unwrap_or_default();
        let meta: Json<'_> = serde_json::from_slice(&bytes).unwrap_or(Json::Null);
        let named =
            |key: &str| text(&meta, key).filter(|words| !words.is_empty()).map(str::to_owned);
        let file = File {
            id: id.to_owned(),
            agent: named("subagentName").or_else(|| named("agentType")),
            task: named("description"),
            call: named("toolUseId"),
            name: name.clone(),
        };
        // An agent is not its own parent.
        let parent = named("parentAgentId").filter(|parent| parent != id);
        files.entry(parent).or_default().push(file);
    }
    files
}
