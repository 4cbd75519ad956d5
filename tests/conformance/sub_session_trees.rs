//! Trees of sub-sessions as deep, wide and tangled as files can make them, in each format that has them:
//! all are read and exported, and named where something is left out.

use std::fs;
use std::path::{Path, PathBuf};

use leafpress::format::{ReadOptions, read_with};
use leafpress::{Options, Session};
use serde_json::{Value, json};
use tempfile::TempDir;

const DEEP: usize = 3000;
/// Deep enough where keys are long, of which the page has several for each entry.
const DEEP_PAGE: usize = 300;
const WIDE: usize = 5000;

/// A folder of files; the session is `s`.
struct Folder {
    folder: TempDir,
    session: &'static str,
}

impl Folder {
    fn new(session: &'static str) -> Folder {
        Folder { folder: tempfile::tempdir().unwrap(), session }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, lines: &[Value]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(path, lines.concat()).unwrap();
    }

    fn link(&self, to: &str, name: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(Path::new(to), path).unwrap();
    }

    fn read(&self) -> Session {
        let path = self.path(self.session);
        let options = ReadOptions::new().session(path.clone());
        read_with(fs::read(path).unwrap(), None, &options).unwrap()
    }

    /// Reads and presses it; the page grows with its entries and their keys alone.
    #[track_caller]
    fn press(&self) -> Session {
        let session = self.read();
        let mut page = Vec::new();
        leafpress::export(&session, &Options::default(), &mut page).unwrap();
        let keys: usize = session.indices().map(|entry| session.key(entry).unwrap().len()).sum();
        let most = 1_000_000 + 3000 * session.len() + 12 * keys;
        assert!(page.len() < most, "{} bytes for {} entries", page.len(), session.len());
        session
    }
}

fn shown(session: &Session) -> usize {
    session.sub_sessions().iter().filter(|sub| sub.missing.is_none()).count()
}

fn depth(session: &Session) -> usize {
    session.sub_sessions().iter().map(|sub| sub.key.split('/').count()).max().unwrap_or_default()
}

/// Why each that is not shown is not.
fn reasons(session: &Session) -> Vec<&str> {
    session.sub_sessions().iter().filter_map(|sub| sub.missing.as_deref()).collect()
}

fn flue(folder: &Folder, id: &str, starts: &[String]) {
    let tasks = starts.iter().map(|to| (format!("task:p:{to}"), to.as_str())).collect::<Vec<_>>();
    flue_file(folder, id, (id, "p"), &tasks);
}

fn flue_file(folder: &Folder, name: &str, (id, parent): (&str, &str), starts: &[(String, &str)]) {
    let tasks: Vec<Value> =
        starts.iter().map(|(to, id)| json!({"session": to, "taskId": id})).collect();
    let entry = json!({"type": "message", "id": "a", "parentId": null, "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": name}});
    let metadata = json!({"taskId": id, "parentSession": parent, "taskSessions": tasks});
    let file = json!({"version": 3, "leafId": "a", "entries": [entry], "metadata": metadata});
    folder.write(&format!("{name}.json"), &[file]);
}

fn names(numbers: impl Iterator<Item = usize>) -> Vec<String> {
    numbers.map(|number| number.to_string()).collect()
}

#[test]
fn flue_chains_are_read_to_their_ends() {
    let folder = Folder::new("0.json");
    // All of one short name, distinguished by their parents: keys grow with the depth.
    for nth in 0..=DEEP {
        let tasks: Vec<_> = (nth..DEEP).take(1).map(|own| (format!("task:{own}:a"), "a")).collect();
        let parent = nth.wrapping_sub(1).to_string();
        flue_file(&folder, &nth.to_string(), ("a", &parent), &tasks);
    }
    let session = folder.read();
    assert_eq!((shown(&session), depth(&session)), (DEEP, DEEP));
}

#[test]
fn flue_chains_are_pressed() {
    let folder = Folder::new("0.json");
    for nth in 0..=DEEP_PAGE {
        flue(&folder, &nth.to_string(), &names((nth + 1..=DEEP_PAGE).take(1)));
    }
    assert_eq!(depth(&folder.press()), DEEP_PAGE);
}

