//! Trajectories in ATIF, Harbor's format.

use std::path::PathBuf;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, joined_text};
use leafpress::session::{Body, DamageKind, Format, Kind};
use serde_json::{Value, json};

use crate::support::session::{
    assistant, fixture, ids, index, pointers, read_fixture, tool_result,
};

const TRAJECTORY: &str = "samples/atif/trajectory.json";

/// With the files beside it.
fn read_in_place(name: &str) -> Session {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let options = ReadOptions::new().session(path);
    read_with(fixture(name), None, &options).unwrap()
}

/// A trajectory of these steps.
fn read(steps: &Value, more: &Value) -> Session {
    let mut whole = json!({"schema_version": "ATIF-v1.4", "session_id": "s",
        "agent": {"name": "bot", "version": "1", "model_name": "m"}, "steps": steps});
    for (key, value) in more.as_object().unwrap() {
        whole[key] = value.clone();
    }
    leafpress::read(whole.to_string().into_bytes()).unwrap()
}

fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    session
        .own_indices()
        .map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body)))
        .collect()
}

#[test]
fn a_trajectory_is_a_chain_of_its_steps() {
    let session = read_fixture(TRAJECTORY);
    assert_eq!(session.format(), Format::Atif);
    assert_eq!(session.header().id, "run-1");
    assert_eq!(
        kinds(&session),
        [
            ("trajectory", Kind::Custom),
            ("step-1", Kind::System),
            ("step-2", Kind::User),
            ("step-2-rest", Kind::Custom),
            ("step-3", Kind::Assistant),
            ("step-3-rest", Kind::Custom),
            ("step-4", Kind::User),
            ("step-5-effort", Kind::ThinkingChange),
            ("step-5", Kind::Assistant),
            ("step-5-result-1", Kind::ToolResult),
            ("step-5-result-2", Kind::ToolResult),
            ("step-5-result-3", Kind::ToolResult),
            ("step-5-result-4", Kind::ToolResult),
            ("step-5-result-5", Kind::CustomMessage),
            ("step-5-rest", Kind::Custom),
            ("step-6", Kind::Assistant),
            ("step-6-rest", Kind::Custom),
        ]
    );
    assert_eq!(ids(&session, session.tree().path(session.leaf())).len(), session.own_len());
    assert!(session.damage().is_empty(), "{:?}", session.damage());
}

#[test]
fn steps_have_their_thoughts_calls_results_and_tokens() {
    let session = read_fixture(TRAJECTORY);
    let answer = assistant(&session, "step-5");
    assert!(matches!(&answer.content[0], Block::Thinking(text) if text == "First the files."));
    assert_eq!(answer.calls().count(), 4);
    assert_eq!(answer.model.as_ref().map(|model| model.id.as_ref()), Some("demo-9b"));
    let usage = answer.usage.unwrap();
    assert_eq!(
        [usage.input, usage.output, usage.cache_read, usage.cost].map(|count| count.to_string()),
        ["600", "50", "400", "0.25"]
    );
    let shell = tool_result(&session, "step-5-result-1");
    assert_eq!((shell.name.as_deref(), shell.is_error), (Some("shell"), true));
    assert_eq!(shell.duration_ms, Some(1500.0));
    assert_eq!(joined_text(&tool_result(&session, "step-5-result-3").content, ""), "Asked.");
    let rest = session.entry(index(&session, "step-5-rest")).unwrap().raw;
    for word in ["\"reward\":0.5", "\"reasoning_tokens\":20", "\"status\":\"failed\""] {
        assert!(rest.contains(word), "{rest}");
    }
    assert!(assistant(&session, "step-6").model.is_none(), "no model was called");
}

#[test]
fn steps_copied_from_before_are_marked_and_not_counted() {
    let session = read_fixture(TRAJECTORY);
    let label = session.label(index(&session, "step-2")).unwrap();
    assert_eq!(label.text, "copied from the trajectory before");
    assert!(session.label(index(&session, "step-3")).is_none());
    assert!(assistant(&session, "step-3").usage.is_none());
    for words in [
        "2 steps copied",
        "Recorded by harbor-bot 1.2.0",
        "Made by hand",
        "60 completion tokens, the steps add up to 50",
    ] {
        assert!(
            session.notes().iter().any(|note| note.contains(words)),
            "{words}: {:?}",
            session.notes()
        );
    }
}

