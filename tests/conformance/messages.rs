//! Messages as JSON, the context for a provider, and entries that a session does not have.

use std::path::Path;

use leafpress::changes::Changes;
use leafpress::cut::Cut;
use leafpress::markdown::{self, MarkdownError, MarkdownOptions};
use leafpress::session::context::{Facts, ModelContext};
use leafpress::session::ending::ended;
use leafpress::session::message::Message;
use leafpress::session::{Body, EntryIndex, Session};
use leafpress::{Options, report};
use serde_json::{Value, json};

use crate::support::folder::files;
use crate::support::session::{Log, index, json_fixture, read_fixture};

#[expect(dead_code, reason = "its `main` is not called")]
#[path = "../../examples/send_context.rs"]
mod send_context;

use send_context::{SendError, body};

const FILE: &str = "messages/context.jsonl";

fn sessions() -> impl Iterator<Item = (String, Session)> {
    let folders =
        ["tests/fixtures/samples", "tests/fixtures/fragments", "tests/fixtures/today", "examples"];
    let paths = folders.into_iter().flat_map(|folder| files(Path::new(folder)));
    paths.filter_map(|path| {
        let session = leafpress::read_file(&path).ok()?;
        Some((path.display().to_string(), session))
    })
}

#[test]
fn a_message_is_read_back_from_its_json() {
    let mut count = 0;
    for (name, session) in sessions() {
        for index in session.indices() {
            let entry = session.entry(index).unwrap();
            let Body::Message(message) = &entry.body else { continue };
            if matches!(message, Message::Hook(custom) | Message::Custom(custom) if custom.malformed)
            {
                continue;
            }
            let text = serde_json::to_string(message).unwrap();
            let mut mismatches = Vec::new();
            let again = Message::read(Some(serde_json::from_str(&text).unwrap()), &mut mismatches);
            assert_eq!(&again, message, "{name}: {text}");
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// What pi wrote is what is written, but for what a viewer has no use for.
#[test]
fn a_message_has_the_shape_of_pi() {
    let session = leafpress::read_file("examples/garden.jsonl").unwrap();
    let mut roles = std::collections::BTreeSet::new();
    for index in session.indices() {
        let Body::Message(message) = session.entry(index).unwrap().body else { continue };
        let raw: Value = serde_json::from_str(session.raw(index).unwrap()).unwrap();
        let written = serde_json::to_value(&message).unwrap();
        for (key, value) in written.as_object().unwrap() {
            match (key.as_str(), &raw["message"][key]) {
                ("usage", usage) => assert_eq!(value["input"], usage["input"]),
                ("content", Value::String(text)) => {
                    assert_eq!(value, &json!([{"type": "text", "text": text}]));
                }
                (_, raw) => assert_eq!(value, raw, "{key}"),
            }
        }
        roles.insert(message.role().to_owned());
    }
    assert!(roles.len() >= 3, "{roles:?}");
}

#[test]
fn a_context_is_the_body_of_a_request() {
    let session = read_fixture(FILE);
    let context = ModelContext::at(&session, session.leaf()).unwrap();
    assert_eq!(body(&context, None).unwrap(), json_fixture("messages/body.json"));
}

#[test]
fn what_no_provider_takes_is_an_error() {
    let of = |session: &Session, leaf: &str| {
        body(&ModelContext::at(session, index(session, leaf)).unwrap(), None)
    };
    let session = read_fixture(FILE);
    // The leaf is the response with two calls.
    assert_eq!(
        of(&session, "a0000004"),
        Err(SendError::DanglingCall { id: "call_1".into(), tool: "read".into() })
    );
    assert_eq!(
        of(&session, "a0000005"),
        Err(SendError::DanglingCall { id: "call_2".into(), tool: "bash".into() })
    );
    let loose = Log::new()
        .message(json!({"role": "user", "content": "go"}))
        .message(json!({"role": "toolResult", "toolCallId": "c", "toolName": "x", "content": []}))
        .read();
    let context = ModelContext::at(&loose, loose.leaf()).unwrap();
    assert_eq!(body(&context, None), Err(SendError::DanglingResult { id: "c".into() }));
    let answered = Log::new().user("go").assistant("done").read();
    let context = ModelContext::at(&answered, answered.leaf()).unwrap();
    assert_eq!(body(&context, None), Err(SendError::NoPrompt));
    assert_eq!(body(&context, Some("on")).unwrap()["messages"].as_array().unwrap().len(), 3);
}

/// An index of a larger session harms nothing, whatever it is given to.
#[test]
fn an_entry_of_another_session_is_nothing_or_an_error() {
    let session = read_fixture(FILE);
    let own = session.leaf();
    for foreign in [session.len(), session.len() + 7, usize::MAX].map(EntryIndex::new) {
        assert!(session.entry(foreign).is_none() && session.raw(foreign).is_none());
        assert!(session.id(foreign).is_none() && session.key(foreign).is_none());
        assert!(session.entry_type(foreign).is_none() && session.time(foreign).is_none());
        assert!(session.label(foreign).is_none() && !session.parent_missing(foreign));
        assert_eq!(session.line(foreign), 0);
        assert!(session.sub_session_of(foreign).is_none());
        assert!(session.path_since(foreign, Some(own)).is_empty());
        assert!(session.path_since(own, Some(foreign)).is_empty());
        assert!(ModelContext::at(&session, foreign).is_none());
        assert!(Facts::read(&session).context(Some(foreign)).messages.is_empty());
        assert!(report::context(&session, foreign).is_none());
        assert!(report::compare(&session, own, foreign).is_none());
        assert!(report::compare(&session, foreign, own).is_none());
        assert!(report::changes(&session, foreign).is_none());
        assert!(report::context_over_time(&session, foreign).is_none());
        assert!(report::stats_since(&session, foreign).is_none());
        let changes = Changes::of(&session);
        assert!(changes.at(&session, foreign).is_empty());
        assert!(changes.turn(&session, foreign, own).is_empty());
        assert!(changes.turn(&session, own, foreign).is_empty());
        for file in changes.files() {
            assert!(!changes.state(file, foreign).is_known());
        }
        assert!(ended(&session, foreign).is_none());
        assert!(leafpress::cut::cut(read_fixture(FILE), &Cut::new().branch(foreign)).is_err());
        assert!(
            leafpress::cut::cut(read_fixture(FILE), &Cut::new().leaf(foreign).active_only(true))
                .is_err()
        );
        assert_eq!(
            markdown::of(&session, &MarkdownOptions::new().leaf(foreign)).unwrap_err(),
            MarkdownError::UnknownLeaf
        );
        let mut page = Vec::new();
        for options in [Options::default().leaf(foreign), Options::default().target(foreign)] {
            let error = leafpress::export(&session, &options, &mut page).unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
            assert!(page.is_empty());
        }
    }
}
