//! Sub-agents: `<id>/subagents/<agent>.jsonl` beside the session. Nothing in a file says who
//! started it, so the call is the one that asked in the same words (toolpath, cursor.md).

use std::collections::HashMap;

use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::read_options::ReadOptions;
use crate::session::Child;
use crate::session::text::{counted, one_line};

use super::writer::{TaskCall, Writer};
use super::{stem, written};

/// Adds the sessions of the agents whose files are there.
pub(super) fn add(writer: &mut Writer, options: &ReadOptions, mut budget: Budget) {
    let folder = match folder(options) {
        Ok(folder) => folder,
        Err(error @ (SessionFileError::Link | SessionFileError::Unreadable(_))) => {
            return writer
                .out
                .note(format!("failed to read the directory of the sub-agents: {error}"));
        }
        Err(_) => return,
    };
    let mut calls = Calls::of(std::mem::take(&mut writer.tasks));
    let mut unlinked = 0;
    for name in folder.list(".jsonl") {
        let key = name.strip_suffix(".jsonl").unwrap_or(&name).to_owned();
        let child = match budget.read(&folder, &name) {
            Err(error) => Child {
                key,
                agent: None,
                task: None,
                started_by: None,
                session: Err(error.to_string()),
            },
            Ok(source) => {
                let mut own = written(&source);
                own.out.header().id.clone_from(&key);
                let prompt = own.first_prompt.take();
                let call = prompt.as_deref().and_then(|prompt| calls.take(prompt));
                let about = call.as_ref().and_then(|call| call.about.clone());
                Child {
                    key,
                    agent: call.as_ref().and_then(|call| call.agent.clone()),
                    task: about.or(prompt.as_deref().map(one_line)),
                    started_by: call.map(|call| call.entry),
                    session: own
                        .out
                        .finish(source)
                        .map(Box::new)
                        .map_err(|error| error.to_string()),
                }
            }
        };
        unlinked += usize::from(child.started_by.is_none());
        writer.out.child(child);
    }
    if unlinked > 0 {
        let agents = counted(unlinked, "sub-agent");
        writer
            .out
            .note(format!("The file does not say which call started {agents}; shown at the root"));
    }
}

/// Beside `<id>/<id>.jsonl`, or in `<id>/` beside a flat `<id>.jsonl`.
fn folder(options: &ReadOptions) -> Result<OwnFolder, SessionFileError> {
    let path = options.session.as_deref().ok_or(SessionFileError::Missing)?;
    let id = stem(path).ok_or(SessionFileError::Missing)?;
    let beside = options.folder().ok_or(SessionFileError::Missing)?;
    if beside.name().as_deref() == Some(id) {
        return beside.sub_folder("subagents");
    }
    beside.sub_folder(id)?.sub_folder("subagents")
}

/// Calls by what they ask, the first of each first.
struct Calls(HashMap<String, Vec<TaskCall>>);

impl Calls {
    fn of(tasks: Vec<TaskCall>) -> Calls {
        let mut calls: HashMap<String, Vec<TaskCall>> = HashMap::new();
        for task in tasks.into_iter().rev().filter(|task| !task.prompt.is_empty()) {
            calls.entry(task.prompt.clone()).or_default().push(task);
        }
        Calls(calls)
    }

    fn take(&mut self, prompt: &str) -> Option<TaskCall> {
        self.0.get_mut(&one_line(prompt))?.pop()
    }
}
