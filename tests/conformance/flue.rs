//! Flue's session object, cases L1 to L4.

use leafpress::Session;
use leafpress::session::EntryIndex;
use leafpress::session::context::Facts;
use leafpress::session::message::{Block, joined_text};
use leafpress::session::usage::Usage;
use leafpress::session::{DamageKind, Format};
use serde_json::{Value, json};

use crate::support::session::{ids, index, json_fixture, read_fixture, strings, texts};

const SESSION: &str = "samples/flue/session-v3.json";

fn read(session: &Value) -> Session {
    leafpress::read(session.to_string().into_bytes()).unwrap()
}

fn damage(session: &Session) -> Vec<DamageKind> {
    session.damage().iter().map(|damage| damage.kind).collect()
}

/// A user's message.
fn entry(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "text", "text": id}]}})
}

#[test]
fn l1_the_stored_leaf_counts_not_the_last_entry() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/flue/EXPECTED.json");
    let expected = &expected["flue/session-v3.json"];
    assert_eq!(session.format(), Format::Flue);
    assert_eq!(session.damage(), []);
    assert_eq!(session.id(session.leaf()).unwrap(), expected["leafId"]);
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path), strings(&expected["branch"]));
    assert_eq!(session.header().time, Some(1_773_133_200_000));

    let mut other = json_fixture(SESSION);
    other["leafId"] = json!("f1000004");
    assert_eq!(read(&other).id(read(&other).leaf()), Some("f1000004"));
}

#[test]
fn l1_the_context_is_the_summary_what_was_kept_and_the_rest() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/flue/EXPECTED.json");
    let messages = expected["flue/session-v3.json"]["messages"].as_array().unwrap();
    // Flue words its summaries in its own way and sends them as the user's.
    let expected: Vec<&str> = messages
        .iter()
        .map(|message| message["text"].as_str().unwrap())
        .map(|text| text.rsplit("Summary]\n\n").next().unwrap())
        .map(|text| if text == "{toolCall}" { "" } else { text })
        .collect();
    assert_eq!(texts(&session, "f100000c"), expected);
}