#[test]
fn images_come_from_beside_the_file_alone() {
    let session = read_in_place(TRAJECTORY);
    let Body::Message(message) = session.entry(index(&session, "step-4")).unwrap().body else {
        panic!()
    };
    let [_, dot, gone, outside, remote] = message.content() else { panic!("{message:?}") };
    assert!(matches!(dot, Block::Image { mime_type, .. } if mime_type == "image/png"));
    for (block, words) in [(gone, "not found"), (outside, "outside"), (remote, "not included")] {
        assert!(matches!(block, Block::NotShown(text) if text.contains(words)), "{block:?}");
    }
    let alone = read_fixture(TRAJECTORY);
    let Body::Message(message) = alone.entry(index(&alone, "step-4")).unwrap().body else {
        panic!()
    };
    assert!(
        matches!(&message.content()[1], Block::NotShown(text) if text.contains("without a place"))
    );
}

/// What is named as an image or as a trajectory is one: no other file of the person's enters the session.
#[test]
fn private_files_are_not_pulled_in() {
    const SECRET: &str = concat!("TIDE_KEY=", "k3strel");
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let dot = fixture("samples/atif/images/dot.png");
    for name in ["notes.txt", "a.png", ".env", ".ssh/id_ed25519", "real/x.txt"] {
        write(name, SECRET.as_bytes());
    }
    for name in [".hidden.png", ".git/dot.png", "a/.b/dot.png", "real/dot.png"] {
        write(name, &dot);
    }
    write("credentials.json", &json!({"token": SECRET}).to_string().into_bytes());
    let mut expected = vec![
        ("notes.txt", "not included: not an image"),
        ("a.png", "not included: not an image"),
        (".env", "begins with a dot"),
        ("./.env", "begins with a dot"),
        (".ssh/id_ed25519", "begins with a dot"),
        (".hidden.png", "begins with a dot"),
        (".git/dot.png", "begins with a dot"),
        ("a/.b/dot.png", "begins with a dot"),
        ("a/../real/dot.png", "outside"),
        ("real\\dot.png", "outside"),
        ("C:dot.png", "outside"),
        ("/etc/hostname", "outside"),
        ("file:real/dot.png", "outside"),
        ("file:///etc/hostname", "not included"),
        ("real", "outside"),
        ("real/dot.png", ""),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        for (target, link) in [
            ("real/dot.png", "link.png"),
            (".env", "env.png"),
            ("real", "linked"),
            (".ssh", "keys"),
        ] {
            symlink(target, folder.path().join(link)).unwrap();
        }
        let link = "symbolic link";
        expected.extend([("link.png", link), ("env.png", link)]);
        expected.extend([("linked/dot.png", link), ("keys/id_ed25519", link)]);
    }
    let image = |(path, _): &(&str, &str)| json!({"type": "image", "source": {"media_type": "image/png", "path": path}});
    let images: Vec<Value> = expected.iter().map(image).collect();
    let named = ["credentials.json", ".env", "notes.txt"];
    let refs = named.map(|path| json!({"trajectory_path": path}));
    let whole = json!({"schema_version": "ATIF-v1.6", "session_id": "s",
        "agent": {"name": "bot", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": images},
            {"step_id": 2, "source": "agent", "message": "x",
             "tool_calls": [{"tool_call_id": "c", "function_name": "f", "arguments": {}}],
             "observation": {"results": [{"source_call_id": "c", "content": "y", "subagent_trajectory_ref": refs}]}}]});
    write("t.json", whole.to_string().as_bytes());
    let options = ReadOptions::new().session(folder.path().join("t.json"));
    let session = read_with(whole.to_string().into_bytes(), None, &options).unwrap();
    let Body::Message(message) = session.entry(index(&session, "step-1")).unwrap().body else {
        panic!()
    };
    assert_eq!(message.content().len(), expected.len());
    for (block, (path, words)) in message.content().iter().zip(&expected) {
        match block {
            Block::Image { .. } => assert_eq!(*words, "", "{path}"),
            Block::NotShown(text) => {
                assert!(!words.is_empty() && text.contains(words), "{path}: {text}");
                assert!(text.contains(path), "{text}");
            }
            _ => panic!("{block:?}"),
        }
    }
    let reasons: Vec<&str> =
        session.sub_sessions().iter().filter_map(|child| child.missing.as_deref()).collect();
    assert_eq!(
        reasons,
        [
            "`credentials.json`: not a trajectory",
            "`.env`: refused: a name that begins with a dot",
            "`notes.txt`: not a trajectory",
        ]
    );
    let mut page = Vec::new();
    leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
    let found = leafpress::extract::Page::find(&page).unwrap();
    let mut files = vec![found.session_file().unwrap()];
    files.extend(found.child_files().unwrap().into_iter().map(|file| file.bytes));
    for bytes in files.iter().chain([&page]) {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("k3strel") && !text.contains("VElERV9LRVk9azNzdHJlbA"));
    }
}

