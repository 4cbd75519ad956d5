//! Work is counted, not timed: an append costs the same however long the session is.

use serde_json::json;

use super::log::Log;
use super::{NewEntry, NewSession, SessionStore};

/// Index records looked at by one append.
fn touched(store: &mut SessionStore, entry: &NewEntry) -> u64 {
    let before = store.index.touched.get();
    store.append(entry).unwrap();
    store.index.touched.get() - before
}

#[test]
fn the_last_of_many_appends_touches_as_many_records_as_the_tenth() {
    let mut store = SessionStore::in_memory(NewSession::default()).unwrap();
    let entry = NewEntry::message(&json!({"role": "user", "content": "x"})).unwrap();
    let mut tenth = 0;
    for number in 1..=100_000 {
        let work = touched(&mut store, &entry);
        if number == 10 {
            tenth = work;
        }
        if number % 9_973 == 0 {
            assert_eq!(work, tenth, "append {number}");
        }
    }
    assert!(tenth > 0);
    // Below a parent with as many children as there can be, too.
    let root = store.active_path()[0].to_owned();
    for _ in 0..1000 {
        let before = store.index.touched.get();
        store.append_at(Some(&root), &entry).unwrap();
        assert_eq!(store.index.touched.get() - before, tenth);
    }
    // And for labels.
    let label = NewEntry::label(&root, Some("name")).unwrap();
    assert_eq!(touched(&mut store, &label), tenth);
}

#[test]
fn one_entry_is_one_write_of_its_own_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, NewSession::default()).unwrap();
    let entry = NewEntry::message(&json!({"role": "user", "content": "x"})).unwrap();
    for _ in 0..500 {
        store.append(&entry).unwrap();
    }
    let Log::File(file) = &store.log else { panic!("a file") };
    let text = std::fs::read_to_string(&path).unwrap();
    // The header and the first entry came with the file.
    let lines: Vec<usize> = text.lines().skip(2).map(|line| line.len() + 1).collect();
    assert_eq!(file.written, lines);
    assert_eq!(store.bytes, text.as_bytes());
}

#[test]
fn opening_touches_each_record_a_fixed_number_of_times() {
    let folder = tempfile::tempdir().unwrap();
    let work = |entries: usize| {
        let path = folder.path().join(format!("{entries}.jsonl"));
        let mut store = SessionStore::create(&path, NewSession::default()).unwrap();
        let entry = NewEntry::message(&json!({"role": "user", "content": "x"})).unwrap();
        for _ in 0..entries {
            store.append(&entry).unwrap();
        }
        drop(store);
        SessionStore::open(&path).unwrap().index.touched.get()
    };
    let (small, large) = (work(500), work(1000));
    assert!(small > 0 && large <= 2 * small + 4, "{small} {large}");
}

#[test]
fn a_context_is_one_walk_of_the_path_and_parses_what_is_new() {
    let mut store = SessionStore::in_memory(NewSession::default()).unwrap();
    let entry = NewEntry::message(&json!({"role": "user", "content": "x"})).unwrap();
    let work = |store: &SessionStore| {
        let before = store.index.touched.get();
        let count = store.context().map_or(0, |context| context.messages.len());
        (count, store.index.touched.get() - before)
    };
    assert_eq!(work(&store).0, 0);
    for _ in 0..1000 {
        store.append(&entry).unwrap();
    }
    let (count, first) = work(&store);
    assert_eq!(count, 1000);
    assert!(first <= 2_002, "{first}");
    store.append(&entry).unwrap();
    let (count, next) = work(&store);
    assert_eq!(count, 1001);
    assert!(next <= 1_003, "{next}");
    // A path of its own.
    store.append_at(None, &entry).unwrap();
    let (count, alone) = work(&store);
    assert_eq!(count, 1);
    assert!(alone <= 3, "{alone}");
}
