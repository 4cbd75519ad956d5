//! pi's harness store, cases L12 and L13.

use leafpress::session::EntryIndex;
use leafpress::session::context::Facts;
use leafpress::session::{DamageKind, Format, Session};
use serde_json::{Value, json};

use crate::support::session::{ids, read_fixture, texts};

fn read(lines: &[Value]) -> Session {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn header_v3() -> Value {
    json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"})
}

fn header_v4() -> Value {
    json!({"kind": "header", "version": 4, "id": "s", "createdAt": 1, "cwd": "/w"})
}

fn entry(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:01.000Z",
        "message": {"role": "user", "content": id}})
}

fn entry_v4(seq: u32, id: &str, parent: Option<&str>) -> Value {
    json!({"kind": "entry", "seq": seq, "type": "message", "id": id, "parentId": parent, "timestamp": seq,
        "message": {"role": "user", "content": id}})
}

fn leaf(id: &str, target: Option<&str>) -> Value {
    json!({"type": "leaf", "id": id, "parentId": null, "targetId": target})
}

#[test]
fn l12_a_leaf_line_moves_the_leaf_and_is_no_entry() {
    let session = read_fixture("samples/pi-harness/v3-leaf.jsonl");
    assert_eq!(session.format(), Format::PiHarness);
    assert_eq!(session.damage(), []);
    assert_eq!(session.id(session.leaf()).unwrap(), "5d000005");
    assert_eq!(session.label(session.leaf()).unwrap().text, "A");
    assert_eq!(session.len(), 8);
    assert_eq!(texts(&session, "5d000005"), ["hello", "hi", "path A", "A done"]);
    assert!(session.notes()[0].contains("2 `leaf` lines"));
    assert_eq!(session.header().cwd, "/srv/app");
}

#[test]
fn an_entry_after_a_leaf_line_is_the_leaf_again() {
    let session = read(&[
        header_v3(),
        entry("a", None),
        entry("b", Some("a")),
        leaf("l", Some("a")),
        entry("c", Some("a")),
    ]);
    assert_eq!(session.id(session.leaf()).unwrap(), "c");
}

#[test]
fn what_hangs_from_a_leaf_line_hangs_from_where_it_leads() {
    let session = read(&[
        header_v3(),
        entry("a", None),
        entry("b", Some("a")),
        leaf("l", Some("a")),
        leaf("m", Some("l")),
        entry("c", Some("m")),
    ]);
    assert_eq!(ids(&session, session.tree().path(session.leaf())), ["a", "c"]);
    assert_eq!(session.find("l"), session.find("a"));
    assert_eq!(session.damage(), []);
}

#[test]
fn a_leaf_line_deep_in_the_file_is_found_and_one_within_arguments_is_none() {
    let mut lines = vec![header_v3()];
    lines.extend((0..60).map(|n| entry(&n.to_string(), None)));
    let mut with_text = lines.clone();
    with_text.push(json!({"type": "custom", "id": "x", "parentId": null, "customType": "t",
        "data": {"type": "leaf", "targetId": "0"}}));
    assert_eq!(read(&with_text).format(), Format::Pi);
    lines.push(leaf("l", Some("7")));
    let session = read(&lines);
    assert_eq!(session.format(), Format::PiHarness);
    assert_eq!(session.id(session.leaf()).unwrap(), "7");
}

#[test]
fn a_leaf_before_everything_is_told() {
    let session = read(&[header_v3(), entry("a", None), entry("b", None), leaf("l", None)]);
    let told = "before its first entry: its last entry stands in";
    assert!(session.notes()[0].ends_with(told), "{:?}", session.notes());
    assert_eq!(session.id(session.leaf()).unwrap(), "b");
}

#[test]
fn labels_are_trimmed() {
    let session = read(&[
        header_v3(),
        entry("a", None),
        leaf("l", Some("a")),
        json!({"type": "label", "id": "b", "parentId": "a", "targetId": "a", "label": "  start "}),
    ]);
    assert_eq!(session.label(EntryIndex::new(0)).unwrap().text, "start");
}

