//! The store against a simple model in memory: after each operation both say the
//! same, and so does the file when it is opened again.

use leafpress::session::EntryIndex;
use std::path::Path;

use leafpress::session::context::Facts;
use leafpress::store::{Agent, NewSession, SessionStore, StoreError};
use leafpress::{Session, report};
use proptest::prelude::*;
use serde_json::json;

use crate::property::strategies::text;

#[derive(Debug, Clone)]
enum Op {
    User(String),
    Assistant(String),
    Thinking(String),
    Custom(String),
    CustomMessage(String),
    Name(String),
    Label(prop::sample::Index, Option<String>),
    Compact(prop::sample::Index, bool, String),
    Branch(prop::sample::Index),
    Reset,
    Summarize(prop::sample::Index, bool, String),
    Lift(prop::sample::Index),
    Reopen,
}

fn op() -> BoxedStrategy<Op> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        4 => text().prop_map(Op::User),
        4 => text().prop_map(Op::Assistant),
        1 => text().prop_map(Op::Thinking),
        1 => text().prop_map(Op::Custom),
        1 => text().prop_map(Op::CustomMessage),
        1 => text().prop_map(Op::Name),
        2 => (place(), prop::option::of(text())).prop_map(|(at, label)| Op::Label(at, label)),
        2 => (place(), any::<bool>(), text()).prop_map(|(at, keeps, text)| Op::Compact(at, keeps, text)),
        3 => place().prop_map(Op::Branch),
        1 => Just(Op::Reset),
        2 => (place(), any::<bool>(), text()).prop_map(|(at, below, text)| Op::Summarize(at, below, text)),
        1 => place().prop_map(Op::Lift),
        2 => Just(Op::Reopen),
    ]
    .boxed()
}

/// What an entry gives the context.
#[derive(Debug, Clone)]
enum Given {
    Nothing,
    Message(String),
    Summary(String),
    Compaction { text: String, keeps: Option<usize> },
}

#[derive(Debug, Clone)]
struct Entry {
    id: String,
    parent: Option<usize>,
    given: Given,
    is_label: bool,
}

/// The obvious way to do it.
#[derive(Debug, Default)]
struct Model {
    entries: Vec<Entry>,
    leaf: Option<usize>,
    /// In the order in which they were given.
    labels: Vec<(usize, String)>,
}

impl Model {
    fn add(&mut self, id: String, parent: Option<usize>, given: Given) {
        self.entries.push(Entry { id, parent, given, is_label: false });
        self.leaf = Some(self.entries.len() - 1);
    }

    fn id(&self, at: usize) -> &str {
        &self.entries[at].id
    }

    fn path(&self, leaf: Option<usize>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut next = leaf;
        while let Some(at) = next {
            path.insert(0, at);
            next = self.entries[at].parent;
        }
        path
    }

    fn children(&self, of: Option<usize>) -> Vec<&str> {
        self.entries
            .iter()
            .filter(|entry| entry.parent == of)
            .map(|entry| entry.id.as_str())
            .collect()
    }

    fn set_label(&mut self, target: usize, label: Option<&str>) {
        let label = label.filter(|label| !label.is_empty());
        match (self.labels.iter_mut().find(|(at, _)| *at == target), label) {
            (Some(given), Some(label)) => label.clone_into(&mut given.1),
            (None, Some(label)) => self.labels.push((target, label.to_owned())),
            (_, None) => self.labels.retain(|(at, _)| *at != target),
        }
    }

