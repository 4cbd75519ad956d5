//! Chimera's session trees, cases L5 and L6.

use leafpress::report;
use leafpress::session::EntryIndex;
use leafpress::session::{DamageKind, Format, Session};
use serde_json::{Value, json};

use crate::support::session::{fixture, ids, index, json_fixture, read_fixture, strings};

const SESSION: &str = "samples/chimera/session.jsonl";

fn read(lines: &[Value]) -> Session {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn damage(session: &Session) -> Vec<(u32, DamageKind)> {
    session.damage().iter().map(|damage| (damage.line, damage.kind)).collect()
}

fn message(id: &str, parent: Option<&str>, message: &Value) -> Value {
    json!({"type": "message", "id": id, "parent_id": parent, "timestamp": 1.5, "message": message})
}

fn user(id: &str, parent: Option<&str>) -> Value {
    message(id, parent, &json!({"role": "user", "content": id}))
}

/// `role text` of the messages at a leaf but for the system prompt: Chimera
/// sends it beside the messages.
fn seen(session: &Session, leaf: &str) -> Vec<(String, String)> {
    let report = report::context(session, index(session, leaf)).unwrap();
    let messages = report.messages.into_iter().filter(|message| message.role != "system");
    messages.map(|message| (message.role, message.text)).collect()
}

fn expected_messages(messages: &Value) -> Vec<(String, String)> {
    let text = |message: &Value, key: &str| message[key].as_str().unwrap().to_owned();
    let messages = messages.as_array().unwrap().iter();
    messages
        .map(|message| {
            let role = text(message, "role").replace("tool", "toolResult");
            (role, text(message, "text"))
        })
        .collect()
}

#[test]
fn l5_the_tree_of_the_sample() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/chimera/EXPECTED.json");
    assert_eq!(session.format(), Format::Chimera);
    assert_eq!(json!(session.len()), expected["entries"]);
    assert_eq!(session.id(session.leaf()).unwrap(), expected["activeLeaf"]);
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path), strings(&expected["branch"]));
    let mut leaves = ids(&session, session.tree().leaves());
    leaves.sort_unstable();
    assert_eq!(leaves, strings(&expected["leaves"]));
    let forks = session.indices().filter(|&entry| session.tree().children(entry).len() > 1);
    assert_eq!(ids(&session, forks), strings(&expected["branchPoints"]));
    let expected = [(11, DamageKind::NotJson), (12, DamageKind::NotUnderstood)];
    assert_eq!(damage(&session), expected);
    assert_eq!(session.header().cwd, "/home/ana/proj");
    assert_eq!(session.time(EntryIndex::new(1)), Some(1_773_133_201_250));
}

#[test]
fn l5_contexts() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/chimera/EXPECTED.json");
    assert_eq!(seen(&session, "1a00000000ab"), expected_messages(&expected["messages"]));
}

