//! Task sessions: which entry started one, and where its file is.
//!
//! Flue keeps sessions in a store, not in files. A task session exported
//! beside its parent is found by what it says of itself: the parent's name and
//! the task's id.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::format::beside::Beside;
use crate::session::json::Json;
use crate::session::text::one_line;
use crate::session::{Child, Session};

use super::spans::members;
use super::{first_prompt, read_within};

/// So many sessions may start one another; Flue itself stops at 4.
const MAX_DEPTH: usize = 16;

/// So many files beside the session are looked through.
const MAX_FILES: usize = 1000;

/// Larger files are not looked through.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The calls of the tool `task`, by which a task session hangs in its parent.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// In file order.
    all: Vec<Call>,
    by_id: HashMap<String, usize>,
    /// By the task that a result's details name.
    by_task: HashMap<String, usize>,
    /// By what was asked; of several calls that asked the same, none.
    by_prompt: HashMap<String, Option<usize>>,
}

#[derive(Debug)]
struct Call {
    prompt: String,
    /// The result's entry, before it comes the call's own.
    entry: String,
}

impl Calls {
    /// Takes what a message says of tasks.
    pub(super) fn note(&mut self, entry: &str, message: &Json<'_>) {
        let text = |json: &Json<'_>, key: &str| {
            json.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        for block in message.get("content").map(Json::items).unwrap_or_default() {
            let Some(arguments) = block.get("arguments").filter(|_| text(block, "name") == "task")
            else {
                continue;
            };
            let nth = self.all.len();
            let prompt = one_line(&text(arguments, "prompt"));
            self.by_id.insert(text(block, "id"), nth);
            self.by_prompt.entry(prompt.clone()).and_modify(|nth| *nth = None).or_insert(Some(nth));
            self.all.push(Call { prompt, entry: entry.to_owned() });
        }
        if text(message, "toolName") == "task"
            && let Some(&nth) = self.by_id.get(&text(message, "toolCallId"))
        {
            entry.clone_into(&mut self.all[nth].entry);
            if let Some(task) = message.get("details").map(|details| text(details, "taskId")) {
                self.by_task.insert(task, nth);
            }
        }
    }

    /// The call that started a task: by the id in its details, by what was
    /// asked, else by their order when there are as many calls as tasks.
    fn of(&self, task: &Task, prompt: Option<&str>, nth: usize, tasks: usize) -> Option<&Call> {
        let named = self.by_task.get(&task.id).copied();
        let asked = || *self.by_prompt.get(prompt?)?;
        let nth = named.or_else(asked).or((self.all.len() == tasks).then_some(nth))?;
        self.all.get(nth)
    }
}

/// A task session as its parent names it.
struct Task {
    session: String,
    id: String,
}

impl Task {
    fn read(json: &Json<'_>) -> Option<Task> {
        let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
        let session = text("session");
        let id =
            text("taskId").or_else(|| session.as_deref()?.rsplit(':').next().map(str::to_owned));
        Some(Task { session: session.unwrap_or_default(), id: id? })
    }

    /// The parent's name, which stands within the task session's: `task:<parent>:<id>`.
    fn parent(&self) -> Option<&str> {
        self.session.strip_prefix("task:")?.strip_suffix(self.id.as_str())?.strip_suffix(':')
    }
}

/// File names by task id, each with the parent that it names.
type Files = HashMap<String, Vec<(Option<String>, String)>>;

/// Finds task sessions beside a session, and theirs.
#[derive(Debug)]
pub(super) struct Tasks {
    folder: Option<PathBuf>,
    /// Read when first asked for.
    files: Option<Files>,
    /// The files of the sessions being read, from the outermost inwards.
    open: Vec<String>,
    /// The files read so far.
    seen: HashSet<String>,
}

impl Tasks {
    pub(super) fn beside(beside: &Beside) -> Self {
        let own = beside.session.as_deref().and_then(|path| path.file_name()?.to_str());
        let open: Vec<String> = own.map(str::to_owned).into_iter().collect();
        Tasks { folder: beside.folder(), files: None, seen: open.iter().cloned().collect(), open }
    }

