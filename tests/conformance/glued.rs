//! Several values on one line: a file that is one line, or whose lines end in CR.

use std::collections::HashSet;

use leafpress::Session;
use leafpress::session::{DamageKind, Kind};
use serde_json::json;

use crate::support::session::{fixture, ids, read_fixture};

/// JSON lines of every format.
const SAMPLES: [&str; 11] = [
    "samples/pi-1.5-main.jsonl",
    "samples/pi-1.5-v2.jsonl",
    "samples/omp-18-main.jsonl",
    "samples/omp-18-tree.jsonl",
    "samples/pi-harness/v3-leaf.jsonl",
    "samples/pi-harness/v3-compaction.jsonl",
    "samples/pi-harness/v4-lanes.jsonl",
    "samples/pi-proposal/session.jsonl",
    "samples/chimera/session.jsonl",
    "samples/codex/rollout.jsonl",
    "samples/codex/oldest.jsonl",
];

fn said(session: &Session) -> Vec<(Kind, String)> {
    let context = leafpress::report::context(session, session.leaf()).unwrap();
    let texts = context.messages.iter().map(|message| message.text.clone());
    let kinds =
        session.indices().map(|at| (Kind::of(&session.entry(at).unwrap().body), String::new()));
    kinds.chain(texts.map(|text| (Kind::User, text))).collect()
}

#[test]
fn a_file_that_is_one_line_is_read_like_any_other() {
    for name in SAMPLES {
        let text = String::from_utf8(fixture(name)).unwrap();
        let plain = leafpress::read(text.clone().into_bytes()).unwrap();
        for between in ["", "\r", " "] {
            let one_line = text.trim_end().replace("\r\n", "\n").replace('\n', between);
            let session = leafpress::read(one_line.into_bytes()).unwrap();
            let told = format!("{name} with {between:?}");
            assert_eq!(session.format(), plain.format(), "{told}");
            assert_eq!(said(&session), said(&plain), "{told}");
            let shape = |session: &Session| {
                let tree = session.tree();
                session.indices().map(|at| tree.parent(at)).collect::<Vec<_>>()
            };
            assert_eq!(shape(&session), shape(&plain), "{told}");
            let unique: HashSet<&str> =
                session.indices().map(|at| session.id(at).unwrap()).collect();
            assert_eq!(unique.len(), plain.len(), "{told}");
            let odd = |d: &&leafpress::session::Damage| {
                matches!(d.kind, DamageKind::Cycle | DamageKind::DuplicateId { .. })
            };
            assert_eq!(
                session.damage().iter().filter(odd).count(),
                plain.damage().iter().filter(odd).count(),
                "{told}"
            );
        }
    }
}

#[test]
fn values_that_share_a_line_have_ids_of_their_own() {
    let session = read_fixture("damaged/glued-codex.jsonl");
    let path = ids(&session, session.tree().path(session.leaf()));
    assert_eq!(path, ["line-2", "line-3", "line-3.2", "line-3.3", "line-4", "line-5"]);
    let kinds: Vec<DamageKind> = session.damage().iter().map(|damage| damage.kind).collect();
    assert_eq!(kinds, [DamageKind::Glued]);
}

#[test]
fn a_torn_value_between_others_takes_none_with_it() {
    let entry = |id: usize| {
        let parent = id.checked_sub(1).map(|id| id.to_string());
        json!({"type": "message", "id": id.to_string(), "parentId": parent, "message": {"role": "user", "content": "hello"}})
            .to_string()
    };
    // More than any count of attempts, and work that grows with the square would not end.
    let count = 30_000;
    let mut line = String::from("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}");
    for id in 0..count {
        let whole = entry(id);
        line.push_str(&whole[..whole.len() / 2]);
        line.push_str(&whole);
    }
    let session = leafpress::read(line.into_bytes()).unwrap();
    assert_eq!(session.len(), count);
    assert_eq!(session.tree().path(session.leaf()).len(), count);

    // CR ends lines, so what is broken ends there, however it goes on.
    let text = [entry(0), "{\"torn\":\"he".to_owned(), entry(1), entry(2)].join("\r");
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(ids(&session, session.indices()), ["0", "1", "2"]);
}

#[test]
fn what_never_ends_is_given_up_in_linear_time() {
    let line = "{\"type\":\"message\",\"parentId\":\"x\",\"a\":".repeat(3_000);
    let session = leafpress::read(
        format!("{{\"type\":\"message\",\"id\":\"a\",\"parentId\":null}}\n{line}").into_bytes(),
    );
    assert_eq!(session.unwrap().len(), 1);
}

#[test]
fn a_list_of_version_1_on_one_line_is_linear() {
    // Each id once took as many hashes as there were values before it: 1.8 thousand million.
    let header = r#"{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}"#;
    let entry = r#"{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}"#;
    let count = 60_000;
    let text = format!("{header}\r{}", [entry].repeat(count).join("\r"));
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(session.len(), count);
    assert_eq!(session.tree().path(session.leaf()).len(), count);
}
