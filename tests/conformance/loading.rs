//! Section A, loading, and the damaged files.

use leafpress::session::DamageKind;
use leafpress::{ReadError, Session};
use serde_json::json;

use crate::support::session::{Log, fixture, ids, read_fixture};

fn refused(source: &[u8]) -> String {
    match leafpress::read(source.to_vec()) {
        Err(error @ (ReadError::NoEntries { .. } | ReadError::PlainText)) => error.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

/// Line and kind of every damage.
fn damage(session: &Session) -> Vec<(u32, DamageKind)> {
    session.damage().iter().map(|damage| (damage.line, damage.kind)).collect()
}

fn all_ids(session: &Session) -> Vec<&str> {
    ids(session, session.indices())
}

#[test]
fn a2_a4_what_holds_no_entry_is_refused_and_told() {
    assert!(refused(b"").contains("the file is empty"));
    assert!(refused(b" \n\n").contains("the file is empty"));
    assert_eq!(refused(b"not json"), "it is plain text, not a session file");
    let message = refused(b"{not json");
    assert!(
        message.contains("none of them is JSON") && message.contains("`{not json`"),
        "{message}"
    );
    assert!(
        refused(&fixture("damaged/only-header.jsonl")).contains("contains only a session header")
    );
    refused(&fixture("damaged/only-garbage.txt"));
    // A broken line that begins with a character of several bytes.
    refused(b"\x80");
    refused("\u{fc}{".as_bytes());
    refused(&fixture("damaged/empty.jsonl"));
    // A place in a tree without an id is none.
    let error = leafpress::read(br#"{"parentId":null}"#.to_vec()).unwrap_err().to_string();
    assert!(error.contains("a single JSON object with the keys `parentId`"), "{error}");
}

#[test]
fn a3_entries_without_a_header_open_with_a_warning() {
    // pi calls this no session; damaged or cut files are worth reading all the same.
    let session = Log::without_header().user("hello").read();
    assert_eq!(damage(&session), [(1, DamageKind::NoHeader)]);
    assert_eq!(read_fixture("damaged/no-header.jsonl").damage()[0].kind, DamageKind::NoHeader);
}

#[test]
fn a5_a6_a_bad_line_is_left_out_and_counted() {
    assert_eq!(Log::new().user("x").read().len(), 1);
    let session = Log::new().line("bad line").user("x").read();
    assert_eq!(session.len(), 1);
    assert_eq!(damage(&session), [(2, DamageKind::NotJson)]);
}

#[test]
fn a7_a8_odd_headers() {
    // pi takes a header without a string id for none.
    let session =
        Log::without_header().line(r#"{"type":"session","version":3,"id":7}"#).user("x").read();
    assert_eq!(damage(&session), [(1, DamageKind::OddHeader)]);
    let session = Log::without_header()
        .line("{bad")
        .line(r#"{"type":"session","version":3,"id":"s"}"#)
        .user("x")
        .read();
    assert_eq!(session.header().id, "s");
    assert_eq!(damage(&session), [(1, DamageKind::NotJson)]);
}

#[test]
fn a9_blank_lines_are_no_damage() {
    let session = Log::new().line("").line("   \t").user("x").read();
    assert_eq!(session.damage(), []);
    assert_eq!(read_fixture("damaged/blank-lines.jsonl").damage(), []);
}

#[test]
fn a10_a11_values_that_are_no_entries_are_counted() {
    let session = read_fixture("samples-2026-03/broken/pi-v3-nonobject-lines.jsonl");
    assert_eq!(all_ids(&session), ["ac000001", "ac000002"]);
    let kinds: Vec<DamageKind> = damage(&session).into_iter().map(|(_, kind)| kind).collect();
    let (no_object, no_id) = (DamageKind::NotAnObject, DamageKind::NoId);
    assert_eq!(kinds, [no_object, no_object, no_object, no_object, no_id, no_id, no_id]);
}

#[test]
fn a12_the_first_header_counts() {
    let session =
        Log::new().line(r#"{"type":"session","version":1,"id":"other"}"#).user("x").read();
    assert_eq!(session.header().id, "s");
    assert_eq!(damage(&session), [(2, DamageKind::SecondHeader)]);
    assert_eq!(session.len(), 1);
}

#[test]
fn a13_a_newer_version_loads() {
    let session =
        Log::without_header().line(r#"{"type":"session","version":7,"id":"s"}"#).user("x").read();
    assert_eq!((session.header().version, session.len()), (7, 1));
}

#[test]
fn a14_an_unknown_type_is_an_entry_and_may_be_the_leaf() {
    let session = Log::new().user("x").entry(json!({"type": "future", "payload": [1]})).read();
    assert_eq!(session.id(session.leaf()).unwrap(), "2");
    assert_eq!(leafpress::report::context(&session, session.leaf()).unwrap().messages.len(), 1);
}

#[test]
fn a15_of_an_id_used_twice_the_later_entry_is_shown_once() {
    // pi shows it twice in the tree.
    let session = Log::new()
        .user("first")
        .user("middle")
        .entry(json!({"type": "message", "id": "1", "parentId": null, "message": {"role": "user", "content": "later"}}))
        .read();
    assert_eq!(all_ids(&session), ["2", "1"]);
    assert_eq!(damage(&session), [(4, DamageKind::DuplicateId { earlier: 2 })]);
    assert!(!read_fixture("damaged/duplicate-ids.jsonl").damage().is_empty());
}

#[test]
fn a18_reading_never_changes_the_source() {
    for name in ["samples/pi-1.5-v1.jsonl", "samples/pi-1.5-edge.jsonl", "damaged/glued.jsonl"] {
        let source = fixture(name);
        assert_eq!(leafpress::read(source.clone()).unwrap().source(), source, "{name}");
        assert_eq!(fixture(name), source, "{name}");
    }
}

#[test]
fn a21_crlf_a_byte_order_mark_and_separators_within_text_are_fine() {
    for name in ["bom", "no-final-newline", "line-separators"] {
        let session = read_fixture(&format!("damaged/{name}.jsonl"));
        assert_eq!(session.damage(), [], "{name}");
        assert!(session.len() >= 4, "{name}");
    }
}

#[test]
fn glued_values_are_all_read() {
    let one =
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"a"}}"#;
    let two =
        r#"{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"b"}}"#;
    let glued = Log::new().line(&format!("{one}{two} {{\"type\":\"custom\",\"id\":\"c\"}}")).read();
    assert_eq!(all_ids(&glued), ["a", "b", "c"]);
    assert_eq!(damage(&glued), [(2, DamageKind::Glued)]);

    let torn_then_good = Log::new().line(&format!("{}{two}", &one[..40])).read();
    assert_eq!(all_ids(&torn_then_good), ["b"]);
    assert_eq!(damage(&torn_then_good)[0], (2, DamageKind::NotJson));

    let good_then_garbage = Log::new().line(&format!("{one} garbage")).read();
    assert_eq!(all_ids(&good_then_garbage), ["a"]);
    assert_eq!(damage(&good_then_garbage), [(2, DamageKind::NotJson)]);
    assert!(
        read_fixture("damaged/glued.jsonl").damage().iter().any(|d| d.kind == DamageKind::Glued)
    );
}

#[test]
fn what_a_strict_parser_refuses_is_repaired() {
    for (name, kind) in [
        ("lone-surrogate", DamageKind::LoneSurrogate),
        ("deep", DamageKind::TooDeep),
        ("invalid-utf8", DamageKind::InvalidUtf8),
        ("odd-numbers", DamageKind::NumberRange),
    ] {
        let session = read_fixture(&format!("damaged/{name}.jsonl"));
        assert!(
            session.damage().iter().any(|damage| damage.kind == kind),
            "{name}: {:?}",
            session.damage()
        );
        assert!(
            session.damage().iter().all(|damage| !damage.kind.loses_text()),
            "{name}: {:?}",
            session.damage()
        );
    }
}

#[test]
fn a_torn_last_line_is_told_apart() {
    let mut text = Log::new().user("x").text();
    text.push_str(r#"{"type":"message","id":"2","par"#);
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(damage(&session), [(3, DamageKind::TornLastLine)]);
    assert_eq!(
        damage(&read_fixture("damaged/torn.jsonl")).last().unwrap().1,
        DamageKind::TornLastLine
    );
}

#[test]
fn an_omp_title_slot_is_no_entry() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    assert_eq!(session.damage(), []);
    assert!(session.title().is_some());
    assert!(session.indices().all(|entry| session.entry_type(entry).unwrap() != "title"));
}