    /// The task sessions that a session's metadata names.
    pub(super) fn children(&mut self, metadata: &Json<'_>, calls: &Calls) -> Vec<Child> {
        let listed = metadata.get("taskSessions").map(Json::items).unwrap_or_default();
        let mut seen = HashSet::new();
        let tasks: Vec<Task> = listed
            .iter()
            .filter_map(Task::read)
            .filter(|task| seen.insert((task.session.clone(), task.id.clone())))
            .collect();
        let count = tasks.len();
        let child = |(nth, task): (usize, Task)| {
            let found = self.find(&task).and_then(|name| self.open(&name));
            let (session, role) = match found {
                Ok((session, role)) => (Ok(session), role),
                Err(reason) => (Err(reason), None),
            };
            let prompt = session.as_deref().ok().and_then(first_prompt);
            let call = calls.of(&task, prompt.as_deref(), nth, count);
            Child {
                agent: role,
                started_by: call.map(|call| call.entry.clone()),
                task: prompt.or_else(|| {
                    call.map(|call| call.prompt.clone()).filter(|prompt| !prompt.is_empty())
                }),
                key: task.id,
                session,
            }
        };
        tasks.into_iter().enumerate().map(child).collect()
    }

    /// The file of a task session, or why there is none.
    fn find(&mut self, task: &Task) -> Result<String, String> {
        let Some(folder) = self.folder.clone() else {
            return Err(
                "the session came without a place, so no file beside it was looked for".to_owned()
            );
        };
        let files = self.files.get_or_insert_with(|| read_folder(&folder));
        let parent = task.parent();
        let fits =
            |of: &Option<String>| parent.is_none() || of.is_none() || of.as_deref() == parent;
        let found = files.get(&task.id).into_iter().flatten().find(|(of, _)| fits(of));
        found.map(|(_, name)| name.clone()).ok_or_else(|| {
            let parent = parent.map(|parent| format!(" of `{parent}`")).unwrap_or_default();
            format!("no `.json` file beside the session says that it is task `{}`{parent}", task.id)
        })
    }

    /// Reads a task session with its own, and the role it was given.
    fn open(&mut self, name: &str) -> Result<(Box<Session>, Option<String>), String> {
        if self.open.iter().any(|open| open == name) {
            return Err(format!("`{name}` leads back to a session that it is part of"));
        }
        if self.open.len() > MAX_DEPTH {
            return Err(format!("sessions within sessions are shown {MAX_DEPTH} deep"));
        }
        if !self.seen.insert(name.to_owned()) {
            return Err(format!("`{name}` is shown elsewhere in this session"));
        }
        let folder = self.folder.clone().unwrap_or_default();
        let bytes = Beside::read(&folder, name).map_err(|error| format!("`{name}`: {error}"))?;
        let role = about(&bytes).and_then(|about| about.role);
        self.open.push(name.to_owned());
        let session = read_within(bytes, self);
        self.open.pop();
        session
            .map(|session| (Box::new(session), role))
            .map_err(|error| format!("`{name}`: {error}"))
    }
}

/// What a task session says of itself.
struct About {
    id: String,
    parent: Option<String>,
    role: Option<String>,
}

fn about(bytes: &[u8]) -> Option<About> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (_, span) = members(text).into_iter().rev().find(|(key, _)| *key == "metadata")?;
    let metadata: Json<'_> = serde_json::from_str(&text[span.start..span.end]).ok()?;
    let text = |key: &str| metadata.get(key).and_then(Json::as_str).map(str::to_owned);
    Some(About { id: text("taskId")?, parent: text("parentSession"), role: text("role") })
}