#[test]
fn l1_summaries_reach_the_model_as_the_user_s() {
    let session = read_fixture(SESSION);
    let expected = json_fixture("samples/flue/EXPECTED.json");
    let expected: Vec<(String, String)> = expected["flue/session-v3.json"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| (message["role"].to_string(), message["text"].to_string()))
        .filter(|(_, text)| !text.contains("{toolCall}"))
        .collect();
    let context = Facts::read(&session);
    let context = context.context(Some(session.leaf()));
    let sent: Vec<(String, String)> = context
        .messages
        .iter()
        .flat_map(|message| {
            let seen = message.read(&session).unwrap();
            let given = seen.for_model_of(Format::Flue);
            let text = |content: &[Block<'_>]| json!(joined_text(content, "\n")).to_string();
            given.iter().map(|m| (json!(m.role).to_string(), text(&m.content))).collect::<Vec<_>>()
        })
        .filter(|(_, text)| text != "\"\"")
        .collect();
    assert_eq!(sent, expected);
}

#[test]
fn l3_an_empty_branch_summary_is_given() {
    let mut session = json_fixture(SESSION);
    let summary = session["entries"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find(|entry| entry["type"] == "branch_summary")
        .expect("the sample has one");
    summary["summary"] = json!("");
    let id = summary["id"].as_str().unwrap().to_owned();
    let session = read(&session);
    let given = leafpress::report::context(&session, index(&session, &id)).unwrap();
    assert_eq!(given.messages.last().map(|message| message.role.as_str()), Some("branchSummary"));
}

#[test]
fn l1_the_path_and_the_usage_since_an_entry() {
    let session = read_fixture(SESSION);
    let since = |id: Option<&str>| {
        let since = id.map(|id| index(&session, id));
        ids(&session, session.path_since(session.leaf(), since))
    };
    let expected = json_fixture("samples/flue/EXPECTED.json");
    let expected = &expected["flue/session-v3.json"];
    assert_eq!(since(Some("f1000008")), strings(&expected["since f1000008"]));
    assert_eq!(since(Some("f100000a")), [""; 0], "off the path");
    assert_eq!(json!(since(None).len()), expected["since null"]);
    let whole = session.usage_since(session.leaf(), None);
    let part = session.usage_since(session.leaf(), Some(index(&session, "f1000008")));
    assert!(part.tokens() < whole.tokens(), "{part:?} {whole:?}");
    let off_the_path = session.usage_since(session.leaf(), Some(index(&session, "f100000a")));
    assert_eq!(off_the_path, Usage::default());
}

#[test]
fn l2_an_unknown_anchor_keeps_nothing() {
    let mut session = json_fixture(SESSION);
    session["entries"][7]["firstKeptEntryId"] = json!("gone");
    assert_eq!(
        texts(&read(&session), "f1000009"),
        ["Issue 12 reproduced; tests pass.", "Write the fix"]
    );
}

#[test]
fn l4_version_1_is_a_list_with_its_compaction_before_what_was_kept() {
    let session = read_fixture("samples/flue/session-v1.json");
    assert_eq!(session.header().version, 1);
    assert_eq!(
        ids(&session, session.indices()),
        ["message-1", "message-2", "last-compaction", "message-3", "message-4"]
    );
    assert_eq!(session.id(session.leaf()).unwrap(), "message-4");
    assert_eq!(texts(&session, "message-4"), ["greeted", "again", "yes"]);
    assert_eq!(texts(&session, "message-2"), ["hi", "hello"]);
}

#[test]
fn odd_compactions_of_version_1_keep_their_summary() {
    for index in [json!(-3), json!(99), json!("two"), json!(null), json!(1e300)] {
        let mut session = json_fixture("samples/flue/session-v1.json");
        session["lastCompaction"]["firstKeptIndex"] = index.clone();
        let session = read(&session);
        assert_eq!(session.len(), 5, "{index}");
        assert!(session.index_of("last-compaction").is_some(), "{index}");
    }
}

#[test]
fn an_empty_or_unknown_leaf_is_told() {
    let mut session = json_fixture(SESSION);
    session["leafId"] = json!("nowhere");
    assert!(read(&session).notes()[0].contains("`nowhere`"));
    session["leafId"] = Value::Null;
    let session = read(&session);
    assert!(session.notes()[0].ends_with("before its first entry: its last entry stands in"));
    assert_eq!(session.leaf(), EntryIndex::new(session.own_len() - 1));
}

#[test]
fn unknown_types_and_fields_are_kept_or_told() {
    let mut marker = entry("b", Some("a"));
    marker["type"] = json!("bookmark");
    let session = read(&json!({"version": 3, "leafId": "b", "entries": [entry("a", None), marker],
        "conversation": 7}));
    assert_eq!(session.entry_type(index(&session, "b")).unwrap(), "custom");
    assert!(session.raw(index(&session, "b")).unwrap().contains("bookmark"));
    assert!(session.notes()[0].contains("`conversation`"));
}

#[test]
fn the_source_of_a_message_is_kept() {
    let session = read_fixture(SESSION);
    assert!(session.raw(index(&session, "f1000005")).unwrap().contains(r#""source":"shell""#));
}

#[test]
fn pretty_printed_it_is_the_same_with_lines_of_its_own() {
    let value = json_fixture(SESSION);
    let pretty = leafpress::read(serde_json::to_vec_pretty(&value).unwrap()).unwrap();
    assert_eq!(pretty.format(), Format::Flue);
    assert_eq!(pretty.own_len(), 12);
    assert!(pretty.line(EntryIndex::new(1)) > pretty.line(EntryIndex::new(0)));
    assert_eq!(read(&value).line(EntryIndex::new(1)), 1);
}

#[test]
fn a_torn_file_gives_what_stands_before_the_tear() {
    let source = serde_json::to_string(
        &json!({"version": 3, "entries": [entry("a", None), entry("b", Some("a"))]}),
    )
    .unwrap();
    let torn = &source[..source.len() - 20];
    let session = leafpress::read(torn.as_bytes().to_vec()).unwrap();
    assert_eq!(session.format(), Format::Flue);
    assert_eq!(ids(&session, session.indices()), ["a"]);
    assert_eq!(damage(&session), [DamageKind::TornLastLine]);
}

#[test]
fn broken_entries_are_counted_and_the_others_stay() {
    let session = read(&json!({"version": 3, "leafId": "c", "entries": [
        entry("a", None), 7, null, [], {"type": "message"}, {"type": "message", "id": 4},
        entry("a", None), entry("c", Some("gone")), entry("d", Some("e")), entry("e", Some("d")),
    ]}));
    assert_eq!(ids(&session, session.indices()), ["a", "c", "d", "e"]);
    let mut kinds = damage(&session);
    kinds.sort();
    let (no_object, no_id) = (DamageKind::NotAnObject, DamageKind::NoId);
    assert_eq!(
        kinds,
        [
            no_object,
            no_object,
            no_object,
            no_id,
            no_id,
            DamageKind::DuplicateId { earlier: 1 },
            DamageKind::MissingParent,
            DamageKind::Cycle
        ]
    );
}

#[test]
fn wrong_types_anywhere_never_end_the_reading() {
    for field in ["version", "leafId", "metadata", "createdAt", "updatedAt"] {
        for odd in
            [json!(null), json!("x"), json!(-1e300), json!([[]]), json!({"a": {}}), json!(true)]
        {
            let mut session = json_fixture(SESSION);
            session[field] = odd;
            assert_eq!(read(&session).own_len(), 12, "{field}");
        }
    }
    for field in
        ["type", "parentId", "timestamp", "message", "source", "summary", "firstKeptEntryId"]
    {
        for odd in [json!(null), json!(3), json!([[]]), json!({"a": {}}), json!(true)] {
            let mut session = json_fixture(SESSION);
            for entry in session["entries"].as_array_mut().unwrap() {
                entry[field] = odd.clone();
            }
            let session = read(&session);
            assert_eq!(session.own_len(), 12, "{field}");
            for leaf in session.indices() {
                leafpress::report::context(&session, leaf).unwrap();
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_told_and_a_replacement_character_is_none() {
    let text = json!({"version": 3, "leafId": "a", "entries": [entry("a", None)]}).to_string();
    let good = text.replace("\"text\":\"a\"", "\"text\":\"\u{fffd}\"");
    assert_eq!(leafpress::read(good.clone().into_bytes()).unwrap().damage(), []);
    let at = good.find('\u{fffd}').unwrap();
    let mut bad = good.into_bytes();
    bad.splice(at..at + 3, [0xff]);
    let session = leafpress::format::read_with(
        bad,
        Some(Format::Flue),
        &leafpress::format::ReadOptions::default(),
    )
    .unwrap();
    assert_eq!(damage(&session), [DamageKind::InvalidUtf8]);
}
