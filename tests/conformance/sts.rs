//! Hugging Face's session traces and llama.app's exports.

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::EntryIndex;
use leafpress::session::message::Block;
use leafpress::session::{Body, Format, Kind};
use leafpress::{ReadError, Session};
use serde_json::{Value, json};

use crate::support::session::{
    assistant, fixture, ids, index, kinds, pointers, read_fixture, seen, tool_result,
};

fn read(lines: &[Value]) -> Session {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn header(id: &str, modified: u64) -> Value {
    json!({"type": "session", "harness": "llama.app", "id": id, "name": id, "lastModified": modified})
}

fn message(fields: &Value) -> Value {
    json!({"type": "message", "message": fields})
}

#[test]
fn a_plain_file_is_a_list_with_calls_and_results() {
    let session = read_fixture("samples/sts/plain.jsonl");
    assert_eq!(session.format(), Format::Sts);
    assert_eq!(session.title(), Some("When is low tide?"));
    assert_eq!(session.header().id, "tide-1");
    assert_eq!(
        kinds(&session),
        [
            ("line-1", Kind::Custom),
            ("line-2", Kind::System),
            ("line-3", Kind::User),
            ("line-4", Kind::Assistant),
            ("line-5", Kind::ToolResult),
            ("line-6", Kind::ToolResult),
            ("line-7", Kind::Assistant),
            ("line-8", Kind::Custom),
        ]
    );
    let answer = assistant(&session, "line-4");
    assert!(matches!(&answer.content[0], Block::Thinking(text) if text == "The table knows."));
    let calls: Vec<_> = answer.calls().collect();
    assert_eq!((calls[0].id.as_ref(), calls[0].name.as_ref()), ("t1", "bash"));
    assert_eq!(calls[0].arguments.compact(), r#"{"command":"cat tides.csv"}"#);
    assert_eq!(calls[1].arguments.compact(), r#"{"input":"lamp"}"#);
    let result = tool_result(&session, "line-5");
    assert_eq!((result.name.as_deref(), result.is_error), (Some("bash"), false));
    assert_eq!(tool_result(&session, "line-6").call_id, calls[1].id, "a call without an id");
    assert_eq!(session.id(session.leaf()).unwrap(), "line-7");
    assert_eq!(ids(&session, session.tree().path(session.leaf())).len(), 7);
    assert!(session.notes().iter().any(|note| note == "Recorded by harbor-bot"));
}

#[test]
fn llama_app_s_tree_stands_within_the_messages() {
    let session = read_fixture("samples/sts/llama-app.jsonl");
    assert_eq!(session.title(), Some("Lamps and tides"));
    assert_eq!(session.header().parent_session.as_deref(), Some("0000-old"));
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path), ["line-1", "sys", "u1", "a2", "t1", "t2", "a3"]);
    assert_eq!(ids(&session, session.tree().leaves()), ["a1", "a3", "a4"]);
    assert_eq!(session.find("root"), session.find("line-1"), "the root is empty");
    assert_eq!(
        seen(&session, "a4").len(),
        2,
        "a summary and a response: {:?}",
        seen(&session, "a4")
    );
}

#[test]
fn attachments_are_images_and_texts() {
    let session = read_fixture("samples/sts/llama-app.jsonl");
    let Body::Message(message) = session.entry(index(&session, "u1")).unwrap().body else {
        panic!()
    };
    let [question, image, text, audio, other] = message.content() else { panic!("{message:?}") };
    assert_eq!(question, &Block::Text("What is in the picture?".into()));
    assert!(matches!(image, Block::Image { mime_type, .. } if mime_type == "image/png"));
    assert_eq!(text, &Block::Text("\n\nAttached file `tides.csv`:\n\n```\n04:12,low\n```".into()));
    assert!(matches!(audio, Block::Text(words) if words.contains("gulls.wav")));
    assert!(matches!(other, Block::Other(_)));
}

#[test]
fn a_turn_repeats_its_figures_and_they_count_once() {
    let session = read_fixture("samples/sts/llama-app.jsonl");
    let tokens = |id: &str| {
        let usage = assistant(&session, id).usage.unwrap();
        [usage.input, usage.output, usage.cache_read].map(|count| count.to_string())
    };
    assert_eq!(tokens("a1"), ["20", "4", "5"]);
    assert_eq!(tokens("a2"), ["90", "9", "0"]);
    assert_eq!(tokens("a3"), ["7", "30", "100"]);
    assert_eq!(assistant(&session, "a1").duration_ms, Some(51.0));
    let (read, shell) = (tool_result(&session, "t1"), tool_result(&session, "t2"));
    assert_eq!((read.is_error, read.duration_ms), (true, Some(3.0)));
    assert_eq!((shell.is_error, shell.duration_ms), (false, Some(42.0)));
}

#[test]
fn without_figures_of_each_response_they_are_what_was_added() {
    let response = |id: &str, parent: &str, prompt: u32, predicted: u32| {
        message(&json!({"role": "assistant", "id": id, "parent": parent, "content": id, "timings":
            {"prompt_n": 1, "predicted_n": 1, "agentic": {"llm": {"prompt_n": prompt, "predicted_n": predicted}}}}))
    };
    let session = read(&[
        header("s", 1),
        message(&json!({"role": "user", "id": "u", "parent": null, "content": "go"})),
        response("a", "u", 10, 2),
        response("b", "a", 15, 6),
        response("c", "b", 15, 6),
    ]);
    let sums =
        ["a", "b", "c"].map(|id| assistant(&session, id).usage.unwrap().tokens().to_string());
    assert_eq!(sums, ["12", "9", "0"]);
}

#[test]
fn further_sessions_are_roots_and_the_newest_is_open() {
    let user = |id: &str, parent: Option<&str>| {
        message(&json!({"role": "user", "id": id, "parent": parent, "content": id}))
    };
    let session = read(&[
        header("one", 1),
        user("a", None),
        header("two", 3),
        user("a", None),
        user("b", Some("a")),
        header("three", 2),
        user("c", Some("not in the file")),
        user("d", Some("gone")),
    ]);
    assert_eq!(session.title(), Some("two"));
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path), ["line-3", "a~line-4", "b"]);
    assert_eq!(ids(&session, session.tree().roots()), ["line-1", "line-3", "line-6", "d"]);
    let label = session.label(index(&session, "line-6")).unwrap();
    assert_eq!(label.text, "three");
    assert_eq!(session.damage().len(), 1, "only of `d`: {:?}", session.damage());
    assert!(
        session.notes().iter().any(|note| note.contains("3 sessions")),
        "{:?}",
        session.notes()
    );
}

