//! Task sessions: which entry started one, and where its file is.
//!
//! Flue keeps sessions in a store, not in files. A task session exported beside its parent is found by what it says
//! of itself (flue, session.ts): the parent's name and the task's id.

use std::collections::{HashMap, HashSet};

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::files::SessionFileError;
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;
use crate::session::text::{counted, one_line};
use crate::session::{Child, Session};

use super::{first_prompt, read_one};
use crate::format::spans::members;

/// Larger files are not looked through: many that lie beside a session are none of Flue's.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// What is read beside a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budgets {
    /// To find out which files are task sessions.
    look: Budget,
    /// Those that are.
    read: Budget,
}

impl Default for Budgets {
    fn default() -> Self {
        let look = Budget { file_bytes: MAX_FILE_BYTES, ..Budget::default() };
        Budgets { look, read: Budget::default() }
    }
}

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

/// What a session says of those that it started.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) tasks: Vec<Task>,
    pub(super) calls: Calls,
}

/// A task session as its parent names it.
#[derive(Debug)]
pub(super) struct Task {
    session: String,
    id: String,
}

impl Task {
    /// Those that a session's metadata names, each once.
    // `taskSessions` [{session, taskId, storageKey}].
    pub(super) fn list(metadata: &Json<'_>) -> Vec<Task> {
        let listed = metadata.get("taskSessions").map(Json::items).unwrap_or_default();
        let mut seen = HashSet::new();
        let tasks = listed.iter().filter_map(Task::read);
        tasks.filter(|task| seen.insert((task.session.clone(), task.id.clone()))).collect()
    }

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

/// The task sessions in a folder; of several that would do, the first by name.
#[derive(Debug, Default)]
struct Files {
    by_task: HashMap<String, String>,
    /// By task and by the parent that the file names, if it names one.
    by_parent: HashMap<(String, Option<String>), String>,
    /// How many files were too many or too large to be looked through.
    passed_over: usize,
}

impl Files {
    fn read(folder: &OwnFolder, mut budget: Budget) -> Files {
        let mut files = Files::default();
        for name in folder.list(".json") {
            match budget.read(folder, &name) {
                Ok(bytes) => {
                    if let Some(about) = about(&bytes) {
                        files.add(about, name);
                    }
                }
                Err(SessionFileError::TooMany | SessionFileError::TooLarge(_)) => {
                    files.passed_over += 1;
                }
                Err(_) => {}
            }
        }
        files
    }

    fn add(&mut self, about: About, name: String) {
        self.by_task.entry(about.id.clone()).or_insert_with(|| name.clone());
        self.by_parent.entry((about.id, about.parent)).or_insert(name);
    }

    fn find(&self, task: &Task) -> Option<&String> {
        let Some(parent) = task.parent() else { return self.by_task.get(&task.id) };
        let of = |parent: Option<&str>| {
            self.by_parent.get(&(task.id.clone(), parent.map(str::to_owned)))
        };
        of(Some(parent)).into_iter().chain(of(None)).min()
    }
}

/// Finds task sessions beside a session, and theirs.
#[derive(Debug)]
pub(super) struct Tasks {
    folder: Option<OwnFolder>,
    budgets: Budgets,
    /// Read when first asked for.
    files: Option<Files>,
    /// The file of the session whose tasks are looked for, and those of the sessions that it lies within,
    /// from the outermost inwards.
    open: Vec<String>,
    /// The files read so far, each with the number of those that it lies within.
    seen: HashMap<String, usize>,
}

impl Tasks {
    pub(super) fn beside(options: &ReadOptions, budgets: Budgets) -> Self {
        let own = options.session.as_deref().and_then(|path| path.file_name()?.to_str());
        let seen = own.map(|own| (own.to_owned(), 0)).into_iter().collect();
        Tasks { folder: options.folder(), budgets, files: None, open: Vec::new(), seen }
    }

    /// The session with its task sessions, theirs in them.
    pub(super) fn within(mut self, session: Session, wanted: Wanted) -> Session {
        let own = self.seen.keys().next().cloned().unwrap_or_default();
        with_descendants(session, (own, wanted), |_, (file, wanted), depth| {
            self.open.truncate(depth);
            self.open.push(file);
            self.children(wanted)
        })
    }

