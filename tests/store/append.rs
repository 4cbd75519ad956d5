//! CONFORMANCE B: appending, ids, the leaf, and when a file begins to exist.

use leafpress::session::Body;
use leafpress::session::context::Facts;
use leafpress::store::{NewEntry, SessionStore, StoreError};
use serde_json::json;

use crate::store::support::{Append as _, is_not_found, lines, memory, new, user};

#[test]
fn b1_messages_form_a_chain() {
    let mut store = memory();
    let ids = [store.user("1"), store.assistant("2"), store.user("3")];
    assert_eq!(store.len(), 3);
    assert_eq!(store.parent(&ids[0]), None);
    assert_eq!(store.parent(&ids[1]), Some(ids[0].as_str()));
    assert_eq!(store.parent(&ids[2]), Some(ids[1].as_str()));
    for id in &ids {
        assert!(matches!(store.entry(id).unwrap().body, Body::Message(_)));
        assert!(id.len() == 8 && id.bytes().all(|b| b.is_ascii_hexdigit()), "{id}");
    }
}

#[test]
fn b2_b3_settings_are_entries_of_the_chain() {
    let mut store = memory();
    let first = store.user("1");
    let thinking = store.append_thinking_level("high").unwrap();
    let model = store.append_model("openai", "gpt-4").unwrap();
    let answer = store.assistant("2");
    assert_eq!(store.parent(&thinking), Some(first.as_str()));
    assert_eq!(store.parent(&model), Some(thinking.as_str()));
    assert_eq!(store.parent(&answer), Some(model.as_str()));
    let Body::ThinkingLevelChange(level) = store.entry(&thinking).unwrap().body else { panic!() };
    assert_eq!(level, "high");
    let Body::ModelChange(change) = store.entry(&model).unwrap().body else { panic!() };
    assert_eq!((&*change.model.provider, &*change.model.id), ("openai", "gpt-4"));
}

#[test]
fn b4_a_compaction_keeps_its_fields_and_its_place() {
    let mut store = memory();
    let [one, two] = [store.user("1"), store.assistant("2")];
    let compaction = store.append_compaction("summary", Some(&one), 1000).unwrap();
    let three = store.user("3");
    assert_eq!(store.parent(&compaction), Some(two.as_str()));
    assert_eq!(store.parent(&three), Some(compaction.as_str()));
    let Body::Compaction(read) = store.entry(&compaction).unwrap().body else { panic!() };
    assert_eq!(read.summary, "summary");
    assert_eq!(read.first_kept_id.as_deref(), Some(one.as_str()));
    assert_eq!(read.tokens_before, Some(1000.0));
}

#[test]
fn a_compaction_that_keeps_nothing_names_itself() {
    let mut store = memory();
    store.user("1");
    let id = store.append_compaction("all of it", None, 10).unwrap();
    let Body::Compaction(read) = store.entry(&id).unwrap().body else { panic!() };
    assert_eq!(read.first_kept_id.as_deref(), Some(id.as_str()));
}

#[test]
fn l3_a_compaction_with_an_unknown_anchor_is_refused() {
    let mut store = memory();
    store.user("1");
    assert!(is_not_found(store.append_compaction("s", Some("nowhere"), 1), "nowhere"));
    assert_eq!(store.len(), 1);
}

#[test]
fn b5_an_extensions_state_is_no_message() {
    let mut store = memory();
    store.user("1");
    let custom = store.append_custom("my_data", &json!({"key": "value"})).unwrap();
    store.assistant("2");
    let Body::Custom { custom_type, data } = store.entry(&custom).unwrap().body else { panic!() };
    assert_eq!(custom_type, "my_data");
    assert_eq!(data.unwrap().compact(), r#"{"key":"value"}"#);
    assert_eq!(store.active_path().len(), 3);
    let session = store.session().unwrap();
    assert_eq!(Facts::read(session).context(Some(session.leaf())).messages.len(), 2);
}

#[test]
fn b6_b7_the_leaf_follows_every_append() {
    let mut store = memory();
    assert_eq!(store.leaf(), None);
    assert!(store.leaf_entry().is_none());
    let one = store.user("1");
    assert_eq!(store.leaf(), Some(one.as_str()));
    let two = store.append_thinking_level("low").unwrap();
    assert_eq!(store.leaf(), Some(two.as_str()));
    assert!(matches!(store.leaf_entry().unwrap().body, Body::ThinkingLevelChange(_)));
}

#[test]
fn b8_an_entry_is_found_by_its_id_alone() {
    let mut store = memory();
    let one = store.user("1");
    assert!(store.entry("nonexistent").is_none());
    assert_eq!(store.raw(&one).map(str::is_empty), Some(false));
}

#[test]
fn b9_a_new_session_takes_an_id_or_makes_one() {
    let named = new().id("my.session-1");
    let mut store = SessionStore::in_memory(named).unwrap();
    assert_eq!((store.id(), store.header().id.as_str()), ("my.session-1", "my.session-1"));
    store.new_session(new()).unwrap();
    let first = store.id().to_owned();
    store.new_session(new().parent_session("/p.jsonl")).unwrap();
    assert!(!first.is_empty() && !store.id().is_empty() && first != store.id());
    assert_eq!(store.header().parent_session.as_deref(), Some("/p.jsonl"));
    assert_eq!((store.len(), store.leaf()), (0, None));
}

#[test]
fn an_id_that_is_no_file_name_is_refused_and_the_session_goes_on() {
    let mut store = memory();
    store.user("1");
    for id in ["", "../x", "a/b", ".a", "a.", "ü"] {
        let refused = store.new_session(new().id(id.to_owned()));
        assert!(matches!(refused, Err(StoreError::InvalidId(_))), "{id:?}");
    }
    assert_eq!(store.len(), 1);
}

#[test]
fn settings_alone_make_no_file_and_the_first_prompt_brings_them_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, new()).unwrap();
    store.append_model("p", "m").unwrap();
    store.append_thinking_level("high").unwrap();
    store.append_custom_message("note", &"waits", true).unwrap();
    assert!(!path.exists() && !store.is_written());
    store.user("first");
    assert!(store.is_written());
    store.assistant("answer");
    let lines = lines(&path);
    let types: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "session",
            "model_change",
            "thinking_level_change",
            "custom_message",
            "message",
            "message"
        ]
    );
    for (line, parent) in lines[2..].iter().zip(&lines[1..]) {
        assert_eq!(line["parentId"], parent["id"]);
    }
    assert_eq!(lines[0]["version"], 3);
    assert_eq!(lines[0]["id"], store.id());
}

