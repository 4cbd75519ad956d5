//! The files of each agent.

use serde_json::{Value, json};
use snapbox::str;

use crate::support::folder::json;
use crate::support::home::{Home, pi};

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

/// A rollout compressed by `zstd -3`: `{"timestamp":…,"type":"session_meta",…}` and a prompt.
const COMPRESSED: &[u8] = include_bytes!("../../fixtures/samples/codex/archived.jsonl.zst");

pub(super) fn codex(prompt: &str) -> String {
    let at = "2026-03-01T10:00:00.000Z";
    let meta = json!({"timestamp": at, "type": "session_meta", "payload": {"id": prompt, "timestamp": at, "cwd": "/w"}});
    let asked = json!({"timestamp": at, "type": "event_msg", "payload": {"type": "user_message", "message": prompt}});
    format!("{meta}\n{asked}\n")
}

#[test]
fn compressed_and_archived_rollouts_of_codex_are_listed_once() {
    let home = Home::new();
    let days = ".codex/sessions/2026/03/01";
    home.file(&format!("{days}/rollout-plain.jsonl"), &codex("plain"));
    home.file(".codex/archived_sessions/rollout-archived.jsonl", &codex("archived"));
    for name in ["rollout-plain.jsonl.zst", "rollout-old.jsonl.zst"] {
        std::fs::write(home.path(&format!("{days}/{name}")), COMPRESSED).unwrap();
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
    assert!(home.read("rollout-old.html").contains("how high is the tide?"));
    let torn = &COMPRESSED[..COMPRESSED.len() - 6];
    std::fs::write(home.path("torn.jsonl.zst"), torn).unwrap();
    home.run(&["tree", "torn.jsonl.zst"]).code(1).stderr_eq(str![[r#"
error: failed to read `torn.jsonl.zst`: failed to decompress zstd data: [..]`zstd -dc` gives what can still be read

"#]]);
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
fn omp_s_profiles_and_data_folder_and_openclaw_are_looked_into() {
    let home = Home::new();
    home.file(".omp/profiles/work/agent/sessions/-w/a.jsonl", &pi("of a profile", "/w", 1));
    home.file("data/omp/sessions/-w/b.jsonl", &pi("of the data folder", "/w", 2));
    home.file("data/omp/profiles/work/sessions/-w/c.jsonl", &pi("of its profile", "/w", 3));
    home.file(".openclaw/agents/main/sessions/d.jsonl", &pi("of openclaw", "/w", 4));
    for aside in ["d.checkpoint.1.jsonl", "d.jsonl.deleted.jsonl", "d.reset.jsonl"] {
        home.file(&format!(".openclaw/agents/main/sessions/{aside}"), &pi(aside, "/w", 5));
    }
    let list = home.command(&["list", "--json"]).env("XDG_DATA_HOME", home.path("data"));
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

/// A chat of Gemini CLI's as one object, with so many bytes of text in the middle.
pub(super) fn gemini(id: &str, bytes: usize, is_pretty: bool) -> String {
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
fn chats_of_gemini_without_a_project_are_listed_and_exported() {
    let home = Home::new();
    let chat = gemini("s1", 3, false).replace("\"projectHash\":\"p\",", "");
    home.file(".gemini/tmp/tides/chats/session-1.json", &chat);
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(0)));
    assert_eq!(list["sessions"][0]["prompt"], "When is low tide?");
    assert!(list["sessions"][0]["entries"].as_u64() > Some(3));
}