#[test]
fn l13_lanes_facts_and_records() {
    let session = read_fixture("samples/pi-harness/v4-lanes.jsonl");
    assert_eq!(session.format(), Format::PiHarness);
    assert_eq!(session.damage(), []);
    assert_eq!(session.id(session.leaf()).unwrap(), "6e000005");
    assert_eq!(
        ids(&session, session.indices()),
        ["6e000001", "6e000002", "6e000003", "6e000004", "6e000005"]
    );
    assert_eq!(session.title(), Some("greeting"));
    assert!(session.indices().all(|entry| session.label(entry).is_none()));
    assert_eq!(texts(&session, "6e000005"), ["greeted", "hi", "bye"]);
    assert_eq!(session.time(EntryIndex::new(0)), Some(1_773_133_201_000));
    assert_eq!(session.header().version, 4);
    assert_eq!(
        session.header().parent_session.as_deref(),
        Some("019a8f3e-7c10-7b3a-9e0f-000000000001")
    );
    let notes = session.notes().join("\n");
    assert!(notes.contains("1 lane beside `main`: `side` is at 6e000003"), "{notes}");
    assert!(notes.contains("operation_finished 1, operation_started 1"), "{notes}");
}

#[test]
fn a_lane_line_says_where_the_main_lane_stands() {
    let lane = json!({"kind": "lane", "seq": 3, "lane": "main", "leafId": "a"});
    let session = read(&[header_v4(), entry_v4(1, "a", None), entry_v4(2, "b", Some("a")), lane]);
    assert_eq!(session.id(session.leaf()).unwrap(), "a");
}

#[test]
fn label_facts_are_labels_without_rows() {
    let fact = |seq: u32, target: &str, label: Value| json!({"kind": "fact", "seq": seq, "fact": "label", "targetId": target, "label": label, "timestamp": 5});
    let session = read(&[
        header_v4(),
        entry_v4(1, "a", None),
        entry_v4(2, "b", Some("a")),
        fact(3, "a", json!(" one ")),
        fact(4, "b", json!("two")),
        fact(5, "b", json!("")),
        fact(6, "gone", json!("x")),
    ]);
    assert_eq!(session.len(), 2);
    let label = session.label(EntryIndex::new(0)).unwrap();
    assert_eq!((label.text.as_str(), label.time), ("one", Some(5)));
    assert_eq!(session.label(EntryIndex::new(1)), None);
}

#[test]
fn broken_lines_are_told() {
    let session = read(&[
        header_v4(),
        header_v4(),
        entry_v4(2, "a", None),
        json!({"kind": "entry", "seq": 1, "type": "message"}),
        json!({"kind": "lane", "seq": 3, "lane": "x"}),
        json!({"kind": "fact", "seq": 4, "fact": "label"}),
        json!({"kind": "fact", "seq": 5, "fact": "mood"}),
        json!({"kind": "record", "seq": 6}),
        json!("text"),
    ]);
    let damage: Vec<(u32, DamageKind)> =
        session.damage().iter().map(|damage| (damage.line, damage.kind)).collect();
    assert_eq!(
        damage,
        [
            (2, DamageKind::SecondHeader),
            (4, DamageKind::NoId),
            (5, DamageKind::Incomplete),
            (6, DamageKind::Incomplete),
            (9, DamageKind::NotAnObject),
        ]
    );
    assert!(session.notes().iter().any(|note| note.contains("1 line out of order")));
}

/// Entry and text of each message, and the states of the path.
fn seen(session: &Session, leaf: &str) -> (Vec<String>, Vec<String>) {
    let context = Facts::read(session).context(session.find(leaf));
    let report = leafpress::report::context(session, session.find(leaf).unwrap()).unwrap();
    let messages = report.messages.iter().map(|m| format!("{} {}", &m.entry_id[6..], m.text));
    let states = context.path.iter().zip(&context.states);
    let states =
        states.map(|(&n, state)| format!("{} {}", &session.id(n).unwrap()[6..], state.name()));
    (messages.collect(), states.collect())
}

