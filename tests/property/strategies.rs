//! Made-up sessions and texts, hostile ones among them. All are boxed: composed
//! by value they outgrow the stack of a test thread.

use proptest::prelude::*;
use serde_json::{Value, json};

/// Texts that something might mistake for markup, script or a template.
pub(crate) fn text() -> BoxedStrategy<String> {
    prop_oneof![
        any::<String>(),
        "[ -~\\n\\t]{0,60}",
        "(<|>|&|\"|'|`|\\$|\\\\|/|!|-|=|\\{|\\}|%|#|\\[|\\]|\\(|\\)|\\*|_|script|img|svg|onerror|javascript:|a| |\n){0,40}",
        "(\u{202e}|\u{2066}|\u{2069}|\u{200f}|\u{200b}|\u{200d}|\u{fe0f}|\u{feff}|\u{ad}|\u{e0068}|\u{1f3f4}|\u{1f600}|\u{1}|\u{1b}|\u{9b}|\u{2028}|م|क|a|<|\"|&|\\]|\\[|\\(|\\)|https://x.org/| |\n){0,40}",
        Just("</script><script>x()</script>".to_owned()),
        Just("<!-- <script> --> ]]> {{7*7}} ${x} $& $$".to_owned()),
    ]
    .boxed()
}

/// Few ids, so that doubles, circles and forward references are frequent.
fn id() -> BoxedStrategy<String> {
    prop_oneof!["[a-h]", Just("__proto__".to_owned()), Just("a/b%2F\"><x".to_owned()), text()]
        .boxed()
}

fn block() -> BoxedStrategy<Value> {
    prop_oneof![
        text().prop_map(|text| json!({"type": "text", "text": text})),
        text().prop_map(|text| json!({"type": "thinking", "thinking": text})),
        (text(), text(), text()).prop_map(
            |(id, name, argument)| json!({"type": "toolCall", "id": id, "name": name, "arguments": {argument.clone(): argument}})
        ),
        known_call(),
        (text(), text()).prop_map(|(data, mime)| json!({"type": "image", "data": data, "mimeType": mime})),
        text().prop_map(|text| json!({"type": text, "x": [text]})),
    ]
    .boxed()
}

/// What some tool expects among its arguments, of any type.
fn argument() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => text().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => (text(), text()).prop_map(|(old, new)| json!([{"oldText": old, "newText": new}, {"old_string": old}, new])),
        1 => text().prop_map(|text| json!(format!("*** Begin Patch\n*** Update File: {text}\n@@ {text}\n-{text}\n+{text}"))),
        1 => text().prop_map(|text| json!(format!("--- {text}\n+++ {text}\n@@ -1,2 +1,9 @@ {text}\n-{text}\n+{text}"))),
    ]
    .boxed()
}

/// A call of a tool that has a renderer of its own.
fn known_call() -> BoxedStrategy<Value> {
    let name = prop::sample::select(vec![
        "bash",
        "read",
        "write",
        "edit",
        "NotebookEdit",
        "str_replace_based_edit_tool",
        "apply_patch",
        "grep",
        "ls",
    ]);
    let key = prop::sample::select(vec![
        "command",
        "path",
        "offset",
        "limit",
        "view_range",
        "content",
        "edits",
        "oldText",
        "newText",
        "replace_all",
        "new_source",
        "input",
        "pattern",
        "timeout",
        "description",
        "insert_line",
        "insert_text",
    ]);
    let arguments = prop::collection::vec((key, argument()), 0..6).prop_map(|fields| {
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Value>()
    });
    (id(), name, arguments)
        .prop_map(|(id, name, arguments)| json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments}))
        .boxed()
}

fn details() -> BoxedStrategy<Value> {
    let diff = text().prop_map(
        |text| json!({"diff": format!("+1 {text}\n-1 {text}\n   ...\n 2 {text}"), "exitCode": 1}),
    );
    let odd = (argument(), argument()).prop_map(|(a, b)| json!({"diff": a, "exitCode": b, "truncation": {"outputLines": b}, "fullOutputPath": a}));
    prop_oneof![diff, odd, text().prop_map(Value::from)].boxed()
}

fn content() -> BoxedStrategy<Value> {
    prop_oneof![
        text().prop_map(Value::from),
        prop::collection::vec(block(), 0..4).prop_map(Value::from),
        Just(Value::Null),
        Just(json!(42)),
    ]
    .boxed()
}

fn message() -> BoxedStrategy<Value> {
    let role = prop_oneof![
        Just("user".to_owned()),
        Just("assistant".to_owned()),
        Just("toolResult".to_owned()),
        Just("system".to_owned()),
        Just("bashExecution".to_owned()),
        Just("custom".to_owned()),
        text(),
    ];
    let call_id = prop_oneof![text(), id()];
    (role, content(), text(), text(), call_id, details()).prop_map(|(role, content, a, b, call_id, details)| {
        json!({"role": role, "content": content, "toolCallId": call_id, "details": details, "toolName": b, "command": a, "output": b,
            "provider": a, "model": b, "errorMessage": a, "stopReason": b, "customType": a, "isError": b,
            "sections": {a.clone(): b}, "usage": {"input": a, "cost": {"total": 1}}})
    })
    .boxed()
}

/// The type and payload of an entry.
fn payload() -> BoxedStrategy<Value> {
    prop_oneof![
        5 => message().prop_map(|message| json!({"type": "message", "message": message})),
        1 => (text(), id()).prop_map(|(text, id)| json!({"type": "compaction", "summary": text, "firstKeptEntryId": id,
            "tokensBefore": text, "details": {"readFiles": [text]}})),
        1 => (text(), id()).prop_map(|(text, id)| json!({"type": "branch_summary", "summary": text, "fromId": id})),
        1 => (text(), id()).prop_map(|(text, id)| json!({"type": "label", "label": text, "targetId": id})),
        1 => (text(), content()).prop_map(|(text, content)| json!({"type": "custom_message", "customType": text,
            "content": content, "display": false})),
        1 => (id(), content()).prop_map(|(id, content)| json!({"type": "context_edit", "targetId": id,
            "replacement": {"content": content}})),
        1 => text().prop_map(|text| json!({"type": "session_info", "name": text})),
        1 => text().prop_map(|text| json!({"type": text, "payload": {text.clone(): [text]}})),
    ]
    .boxed()
}

fn entry() -> BoxedStrategy<Value> {
    let time = prop_oneof![
        (0i64..9).prop_map(|s| json!(format!("2026-01-01T00:00:0{s}.000Z"))),
        Just(Value::Null),
        text().prop_map(Value::from),
    ];
    (id(), prop::option::of(id()), time, payload())
        .prop_map(|(id, parent, time, mut payload)| {
            let fields = payload.as_object_mut().unwrap();
            fields.insert("id".to_owned(), json!(id));
            fields.insert("parentId".to_owned(), json!(parent));
            fields.insert("timestamp".to_owned(), time);
            payload
        })
        .boxed()
}

/// A session file with at least one entry.
pub(crate) fn session_file() -> BoxedStrategy<String> {
    (text(), prop::collection::vec(entry(), 1..24)).prop_map(|(text, entries)| {
        let header = json!({"type": "session", "version": 3, "id": text, "timestamp": text, "cwd": text});
        let first = json!({"type": "message", "id": "first", "parentId": null, "message": {"role": "user", "content": "x"}});
        let lines = [header, first].into_iter().chain(entries);
        lines.map(|line| line.to_string() + "\n").collect::<Vec<_>>().concat()
    })
    .boxed()
}
