//! Section G, versions 1 and 2.

use leafpress::session::EntryIndex;
use leafpress::session::{Body, message::Message};

use crate::support::session::{Log, ids, read_fixture, texts};

const V1_HEADER: &str =
    r#"{"type":"session","id":"old","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#;

fn user(text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"own-{text}","timestamp":"2026-01-01T00:00:01.000Z","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

fn compaction(index: &str) -> String {
    format!(
        r#"{{"type":"compaction","timestamp":"2026-01-01T00:00:02.000Z","summary":"S","firstKeptEntryIndex":{index},"tokensBefore":1}}"#
    )
}

fn v1(lines: &[String]) -> Log {
    lines.iter().fold(Log::without_header().line(V1_HEADER), |log, line| log.line(line))
}

#[test]
fn g1_g7_g8_entries_get_lasting_ids_whatever_they_had() {
    let log = v1(&[user("a"), user("b")]);
    let (session, again) = (log.read(), log.read());
    assert!((0..2).all(|entry| session.id(EntryIndex::new(entry)).unwrap().len() == 8));
    assert_eq!(session.tree().parent(EntryIndex::new(0)), None);
    assert_eq!(session.tree().parent(EntryIndex::new(1)), Some(EntryIndex::new(0)));
    assert_eq!(ids(&session, session.indices().take(2)), ids(&again, again.indices().take(2)));
    assert_eq!(session.index_of("own-a"), None);
}

#[test]
fn g2_version_2_keeps_its_ids() {
    let session = read_fixture("samples/pi-1.5-v2.jsonl");
    assert_eq!(ids(&session, session.indices()), ["a0000001", "a0000002", "a0000003"]);
}

#[test]
fn g3_the_old_role_is_renamed() {
    let session = read_fixture("samples/pi-1.5-v2.jsonl");
    assert!(matches!(
        session.entry(EntryIndex::new(1)).unwrap().body,
        Body::Message(Message::Custom(_))
    ));
}

#[test]
fn g4_an_index_becomes_the_id_of_that_line() {
    let session = read_fixture("samples-2026-03/pi-v1.jsonl");
    let leaf = session.id(session.leaf()).unwrap().to_owned();
    assert_eq!(
        texts(&session, &leaf)[..2],
        ["User listed tests; renamed b_test.rs.", "Rename b_test.rs to iso_test.rs"]
    );
    let compaction =
        session.indices().find(|&e| session.entry_type(e).unwrap() == "compaction").unwrap();
    assert!(!session.raw(compaction).unwrap().contains("firstKeptEntryIndex"));
}

#[test]
fn g5_an_index_of_the_header_of_nothing_or_forward_keeps_nothing() {
    for index in ["0", "99", "4", "3", "-1", "1.5"] {
        let session = v1(&[user("a"), user("b"), compaction(index), user("c")]).read();
        let leaf = session.id(session.leaf()).unwrap().to_owned();
        assert_eq!(texts(&session, &leaf), ["S", "c"], "index {index}");
    }
}

#[test]
fn g6_the_index_counts_parsed_lines() {
    let session =
        v1(&[user("a"), "bad line".to_owned(), user("b"), compaction("2"), user("c")]).read();
    let leaf = session.id(session.leaf()).unwrap().to_owned();
    assert_eq!(texts(&session, &leaf), ["S", "b", "c"]);
}