#[test]
fn a_file_that_is_there_is_not_replaced_by_a_new_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, new()).unwrap();
    std::fs::write(&path, "precious").unwrap();
    assert!(matches!(SessionStore::create(&path, new()), Err(StoreError::Exists(_))));
    assert!(matches!(store.append_message(&user("1")), Err(StoreError::Exists(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(store.len(), 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
}

#[test]
fn entries_go_below_any_parent() {
    let mut store = memory();
    let one = store.user("1");
    store.assistant("2");
    let other = store.append_at(Some(&one), &NewEntry::message(&user("3")).unwrap()).unwrap();
    let root = store.append_at(None, &NewEntry::message(&user("4")).unwrap()).unwrap();
    assert_eq!(store.parent(&other), Some(one.as_str()));
    assert_eq!(store.parent(&root), None);
    assert_eq!(store.leaf(), Some(root.as_str()));
    let refused = store.append_at(Some("zzz"), &NewEntry::message(&user("5")).unwrap());
    assert!(is_not_found(refused, "zzz"));
    assert_eq!(store.len(), 4);
}

#[test]
fn what_is_no_stored_message_is_refused() {
    for message in [
        json!("text"),
        json!([1]),
        json!({"content": "no role"}),
        json!({"role": "branchSummary", "summary": "s"}),
        json!({"role": "compactionSummary", "summary": "s"}),
    ] {
        let refused = NewEntry::message(&message);
        assert!(matches!(refused, Err(StoreError::InvalidMessage(_))), "{message}");
    }
}

#[test]
fn an_entry_is_one_line_whatever_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, new()).unwrap();
    let raw: Box<serde_json::value::RawValue> =
        serde_json::from_str("{\n  \"role\": \"user\",\r\n  \"content\": \"a\\nb\u{2028}c\"\n}")
            .unwrap();
    store.append_message(&raw).unwrap();
    store.append_session_info("  \n two \n lines ").unwrap();
    assert_eq!(lines(&path).len(), 3);
    assert_eq!(lines(&path)[1]["message"]["content"], "a\nb\u{2028}c");
    assert_eq!(lines(&path)[2]["name"], "two \n lines");
}

#[test]
fn what_omp_adds_leaves_the_file_pis() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, new()).unwrap();
    store.append_session_init("You help.", "Find it", &["read"]).unwrap();
    store.append_mode("plan").unwrap();
    store.append_ttsr_injection(&["rule"]).unwrap();
    store.user("1");
    drop(store);
    let session = leafpress::read(std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(session.format(), leafpress::session::Format::Pi);
    assert_eq!(SessionStore::open(&path).unwrap().len(), 4);
}

#[test]
fn only_messages_can_be_edited_for_the_model() {
    let mut store = memory();
    let prompt = store.user("long");
    let compaction = store.append_compaction("S", Some(&prompt), 1).unwrap();
    let edit = |id: &str| NewEntry::context_edit(id, Some(&"short")).unwrap();
    let refused = store.append(&edit(&compaction));
    assert!(matches!(refused, Err(StoreError::NotEditable(id)) if id == compaction));
    assert!(is_not_found(store.append(&edit("zzz")), "zzz"));
    store.append(&edit(&prompt)).unwrap();
    let session = store.session().unwrap();
    let context = leafpress::report::context(session, session.leaf()).unwrap();
    let texts: Vec<&str> = context.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["S", "short"]);
}