#[test]
fn results_stand_behind_their_calls_in_version_4() {
    let session = read_fixture("samples/pi-harness/v4-results.jsonl");
    let (messages, states) = seen(&session, "7a00000a");
    assert_eq!(
        messages,
        [
            "02 read both",
            "03 reading",
            "05 text two",
            "06 text one",
            "04 an aside between call and result",
            "09 calls again",
            "0a no result came",
        ]
    );
    assert_eq!(states[6..9], ["07 excluded", "08 excluded", "09 in"]);
}

#[test]
fn a_retained_tail_has_calls_and_results_too() {
    let session = read_fixture("samples/pi-harness/v4-results.jsonl");
    let (messages, states) = seen(&session, "7a00000f");
    assert_eq!(
        messages,
        ["0b both were read", "0b kept", "0d text four", "0b kept question", "0c go on", "0f done",]
    );
    assert_eq!(states[1], "02 summarised");
    assert_eq!(states[10..], ["0b in", "0c in", "0d in", "0e excluded", "0f in"]);
}

#[test]
fn nothing_above_a_compaction_is_kept_in_version_4() {
    let session = read(&[
        header_v4(),
        entry_v4(1, "a", None),
        json!({"kind": "entry", "seq": 2, "type": "compaction", "id": "b", "parentId": "a",
            "timestamp": 2, "summary": "S", "firstKeptEntryId": "a"}),
    ]);
    assert_eq!(texts(&session, "b"), ["S"]);
}

#[test]
fn lines_of_version_4_are_told_without_the_header() {
    let session = read(&[entry_v4(1, "a", None), entry_v4(2, "b", Some("a"))]);
    assert_eq!(session.header().version, 4);
}

#[test]
fn a_path_of_version_3_ends_at_what_a_compaction_keeps() {
    let session = read_fixture("samples/pi-harness/v3-compaction.jsonl");
    let state = |leaf: &str| {
        let report = leafpress::report::context(&session, session.find(leaf).unwrap()).unwrap();
        (report.thinking_level, report.model.map(|model| model.model_id))
    };
    assert_eq!(state("8b000004"), ("high".to_owned(), Some("wren-1".to_owned())));
    assert_eq!(state("8b000006"), ("off".to_owned(), None));
    assert_eq!(texts(&session, "8b000006"), ["keeps the second", "second", "third"]);
    assert_eq!(texts(&session, "8b000008"), ["holds its tail", "third", "fourth"]);
    // The path ends at the compaction with the tail, so the anchor above it is not found.
    assert_eq!(texts(&session, "8b00000a"), ["looks behind the tail", "fifth"]);
}

#[test]
fn wrong_types_anywhere_never_end_the_reading() {
    for name in ["v3-leaf", "v3-compaction", "v4-lanes", "v4-results"] {
        let source = crate::support::session::fixture(&format!("samples/pi-harness/{name}.jsonl"));
        let lines: Vec<Value> = String::from_utf8(source)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let fields = [
            "parentId",
            "timestamp",
            "message",
            "targetId",
            "leafId",
            "lane",
            "seq",
            "label",
            "name",
            "fact",
            "retainedTail",
            "activeToolNames",
            "cwd",
            "metadata",
            "createdAt",
        ];
        for field in fields {
            for odd in
                [json!(null), json!("x"), json!(1e300), json!([[]]), json!({"a": {}}), json!(true)]
            {
                let mut lines = lines.clone();
                for line in lines.iter_mut().filter(|line| line.get(field).is_some()) {
                    line[field] = odd.clone();
                }
                let session = read(&lines);
                assert!(session.len() >= 5, "{name} {field}");
                for leaf in session.indices() {
                    leafpress::report::context(&session, leaf).unwrap();
                }
            }
        }
    }
}
