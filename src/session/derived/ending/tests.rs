use std::fmt::Write as _;

use super::*;
use crate::session::digest::Digest;

fn session(rows: &[&str]) -> Session {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    for (nth, row) in rows.iter().enumerate() {
        let parent = if nth == 0 { "null".to_owned() } else { format!("\"{}\"", nth - 1) };
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{row}}}"
        );
    }
    crate::read(file.into_bytes()).unwrap()
}

fn of(rows: &[&str]) -> (Ending, String) {
    let session = session(rows);
    let ended = ended(&session, session.leaf()).unwrap();
    (ended.how, ended.text.text)
}

const PROMPT: &str = r#"{"role":"user","content":"do it"}"#;
const CALL: &str =
    r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}"#;
const PASSED: &str = r#"{"role":"toolResult","toolCallId":"c","toolName":"bash","content":"test result: ok. 3 passed; 0 failed"}"#;
const RESULT: &str = r#"{"role":"toolResult","toolCallId":"c","content":"x"}"#;

const BASH: &str = r#"{"role":"bashExecution","command":"git restore .","output":""}"#;

fn stopped_by(reason: &str) -> String {
    format!(
        r#"{{"role":"assistant","content":[{{"type":"text","text":"So far"}}],"stopReason":"{reason}"}}"#
    )
}

fn answer(text: &str) -> String {
    format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}]}}"#)
}

#[test]
fn each_ending_is_told_by_the_last_rows() {
    let done = answer("Done.");
    let asks = r#"{"role":"assistant","content":[{"type":"toolCall","id":"q","name":"AskUserQuestion","arguments":{}}]}"#;
    let failed =
        r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"Not Found"}"#;
    let aborted = r#"{"role":"assistant","content":[],"stopReason":"aborted"}"#;
    for (rows, how, text) in [
        (&[PROMPT, CALL, RESULT, &done][..], Ending::Answered, "Done."),
        (&[PROMPT, &answer("Which one?")], Ending::Question, "Which one?"),
        (&[PROMPT, asks], Ending::Question, ""),
        (&[PROMPT, failed], Ending::Failed, "Not Found"),
        (&[PROMPT, &done, PROMPT, aborted], Ending::Stopped, "Done."),
        (&[PROMPT, CALL], Ending::CutOff, ""),
        (&[PROMPT, &done, PROMPT, CALL, RESULT], Ending::CutOff, "Done."),
        (&[PROMPT, &done, PROMPT], Ending::CutOff, "Done."),
        (&[PROMPT, &done, BASH], Ending::Command, "Done."),
        (&[PROMPT, &stopped_by("length")], Ending::LengthLimit, "So far"),
        (&[PROMPT, &stopped_by("refusal")], Ending::Refused, "So far"),
        (
            &[PROMPT, &answer("Read v1.2. It works! Shall I go on…"), PROMPT, &answer("👍")],
            Ending::Answered,
            "Shall I go on… 👍",
        ),
        (&[PROMPT, &answer("👍")], Ending::Answered, "👍"),
    ] {
        assert_eq!(of(rows), (how, text.to_owned()), "{rows:?}");
    }
}

#[test]
fn a_signal_stops_what_was_open() {
    let exit = r#"{"type":"custom","id":"x","parentId":"1","customType":"session_exit","data":{"reason":"sigint","kind":"signal"}}"#;
    let told = r#"{"type":"custom_message","id":"t","parentId":"1","customType":"redirect","content":"go on"}"#;
    let failed =
        r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"a loop"}"#;
    let aborted = r#"{"role":"toolResult","toolCallId":"c","content":"aborted","isError":true}"#;
    let done = answer("Done.");
    let row = |id: &str, parent: &str, message: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{message}}}"#)
    };
    let told_then_exit = format!("{told}\n{}", exit.replace("\"1\"", "\"t\""));
    let with_result = format!("{exit}\n{}", row("2", "x", aborted));
    let resumed = format!("{exit}\n{}", row("2", "x", PROMPT));
    for (last, more, how) in [
        (CALL, &with_result, Ending::Stopped),
        (CALL, &exit.to_owned(), Ending::Stopped),
        (failed, &told_then_exit, Ending::Stopped),
        (failed, &exit.to_owned(), Ending::Failed),
        (&done, &exit.to_owned(), Ending::Answered),
        (CALL, &resumed, Ending::CutOff),
    ] {
        let file = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n{}\n{}\n{more}\n",
            row("0", "-", PROMPT).replace("\"-\"", "null"),
            row("1", "0", last)
        );
        let session = crate::read(file.into_bytes()).unwrap();
        assert_eq!(ended(&session, session.leaf()).unwrap().how, how, "{last} {more}");
    }
}

#[test]
fn an_end_that_was_removed_is_not_told() {
    for last in [PROMPT.to_owned(), answer("Done.")] {
        let file = format!(
            r#"{{"type":"session","version":3,"id":"s"}}
{{"type":"message","id":"a","parentId":null,"message":{last}}}
{{"type":"leafpress_omitted","id":"b","parentId":"a","count":1,"quiet":true}}"#
        );
        let session = crate::read(file.into_bytes()).unwrap();
        assert_eq!(ended(&session, session.leaf()), None, "{last}");
    }
}

/// What the head says beside "answered".
fn before(rows: &[&str]) -> String {
    let session = session(rows);
    let digest = Digest::read(&session);
    let how = ended(&session, session.leaf()).unwrap().how;
    digest.befores.words(session.leaf(), how)
}

#[test]
fn an_answer_does_not_hide_what_came_before() {
    let done = answer("Done.");
    let aborted = r#"{"role":"assistant","content":[],"stopReason":"aborted"}"#;
    let run = |command: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"bash","arguments":{{"command":"{command}"}}}}]}}"#
        )
    };
    let failed = r#"{"role":"toolResult","toolCallId":"c","toolName":"bash","content":"no\n\nCommand exited with code 101","isError":true}"#;
    let tests = &run("cargo test");
    let build = &run("make");
    for (rows, expected) in [
        (&[PROMPT, build, RESULT, &done][..], ""),
        (&[PROMPT, build, failed, &done], "after 1 failure"),
        (&[PROMPT, build, failed, build, failed, &done, PROMPT, &done], "after 2 failures"),
        (&[PROMPT, build, failed, build, RESULT, &done], ""),
        (&[PROMPT, build, failed, &done, PROMPT, &done, PROMPT, &done], ""),
        (&[PROMPT, tests, failed, build, RESULT, &done], "tests failed last"),
        (&[PROMPT, tests, failed, &done, PROMPT, tests, PASSED, &done], ""),
        (&[PROMPT, aborted, PROMPT, &done], "stopped before"),
        (&[PROMPT, build, failed, aborted], ""),
    ] {
        assert_eq!(before(rows), expected, "{rows:?}");
    }
}
