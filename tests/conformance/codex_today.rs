//! Rollouts of today's Codex: code mode, records of tokens, forks, agents' tasks, system prompts.

use leafpress::Session;
use leafpress::session::EntryIndex;
use leafpress::session::ending::{Ending, ended};
use leafpress::session::message::{Message, joined_text};
use leafpress::session::{Body, Kind};
use serde_json::{Value, json};

use crate::support::folder::{Folder, json as printed};
use crate::support::session::tool_result;

/// A row: what it is of, and its payload.
type Row = (&'static str, Value);

const PARENT: &str = "019de000-0000-7000-8000-00000000000a";
const FORK: &str = "019de000-0000-7000-8000-00000000000b";

fn text_of(rows: &[Row], first: usize) -> String {
    let lines = rows.iter().zip(first..).map(|((kind, payload), ordinal)| {
        json!({"timestamp": "2026-04-30T09:00:00.000Z", "ordinal": ordinal, "type": kind,
            "payload": payload})
        .to_string()
            + "\n"
    });
    lines.collect()
}

fn read(rows: &[Row]) -> Session {
    leafpress::read(text_of(rows, 0).into_bytes()).unwrap()
}

fn meta(mut fields: Value) -> Row {
    fields["cwd"] = json!("/quay");
    ("session_meta", fields)
}

fn message(role: &str, words: &str) -> Row {
    let content = json!([{"type": "input_text", "text": words}]);
    ("response_item", json!({"type": "message", "role": role, "content": content}))
}

fn event(kind: &str, mut fields: Value) -> Row {
    fields["type"] = json!(kind);
    ("event_msg", fields)
}

fn item(item: &Value) -> Row {
    event("item_completed", json!({"item": item}))
}

fn exec(call: &str, script: &str) -> Row {
    (
        "response_item",
        json!({"type": "custom_tool_call", "name": "exec", "call_id": call, "input": script}),
    )
}

fn printed_by(call: &str, words: &[&str]) -> Row {
    let blocks: Vec<Value> =
        words.iter().map(|text| json!({"type": "input_text", "text": text})).collect();
    ("response_item", json!({"type": "custom_tool_call_output", "call_id": call, "output": blocks}))
}

fn ran(id: &str, line: &str, output: &str, code: i32) -> Row {
    item(&json!({"type": "CommandExecution", "id": id, "command": ["/bin/zsh", "-lc", line],
        "status": if code == 0 { "completed" } else { "failed" }, "aggregated_output": output,
        "exit_code": code, "duration": {"secs": 1, "nanos": 500_000_000}}))
}

fn record(total: u32, input: u32, output: u32) -> Row {
    let usage = |input: u32| {
        json!({"input_tokens": input, "cached_input_tokens": 0,
        "output_tokens": output, "total_tokens": input + output})
    };
    ("token_usage_record", json!({"usage": usage(input), "thread_token_usage": usage(total)}))
}

fn texts(session: &Session, kind: Kind) -> Vec<String> {
    let is_it = |at: &EntryIndex| Kind::of(&session.entry(*at).unwrap().body) == kind;
    let words = |at| match session.entry(at).unwrap().body {
        Body::Message(Message::User(content)) => joined_text(&content, ""),
        Body::Message(Message::Assistant(response)) => joined_text(&response.content, ""),
        Body::Message(Message::System(system)) => joined_text(&system.content, ""),
        Body::CustomMessage(custom) => joined_text(&custom.content, ""),
        _ => String::new(),
    };
    session.indices().filter(is_it).map(words).collect()
}

fn nested(session: &Session, id: &str) -> Value {
    let calls = tool_result(session, id).nested_calls.expect("nested calls");
    serde_json::from_str::<Value>(&calls.compact()).unwrap()["calls"].clone()
}

#[test]
fn what_scripts_ran_stands_with_their_results() {
    let session = read(&[
        meta(json!({"id": PARENT})),
        message("user", "Sound the bay"),
        exec("c1", "const b = await tools.exec_command({cmd: \"sound --bay\"});\ntext(b.output);"),
        exec("c2", "await tools.exec_command({\"cmd\":\"sound \\\"reef\\\"\"});"),
        ran("exec-2", "sound \"reef\"", "aground\n", 7),
        ran("exec-1", "sound --bay", "9 m\n", 0),
        printed_by("c1", &["Script completed\nWall time 1.0 seconds\nOutput:\n", "9 m\n"]),
        printed_by("c2", &["Script completed\nWall time 1.0 seconds\nOutput:\n"]),
        message("assistant", "9 m, and a reef."),
    ]);
    let bay = json!([{"id": "exec-1", "name": "exec_command", "arguments": "sound --bay",
        "status": "ok", "durationMs": 1500}]);
    assert_eq!(nested(&session, "line-7"), bay, "what the script printed is shown once");
    assert!(!tool_result(&session, "line-7").is_error);
    let reef = nested(&session, "line-8");
    assert_eq!(
        (&reef[0]["error"], &reef[0]["output"], &reef[0]["arguments"]),
        (&json!("exit 7"), &json!("aground"), &json!("sound \"reef\""))
    );
    let failed = tool_result(&session, "line-8");
    assert!(failed.is_error && failed.details.unwrap().compact() == r#"{"exitCode":7}"#);
}

#[test]
fn a_script_that_goes_on_gets_what_ran_where_it_is_waited_for() {
    let wait = json!({"type": "function_call", "name": "wait", "call_id": "w", "arguments": "{\"cell_id\":\"3\"}"});
    let mut rows = vec![
        message("user", "Wait for the tide"),
        exec("c1", "await tools.exec_command({cmd: `tide --wait`});"),
        printed_by("c1", &["Script running with cell ID 3\nWall time 0.5 seconds\nOutput:\n"]),
        (
            "response_item",
            json!({"type": "custom_tool_call_output", "call_id": "c1", "name": "exec", "output": "on my way"}),
        ),
        ("response_item", wait),
        ran("exec-1", "tide --wait", "high\n", 0),
    ];
    let end = [
        (
            "response_item",
            json!({"type": "function_call_output", "call_id": "w",
            "output": [{"type": "input_text", "text": "Script completed\nWall time 2 seconds\nOutput:\n"}]}),
        ),
        event("task_complete", json!({})),
    ];
    rows.extend(end);
    let session = read(&rows);
    assert_eq!(nested(&session, "line-7")[0]["output"], json!("high"));
    assert_eq!(tool_result(&session, "line-3").nested_calls, None);
    // Nobody waited.
    rows.remove(6);
    rows.remove(4);
    let session = read(&rows);
    let late = tool_result(&session, "line-6-ran-0");
    assert_eq!(late.call_id, "c1");
    assert_eq!(nested(&session, "line-6-ran-0")[0]["output"], json!("high"));
}

#[test]
fn what_only_an_event_says_of_a_call_is_its_result() {
    let call = |id: &str, tool: &str, arguments: Value| {
        (
            "response_item",
            json!({"type": "function_call", "name": tool, "call_id": id, "arguments": arguments.to_string()}),
        )
    };
    let output = |id: &str, words: &str| {
        ("response_item", json!({"type": "function_call_output", "call_id": id, "output": words}))
    };
    let running =
        "Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 5\nOutput:\nebb\n";
    let polled =
        "Chunk ID: 2\nWall time: 1.0 seconds\nProcess exited with code 2\nOutput:\nflood\n";
    let ended = |id: &str| {
        event(
            "exec_command_end",
            json!({"call_id": id, "command": ["bash", "-lc", "tide"],
        "aggregated_output": "ebb\nflood\n", "exit_code": 2, "status": "failed"}),
        )
    };
    let poll = || call("p", "write_stdin", json!({"session_id": 5}));
    let copied = read(&[
        message("user", "Tide?"),
        call("c", "exec_command", json!({"cmd": "tide"})),
        ended("c"),
    ]);
    let result = tool_result(&copied, "line-3");
    assert_eq!(
        (joined_text(&result.content, "").as_str(), result.is_error),
        ("ebb\nflood\n", true)
    );
    let in_background = read(&[
        message("user", "Tide?"),
        call("c", "exec_command", json!({"cmd": "tide"})),
        output("c", running),
        message("assistant", "It runs."),
        ended("c"),
    ]);
    let result = tool_result(&in_background, "line-5");
    assert_eq!((joined_text(&result.content, "").as_str(), result.is_error), ("flood\n", true));
    assert!(!tool_result(&in_background, "line-3").is_error, "it did not fail yet");
    let waited_for = read(&[
        message("user", "Tide?"),
        call("c", "exec_command", json!({"cmd": "tide"})),
        output("c", running),
        poll(),
        ended("c"),
        output("p", polled),
    ]);
    assert_eq!(waited_for.find("line-5"), None, "the poll says it");
    assert!(tool_result(&waited_for, "line-6").is_error);
}

#[test]
fn records_of_tokens_and_counts_are_one() {
    let count = |total: u32, input: u32| {
        let usage = |input: u32| {
            json!({"input_tokens": input, "cached_input_tokens": 0, "output_tokens": 5,
            "total_tokens": input + 5})
        };
        event(
            "token_count",
            json!({"info": {"total_token_usage": usage(total),
            "last_token_usage": usage(input), "model_context_window": 1000}}),
        )
    };
    let folder = Folder::new();
    folder.write(
        "session.jsonl",
        &text_of(
            &[
                meta(json!({"id": PARENT})),
                message("user", "One"),
                message("assistant", "1"),
                record(10, 10, 5),
                count(10, 10),
                count(10, 10),
                // Of an older version, then of one that was stopped before its count.
                message("user", "Two"),
                message("assistant", "2"),
                count(30, 20),
                message("user", "Three"),
                message("assistant", "3"),
                record(70, 40, 5),
            ],
            0,
        ),
    );
    let stats = printed(&folder.run(&["stats", "session.jsonl", "--json"]));
    assert_eq!(stats["total"]["usage"]["input"], json!(70));
    assert_eq!(stats["total"]["usage"]["output"], json!(15));
}

#[test]
fn the_system_prompt_is_shown_once_and_can_be_cut() {
    let base = json!({"id": PARENT, "base_instructions": {"text": "You are a pilot.\n"}});
    let rows = [meta(base), message("developer", "You are a pilot."), message("user", "Hello")];
    let session = read(&rows);
    assert_eq!(texts(&session, Kind::System), ["You are a pilot."]);
    assert_eq!(texts(&session, Kind::CustomMessage), [""; 0]);
    let folder = Folder::new();
    folder.write("session.jsonl", &text_of(&rows, 0));
    let context = printed(&folder.run(&["context", "session.jsonl", "--json"]));
    assert!(context.to_string().contains("You are a pilot."), "{context}");
    folder.run(&["session.jsonl", "-o", "page.html", "--no-system"]);
    folder.run(&["extract", "page.html", "-o", "cut.jsonl", "--force"]);
    let cut = folder.read("cut.jsonl");
    assert!(!cut.contains("pilot") && cut.contains("Hello"), "{cut}");
    // Older ones keep the user's own instructions there, and a message says them too.
    let own = meta(json!({"id": PARENT, "instructions": "Knots, not miles."}));
    let again = message("user", "<user_instructions>\n\nKnots, not miles.\n\n</user_instructions>");
    assert_eq!(texts(&read(&[own.clone(), message("user", "Hi")]), Kind::System).len(), 1);
    assert_eq!(texts(&read(&[own, again]), Kind::System).len(), 0);
}

#[test]
fn a_summary_is_no_response() {
    let rows = [
        message("user", "Chart the coast"),
        message("assistant", "Charted."),
        record(10, 10, 5),
        message("assistant", "The coast is charted."),
        record(12, 2, 5),
        (
            "compacted",
            json!({"message": "Another model wrote this.\nThe coast is charted.",
            "replacement_history": [{"type": "additional_tools", "tools": []},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Chart the coast"}]}]}),
        ),
        message("assistant", "On we go."),
    ];
    let session = read(&rows);
    assert_eq!(texts(&session, Kind::Assistant), ["Charted.", "On we go."]);
    let compaction = session.find("line-6").unwrap();
    assert_eq!(session.find("line-4"), Some(compaction), "its own line leads there");
    let Body::Compaction(body) = session.entry(compaction).unwrap().body else {
        panic!("a compaction")
    };
    assert_eq!(body.usage.unwrap().input.to_string(), "2");
    assert_eq!(body.retained_tail.unwrap().len(), 1);
    // A response that nothing repeats stays one.
    let kept = read(&[
        message("user", "x"),
        message("assistant", "Done."),
        ("compacted", json!({"message": "Sum."})),
    ]);
    assert_eq!(texts(&kept, Kind::Assistant), ["Done."]);
}

#[test]
fn the_task_of_an_agent_is_its_prompt() {
    let says = |author: &str, recipient: &str, content: Value| {
        (
            "response_item",
            json!({"type": "agent_message", "author": author, "recipient": recipient, "content": content}),
        )
    };
    let head =
        json!({"type": "input_text", "text": "Message Type: NEW_TASK\nSender: /root\nPayload:\n"});
    let task = json!({"type": "encrypted_content", "encrypted_content": "Sound the bay, please."});
    let secret = json!({"type": "encrypted_content", "encrypted_content": "gAAAA".repeat(20)});
    let of = |path: &str| meta(json!({"id": PARENT, "agent_path": path}));
    let agent = read(&[of("/root/pilot"), says("/root", "/root/pilot", json!([head, task]))]);
    assert_eq!(texts(&agent, Kind::User), ["Sound the bay, please."]);
    let hidden = read(&[of("/root/pilot"), says("/root", "/root/pilot", json!([head, secret]))]);
    assert_eq!(texts(&hidden, Kind::User), ["(encrypted)"]);
    let answer = json!([{"type": "input_text", "text": "Payload:\n9 m"}]);
    let below = says("/root/pilot/mate", "/root/pilot", answer.clone());
    let above = read(&[of("/root/pilot"), message("user", "x"), below]);
    assert_eq!(texts(&above, Kind::User), ["x"], "what comes from below is no task");
    assert_eq!(texts(&above, Kind::CustomMessage), ["Payload:\n9 m"]);
    let root = read(&[
        meta(json!({"id": PARENT})),
        message("user", "x"),
        says("/root/pilot", "/root", answer),
    ]);
    assert_eq!(texts(&root, Kind::User), ["x"]);
}

/// A parent of which a fork took the first two messages, and the fork.
fn forked() -> (String, String) {
    let parent = [
        meta(json!({"id": PARENT})),
        message("user", "Chart the coast"),
        message("assistant", "Charted."),
        message("user", "After the fork"),
    ];
    let base = json!({"thread_id": PARENT, "end_ordinal_exclusive": 3, "end_byte_offset": 9999});
    let fork = [
        meta(json!({"id": FORK, "forked_from_id": PARENT, "history_base": base})),
        message("user", "And the reef?"),
        message("assistant", "Aground."),
    ];
    (text_of(&parent, 0), text_of(&fork, 3))
}

fn write(folder: &Folder, path: &str, text: &str) {
    std::fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
    folder.write(path, text);
}

#[test]
fn a_fork_has_what_was_before_it() {
    let (parent, fork) = forked();
    let prompts = |folder: &Folder, path: &str| {
        let stats = printed(&folder.run(&["stats", path, "--json"]));
        stats["total"]["prompts"].as_u64().unwrap()
    };
    let in_day = "home/sessions/2026/05/20/rollout-2026-05-20T09-00-00-";
    let fork_path = format!("{in_day}{FORK}.jsonl");
    for place in [
        format!("{in_day}{PARENT}.jsonl"),
        format!("home/sessions/2026/04/30/rollout-2026-04-30T09-00-00-{PARENT}.jsonl"),
        format!("home/archived_sessions/rollout-2026-04-30T09-00-00-{PARENT}.jsonl"),
    ] {
        let folder = Folder::new();
        write(&folder, &place, &parent);
        write(&folder, &fork_path, &fork);
        let tree = folder.run(&["tree", &fork_path]).get_output().stdout.clone();
        let tree = String::from_utf8(tree).unwrap();
        let at = |words: &str| tree.find(words);
        assert!(
            at("Chart the coast") < at("And the reef?") && at("Chart the coast").is_some(),
            "{tree}"
        );
        assert!(at("After the fork").is_none() && at("is a fork").is_none(), "{tree}");
        assert_eq!(prompts(&folder, &fork_path), 2, "{place}");
        folder.run(&[&fork_path, "-o", "page.html"]);
        folder.run(&["extract", "page.html", "-o", "out.jsonl", "--force"]);
        assert_eq!(prompts(&folder, "out.jsonl"), 2, "what was extracted has it, too");
    }
    let folder = Folder::new();
    write(&folder, &fork_path, &format!("{fork}{{\"torn"));
    write(&folder, &format!("{in_day}{PARENT}.jsonl"), &parent.replacen('\n', "\n[]\n", 1));
    let said = folder.run(&["tree", &fork_path]).get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    // Lines are those of each file, not of both together.
    assert!(said.contains("incomplete last line, skipped (line 4)"), "{said}");
    assert!(said.contains("skipped (line 2), in the session that it was forked from"), "{said}");

    let folder = Folder::new();
    write(&folder, &fork_path, &fork);
    let tree = folder.run(&["tree", &fork_path]).get_output().stdout.clone();
    let tree = String::from_utf8(tree).unwrap();
    assert!(tree.contains("This session is a fork") && tree.contains(PARENT), "{tree}");
    assert_eq!(prompts(&folder, &fork_path), 1);
}

#[test]
fn what_the_provider_ran_has_ended_without_an_output() {
    let search = |status: &str| {
        let call = json!({"type": "web_search_call", "id": "ws", "status": status,
            "action": {"type": "search", "query": "tides"}});
        ("response_item", call)
    };
    let drawn = json!({"type": "image_generation_call", "id": "ig", "status": "completed",
        "result": "aGVsbG8="});
    let drawn = ("response_item", drawn);
    let page = |rows: &[Row]| {
        let session = read(rows);
        let mut page = Vec::new();
        leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        (crate::support::inflated::everything(&page), ended(&session, session.leaf()).unwrap().how)
    };
    let (shown, how) =
        page(&[message("user", "Go"), search("completed"), drawn, message("assistant", "Done.")]);
    assert!(!shown.contains("unfinished") && shown.contains("aGVsbG8="));
    assert_eq!(how, Ending::Answered);
    let (shown, how) = page(&[message("user", "Go"), search("in_progress")]);
    assert!(shown.contains("unfinished"));
    assert_eq!(how, Ending::CutOff);
}
