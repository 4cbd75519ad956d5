//! What headless runs of Claude Code print: `--output-format stream-json`, and the same as one array.

use leafpress::Session;
use leafpress::cut::{Cut, cut};
use leafpress::format::ReadError;
use leafpress::report::{StatsReport, stats};
use leafpress::session::EntryIndex;
use leafpress::session::damage::DamageKind;
use leafpress::session::ending::{Ending, ended};
use leafpress::session::message::Message;
use leafpress::session::{Body, Format};
use serde_json::{Value, json};

use crate::support::session::sent;

/// Rows of a stream, each with the session's id and a uuid by its place.
fn rows(rows: &[Value]) -> Vec<Value> {
    let one = |(nth, row): (usize, &Value)| {
        let mut row = row.clone();
        let fields = row.as_object_mut().unwrap();
        fields.entry("session_id").or_insert(json!("run"));
        fields.entry("uuid").or_insert(json!(format!("r{}", nth + 1)));
        row
    };
    rows.iter().enumerate().map(one).collect()
}

fn joined(rows: &[Value]) -> String {
    rows.iter().flat_map(|row| [row.to_string(), "\n".to_owned()]).collect()
}

fn lines(all: &[Value]) -> String {
    joined(&rows(all))
}

fn read(all: &[Value]) -> Session {
    let session = leafpress::read(lines(all).into_bytes()).unwrap();
    assert_eq!(session.format(), Format::ClaudeCode);
    session
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "cwd": "/home/mia/bread", "tools": ["Bash"],
        "model": "claude-x", "claude_code_version": "2.1.330"})
}

fn block(id: &str, block: &Value) -> Value {
    json!({"type": "assistant", "parent_tool_use_id": null, "request_id": format!("q-{id}"),
        "message": {"id": id, "role": "assistant", "model": "claude-x", "content": [block],
            "stop_reason": null,
            "usage": {"input_tokens": 40, "output_tokens": 1, "cache_read_input_tokens": 200}}})
}

fn says(id: &str, text: &str) -> Value {
    block(id, &json!({"type": "text", "text": text}))
}

fn calls(id: &str, call: &str, name: &str, input: &Value) -> Value {
    block(id, &json!({"type": "tool_use", "id": call, "name": name, "input": input}))
}

