use crate::session::tree::index::EntryIndex;
use std::fmt::Write as _;

use super::*;
use crate::session::derived::digest::Digest;

/// Messages in a chain: role, and for an answer its blocks or how it ended.
fn session(lines: &[(&str, &str, &str)]) -> Session {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    for (id, parent, rest) in lines {
        let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
        let _ = writeln!(file, "{{\"id\":\"{id}\",\"parentId\":{parent},{rest}}}");
    }
    crate::read(file.into_bytes()).unwrap()
}

const PROMPT: &str = r#""type":"message","message":{"role":"user","content":"do it"}"#;
const TEXT: &str =
    r#""type":"message","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}"#;
const CALL: &str = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{}}],"stopReason":"toolUse"}"#;
const RESULT: &str = r#""type":"message","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[]}"#;
const COMPACTION: &str =
    r#""type":"compaction","summary":"so far","firstKeptEntryId":"a","tokensBefore":170000"#;
const STATE: &str = r#""type":"custom","customType":"hook_progress","data":{}"#;
const MODEL: &str = r#""type":"model_change","provider":"p","modelId":"m""#;

fn told(lines: &[(&str, &str, &str)]) -> (Vec<&'static str>, Vec<Vec<usize>>) {
    let session = session(lines);
    let story = Digest::read(&session).story;
    let roles = session.indices().map(|index| story.role(index).name()).collect();
    let places = |entries: &[EntryIndex]| entries.iter().map(|entry| entry.get()).collect();
    let runs = story.runs().iter().map(|run| places(&run.entries)).collect();
    (roles, runs)
}

#[test]
fn the_last_text_of_a_turn_is_its_response() {
    let (roles, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", TEXT),
        ("c", "b", CALL),
        ("d", "c", RESULT),
        ("e", "d", TEXT),
        ("f", "e", PROMPT),
        ("g", "f", CALL),
    ]);
    assert_eq!(roles, ["prompt", "step", "step", "step", "response", "prompt", "step"]);
    assert_eq!(runs, [vec![1, 2, 3], vec![6]]);
}

#[test]
fn a_text_is_a_response_on_the_path_that_ends_with_it() {
    // From the first text one branch goes on, another begins with a prompt.
    let (roles, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", TEXT),
        ("c", "b", CALL),
        ("d", "c", TEXT),
        ("e", "b", PROMPT),
        ("f", "e", TEXT),
    ]);
    assert_eq!(roles, ["prompt", "response", "step", "response", "prompt", "response"]);
    assert_eq!(runs, [vec![2]]);
}

#[test]
fn a_run_ends_where_the_tree_forks() {
    let (_, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", CALL),
        ("c", "b", RESULT),
        ("d", "b", RESULT),
        ("e", "d", CALL),
    ]);
    assert_eq!(runs, [vec![1], vec![2], vec![3, 4]]);
}

#[test]
fn an_error_that_ended_a_turn_is_told_and_one_that_was_passed_is_not() {
    let failed = r#""type":"message","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"overloaded"}"#;
    let (roles, _) = told(&[
        ("a", "", PROMPT),
        ("b", "a", failed),
        ("c", "b", TEXT),
        ("d", "c", PROMPT),
        ("e", "d", failed),
    ]);
    assert_eq!(roles, ["prompt", "step", "response", "prompt", "response"]);
}

#[test]
fn labels_commands_and_questions_are_always_visible() {
    let command =
        r#""type":"message","message":{"role":"bashExecution","command":"ls","output":""}"#;
    let asks = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"AskUserQuestion","arguments":{}}]}"#;
    let label = r#""type":"label","targetId":"d","label":"here""#;
    let (roles, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", command),
        ("c", "b", asks),
        ("d", "c", RESULT),
        ("e", "d", CALL),
        ("f", "e", label),
    ]);
    assert_eq!(roles, ["prompt", "step", "step", "step", "step", "step"]);
    // The question's answer is a part of the story, as its call is; the labeled entry is that answer.
    assert_eq!(runs, [vec![2], vec![4, 5]]);
}

#[test]
fn a_question_without_an_answer_is_always_visible() {
    let asks = r#""type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ask","arguments":{}}]}"#;
    let (_, runs) = told(&[("a", "", PROMPT), ("b", "a", asks)]);
    assert_eq!(runs, [[0; 0]; 0]);
}