    fn children(&mut self, wanted: Wanted) -> Vec<FoundChild<(String, Wanted)>> {
        let Wanted { tasks, calls } = wanted;
        let count = tasks.len();
        let child = |(nth, task): (usize, Task)| {
            let opened = self.find(&task).and_then(|name| self.open(name));
            let (session, role, next) = match opened {
                Ok(Opened { session, role, next }) => (Ok(Box::new(session)), role, Some(next)),
                Err(reason) => (Err(reason), None, None),
            };
            let prompt = session.as_deref().ok().and_then(first_prompt);
            let call = calls.of(&task, prompt.as_deref(), nth, count);
            let child = Child {
                agent: role,
                started_by: call.map(|call| call.entry.clone()),
                task: prompt.or_else(|| {
                    call.map(|call| call.prompt.clone()).filter(|prompt| !prompt.is_empty())
                }),
                key: task.id,
                session,
            };
            FoundChild { child, next }
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
        let files =
            self.files.get_or_insert_with(|| Files::read(&folder.as_on_disk(), self.budgets.look));
        files.find(task).cloned().ok_or_else(|| {
            let parent = task.parent().map(|parent| format!(" of `{parent}`")).unwrap_or_default();
            let passed_over = match files.passed_over {
                0 => String::new(),
                count => {
                    let files = counted(count, "file");
                    format!(" ({files} not looked through: too many or too large)")
                }
            };
            format!(
                "no `.json` file beside the session says that it is task `{}`{parent}{passed_over}",
                task.id
            )
        })
    }

    /// Reads a task session and the role it was given.
    fn open(&mut self, name: String) -> Result<Opened, String> {
        if let Some(&within) = self.seen.get(&name) {
            return Err(if self.open.get(within) == Some(&name) {
                format!("`{name}` leads back to a session that it is part of")
            } else {
                format!("`{name}` is shown elsewhere in this session")
            });
        }
        self.seen.insert(name.clone(), self.open.len());
        let read = match &self.folder {
            Some(folder) => self.budgets.read.read(folder, &name),
            None => Err(SessionFileError::Missing),
        };
        let bytes = read.map_err(|error| match error {
            // Many are left out for this reason, which one entry says of them together.
            SessionFileError::TooMany => error.to_string(),
            error => format!("`{name}`: {error}"),
        })?;
        let role = about(&bytes).and_then(|about| about.role);
        let (session, wanted) = read_one(bytes).map_err(|error| format!("`{name}`: {error}"))?;
        Ok(Opened { session, role, next: (name, wanted) })
    }
}

struct Opened {
    session: Session,
    role: Option<String>,
    next: (String, Wanted),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const PARENT: &str = include_str!("../../../tests/fixtures/samples/flue/session-v3.json");
    const TASK: &str = include_str!("../../../tests/fixtures/samples/flue/task-session-v3.json");

    /// A session in a folder with these files, with its children.
    fn read_first(files: &[(&str, String)], budgets: Budgets) -> Session {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let options =
            ReadOptions { session: Some(folder.path().join(files[0].0)), ..ReadOptions::default() };
        read(&files[0].1, &options, budgets)
    }

    fn read(text: &str, options: &ReadOptions, budgets: Budgets) -> Session {
        let (session, wanted) = read_one(text.as_bytes().to_vec()).unwrap();
        Tasks::beside(options, budgets).within(session, wanted)
    }

    fn children(files: &[(&str, String)]) -> Session {
        read_first(files, Budgets::default())
    }

    fn children_of(text: &str, options: &ReadOptions) -> Session {
        read(text, options, Budgets::default())
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
        let [child] = children.unmerged() else { panic!("one child") };
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
        assert!(reason(&children.unmerged()[0]).contains("no `.json` file beside the session"));
        assert_eq!(children.unmerged()[0].started_by.as_deref(), Some("f1000003"));
        assert_eq!(children.unmerged()[0].task.as_deref(), Some("Reproduce issue 12"));
        let children = children_of(PARENT, &ReadOptions::default());
        assert!(reason(&children.unmerged()[0]).contains("came without a place"));
        assert!(
            children_of(
                PARENT,
                &ReadOptions {
                    session: Some(Path::new("/no/such/x.json").into()),
                    ..ReadOptions::default()
                }
            )
            .unmerged()[0]
                .session
                .is_err()
        );
    }

    #[test]
    fn sessions_that_name_themselves_or_one_another_are_cut() {
        let own = children(&[("a.json", nesting("a", "x", "a"))]);
        assert!(
            reason(&own.unmerged()[0]).contains("leads back"),
            "{}",
            reason(&own.unmerged()[0])
        );
        let pair =
            children(&[("a.json", nesting("a", "x", "b")), ("b.json", nesting("b", "x", "a"))]);
        assert!(pair.unmerged()[0].session.is_ok());
    }

    #[test]
    fn deep_chains_end() {
        let files: Vec<(String, String)> = (0..40)
            .map(|n| (format!("{n}.json"), nesting(&n.to_string(), "x", &(n + 1).to_string())))
            .collect();
        let files: Vec<(&str, String)> =
            files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        assert!(children(&files).unmerged()[0].session.is_ok());
    }

    #[test]
    fn files_over_the_budget_are_told() {
        let files = [
            ("a.json", nesting("a", "x", "b")),
            ("b.json", nesting("b", "x", "c") + &" ".repeat(1000)),
            ("c.json", nesting("c", "x", "d")),
        ];
        let told = |budgets: Budgets| {
            let session = read_first(&files, budgets);
            reason(&session.unmerged()[0]).to_owned()
        };
        let budget = Budget::default();
        let look = Budget { file_bytes: 1000, ..budget };
        let reason = told(Budgets { look, read: budget });
        assert!(
            reason.ends_with("task `b` of `x` (1 file not looked through: too many or too large)"),
            "{reason}"
        );
        let reason = told(Budgets { look: Budget { files: 1, ..budget }, read: budget });
        assert!(
            reason.ends_with("(2 files not looked through: too many or too large)"),
            "{reason}"
        );
        let reason = told(Budgets { look: budget, read: Budget { files: 0, ..budget } });
        assert!(reason.starts_with("not read: the files"), "{reason}");
    }

    #[test]
    fn odd_lists_of_tasks_do_no_harm() {
        for list in
            ["7", "[1, null, {}]", r#"[{"session": 3, "taskId": {}}]"#, r#"[{"session": "task:"}]"#]
        {
            let text = PARENT
                .replace("\"taskSessions\": [", &format!("\"taskSessions\": {list}, \"old\": ["));
            let children = children_of(&text, &ReadOptions::default());
            assert!(children.unmerged().iter().all(|child| child.session.is_err()));
        }
    }
}
