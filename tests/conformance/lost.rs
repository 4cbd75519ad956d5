//! Entries that cannot be read never cut the path: what was below them hangs
//! from what they were below.

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::EntryIndex;
use leafpress::session::{DamageKind, Format};
use serde_json::json;

use crate::support::session::{Log, fixture, ids, read_fixture};

fn path(session: &Session) -> Vec<&str> {
    ids(session, session.tree().path(session.leaf()))
}

fn kinds(session: &Session) -> Vec<(u32, DamageKind)> {
    session.damage().iter().map(|damage| (damage.line, damage.kind)).collect()
}

fn roots(session: &Session) -> Vec<&str> {
    ids(session, session.tree().roots())
}

/// What becomes of a line.
type Break<'a> = &'a dyn Fn(&str) -> String;

/// A chain of entries `1` … `6`, with lines of the file made unreadable.
fn broken(lines: &[(usize, Break<'_>)]) -> Session {
    let mut log = Log::new();
    for number in 1..=6 {
        log = log.user(&format!("text {number}"));
    }
    let text = log.text();
    let mut all: Vec<String> = text.lines().map(str::to_owned).collect();
    for (number, damage) in lines {
        let line = &mut all[number - 1];
        *line = damage(line);
    }
    leafpress::read(all.join("\n").into_bytes()).unwrap()
}

#[test]
fn an_invalid_escape_loses_nothing() {
    let session = read_fixture("damaged/invalid-escape.jsonl");
    assert_eq!(path(&session), ["e1", "e2", "e3", "e4"]);
    assert_eq!(
        kinds(&session),
        [(3, DamageKind::InvalidEscape), (4, DamageKind::ControlCharacter)]
    );
    assert!(
        session.raw(EntryIndex::new(1)).unwrap().contains(r"mail\\***@***.***"),
        "{}",
        session.raw(EntryIndex::new(1)).unwrap()
    );
    assert!(!session.damage().iter().any(|damage| damage.kind.loses_text()));
}

#[test]
fn an_id_that_can_still_be_made_out_decides() {
    // Torn within its text: the id and the parent stand before.
    let session = broken(&[(4, &|line| line[..line.len() - 8].to_owned())]);
    assert_eq!(path(&session), ["1", "2", "4", "5", "6"]);
    assert_eq!(kinds(&session), [(4, DamageKind::NotJson), (5, DamageKind::LostParent)]);

    // Two in a row: from one to the other.
    let cut = |line: &str| line[..line.len() - 8].to_owned();
    let session = broken(&[(4, &cut), (5, &cut)]);
    assert_eq!(path(&session), ["1", "2", "5", "6"]);
}

#[test]
fn else_the_order_of_lines_does() {
    let zeros = |line: &str| "\0".repeat(line.len());
    let session = broken(&[(4, &zeros)]);
    assert_eq!(path(&session), ["1", "2", "4", "5", "6"]);
    let session = broken(&[(3, &zeros), (4, &|_| "{gone".to_owned())]);
    assert_eq!(path(&session), ["1", "4", "5", "6"]);
    // Nothing stands above the first.
    let session = broken(&[(2, &zeros)]);
    assert_eq!(path(&session), ["2", "3", "4", "5", "6"]);
    assert_eq!(kinds(&session), [(2, DamageKind::NotJson), (3, DamageKind::MissingParent)]);
}

#[test]
fn all_children_of_one_that_was_lost_stay_siblings() {
    let session = Log::new()
        .user("1")
        .line("{gone")
        .entry(json!({"type": "message", "id": "a", "parentId": "x", "message": {"role": "user", "content": "a"}}))
        .under(Some("a"))
        .entry(json!({"type": "message", "id": "b", "message": {"role": "user", "content": "b"}}))
        .under(Some("x"))
        .entry(json!({"type": "message", "id": "c", "message": {"role": "user", "content": "c"}}))
        .read();
    let parent = |id: &str| session.tree().parent(session.find(id).unwrap());
    assert_eq!(parent("a"), session.find("1"));
    assert_eq!(parent("c"), session.find("1"));
    assert_eq!(roots(&session), ["1"]);
}

#[test]
fn an_entry_whose_id_is_no_string_passes_its_children_on() {
    let session = Log::new()
        .user("1")
        .line(r#"{"type":"message","id":7,"parentId":"1","message":{"role":"user","content":"odd"}}"#)
        .line(r#"{"type":"message","id":"8","parentId":7,"message":{"role":"user","content":"after"}}"#)
        .read();
    assert_eq!(path(&session), ["1", "8"]);
    assert_eq!(kinds(&session), [(3, DamageKind::NoId), (4, DamageKind::LostParent)]);
}

#[test]
fn orphans_that_nothing_was_lost_above_stay_roots() {
    let orphan = |log: Log| {
        log.entry(json!({"type": "message", "parentId": "elsewhere", "message": {"role": "user", "content": "orphan"}}))
    };
    let session = orphan(Log::new().user("1").user("2")).user("4").read();
    assert_eq!(roots(&session), ["1", "3"]);
    // A line that was lost long before says nothing of it, one behind it neither.
    let session =
        orphan(Log::new().user("1").line("{gone").user("2")).user("4").line("{gone").read();
    assert_eq!(roots(&session), ["1", "3"]);
    // Nor does a line whose id can be made out, and is another.
    let torn = r#"{"type":"message","id":"other","parentId":"1","message":{"#;
    let session = orphan(Log::new().user("1").line(torn)).read();
    assert_eq!(roots(&session), ["1", "2"]);
}

#[test]
fn lost_entries_in_a_circle_end() {
    let torn = |id: &str, parent: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"#)
    };
    let mut log = Log::new().user("1").line(&torn("a", "b")).line(&torn("b", "a"));
    for _ in 0..3 {
        log = log.under(Some("a")).user("x");
    }
    let session = log.read();
    assert_eq!(session.len(), 4);
}

#[test]
fn every_format_whose_entries_name_their_parents_rejoins_them() {
    let samples = [
        ("samples/omp-18-main.jsonl", Format::Omp),
        ("samples/pi-1.5-main.jsonl", Format::Pi),
        ("samples/pi-harness/v3-leaf.jsonl", Format::PiHarness),
        ("samples/pi-harness/v4-lanes.jsonl", Format::PiHarness),
        ("samples/pi-proposal/session.jsonl", Format::PiProposal),
        ("samples/chimera/session.jsonl", Format::Chimera),
    ];
    for (name, format) in samples {
        let options = ReadOptions::new().without_children(true);
        let text = String::from_utf8(fixture(name)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let read = |text: String| read_with(text.into_bytes(), Some(format), &options).unwrap();
        let roots = read(text.clone()).tree().roots().count();
        // Each line in turn loses its end; the first may be the root of all.
        for lost in 3..lines.len() {
            let mut lines = lines.clone();
            lines[lost] = &lines[lost][..lines[lost].len() - 1];
            let session = read(lines.join("\n"));
            assert!(session.tree().roots().count() <= roots, "{name}, line {}", lost + 1);
        }
    }
}

#[test]
fn a_flue_entry_that_is_damaged_passes_its_children_on() {
    let text = String::from_utf8(fixture("samples/flue/session-v3.json")).unwrap();
    let whole = leafpress::read(text.clone().into_bytes()).unwrap();
    let second = whole.tree().path(whole.leaf())[1];
    let id = whole.id(second).unwrap();
    let damaged = text.replacen(&format!("\"id\": \"{id}\""), &format!("\"id\": \"{id}\" oops"), 1);
    assert_ne!(damaged, text);
    let session = leafpress::read(damaged.into_bytes()).unwrap();
    assert_eq!(session.len(), whole.len() - 1);
    assert_eq!(session.tree().roots().count(), whole.tree().roots().count());
    assert_eq!(path(&session)[0], whole.id(whole.tree().path(whole.leaf())[0]).unwrap());
}