#[test]
fn flue_many_tasks_are_read() {
    let folder = Folder::new("0.json");
    flue(&folder, "0", &names(1..=WIDE));
    for nth in 1..=WIDE {
        flue(&folder, &nth.to_string(), &[]);
    }
    assert_eq!(shown(&folder.press()), WIDE);
}

#[test]
fn flue_circles_are_cut_and_told() {
    let folder = Folder::new("a.json");
    flue(&folder, "a", &["a", "b", "c", "gone"].map(str::to_owned));
    flue(&folder, "b", &["b", "c"].map(str::to_owned));
    flue(&folder, "c", &["b", "a"].map(str::to_owned));
    folder.link("b.json", "link.json");
    folder.link("loop.json", "loop.json");
    let session = folder.press();
    assert_eq!(shown(&session), 2);
    let reasons = reasons(&session);
    let count = |words: &str| reasons.iter().filter(|reason| reason.contains(words)).count();
    assert_eq!(
        (count("leads back"), count("shown elsewhere"), count("no `.json` file")),
        (3, 2, 1),
        "{reasons:?}"
    );
}

/// A session of two lines, and one more for each agent whose result it has.
fn claude(agent: Option<&str>, own: &str, started: &[String]) -> Vec<Value> {
    let line = |id: &str, parent: Option<&str>, mut fields: Value| {
        let place = json!({"uuid": format!("{own}-{id}"), "parentUuid": parent.map(|parent| format!("{own}-{parent}")),
            "isSidechain": agent.is_some(), "agentId": agent, "sessionId": "s", "timestamp": "2026-01-01T00:00:00.000Z"});
        for (key, value) in place.as_object().unwrap() {
            fields[key] = value.clone();
        }
        fields
    };
    let calls: Vec<Value> = started
        .iter()
        .map(|to| json!({"type": "tool_use", "id": format!("{own}-to-{to}"), "name": "Task", "input": {"prompt": to}}))
        .collect();
    let mut lines = vec![
        line("1", None, json!({"type": "user", "message": {"content": own}})),
        line(
            "2",
            Some("1"),
            json!({"type": "assistant", "message": {"id": own, "content": calls}}),
        ),
    ];
    lines.extend(started.iter().map(|to| {
        let block = json!({"type": "tool_result", "tool_use_id": format!("{own}-to-{to}"), "content": "done"});
        let fields = json!({"type": "user", "message": {"content": [block]}, "toolUseResult": {"agentId": to}});
        line(&format!("r{to}"), Some("2"), fields)
    }));
    lines
}

fn claude_agent(folder: &Folder, agent: &str, started: &[String]) {
    let name = format!("s/subagents/agent-{agent}.jsonl");
    folder.write(&name, &claude(Some(agent), agent, started));
}

#[test]
fn claude_chains_are_read_to_their_ends() {
    let folder = Folder::new("s.jsonl");
    folder.write("s.jsonl", &claude(None, "0", &names(1..2)));
    for nth in 1..=DEEP {
        claude_agent(&folder, &nth.to_string(), &names((nth + 1..=DEEP).take(1)));
    }
    let session = folder.read();
    assert_eq!((shown(&session), depth(&session)), (DEEP, DEEP));
}

#[test]
fn claude_many_agents_are_read() {
    let folder = Folder::new("s.jsonl");
    folder.write("s.jsonl", &claude(None, "0", &names(1..=WIDE)));
    for nth in 1..=WIDE {
        claude_agent(&folder, &nth.to_string(), &[]);
    }
    assert_eq!(shown(&folder.press()), WIDE);
}

#[test]
fn claude_missing_agents_are_counted() {
    let folder = Folder::new("s.jsonl");
    folder.write("s.jsonl", &claude(None, "0", &names(1..=WIDE)));
    let session = folder.press();
    assert_eq!(session.sub_sessions().len(), 101);
    assert_eq!(session.sub_sessions()[100].name(), "4,900 more sub-agent sessions");
    let note = "5,000 sub-agent sessions not included: its file is not beside the session";
    assert!(session.notes().iter().any(|told| told == note), "{:?}", session.notes());
}

