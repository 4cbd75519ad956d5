//! What `gemini --output-format stream-json` prints.

use leafpress::session::EntryIndex;
use leafpress::session::message::joined_text;
use leafpress::session::{DamageKind, Format, Kind};

use crate::support::session::{assistant, fixture, read_fixture, tool_result};

const RUN: &str = "samples/gemini/run.jsonl";

#[test]
fn a_run_is_a_prompt_responses_calls_and_its_end() {
    let session = read_fixture(RUN);
    assert_eq!(session.format(), Format::Gemini);
    assert_eq!(session.header().id, "0c0ffee0-run");
    let kinds: Vec<(&str, Kind)> = session
        .own_indices()
        .map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body)))
        .collect();
    assert_eq!(
        kinds,
        [
            ("line-2", Kind::User),
            ("line-3", Kind::Assistant),
            ("line-7", Kind::ToolResult),
            ("line-8", Kind::ToolResult),
            ("line-9", Kind::CustomMessage),
            ("line-10", Kind::Assistant),
            ("line-11#usage", Kind::Usage),
            ("line-11#usage2", Kind::Usage),
            ("line-11", Kind::CustomMessage),
        ]
    );
    let first = assistant(&session, "line-3");
    assert_eq!(joined_text(&first.content, ""), "I cut two bows.");
    assert_eq!(first.calls().count(), 2);
    let failed = tool_result(&session, "line-8");
    let said = "No match for old_string. Read the file first.";
    assert_eq!((failed.is_error, joined_text(&failed.content, "|").as_str()), (true, said));
    assert!(session.damage().is_empty());
}

#[test]
fn the_last_row_states_tokens_and_the_end() {
    let session = read_fixture(RUN);
    let stats = leafpress::report::stats(&session);
    let json = serde_json::to_value(&stats).unwrap();
    let usage = &json["total"]["usage"];
    let count = |key: &str| usage[key].as_f64().unwrap();
    assert_eq!(
        format!("{:?}", [count("input"), count("cacheRead"), count("output")]),
        "[400.0, 300.0, 20.0]"
    );
    assert_eq!(json["ended"], "answered");
    let text = String::from_utf8(fixture(RUN)).unwrap();
    let ended = |rows: Vec<&str>| {
        let session = leafpress::read(rows.join("\n").into_bytes()).unwrap();
        serde_json::to_value(leafpress::report::stats(&session)).unwrap()["ended"].clone()
    };
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(ended(rows[..10].to_vec()), "cut-off", "no last row");
    let failure = r#"{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: 400]"},"stats":{}}"#;
    assert_eq!(ended([&rows[..2], &[failure]].concat()), "failed");
}

#[test]
fn a_stream_that_is_cut_is_read_up_to_there() {
    let text = String::from_utf8(fixture(RUN)).unwrap();
    let end = text.find("bows = 7").unwrap();
    let session = leafpress::read(text.as_bytes()[..end].to_vec()).unwrap();
    assert_eq!(assistant(&session, "line-3").calls().count(), 1);
    assert!(session.damage().iter().any(|one| one.kind == DamageKind::TornLastLine));
    let behind = text.split_once('\n').unwrap().1.split_once('\n').unwrap().1;
    let session = leafpress::read(behind.as_bytes().to_vec()).unwrap();
    assert_eq!(
        (session.format(), session.id(EntryIndex::new(0)).unwrap()),
        (Format::Gemini, "no-prompt")
    );
}

#[test]
fn the_answer_alone_is_refused_with_what_it_is() {
    for answer in [
        r#"{"session_id":"s","response":"Done.","stats":{"models":{}}}"#,
        r#"{"session_id":"s","error":{"type":"Error","message":"400","code":400}}"#,
    ] {
        let error = leafpress::read(answer.as_bytes().to_vec()).unwrap_err().to_string();
        assert!(error.contains("the final answer of a run"), "{error}");
    }
}
