use std::fmt::Write as _;

use super::line::{first_line, line_of_command};
use super::*;
use crate::session::derived::digest::Digest;
use crate::session::tree::session::Session;

fn session(messages: &[&str]) -> Session {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    let mut parent = "null".to_owned();
    for (nth, message) in messages.iter().enumerate() {
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{message}}}"
        );
        parent = format!("\"{nth}\"");
    }
    crate::read(file.into_bytes()).unwrap()
}

/// Tool and text of each failure.
fn failures(messages: &[&str]) -> Vec<(usize, String, String)> {
    let session = session(messages);
    let digest = Digest::read(&session);
    let entries: Vec<_> = session.indices().collect();
    let failures = digest.failures.over(&entries);
    let told = failures.map(|failure| {
        let Failure { entry, tool, text } = failure.clone();
        (entry.get(), tool.unwrap_or_default(), text)
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

#[test]
fn of_a_command_the_line_is_told_that_a_person_would_pick() {
    for (output, expected) in [
        ("Tests: 12 passed, 0 FAILED\nfatal: no coverage", "fatal: no coverage"),
        ("Tests: 2 passed, 10 FAILED\nfatal: no coverage", "Tests: 2 passed, 10 FAILED"),
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nKeyError: 'x'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 2, in f\n    h()\n    ^^^\nValueError: no tide\nmake: *** [run] Error 1",
            "ValueError: no tide",
        ),
        (
            "warning: unused `x`\n  --> a.rs:1\nerror[E0308]: mismatched types\nerror: x",
            "error[E0308]: mismatched types",
        ),
        ("running 2 tests\ntest error_is_shown ... ok\ntest b ... FAILED", "test b ... FAILED"),
        (
            "thread 'main' panicked at a.rs:2:5:\nno tide\nnote: run with",
            "thread 'main' panicked at a.rs:2:5: no tide",
        ),
        (
            "/a/b.cjs:3\n  throw new TypeError(x)\n  ^\n\nTypeError: no tide\n    at f",
            "TypeError: no tide",
        ),
        ("src/a.ts(28,2): error TS2739: no tide", "src/a.ts(28,2): error TS2739: no tide"),
        (
            "=== RUN   TestA\n    a_test.go:3: low\n--- FAIL: TestA (0.00s)",
            "--- FAIL: TestA (0.00s)",
        ),
        (
            "npm error code ENOENT\nnpm error path /x\nnpm error Missing script: \"low\"",
            "npm error Missing script: \"low\"",
        ),
        ("npm ERR! code ENOENT", "npm ERR! code ENOENT"),
        ("npm warn old\n> a@1.0.0 check\n> lint\n\nlow tide", "low tide"),
        ("[fmt] $ fmt -w .\na.go is not formatted", "a.go is not formatted"),
        ("> only a quote", "> only a quote"),
        ("use std::error::Error;\nis_error: no\n0 errors", "use std::error::Error;"),
        ("step 1\nstep 2: tide: command not found", "step 2: tide: command not found"),
        ("(no output)\n\nCommand exited with code 1", "Command exited with code 1"),
        (
            "<untrusted_context>\nOutput: (empty)\nExit Code: 6\nProcess Group PGID: 112\n</untrusted_context>",
            "Exit Code: 6",
        ),
        ("Script completed\nWall time 0.1 seconds\nOutput:\n\nno tide", "no tide"),
        ("", ""),
    ] {
        assert_eq!(line_of_command(output), expected, "{output}");
    }
}

#[test]
fn the_output_of_other_tools_is_told_by_its_first_line() {
    let output = r#""content":"not found in a.rs\nerror: no tide","isError":true"#;
    let result = |call: &str| format!(r#"{{"role":"toolResult","toolCallId":"{call}",{output}}}"#);
    let told = failures(&[CALL, &result("c"), &result("d")]);
    let told: Vec<_> = told.into_iter().map(|(_, tool, text)| (tool, text)).collect();
    let of = |tool: &str, text: &str| (tool.to_owned(), text.to_owned());
    assert_eq!(told, [of("bash", "error: no tide"), of("read", "not found in a.rs")]);
}

/// Where the stops of a session are, and whether it says that the user was it; and all entries that belong to one.
fn stops(messages: &[&str]) -> (Vec<(usize, bool)>, Vec<usize>) {
    let session = session(messages);
    let digest = Digest::read(&session);
    let entries: Vec<_> = session.indices().collect();
    let (sums, _) = digest.totals.over(entries.iter().copied());
    let stops = digest.failures.stops_over(&entries);
    let stops: Vec<_> = stops.map(|stop| (stop.entry.get(), stop.by_user)).collect();
    assert_eq!((sums.stops, sums.failures), (stops.len(), 0));
    let stopped = entries.into_iter().filter(|&entry| digest.failures.is_stopped(entry));
    (stops, stopped.map(EntryIndex::get).collect())
}

const USER: &str = r#"{"role":"user","content":"go"}"#;
const ABORTED: &str = r#"{"role":"assistant","content":[],"stopReason":"aborted","errorMessage":"Request was aborted."}"#;

fn aborted_result(call: &str) -> String {
    format!(
        r#"{{"role":"toolResult","toolCallId":"{call}","content":"Operation aborted","isError":true}}"#
    )
}

#[test]
fn a_stop_is_one_thing_however_many_entries_say_it() {
    let (c, d) = (aborted_result("c"), aborted_result("d"));
    let aborted_call = CALL.replace("}]}", "}],\"stopReason\":\"aborted\"}");
    // Two aborted responses, a prompt between them.
    assert_eq!(stops(&[USER, ABORTED, USER, ABORTED]), (vec![(1, false), (3, false)], vec![1, 3]));
    // Two calls, alone; with the response that asked for them; with the response after them.
    assert_eq!(stops(&[USER, CALL, &c, &d]), (vec![(2, false)], vec![2, 3]));
    assert_eq!(stops(&[USER, &aborted_call, &c, &d]), (vec![(1, false)], vec![1, 2, 3]));
    assert_eq!(stops(&[USER, CALL, &c, &d, ABORTED]), (vec![(4, false)], vec![2, 3, 4]));
    // All of these at once.
    let all = [USER, &aborted_call, &c, &d, ABORTED];
    assert_eq!(stops(&all), (vec![(1, false)], vec![1, 2, 3, 4]));
}

#[test]
fn who_stopped_it_is_said_where_the_session_says_so() {
    let refused = r#"{"role":"toolResult","toolCallId":"c","content":"The user doesn't want to proceed with this tool use.","isError":true}"#;
    assert_eq!(stops(&[USER, CALL, refused]), (vec![(2, true)], vec![2]));
    let d = aborted_result("d");
    assert_eq!(stops(&[USER, CALL, refused, &d, ABORTED]), (vec![(4, true)], vec![2, 3, 4]));
}

#[test]
fn a_stop_is_found_on_every_branch_that_it_ended() {
    let line = |id: &str, parent: &str, message: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{message}}}"#)
    };
    let c = aborted_result("c");
    let file = [
        r#"{"type":"session","version":3,"id":"s"}"#.to_owned(),
        line("u", "null", USER),
        line("a", "\"u\"", CALL),
        line("r1", "\"a\"", &c),
        line("s1", "\"r1\"", ABORTED),
        line("s2", "\"r1\"", ABORTED),
        line("r2", "\"a\"", &c),
    ];
    let session = crate::read(file.join("\n").into_bytes()).unwrap();
    let failures = Digest::read(&session).failures;
    for leaf in ["s1", "s2", "r2"] {
        let path = session.tree().path(session.find(leaf).unwrap());
        let stops = failures.stops_over(&path).map(|stop| session.key_at(stop.entry));
        assert_eq!(stops.collect::<Vec<_>>(), [leaf]);
    }
}
