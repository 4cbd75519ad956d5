//! `leafpress list` and `--last`, in a home folder of their own.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;
use snapbox::str;

use crate::support::folder::{Folder, json};

/// A home folder that holds nothing but what a test puts there.
pub(crate) struct Home(Folder);

/// What moves the places, and may be set where the tests run.
const ENVIRONMENT: [&str; 12] = [
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
    "PI_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_CONFIG_DIR",
    "GEMINI_CLI_HOME",
    "OPENCODE_DB",
    "OPENCLAW_STATE_DIR",
    "CLAWDBOT_STATE_DIR",
    "XDG_DATA_HOME",
];

impl Home {
    pub(crate) fn new() -> Home {
        Home(Folder::new())
    }

    /// Where a file of its own lies.
    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.0.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn example(&self, name: &str, place: &str) {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
        let text = std::fs::read_to_string(format!("{example}/{name}")).unwrap();
        self.file(place, &text);
    }

    fn command(&self, args: &[&str]) -> snapbox::cmd::Command {
        let command = self.0.command(args).env("HOME", self.0.path(""));
        ENVIRONMENT.into_iter().fold(command, snapbox::cmd::Command::env_remove)
    }

    pub(crate) fn run(&self, args: &[&str]) -> OutputAssert {
        self.command(args).assert()
    }

    pub(crate) fn list(&self, args: &[&str]) -> Value {
        let args = [&["list", "--json"], args].concat();
        json(&self.run(&args).success())
    }