#[test]
fn claude_sidechains_are_read_deep_and_wide() {
    let folder = Folder::new("s.jsonl");
    let side_by_side = WIDE - DEEP_PAGE;
    let mut lines = claude(None, "0", &names(1..=side_by_side));
    for nth in 1..=WIDE {
        // The last of them begins a chain.
        let next = names((nth + 1..=WIDE).take(usize::from(nth >= side_by_side)));
        lines.extend(claude(Some(&nth.to_string()), &nth.to_string(), &next));
    }
    folder.write("s.jsonl", &lines);
    let session = folder.press();
    assert_eq!((shown(&session), depth(&session)), (WIDE, DEEP_PAGE + 1));
    assert!(session.sub_sessions().iter().all(|sub| sub.source().is_empty()));
}

#[test]
fn claude_circles_are_cut_and_told() {
    for inline in [false, true] {
        let folder = Folder::new("s.jsonl");
        let agents = [("a", "a"), ("b", "c"), ("c", "b")];
        let mut lines = claude(None, "0", &["gone".to_owned()]);
        for (own, to) in agents {
            if inline {
                lines.extend(claude(Some(own), own, &[to.to_owned()]));
            } else {
                claude_agent(&folder, own, &[to.to_owned()]);
            }
        }
        folder.write("s.jsonl", &lines);
        folder.link("agent-b.jsonl", "s/subagents/agent-link.jsonl");
        folder.link("agent-loop.jsonl", "s/subagents/agent-loop.jsonl");
        folder.link("..", "s/subagents/workflows");
        let session = folder.press();
        let told = session.notes().iter().filter(|note| note.contains("each other")).count();
        assert_eq!((shown(&session) >= 3, told), (true, 2), "{:?}", session.notes());
        assert!(reasons(&session).iter().any(|reason| reason.contains("not beside")));
    }
}

/// An agent's session, which tells of others by the results of its tasks.
fn omp(folder: &Folder, path: &str, own: &str, started: &[String]) {
    let results: Vec<Value> =
        started.iter().map(|to| json!({"id": to, "agent": "scout"})).collect();
    let entry = |id: &str, parent: Option<&str>, message: Value| json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z", "message": message});
    let result = json!({"role": "toolResult", "toolCallId": "t", "toolName": "task", "content": [],
        "details": {"results": results}, "isError": false});
    let lines = [
        json!({"type": "title", "v": 1, "title": "t"}),
        json!({"type": "session", "version": 3, "id": own, "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}),
        entry("1", None, json!({"role": "user", "content": own})),
        entry("2", Some("1"), result),
    ];
    folder.write(&format!("{path}.jsonl"), &lines);
}

#[test]
fn omp_chains_are_read_as_deep_as_folders_go() {
    // A path has at most 4096 bytes, and the system walks each from its beginning.
    let folder = Folder::new("s.jsonl");
    let mut path = "s".to_owned();
    for nth in 0..=DEEP_PAGE {
        omp(&folder, &path, &nth.to_string(), &["S".to_owned()]);
        path += "/S";
    }
    let session = folder.press();
    assert_eq!((shown(&session), depth(&session)), (DEEP_PAGE, DEEP_PAGE + 1));
    assert_eq!(reasons(&session), ["its session file is not beside the session"]);
}

#[test]
fn omp_many_agents_are_read() {
    let folder = Folder::new("s.jsonl");
    omp(&folder, "s", "0", &names(1..=WIDE));
    for nth in 1..=WIDE {
        omp(&folder, &format!("s/{nth}"), &nth.to_string(), &[]);
    }
    assert_eq!(shown(&folder.press()), WIDE);
}

#[test]
fn omp_circles_are_cut_and_told() {
    let folder = Folder::new("s.jsonl");
    omp(&folder, "s", "0", &["s", "A"].map(str::to_owned));
    omp(&folder, "s/A", "A", &["A", "B", "loop"].map(str::to_owned));
    omp(&folder, "s/A/B", "B", &["A", "B"].map(str::to_owned));
    folder.link("../../s.jsonl", "s/A/loop.jsonl");
    folder.link("..", "s/A/B");
    folder.link(".", "s/s");
    let session = folder.press();
    assert_eq!(shown(&session), 2);
    let reasons = reasons(&session);
    let count = |words: &str| reasons.iter().filter(|reason| reason.contains(words)).count();
    // The file that is a link, and both agents in the folder that is one.
    assert_eq!((count("refused"), count("not beside")), (3, 2), "{reasons:?}");
}