#[test]
fn trajectories_within_and_beside_are_children() {
    let session = read_in_place(TRAJECTORY);
    let children: Vec<(&str, &str, &str, bool)> = session
        .sub_sessions()
        .iter()
        .map(|child| {
            (
                child.key.as_str(),
                child.name(),
                session.id(child.started_by).unwrap(),
                child.missing.is_some(),
            )
        })
        .collect();
    assert_eq!(
        children,
        [
            ("charts", "chart-reader", "step-5-result-2", false),
            ("keeper", "keeper", "step-5-result-3", false),
            ("nobody", "delegate", "step-5-result-4", true),
            ("next", "later", "step-6-rest", false),
            ("keeper/trajectory", "trajectory", "step-2", true),
            ("next/trajectory", "trajectory", "step-2", true),
        ]
    );
    assert_eq!(session.sub_sessions()[0].task.as_deref(), Some("Read the charts"));
    assert!(session.sub_sessions()[4].missing.as_ref().unwrap().contains("outside"));
    assert!(
        session.sub_sessions()[5].missing.as_ref().unwrap().contains("shown elsewhere"),
        "a circle"
    );
}

#[test]
fn totals_count_where_the_steps_say_nothing() {
    let steps = json!([{"step_id": 1, "source": "user", "message": "hi"}]);
    let session = read(
        &steps,
        &json!({"final_metrics": {"total_prompt_tokens": 9, "total_cached_tokens": 4}}),
    );
    let usage = session.entry(index(&session, "final-metrics")).unwrap().usage().unwrap();
    assert_eq!([usage.input, usage.cache_read].map(|count| count.to_string()), ["5", "4"]);
    assert_eq!(session.id(session.leaf()).unwrap(), "step-1");
}

#[test]
fn results_without_a_call_and_odd_steps_are_shown() {
    let session = read(
        &json!([
            {"step_id": 1, "source": "agent", "message": "", "tool_calls": [{"tool_call_id": "c", "function_name": "check", "arguments": ["fast"]}],
             "observation": {"results": [{"content": "ok"}]}},
            {"step_id": 1, "source": "system", "message": "reset", "observation": {"results": [{"content": "done"}]}},
            {"source": "sea", "message": "?"},
            7
        ]),
        &json!({}),
    );
    assert_eq!(tool_result(&session, "step-1-result-1").call_id, "c", "there is no other");
    assert!(session.find("step-number-2-result-1").is_some(), "an id used twice");
    assert_eq!(kinds(&session).last(), Some(&("step-number-3", Kind::Custom)));
    let kinds: Vec<DamageKind> = session.damage().iter().map(|damage| damage.kind).collect();
    assert_eq!(kinds, [DamageKind::NotAnObject, DamageKind::NotUnderstood]);
}

#[test]
fn a_torn_trajectory_gives_all_before() {
    let text = String::from_utf8(fixture(TRAJECTORY)).unwrap();
    let end = text.find("\"step_id\": 6").unwrap();
    let session = leafpress::read(text.as_bytes()[..end].to_vec()).unwrap();
    assert_eq!(session.format(), Format::Atif);
    assert!(session.find("step-5-rest").is_some());
    assert_eq!(session.damage().len(), 1, "{:?}", session.damage());
}

#[test]
fn deep_nests_end() {
    let level =
        |n: u32| json!({"steps": [{"source": "user", "message": n}], "agent": {"name": "a"}});
    let mut whole = level(0);
    for n in 1..60 {
        let mut around = level(n);
        around["subagent_trajectories"] = json!([whole]);
        whole = around;
    }
    whole["schema_version"] = json!("ATIF-v1.7");
    let session = leafpress::read(whole.to_string().into_bytes()).unwrap();
    assert_eq!(session.sub_sessions().len(), 33);
    assert!(session.sub_sessions()[32].missing.is_some());
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    let text = String::from_utf8(fixture(TRAJECTORY)).unwrap();
    let read =
        |text: String| read_with(text.into_bytes(), Some(Format::Atif), &ReadOptions::default());
    for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
        let _ = read(text[..end].to_owned());
    }
    let whole: Value = serde_json::from_str(&text).unwrap();
    for pointer in pointers(&whole, "") {
        for value in ["null", "7", "\"x\"", "[1,\"a\"]", "{\"a\":1}", "true", "1e300"] {
            let mut whole = whole.clone();
            *whole.pointer_mut(&pointer).unwrap() = serde_json::from_str(value).unwrap();
            let Ok(session) = read(whole.to_string()) else { continue };
            for entry in session.indices() {
                session.entry(entry).unwrap();
            }
        }
    }
}