    /// The prompts of the sessions listed.
    fn prompts(&self, args: &[&str]) -> Vec<String> {
        let list = self.list(args);
        let sessions = list["sessions"].as_array().unwrap().iter();
        sessions.map(|session| session["prompt"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// A session of pi's whose one prompt was typed at this minute.
fn pi(prompt: &str, cwd: &str, minute: u32) -> String {
    let at = format!("2026-03-01T10:{minute:02}:00.000Z");
    let header = json!({"type": "session", "version": 3, "id": format!("id-{prompt}"), "timestamp": at, "cwd": cwd});
    let entry = json!({"type": "message", "id": "a", "parentId": null, "timestamp": at,
        "message": {"role": "user", "content": prompt}});
    format!("{header}\n{entry}\n")
}

#[test]
fn a16_places_without_sessions_list_none() {
    let home = Home::new();
    assert_eq!(home.list(&[]), json!({"total": 0, "unreadable": 0, "sessions": []}));
    std::fs::create_dir_all(home.0.path(".pi/agent/sessions/--w--")).unwrap();
    home.file(".pi/agent/sessions/--w--/notes.txt", "x");
    home.file(".pi/agent/sessions/--w--/x.json", "{}");
    assert_eq!(home.list(&[])["unreadable"], 0);
    home.file(".pi/agent/sessions/--w--/no-header.jsonl", pi("x", "/w", 1).lines().nth(1).unwrap());
    assert_eq!(home.list(&[]), json!({"total": 0, "unreadable": 1, "sessions": []}));
    let none = str![[r#"
warning: no sessions found (looked in [..] folders; `leafpress list --help` names them)

"#]];
    let list = home.run(&["list"]).success().stderr_eq(none.clone());
    list.stdout_eq(str![[r#"
0 of 0 sessions, times in UTC; 1 other file is not a readable session

"#]]);
    std::fs::remove_dir_all(home.0.path(".pi")).unwrap();
    home.run(&["list"]).success().stderr_eq(none).stdout_eq("");
    let help = home.run(&["list", "--help"]).success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    let folders = help.split_once("Folders:\n").unwrap().1;
    assert!(folders.lines().count() >= 13, "{folders}");
    assert!(folders.contains("  pi           ~/.pi/agent/sessions\n"), "{folders}");
}

#[test]
fn a1_a17_the_newest_that_can_be_read_is_pressed() {
    let home = Home::new();
    let assert = home.run(&["--last"]).code(1);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.starts_with("error: no sessions found (looked in "), "{stderr}");
    home.file(".pi/agent/sessions/--w--/old.jsonl", &pi("old", "/w", 1));
    home.file(".pi/agent/sessions/--w--/new.jsonl", &pi("new", "/w", 2));
    home.file(".pi/agent/sessions/--w--/broken.jsonl", "no session");
    home.run(&["--last"]).success().stdout_eq(str![[r#"
new.html

"#]]);
    assert!(home.0.read("new.html").contains("new"));
    home.run(&["gone.jsonl"]).code(1);
}

#[test]
fn a19_the_time_is_that_of_the_last_message_not_the_file_s() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("early", "/w", 1));
    home.file(".pi/agent/sessions/--w--/b.jsonl", &pi("late", "/w", 2));
    let file = std::fs::File::options()
        .write(true)
        .open(home.0.path(".pi/agent/sessions/--w--/b.jsonl"))
        .unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    let list = home.list(&[]);
    assert_eq!(list["sessions"][0]["prompt"], "late");
    assert_eq!(list["sessions"][0]["time"], "2026-03-01T10:02:00.000Z");
}

#[test]
fn a20_a_session_without_a_prompt_says_so() {
    let home = Home::new();
    let text = pi("x", "/w", 1).replace("\"user\"", "\"assistant\"");
    home.file(".pi/agent/sessions/a.jsonl", &text);
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.contains("(no messages)"), "{stdout}");
}

#[test]
fn sessions_of_every_agent_are_found_the_newest_first() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("of pi", "/w", 1));
    let slot = json!({"type": "title", "v": 1, "title": "of omp", "pad": "   "});
    home.file(".omp/agent/sessions/-w/b.jsonl", &format!("{slot}\n{}", pi("ask omp", "/w", 2)));
    home.file(".omp/agent/sessions/-w/b/Scout.jsonl", &pi("a sub-agent's", "/w", 9));
    let claude = [
        json!({"type": "user", "uuid": "1", "sessionId": "s", "cwd": "/c", "isMeta": true,
            "timestamp": "2026-03-01T10:03:00.000Z", "message": {"role": "user", "content": "injected"}}),
        json!({"type": "user", "uuid": "2", "sessionId": "s", "cwd": "/c",
            "timestamp": "2026-03-01T10:04:00.000Z", "message": {"role": "user", "content": [{"type": "text", "text": "ask claude"}]}}),
        json!({"type": "custom-title", "customTitle": "chosen", "sessionId": "s"}),
        json!({"type": "ai-title", "aiTitle": "made up", "sessionId": "s"}),
    ];
    let claude = claude.map(|line| line.to_string()).join("\n");
    home.file(".claude/projects/-c/s.jsonl", &claude);
    home.file(".claude/projects/-c/agent-1.jsonl", &claude);
    let codex = [
        json!({"timestamp": "2026-03-01T10:05:00.000Z", "type": "session_meta", "payload": {"id": "c", "cwd": "/x"}}),
        json!({"timestamp": "2026-03-01T10:05:00.000Z", "type": "response_item", "payload": {"type": "message",
            "role": "user", "content": [{"type": "input_text", "text": "<environment_context>"}]}}),
        json!({"timestamp": "2026-03-01T10:06:00.000Z", "type": "response_item", "payload": {"type": "message",
            "role": "user", "content": [{"type": "input_text", "text": "ask codex"}]}}),
    ];
    home.file(
        ".codex/sessions/2026/03/01/rollout-x.jsonl",
        &codex.map(|line| line.to_string()).join("\n"),
    );
    let copilot = [
        json!({"type": "session.start", "id": "1", "timestamp": "2026-03-01T10:07:00.000Z",
            "data": {"sessionId": "g", "producer": "copilot-agent", "context": {"cwd": "/g"}}}),
        json!({"type": "user.message", "id": "2", "timestamp": "2026-03-01T10:07:00.000Z",
            "data": {"content": "injected", "source": "skill-x"}}),
        json!({"type": "user.message", "id": "3", "timestamp": "2026-03-01T10:08:00.000Z",
            "data": {"content": "ask copilot"}}),
    ];
    let copilot = copilot.map(|line| line.to_string()).join("\n");
    home.file(".copilot/session-state/g/events.jsonl", &copilot);
    home.file(".copilot/session-state/g/workspace.yaml", "id: g\nname: of copilot\n");
    home.file(".copilot/session-state/g/files/notes.jsonl", &copilot);
    let cursor = json!({"role": "user", "message": {"content": [{"type": "text",
        "text": "<timestamp>2026-03-01T10:09:00.000Z</timestamp>\n<user_query>\nask cursor\n</user_query>"}]}});
    let cursor = cursor.to_string();
    home.file(".cursor/projects/no-such-folder/agent-transcripts/u/u.jsonl", &cursor);
    home.file(".cursor/projects/no-such-folder/agent-transcripts/u/subagents/v.jsonl", &cursor);
    let list = home.list(&[]);
    let told: Vec<[&Value; 5]> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| [&s["agent"], &s["title"], &s["prompt"], &s["cwd"], &s["time"]])
        .collect();
    let told = json!(told);
    assert_eq!(
        told,
        json!([
            ["cursor", null, "ask cursor", null, "2026-03-01T10:09:00.000Z"],
            ["copilot", "of copilot", "ask copilot", "/g", "2026-03-01T10:08:00.000Z"],
            ["codex", null, "ask codex", "/x", "2026-03-01T10:06:00.000Z"],
            ["claude-code", "chosen", "ask claude", "/c", "2026-03-01T10:04:00.000Z"],
            ["omp", "of omp", "ask omp", "/w", "2026-03-01T10:02:00.000Z"],
            ["pi", null, "of pi", "/w", "2026-03-01T10:01:00.000Z"],
        ])
    );
    assert_eq!(home.prompts(&["--agent", "omp"]), ["ask omp"]);
    assert_eq!(home.prompts(&["--cwd", "/w"]), ["ask omp", "of pi"]);
    assert_eq!(home.prompts(&["--cwd", "/w/"]), ["ask omp", "of pi"]);
    let list = home.list(&["-n", "1"]);
    assert_eq!((&list["total"], list["sessions"].as_array().unwrap().len()), (&json!(6), 1));
    assert_eq!(home.prompts(&["-n", "0"]).len(), 6);
    home.run(&["list", "--agent", "nope"]).code(2);
    home.run(&["--last", "--agent", "pi", "--cwd", "/w"]).success().stdout_eq(str![[r#"
a.html

"#]]);
    home.run(&["--last", "--cwd", "/nowhere"]).code(1);
    home.run(&["--cwd", "/nowhere", "x.jsonl"]).code(2);
}

#[test]
fn the_environment_moves_the_places() {
    let home = Home::new();
    home.file("moved/sessions/--w--/a.jsonl", &pi("moved", "/w", 1));
    home.file("more/b.jsonl", &pi("more", "/w", 2));
    home.file(".pi/agent/sessions/--w--/c.jsonl", &pi("unmoved", "/w", 3));
    let command = home
        .command(&["list", "--json"])
        .env("PI_CODING_AGENT_DIR", "~/moved")
        .env("PI_CODING_AGENT_SESSION_DIR", home.0.path("more"));
    let list = json(&command.assert().success());
    assert_eq!(list["sessions"][0]["prompt"], "more");
    assert_eq!(list["sessions"][1]["prompt"], "moved");
    assert_eq!(list["total"], 2);
}

#[test]
fn entries_and_branches_are_counted_unless_the_file_is_huge() {
    let home = Home::new();
    let mut text = pi("first", "/w", 1);
    for n in 0..3 {
        let entry = json!({"type": "message", "id": format!("b{n}"), "parentId": "a",
            "timestamp": "2026-03-01T10:05:00.000Z", "message": {"role": "assistant", "content": "x"}});
        text = format!("{text}{entry}\n");
    }
    home.file(".pi/agent/sessions/small.jsonl", &text);
    let session = &home.list(&[])["sessions"][0];
    assert_eq!((&session["entries"], &session["branches"]), (&json!(4), &json!(3)));

    // Only the ends of a huge file are read; the name at its end is found all the same.
    let filler = json!({"type": "custom", "id": "f", "parentId": null, "customType": "x", "data": "y".repeat(1 << 20)});
    let name = json!({"type": "session_info", "id": "n", "parentId": null, "name": "named late"});
    let fillers = format!("{filler}\n").repeat(34);
    let huge = format!("{}{fillers}{name}\n", pi("huge", "/w", 9));
    home.file(".pi/agent/sessions/huge.jsonl", &huge);
    let list = home.list(&[]);
    let session =
        list["sessions"].as_array().unwrap().iter().find(|s| s["title"] == "named late").unwrap();
    assert_eq!((&session["entries"], &session["prompt"]), (&Value::Null, &json!("huge")));
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(
        stdout.contains("not counted, 35.") && stdout.contains("4 entries, 3 branches"),
        "{stdout}"
    );
}

#[test]
fn a_person_gets_three_lines_a_session() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("Fix the\\ndate parser", "/home/ana/w", 1));
    home.run(&["list"]).success().stdout_eq(str![[r#"
1  2026-03-01 10:01  pi           Fix the/ndate parser
   1 entry, 1 branch, 265 B, cut off, ~/w
   ~/.pi/agent/sessions/--w--/a.jsonl
1 of 1 session, times in UTC
`leafpress --last N` exports session N of this list

"#]]);
}

#[test]
fn a_hostile_session_does_not_steer_the_terminal() {
    let home = Home::new();
    let text = pi("\u{1b}]0;title\u{7}\u{202e}\u{200b}", "/w\u{1b}[31m\u{2067}", 1);
    home.file(".pi/agent/sessions/\u{1b}[2J/a.jsonl", &text);
    let assert = home.run(&["list"]).success();
    let stdout = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let steering = ['\u{1b}', '\u{7}', '\u{202e}', '\u{200b}', '\u{2067}'];
    assert!(!stdout.contains(steering), "{stdout:?}");
    let assert = home.run(&["--last", "-o", "-"]).success();
    let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
}

/// A rollout compressed by `zstd -3`: `{"timestamp":…,"type":"session_meta",…}` and a prompt.
const COMPRESSED: &[u8] = include_bytes!("../fixtures/samples/codex/archived.jsonl.zst");

#[test]
fn compressed_and_archived_rollouts_of_codex_are_listed_once() {
    let home = Home::new();
    let days = ".codex/sessions/2026/03/01";
    home.file(&format!("{days}/rollout-plain.jsonl"), &codex("plain"));
    home.file(".codex/archived_sessions/rollout-archived.jsonl", &codex("archived"));
    for name in ["rollout-plain.jsonl.zst", "rollout-old.jsonl.zst"] {
        std::fs::write(home.0.path(&format!("{days}/{name}")), COMPRESSED).unwrap();
    }
    let agents =
        codex("an agent's").replace("\"cwd\"", "\"source\":{\"subagent\":\"review\"},\"cwd\"");
    home.file(&format!("{days}/rollout-agent.jsonl"), &agents);
    let mut prompts = home.prompts(&["--agent", "codex"]);
    prompts.sort();
    assert_eq!(prompts, ["archived", "how high is the tide?", "plain"]);
    let old = format!("{days}/rollout-old.jsonl.zst");
    home.run(&["tree", &old]).success().stdout_eq(str![[r#"
...
[..]how high is the tide?[..]
...
"#]]);
    home.run(&[&old]).success();
    assert!(home.0.read("rollout-old.html").contains("how high is the tide?"));
    let torn = &COMPRESSED[..COMPRESSED.len() - 6];
    std::fs::write(home.0.path("torn.jsonl.zst"), torn).unwrap();
    home.run(&["tree", "torn.jsonl.zst"]).code(1).stderr_eq(str![[r#"
error: failed to read `torn.jsonl.zst`: failed to decompress zstd data: [..]`zstd -dc` gives what can still be read

"#]]);
}

fn codex(prompt: &str) -> String {
    let at = "2026-03-01T10:00:00.000Z";
    let meta = json!({"timestamp": at, "type": "session_meta", "payload": {"id": prompt, "timestamp": at, "cwd": "/w"}});
    let asked = json!({"timestamp": at, "type": "event_msg", "payload": {"type": "user_message", "message": prompt}});
    format!("{meta}\n{asked}\n")
}

#[test]
fn omp_s_profiles_and_data_folder_and_openclaw_are_looked_into() {
    let home = Home::new();
    home.file(".omp/profiles/work/agent/sessions/-w/a.jsonl", &pi("of a profile", "/w", 1));
    home.file("data/omp/sessions/-w/b.jsonl", &pi("of the data folder", "/w", 2));
    home.file("data/omp/profiles/work/sessions/-w/c.jsonl", &pi("of its profile", "/w", 3));
    home.file(".openclaw/agents/main/sessions/d.jsonl", &pi("of openclaw", "/w", 4));
    for aside in ["d.checkpoint.1.jsonl", "d.jsonl.deleted.jsonl", "d.reset.jsonl"] {
        home.file(&format!(".openclaw/agents/main/sessions/{aside}"), &pi(aside, "/w", 5));
    }
    let list = home.command(&["list", "--json"]).env("XDG_DATA_HOME", home.0.path("data"));
    let list = json(&list.assert().success());
    let prompts: Vec<_> =
        list["sessions"].as_array().unwrap().iter().map(|s| &s["prompt"]).collect();
    let expected = ["of openclaw", "of its profile", "of the data folder", "of a profile"];
    assert_eq!(prompts, expected);
    home.file("renamed/agent/sessions/-w/e.jsonl", &pi("of another folder", "/w", 6));
    let list = home.command(&["list", "--json"]).env("PI_CONFIG_DIR", "renamed");
    let list = json(&list.assert().success());
    assert_eq!(list["sessions"][0]["prompt"], "of another folder");
    assert_eq!(list["total"], 2, "and OpenClaw's");
}

#[test]
#[cfg(unix)]
fn circles_of_links_and_odd_files_do_no_harm() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("x", "/w", 1));
    let sessions = home.0.path(".pi/agent/sessions");
    std::os::unix::fs::symlink(&sessions, sessions.join("--w--/loop")).unwrap();
    std::os::unix::fs::symlink("nowhere.jsonl", sessions.join("dangling.jsonl")).unwrap();
    std::fs::create_dir(sessions.join("folder.jsonl")).unwrap();
    home.file(".pi/agent/sessions/empty.jsonl", "");
    home.file(".pi/agent/sessions/bytes.jsonl", "\u{0}\u{1}{[");
    home.file(".pi/agent/sessions/torn.jsonl.gz", "\u{1f}\u{8}");
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(3)));
}

/// A chat of Gemini CLI's as one object, with so many bytes of text in the middle.
fn gemini(id: &str, bytes: usize, is_pretty: bool) -> String {
    let message = |n: u32, kind: &str, text: &str| json!({"id": format!("{id}-{n}"), "timestamp": format!("2026-05-01T10:{n:02}:00.000Z"), "type": kind, "content": text});
    let messages = json!([
        message(1, "user", "/help"),
        message(2, "user", "When is low tide?"),
        message(3, "gemini", &"x".repeat(bytes)),
        message(4, "gemini", "At 04:12.")
    ]);
    let (messages, gap) = if is_pretty {
        (serde_json::to_string_pretty(&messages).unwrap().replace('\n', "\n  "), "\n  ")
    } else {
        (messages.to_string(), "")
    };
    // The header stands before the messages and the title behind them.
    let began = "2026-05-01T09:00:00.000Z";
    format!(
        "{{{gap}\"sessionId\":\"{id}\",{gap}\"projectHash\":\"p\",{gap}\"startTime\":\"{began}\",\
         {gap}\"messages\":{messages},{gap}\"summary\":\"Tides of {id}\"}}"
    )
}

#[test]
fn sessions_of_qwen_are_found_without_those_of_sub_agents() {
    let home = Home::new();
    let project = ".qwen/projects/-w-boat";
    let line = |id: &str, at: &str, provenance: &str, parts: serde_json::Value| {
        json!({"uuid": id, "parentUuid": null, "sessionId": "b0a7", "timestamp": at, "type": "user",
               "provenance": provenance, "cwd": "/w/boat", "version": "0.24.4",
               "message": {"role": "user", "parts": parts}})
        .to_string()
    };
    let reminder = json!({"text": "<system-reminder>\nrestored\n</system-reminder>"});
    home.file(&format!("{project}/chats/b0a7.jsonl"), &[
        line("a", "2026-05-01T10:00:00.000Z", "real_user", json!([reminder, {"text": "Caulk the hull."}])),
        line("b", "2026-05-01T10:01:00.000Z", "system", json!([{"text": "done"}])),
        json!({"type": "system", "subtype": "custom_title", "sessionId": "b0a7", "systemPayload": {"customTitle": "A tight hull"}}).to_string(),
    ].join("\n"));
    let agent = line("c", "2026-05-01T10:00:30.000Z", "", json!([{"text": "Look at the deck."}]));
    home.file(&format!("{project}/subagents/b0a7/agent-x.jsonl"), &agent);
    let list = home.list(&["--agent", "qwen", "--cwd", "/w/boat"]);
    let [session] = &list["sessions"].as_array().unwrap()[..] else { panic!("{list}") };
    let facts =
        ["agent", "id", "title", "prompt", "time"].map(|key| session[key].as_str().unwrap());
    let expected = ["qwen", "b0a7", "A tight hull", "Caulk the hull.", "2026-05-01T10:01:00.000Z"];
    assert_eq!(facts, expected);
}

#[test]
fn chats_of_gemini_are_found_by_both_ends_of_one_object() {
    let home = Home::new();
    let chats = ".gemini/tmp/tides/chats";
    home.file(".gemini/tmp/tides/.project_root", "/w/tides\n");
    home.file(".gemini/tmp/tides/logs.json", "[]");
    for (nth, (bytes, is_pretty)) in
        [(3, false), (3, true), (400_000, false), (400_000, true)].into_iter().enumerate()
    {
        home.file(
            &format!("{chats}/session-{nth}.json"),
            &gemini(&format!("s{nth}"), bytes, is_pretty),
        );
    }
    // The same session in the newer form too.
    home.file(&format!("{chats}/session-0.jsonl"), &[
        json!({"sessionId": "s0", "projectHash": "p", "startTime": "2026-05-01T09:00:00.000Z", "kind": "main"}).to_string(),
        json!({"id": "a", "timestamp": "2026-05-01T11:00:00.000Z", "type": "user", "content": [{"text": "And high tide?"}]}).to_string(),
        json!({"$set": {"summary": "High tide"}}).to_string(),
    ].join("\n"));
    let list = home.list(&["--agent", "gemini", "--cwd", "/w/tides"]);
    assert_eq!(list["unreadable"], 0);
    let facts: Vec<[&str; 4]> = list["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| {
            ["id", "title", "prompt", "time"].map(|key| session[key].as_str().unwrap_or_default())
        })
        .collect();
    let older = |id, title| [id, title, "When is low tide?", "2026-05-01T10:04:00.000Z"];
    assert_eq!(
        facts,
        [
            ["s0", "High tide", "And high tide?", "2026-05-01T11:00:00.000Z"],
            older("s1", "Tides of s1"),
            older("s2", "Tides of s2"),
            older("s3", "Tides of s3"),
        ]
    );
}

#[test]
fn what_was_asked_for_is_in_the_message_that_nothing_is_there() {
    let home = Home::new();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("x", "/w", 1));
    let told = |args: &[&str]| {
        let assert = home.run(args);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let omp = told(&["list", "--agent", "omp"]);
    assert!(omp.contains("no sessions found (looked in 2 folders; "), "{omp}");
    let elsewhere = told(&["--last", "--cwd", "/nope"]);
    assert!(
        elsewhere
            .starts_with("error: no sessions with the working directory `/nope` found (looked in "),
        "{elsewhere}"
    );
    assert!(elsewhere.contains("must be exactly the one"), "{elsewhere}");
}

#[test]
fn a_database_is_not_written_to() {
    let folder = Folder::new();
    folder.write("x.db", "SQLite format 3\0 and so on");
    for args in [["branch", "x.db", "id"], ["branch", "x.db#ses_1", "id"]] {
        let assert = folder.run(&args).code(1);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains("its format is that of a database"), "{stderr}");
    }
    let assert = folder.run(&["migrate", "x.db"]).code(1);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("leafpress reads and exports other formats"), "{stderr}");
}

#[test]
fn sessions_are_numbered_and_last_takes_one() {
    let home = Home::new();
    for minute in 1..=3 {
        let name = format!("session-{minute}");
        home.file(&format!(".pi/agent/sessions/--w--/{name}.jsonl"), &pi(&name, "/w", minute));
    }
    home.run(&["--last", "2"]).success().stdout_eq("session-2.html\n");
    home.run(&["--last", "4"]).code(1).stderr_eq(str![[r#"
error: no session 4: the list has 3 sessions
help: `leafpress list -n 0` lists all sessions

"#]]);
    for not_a_number in ["0", "x.jsonl"] {
        home.run(&["--last", not_a_number]).code(2);
    }
}

#[test]
fn a_row_is_called_by_what_was_answered_and_fits_the_columns() {
    let home = Home::new();
    let prompt = "Plant the tide tables of all harbours of the northern coast in one long sentence";
    let rows = [
        json!({"role": "user", "content": "/model"}),
        json!({"role": "user", "content": prompt}),
        json!({"role": "assistant", "content": [{"type": "text", "text": "Shall I?"}]}),
    ];
    let mut text = pi("x", "/w", 1).lines().next().unwrap().to_owned();
    for (nth, message) in rows.iter().enumerate() {
        let parent = nth.checked_sub(1).map(|before| before.to_string());
        let entry = json!({"type": "message", "id": nth.to_string(), "parentId": parent, "message": message});
        text = format!("{text}\n{entry}");
    }
    let place = format!(".pi/agent/sessions/--{}--/a.jsonl", "w".repeat(90));
    home.file(&place, &text);
    let command = home.command(&["list"]).env("COLUMNS", "80");
    let printed =
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
    assert!(printed.contains("  Plant the tide tables of all harbours of the…\n"), "{printed}");
    assert!(printed.contains(", ended with a question, /w\n"), "{printed}");
    assert!(printed.contains("…/a.jsonl\n"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let session = &home.list(&[])["sessions"][0];
    assert_eq!(
        (&session["ended"], &session["endedText"]),
        (&json!("question"), &json!("Shall I?"))
    );
}

#[test]
fn a_session_without_entries_is_neither_listed_nor_the_last() {
    let home = Home::new();
    home.file(".codex/sessions/2026/03/01/rollout-a.jsonl", &codex("asked"));
    let mut header = json!({"timestamp": "2026-04-01T00:00:00Z", "type": "session_meta",
        "payload": {"id": "e", "timestamp": "2026-04-01T00:00:00Z", "cwd": "/w"}});
    home.file(".codex/sessions/2026/04/01/rollout-b.jsonl", &format!("{header}\n"));
    // A system prompt alone is what Codex begins with.
    header["payload"]["base_instructions"] = json!({"text": "You are Codex."});
    home.file(".codex/sessions/2026/04/01/rollout-c.jsonl", &format!("{header}\n"));
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(2)));
    assert_eq!(list["sessions"][0]["prompt"], "asked");
    home.run(&["--last"]).success().stdout_eq("rollout-a.html\n");
    // The number counts what the list shows.
    home.run(&["--last", "2"]).code(1);
    assert_eq!(home.prompts(&["-n", "1"]), ["asked"]);
}

#[test]
fn the_last_message_is_found_before_much_that_is_none() {
    let home = Home::new();
    let result = json!({"type": "message", "id": "b", "parentId": "a", "timestamp": "2026-03-01T10:03:00.000Z",
        "message": {"role": "toolResult", "toolCallId": "c", "content": "x".repeat(300_000)}});
    let text = format!("{}{}{result}\n", pi("late", "/w", 2), "\n".repeat(200_000));
    home.file(".pi/agent/sessions/--w--/a.jsonl", &text);
    assert_eq!(home.list(&[])["sessions"][0]["time"], "2026-03-01T10:02:00.000Z");
}

#[test]
fn a_large_compressed_session_has_the_time_of_its_end() {
    use std::io::Write as _;
    let home = Home::new();
    let turn = |role: &str, minute: u32, content: &str| {
        json!({"timestamp": format!("2026-03-01T10:{minute:02}:00Z"), "type": "response_item",
            "payload": {"type": "message", "role": role, "content": [{"type": "text", "text": content}]}})
    };
    let text = format!(
        "{}{}\n{}\n",
        codex("asked"),
        turn("tool", 8, &"x".repeat(9_000_000)),
        turn("assistant", 9, "Done.")
    );
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    let path = home.path(".codex/sessions/2026/03/01/rollout-a.jsonl.gz");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, packed.finish().unwrap()).unwrap();
    assert_eq!(home.list(&[])["sessions"][0]["time"], "2026-03-01T10:09:00.000Z");
}

#[test]
fn a_session_is_called_by_the_skill_or_command_that_it_begins_with() {
    let home = Home::new();
    let skill = "<skill name=\"bake\" location=\"/s/SKILL.md\">\nMix.\n</skill>\n\nrye, please";
    home.file(".pi/agent/sessions/--w--/a.jsonl", &pi(skill, "/w", 3));
    let command = "<command-message>grant</command-message>\n<command-name>/grant</command-name>\n<command-args>the tides</command-args>";
    let row = json!({"type": "user", "uuid": "a", "parentUuid": null, "sessionId": "c", "cwd": "/w",
        "timestamp": "2026-03-01T10:01:00.000Z", "message": {"role": "user", "content": command}});
    home.file(".claude/projects/-w/a.jsonl", &row.to_string());
    assert_eq!(home.prompts(&[]), ["bake: rye, please", "/grant the tides"]);
}

#[test]
fn chats_of_gemini_without_a_project_are_listed_and_exported() {
    let home = Home::new();
    let chat = gemini("s1", 3, false).replace("\"projectHash\":\"p\",", "");
    home.file(".gemini/tmp/tides/chats/session-1.json", &chat);
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(0)));
    assert_eq!(list["sessions"][0]["prompt"], "When is low tide?");
    assert!(list["sessions"][0]["entries"].as_u64() > Some(3));
}

#[test]
fn a_session_in_utf_16_is_listed_like_any_other() {
    let home = Home::new();
    let filler = json!({"type": "custom", "id": "b", "parentId": "a", "customType": "x", "data": "ä".repeat(300_000)});
    let answer = json!({"type": "message", "id": "c", "parentId": "b", "timestamp": "2026-03-01T10:07:00.000Z",
        "message": {"role": "assistant", "content": "Done."}});
    let short = pi("in UTF-16", "/w", 2);
    let long = format!("{}{filler}\n{answer}\n", pi("large", "/w", 3));
    for (name, text, is_big) in [("a", short, true), ("b", long, false)] {
        let unit = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let bytes: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect();
        let path = home.path(&format!(".pi/agent/sessions/--w--/{name}.jsonl"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let list = home.list(&[]);
    let sessions = list["sessions"].as_array().unwrap().iter();
    let facts = sessions.map(|found| ["prompt", "time", "entries"].map(|key| found[key].clone()));
    assert_eq!(
        facts.collect::<Vec<_>>(),
        [
            [json!("large"), json!("2026-03-01T10:07:00.000Z"), json!(3)],
            [json!("in UTF-16"), json!("2026-03-01T10:02:00.000Z"), json!(1)],
        ]
    );
}