fn answers(call: &str, text: &str) -> Value {
    json!({"type": "user", "parent_tool_use_id": null, "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}})
}

fn within(call: &str, mut row: Value) -> Value {
    row["parent_tool_use_id"] = json!(call);
    row
}

fn usage(input: u32, output: u32, cost: f64) -> Value {
    json!({"claude-x": {"inputTokens": input, "outputTokens": output, "cacheReadInputTokens": 200,
        "cacheCreationInputTokens": 0, "costUSD": cost, "contextWindow": 500_000}})
}

fn result(text: &str, models: &Value, cost: f64) -> Value {
    json!({"num_turns": 1, "is_error": false, "result": text, "total_cost_usd": cost,
        "modelUsage": models, "permission_denials": [], "terminal_reason": "completed",
        "type": "result", "subtype": "success"})
}

fn texts(session: &Session, entries: impl Iterator<Item = EntryIndex>) -> Vec<String> {
    let text = |entry| match session.entry(entry).unwrap().body {
        Body::Message(message @ (Message::User(_) | Message::Assistant(_))) => {
            let blocks = message.content().iter().filter_map(|block| match block {
                leafpress::session::message::Block::Text(text) => Some(text.as_ref()),
                _ => None,
            });
            Some(format!("{} {}", message.role(), blocks.collect::<Vec<_>>().join("|")))
        }
        Body::CustomMessage(custom) => Some(format!("[{}]", custom.custom_type)),
        _ => None,
    };
    entries.filter_map(text).collect()
}

fn own(session: &Session) -> Vec<String> {
    texts(session, session.own_indices())
}

fn figures(session: &Session) -> (f64, f64, f64, f64) {
    let StatsReport { total, .. } = stats(session);
    let usage = total.usage;
    (usage.input, usage.output, usage.cache_read, usage.cost)
}

fn how(session: &Session) -> (Ending, String) {
    let ended = ended(session, session.leaf()).unwrap();
    (ended.how, ended.text.text)
}

/// One run with a call.
fn run() -> Vec<Value> {
    vec![
        init(),
        json!({"type": "system", "subtype": "status", "status": "requesting"}),
        says("m1", "I look at the oven."),
        calls("m1", "c1", "Bash", &json!({"command": "oven --state"})),
        answers("c1", "cold"),
        says("m2", "It is cold."),
        result("It is cold.", &usage(80, 55, 0.25), 0.25),
    ]
}

#[test]
fn a_run_is_read_with_its_end_and_its_totals() {
    let session = read(&run());
    let expected =
        ["[no-prompt]", "assistant I look at the oven.", "assistant It is cold.", "[run-end]"];
    assert_eq!(own(&session), expected);
    let report = stats(&session);
    assert_eq!((report.total.prompts, report.total.turns, report.total.tool_calls), (0, 2, 1));
    // Both responses state input and cache; the rest is the last row's.
    assert_eq!(figures(&session), (80.0, 55.0, 400.0, 0.25));
    assert_eq!(how(&session), (Ending::Answered, "It is cold.".to_owned()));
    assert_eq!(session.header().cwd, "/home/mia/bread");
    assert_eq!(session.header().agent_version.as_deref(), Some("2.1.330"));
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    let first = session.raw(EntryIndex::new(0)).unwrap();
    assert!(first.contains("The prompt is not in this file"), "{first}");
    // It is in no context, and neither is the end of the run.
    let sent = sent(&session, session.id(session.leaf()).unwrap());
    let roles: Vec<&str> = sent.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["assistant", "toolResult", "assistant"]);
    // What a response said is not said again by the end of the run.
    let all: String = session.indices().map(|entry| session.raw(entry).unwrap()).collect();
    assert_eq!(all.matches("It is cold.").count(), 1);
}

#[test]
fn an_array_of_rows_is_the_same_run() {
    let rows = Value::Array(rows(&run()));
    let expected = own(&read(&run()));
    for text in [rows.to_string(), serde_json::to_string_pretty(&rows).unwrap()] {
        let session = leafpress::read(text.clone().into_bytes()).unwrap();
        assert_eq!(own(&session), expected);
        assert_eq!(figures(&session), (80.0, 55.0, 400.0, 0.25));
        assert_eq!(session.source(), text.as_bytes());
        assert!(session.damage().is_empty(), "{:?}", session.damage());
    }
}

#[test]
fn a_stream_that_breaks_off_is_read_up_to_there() {
    let whole = lines(&run());
    let array = Value::Array(rows(&run())).to_string();
    for text in [&whole[..whole.len() - 700], &array[..array.len() - 700]] {
        let session = leafpress::read(text.to_owned().into_bytes()).unwrap();
        assert_eq!(own(&session).last().unwrap(), "[run-end-cut-off]");
        assert_eq!(how(&session).0, Ending::CutOff);
        let torn = |damage: &leafpress::session::Damage| damage.kind == DamageKind::TornLastLine;
        assert_eq!(session.damage().iter().filter(|damage| torn(damage)).count(), 1);
        // Nothing states the output: what stands there is the number of a beginning.
        assert!(figures(&session).1.abs() < 1e-9);
        let said = |note: &&String| note.starts_with("The output tokens of");
        assert_eq!(session.notes().iter().filter(said).count(), 1, "{:?}", session.notes());
    }
}

#[test]
fn sums_that_go_on_are_counted_once() {
    // Each row states what all before it did, too.
    let mut two = run();
    two.extend([
        init(),
        json!({"type": "user", "isReplay": true, "parent_tool_use_id": null,
            "message": {"role": "user", "content": "And now?"}}),
        says("m3", "Warm."),
        result("Warm.", &usage(120, 90, 0.5), 0.5),
    ]);
    let session = read(&two);
    assert_eq!(figures(&session), (120.0, 90.0, 600.0, 0.5));
    assert_eq!(stats(&session).total.prompts, 1);
    // 2.1.330 goes on from runs that are not in the file, and says what this one took.
    let mut later = run();
    let mut end = result("It is cold.", &usage(9000, 7000, 12.5), 12.5);
    end["model_usage_since_last_result"] = usage(80, 55, 0.25);
    later[6] = end;
    // A further turn that a background task began has its row at the end as well.
    let mut more = result("It is cold.", &usage(9000, 7000, 12.5), 12.5);
    more["model_usage_since_last_result"] = json!({});
    later.push(more);
    let session = read(&later);
    assert_eq!(figures(&session), (80.0, 55.0, 400.0, 0.25));
    // Two streams in one file: the second begins again.
    let mut both = run();
    let mut again = run();
    again[2]["message"]["id"] = json!("n1");
    again[3]["message"]["id"] = json!("n1");
    again[3]["message"]["content"][0]["id"] = json!("d1");
    again[4]["message"]["content"][0]["tool_use_id"] = json!("d1");
    again[5]["message"]["id"] = json!("n2");
    again[6] = result("It is cold.", &usage(80, 20, 0.125), 0.125);
    both.extend(again);
    let session = read(&both);
    assert_eq!(figures(&session), (160.0, 75.0, 800.0, 0.375));
}

fn event(event: &Value) -> Value {
    json!({"type": "stream_event", "parent_tool_use_id": null, "event": event})
}

fn partial() -> Vec<Value> {
    let start = json!({"type": "message_start", "message": {"id": "m1", "role": "assistant",
        "model": "claude-x", "content": [], "usage": {"input_tokens": 40, "output_tokens": 1}}});
    let begin = json!({"type": "content_block_start", "index": 0,
        "content_block": {"type": "text", "text": ""}});
    let delta = |text: &str| {
        json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": text}})
    };
    vec![
        init(),
        event(&start),
        event(&begin),
        event(&delta("The crust ")),
        event(&delta("is dark.")),
        says("m1", "The crust is dark."),
        event(&json!({"type": "content_block_stop", "index": 0})),
        event(&json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 33}})),
        event(&json!({"type": "message_stop"})),
    ]
}

