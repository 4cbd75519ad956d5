//! CONFORMANCE C and D as the store does them, and H: a path as a session of its own.

use leafpress::session::EntryIndex;
use std::path::Path;

use leafpress::Session;
use leafpress::session::Body;
use leafpress::session::context::Facts;
use leafpress::store::{SessionStore, StoreError};
use serde_json::json;

use crate::store::support::{Append as _, is_not_found, lines, memory, new};

fn context_len(session: &Session, leaf: &str) -> usize {
    let leaf = session.index_of(leaf);
    Facts::read(session).context(leaf).messages.len()
}

#[test]
fn d1_the_next_entry_is_a_sibling() {
    let mut store = memory();
    let [one, two, _] = [store.user("1"), store.assistant("2"), store.user("3")];
    store.branch(&one).unwrap();
    assert_eq!((store.leaf(), store.len()), (Some(one.as_str()), 3));
    let four = store.assistant("4");
    assert_eq!(store.children(Some(&one)), [two.as_str(), &four]);
    assert_eq!(store.branch_points(), [one.as_str()]);
    assert_eq!(store.leaves().len(), 2);
}

#[test]
fn c8_children_of_nested_branches() {
    let mut store = memory();
    let one = store.user("1");
    let two = store.assistant("2");
    let three = store.user("3");
    store.assistant("4");
    store.branch(&two).unwrap();
    let five = store.user("5");
    let six = store.assistant("6");
    store.branch(&five).unwrap();
    let seven = store.assistant("7");
    assert_eq!(store.children(Some(&two)), [three.as_str(), &five]);
    assert_eq!(store.children(Some(&five)), [six.as_str(), &seven]);
    assert_eq!(store.children(Some(&three)).len(), 1);
    assert_eq!(store.active_path(), [one.as_str(), &two, &five, &seven]);
    assert_eq!(store.path_to("zzz"), Vec::<&str>::new());
}

#[test]
fn d2_d4_an_unknown_entry_is_refused_and_nothing_moves() {
    let mut store = memory();
    let one = store.user("1");
    assert!(is_not_found(store.branch("nonexistent"), "nonexistent"));
    assert!(is_not_found(store.branch_with_summary(Some("nonexistent"), "S"), "nonexistent"));
    assert!(is_not_found(store.append_label("nonexistent", Some("x")), "nonexistent"));
    assert_eq!((store.leaf(), store.len()), (Some(one.as_str()), 1));
    let told = store.branch("nonexistent").unwrap_err().to_string();
    assert_eq!(told, "entry `nonexistent` not found");
}

#[test]
fn d3_a_branch_summary_names_the_leaf_that_was_left() {
    let mut store = memory();
    let [one, _, three] = [store.user("1"), store.assistant("2"), store.user("3")];
    let summary = store.branch_with_summary(Some(&one), "S").unwrap();
    assert_eq!(store.leaf(), Some(summary.as_str()));
    assert_eq!(store.parent(&summary), Some(one.as_str()));
    let Body::BranchSummary(read) = store.entry(&summary).unwrap().body else { panic!() };
    assert_eq!((&*read.summary, &*read.from_id), ("S", three.as_str()));
}

#[test]
fn d5_a_summary_before_all_entries_is_a_root() {
    let mut store = memory();
    let one = store.user("1");
    let summary = store.branch_with_summary(None, "S").unwrap();
    assert_eq!(store.children(None), [one.as_str(), &summary]);
    store.reset_leaf();
    let from_nowhere = store.branch_with_summary(None, "S").unwrap();
    let Body::BranchSummary(read) = store.entry(&from_nowhere).unwrap().body else { panic!() };
    assert_eq!(read.from_id, "root");
}

#[test]
fn d6_without_a_leaf_there_is_no_path_and_the_next_entry_is_a_root() {
    let mut store = memory();
    let one = store.user("1");
    store.reset_leaf();
    assert_eq!((store.leaf(), store.active_path()), (None, vec![]));
    assert!(store.context().unwrap().messages.is_empty());
    let two = store.user("2");
    assert_eq!(store.context().unwrap().messages.len(), 1);
    assert_eq!(store.parent(&two), None);
    assert_eq!(store.children(None), [one.as_str(), &two]);
}