#[test]
fn old_exports_are_read() {
    let session = read_fixture("samples/sts/old-exports.json");
    assert_eq!(session.format(), Format::Sts);
    assert_eq!(session.title(), Some("Lamps and tides"));
    assert_eq!(ids(&session, session.tree().roots()).len(), 2);
    assert_eq!(assistant(&session, "a2").calls().count(), 2, "calls as a text");
    let thought = &assistant(&session, "a1").content[0];
    assert!(matches!(thought, Block::Thinking(text) if text == "One pixel."));
    // One alone, torn in its last message.
    let text = String::from_utf8(fixture("samples/sts/old-exports.json")).unwrap();
    let one = &text[text.find('{').unwrap()..text.find("\"a2\",\n").unwrap()];
    let session = leafpress::read(one.as_bytes().to_vec()).unwrap();
    assert_eq!(session.format(), Format::Sts);
    assert!(session.find("a1").is_some());
    assert_eq!(session.damage().len(), 1, "{:?}", session.damage());
}

#[test]
fn a_leaf_that_is_not_there_is_the_newest_message() {
    for current in ["", "gone", "root"] {
        let text = String::from_utf8(fixture("samples/sts/llama-app.jsonl")).unwrap();
        let text = text.replace("\"currNode\":\"a3\"", &format!("\"currNode\":\"{current}\""));
        let session = leafpress::read(text.into_bytes()).unwrap();
        assert_eq!(session.id(session.leaf()).unwrap(), "a4", "{current}");
    }
}

