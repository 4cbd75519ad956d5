//! What nothing ties to an entry that stays goes: sub-agents that no call names, observations of
//! no call, and what a file says of its whole session.

use std::path::Path;

use leafpress::Session;
use leafpress::cut::Cut;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::{Child, Kind};
use serde_json::{Value, json};

use crate::cut::cases::{assert_gone, cut_with, page};
use crate::support::folder::Folder;
use crate::support::inflated::everything;

type Set = fn(&Session, &mut Cut);

/// A format, a session in it, and what goes.
type Case<'c> = (&'c str, fn() -> Session, &'c [&'c str]);

/// A session of two prompts with their responses, `u1` to `a2`.
fn two_turns() -> Session {
    let line = |id: &str, parent: Option<&str>, role: &str, content: Value| {
        json!({"type": "message", "id": id, "parentId": parent, "message": {"role": role, "content": content}})
            .to_string()
    };
    let said = |text: &str| json!([{"type": "text", "text": text}]);
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"}).to_string(),
        line("u1", None, "user", json!("first")),
        line("a1", Some("u1"), "assistant", said("one")),
        line("u2", Some("a1"), "user", json!("second")),
        line("a2", Some("u2"), "assistant", said("two")),
    ];
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn child(key: &str, started_by: Option<&str>, session: Result<Box<Session>, String>) -> Child {
    Child {
        key: key.to_owned(),
        agent: Some(format!("Qzxmark{key}agent")),
        task: Some(format!("Qzxmark{key}task")),
        started_by: started_by.map(str::to_owned),
        session,
    }
}

fn loose() -> Session {
    let mut texts = ["Qzxmarkinner", "Qzxmarkouter"].into_iter().map(|text| {
        let entry = json!({"type": "message", "id": "x", "parentId": null,
            "message": {"role": "user", "content": text}});
        let header = json!({"type": "session", "version": 3, "id": "c"});
        leafpress::read(format!("{header}\n{entry}").into_bytes()).unwrap()
    });
    let inner = child("in", Some("x"), Ok(Box::new(texts.next().unwrap())));
    let outer = texts.next().unwrap().with_children(vec![inner]);
    two_turns().with_children(vec![
        child("out", None, Ok(Box::new(outer))),
        child("missing", None, Err("Qzxmarkreason".to_owned())),
    ])
}

#[test]
fn a_sub_agent_of_no_call_goes_where_anything_of_its_session_does() {
    let gone = [
        "inagent",
        "inner",
        "intask",
        "missingagent",
        "missingtask",
        "outagent",
        "outer",
        "outtask",
        "reason",
    ];
    let sets: [(&str, Set); 5] = [
        ("branch", |session, cut| cut.branch = session.find("u2")),
        ("to", |session, cut| cut.to = session.find("a1")),
        ("from", |session, cut| cut.from = session.find("u2")),
        ("subtree", |session, cut| cut.subtree = session.find("u2")),
        ("only", |_, cut| cut.only = Some(vec![Kind::User])),
    ];
    for (what, set) in sets {
        let session = assert_gone(what, loose, set, &gone);
        assert_eq!(session.sub_sessions().len(), 0, "{what}");
        let page = everything(&page(&session));
        assert!(page.contains("3 sub-agent sessions were removed too"), "{what} counts them");
    }
    // It stays where nothing goes, and is no more tied than before.
    let all: Set = |session, cut| cut.branch = session.find("a2");
    let session = assert_gone("all", loose, all, &[]);
    let again = cut_with(session, |session, cut| cut.to = session.find("a1"));
    assert_eq!(again.sub_sessions().len(), 0);
}

fn claude(uuid: &str, parent: Option<&str>, role: &str, text: &str, agent: Option<&str>) -> String {
    let mut row = json!({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s",
        "isSidechain": agent.is_some(), "cwd": "/w", "version": "2.0.0",
        "timestamp": "2026-05-02T09:00:00.000Z", "message": {"role": role, "content": text}});
    if let Some(agent) = agent {
        row["agentId"] = json!(agent);
    }
    row.to_string()
}

