//! What was left out gives no landmark, and no message of a failure.

use leafpress::Session;
use leafpress::cut::Cut;
use leafpress::report::{StatsReport, stats};
use leafpress::session::Kind;

use crate::cut::cases::{assert_gone, cut_with};

/// A commit, a pull request and a test run; a call and a response that failed.
fn session() -> Session {
    let call = |id: &str, parent: &str, command: &str, output: &str, is_error: bool| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{id}","name":"bash","arguments":{{"command":"{command}"}}}}],"stopReason":"toolUse"}}}}
{{"type":"message","id":"r{id}","parentId":"{id}","message":{{"role":"toolResult","toolCallId":"c{id}","toolName":"bash","content":[{{"type":"text","text":"{output}"}}],"isError":{is_error}}}}}
"#
        )
    };
    let lines = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/w"}
{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":"go"}}
"#
        .to_owned(),
        call("a", "u", "git commit", "[main 1a2b3c4] Qzxmarksubject", false),
        call("b", "ra", "gh pr create", "https://Qzxmarkhost/o/r/pull/7", false),
        call("d", "rb", "cargo test", "Qzxmarkfailed\\nCommand exited with code 1", true),
        r#"{"type":"message","id":"e","parentId":"rd","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"Qzxmarkerror"}}
"#
        .to_owned(),
    ];
    leafpress::read(lines.concat().into_bytes()).unwrap()
}

/// The kinds of landmarks, and the tool and the text of failures.
fn told(report: &StatsReport) -> (Vec<&'static str>, Vec<(&str, &str)>) {
    let landmarks = report.landmarks.iter().map(|landmark| landmark.kind.name());
    let failures = report.failure_list.iter().map(|failed| {
        (if failed.tool.is_some() { "tool" } else { "response" }, failed.text.as_str())
    });
    (landmarks.collect(), failures.collect())
}

#[test]
fn all_is_told_of_the_whole_session() {
    let report = stats(&session());
    let (landmarks, failures) = told(&report);
    assert_eq!(landmarks, ["commit", "pull-request", "test"]);
    assert_eq!(failures, [("tool", "Qzxmarkfailed"), ("response", "Qzxmarkerror")]);
}

#[test]
fn without_output_there_is_no_proof() {
    let set = |_: &Session, cut: &mut Cut| cut.without_tool_output = true;
    assert_gone("output", session, set, &["subject", "host", "failed", "error"]);
    let report = stats(&cut_with(session(), set));
    let (landmarks, failures) = told(&report);
    assert!(
        !landmarks.contains(&"commit") && !landmarks.contains(&"pull-request"),
        "{landmarks:?}"
    );
    assert!(!failures.iter().any(|(_, text)| text.contains("Qzxmarkfailed")), "{failures:?}");
}

#[test]
fn what_is_not_on_the_page_did_nothing() {
    let only = |_: &Session, cut: &mut Cut| cut.only = Some(vec![Kind::User]);
    assert_gone("only", session, only, &["subject", "host", "failed", "error"]);
    let report = stats(&cut_with(session(), only));
    assert_eq!(told(&report), (vec![], vec![]));
    let before = |session: &Session, cut: &mut Cut| cut.to = session.find("ra");
    let report = stats(&cut_with(session(), before));
    assert_eq!(told(&report), (vec!["commit"], vec![]));
}
