//! The proposal with `uuid` and `parentUuid`, case L7.

use leafpress::session::EntryIndex;
use leafpress::session::{DamageKind, Format, Session};
use serde_json::{Value, json};

use crate::support::session::{fixture, ids, index, json_fixture, read_fixture, strings, texts};

const SESSION: &str = "samples/pi-proposal/session.jsonl";

fn read(lines: &[Value]) -> Session {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn header() -> Value {
    json!({"type": "session", "version": 2, "uuid": "h", "parentUuid": null, "id": "s", "cwd": "/w"})
}

fn expected_texts(expected: &Value) -> Vec<&str> {
    let messages = expected["messages"].as_array().unwrap().iter();
    messages.map(|message| message["text"].as_str().unwrap()).collect()
}

#[test]
fn l7_the_header_is_the_root_and_paths_and_contexts_agree() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/pi-proposal/EXPECTED.json");
    assert_eq!(session.format(), Format::PiProposal);
    assert_eq!(session.damage(), []);
    assert_eq!(session.id(session.leaf()).unwrap(), expected["leaf"]);
    for (leaf, key) in [("2b3c4d", "newest"), ("c5d6e7", "at c5d6e7")] {
        let path = session.tree().path(index(&session, leaf));
        assert_eq!(ids(&session, path), strings(&expected[key]["branch"]));
        assert_eq!(texts(&session, leaf), expected_texts(&expected[key]));
    }
    assert_eq!(session.header().id, "0a8e0f5c-0000-4000-8000-00000000aa01");
    assert_eq!(session.header().cwd, "/home/ana/proj");
}

#[test]
fn a_stack_summary_tells_of_the_branch_that_was_left() {
    let session = read_fixture(SESSION);
    let summary = index(&session, "901a2b");
    assert_eq!(session.entry_type(summary).unwrap(), "branch_summary");
    assert!(session.raw(summary).unwrap().contains(r#""fromId":"071829""#));
    assert_eq!(
        texts(&session, "3c4d5e"),
        ["Design the cache", "Use an LRU.", "ARC was explored and rejected.", "Stay with LRU"]
    );
}

#[test]
fn times_come_from_the_message_where_the_entry_has_none() {
    let session = read_fixture(SESSION);
    assert_eq!(session.time(EntryIndex::new(0)), None);
    assert_eq!(session.time(EntryIndex::new(1)), Some(1_773_133_201_000));
}

#[test]
fn what_is_unknown_is_kept() {
    let session = read(&[
        header(),
        json!({"type": "stack_pop", "uuid": "a", "parentUuid": "h", "backToIndex": 3, "summary": "kept"}),
        json!({"type": "stack_summary", "uuid": "b", "parentUuid": null, "summary": "top"}),
    ]);
    assert_eq!(session.entry_type(EntryIndex::new(1)).unwrap(), "custom");
    assert!(session.raw(EntryIndex::new(1)).unwrap().contains("backToIndex"));
    assert!(session.raw(EntryIndex::new(2)).unwrap().contains(r#""fromId":"root""#));
}

#[test]
fn broken_lines_are_told() {
    let session = read(&[
        header(),
        json!({"type": "message", "parentUuid": "h"}),
        json!(7),
        json!({"type": "message", "uuid": "a", "parentUuid": "gone", "message": {"role": "user", "content": "x"}}),
        json!({"type": "message", "uuid": "a", "parentUuid": "a"}),
    ]);
    let kinds: Vec<DamageKind> = session.damage().iter().map(|damage| damage.kind).collect();
    assert!(
        kinds.contains(&DamageKind::NoId) && kinds.contains(&DamageKind::NotAnObject),
        "{kinds:?}"
    );
    assert!(kinds.contains(&DamageKind::DuplicateId { earlier: 4 }), "{kinds:?}");
    assert_eq!(ids(&session, session.indices()), ["h", "a"]);
}

#[test]
fn wrong_types_anywhere_never_end_the_reading() {
    let lines: Vec<Value> = String::from_utf8(fixture(SESSION))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let fields = [
        "parentUuid",
        "type",
        "message",
        "summary",
        "firstKeptEntryUuid",
        "tokensBefore",
        "version",
        "id",
        "cwd",
    ];
    for field in fields {
        for odd in
            [json!(null), json!("x"), json!(1e300), json!([[]]), json!({"a": {}}), json!(true)]
        {
            let mut lines = lines.clone();
            for line in lines.iter_mut().filter(|line| line.get(field).is_some()) {
                if field != "type" || line["type"] != "session" {
                    line[field] = odd.clone();
                }
            }
            let session = read(&lines);
            assert_eq!(session.len(), 12, "{field}");
            for leaf in session.indices() {
                leafpress::report::context(&session, leaf).unwrap();
            }
        }
    }
}
