use std::fmt::Write as _;

use super::*;

fn of(rows: &[&str]) -> (Ending, String) {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    for (nth, row) in rows.iter().enumerate() {
        let parent = if nth == 0 { "null".to_owned() } else { format!("\"{}\"", nth - 1) };
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{row}}}"
        );
    }
    let session = crate::read(file.into_bytes()).unwrap();
    let ended = ended(&session, session.leaf()).unwrap();
    (ended.how, ended.text)
}

const PROMPT: &str = r#"{"role":"user","content":"do it"}"#;
const CALL: &str =
    r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}"#;
const RESULT: &str = r#"{"role":"toolResult","toolCallId":"c","content":"x"}"#;

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
