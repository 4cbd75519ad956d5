//! OpenCode: exported sessions of versions 1.x and 2.x, and the stream of a run.

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::EntryIndex;
use leafpress::session::ending::{Ending, ended};
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::usage::Usage;
use leafpress::session::{Body, Format, Kind};
use serde_json::json;

use crate::support::session::{
    assistant, fixture, ids, json_fixture, kinds, pointers, read_fixture, seen, spent, texts,
    tool_result,
};

const V1: &str = "samples/opencode/export-v1.json";
const V2: &str = "samples/opencode/export-v2.json";
const RUN: &str = "samples/opencode/run.jsonl";

fn tokens(usage: Usage) -> [String; 5] {
    let Usage { input, output, cache_read, cache_write, cost, .. } = usage;
    [input, output, cache_read, cache_write, cost].map(|count| format!("{count:.3}"))
}

fn images(content: &[Block<'_>]) -> usize {
    content.iter().filter(|block| matches!(block, Block::Image { .. })).count()
}

fn read(value: &serde_json::Value) -> Session {
    leafpress::read(value.to_string().into_bytes()).unwrap()
}

#[test]
fn an_export_is_a_chain_of_messages_and_results() {
    let session = read_fixture(V1);
    assert_eq!(session.format(), Format::OpenCode);
    assert_eq!(session.title(), Some("Tides of the harbor"));
    assert_eq!(
        (session.header().id.as_str(), session.header().cwd.as_str()),
        ("ses_tide01", "/srv/tides")
    );
    assert_eq!(session.header().time, Some(1_790_000_000_000));
    assert_eq!(session.damage(), []);
    assert_eq!(
        kinds(&session),
        [
            ("msg_01-model", Kind::ModelChange),
            ("msg_01-agent", Kind::Mode),
            ("msg_01", Kind::User),
            ("msg_01.5", Kind::FileMention),
            ("prt_002", Kind::CustomMessage),
            ("msg_02", Kind::Assistant),
            ("prt_008", Kind::ToolResult),
            ("prt_009", Kind::ToolResult),
            ("prt_010", Kind::Custom),
            ("msg_03", Kind::Assistant),
            ("prt_013", Kind::ToolResult),
            ("prt_014", Kind::ToolResult),
            ("prt_015", Kind::ToolResult),
            ("prt_016", Kind::ToolResult),
            ("prt_017", Kind::ToolResult),
            ("msg_04", Kind::Assistant),
            ("msg_06", Kind::Compaction),
            ("msg_07", Kind::CustomMessage),
            ("msg_08", Kind::Assistant),
            ("prt_029", Kind::ToolResult),
            ("msg_08-2", Kind::Assistant),
            ("msg_09-model", Kind::ModelChange),
            ("msg_09-agent", Kind::Mode),
            ("msg_09", Kind::User),
            ("msg_10", Kind::Assistant),
            ("prt_037", Kind::Custom),
        ]
    );
    let last = session.len() - 1;
    assert_eq!(session.tree().path(EntryIndex::new(last)).len(), session.len(), "one chain");
    assert_eq!(
        session.notes(),
        [
            "1 sub-agent session that the file does not include: ses_tide02",
            "2 messages undone by the user, shown after the current leaf",
            "Not shown: 1 agent, 7 starts of steps",
        ]
    );
}

#[test]
fn a_prompt_is_what_the_person_typed_and_attached() {
    let session = read_fixture(V1);
    let Body::Message(Message::User(content)) = session.entry(EntryIndex::new(2)).unwrap().body
    else {
        panic!("a prompt")
    };
    assert_eq!(joined_text(&content, "\n"), "When is low tide? @notes.md");
    assert_eq!(images(&content), 1);
    let Body::Message(Message::FileMention(files)) =
        session.entry(EntryIndex::new(3)).unwrap().body
    else {
        panic!("a file")
    };
    assert_eq!(files[0].path, "notes.md");
    let Body::CustomMessage(added) = session.entry(EntryIndex::new(4)).unwrap().body else {
        panic!("added words")
    };
    assert!(!added.display && added.custom_type == "synthetic");
    let prompts = kinds(&session).iter().filter(|(_, kind)| *kind == Kind::User).count();
    assert_eq!(prompts, 2, "what OpenCode adds is no prompt");
}

#[test]
fn results_say_whether_the_tool_failed() {
    let session = read_fixture(V1);
    let failed = |id| tool_result(&session, id).is_error;
    assert!(!failed("prt_008"));
    assert!(failed("prt_009"), "exit 1 counts as completed in OpenCode");
    assert!(failed("prt_014") && failed("prt_015"), "an error, and a call that was refused");
    let bash = tool_result(&session, "prt_009");
    assert_eq!(bash.details.unwrap().compact(), r#"{"exitCode":1}"#);
    assert_eq!(bash.duration_ms, Some(250.0));
    let edit = tool_result(&session, "prt_013").details.unwrap();
    let diff = edit.get("diff").unwrap().as_str().unwrap();
    assert!(diff.starts_with("--- /srv") && diff.ends_with("+04:12,low\n"), "{diff}");
    assert!(edit.get("filediff").is_none());
    let error = tool_result(&session, "prt_014");
    assert_eq!(error.only_text(), Some("File not found: /srv/tides/none.csv"));
    assert_eq!(tool_result(&session, "prt_029").pruned_at, Some(1_790_000_020_000.0));
}

#[test]
fn tokens_and_cost_are_counted_once_and_reasoning_is_output() {
    let session = read_fixture(V1);
    let first = assistant(&session, "msg_02").usage.unwrap();
    assert_eq!(tokens(first), ["600.000", "60.000", "300.000", "50.000", "0.010"]);
    assert_eq!(tokens(spent(&session)), ["2722.000", "189.000", "2200.000", "50.000", "0.068"]);
    // Of a message whose steps say nothing, what it says itself.
    let mut value = json_fixture(V1);
    for message in value["messages"].as_array_mut().unwrap() {
        message["parts"].as_array_mut().unwrap().retain(|part| part["type"] != "step-finish");
    }
    let stated = spent(&read(&value));
    assert_eq!(tokens(stated), ["2717.000", "183.000", "2200.000", "50.000", "0.068"]);
}

#[test]
fn a_compaction_stands_for_what_came_before() {
    let mut value = json_fixture(V1);
    let session = read(&value);
    assert_eq!(session.find("msg_05"), session.find("msg_06"), "the request and its summary");
    assert_eq!(
        texts(&session, "msg_08-2"),
        [
            "Low tide is at 04:12.",
            "Continue if you have next steps, or stop and ask for clarification.",
            "One more look.",
            "/srv/tides/tides.csv",
            "Nothing is left to do.",
        ]
    );
    value["messages"][4]["parts"][0]["tail_start_id"] = json!("msg_04");
    assert_eq!(texts(&read(&value), "msg_07")[..2], ["Low tide is at 04:12.", "At 04:12."]);
    // A summary that failed replaces nothing.
    value["messages"][5]["info"]["error"] =
        json!({"name": "APIError", "data": {"message": "Overloaded"}});
    let session = read(&value);
    assert!(kinds(&session).contains(&("msg_05", Kind::Custom)));
    assert_eq!(assistant(&session, "msg_06").error_message.as_deref(), Some("Overloaded"));
    assert_eq!(texts(&session, "msg_06")[0], "When is low tide? @notes.md");
}

#[test]
fn what_was_undone_is_a_branch_behind_the_leaf() {
    let mut value = json_fixture(V1);
    assert_eq!(session_leaf(&value), "msg_08-2");
    value["info"]["revert"] = json!({"messageID": "msg_08", "partID": "prt_029"});
    assert_eq!(session_leaf(&value), "msg_08");
    value["info"]["revert"] = json!({"messageID": "msg_01"});
    let session = read(&value);
    assert_eq!(session.id(session.leaf()).unwrap(), "prt_037");
    assert!(session.notes()[0].contains("before its first entry"), "{:?}", session.notes());
    value["info"]["revert"] = json!({"messageID": "msg_99"});
    assert!(read(&value).notes().iter().any(|note| note.starts_with("`msg_99` was undone")));
}

fn session_leaf(value: &serde_json::Value) -> String {
    let session = read(value);
    session.id(session.leaf()).unwrap().to_owned()
}

#[test]
fn an_aborted_response_says_so() {
    let session = read_fixture(V1);
    let aborted = assistant(&session, "msg_10");
    assert!(aborted.stopped_by("aborted"));
    assert_eq!(aborted.error_message.as_deref(), Some("The operation was aborted."));
    assert_eq!(aborted.calls().count(), 1);
}

#[test]
fn titles_that_opencode_makes_up_are_none() {
    let mut value = json_fixture(V1);
    value["info"]["title"] = json!("New session - 2026-11-02T09:00:00.000Z");
    assert_eq!(read(&value).title(), None);
    value["info"]["title"] = json!("Tides (fork #2)");
    assert!(read(&value).notes()[0].starts_with("A fork"));
}

#[test]
fn version_2_reads_as_version_1_does() {
    let session = read_fixture(V2);
    assert_eq!((session.format(), session.header().version), (Format::OpenCode, 2));
    assert_eq!(session.header().cwd, "/srv/tides");
    assert_eq!(session.header().parent_session.as_deref(), Some("ses_tide19"));
    assert_eq!(
        kinds(&session),
        [
            ("msg_a1-agent", Kind::Mode),
            ("msg_a2-model", Kind::ModelChange),
            ("msg_a3", Kind::CustomMessage),
            ("msg_a4", Kind::User),
            ("msg_a4-files", Kind::FileMention),
            ("msg_a5", Kind::Assistant),
            ("call_1", Kind::ToolResult),
            ("call_2", Kind::ToolResult),
            ("msg_a6", Kind::Bash),
            ("msg_a7", Kind::CustomMessage),
            ("msg_a8", Kind::Compaction),
            ("msg_a9", Kind::User),
            ("msg_b1", Kind::Assistant),
            ("msg_b1-retry", Kind::Custom),
            ("msg_b2", Kind::Custom),
        ]
    );
    assert_eq!(images(&tool_result(&session, "call_1").content), 1);
    assert!(tool_result(&session, "call_2").is_error);
    assert_eq!(tool_result(&session, "call_2").only_text(), Some("File not found"));
    let Body::Message(Message::FileMention(files)) =
        session.entry(EntryIndex::new(4)).unwrap().body
    else {
        panic!("a file")
    };
    assert_eq!((files[0].path.as_ref(), files[0].content.as_ref()), ("notes.txt", "low 04:12"));
    let answer = assistant(&session, "msg_a5");
    assert_eq!(tokens(answer.usage.unwrap()), ["10.000", "25.000", "30.000", "40.000", "0.010"]);
    assert_eq!(
        seen(&session, "msg_a9"),
        ["compactionSummary Low tide is at 04:12.", "user user: thanks", "user And high tide?"]
    );
    assert!(assistant(&session, "msg_b1").stopped_by("error"));
}

#[test]
fn the_stream_of_a_run_is_its_responses() {
    let session = read_fixture(RUN);
    assert_eq!(session.format(), Format::OpenCode);
    assert_eq!(session.header().id, "ses_tide30");
    assert_eq!(
        kinds(&session),
        [
            ("no-prompt", Kind::CustomMessage),
            ("msg_1", Kind::Assistant),
            ("prt_3", Kind::ToolResult),
            ("msg_2", Kind::Assistant),
            ("line-9", Kind::Assistant),
            ("line-10", Kind::Custom),
        ]
    );
    let result = tool_result(&session, "prt_3");
    assert!(result.is_error);
    assert_eq!(result.only_text(), Some("cat: none: No such file\n"));
    assert_eq!(assistant(&session, "line-9").error_message.as_deref(), Some("Overloaded"));
    assert_eq!(tokens(spent(&session)), ["11.000", "55.000", "44.000", "55.000", "0.030"]);
}

#[test]
fn a_torn_export_gives_what_is_there() {
    let source = String::from_utf8(fixture(V1)).unwrap();
    let at = source.find("\"Edit applied").unwrap();
    let session = leafpress::read(source.as_bytes()[..at].to_vec()).unwrap();
    assert_eq!(session.format(), Format::OpenCode);
    assert_eq!(session.damage().len(), 1);
    assert_eq!(
        session.id(EntryIndex::new(session.len() - 1)).unwrap(),
        "msg_03",
        "the message without its torn part"
    );
    assert!(session.find("prt_009").is_some());
    let at = source.find("\"prt_014\"").unwrap();
    let session = leafpress::read(source.as_bytes()[..at].to_vec()).unwrap();
    assert!(session.find("prt_013").is_some(), "the parts before the torn one");
}

#[test]
fn ids_that_repeat_hide_nothing() {
    let mut value = json_fixture(V1);
    let again = value["messages"][8].clone();
    value["messages"].as_array_mut().unwrap().push(again);
    let session = read(&value);
    assert_eq!(session.damage(), []);
    assert_eq!(ids(&session, session.indices().next_back()), ["msg_09~2"]);
}

#[test]
fn wrong_types_anywhere_do_no_harm() {
    for name in [V1, V2] {
        let value = json_fixture(name);
        for pointer in pointers(&value, "") {
            for odd in
                [json!(null), json!(7), json!("x"), json!([[]]), json!({"a": 1}), json!(1e300)]
            {
                let mut changed = value.clone();
                *changed.pointer_mut(&pointer).unwrap() = odd;
                let source = changed.to_string().into_bytes();
                let options = ReadOptions::default();
                let Ok(session) = read_with(source, Some(Format::OpenCode), &options) else {
                    continue;
                };
                leafpress::report::context(&session, session.leaf()).unwrap();
            }
        }
    }
}

#[test]
fn the_ends_of_turns_are_no_problem() {
    let turn = |nth: u32| {
        [
            json!({"id": format!("u{nth}"), "type": "user", "text": "And now?", "time": {"created": 1}}),
            json!({"id": format!("i{nth}"), "type": "idle", "outcome": "success", "time": {"created": 2}}),
        ]
    };
    let messages: Vec<serde_json::Value> = (0..4).flat_map(turn).collect();
    let export =
        json!({"info": {"id": "ses_1", "location": {"directory": "/w"}}, "messages": messages});
    let session = leafpress::read(export.to_string().into_bytes()).unwrap();
    assert_eq!(session.len(), 8);
    assert_eq!(session.damage(), []);
}

/// A row of a stream.
fn row(kind: &str, message: &str, part: &serde_json::Value) -> String {
    let mut part = part.clone();
    part["messageID"] = json!(message);
    json!({"type": kind, "timestamp": 1_795_000_000_000_i64, "sessionID": "ses_x", "part": part})
        .to_string()
}

fn said(message: &str, words: &str, reason: &str) -> Vec<String> {
    let tokens =
        json!({"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 0, "write": 0}});
    let finish = json!({"type": "step-finish", "reason": reason, "tokens": tokens, "cost": 0.5});
    vec![
        row("step_start", message, &json!({"type": "step-start"})),
        row("text", message, &json!({"type": "text", "text": words})),
        row("step_finish", message, &finish),
    ]
}

fn failed(name: &str, words: &str) -> String {
    json!({"type": "error", "timestamp": 1, "sessionID": "ses_x",
        "error": {"name": name, "data": {"message": words}}})
    .to_string()
}

fn stream(rows: &[String]) -> Session {
    leafpress::read(rows.join("\n").into_bytes()).unwrap()
}

fn how(session: &Session) -> Ending {
    ended(session, session.leaf()).unwrap().how
}

#[test]
fn what_follows_a_summary_in_a_stream_is_not_the_models() {
    let go_on = json!({"type": "text", "synthetic": true, "text": "Go on.",
        "metadata": {"compaction_continue": true}});
    let mut rows = said("m1", "I list.", "stop");
    rows.extend(said("m2", "Tides were listed.", "stop"));
    rows.push(row("text", "m3", &go_on));
    rows.extend(said("m4", "All done.", "stop"));
    let session = stream(&rows);
    let own: Vec<_> = kinds(&session).into_iter().filter(|(id, _)| id.starts_with('m')).collect();
    assert_eq!(
        own,
        [
            ("m1", Kind::Assistant),
            ("m2", Kind::Compaction),
            ("m3", Kind::CustomMessage),
            ("m4", Kind::Assistant),
        ]
    );
    let Body::Compaction(compaction) = session.entry(session.find("m2").unwrap()).unwrap().body
    else {
        panic!()
    };
    assert_eq!(compaction.summary, "Tides were listed.");
    assert_eq!(spent(&session).cost.to_string(), "1.5", "the summary is paid for, too");
    assert_eq!(how(&session), Ending::Answered);
}

#[test]
fn an_error_alone_is_a_run_that_failed() {
    let session = stream(&[failed("APIError", "No such model")]);
    assert_eq!(session.format(), Format::OpenCode);
    let ended = ended(&session, session.leaf()).unwrap();
    assert_eq!((ended.how, &*ended.text), (Ending::Failed, "No such model"));
}

#[test]
fn an_error_belongs_to_the_response_that_it_ended() {
    let responses = |rows: &[String]| {
        let session = stream(rows);
        let all = kinds(&session).into_iter().filter(|(_, kind)| *kind == Kind::Assistant);
        (all.count(), how(&session))
    };
    for (reason, count) in [("content-filter", 1), ("stop", 2), ("tool-calls", 2)] {
        let mut rows = said("m1", "No.", reason);
        rows.push(failed("ContentFilterError", "blocked"));
        assert_eq!(responses(&rows), (count, Ending::Failed), "{reason}");
    }
    let mut rows = said("m1", "One, two", "stop");
    rows.pop();
    rows.push(failed("MessageAbortedError", "Aborted"));
    assert_eq!(responses(&rows), (1, Ending::Stopped));
}

#[test]
fn a_response_without_an_end_was_never_finished() {
    let mut rows = said("m1", "One, two", "stop");
    rows.pop();
    let session = stream(&rows);
    assert!(assistant(&session, "m1").is_unfinished());
    assert_eq!(how(&session), Ending::CutOff);
    assert_eq!(how(&stream(&rows[..1])), Ending::CutOff, "of one row alone");

    let message = |time: serde_json::Value| {
        let info = json!({"id": "m1", "role": "assistant", "time": time});
        let part = json!({"type": "text", "id": "p1", "text": "One, two"});
        read(&json!({"info": {"id": "ses_x", "directory": "/w"},
            "messages": [{"info": info, "parts": [part]}]}))
    };
    assert_eq!(how(&message(json!({"created": 1}))), Ending::CutOff);
    assert_eq!(how(&message(json!({"created": 1, "completed": 2}))), Ending::Answered);
}

/// Where no part says that a step begins, as in older exports, words behind a result were said after it.
#[test]
fn words_behind_a_result_follow_it() {
    let said = |id: &str, words: &str| json!({"id": id, "type": "text", "text": words});
    let call = json!({"id": "p2", "type": "tool", "callID": "c", "tool": "glob", "state": {"status": "completed",
        "input": {"pattern": "*.csv"}, "output": "tides.csv"}});
    let export = |parts: &[serde_json::Value]| {
        json!({"info": {"id": "ses_x", "directory": "/w"}, "messages": [
            {"info": {"id": "m1", "role": "user"}, "parts": [said("p0", "Look")]},
            {"info": {"id": "m2", "role": "assistant", "time": {"created": 1, "completed": 9}}, "parts": parts}]})
    };
    let parts = [said("p1", "I look."), call, said("p3", "One table.")];
    let session = read(&export(&parts));
    let order = ["m1", "m2", "p2", "m2-2"];
    assert_eq!(ids(&session, session.tree().path(session.leaf()))[..].to_vec(), order);
    let begun = [&[json!({"id": "p9", "type": "step-start"})], &parts[..]].concat();
    let session = read(&export(&begun));
    assert_eq!(ids(&session, session.tree().path(session.leaf())), ["m1", "m2", "p2"]);
}

/// An export with a prompt, sent at 0 ms, and a response with these parts that took until 4,000 ms.
fn answered_with(parts: &serde_json::Value) -> Session {
    const SENT: i64 = 1_790_000_000_000;
    let mut parts = parts.clone();
    for part in parts.as_array_mut().unwrap() {
        for place in ["/time", "/state/time"] {
            part.pointer_mut(place).into_iter().for_each(|time| moved(time, SENT));
        }
    }
    read(&json!({
        "info": {"id": "ses_quay", "directory": "/w", "version": "1.18.33", "time": {"created": SENT}},
        "messages": [
            {"info": {"id": "msg_1", "role": "user", "time": {"created": SENT}},
             "parts": [{"id": "prt_1", "type": "text", "text": "Dredge the quay"}]},
            {"info": {"id": "msg_2", "role": "assistant", "finish": "stop",
                      "time": {"created": SENT + 500, "completed": SENT + 4000}},
             "parts": parts},
        ],
    }))
}

fn moved(time: &mut serde_json::Value, by: i64) {
    for moment in time.as_object_mut().unwrap().values_mut() {
        *moment = (moment.as_i64().unwrap() + by).into();
    }
}

#[test]
fn work_goes_on_until_a_response_is_complete() {
    let session = answered_with(&json!([
        {"id": "prt_2", "type": "text", "text": "Done.", "time": {"start": 3000, "end": 3900}}
    ]));
    assert_eq!(leafpress::report::stats(&session).total.worked_ms, 4000);
    assert_eq!(how(&session), Ending::Answered);
}

#[test]
fn a_call_that_the_user_refused_stops_the_turn() {
    let session = answered_with(&json!([
        {"id": "prt_2", "type": "text", "text": "I try.", "time": {"start": 3000, "end": 3100}},
        {"id": "prt_3", "type": "tool", "tool": "write", "callID": "c1", "state": {"status": "error",
         "input": {"filePath": "/etc/quay"}, "time": {"start": 3050, "end": 3060},
         "error": "The user rejected permission to use this specific tool call."}}
    ]));
    assert_eq!(how(&session), Ending::Stopped);
    // The words and the call were said first.
    let times = session.indices().map(|index| session.time(index).unwrap() % 10_000);
    assert_eq!(times.collect::<Vec<_>>(), [0, 3100, 3060]);
    assert_eq!(leafpress::report::stats(&session).total.worked_ms, 3100);
}