#[test]
fn l5_a_compaction_stands_in_its_place_and_drops_nothing() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/chimera/EXPECTED.json");
    let expected: Vec<String> = expected_messages(&expected["messages at 1a00000000a8"])
        .into_iter()
        .map(|(_, text)| {
            text.replace("[Session compacted. Summary: a.py prints 1]", "a.py prints 1")
        })
        .collect();
    let seen: Vec<String> =
        seen(&session, "1a00000000a8").into_iter().map(|(_, text)| text).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_compaction_says_that_it_is_one_in_place() {
    let session = read_fixture(SESSION);
    let raw = session.raw(index(&session, "1a00000000a7")).unwrap();
    assert!(raw.contains(r#""inPlace":true"#) && raw.contains(r#""readFiles":["a.py"]"#), "{raw}");
}

#[test]
fn the_header_is_an_entry_that_shows_the_system_prompt() {
    let session = read_fixture(SESSION);
    let report = report::context(&session, EntryIndex::new(0)).unwrap();
    assert_eq!(report.messages[0].text, "You are a careful engineer.");
    let bare = read(&[
        json!({"type": "header", "id": "h", "parent_id": null, "cwd": "/x"}),
        user("a", Some("h")),
    ]);
    assert_eq!(ids(&bare, bare.indices()), ["h", "a"]);
    assert_eq!(bare.entry_type(EntryIndex::new(0)).unwrap(), "custom");
}

#[test]
fn a_tool_message_answers_its_call() {
    let session = read_fixture(SESSION);
    let tree = report::tree(&session, session.leaf(), leafpress::Filter::All, None).unwrap();
    assert!(tree.rows.iter().any(|row| row.text.starts_with("read_file ")), "{tree:?}");
}

#[test]
fn labels_are_applied_and_it_is_told_that_chimera_does_not() {
    let session = read_fixture(SESSION);
    assert_eq!(session.label(index(&session, "1a00000000a4")).unwrap().text, "answer");
    assert!(session.notes()[0].starts_with("1 label shown here. "));
}

#[test]
fn state_changes_and_unknown_types() {
    let state = |id: &str, kind: Value, value: Value| json!({"type": "state_change", "id": id, "parent_id": "a", "timestamp": 2, "kind": kind, "value": value});
    let session = read(&[
        user("a", None),
        state("b", json!("model"), json!("zai/glm-5")),
        state("c", json!("thinking"), json!("high")),
        state("d", json!("mood"), json!("good")),
        state("e", json!("model"), json!({"odd": 1})),
        json!({"type": "bookmark", "id": "f", "parent_id": "a", "data": {"note": "kept"}}),
    ]);
    let types: Vec<&str> =
        session.indices().map(|entry| session.entry_type(entry).unwrap()).collect();
    assert_eq!(
        types,
        ["message", "model_change", "thinking_level_change", "custom", "custom", "custom"]
    );
    let at_b = report::context(&session, index(&session, "b")).unwrap();
    assert_eq!(at_b.model.unwrap().model_id, "glm-5");
    assert!(session.raw(index(&session, "e")).unwrap().contains("odd"));
    assert!(session.raw(index(&session, "f")).unwrap().contains("kept"));
}

#[test]
fn l6_lines_without_what_they_need_are_damage_and_their_children_roots() {
    let session = read(&[
        user("a", None),
        json!({"id": "b", "parent_id": "a"}),
        json!({"type": "message", "parent_id": "a", "message": {"role": "user"}}),
        message("c", Some("a"), &json!({"content": "no role"})),
        json!({"type": "message", "id": "d", "parent_id": "a"}),
        user("e", Some("c")),
        json!([1]),
    ]);
    assert_eq!(ids(&session, session.indices()), ["a", "e"]);
    assert_eq!(ids(&session, session.tree().roots()), ["a", "e"]);
    assert_eq!(
        damage(&session),
        [
            (2, DamageKind::Incomplete),
            (3, DamageKind::NoId),
            (4, DamageKind::Incomplete),
            (5, DamageKind::Incomplete),
            (6, DamageKind::MissingParent),
            (7, DamageKind::NotAnObject),
        ]
    );
}

#[test]
fn missing_parents_and_times_are_roots_and_no_times() {
    let session = read(&[
        user("a", None),
        json!({"type": "message", "id": "b", "message": {"role": "user", "content": "x"}}),
    ]);
    assert_eq!(ids(&session, session.tree().roots()), ["a", "b"]);
    assert_eq!(session.time(EntryIndex::new(1)), None);
    assert_eq!(session.damage(), []);
}

#[test]
fn wrong_types_anywhere_never_end_the_reading() {
    let source = String::from_utf8(fixture(SESSION)).unwrap();
    let lines: Vec<Value> =
        source.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let fields = [
        "parent_id",
        "timestamp",
        "message",
        "kind",
        "value",
        "summary",
        "target_id",
        "label",
        "read_files",
        "first_kept_entry_id",
        "tokens_before",
        "system_prompt",
        "cwd",
        "data",
    ];
    for field in fields {
        for odd in
            [json!(null), json!("x"), json!(1e300), json!([[]]), json!({"a": {}}), json!(true)]
        {
            let mut lines = lines.clone();
            for line in lines.iter_mut().skip(1).filter(|line| line.get(field).is_some()) {
                line[field] = odd.clone();
            }
            let session = read(&lines);
            for leaf in session.indices() {
                report::context(&session, leaf).unwrap();
            }
        }
    }
    for field in ["content", "tool_calls", "call_id"] {
        for odd in [json!(null), json!(3), json!([[], 3, {"id": 4}]), json!({"a": {}}), json!(true)]
        {
            let mut lines = lines.clone();
            for line in lines.iter_mut().filter(|line| line["type"] == "message") {
                line["message"][field] = odd.clone();
            }
            let session = read(&lines);
            assert_eq!(session.len(), 12, "{field}");
            report::context(&session, session.leaf()).unwrap();
        }
    }
}

#[test]
fn circles_and_ids_used_twice_are_told() {
    let session =
        read(&[user("a", Some("b")), user("b", Some("a")), user("c", None), user("c", None)]);
    let kinds: Vec<DamageKind> = damage(&session).into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds, [DamageKind::Cycle, DamageKind::DuplicateId { earlier: 3 }]);
}