#[test]
fn what_no_person_saw_is_one_line_within_a_run() {
    let lines = [
        ("a", "", STATE),
        ("b", "a", MODEL),
        ("c", "b", PROMPT),
        ("d", "c", STATE),
        ("e", "d", CALL),
        ("f", "e", STATE),
        ("g", "f", STATE),
        ("h", "g", RESULT),
    ];
    let session = session(&lines);
    let story = Digest::read(&session).story;
    let quiet: Vec<_> =
        session.indices().map(|index| story.quiet_of(index).map(EntryIndex::get)).collect();
    // The first run has nothing but settings and state, so it needs no line within.
    assert_eq!(quiet, [None, None, None, Some(3), None, Some(5), Some(5), None]);
    assert_eq!(story.run_of(EntryIndex::FIRST).unwrap().entries, [0, 1].map(EntryIndex::new));
    assert_eq!(
        story.run_of(EntryIndex::new(7)).unwrap().entries,
        [3, 4, 5, 6, 7].map(EntryIndex::new)
    );
}

#[test]
fn what_the_program_says_after_a_command_is_no_response() {
    let filler = r#""type":"message","message":{"role":"assistant","content":[{"type":"text","text":"No response requested."}]}"#;
    let command = r#""type":"custom_message","customType":"command-output","content":"bye""#;
    let lines = [
        ("a", "", PROMPT),
        ("b", "a", TEXT),
        ("c", "b", command),
        ("d", "c", filler),
        ("e", "d", PROMPT),
    ];
    let session = session(&lines);
    let story = Digest::read(&session).story;
    let roles: Vec<_> = session.indices().map(|index| story.role(index).name()).collect();
    assert_eq!(roles, ["prompt", "response", "step", "step", "prompt"]);
    assert!(story.is_aside_run(&session, &story.runs()[0]), "no step either");
}

#[test]
fn what_is_for_the_model_alone_is_aside() {
    let hidden = r#""type":"custom_message","customType":"local-command-caveat","content":"x","display":false"#;
    let unknown = r#""type":"turn_duration","durationMs":7"#;
    let lines = [
        ("a", "", hidden),
        ("b", "a", PROMPT),
        ("c", "b", TEXT),
        ("d", "c", unknown),
        ("e", "d", MODEL),
        ("f", "e", STATE),
    ];
    let session = session(&lines);
    let story = Digest::read(&session).story;
    let asides: Vec<_> = story.runs().iter().map(|run| story.is_aside_run(&session, run)).collect();
    assert_eq!(asides, [true, true]);
}

#[test]
fn a_session_of_nothing_else_shows_what_it_has() {
    let session = session(&[("a", "", MODEL), ("b", "a", STATE)]);
    let story = Digest::read(&session).story;
    assert!(!story.is_aside_run(&session, &story.runs()[0]));
}

#[test]
fn what_a_sub_agent_reports_is_no_response() {
    let said = |role: &str, text: &str| {
        format!(
            r#"{{"timestamp":"2026-06-18T14:11:05.000Z","type":"response_item","payload":{{"type":"message","role":"{role}","content":[{{"type":"output_text","text":"{text}"}}]}}}}"#
        )
    };
    let lines = [
        r#"{"timestamp":"2026-06-18T14:11:04.755Z","type":"session_meta","payload":{"id":"t","cwd":"/r"}}"#.to_owned(),
        said("user", "go"),
        said("assistant", "Done."),
        said("assistant", "<subagent_notification>{}</subagent_notification>"),
    ];
    let session = crate::read(lines.join("\n").into_bytes()).unwrap();
    let story = Digest::read(&session).story;
    let roles: Vec<_> = session.indices().map(|index| story.role(index).name()).collect();
    assert_eq!(roles, ["prompt", "response", "step"]);
}

#[test]
fn a_compaction_within_a_turn_ends_no_run() {
    let (roles, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", CALL),
        ("c", "b", RESULT),
        ("d", "c", COMPACTION),
        ("e", "d", CALL),
        ("f", "e", RESULT),
        ("g", "f", TEXT),
    ]);
    assert_eq!(roles, ["prompt", "step", "step", "divider", "step", "step", "response"]);
    assert_eq!(runs, [vec![1, 2, 3, 4, 5]]);
}

#[test]
fn a_compaction_after_which_a_person_goes_on_stands_by_itself() {
    let between = told(&[
        ("a", "", PROMPT),
        ("b", "a", TEXT),
        ("c", "b", COMPACTION),
        ("d", "c", PROMPT),
        ("e", "d", CALL),
    ]);
    assert_eq!(between.1, [vec![4]]);
    let (_, runs) = told(&[
        ("a", "", PROMPT),
        ("b", "a", CALL),
        ("c", "b", RESULT),
        ("d", "c", COMPACTION),
        ("e", "d", PROMPT),
    ]);
    assert_eq!(runs, [vec![1, 2]]);
}