    /// The texts that the model of an agent gets at a leaf.
    fn context(&self, leaf: Option<usize>) -> Vec<String> {
        let path = self.path(leaf);
        let of = |at: &usize| match &self.entries[*at].given {
            Given::Message(text) => Some(text.clone()),
            Given::Summary(text) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        let last =
            path.iter().rposition(|&at| matches!(self.entries[at].given, Given::Compaction { .. }));
        let Some(last) = last else { return path.iter().filter_map(of).collect() };
        let Given::Compaction { text, keeps } = &self.entries[path[last]].given else {
            unreachable!()
        };
        let kept = path[..last].iter().position(|at| Some(*at) == *keeps).unwrap_or(last);
        let mut texts = vec![text.clone()];
        texts.extend(path[kept..last].iter().chain(&path[last + 1..]).filter_map(of));
        texts
    }

    /// The path to an entry alone, as a session of its own.
    fn lifted(&self, leaf: usize, new_ids: &[String]) -> Model {
        let path = self.path(Some(leaf));
        let kept: Vec<usize> =
            path.iter().copied().filter(|&at| !self.entries[at].is_label).collect();
        let place = |at: usize| kept.iter().position(|&other| other == at);
        // Behind a label entry comes what follows it on the path.
        let anchor = |keeps: usize| {
            let from = path.iter().position(|&at| at == keeps)?;
            path[from..].iter().find_map(|&at| place(at))
        };
        let mut lifted = Model::default();
        for &at in &kept {
            let given = match &self.entries[at].given {
                Given::Compaction { text, keeps } => {
                    Given::Compaction { text: text.clone(), keeps: keeps.and_then(anchor) }
                }
                other => other.clone(),
            };
            lifted.add(self.id(at).to_owned(), lifted.leaf, given);
        }
        let carried = self.labels.iter().filter_map(|(at, label)| Some((place(*at)?, label)));
        for ((target, label), id) in carried.zip(&new_ids[kept.len()..]) {
            lifted.add(id.clone(), lifted.leaf, Given::Nothing);
            lifted.entries.last_mut().unwrap().is_label = true;
            lifted.set_label(target, Some(label));
        }
        lifted
    }
}

/// Does one operation on both.
fn apply(store: &mut SessionStore, model: &mut Model, op: &Op) {
    let pick = |at: &prop::sample::Index, model: &Model| {
        (!model.entries.is_empty()).then(|| at.index(model.entries.len()))
    };
    let parent = model.leaf;
    match op {
        Op::User(text) => {
            let id = store.append_message(&json!({"role": "user", "content": text})).unwrap();
            model.add(id, parent, Given::Message(text.clone()));
        }
        Op::Assistant(text) => {
            let message = json!({"role": "assistant", "content": [{"type": "text", "text": text}],
                "provider": "p", "model": "m", "stopReason": "stop"});
            model.add(
                store.append_message(&message).unwrap(),
                parent,
                Given::Message(text.clone()),
            );
        }
        Op::Thinking(level) => {
            model.add(store.append_thinking_level(level).unwrap(), parent, Given::Nothing);
        }
        Op::Custom(data) => {
            model.add(store.append_custom("x", data).unwrap(), parent, Given::Nothing);
        }
        Op::CustomMessage(text) => {
            let id = store.append_custom_message("note", text, true).unwrap();
            model.add(id, parent, Given::Message(text.clone()));
        }
        Op::Name(name) => {
            let is_blank = name.chars().all(|char| char.is_control() || char.is_whitespace());
            match store.append_session_info(name) {
                Ok(id) => model.add(id, parent, Given::Nothing),
                Err(StoreError::EmptyTitle) if is_blank && store.agent() == Agent::Omp => {}
                Err(error) => panic!("{error}"),
            }
        }
        Op::Label(at, label) => {
            let Some(target) = pick(at, model) else { return };
            let id = store.append_label(model.id(target), label.as_deref()).unwrap();
            model.add(id, parent, Given::Nothing);
            model.entries.last_mut().unwrap().is_label = true;
            model.set_label(target, label.as_deref());
        }
        Op::Compact(at, keeps, text) => {
            let Some(target) = pick(at, model) else { return };
            let keeps = keeps.then_some(target);
            let id = store.append_compaction(text, keeps.map(|at| model.id(at)), 9).unwrap();
            model.add(id, parent, Given::Compaction { text: text.clone(), keeps });
        }
        Op::Branch(at) => {
            let Some(target) = pick(at, model) else { return };
            store.branch(model.id(target)).unwrap();
            model.leaf = Some(target);
        }
        Op::Reset => {
            store.reset_leaf();
            model.leaf = None;
        }
        Op::Summarize(at, below, text) => {
            let target = pick(at, model).filter(|_| *below);
            let id = store.branch_with_summary(target.map(|at| model.id(at)), text).unwrap();
            model.add(id, target, Given::Summary(text.clone()));
        }
        Op::Lift(at) => {
            let Some(target) = pick(at, model) else { return };
            store.create_branched_session(model.id(target)).unwrap();
            let ids: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
            *model = model.lifted(target, &ids);
        }
        Op::Reopen if store.is_written() => {
            let path = store.path().unwrap().to_owned();
            // The lock goes with the store.
            *store = SessionStore::in_memory(NewSession::default()).unwrap();
            *store = SessionStore::open(path).unwrap();
            model.leaf = model.entries.len().checked_sub(1);
        }
        Op::Reopen => {}
    }
}

fn agree(store: &SessionStore, model: &Model) -> Result<(), TestCaseError> {
    let ids: Vec<&str> = model.entries.iter().map(|entry| entry.id.as_str()).collect();
    prop_assert_eq!(store.ids_in_order().collect::<Vec<_>>(), ids);
    prop_assert_eq!(store.leaf(), model.leaf.map(|at| model.id(at)));
    let path: Vec<&str> = model.path(model.leaf).into_iter().map(|at| model.id(at)).collect();
    prop_assert_eq!(store.active_path(), path);
    prop_assert_eq!(store.children(None), model.children(None));
    for (at, entry) in model.entries.iter().enumerate() {
        prop_assert_eq!(store.parent(&entry.id), entry.parent.map(|at| model.id(at)));
        prop_assert_eq!(store.children(Some(&entry.id)), model.children(Some(at)));
    }
    let labels: Vec<(&str, &str)> =
        model.labels.iter().map(|(at, label)| (model.id(*at), label.as_str())).collect();
    let given = store.labels();
    let given: Vec<(&str, &str)> =
        given.iter().map(|(id, label)| (*id, label.text.as_str())).collect();
    prop_assert_eq!(given, labels);
    prop_assert_eq!(store.session().is_some(), !model.entries.is_empty());
    agree_on_context(store)?;
    store.session().map_or(Ok(()), |session| agree_on_reading(session, model))
}

/// The store's own context is the one of the session that it wrote.
fn agree_on_context(store: &SessionStore) -> Result<(), TestCaseError> {
    let (Some(session), Some(context)) = (store.session(), store.context()) else {
        prop_assert!(store.context().is_none());
        return Ok(());
    };
    let leaf = store.leaf().and_then(|id| session.index_of(id));
    prop_assert_eq!(&context, &Facts::read(session).context(leaf));
    for message in &context.messages {
        prop_assert_eq!(store.read_message(message), message.read(session));
    }
    Ok(())
}

/// The session that goes on from what it was is the one that is read anew.
fn agree_with_another_reader(session: &Session, again: &Session) -> Result<(), TestCaseError> {
    prop_assert_eq!(session.source(), again.source());
    prop_assert_eq!((session.title(), session.header()), (again.title(), again.header()));
    prop_assert_eq!(session.damage(), again.damage());
    let order = |session: &Session| session.tree().order().collect::<Vec<_>>();
    prop_assert_eq!(order(session), order(again));
    for entry in session.indices() {
        prop_assert_eq!(session.raw(entry), again.raw(entry));
        prop_assert_eq!(session.entry_type(entry), again.entry_type(entry));
        prop_assert_eq!(session.time(entry), again.time(entry));
        prop_assert_eq!(session.line(entry), again.line(entry));
        prop_assert_eq!(session.tree().parent(entry), again.tree().parent(entry));
        prop_assert_eq!(session.label(entry), again.label(entry));
    }
    Ok(())
}

/// The session as anyone reads it: tree, labels, and the context at each leaf.
fn agree_on_reading(session: &Session, model: &Model) -> Result<(), TestCaseError> {
    prop_assert!(session.damage().is_empty(), "{:?}", session.damage());
    prop_assert_eq!(session.len(), model.entries.len());
    prop_assert_eq!(session.leaf(), EntryIndex::new(model.entries.len() - 1));
    for (at, entry) in model.entries.iter().enumerate() {
        prop_assert_eq!(session.id(EntryIndex::new(at)).unwrap(), &entry.id);
        prop_assert_eq!(
            session.tree().parent(EntryIndex::new(at)),
            entry.parent.map(EntryIndex::new)
        );
        let label = model.labels.iter().find(|(target, _)| *target == at);
        prop_assert_eq!(
            session.label(EntryIndex::new(at)).map(|label| &label.text),
            label.map(|(_, text)| text)
        );
    }
    for leaf in session.tree().leaves().chain(model.leaf.map(EntryIndex::new)) {
        let context = report::context(session, leaf).unwrap();
        let texts: Vec<&str> =
            context.messages.iter().map(|message| message.text.as_ref()).collect();
        prop_assert_eq!(texts, model.context(Some(leaf.get())), "at {:?}", leaf);
    }
    Ok(())
}

/// What was written, as anyone reads it. A branch of nothing but a label, which oh-my-pi leaves out, is a header
/// alone, and no session.
fn agree_on_file(path: &Path, model: &Model) -> Result<(), TestCaseError> {
    let read = leafpress::read(std::fs::read(path).unwrap());
    if model.entries.is_empty() {
        prop_assert!(matches!(read, Err(leafpress::ReadError::NoEntries { .. })), "{read:?}");
        return Ok(());
    }
    agree_on_reading(&read.unwrap(), model)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_store_is_what_its_model_is(ops in prop::collection::vec(op(), 1..40), in_memory in any::<bool>(), is_omp in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let agent = if is_omp { Agent::Omp } else { Agent::Pi };
        let new = NewSession::new().agent(agent);
        let mut store = if in_memory {
            SessionStore::in_memory(new).unwrap()
        } else {
            SessionStore::create_in(folder.path(), new).unwrap()
        };
        let mut model = Model::default();
        for op in &ops {
            apply(&mut store, &mut model, op);
            agree(&store, &model)?;
            if store.is_written() {
                let path = store.path().unwrap();
                agree_on_file(path, &model)?;
                if let Some(session) = store.session() {
                    let again = leafpress::format::read_with(
                        std::fs::read(path).unwrap(),
                        Some(session.format()),
                        &leafpress::format::ReadOptions::new().archived(true),
                    );
                    agree_with_another_reader(session, &again.unwrap())?;
                }
            }
        }
        // And once more for writing.
        if let Some(path) = store.path().filter(|_| store.is_written()).map(Path::to_owned) {
            drop(store);
            model.leaf = model.entries.len().checked_sub(1);
            agree(&SessionStore::open(&path).unwrap(), &model)?;
            prop_assert!(!path.with_extension("jsonl.torn").exists());
            let first = std::fs::read(&path).unwrap();
            let end = first.iter().position(|&byte| byte == b'\n');
            prop_assert!(!is_omp || end == Some(255), "the line of the title");
        }
    }
}
