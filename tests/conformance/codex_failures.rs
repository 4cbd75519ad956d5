//! What Codex says of failed calls, failed turns and interrupted ones.

use leafpress::Session;
use leafpress::session::Body;
use leafpress::session::EntryIndex;
use leafpress::session::message::Message;
use serde_json::{Value, json};

use crate::support::folder::{Folder, json as printed};
use crate::support::session::{assistant, tool_result};

/// A row: what it is of, and its payload.
type Row = (&'static str, Value);

fn text_of(rows: &[Row]) -> String {
    let lines = rows.iter().map(|(kind, payload)| {
        json!({"timestamp": "2026-05-02T09:00:00.000Z", "type": kind, "payload": payload})
            .to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn read(rows: &[Row]) -> Session {
    leafpress::read(text_of(rows).into_bytes()).unwrap()
}

fn prompt(words: &str) -> Row {
    let content = json!([{"type": "input_text", "text": words}]);
    ("response_item", json!({"type": "message", "role": "user", "content": content}))
}

fn response(words: &str) -> Row {
    let content = json!([{"type": "output_text", "text": words}]);
    ("response_item", json!({"type": "message", "role": "assistant", "content": content}))
}

fn call(id: &str, tool: &str) -> Row {
    let arguments = r#"{"cmd":"tides --check"}"#;
    (
        "response_item",
        json!({"type": "function_call", "name": tool, "arguments": arguments, "call_id": id}),
    )
}

fn output(id: &str, output: impl Into<Value>) -> Row {
    let output: Value = output.into();
    ("response_item", json!({"type": "function_call_output", "call_id": id, "output": output}))
}

fn event(kind: &str, mut fields: Value) -> Row {
    fields["type"] = json!(kind);
    ("event_msg", fields)
}

fn item(item: &Value) -> Row {
    event("item_completed", json!({"turn_id": "t", "item": item}))
}

const HEAD: &str = "Chunk ID: 1f\nWall time: 0.2 seconds\nProcess exited with code 4\n\
                    Original token count: 3\nOutput:\nno tide\n";
const FINE: &str = "Chunk ID: 1f\nWall time: 0.2 seconds\nProcess exited with code 0\n\
                    Output:\nExit code: 1\nProcess exited with code 1\n";

/// The results that failed, and the codes that their calls ended with.
fn failed(session: &Session) -> Vec<(String, Option<f64>)> {
    let result = |at| match session.entry(at).unwrap().body {
        Body::Message(Message::ToolResult(result)) if result.is_error => {
            let code = result.details.and_then(|details| details.get("exitCode")?.as_f64());
            Some((result.call_id.into_owned(), code))
        }
        _ => None,
    };
    session.indices().filter_map(result).collect()
}

/// What each of these says of itself, beside a call that went well.
fn failing() -> Vec<Row> {
    vec![
        prompt("Check the tides"),
        call("long", "exec_command"),
        output("long", HEAD),
        call("short", "shell_command"),
        output("short", "Exit code: 2\nWall time: 0.6 seconds\nOutput:\nno tide\n"),
        call("packed", "shell"),
        output("packed", r#"{"output":"no tide","metadata":{"exit_code":3}}"#),
        call("object", "shell"),
        output("object", json!({"output": "no tide", "metadata": {"exit_code": 5}})),
        call("ended", "shell"),
        output("ended", "no tide"),
        event("exec_command_end", json!({"call_id": "ended", "exit_code": 6, "status": "failed"})),
        call("item", "exec_command"),
        item(&json!({"type": "CommandExecution", "id": "item", "status": "failed",
            "exit_code": 7})),
        output("item", "no tide"),
        call("declined", "exec_command"),
        item(&json!({"type": "CommandExecution", "id": "declined", "status": "declined"})),
        output("declined", "the person said no"),
        call("patch", "apply_patch"),
        output("patch", "apply_patch verification failed: no such file"),
        call("rejected", "apply_patch"),
        output("rejected", "patch rejected: outside of the project"),
        call("applied", "apply_patch"),
        event("patch_apply_end", json!({"call_id": "applied", "success": false})),
        output("applied", "no such file"),
        call("mcp", "mcp__sea__tides"),
        event("mcp_tool_call_end", json!({"call_id": "mcp", "result": {"Err": "no sea"}})),
        output("mcp", "no sea"),
        call("unknown", "update_plan"),
        output("unknown", "unsupported call: update_plan"),
        call("script", "exec"),
        output(
            "script",
            json!([{"type": "input_text", "text": "Script failed\nWall time 0.1 seconds\nOutput:\n"},
                {"type": "input_text", "text": "Script error:\nno tide"}]),
        ),
        call("stopped", "exec_command"),
        output("stopped", "Wall time: 4.9 seconds\naborted by user"),
        call("fine", "exec_command"),
        item(&json!({"type": "CommandExecution", "id": "fine", "status": "completed",
            "exit_code": 0})),
        output("fine", FINE),
        response("Some failed."),
    ]
}

#[test]
fn calls_that_codex_says_failed_are_failures() {
    let session = read(&failing());
    let expected = [
        ("long", Some(4.0)),
        ("short", Some(2.0)),
        ("packed", Some(3.0)),
        ("object", Some(5.0)),
        ("ended", Some(6.0)),
        ("item", Some(7.0)),
        ("declined", None),
        ("patch", None),
        ("rejected", None),
        ("applied", None),
        ("mcp", None),
        ("unknown", None),
        ("script", None),
        ("stopped", None),
    ];
    assert_eq!(failed(&session), expected.map(|(id, code)| (id.to_owned(), code)));
    let stopped = tool_result(&session, "line-34");
    assert_eq!(stopped.details.unwrap().compact(), r#"{"aborted":true}"#);
}

#[test]
fn commands_count_them_and_find_them() {
    let folder = Folder::new();
    folder.write("session.jsonl", &text_of(&failing()));
    let stats = printed(&folder.run(&["stats", "session.jsonl", "--json"]));
    assert_eq!(
        (&stats["total"]["toolCalls"], &stats["total"]["failures"]),
        (&json!(15), &json!(13))
    );
    let tree = ["tree", "session.jsonl", "--search", "is:error", "--json"];
    assert_eq!(printed(&folder.run(&tree))["shown"], 13);
    assert_eq!(stats["total"]["stops"], 1);
    let tree = ["tree", "session.jsonl", "--search", "is:stop", "--json"];
    assert_eq!(printed(&folder.run(&tree))["shown"], 1);
}

#[test]
fn words_that_a_program_printed_are_no_failure() {
    let session = read(&[
        prompt("Check the tides"),
        call("fine", "exec_command"),
        output("fine", FINE),
        call("mcp", "mcp__sea__log"),
        output("mcp", "Exit code: 1\nWall time: 0.6 seconds\nOutput:\nno tide\n"),
        call("notified", "exec"),
        output("notified", "Script failed\nWall time 0.1 seconds\nOutput:\n"),
        call("printed", "exec"),
        output(
            "printed",
            json!([{"type": "input_text", "text": "Script completed\nWall time 1 seconds\nOutput:\n"},
                {"type": "input_text", "text": "Script failed\nWall time 0.1 seconds\nOutput:\n"}]),
        ),
        call("running", "exec_command"),
        output(
            "running",
            "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nExit code: 1\n",
        ),
        event("exec_command_end", json!({"call_id": "another", "exit_code": 6})),
    ]);
    assert_eq!(failed(&session), []);
}

/// The last entry of the path.
fn last(session: &Session) -> &str {
    session.id(session.leaf()).unwrap()
}

#[test]
fn a_turn_that_failed_says_why_once() {
    let error = |message: &str| json!({"message": message, "codex_error_info": "other"});
    let complete = |error: Value| event("task_complete", json!({"turn_id": "t", "error": error}));
    let session = read(&[prompt("Go"), complete(error("overloaded"))]);
    let response = assistant(&session, "line-2");
    assert!(response.stopped_by("error"));
    assert_eq!(response.error_message.as_deref(), Some("overloaded"));

    let said = event("error", json!({"message": "overloaded"}));
    let session = read(&[prompt("Go"), said, complete(error("overloaded"))]);
    assert_eq!(last(&session), "line-2", "an event said it already");
    let session = read(&[prompt("Go"), self::response("Done."), complete(Value::Null)]);
    assert_eq!(last(&session), "line-2", "nothing failed");
}

#[test]
fn an_interrupted_turn_says_so_and_the_one_before_does_not() {
    let begin = || event("task_started", json!({"turn_id": "t"}));
    let aborted = || event("turn_aborted", json!({"turn_id": "t", "reason": "interrupted"}));
    let note = "<turn_aborted> The person interrupted the turn.";
    let rows =
        [begin(), prompt("One"), response("1"), begin(), prompt("Two"), prompt(note), aborted()];
    for rows in [&rows[..], &[&rows[1..3], &rows[4..]].concat()] {
        let session = read(rows);
        assert!(assistant(&session, last(&session)).stopped_by("aborted"));
        let first = session.find(&format!("line-{}", if rows.len() == 7 { 3 } else { 2 }));
        let first = assistant(&session, session.id(first.unwrap()).unwrap());
        assert!(first.stopped_by("stop"), "it was not interrupted");
    }

    // With the call that was stopped it is one stop.
    let stopped = output("c", "Wall time: 4.9 seconds\naborted by user");
    let session = read(&[
        begin(),
        prompt("One"),
        call("c", "exec_command"),
        stopped,
        prompt(note),
        aborted(),
    ]);
    let failures = leafpress::session::digest::Digest::read(&session).failures;
    let all: Vec<EntryIndex> = session.indices().collect();
    assert_eq!((failures.over(&all).count(), failures.stops_over(&all).count()), (0, 1));

    // With a response, that is the interrupted one, also below what the program put in.
    let session = read(&[begin(), prompt("One"), response("1"), prompt(note), aborted()]);
    assert!(assistant(&session, "line-3").stopped_by("aborted"));
}