#[test]
fn partial_messages_are_no_rows_and_state_the_output() {
    let session = read(&partial());
    let expected = ["[no-prompt]", "assistant The crust is dark.", "[run-end-cut-off]"];
    assert_eq!(own(&session), expected);
    assert!((figures(&session).1 - 33.0).abs() < 1e-9);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    // What no row has whole stands there as far as it was printed.
    let session = read(&partial()[..5]);
    assert_eq!(own(&session), expected);
    assert_eq!(how(&session).0, Ending::CutOff);
    // A call that was not printed to its end.
    let call = json!({"type": "content_block_start", "index": 1,
        "content_block": {"type": "tool_use", "id": "c9", "name": "Bash", "input": {}}});
    let arguments = json!({"type": "content_block_delta", "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": "{\"command\": \"oven --op"}});
    let mut cut = partial()[..7].to_vec();
    cut.extend([event(&call), event(&arguments)]);
    let session = read(&cut);
    let report = stats(&session);
    assert_eq!((report.total.turns, report.total.tool_calls), (1, 1));
    assert!(session.indices().any(|entry| session.raw(entry).unwrap().contains("oven --op")));
}

fn agent_call(id: &str, call: &str, prompt: &str) -> Value {
    calls(
        id,
        call,
        "Agent",
        &json!({"description": "Look", "prompt": prompt, "subagent_type": "scout"}),
    )
}

fn started(task: &str, call: &str, prompt: &str, is_background: bool) -> Value {
    json!({"type": "system", "subtype": "task_started", "task_id": task, "tool_use_id": call,
        "description": "Look", "subagent_type": "scout", "is_backgrounded": is_background,
        "task_type": "local_agent", "prompt": prompt})
}

#[test]
fn rows_of_sub_agents_are_sessions_of_their_own() {
    let mut handed = answers("a1", "Two loaves.");
    handed["tool_use_result"] = json!({"status": "completed", "agentId": "s1",
        "content": [{"type": "text", "text": "Two loaves."}]});
    let prompt = json!({"type": "user", "message": {"role": "user", "content": "Count loaves"}});
    let session = read(&[
        init(),
        agent_call("m1", "a1", "Count loaves"),
        agent_call("m1", "a2", "Count rolls"),
        started("s1", "a1", "Count loaves", false),
        started("s2", "a2", "Count rolls", false),
        within("a1", prompt),
        within("a2", says("k1", "I see rolls.")),
        within("a1", calls("h1", "b1", "Bash", &json!({"command": "ls"}))),
        within("a2", calls("k1", "b2", "Bash", &json!({"command": "ls"}))),
        within("a1", answers("b1", "loaf loaf")),
        within("a2", answers("b2", "roll")),
        within("a2", says("k2", "One roll.")),
        handed,
        answers("a2", "One roll."),
        says("m2", "Counted."),
        result("Counted.", &usage(240, 60, 0.5), 0.5),
    ]);
    let expected = ["[no-prompt]", "assistant ", "assistant Counted.", "[run-end]"];
    assert_eq!(own(&session), expected);
    let subs: Vec<_> = session
        .sub_sessions()
        .iter()
        .map(|sub| {
            let texts = texts(&session, sub.entries());
            (sub.key.as_str(), sub.agent.as_deref(), sub.missing.is_some(), texts)
        })
        .collect();
    let said = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        subs,
        [
            (
                "s1",
                Some("scout"),
                false,
                // Its last words stand in the result alone.
                said(&["user Count loaves", "assistant ", "assistant Two loaves."])
            ),
            (
                "s2",
                Some("scout"),
                false,
                // Its prompt stands in the row that started it.
                said(&["user Count rolls", "assistant I see rolls.", "assistant One roll."])
            ),
        ]
    );
    assert_eq!(figures(&session), (240.0, 60.0, 1000.0, 0.5));
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    assert_eq!(how(&session).0, Ending::Answered);
}

