//! Contexts and rows measured on omp 18.3.4, for every entry taken as leaf.

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::Format;
use leafpress::session::context::Facts;
use leafpress::session::text::{cut, utf16_len};
use leafpress::{Filter, Session, report};
use serde_json::{Map, Value, json};

use crate::support::session::{fixture, ids, index, json_fixture, strings};

struct Golden {
    name: &'static str,
    session: Session,
    output: Value,
}

impl Golden {
    fn read(name: &'static str) -> Golden {
        // A file of version 2 says nothing of whose it is.
        let format = (name == "omp-18-v2").then_some(Format::Omp);
        let source = fixture(&format!("samples/{name}.jsonl"));
        Golden {
            name,
            session: read_with(source, format, &ReadOptions::default()).unwrap(),
            output: json_fixture(&format!("goldens/{name}.json")),
        }
    }

    fn check_contexts(&self) -> usize {
        let contexts = self.output["contexts"].as_object().unwrap();
        // Keys in brackets are calls of the API without an id. The entry at which
        // leafpress cuts a circle of parents has nothing above it.
        let contexts = contexts
            .iter()
            .filter(|(leaf, _)| !leaf.starts_with('(') && leaf.as_str() != "g0000005");
        contexts.map(|(leaf, golden)| self.check_context(leaf, golden.as_object().unwrap())).count()
    }

    fn check_context(&self, leaf: &str, golden: &Map<String, Value>) {
        let at = format!("{} at {leaf}", self.name);
        let session = &self.session;
        let path = session.tree().path(index(session, leaf));
        assert_eq!(ids(session, path), strings(&golden["branch"]), "{at}");
        let report = report::context(session, index(session, leaf)).unwrap();
        let state = &golden["state"];
        assert_eq!(report.thinking_level, state["thinkingLevel"].as_str().unwrap(), "{at}");
        let model =
            report.model.as_ref().map(|model| format!("{}/{}", model.provider, model.model_id));
        assert_eq!(model.as_deref(), state["models"]["default"].as_str(), "{at}");

        let messages = golden["messages"].as_array().unwrap();
        let roles: Vec<&str> =
            report.messages.iter().map(|message| message.role.as_str()).collect();
        let wanted: Vec<&str> =
            messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
        assert_eq!(roles, wanted, "{at}");
        for (ours, golden) in report.messages.iter().zip(messages) {
            // A compaction's summary and a turn without some of its calls name no entry.
            if let Some(from) = golden["from"].as_str() {
                assert_eq!(ours.entry_id, from, "{at}");
            }
            // The measurement named calls and thinking that no text stands for.
            let head = golden["head"].as_str().unwrap().split(['|', '<']).next().unwrap();
            assert_eq!(cut(&ours.text, utf16_len(head)), head, "{at}");
        }

        let facts = Facts::read(session);
        let context = facts.context(Some(index(session, leaf)));
        let mut sent = Vec::new();
        for message in &context.messages {
            let seen = message.read(session).unwrap();
            sent.extend(seen.for_model_of(session.format()).iter().map(|m| m.role.to_owned()));
        }
        assert_eq!(sent, strings(&golden["llmRoles"]), "{at}");
        self.check_calls(&context, messages, &at);
    }

    /// The calls that are left in each turn, as the measurement named them.
    fn check_calls(
        &self,
        context: &leafpress::session::context::Context<'_>,
        golden: &[Value],
        at: &str,
    ) {
        use leafpress::session::convert::SentMessage;
        use leafpress::session::message::Message;
        for (message, golden) in context.messages.iter().zip(golden) {
            let Some(SentMessage::Message(Message::Assistant(turn))) = message.read(&self.session)
            else {
                continue;
            };
            let head = golden["head"].as_str().unwrap();
            let calls: Vec<String> =
                turn.calls().map(|call| format!("<call {} {}>", call.name, call.id)).collect();
            assert_eq!(calls.len(), head.matches("<call ").count(), "{at}: {head}");
            assert!(calls.iter().all(|call| head.contains(call)), "{at}: {calls:?} in {head}");
        }
    }

    /// Ids, labels and texts for every leaf and mode; layout and search are our own.
    fn check_rows(&self) -> usize {
        let mut checked = 0;
        for (leaf, modes) in self.output["tree"].as_object().unwrap() {
            for (mode, golden) in modes.as_object().unwrap() {
                let Some(filter) = Filter::ALL.iter().copied().find(|f| f.name() == mode) else {
                    continue;
                };
                let at = format!("{} at {leaf}, {mode}", self.name);
                let report =
                    report::tree(&self.session, index(&self.session, leaf), filter, None).unwrap();
                let ours: Vec<(String, String)> = report
                    .rows
                    .iter()
                    // omp shows nothing of entries whose parents run in a circle.
                    .filter(|row| self.is_rooted(&row.id))
                    .map(|row| {
                        let mark = if row.on_path { "• " } else { "" };
                        let label = row.label.as_ref().map(|label| format!("[{label}] "));
                        let text = format!("{mark}{}{}", label.unwrap_or_default(), row.text);
                        (row.id.clone(), text.trim_end().to_owned())
                    })
                    .collect();
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let golden = golden["rows"].as_array().unwrap().iter();
                let golden: Vec<_> = golden.map(|row| (text(&row[0]), text(&row[2]))).collect();
                assert_eq!(ours, golden, "{at}");
                checked += 1;
            }
        }
        checked
    }

    fn is_rooted(&self, id: &str) -> bool {
        !matches!((self.name, id), ("omp-18-edge", "g0000005" | "g0000006"))
    }
}

const NAMES: [&str; 4] = ["omp-18-compact", "omp-18-edge", "omp-18-tree", "omp-18-v2"];

#[test]
fn contexts_of_every_entry_as_leaf() {
    let checked = NAMES.map(|name| Golden::read(name).check_contexts());
    assert_eq!(checked, [23, 10, 25, 2]);
}

#[test]
fn rows_of_every_leaf_and_mode() {
    let checked = NAMES.map(|name| Golden::read(name).check_rows());
    assert!(checked.iter().all(|&lists| lists >= 5), "{checked:?}");
}

#[test]
fn facts_about_the_session() {
    for name in NAMES {
        let Golden { session, output: golden, .. } = Golden::read(name);
        assert_eq!(session.format(), Format::Omp, "{name}");
        assert_eq!(
            session.id(session.leaf()).unwrap(),
            golden["leafIdOnLoad"].as_str().unwrap(),
            "{name}"
        );
        assert_eq!(session.title(), golden["sessionName"].as_str(), "{name}");
        assert_eq!(json!(session.len()), golden["entryCount"], "{name}");
        let labels = &golden["labels"];
        for entry in session.indices() {
            let label = session.label(entry).map(|label| label.text.as_str());
            assert_eq!(
                label,
                labels.get(session.id(entry).unwrap()).and_then(Value::as_str),
                "{name}"
            );
        }
    }
}
