//! The output of `codex exec --json`.

use leafpress::Session;
use leafpress::session::Format;
use leafpress::session::message::{Block, joined_text};
use serde_json::{Value, json};

use crate::support::folder::{Folder, json as printed};
use crate::support::session::{assistant, tool_result};

const THREAD: &str = "019de000-0000-7000-8000-00000000000a";

fn text_of(rows: &[Value]) -> String {
    rows.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
}

fn read(rows: &[Value]) -> Session {
    leafpress::read(text_of(rows).into_bytes()).unwrap()
}

fn started(id: &str, item: Value) -> Value {
    row("item.started", id, item)
}

fn completed(id: &str, item: Value) -> Value {
    row("item.completed", id, item)
}

fn row(kind: &str, id: &str, mut item: Value) -> Value {
    item["id"] = json!(id);
    json!({"type": kind, "item": item})
}

fn said(words: &str) -> Value {
    json!({"type": "agent_message", "text": words})
}

fn command(line: &str, output: &str, code: Option<i32>) -> Value {
    let status = match code {
        None => "in_progress",
        Some(0) => "completed",
        Some(_) => "failed",
    };
    json!({"type": "command_execution", "command": line, "aggregated_output": output,
        "exit_code": code, "status": status})
}

fn usage(input: u32, cached: u32, output: u32) -> Value {
    json!({"type": "turn.completed", "usage": {"input_tokens": input, "cached_input_tokens": cached,
        "output_tokens": output, "reasoning_output_tokens": 1}})
}

fn thread(id: &str) -> Value {
    json!({"type": "thread.started", "thread_id": id})
}

fn turn() -> Value {
    json!({"type": "turn.started"})
}

/// One run with a call of each kind.
fn run() -> Vec<Value> {
    let plan = |done| json!({"type": "todo_list", "items": [{"text": "Sound the bay", "completed": done}]});
    let patch = |status| {
        json!({"type": "file_change", "status": status,
        "changes": [{"path": "/quay/bay.txt", "kind": "add"}]})
    };
    let server = json!({"type": "mcp_tool_call", "server": "harbor", "tool": "berths",
        "arguments": {"side": "north"}, "result": null, "error": {"message": "no such side"},
        "status": "failed"});
    vec![
        thread(THREAD),
        turn(),
        completed("item_0", json!({"type": "reasoning", "text": "Depths first"})),
        completed("item_1", said("I sound the bay.")),
        started("item_2", command("sound --bay", "", None)),
        started("item_3", plan(false)),
        completed("item_2", command("sound --bay", "9 m\n", Some(0))),
        started("item_4", patch("in_progress")),
        completed("item_4", patch("completed")),
        completed("item_5", server),
        row("item.updated", "item_3", plan(true)),
        started("item_6", command("sound --reef", "", None)),
        completed("item_6", command("sound --reef", "aground\n", Some(7))),
        completed("item_7", json!({"type": "error", "message": "the chart is old"})),
        completed("item_3", plan(true)),
        completed("item_8", said("The bay is 9 m deep.")),
        usage(900, 400, 50),
    ]
}