#[test]
fn d7_d8_d9_labels_are_set_replaced_and_cleared_and_are_entries() {
    let mut store = memory();
    let [one, two] = [store.user("1"), store.assistant("2")];
    assert_eq!(store.label(&one), None);
    let first = store.append_label(&one, Some("a")).unwrap();
    assert_eq!(store.leaf(), Some(first.as_str()));
    store.append_label(&one, Some("b")).unwrap();
    let last = store.append_label(&one, Some("checkpoint")).unwrap();
    store.append_label(&two, Some("response")).unwrap();
    assert_eq!(store.label(&one).unwrap().text, "checkpoint");
    let given: Vec<_> =
        store.labels().iter().map(|(id, label)| (*id, label.text.as_str())).collect();
    assert_eq!(given, [(one.as_str(), "checkpoint"), (&two, "response")]);
    assert_eq!(store.parent(&first), Some(two.as_str()));
    let session = store.session().unwrap();
    assert_eq!(session.label(EntryIndex::new(0)).unwrap().text, "checkpoint");
    assert_eq!(context_len(session, &last), 2);
    for clear in [None, Some("")] {
        store.append_label(&one, Some("again")).unwrap();
        store.append_label(&one, clear).unwrap();
        assert_eq!(store.label(&one), None);
    }
}

#[test]
fn d14_a_label_is_cleared_from_any_branch() {
    let mut store = memory();
    let one = store.user("1");
    store.append_label(&one, Some("x")).unwrap();
    store.branch(&one).unwrap();
    let clearing = store.append_label(&one, None).unwrap();
    assert_eq!(store.label(&one), None);
    let raw: serde_json::Value = serde_json::from_str(store.raw(&clearing).unwrap()).unwrap();
    assert!(raw.get("label").is_none(), "as pi writes it");
}

#[test]
fn h1_h2_h3_in_memory_the_path_takes_the_place_of_all_entries() {
    let mut store = memory();
    let [one, two, _] = [store.user("1"), store.assistant("2"), store.user("3")];
    store.branch(&two).unwrap();
    let [four, five] = [store.user("4"), store.assistant("5")];
    assert!(is_not_found(store.create_branched_session("nonexistent"), "nonexistent"));
    assert_eq!(store.len(), 5);
    assert_eq!(store.create_branched_session(&five).unwrap(), None);
    let ids: Vec<&str> = store.ids_in_order().collect();
    assert_eq!(ids, [one.as_str(), &two, &four, &five]);
    assert_eq!(store.leaf(), Some(five.as_str()));
    store.create_branched_session(&two).unwrap();
    assert_eq!(store.len(), 2);
}

#[test]
fn h4_h5_h10_labels_in_force_on_the_path_are_written_anew() {
    let mut store = memory();
    let [one, two, three] = [store.user("1"), store.assistant("2"), store.user("3")];
    store.append_label(&two, Some("second")).unwrap();
    store.append_label(&one, Some("first")).unwrap();
    store.append_label(&three, Some("third")).unwrap();
    store.append_label(&one, None).unwrap();
    store.append_label(&one, Some("first again")).unwrap();
    let old: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
    store.create_branched_session(&two).unwrap();
    let ids: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
    assert_eq!(ids.len(), 4, "exactly two label entries");
    assert!(!old.contains(&ids[2]) && !old.contains(&ids[3]));
    assert_eq!(store.parent(&ids[2]), Some(two.as_str()));
    assert_eq!(store.parent(&ids[3]), Some(ids[2].as_str()));
    assert_eq!(store.leaf(), Some(ids[3].as_str()));
    let given: Vec<_> =
        store.labels().iter().map(|(id, label)| (*id, label.text.as_str())).collect();
    assert_eq!(given, [(two.as_str(), "second"), (&one, "first again")]);
}

#[test]
fn h6_h7_on_disk_the_path_is_a_file_that_names_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    let one = store.user("1");
    store.assistant("2");
    let old = store.path().unwrap().to_owned();
    let before = std::fs::read(&old).unwrap();
    let path = store.create_branched_session(&one).unwrap().unwrap();
    assert!(path.exists() && path != old);
    store.append_custom("state", &json!(1)).unwrap();
    store.assistant("another");
    let written = lines(&path);
    let types: Vec<&str> = written.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["session", "message", "custom", "message"]);
    assert_eq!(written[0]["parentSession"], old.display().to_string());
    assert_eq!(written[1]["id"], one);
    assert_eq!(std::fs::read(&old).unwrap(), before);
    assert!(SessionStore::open(&old).is_ok(), "nobody writes the old one any more");
}

