//! Section C, paths and trees.

use leafpress::session::DamageKind;
use leafpress::session::EntryIndex;
use leafpress::{Filter, report};
use serde_json::json;

use crate::support::session::{Log, ids, index, read_fixture};

#[test]
fn c2_to_c5_chains() {
    let session = Log::new()
        .user("1")
        .assistant("2")
        .entry(json!({"type": "thinking_level_change", "thinkingLevel": "high"}))
        .user("4")
        .read();
    let tree = session.tree();
    assert_eq!(ids(&session, tree.path(session.leaf())), ["1", "2", "3", "4"]);
    assert_eq!(ids(&session, tree.path(index(&session, "2"))), ["1", "2"]);
    assert_eq!(ids(&session, tree.roots()), ["1"]);
    assert_eq!(ids(&session, tree.children(index(&session, "1"))), ["2"]);
    assert_eq!(tree.children(session.leaf()).len(), 0);
}

#[test]
fn c6_to_c8_branches() {
    let session = Log::new()
        .user("1")
        .assistant("2")
        .user("3")
        .assistant("4")
        .under(Some("2"))
        .user("5")
        .assistant("6")
        .under(Some("5"))
        .assistant("7")
        .read();
    let children = |id| ids(&session, session.tree().children(index(&session, id)));
    assert_eq!(children("2"), ["3", "5"]);
    assert_eq!(children("5"), ["6", "7"]);
    assert_eq!(children("3"), ["4"]);
    assert_eq!(ids(&session, session.tree().branch_points()), ["2", "5"]);
    assert_eq!(ids(&session, session.tree().leaves()), ["4", "6", "7"]);
}

#[test]
fn c9_an_unknown_id_has_no_path() {
    // pi gives an empty path; here an unknown id is an error where it is named.
    let session = Log::new().user("1").read();
    assert_eq!(session.find("zzz"), None);
    assert_eq!(session.find(""), None);
}

#[test]
fn c10_c11_a_missing_parent_makes_a_root() {
    let session = Log::new()
        .user("1")
        .under(Some("missing"))
        .user("2")
        .line(
            r#"{"type":"message","id":"x","message":{"role":"user","content":"no parentId key"}}"#,
        )
        .read();
    assert_eq!(ids(&session, session.tree().roots()), ["1", "2", "x"]);
    assert_eq!(session.tree().path(index(&session, "2")).len(), 1);
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(damage, [(3, DamageKind::MissingParent)]);
}

#[test]
fn c12_c13_circles_are_cut_at_their_earliest_entry() {
    // pi does not end on these: it loops or loses the entries.
    let session = read_fixture("samples-2026-03/broken/pi-v3-cycles.jsonl");
    assert_eq!(ids(&session, session.tree().roots()), ["ab000001", "ab000003", "ab000004"]);
    let path = session.tree().path(index(&session, "ab000006"));
    assert_eq!(ids(&session, path), ["ab000004", "ab000005", "ab000006"]);
    let rows = report::tree(&session, session.leaf(), Filter::All, None).unwrap().rows;
    assert_eq!(rows.len(), session.len());
    let cycles: Vec<u32> =
        session.damage().iter().filter(|d| d.kind == DamageKind::Cycle).map(|d| d.line).collect();
    assert_eq!(cycles, [4, 5]);
}

#[test]
fn c14_c15_children_by_time_then_file_order() {
    let session = read_fixture("samples-2026-03/broken/pi-v3-edge-cases.jsonl");
    let children = session.tree().children(index(&session, "aa000001"));
    assert_eq!(ids(&session, children), ["aa000003", "aa000002"]);
    let same_time = |log: Log, text: &str| {
        log.under(Some("1"))
            .entry(json!({"type": "message", "timestamp": "2026-01-02T00:00:00.000Z",
            "message": {"role": "user", "content": text}}))
    };
    let session = same_time(same_time(Log::new().user("1"), "2"), "3").read();
    assert_eq!(ids(&session, session.tree().children(EntryIndex::new(0))), ["2", "3"]);
}

#[test]
fn c16_roots_stay_in_file_order() {
    let session = Log::new()
        .user("1")
        .under(None)
        .entry(json!({"type": "message", "timestamp": "2020-01-01T00:00:00.000Z", "message": {"role": "user", "content": "older"}}))
        .read();
    assert_eq!(ids(&session, session.tree().roots()), ["1", "2"]);
}

#[test]
fn d12_to_d14_labels() {
    let session = Log::new()
        .user("1")
        .label("1", "one")
        .label("1", "two")
        .label("gone", "x")
        .user("5")
        .label("5", "five")
        .label("5", "")
        .read();
    assert_eq!(session.label(EntryIndex::new(0)).map(|label| label.text.as_str()), Some("two"));
    assert_eq!(session.label(index(&session, "5")), None);
}

#[test]
fn every_filter_shows_something() {
    let session = read_fixture("samples/pi-1.5-main.jsonl");
    for filter in Filter::ALL.iter().copied() {
        let tree = report::tree(&session, session.leaf(), filter, None).unwrap();
        assert!(tree.shown > 0, "`{}` shows nothing", filter.name());
    }
}