#[test]
fn pi_files_with_a_harness_stay_pi_s() {
    let pi = |header: Value| {
        read(&[
            header,
            json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": "hi"}}),
        ])
    };
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w", "harness": "x"});
    assert_eq!(pi(header).format(), Format::Pi);
    assert_eq!(pi(json!({"type": "session", "id": "s", "harness": "x"})).format(), Format::Pi);
}

#[test]
fn an_archive_is_refused() {
    let read = leafpress::read(b"PK\x03\x04rest".to_vec());
    assert_eq!(read.unwrap_err(), ReadError::Zip);
}

#[test]
fn circles_and_repeated_ids_end() {
    let user = |id: &str, parent: &str| {
        message(
            &json!({"role": "assistant", "id": id, "parent": parent, "content": id, "timings": {"predicted_n": 1}}),
        )
    };
    let session =
        read(&[header("s", 1), user("a", "b"), user("b", "a"), user("c", "c"), user("a", "c")]);
    assert_eq!(session.len(), 4);
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    for name in ["plain.jsonl", "llama-app.jsonl"] {
        let text = String::from_utf8(fixture(&format!("samples/sts/{name}"))).unwrap();
        let read =
            |text: String| read_with(text.into_bytes(), Some(Format::Sts), &ReadOptions::default());
        for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
            let _ = read(text[..end].to_owned());
        }
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let line: Value = serde_json::from_str(lines[at]).unwrap();
            for pointer in pointers(&line, "") {
                for value in ["null", "7", "\"x\"", "[1,\"a\"]", "{\"a\":1}", "true", "1e300"] {
                    let mut line = line.clone();
                    *line.pointer_mut(&pointer).unwrap() = serde_json::from_str(value).unwrap();
                    let mut broken: Vec<String> = lines.iter().map(ToString::to_string).collect();
                    broken[at] = line.to_string();
                    let session = read(broken.join("\n")).unwrap();
                    for entry in session.indices() {
                        session.entry(entry).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn many_sessions_in_a_file_are_read_in_linear_time() {
    // Each header once looked at all sessions, and at all programs that recorded one.
    let count = 20_000;
    let lines = (0..count).flat_map(|nth| {
        let own =
            json!({"id": format!("m{nth}"), "role": "user", "content": "x", "timestamp": nth});
        let mut about = header(&format!("s{nth}"), 0);
        about["harness"] = json!(format!("recorder {nth}"));
        about.as_object_mut().unwrap().remove("lastModified");
        [about, message(&own)]
    });
    let session = read(&lines.collect::<Vec<_>>());
    assert_eq!(session.len(), 2 * count);
    assert_eq!(session.header().id, format!("s{}", count - 1), "the newest one is open");
    let recorded = session.notes().iter().find(|note| note.starts_with("Recorded by")).unwrap();
    assert!(recorded.ends_with("recorder 7 and 19992 more"), "{recorded}");
}

#[test]
fn many_roots_ahead_of_messages_without_parents_are_read_in_linear_time() {
    let count = 20_000;
    let root = json!({"role": "system", "type": "root", "content": "", "parent": null});
    let lost = json!({"role": "user", "content": "x", "parent": "gone"});
    let mut lines = vec![header("s", 1)];
    lines.extend(std::iter::repeat_n(message(&root), count));
    lines.extend(std::iter::repeat_n(message(&lost), count));
    let session = read(&lines);
    assert_eq!(session.len(), 1 + count);
    let parent = |at: usize| session.tree().parent(EntryIndex::new(at));
    assert_eq!(parent(1), Some(EntryIndex::new(0)), "the first one hangs from the header");
    assert_eq!(parent(2), None);
}