#[test]
fn a_path_without_a_prompt_or_an_answer_waits_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    let model = store.append_model("p", "m").unwrap();
    store.user("1");
    let path = store.create_branched_session(&model).unwrap().unwrap();
    assert!(!path.exists());
    store.user("2");
    assert_eq!(lines(&path).len(), 3);
}

/// The session of SEMANTICS: 31 entries, labels within the path.
fn sample() -> SessionStore {
    SessionStore::read_only("tests/fixtures/samples-2026-03/pi-v3-full.jsonl").unwrap()
}

#[test]
fn h8_what_hung_from_a_label_entry_is_linked_anew() {
    let mut store = sample();
    store.create_branched_session("e000000b").unwrap();
    assert_eq!(store.parent("e000000a"), Some("e0000008"));
    assert_eq!(store.children(None).len(), 1);
    let session = store.session().unwrap();
    assert_eq!(context_len(session, "e000000b"), 8);
    assert!(session.damage().is_empty());
}

#[test]
fn h9_a_branch_at_a_label_entry_ends_before_it() {
    let mut store = sample();
    store.create_branched_session("e0000009").unwrap();
    let ids: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
    assert_eq!(ids.len(), 9);
    assert_eq!(ids[7], "e0000008");
    assert_eq!(store.leaf(), Some(ids[8].as_str()));
    assert_eq!(store.label("e0000003").unwrap().text, "start");
    let leaf = store.leaf().unwrap().to_owned();
    assert_eq!(context_len(store.session().unwrap(), &leaf), 6);
}

#[test]
fn an_anchor_moves_off_a_label_entry() {
    let mut store = memory();
    store.user("1");
    let label = store.append_label(store.leaf().unwrap().to_owned().as_str(), Some("x")).unwrap();
    let two = store.assistant("2");
    let compaction = store.append_compaction("S", Some(&label), 10).unwrap();
    let before = context_len(store.session().unwrap(), &compaction);
    store.create_branched_session(&compaction).unwrap();
    let Body::Compaction(read) = store.entry(&compaction).unwrap().body else { panic!() };
    assert_eq!(read.first_kept_id.as_deref(), Some(two.as_str()));
    assert_eq!(context_len(store.session().unwrap(), &compaction), before);
}

#[test]
fn an_anchor_at_the_last_label_before_a_compaction_keeps_nothing() {
    let mut store = memory();
    let one = store.user("1");
    let label = store.append_label(&one, Some("x")).unwrap();
    let compaction = store.append_compaction("S", Some(&label), 10).unwrap();
    store.create_branched_session(&compaction).unwrap();
    let Body::Compaction(read) = store.entry(&compaction).unwrap().body else { panic!() };
    assert_eq!(read.first_kept_id.as_deref(), Some(compaction.as_str()));
}

#[test]
fn a_branch_goes_to_any_free_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    let one = store.user("1");
    let to = folder.path().join("mine.jsonl");
    let branch = store.branched_to(&one, &to).unwrap();
    assert!(to.exists() && branch.len() == 1);
    assert_ne!(store.path(), Some(to.as_path()));
    assert!(matches!(store.branched_to(&one, &to), Err(StoreError::Exists(_))));
    assert!(is_not_found(store.branched_to("zzz", folder.path().join("other")).map(drop), "zzz"));
}

#[test]
fn the_context_at_each_leaf_is_that_of_the_session_read_anew() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/samples");
    for file in ["pi-1.5-main", "pi-1.5-tree", "pi-1.5-compact", "pi-1.5-edge"] {
        let mut store = SessionStore::read_only(samples.join(format!("{file}.jsonl"))).unwrap();
        let ids: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
        for id in ids {
            store.branch(&id).unwrap();
            let context = store.context().unwrap();
            let session = store.session().unwrap();
            let again = Facts::read(session).context(session.index_of(&id));
            assert_eq!(context, again, "{file} at {id}");
            for message in &context.messages {
                assert_eq!(store.read_message(message), message.read(session), "{file} at {id}");
            }
        }
    }
}
