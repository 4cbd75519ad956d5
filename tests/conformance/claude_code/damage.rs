//! Orphans, circles, wrong types, files cut anywhere.

use leafpress::format::{Beside, read_with};
use leafpress::session::{DamageKind, Dialect};
use serde_json::json;

use super::{Lines, answers, calls, prompt};
use crate::support::{pointers, seen};

#[test]
fn orphans_circles_and_ids_used_twice_are_said() {
    let session = Lines::default()
        .under("u3", prompt("a"))
        .under("u1", prompt("b"))
        .under("u2", prompt("c"))
        .under("gone", prompt("d"))
        .line(json!({"type": "user", "uuid": "u4", "parentUuid": "gone", "message": {"content": "d, written anew"}}))
        .line(json!({"type": "user", "uuid": "u6", "parentUuid": "u6", "message": {"content": "its own parent"}}))
        .read();
    let has = |kind: fn(&DamageKind) -> bool| session.damage().iter().any(|d| kind(&d.kind));
    assert!(has(|kind| *kind == DamageKind::Cycle));
    assert!(has(|kind| *kind == DamageKind::JoinedBefore));
    assert!(has(|kind| matches!(kind, DamageKind::DuplicateId { earlier: 4 })));
    let texts: Vec<String> = ["u1", "u2", "u3", "u4", "u6"]
        .map(|id| seen(&session, id).last().cloned().unwrap_or_default())
        .to_vec();
    assert_eq!(
        texts,
        ["user a", "user b", "user c", "user d, written anew", "user its own parent"]
    );
}

#[test]
fn a_line_whose_parent_is_elsewhere_joins_the_line_before() {
    let of = |session: &str, is_sidechain: bool, text: &str| {
        let mut line = prompt(text);
        line["sessionId"] = json!(session);
        line["isSidechain"] = json!(is_sidechain);
        line
    };
    let session = Lines::default()
        .under("before the file", prompt("a"))
        .user("b")
        .under("gone", prompt("c"))
        .user("d")
        .under("gone too", of("other", false, "e"))
        .read();
    let ids = |leaf: &str| seen(&session, leaf);
    assert_eq!(ids("u4"), ["user a", "user b", "user c", "user d"]);
    assert_eq!(ids("u5"), ["user e"], "of another session");
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(
        damage,
        [
            (1, DamageKind::MissingParent),
            (3, DamageKind::JoinedBefore),
            (5, DamageKind::MissingParent)
        ]
    );
    let aside = Lines::default().user("a").under("gone", of("s", true, "b")).user("c").read();
    assert!(aside.damage().iter().all(|damage| damage.kind != DamageKind::JoinedBefore));
}

#[test]
fn wrong_types_everywhere_are_read_and_no_line_is_lost() {
    let values = [json!(null), json!(7), json!("x"), json!([1, "a"]), json!({"a": 1}), json!(true)];
    let whole = [
        prompt("go"),
        calls("m1", "a"),
        answers("a", "A"),
        json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"preTokens": 1}}),
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "p"}}),
    ];
    let lines = || whole.iter().cloned().fold(Lines::default(), Lines::line);
    for at in 0..whole.len() {
        for pointer in pointers(&lines().lines[at], "") {
            for value in &values {
                let mut broken = lines();
                *broken.lines[at].pointer_mut(&pointer).unwrap() = value.clone();
                let session = read_with(
                    broken.text().into_bytes(),
                    Some(Dialect::ClaudeCode),
                    &Beside::default(),
                )
                .unwrap();
                for entry in 0..session.len() {
                    session.entry(entry);
                }
                let shown = session.len() + session.aliases().len() + session.notes().len();
                assert!(shown + session.damage().len() >= whole.len(), "{pointer} {value}");
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_still_reads() {
    let text =
        Lines::default().user("go").calls("m1", "a").answers("a", "A").says("m2", "done").text();
    for end in 0..text.len() {
        let _ = read_with(
            text.as_bytes()[..end].to_vec(),
            Some(Dialect::ClaudeCode),
            &Beside::default(),
        );
    }
}

#[test]
fn the_order_of_lines_may_be_any() {
    let lines = Lines::default()
        .user("go")
        .calls("m1", "a")
        .answers("a", "A")
        .says("m2", "done")
        .user("more")
        .says("m3", "2");
    let count = lines.lines.len();
    for shift in 0..count {
        for step in [1, 5] {
            let order = (0..count).map(|at| (at * step + shift) % count);
            let lines = Lines { lines: order.map(|at| lines.lines[at].clone()).collect() };
            assert_eq!(lines.read().len(), count);
        }
    }
}