/// The task sessions in a folder.
fn read_folder(folder: &std::path::Path) -> Files {
    let mut files = Files::new();
    for name in Beside::list(folder, ".json").into_iter().take(MAX_FILES) {
        let file = std::fs::metadata(folder.join(&name));
        if !file.is_ok_and(|file| file.is_file() && file.len() <= MAX_FILE_BYTES) {
            continue;
        }
        let about = Beside::read(folder, &name).ok().and_then(|bytes| about(&bytes));
        if let Some(about) = about {
            files.entry(about.id).or_default().push((about.parent, name));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::translate;
    use super::*;

    const PARENT: &str = include_str!("../../../tests/fixtures/samples/flue/session-v3.json");
    const TASK: &str = include_str!("../../../tests/fixtures/samples/flue/task-session-v3.json");

    /// The children of a session in a folder with these files.
    fn children(files: &[(&str, String)]) -> Vec<Child> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let beside = Beside { session: Some(folder.path().join(files[0].0)), ..Beside::default() };
        children_of(&files[0].1, &beside)
    }

    fn children_of(text: &str, beside: &Beside) -> Vec<Child> {
        let translation = translate(text, &mut Tasks::beside(beside));
        let mut children = Vec::new();
        for child in translation.children() {
            children.push(Child {
                key: child.key.clone(),
                agent: child.agent.clone(),
                task: child.task.clone(),
                started_by: child.started_by.clone(),
                session: match &child.session {
                    Ok(session) => {
                        Ok(Box::new(crate::format::read(session.source().to_vec()).unwrap()))
                    }
                    Err(reason) => Err(reason.clone()),
                },
            });
        }
        children
    }

    fn reason(child: &Child) -> &str {
        child.session.as_ref().map_or_else(String::as_str, |_| panic!("it was read"))
    }

    /// A task session that started another.
    fn nesting(id: &str, parent: &str, starts: &str) -> String {
        serde_json::json!({"version": 3, "leafId": "a", "entries": [
            {"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": id}}],
            "metadata": {"taskId": id, "parentSession": parent,
                "taskSessions": [{"session": format!("task:x:{starts}"), "taskId": starts}]}})
        .to_string()
    }

    #[test]
    fn a_task_session_is_found_by_what_it_says_of_itself() {
        let children = children(&[
            ("main.json", PARENT.to_owned()),
            ("a.json", "no session".to_owned()),
            ("b.json", TASK.replace("default", "other")),
            ("c.json", TASK.to_owned()),
        ]);
        let [child] = children.as_slice() else { panic!("one child") };
        assert_eq!(child.key, "8d0c6b1e");
        assert_eq!(child.started_by.as_deref(), Some("f1000003"));
        assert_eq!(child.task.as_deref(), Some("Reproduce issue 12"));
        let session = child.session.as_ref().unwrap();
        assert_eq!(session.len(), 2);
        assert_eq!(session.header().cwd, "/srv/repo");
        assert_eq!(session.header().parent_session.as_deref(), Some("default"));
    }

    #[test]
    fn a_missing_task_session_says_why_and_still_hangs_in_its_place() {
        let children = children(&[("main.json", PARENT.to_owned())]);
        assert!(reason(&children[0]).contains("no `.json` file beside the session"));
        assert_eq!(children[0].started_by.as_deref(), Some("f1000003"));
        assert_eq!(children[0].task.as_deref(), Some("Reproduce issue 12"));
        let children = children_of(PARENT, &Beside::default());
        assert!(reason(&children[0]).contains("came without a place"));
        assert!(
            children_of(
                PARENT,
                &Beside { session: Some(Path::new("/no/such/x.json").into()), ..Beside::default() }
            )[0]
            .session
            .is_err()
        );
    }

    #[test]
    fn sessions_that_name_themselves_or_one_another_are_cut() {
        let own = children(&[("a.json", nesting("a", "x", "a"))]);
        assert!(reason(&own[0]).contains("leads back"), "{}", reason(&own[0]));
        let pair =
            children(&[("a.json", nesting("a", "x", "b")), ("b.json", nesting("b", "x", "a"))]);
        assert!(pair[0].session.is_ok());
    }

    #[test]
    fn deep_chains_end() {
        let files: Vec<(String, String)> = (0..40)
            .map(|n| (format!("{n}.json"), nesting(&n.to_string(), "x", &(n + 1).to_string())))
            .collect();
        let files: Vec<(&str, String)> =
            files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        assert!(children(&files)[0].session.is_ok());
    }

    #[test]
    fn odd_lists_of_tasks_do_no_harm() {
        for list in
            ["7", "[1, null, {}]", r#"[{"session": 3, "taskId": {}}]"#, r#"[{"session": "task:"}]"#]
        {
            let text = PARENT
                .replace("\"taskSessions\": [", &format!("\"taskSessions\": {list}, \"old\": ["));
            let children = children_of(&text, &Beside::default());
            assert!(children.iter().all(|child| child.session.is_err()));
        }
    }
}