#[test]
fn a_background_agent_reports_later() {
    let launched = answers("a1", "Launched.");
    let session = read(&[
        init(),
        agent_call("m1", "a1", "Watch the dough"),
        started("s1", "a1", "Watch the dough", true),
        launched,
        says("m2", "I wait."),
        within("a1", says("k1", "It rises.")),
        json!({"type": "system", "subtype": "task_notification", "task_id": "s1",
            "tool_use_id": "a1", "status": "completed", "summary": "It rises."}),
        init(),
        says("m3", "It has risen."),
        result("I wait.", &usage(160, 20, 0.5), 0.5),
        result("It has risen.", &usage(160, 20, 0.5), 0.5),
    ]);
    let expected = [
        "[no-prompt]",
        "assistant ",
        "assistant I wait.",
        "[task-notification]",
        "assistant It has risen.",
        "[run-end]",
        "[run-end]",
    ];
    assert_eq!(own(&session), expected);
    assert_eq!(how(&session), (Ending::Answered, "It has risen.".to_owned()));
    assert_eq!(session.sub_sessions().len(), 1);
    assert!((figures(&session).3 - 0.5).abs() < 1e-9);
}

#[test]
fn runs_that_fail_or_are_stopped_say_so() {
    let mut denied = run();
    denied[6]["permission_denials"] = json!([{"tool_name": "Bash", "tool_use_id": "c1", "tool_input": {"command": "oven --off"}}]);
    denied.insert(
        4,
        json!({"type": "system", "subtype": "permission_denied", "tool_name": "Bash",
            "tool_use_id": "c1", "decision_reason": "needs approval", "message": "needs approval"}),
    );
    let session = read(&denied);
    let all: String = session.indices().map(|entry| session.raw(entry).unwrap()).collect();
    assert!(all.contains("Denied: `Bash oven --off`"), "{all}");
    assert!(all.contains("`Bash` was not allowed: needs approval"), "{all}");
    assert_eq!(how(&session).0, Ending::Answered);

    let mut limit = run();
    limit.remove(5);
    limit[5] = json!({"type": "result", "subtype": "error_max_turns", "is_error": true, "num_turns": 2,
        "terminal_reason": "max_turns", "errors": ["Reached maximum number of turns (1)"]});
    let expected = (Ending::Failed, "Reached maximum number of turns (1)".to_owned());
    assert_eq!(how(&read(&limit)), expected);
    // What ended it is among the failures.
    assert_eq!(stats(&read(&limit)).total.failures, 1);
    // A cut leaves the end as it is.
    let mut without = Cut::default();
    without.without_tool_output = true;
    assert_eq!(how(&cut(read(&limit), &without).unwrap()), expected);

    let mut stopped = run();
    stopped[5] = json!({"type": "user", "parent_tool_use_id": null,
        "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}});
    stopped[6] = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
        "num_turns": 2, "terminal_reason": "aborted_streaming", "errors": ["[diagnostic]"]});
    let session = read(&stopped);
    assert_eq!(how(&session).0, Ending::Stopped);
    assert_eq!(stats(&session).total.prompts, 0);

    let made_up = json!({"type": "assistant", "error": "unknown", "parent_tool_use_id": null,
        "message": {"id": "x", "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence",
            "content": [{"type": "text", "text": "API Error: 400 no flour"}]}});
    let end = json!({"type": "result", "subtype": "success", "is_error": true, "num_turns": 1,
        "terminal_reason": "api_error", "result": "API Error: 400 no flour"});
    let session = read(&[init(), made_up, end.clone()]);
    assert_eq!(how(&session), (Ending::Failed, "API Error: 400 no flour".to_owned()));
    assert_eq!(stats(&session).total.failures, 1);
    // Before the model said anything.
    let session = read(&[init(), end]);
    assert_eq!(how(&session).0, Ending::Failed);
}

