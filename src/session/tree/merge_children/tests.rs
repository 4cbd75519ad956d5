//! Limits, and trees of children too wide or too deep for anything that grows faster than they do.

use super::*;
use crate::session::tree::build::RawEntry;
use crate::session::tree::build::SessionBuilder;
use crate::session::tree::index::EntryIndex;

/// Entries `1`, `2`, … one below the other.
fn chain(entries: usize) -> Session {
    chain_of(entries, 0)
}

/// The same with something of its own: sessions alike are shown once.
fn chain_of(entries: usize, nth: usize) -> Session {
    let mut builder = SessionBuilder::new(Vec::new(), vec![format!(r#"{{"type":"x","n":{nth}}}"#)]);
    for number in 1..=entries {
        builder.push(RawEntry {
            id: number.to_string(),
            parent_id: (number > 1).then(|| (number - 1).to_string()),
            entry_type: "x".to_owned(),
            time: None,
            line: 1,
            place: Place::Repaired(0),
        });
    }
    builder.link().unwrap()
}

fn child(key: &str, started_by: &str, session: Session) -> Child {
    Child { session: Ok(Box::new(session)), ..missing(key, started_by, "") }
}

fn missing(key: &str, started_by: &str, reason: &str) -> Child {
    Child {
        key: key.to_owned(),
        agent: None,
        task: None,
        started_by: Some(started_by.to_owned()),
        session: Err(reason.to_owned()),
    }
}

fn many(count: usize, entries: usize) -> Vec<Child> {
    (1..=count).map(|nth| child(&format!("c{nth}"), "2", chain(entries))).collect()
}

const NONE: Limits =
    Limits { entries: usize::MAX, sessions: usize::MAX, key_bytes: usize::MAX, alike: usize::MAX };

/// The name, starter and reason of each that is not shown.
fn stubs(session: &Session) -> Vec<(&str, String, &str)> {
    let subs = session.sub_sessions().iter();
    subs.filter_map(|sub| {
        Some((sub.name(), session.key_at(sub.started_by), sub.missing.as_deref()?))
    })
    .collect()
}

fn shown(session: &Session) -> Vec<&str> {
    let subs = session.sub_sessions().iter().filter(|sub| sub.missing.is_none());
    subs.map(|sub| sub.key.as_str()).collect()
}

#[test]
fn entries_over_the_limit_are_left_out_where_they_would_hang() {
    let limits = Limits { entries: 7, ..NONE };
    let mut children = many(2, 3);
    children.insert(1, child("big", "1", chain(5)));
    let session = chain(2).with_children_within(children, limits);
    assert_eq!(shown(&session), ["c1", "c2"], "what is small enough comes in behind it");
    let reason = "not included: a page shows at most 7 entries of sub-agent sessions";
    assert_eq!(stubs(&session), [("big", "1".to_owned(), reason)]);
    let entry = session.find("big/missing").unwrap();
    assert!(session.raw_at(entry).contains(reason));
}

#[test]
fn sessions_over_the_limit_are_left_out_with_those_within_them() {
    let limits = Limits { sessions: 2, ..NONE };
    let inner = chain(1).linked(vec![child("a", "1", chain(2)), missing("b", "1", "gone")]);
    let mut children = many(2, 1);
    children.push(child("outer", "1", inner));
    let session = chain(2).with_children_within(children, limits);
    assert_eq!(shown(&session), ["c1", "c2"]);
    assert_eq!(
        stubs(&session),
        [(
            "outer",
            "1".to_owned(),
            "not included, with the 2 inside it: a page shows at most 2 sub-agent sessions"
        )]
    );
    assert_eq!(
        session.notes(),
        [
            "3 sub-agent sessions with 3 entries not included: a page shows at most 2 sub-agent sessions"
        ]
    );
}

#[test]
fn a_child_whose_own_are_merged_counts_with_them() {
    let limits = Limits { sessions: 3, ..NONE };
    let whole = chain(1).with_children(many(3, 1));
    let session = chain(2).with_children_within(vec![child("c", "1", whole)], limits);
    assert_eq!(shown(&session), [""; 0]);
    assert_eq!(session.notes().len(), 1);
    assert!(session.notes()[0].starts_with("4 sub-agent sessions with 4 entries not included"));
}

#[test]
fn keys_over_the_limit_are_left_out() {
    let limits = Limits { key_bytes: 20, ..NONE };
    let deepest = chain(2).linked(vec![child("c", "1", chain(2))]);
    let session = chain(1).linked(vec![child("b", "1", deepest)]);
    let session = chain(1).with_children_within(vec![child("a", "1", session)], limits);
    assert_eq!(shown(&session), ["a", "a/b", "a/b/c"]);
    let deepest = chain(2).linked(vec![child("c", "1", chain(3))]);
    let session = chain(1).linked(vec![child("b", "1", deepest)]);
    let session = chain(1).with_children_within(vec![child("a", "1", session)], limits);
    assert_eq!(shown(&session), ["a", "a/b"]);
    let (name, starter, reason) = stubs(&session).remove(0);
    assert_eq!((name, starter.as_str()), ("c", "a/b/1"));
    assert!(reason.starts_with("not included: a page holds at most 20 bytes of keys"), "{reason}");
    assert!(Limits::default().of_key_bytes().contains("64 MB"));
}

#[test]
fn of_many_the_first_have_a_place_and_the_rest_is_counted() {
    let limits = Limits { sessions: 4, alike: 2, ..NONE };
    let session = chain(2).with_children_within(many(10_000, 3), limits);
    assert_eq!(shown(&session).len(), 4);
    let told: Vec<_> =
        stubs(&session).into_iter().map(|(name, _, reason)| (name, reason)).collect();
    let reason = "not included: a page shows at most 4 sub-agent sessions";
    assert_eq!(
        told,
        [
            ("c5", reason),
            ("c6", reason),
            (
                "9,994 more sub-agent sessions",
                "not included, with 29,982 entries: a page shows at most 4 sub-agent sessions"
            ),
        ]
    );
    assert_eq!(session.find("left-out/missing"), session.indices().next_back());
    assert_eq!(
        session.notes(),
        [
            "9,996 sub-agent sessions with 29,988 entries not included: a page shows at most 4 sub-agent sessions"
        ]
    );
}

#[test]
fn missing_ones_are_counted_by_their_reasons() {
    let limits = Limits { alike: 1, ..NONE };
    let children = ["gone", "torn", "gone", "gone"].iter().zip(1..);
    let children = children.map(|(reason, nth)| missing(&format!("c{nth}"), "2", reason)).collect();
    let session = chain(2).with_children_within(children, limits);
    let told: Vec<_> =
        stubs(&session).into_iter().map(|(name, _, reason)| (name, reason)).collect();
    assert_eq!(told, [("c1", "gone"), ("c2", "torn"), ("2 more sub-agent sessions", "gone")]);
    assert_eq!(session.notes(), ["3 sub-agent sessions not included: gone"]);
}

/// Each started by the one before it.
fn deep(depth: usize) -> Session {
    let mut session = chain(1);
    for nth in 1..=depth {
        session = chain_of(1, nth).linked(vec![child("S", "1", session)]);
    }
    session
}

#[test]
fn a_deep_chain_is_dropped_without_recursion() {
    drop(deep(200_000));
    drop(child("S", "1", deep(200_000)));
    assert_eq!(deep(200_000).without_children().len(), 1);
}

#[test]
fn a_deep_chain_is_shown_as_far_as_its_keys_allow() {
    let session = deep(200_000).with_merged_children();
    let depth = shown(&session).len();
    // Keys of 2, 4, 6 … bytes less one.
    assert!(depth * depth <= 64 << 20 && (depth + 2) * (depth + 2) > 64 << 20, "{depth}");
    assert_eq!(stubs(&session).len(), 1);
    assert!(
        session.notes()[0].starts_with(&crate::session::texts::text::counted(
            200_000 - depth,
            "sub-agent session"
        ))
    );
    assert_eq!(session.len(), depth + 2);
}

#[test]
fn children_without_a_starter_do_not_look_for_the_root_each() {
    let mut builder = SessionBuilder::new(Vec::new(), vec![r#"{"type":"x"}"#.to_owned()]);
    for number in 0..50_000 {
        builder.push(RawEntry {
            id: number.to_string(),
            parent_id: (number < 49_999).then(|| (number + 1).to_string()),
            entry_type: "x".to_owned(),
            time: None,
            line: 1,
            place: Place::Repaired(0),
        });
    }
    let children = (0..10_000).map(|nth| child(&nth.to_string(), "nobody", chain(1)));
    let session = builder.link().unwrap().with_children(children.collect());
    assert!(session.sub_sessions().iter().all(|sub| sub.started_by == EntryIndex::new(49_999)));
}
