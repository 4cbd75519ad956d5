//! Every flag on a session of pi's.

use leafpress::Session;
use serde_json::{Value, json};

use crate::cases::assert_gone;

/// Base64 that looks like a PNG, with a marker in it.
fn png(marker: &str) -> String {
    format!("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAQzx{marker}9mZ")
}

fn image(marker: &str) -> Value {
    json!({"type": "image", "data": png(marker), "mimeType": "image/png"})
}

/// Id, parent and the rest of each entry.
fn entries() -> Vec<(&'static str, Option<&'static str>, Value)> {
    let message = |message: Value| json!({"type": "message", "message": message});
    let user =
        |text: &str| json!({"type": "message", "message": {"role": "user", "content": text}});
    let says = |text: &str| {
        json!({"type": "message", "message": {"role": "assistant", "provider": "p", "model": "m",
            "stopReason": "stop", "content": [{"type": "text", "text": text}]}})
    };
    vec![
        (
            "sys",
            None,
            message(json!({"role": "system", "content": "Qzxsys", "sections": {"a": "Qzxsection"},
            "toolsAdded": [{"name": "read", "description": "Qzxtool", "parameters": {}}]})),
        ),
        (
            "u1",
            Some("sys"),
            message(json!({"role": "user", "content": [
            {"type": "text", "text": format!("Qzxfirst ![p](data:image/png;base64,{}) <system-reminder>Qzxreminder</system-reminder>", png("inline"))},
            image("image")]})),
        ),
        (
            "a1",
            Some("u1"),
            message(
                json!({"role": "assistant", "provider": "p", "model": "m", "stopReason": "toolUse",
            "reasoningText": "Qzxreasoningfield",
            "content": [{"type": "thinking", "thinking": "Qzxthinking", "thinkingSignature": "Qzxsignature"},
                {"type": "redactedThinking", "data": "Qzxredacted"},
                {"type": "text", "text": "Qzxanswer", "textSignature": "Qzxtextsignature"},
                {"type": "mystery", "payload": "Qzxblock"},
                {"type": "anthropicServerTool", "block": {"type": "server_tool_use", "id": "s", "name": "search", "input": {"q": "Qzxserverquery"}}},
                {"type": "anthropicServerTool", "block": {"type": "web_search_tool_result", "content": "Qzxserverresult"}},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "Qzxargument"}},
                {"type": "toolCall", "id": "c2", "name": "think", "arguments": {"thought": "Qzxthought"}}]}),
            ),
        ),
        ("ux", Some("a1"), user("Qzxbranchprompt")),
        ("lx", Some("ux"), json!({"type": "label", "targetId": "u1", "label": "Qzxlabelonbranch"})),
        ("nx", Some("lx"), json!({"type": "session_info", "name": "Qzxnameonbranch"})),
        ("ax", Some("nx"), says("Qzxbranchanswer")),
        (
            "r1",
            Some("a1"),
            message(json!({"role": "toolResult", "toolCallId": "c1", "toolName": "read",
            "content": [{"type": "text", "text": "Qzxoutput"}, image("resultimage")],
            "details": {"diff": "Qzxdetails", "images": [png("detailimage")], "messages": [{"type": "thinking", "thinking": "Qzxinnerthinking"}]},
            "nestedCalls": {"complete": true, "calls": [{"name": "x", "result": "Qzxnested"}]}, "raw": "Qzxresultfield"})),
        ),
        (
            "b1",
            Some("r1"),
            message(
                json!({"role": "bashExecution", "command": "Qzxcommand", "output": "Qzxbashoutput",
            "exitCode": 0, "truncated": true, "fullOutputPath": "/tmp/Qzxfullpath"}),
            ),
        ),
        (
            "bs",
            Some("b1"),
            json!({"type": "branch_summary", "summary": "Qzxbranchsummary", "fromId": "ax",
            "details": {"readFiles": ["Qzxbranchfile"]}}),
        ),
        ("lb", Some("bs"), json!({"type": "label", "targetId": "ux", "label": "Qzxlabelofbranch"})),
        ("lu", Some("lb"), json!({"type": "label", "targetId": "u2", "label": "Qzxlabelkept"})),
        (
            "ce",
            Some("lu"),
            json!({"type": "context_edit", "targetId": "r1", "replacement": {"content": [{"type": "text", "text": "Qzxreplacement"}]}}),
        ),
        (
            "st",
            Some("ce"),
            json!({"type": "custom", "customType": "ext", "data": {"copy": "Qzxstate", "shot": png("stateimage")}}),
        ),
        (
            "cm",
            Some("st"),
            json!({"type": "custom_message", "customType": "bell", "content": "Qzxextension", "display": true, "details": {"x": "Qzxextdetails"}}),
        ),
        (
            "hm",
            Some("cm"),
            json!({"type": "custom_message", "customType": "reminder", "content": "Qzxhidden", "display": false}),
        ),
        ("un", Some("hm"), json!({"type": "novelty", "payload": {"Qzxunknownkey": "Qzxunknown"}})),
        (
            "cp",
            Some("un"),
            json!({"type": "compaction", "summary": "Qzxsummary", "firstKeptEntryId": "cm", "tokensBefore": 10,
            "systemMessage": {"role": "system", "content": "Qzxsystemagain"}, "details": {"readFiles": ["Qzxreadfile"]},
            "preserveData": {"x": "Qzxpreserved"}}),
        ),
        ("u2", Some("cp"), user("Qzxsecond")),
        (
            "a2",
            Some("u2"),
            message(
                json!({"role": "assistant", "provider": "p", "model": "m", "stopReason": "error",
            "errorMessage": "Qzxerror", "content": []}),
            ),
        ),
        ("u3", Some("a2"), user("Qzxthird")),
        ("un2", Some("u3"), says("Qzxlast")),
    ]
}

fn file() -> String {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w", "timestamp": "2026-01-01T00:00:00.000Z"});
    let mut lines = vec![header.to_string()];
    for (nth, (id, parent, mut entry)) in entries().into_iter().enumerate() {
        entry["id"] = json!(id);
        entry["parentId"] = json!(parent);
        entry["timestamp"] = json!(format!("2026-01-01T00:00:{nth:02}.000Z"));
        lines.push(entry.to_string());
    }
    lines.join("\n") + "\n"
}

fn read() -> Session {
    leafpress::read(file().into_bytes()).unwrap()
}

fn at(session: &Session, id: &str) -> Option<usize> {
    Some(session.find(id).unwrap())
}

/// What only the abandoned branch holds, and what tells of it.
const BRANCH: [&str; 6] = [
    "branchprompt",
    "labelonbranch",
    "nameonbranch",
    "branchanswer",
    "branchsummary",
    "branchfile",
];

/// The label of an entry of the branch, which is not among the branch's entries.
const OF_BRANCH: &str = "labelofbranch";

/// What tells of the way to the compaction.
const SUMMARY: [&str; 3] = ["summary", "readfile", "preserved"];

fn list(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[test]
fn thinking() {
    let gone = list(&[
        &[
            "thinking",
            "signature",
            "redacted",
            "textsignature",
            "thought",
            "innerthinking",
            "reasoningfield",
        ],
        // Nobody knows what these hold.
        &[
            "block",
            "state",
            "stateimage",
            "unknown",
            "unknownkey",
            "extdetails",
            "error",
            "resultfield",
        ],
        &SUMMARY,
        &["branchsummary", "branchfile"],
    ]);
    assert_gone("no thinking", read, |_, cut| cut.without_thinking = true, &gone);
}