#[test]
fn what_the_program_says_to_the_model_is_no_prompt() {
    let synthetic = json!({"type": "user", "isSynthetic": true, "parent_tool_use_id": null,
        "message": {"role": "user", "content": [{"type": "text", "text": "Go on where you stopped."}]}});
    let mut rows = run();
    rows.insert(5, synthetic);
    let session = read(&rows);
    assert_eq!(stats(&session).total.prompts, 0);
    assert!(own(&session).contains(&"[meta]".to_owned()));
    // A compaction, as the run of `/compact` prints it.
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "logical_parent_uuid": "gone",
        "compact_metadata": {"trigger": "manual", "pre_tokens": 9000, "post_tokens": 800,
            "preserved_segment": {"head_uuid": "h"}}});
    let summary = json!({"type": "user", "isReplay": false, "isSynthetic": true, "message": {"role": "user",
        "content": "This session is being continued from a previous conversation. We baked."}});
    let session = read(&[init(), boundary, summary, result("", &usage(10, 5, 0.1), 0.1)]);
    let is_summary = |entry| match session.entry(entry).unwrap().body {
        Body::Compaction(compaction) => {
            compaction.summary.contains("We baked.") && compaction.tokens_before == Some(9000.0)
        }
        _ => false,
    };
    assert_eq!(session.indices().filter(|&entry| is_summary(entry)).count(), 1);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
}

#[test]
fn structured_output_ends_a_run() {
    let session = read(&[
        init(),
        calls("m1", "c1", "StructuredOutput", &json!({"loaves": 4})),
        answers("c1", "Structured output provided successfully"),
        result("{\"loaves\":4}", &usage(40, 9, 0.1), 0.1),
    ]);
    assert_eq!(how(&session), (Ending::Answered, "{\"loaves\":4}".to_owned()));
}

#[test]
fn rows_without_ids_are_read() {
    // As older versions print them.
    let strip = |row: &Value| {
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("uuid");
        row
    };
    let rows: Vec<Value> = rows(&run()).iter().map(strip).collect();
    let session = leafpress::read(Value::Array(rows).to_string().into_bytes()).unwrap();
    assert_eq!(session.format(), Format::ClaudeCode);
    assert_eq!(own(&session), own(&read(&run())));
    assert_eq!(figures(&session), (80.0, 55.0, 400.0, 0.25));
}

#[test]
fn the_final_answer_alone_is_refused() {
    let answer = rows(&[result("It is cold.", &usage(80, 55, 0.25), 0.25)])[0].to_string();
    for text in [answer.clone(), answer + "\n"] {
        let error = leafpress::read(text.into_bytes()).unwrap_err();
        assert!(matches!(error, ReadError::FinalAnswer { .. }), "{error}");
        assert_eq!(
            error.to_string(),
            "it is the final answer of a run, not its transcript; run with `--output-format stream-json --verbose`"
        );
    }
    // It may be any agent's.
    let error = leafpress::read(b"It is cold.\n".to_vec()).unwrap_err();
    assert_eq!(error, ReadError::PlainText);
    // Which agent's it is, is known where the object says so.
    for (usage, command) in [
        (
            json!({"input_tokens": 7, "total_tokens": 9}),
            "qwen -p PROMPT --output-format stream-json >",
        ),
        (json!({}), "AGENT -p PROMPT --output-format stream-json >"),
    ] {
        let answer =
            json!({"type": "result", "subtype": "success", "num_turns": 1, "usage": usage});
        let error = leafpress::read(answer.to_string().into_bytes()).unwrap_err();
        let ReadError::FinalAnswer { command: told, .. } = error else { panic!("{error}") };
        assert!(told.starts_with(command), "{told}");
    }
}

#[test]
fn wrong_types_in_a_stream_do_no_harm() {
    let rows = rows(&run());
    for (nth, row) in rows.iter().chain(&partial()).enumerate() {
        let nth = nth % rows.len();
        for key in row.as_object().unwrap().keys() {
            for odd in [json!(7), json!([]), json!({}), json!(null), json!("x"), json!([[[1]]])] {
                let mut rows = rows.clone();
                let mut row = row.clone();
                row[key] = odd;
                rows.insert(nth, row);
                if let Ok(session) = leafpress::read(joined(&rows).into_bytes()) {
                    let _ = (stats(&session), ended(&session, session.leaf()));
                }
            }
        }
    }
}
