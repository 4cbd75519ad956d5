//! Orphans, circles, wrong types, files cut anywhere.

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::{DamageKind, Format};
use serde_json::json;

use super::{Lines, answers, calls, path, prompt};
use crate::support::session::{pointers, seen};

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
                    Some(Format::ClaudeCode),
                    &ReadOptions::default(),
                )
                .unwrap();
                for entry in session.indices() {
                    session.entry(entry).unwrap();
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
            Some(Format::ClaudeCode),
            &ReadOptions::default(),
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

#[test]
fn values_on_one_line_have_ids_of_their_own() {
    let line = |role: &str, text: &str| {
        json!({"type": role, "sessionId": "s", "parentUuid": null,
            "message": {"role": role, "content": text}})
        .to_string()
    };
    let glued = [line("assistant", "1"), line("user", "two"), line("assistant", "2")].concat();
    let text = [line("user", "one"), glued, line("user", "three")].join("\n");
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(path(&session), ["line-1", "line-2", "line-2.2", "line-2.3", "line-3"]);
    assert_eq!(
        seen(&session, "line-3"),
        ["user one", "assistant 1", "user two", "assistant 2", "user three"]
    );
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(damage, [(2, DamageKind::Glued)]);
}

/// The path, and what was wrong, when one line of a session cannot be read.
fn without_line(lines: &Lines, lost: usize) -> (Vec<String>, Vec<DamageKind>) {
    let text = lines.text();
    let mut text: Vec<&str> = text.lines().collect();
    text[lost] = "{\"parentUuid\": \"u";
    text.push("");
    let session = leafpress::read(text.join("\n").into_bytes()).unwrap();
    let kinds = session.damage().iter().map(|damage| damage.kind).collect();
    (path(&session).into_iter().map(str::to_owned).collect(), kinds)
}

#[test]
fn a_line_that_was_lost_does_not_cut_the_path() {
    for is_sidechain in [false, true] {
        let mut lines = Lines::default()
            .user("go")
            .calls("m1", "a")
            .answers("a", "A")
            .says("m2", "done")
            .user("more")
            .says("m3", "2");
        for line in &mut lines.lines {
            line["isSidechain"] = json!(is_sidechain);
            line["agentId"] = if is_sidechain { json!("a1") } else { json!(null) };
        }
        for lost in 1..5 {
            let (path, damage) = without_line(&lines, lost);
            assert_eq!(path.len(), 5, "line {} of {is_sidechain}: {path:?}", lost + 1);
            assert_eq!(damage, [DamageKind::NotJson, DamageKind::JoinedBefore]);
        }
    }
}

#[test]
fn a_lost_branch_point_still_parts() {
    let lines = Lines::default()
        .user("go")
        .says("m1", "1")
        .user("one way")
        .says("m2", "2")
        .under("u2", prompt("another way"))
        .says("m3", "3");
    let (path, _) = without_line(&lines, 1);
    assert_eq!(path, ["u1", "u5", "u6"]);
}

#[test]
fn a_lost_line_within_an_agents_lines_leaves_one_agent() {
    let text = |lost: Option<usize>| {
        let mut lines = Lines::default()
            .user("go")
            .line(json!({"type": "user", "parentUuid": null, "isSidechain": true, "message": {"content": "task"}}))
            .says("m2", "looking")
            .says("m3", "closer")
            .says("m4", "found");
        for line in &mut lines.lines[2..] {
            line["isSidechain"] = json!(true);
        }
        let text = lines.text();
        let mut text: Vec<&str> = text.lines().collect();
        if let Some(lost) = lost {
            text[lost] = "{";
        }
        text.join("\n") + "\n"
    };
    let whole = leafpress::read(text(None).into_bytes()).unwrap();
    assert_eq!((whole.sub_sessions().len(), whole.sub_sessions()[0].len), (1, 4));
    for lost in [2, 3] {
        let session = leafpress::read(text(Some(lost)).into_bytes()).unwrap();
        assert_eq!(session.sub_sessions().len(), 1, "line {}", lost + 1);
        assert_eq!(session.sub_sessions()[0].len, 3);
    }
}
