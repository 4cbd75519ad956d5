//! Any texts before and after, and any text as a patch: a diff shows both sides whole, what was written is what a file then
//! is, and a patch that fits or does not is applied or not.

#![no_main]

use leafpress::Session;
use leafpress::changes::diff::{Diff, LineChange};
use leafpress::changes::{Changes, FileState, patch};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// What stands between the two texts and the patch in the input.
const BETWEEN: &str = "--next--\n";

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.splitn(3, BETWEEN);
    let mut part = || parts.next().unwrap_or_default();
    let (old, new, written) = (part(), part(), part());
    compare(old, new);
    if let Some(diff) = Diff::written(written) {
        let _ = (diff.counts(), diff.sides());
    }
    write_both(old, new);
    for call in [
        json!({"name": "apply_patch", "arguments": {"input": written}}),
        json!({"name": "patch", "arguments": {"input": written}}),
        json!({"name": "edit", "arguments": {"path": "f", "oldText": new, "newText": written}}),
    ] {
        let read = json!({"name": "read", "arguments": {"path": "f"}});
        look(&session(&[(read, old), (call, "ok")]));
    }
});

fn compare(old: &str, new: &str) {
    let diff = Diff::between(old, new);
    let whole = |text: &str| {
        let text = text.to_owned();
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
    };
    assert_eq!(diff.sides(), (whole(old), whole(new)));
    let count = |kind| {
        let rows = diff.files.iter().flat_map(|file| &file.rows);
        rows.filter(|row| row.kind == kind).count()
    };
    assert_eq!(diff.counts(), (count(LineChange::Added), count(LineChange::Removed)));
}

/// A file that is written twice is first the one and then the other.
fn write_both(old: &str, new: &str) {
    let write = |text| json!({"name": "write", "arguments": {"path": "f", "content": text}});
    let session = session(&[(write(old), "ok"), (write(new), "ok")]);
    let changes = Changes::of(&session);
    let [file] = changes.files() else { panic!("{:?}", changes.files()) };
    let state = changes.state(file, session.leaf());
    let FileState::Text(text) = &state else { panic!("{state:?}") };
    assert_eq!(&**text, new);
    look(&session);
}

fn look(session: &Session) {
    let changes = Changes::of(session);
    for file in changes.files() {
        for entry in session.indices() {
            let _ = changes.state(file, entry);
        }
    }
    let _ = patch(session, &changes.at(session, session.leaf()));
    let _ = changes.turns();
}

/// Calls one behind the other, each with its result.
fn session(calls: &[(Value, &str)]) -> Session {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"})];
    let mut parent = None;
    for (nth, (call, said)) in calls.iter().enumerate() {
        let id = format!("c{nth}");
        let mut call = call.clone();
        call["type"] = "toolCall".into();
        call["id"] = id.as_str().into();
        let result = json!({"role": "toolResult", "toolCallId": id, "toolName": call["name"],
            "content": [{"type": "text", "text": said}], "isError": false});
        let asked = json!({"role": "assistant", "stopReason": "toolUse", "content": [call]});
        for (name, message) in [("asked", asked), ("result", result)] {
            let id = format!("{name}{nth}");
            lines
                .push(json!({"type": "message", "id": id, "parentId": parent, "message": message}));
            parent = Some(id);
        }
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).expect("lines of pi")
}
