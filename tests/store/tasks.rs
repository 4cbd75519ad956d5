//! Usage, failed leaves, and sessions that a session started.

use std::fs;

use leafpress::store::{Removed, SessionStore, StoreError, delete_session_tree};
use serde_json::json;

use crate::store::support::{Append as _, assistant, is_not_found, memory, new, user};

#[test]
fn usage_of_the_path_since_an_entry_and_of_the_tree() {
    let mut store = memory();
    let one = store.user("1");
    let two = store.assistant("2");
    let three = store.assistant("3");
    store.branch(&one).unwrap();
    let four = store.assistant("4");
    let cost = |usage: leafpress::session::usage::Usage| format!("{:.1}", usage.cost);
    assert_eq!(cost(store.usage_of_tree()), "0.9");
    assert_eq!(cost(store.usage_of_path()), "0.3");
    assert_eq!(format!("{}", store.usage_of_path().output), "5");
    assert_eq!(store.active_path_since(Some(&one)), [four.as_str()]);
    assert_eq!(cost(store.usage_since(Some(&four))), "0.0");
    // Off the path, unknown: nothing rather than too much.
    for id in [two.as_str(), &three, "zzz"] {
        assert!(store.active_path_since(Some(id)).is_empty());
        assert_eq!(cost(store.usage_since(Some(id))), "0.0");
    }
    store.branch(&three).unwrap();
    assert_eq!(store.active_path_since(Some(&one)), [two.as_str(), &three]);
    assert_eq!(cost(store.usage_since(Some(&one))), "0.6");
    assert_eq!(store.active_path_since(None).len(), 3);
}

#[test]
fn a_failed_message_goes_where_nothing_was_written_and_is_passed_elsewhere() {
    let mut store = memory();
    let one = store.user("1");
    let failed = store.assistant("529");
    assert_eq!(store.remove_failed_leaf(), Some(Removed::Gone));
    assert_eq!(
        (store.leaf(), store.len(), store.entry(&failed).is_none()),
        (Some(one.as_str()), 1, true)
    );
    let again = store.assistant("2");
    assert_eq!(store.children(Some(&one)), [again.as_str()]);
    assert_eq!(store.session().unwrap().len(), 2);
    store.append_thinking_level("low").unwrap();
    assert_eq!(store.remove_failed_leaf(), None, "no message");

    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create(folder.path().join("s.jsonl"), new()).unwrap();
    let one = store.user("1");
    let failed = store.assistant("529");
    assert_eq!(store.remove_failed_leaf(), Some(Removed::BranchedPast));
    assert_eq!((store.leaf(), store.len()), (Some(one.as_str()), 2));
    let again = store.assistant("2");
    assert_eq!(store.children(Some(&one)), [failed.as_str(), &again]);
}

#[test]
fn the_names_of_flue_and_chimera() {
    let mut store = memory();
    let ids = store.append_messages(&[user("1"), assistant("2"), user("3")]).unwrap();
    assert_eq!(store.active_path(), ids);
    let refused = store.append_messages(&[user("4"), json!({"no": "role"})]);
    assert!(
        matches!(refused, Err(StoreError::InvalidMessage(_))) && store.len() == 3,
        "all or none"
    );
    store.fork(&ids[1]).unwrap();
    let four = store.add_message(&user("4"), None).unwrap();
    let five = store.add_message(&user("5"), Some(&ids[0])).unwrap();
    assert_eq!(store.leaves(), [ids[2].as_str(), &four, &five]);
    assert_eq!(store.branch_points(), [ids[0].as_str(), &ids[1]]);
    store.switch_branch(&four).unwrap();
    assert!(
        is_not_found(store.fork("zzz"), "zzz") && is_not_found(store.switch_branch("zzz"), "zzz")
    );
    let compaction = store.summarize_branch(&ids[2], "S").unwrap();
    assert_eq!(store.parent(&compaction), Some(ids[2].as_str()));
    let summary = store.append_branch_summary("B", &four).unwrap();
    assert_eq!(store.parent(&summary), Some(compaction.as_str()));
}

#[test]
fn a_session_is_deleted_with_those_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    store.user("1");
    let mut child = store.start_task("t1", "scout").unwrap();
    child.user("look");
    let mut grandchild = child.start_task("t2", "deeper").unwrap();
    grandchild.user("look closer");
    store.start_task("t3", "never written").unwrap();
    let tasks = store.task_sessions();
    assert_eq!(tasks.len(), 3 - 1);
    assert_eq!((tasks[0].task_id.as_str(), tasks[0].name.as_str()), ("t1", "scout"));
    let paths: Vec<_> =
        [&store, &child, &grandchild].map(|store| store.path().unwrap().to_owned()).into();
    assert_eq!(child.header().parent_session.as_deref(), Some(paths[0].to_str().unwrap()));
    // Files that it names without being their parent.
    let other = folder.path().join("other.jsonl");
    let mut stranger = SessionStore::create(&other, new()).unwrap();
    stranger.user("not yours");
    drop(stranger);
    let outside = tempfile::NamedTempFile::new().unwrap();
    for file in ["other.jsonl".to_owned(), "../x".to_owned(), outside.path().display().to_string()]
    {
        store
            .append_custom(
                "leafpress.task-session",
                &json!({"taskId": "t", "name": "n", "file": file}),
            )
            .unwrap();
    }
    drop(store);
    assert!(matches!(delete_session_tree(&paths[0]), Err(StoreError::Locked(_))));
    assert!(paths.iter().all(|path| path.exists()), "all or none");
    drop((child, grandchild));
    let deleted = delete_session_tree(&paths[0]).unwrap();
    assert_eq!(deleted, [paths[2].clone(), paths[1].clone(), paths[0].clone()]);
    assert!(other.exists() && outside.path().exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
