//! L8 and L9: the samples of the newer and the older layout.

use leafpress::session::EntryIndex;
use leafpress::session::message::{Assistant, Message};
use leafpress::session::{Body, DamageKind, Format};

use super::{FOLDER, compaction, forks, path, uuid};
use crate::support::session::{assistant, index, read_fixture, seen, tool_result};

#[test]
fn l8_the_newer_layout() {
    let session = read_fixture(&format!("{FOLDER}/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl"));
    assert_eq!(session.format(), Format::ClaudeCode);
    assert_eq!(session.title(), Some("Leap-day fix"));
    let node = |number| index(&session, &uuid(number));
    assert_eq!(session.leaf(), node(22));

    // The path of the expectation, with the results put in line: 7 stands between 6 and 8.
    let bridged = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22];
    let mut expected: Vec<EntryIndex> = bridged.map(node).to_vec();
    expected.dedup();
    assert_eq!(session.tree().path(session.leaf()), expected);
    assert_eq!(forks(&session), [uuid(10)], "the fork at 5 is artificial");
    assert_eq!(session.tree().roots().len(), 1, "17 is joined by its logical parent");
    assert!([3, 4, 5, 6].map(node).iter().all(|&entry| entry == node(3)), "one response");

    let answers: Vec<Assistant<'_>> = session
        .indices()
        .filter_map(|entry| match session.entry(entry).unwrap().body {
            Body::Message(Message::Assistant(assistant)) => Some(assistant),
            _ => None,
        })
        .collect();
    let outputs: Vec<f64> = answers.iter().filter_map(|a| Some(a.usage?.output)).collect();
    assert_eq!(outputs, [60.0, 15.0, 4.0, 0.0, 9.0, 2.0], "six responses, each counted once");
    assert!(assistant(&session, &uuid(14)).stopped_by("error"));
    assert_eq!(tool_result(&session, &uuid(7)).name.as_deref(), Some("Grep"));

    let summary = compaction(&session, &uuid(17));
    assert!(summary.summary.ends_with("the leap-day test was fixed."));
    assert_eq!((summary.tokens_before, summary.first_kept_id), (Some(42110.0), None));
    let context = seen(&session, &uuid(22));
    assert_eq!(context.len(), 4, "{context:?}");
    assert!(context[0].starts_with("compactionSummary "));
    assert_eq!(context[3], "assistant Yes.");
}

#[test]
fn l9_the_older_layout() {
    let session = read_fixture(&format!("{FOLDER}/11111111-2222-4333-8444-555555555555.jsonl"));
    assert_eq!(path(&session), [201, 202, 207, 208, 209, 210].map(uuid));
    assert_eq!(session.own_len(), 6, "the sidechain is a session of its own");
    assert_eq!(session.index_of(&uuid(203)), None);
    assert_eq!(session.title(), None, "the summary names a conversation of another file");
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(damage, [(10, DamageKind::NotJson)]);
}
