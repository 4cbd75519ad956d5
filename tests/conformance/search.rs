//! The grammar of a search, by the vectors that the page's script is held to as well.

use std::cell::LazyCell;

use leafpress::outline::{Membership, Query, Row, Subject};
use leafpress::session::Kind;
use leafpress::session::landmarks::{LandmarkKind, Notable};
use serde_json::Value;

use crate::support::session::{json_fixture, strings};

const KINDS: [Kind; 7] = [
    Kind::User,
    Kind::Assistant,
    Kind::ToolResult,
    Kind::Bash,
    Kind::System,
    Kind::Compaction,
    Kind::ModelChange,
];

fn row(entry: &Value) -> Row {
    let text = |key: &str| entry[key].as_str().unwrap().to_owned();
    let marks = entry["marks"].as_u64().unwrap();
    let notable = [LandmarkKind::Notable(Notable::Sudo)];
    let kinds = LandmarkKind::ALL.iter().copied().chain(notable);
    let bits = [64, 128, 256, 512, 1024].into_iter().zip(kinds);
    let landmarks = bits.filter(|(bit, _)| marks & bit != 0);
    Row {
        kind: KINDS.into_iter().find(|kind| entry["kind"] == kind.name()).unwrap(),
        text: text("text"),
        words: text("words"),
        membership: Membership::default(),
        lines: [0; 2],
        failed: marks & 4 != 0,
        stopped: marks & 4096 != 0,
        landmarks: landmarks.map(|(_, kind)| kind).collect(),
        is_landmark: marks & 2 != 0,
        tools: strings(&entry["tools"]).into_iter().map(str::to_owned).collect(),
    }
}

#[test]
fn queries_match_as_the_vectors_say() {
    let vectors = json_fixture("vectors/search.json");
    for case in vectors.as_array().unwrap() {
        let entry = &case["entry"];
        let subject = Subject {
            row: &row(entry),
            role: entry["role"].as_str(),
            label: entry["label"].as_str(),
            time: entry["time"].as_i64(),
            body: LazyCell::new(Box::new(|| entry["body"].as_str().unwrap().to_owned())),
        };
        let query = case["query"].as_str().unwrap();
        let matches = Query::new(query).matches(&subject);
        assert_eq!(matches, case["matches"].as_bool().unwrap(), "{query}: {}", case["note"]);
    }
    assert!(vectors.as_array().unwrap().len() >= 60);
}

#[test]
fn what_is_no_operator_is_told() {
    let vectors = json_fixture("vectors/search-advice.json");
    for case in vectors.as_array().unwrap() {
        let query = case["query"].as_str().unwrap();
        assert_eq!(leafpress::outline::advice(query), strings(&case["advice"]), "{query}");
    }
}
