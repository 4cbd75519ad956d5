//! Contexts and rows measured on pi 1.5.2, for every entry taken as leaf.

use leafpress::session::EntryIndex;
use leafpress::session::text::cut;
use leafpress::{Filter, Session, report};
use serde_json::{Map, Value};

use crate::support::session::{ids, index, json_fixture, read_fixture, sent, strings};

/// What pi would have printed for one row: `(id, prefix, path mark, label and text)`.
fn row_as_pi(row: &report::RowReport) -> (String, String, String) {
    let mark = if row.on_path { "• " } else { "" };
    let label = row.label.as_ref().map(|label| format!("[{label}] ")).unwrap_or_default();
    (row.id.clone(), row.prefix.clone(), format!("{mark}{label}{}", row.text))
}

struct Golden {
    name: &'static str,
    session: Session,
    output: Value,
}

impl Golden {
    fn read(name: &'static str) -> Golden {
        Golden {
            name,
            session: read_fixture(&format!("samples/{name}.jsonl")),
            output: json_fixture(&format!("goldens/{name}.json")),
        }
    }

    /// The golden's ids are the file's, or `#n` for version 1, whose ids pi makes up.
    fn id<'a>(&'a self, golden_id: &'a str) -> &'a str {
        match golden_id.strip_prefix('#') {
            Some(nth) => self.session.id(EntryIndex::new(nth.parse().unwrap())).unwrap(),
            None => golden_id,
        }
    }

    fn contexts(&self) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
        let contexts = self.output["contexts"].as_object().unwrap();
        // Keys in brackets are calls of pi's API with no or an unknown id.
        contexts
            .iter()
            .filter(|(leaf, context)| !leaf.starts_with('(') && context.get("skipped").is_none())
            .map(|(leaf, context)| (self.id(leaf), context.as_object().unwrap()))
    }

    fn check_contexts(&self) -> usize {
        let mut checked = 0;
        for (leaf, golden) in self.contexts() {
            let at = format!("{} at {leaf}", self.name);
            let path = self.session.tree().path(index(&self.session, leaf));
            let branch: Vec<&str> =
                strings(&golden["branch"]).into_iter().map(|id| self.id(id)).collect();
            assert_eq!(ids(&self.session, path), branch, "{at}");

            let report = report::context(&self.session, index(&self.session, leaf)).unwrap();
            assert_eq!(report.thinking_level, golden["thinkingLevel"].as_str().unwrap(), "{at}");
            let model = serde_json::to_value(&report.model).unwrap();
            assert_eq!(model, golden["model"], "{at}");
            self.check_messages(&report, golden["messages"].as_array().unwrap(), &at);

            let roles: Vec<String> =
                sent(&self.session, leaf).into_iter().map(|(role, _)| role).collect();
            assert_eq!(roles, strings(&golden["llmRoles"]), "{at}");
            checked += 1;
        }
        checked
    }

    fn check_messages(&self, report: &report::ContextReport, golden: &[Value], at: &str) {
        assert_eq!(report.messages.len(), golden.len(), "{at}: {report:#?}");
        for (ours, golden) in report.messages.iter().zip(golden) {
            assert_eq!(ours.role, golden["role"].as_str().unwrap(), "{at}");
            if let Some(from) = golden["from"].as_str() {
                assert_eq!(ours.entry_id, self.id(from), "{at}");
                assert_eq!(ours.entry_type, golden["entryType"].as_str().unwrap(), "{at}");
            }
            // pi gives no head for a role unknown to it.
            let head = golden["head"].as_str().unwrap_or_default();
            // The measurement named the calls of a turn without text.
            let head = if head.starts_with("<call ") { "" } else { head };
            let text = cut(&ours.text, leafpress::session::text::utf16_len(head));
            assert_eq!(text, head, "{at}");
        }
    }

    /// Rows for every leaf, mode and search; gives how many lists were compared.
    fn check_rows(&self) -> usize {
        let mut checked = 0;
        for (leaf, modes) in self.output["tree"].as_object().unwrap() {
            for (mode, golden) in modes.as_object().unwrap() {
                let at = format!("{} at {leaf}, {mode}", self.name);
                let (filter, query) = match mode.split_once(" + search ") {
                    Some((filter, query)) => (filter, Some(query.trim_matches('"'))),
                    None => (mode.as_str(), None),
                };
                let filter = Filter::ALL.iter().copied().find(|f| f.name() == filter).unwrap();
                let leaf = index(&self.session, self.id(leaf));
                let report = report::tree(&self.session, leaf, filter, query).unwrap();
                let golden: Vec<(String, String, String)> = golden["rows"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| self.golden_row(row))
                    .collect();
                if query.is_some() {
                    check_hits(&report, &golden, &at);
                } else {
                    let ours: Vec<_> = report.rows.iter().map(row_as_pi).collect();
                    assert_eq!(ours, golden, "{at}");
                }
                checked += 1;
            }
        }
        checked
    }

    fn golden_row(&self, row: &Value) -> (String, String, String) {
        // Search lists hold no text.
        let [id, prefix, text] = [0, 1, 2].map(|at| row[at].as_str().unwrap_or_default());
        // Fold marks belong to pi's terminal; the list draws a plain line there.
        (self.id(id).to_owned(), prefix.replace(['⊟', '⊞'], "─"), text.to_owned())
    }
}

/// Ours search more than pi's, so pi's hits are among ours, in the same order.
fn check_hits(report: &report::TreeReport, golden: &[(String, String, String)], at: &str) {
    let mut ours = report.rows.iter().map(|row| row.id.as_str());
    for (id, ..) in golden {
        assert!(ours.any(|our| our == id), "{at}: {id} is missing or out of order");
    }
}

#[test]
fn contexts_of_every_entry_as_leaf() {
    let names = [
        "pi-1.5-compact",
        "pi-1.5-cycle",
        "pi-1.5-edge",
        "pi-1.5-selfparent",
        "pi-1.5-tree",
        "pi-1.5-v1",
        "pi-1.5-v2",
    ];
    let checked: Vec<usize> =
        names.into_iter().map(|name| Golden::read(name).check_contexts()).collect();
    assert_eq!(checked, [21, 2, 13, 2, 25, 5, 3]);
}

#[test]
fn rows_of_every_leaf_and_mode() {
    // The edge, cycle and self-parent samples have rows of our own rules.
    let names = ["pi-1.5-compact", "pi-1.5-tree", "pi-1.5-v1", "pi-1.5-v2"];
    let checked: Vec<usize> =
        names.into_iter().map(|name| Golden::read(name).check_rows()).collect();
    assert!(checked.iter().all(|&lists| lists >= 23), "{checked:?}");
}

#[test]
fn facts_about_the_session() {
    for name in ["pi-1.5-compact", "pi-1.5-edge", "pi-1.5-tree", "pi-1.5-v2"] {
        let Golden { session, output: golden, .. } = Golden::read(name);
        assert_eq!(
            session.id(session.leaf()).unwrap(),
            golden["leafIdOnLoad"].as_str().unwrap(),
            "{name}"
        );
        assert_eq!(session.title(), golden["sessionName"].as_str(), "{name}");
        let labels = golden["labels"].as_object().unwrap();
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
