use std::fmt::Write as _;

use super::*;
use crate::session::digest::Digest;

/// Tool and text of each failure.
fn failures(messages: &[&str]) -> Vec<(usize, String, String)> {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    let mut parent = "null".to_owned();
    for (nth, message) in messages.iter().enumerate() {
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{message}}}"
        );
        parent = format!("\"{nth}\"");
    }
    let session = crate::read(file.into_bytes()).unwrap();
    let digest = Digest::read(&session);
    let entries: Vec<_> = (0..session.len()).collect();
    let failures = digest.failures.over(&entries);
    let told = failures.map(|failure| {
        let Failure { entry, tool, text } = failure.clone();
        (entry, tool.unwrap_or_default(), text)
    });
    let told = told.collect::<Vec<_>>();
    let (sums, _) = digest.totals.over(entries);
    assert_eq!(sums.failures, told.len());
    told
}

const CALL: &str = r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"make"}},{"type":"toolCall","id":"d","name":"read","arguments":{"path":"x"}}]}"#;

#[test]
fn a_call_a_response_and_a_command_of_the_user_can_fail() {
    let told = failures(&[
        r#"{"role":"user","content":"go"}"#,
        CALL,
        r#"{"role":"toolResult","toolCallId":"c","content":"Exit code 2\n\nno rule\nto make","isError":true}"#,
        r#"{"role":"toolResult","toolCallId":"d","content":"<tool_use_error>File does not exist.</tool_use_error>","isError":true}"#,
        r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"Error: Not Found\nat all"}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"half"}],"stopReason":"aborted"}"#,
        r#"{"role":"bashExecution","command":"ls x","output":"","exitCode":1}"#,
        r#"{"role":"bashExecution","command":"ls","output":"x","exitCode":0}"#,
        r#"{"role":"toolResult","toolCallId":"nobody","content":"gone","isError":true}"#,
    ]);
    let of = |entry, tool: &str, text: &str| (entry, tool.to_owned(), text.to_owned());
    assert_eq!(
        told,
        [
            of(2, "bash", "no rule"),
            of(3, "read", "File does not exist."),
            of(4, "", "Error: Not Found"),
            of(5, "", "aborted"),
            of(6, "bash", "exit code 1"),
            of(8, "tool", "gone"),
        ]
    );
}

#[test]
fn an_exit_status_in_the_details_counts_for_a_command_alone() {
    let result = |call: &str, details: &str| {
        format!(
            r#"{{"role":"toolResult","toolCallId":"{call}","content":"it failed","details":{details}}}"#
        )
    };
    let told =
        failures(&[CALL, &result("c", r#"{"exitCode":3}"#), &result("d", r#"{"exitCode":3}"#)]);
    assert_eq!(told, [(1, "bash".to_owned(), "it failed".to_owned())]);
    let told = failures(&[CALL, &result("c", r#"{"exitCode":0}"#)]);
    assert_eq!(told, [], "what a program prints is no failure");
}

#[test]
fn the_first_line_that_says_something_is_told() {
    for (output, expected) in [
        ("Exit code: 1\nWall time: 0.6 seconds\nOutput:\nlint failed\n", "lint failed"),
        (
            "Command: ls x\nOutput: (empty)\nError: no such file\nExit Code: 2",
            "Error: no such file",
        ),
        ("Exit code 1", "Exit code 1"),
        ("low\nCommand exited with code 2", "low"),
        ("Output: half\n", "half"),
        ("\n \n", ""),
    ] {
        assert_eq!(first_line(output), expected, "{output}");
    }
}