#[test]
fn a_stream_is_a_session_of_codex() {
    let session = read(&run());
    assert_eq!(session.format(), Format::Codex);
    assert_eq!(session.header().id, THREAD);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    let first = assistant(&session, "line-3");
    let words: Vec<&str> = first
        .content
        .iter()
        .map(|block| match block {
            Block::Text(text) | Block::Thinking(text) => text.as_ref(),
            Block::ToolCall(call) => call.name.as_ref(),
            _ => "?",
        })
        .collect();
    assert_eq!(words, ["Depths first", "I sound the bay.", "command_execution"]);
    let sound = tool_result(&session, "line-7-result");
    assert_eq!((joined_text(&sound.content, "").as_str(), sound.is_error), ("9 m\n", false));
    let reef = tool_result(&session, "line-13-result");
    assert!(reef.is_error && reef.details.unwrap().compact() == r#"{"exitCode":7}"#);
    let berths = tool_result(&session, "line-10-result");
    assert!(berths.is_error && joined_text(&berths.content, "") == "no such side");
}

#[test]
fn commands_count_a_stream_and_take_its_total_once() {
    let folder = Folder::new();
    folder.write("run.jsonl", &text_of(&run()));
    let stats = printed(&folder.run(&["stats", "run.jsonl", "--json"]));
    let total = &stats["total"];
    assert_eq!(
        [&total["prompts"], &total["toolCalls"], &total["failures"], &stats["ended"]],
        [&json!(0), &json!(5), &json!(2), &json!("answered")]
    );
    let spent = json!({"input": 500, "output": 50, "cacheRead": 400, "cacheWrite": 0, "cost": 0.0});
    assert_eq!(total["usage"], spent);
    let tree = folder.run(&["tree", "run.jsonl"]).get_output().stdout.clone();
    let tree = String::from_utf8(tree).unwrap();
    assert!(tree.contains("The prompt is not in this file"), "{tree}");
    assert!(tree.contains("bay.txt") && tree.contains("the chart is old"), "{tree}");
}

#[test]
fn a_thread_says_its_sum_in_each_turn() {
    let mut rows =
        vec![thread(THREAD), turn(), completed("item_0", said("One.")), usage(100, 0, 5)];
    // The same thread again, its ids from the beginning; and another one.
    rows.extend([thread(THREAD), turn(), completed("item_0", said("Two.")), usage(250, 50, 9)]);
    rows.extend([thread("other"), turn(), completed("item_0", said("Three.")), usage(30, 0, 1)]);
    let folder = Folder::new();
    folder.write("run.jsonl", &text_of(&rows));
    let stats = printed(&folder.run(&["stats", "run.jsonl", "--json"]));
    let usage = &stats["total"]["usage"];
    assert_eq!((&usage["input"], &usage["output"]), (&json!(230), &json!(10)));
    assert_eq!(stats["total"]["turns"], json!(3));
}

fn ended(rows: &[Value]) -> (String, String, Value) {
    let folder = Folder::new();
    folder.write("run.jsonl", &text_of(rows));
    let stats = printed(&folder.run(&["stats", "run.jsonl", "--json"]));
    let text = |key: &str| stats[key].as_str().unwrap_or_default().to_owned();
    (text("ended"), text("endedText"), stats["total"]["failures"].clone())
}

#[test]
fn a_run_ends_as_its_last_rows_say() {
    let begin = || vec![thread(THREAD), turn(), completed("item_0", said("I wait."))];
    let with = |rows: &[Value]| [&begin()[..], rows].concat();
    let error = |words: &str| json!({"type": "error", "message": words});
    let failed = |words: &str| json!({"type": "turn.failed", "error": {"message": words}});
    let tried = error("Reconnecting... 1/5 (no answer)");
    let stopped = ended(&with(&[tried, error("no answer"), failed("no answer")]));
    assert_eq!(stopped, ("failed".to_owned(), "no answer".to_owned(), json!(1)), "told once");
    let two = ended(&with(&[error("no answer"), failed("the turn broke")]));
    assert_eq!(two, ("failed".to_owned(), "the turn broke".to_owned(), json!(2)));
    assert_eq!(ended(&with(&[error("no answer")])).0, "failed", "nothing follows");
    assert_eq!(ended(&begin()).0, "cut-off", "the model still wrote");
    assert_eq!(ended(&with(&[started("item_1", command("sleep 9", "", None))])).0, "cut-off");
    assert_eq!(ended(&with(&[usage(1, 0, 1)])).0, "answered");
}

#[test]
fn a_stream_that_is_cut_anywhere_is_read_up_to_there() {
    let text = text_of(&run());
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(37) {
        // The first row alone is no session, and a part of it is none of any agent.
        if let Ok(session) = leafpress::read(text.as_bytes()[..end].to_vec()) {
            assert_eq!(session.format(), Format::Codex, "{end}");
        }
    }
    let half = &text[..text.len() - 20];
    let session = leafpress::read(half.as_bytes().to_vec()).unwrap();
    assert_eq!(joined_text(&assistant(&session, "line-16").content, ""), "The bay is 9 m deep.");
    // A beginning may be missing, too.
    let tail = text.lines().skip(4).collect::<Vec<_>>().join("\n");
    assert_eq!(leafpress::read(tail.into_bytes()).unwrap().format(), Format::Codex);
}