#[test]
fn readers_say_which_sub_agents_no_call_names() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("session/subagents")).unwrap();
    let main = [
        claude("u1", None, "user", "first", None),
        claude("a1", Some("u1"), "assistant", "one", None),
        claude("u2", Some("a1"), "user", "second", None),
    ];
    folder.write("session.jsonl", &main.join("\n"));
    let agent = claude("x1", None, "user", "Qzxmarkagent", Some("zz9"));
    folder.write("session/subagents/agent-zz9.jsonl", &agent);
    let path = folder.path("session.jsonl");
    let to: Set = |session, cut| cut.to = session.find("a1");
    assert_gone("Claude Code", || read(&path), to, &["agent"]);

    let event = |kind: &str, id: &str, data: Value, agent: Option<&str>| {
        let mut event = json!({"type": kind, "id": id, "parentId": null, "data": data,
            "timestamp": "2026-05-02T09:00:00.000Z"});
        if let Some(agent) = agent {
            event["agentId"] = json!(agent);
        }
        event.to_string()
    };
    let events = [
        event("session.start", "e0", json!({"sessionId": "s"}), None),
        event("user.message", "e1", json!({"content": "first"}), None),
        event("user.message", "e2", json!({"content": "Qzxmarkagent"}), Some("zz9")),
        event("assistant.message", "e3", json!({"content": "one"}), None),
        event("session.title_changed", "e4", json!({"title": "Qzxmarktitle"}), None),
        event("user.message", "e5", json!({"content": "second"}), None),
    ];
    folder.write("events.jsonl", &events.join("\n"));
    let path = folder.path("events.jsonl");
    let to: Set = |session, cut| cut.to = session.find("e3");
    assert_gone("Copilot CLI", || read(&path), to, &["agent", "title"]);
    let from: Set = |session, cut| cut.from = session.find("e3");
    assert_gone("Copilot CLI's title", || read(&path), from, &["agent", "title"]);
}

fn read(path: &Path) -> Session {
    let options = ReadOptions::new().session(path.to_owned());
    read_with(std::fs::read(path).unwrap(), None, &options).unwrap()
}

fn parsed(value: &Value) -> Session {
    leafpress::read(value.to_string().into_bytes()).unwrap()
}

#[test]
fn an_observation_of_no_call_is_output() {
    let call = |id: &str| json!({"tool_call_id": id, "function_name": "bash", "arguments": {}});
    let trajectory = || {
        parsed(&json!({"schema_version": "ATIF-v1.6", "session_id": "t",
        "agent": {"name": "a", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "task"},
            {"step_id": 2, "source": "agent", "message": "no call",
                "observation": {"results": [{"content": "Qzxmarkalone"}]}},
            {"step_id": 3, "source": "agent", "message": "two calls", "tool_calls": [call("c"), call("d")],
                "observation": {"results": [{"source_call_id": "c", "content": "Qzxmarklinked"}, {"content": "Qzxmarkother"}]}},
            {"step_id": 4, "source": "system", "message": "noted",
                "observation": {"results": [{"content": "Qzxmarksystem"}]}},
            {"step_id": 5, "source": "agent", "message": "done", "observation": {"text": "Qzxmarkodd"}},
        ]}))
    };
    let set: Set = |_, cut| cut.without_tool_output = true;
    let gone = ["alone", "linked", "odd", "other", "system"];
    let session = assert_gone("without output", trajectory, set, &gone);
    assert!(everything(&page(&session)).contains("Output not included"));
}

#[test]
fn what_a_file_says_of_its_whole_session_goes_with_any_of_it() {
    let gemini = || {
        let user = |id: &str, text: &str| json!({"id": id, "type": "user", "content": text});
        parsed(
            &json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-05-02T09:00:00.000Z",
            "lastUpdated": "2026-05-02T09:00:00.000Z", "summary": "Qzxmarksummary",
            "messages": [user("m1", "first"), user("m2", "second")]}),
        )
    };
    let sts = || {
        let lines = [
            json!({"type": "session", "harness": "h", "id": "s", "name": "Qzxmarkname"}),
            json!({"role": "user", "content": "first"}),
            json!({"role": "assistant", "content": "one"}),
        ];
        leafpress::read(lines.map(|line| line.to_string()).join("\n").into_bytes()).unwrap()
    };
    let atif = || {
        parsed(&json!({"schema_version": "ATIF-v1.6", "session_id": "t", "notes": "Qzxmarknotes",
            "agent": {"name": "a", "version": "1"}, "extra": {"about": "Qzxmarkextra"},
            "steps": [{"step_id": 1, "source": "user", "message": "first"},
                {"step_id": 2, "source": "agent", "message": "one"}]}))
    };
    let to: Set = |session, cut| cut.to = session.tree().path(session.leaf()).get(1).copied();
    let branch: Set =
        |session, cut| cut.branch = session.tree().path(session.leaf()).get(1).copied();
    let last: Set = |session, cut| cut.branch = Some(session.leaf());
    let sessions: [Case; 3] = [
        ("Gemini CLI", gemini, &["summary"]),
        ("STS", sts, &["name"]),
        ("ATIF", atif, &["extra", "notes"]),
    ];
    for (name, session, gone) in sessions {
        for set in [to, branch] {
            let session = assert_gone(name, session, set, gone);
            assert!(everything(&page(&session)).contains("not included"), "{name} says so");
        }
        assert_gone(name, session, last, &[]);
        let keep: Set = |session, cut| {
            cut.to = session.tree().path(session.leaf()).get(1).copied();
            cut.keep_summaries = true;
        };
        assert_gone(name, session, keep, &[]);
    }
}
