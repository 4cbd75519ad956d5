//! CONFORMANCE I, H11 and H12: moving as a person does, with those who have a say in it.

use leafpress::session::Body;
use leafpress::store::{
    Abort, BranchPlan, Branched, Compacted, CompactionPlan, Events, MoveOptions, MovePlan, Moved,
    Outcome, SessionStore, StoreError, Summary, Verdict,
};
use serde_json::json;

use crate::store::support::{Append as _, is_not_found, memory, new};

/// Writes down what it hears, and answers what it is asked to.
#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    cancels: bool,
    supplies: Option<&'static str>,
    aborts: bool,
}

impl Listener {
    fn verdict(&self) -> Verdict {
        match self.supplies {
            _ if self.cancels => Verdict::Cancel,
            Some(text) => Verdict::Supply(Summary::new(text)),
            None => Verdict::Proceed,
        }
    }
}

impl Events for Listener {
    fn before_move(&mut self, _: &SessionStore, plan: &MovePlan, _: &Abort) -> Verdict {
        self.heard.push(format!("before move {}", plan.entries_to_summarize.len()));
        self.verdict()
    }

    fn summarize_branch(
        &mut self,
        store: &SessionStore,
        plan: &MovePlan,
        abort: &Abort,
    ) -> Result<Summary, StoreError> {
        if self.aborts {
            abort.abort();
        }
        let texts: Vec<String> = plan
            .entries_to_summarize
            .iter()
            .filter_map(|id| match store.entry(id)?.body {
                Body::Message(message) => {
                    Some(leafpress::session::message::joined_text(message.content(), ""))
                }
                _ => None,
            })
            .collect();
        Ok(Summary::new(texts.join("+"))
            .details(json!({"readFiles": [], "modifiedFiles": ["a.rs"]}))
            .usage(json!({"input": 7, "output": 1})))
    }

    fn moved(&mut self, _: &SessionStore, moved: &Moved) {
        self.heard.push(format!("moved {}", moved.from_hook));
    }

    fn before_branch(&mut self, _: &SessionStore, plan: &BranchPlan) -> Verdict {
        self.heard.push(format!("before branch {}", plan.text));
        self.verdict()
    }

    fn branched(&mut self, store: &SessionStore, _: &Branched) {
        self.heard.push(format!("branched {}", store.len()));
    }

    fn before_compaction(&mut self, _: &SessionStore, plan: &CompactionPlan) -> Verdict {
        self.heard.push(format!("before compaction {}", plan.tokens_before));
        self.verdict()
    }

    fn summarize_history(
        &mut self,
        _: &SessionStore,
        plan: &CompactionPlan,
    ) -> Result<Summary, StoreError> {
        if self.aborts {
            plan.abort.abort();
            return Err(StoreError::Summary("stopped".to_owned()));
        }
        Ok(Summary::new("history"))
    }

    fn compacted(&mut self, _: &SessionStore, compacted: &Compacted) {
        self.heard.push(format!("compacted {}", compacted.from_hook));
    }
}

fn with_summary() -> MoveOptions {
    MoveOptions::new().summarize(true)
}

fn done<T: std::fmt::Debug>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Done(done) => done,
        other => panic!("{other:?}"),
    }
}

/// u1 a1 u2 a2 u3 a3
fn three_turns() -> (SessionStore, [String; 6]) {
    let mut store = memory();
    let ids = [
        store.user("u1"),
        store.assistant("a1"),
        store.user("u2"),
        store.assistant("a2"),
        store.user("u3"),
        store.assistant("a3"),
    ];
    (store, ids)
}

#[test]
fn i1_i7_a_prompt_is_taken_back_for_editing() {
    let (mut store, [u1, ..]) = three_turns();
    let moved = done(store.navigate(&u1, &MoveOptions::default(), &mut ()).unwrap());
    assert_eq!((store.leaf(), moved.editor_text.as_deref()), (None, Some("u1")));
    assert_eq!((moved.new_leaf_id, moved.summary_id, store.len()), (None, None, 6));
}

#[test]
fn i2_anything_else_becomes_the_leaf() {
    let (mut store, [_, a1, ..]) = three_turns();
    let moved = done(store.navigate(&a1, &MoveOptions::default(), &mut ()).unwrap());
    assert_eq!((store.leaf(), moved.editor_text), (Some(a1.as_str()), None));
}

#[test]
fn i3_i4_i5_a_summary_hangs_from_the_new_place() {
    let (mut store, [u1, ..]) = three_turns();
    let moved = done(store.navigate(&u1, &with_summary(), &mut Listener::default()).unwrap());
    let summary = moved.summary_id.unwrap();
    assert_eq!((store.parent(&summary), store.leaf()), (None, Some(summary.as_str())));
    assert_eq!(moved.editor_text.as_deref(), Some("u1"));

    let (mut store, [_, a1, u2, .., a3]) = three_turns();
    let moved = done(store.navigate(&u2, &with_summary(), &mut Listener::default()).unwrap());
    let summary = moved.summary_id.unwrap();
    assert_eq!(store.parent(&summary), Some(a1.as_str()));
    assert_eq!(store.children(Some(&a1)), [u2.as_str(), &summary]);
    assert_eq!(moved.editor_text.as_deref(), Some("u2"));
    let Body::BranchSummary(read) = store.entry(&summary).unwrap().body else { panic!() };
    // From the common ancestor, which is the target itself.
    assert_eq!((&*read.summary, &*read.from_id), ("a2+u3+a3", a3.as_str()));
    assert!(read.details.is_some() && read.usage.is_some());

    let (mut store, [_, a1, ..]) = three_turns();
    let moved = done(store.navigate(&a1, &with_summary(), &mut Listener::default()).unwrap());
    assert_eq!(store.parent(&moved.summary_id.unwrap()), Some(a1.as_str()));
    assert_eq!(moved.editor_text, None);
}

#[test]
fn i6_stopped_while_summarizing_nothing_has_changed() {
    let (mut store, [_, a1, .., a3]) = three_turns();
    let mut listener = Listener { aborts: true, ..Listener::default() };
    let outcome = store.navigate(&a1, &with_summary(), &mut listener).unwrap();
    assert_eq!(outcome, Outcome::Aborted);
    assert_eq!((store.leaf(), store.len()), (Some(a3.as_str()), 6));
    assert_eq!(listener.heard, ["before move 4"]);
}

#[test]
fn i8_the_current_leaf_is_no_move() {
    let (mut store, [.., a3]) = three_turns();
    let mut listener = Listener::default();
    assert_eq!(store.navigate(&a3, &with_summary(), &mut listener).unwrap(), Outcome::Unchanged);
    assert!(listener.heard.is_empty() && store.len() == 6);
}

#[test]
fn i9_only_what_is_left_is_summarized() {
    let mut store = memory();
    let [_, a1] = [store.user("u1"), store.assistant("a1")];
    let [u2, _] = [store.user("u2"), store.assistant("a2")];
    store.branch(&a1).unwrap();
    let [u3, a3] = [store.user("u3"), store.assistant("a3")];
    let plan = store.plan_move(&u2).unwrap();
    assert_eq!(plan.common_ancestor_id.as_deref(), Some(a1.as_str()));
    assert_eq!(plan.entries_to_summarize, [u3, a3]);
    let moved = done(store.navigate(&u2, &with_summary(), &mut Listener::default()).unwrap());
    let Body::BranchSummary(read) = store.entry(&moved.summary_id.unwrap()).unwrap().body else {
        panic!()
    };
    assert_eq!(read.summary, "u3+a3");
    assert_eq!(moved.editor_text.as_deref(), Some("u2"));
}

#[test]
fn i10_entries_to_summarize_of_the_sample() {
    let store = SessionStore::read_only("tests/fixtures/samples-2026-03/pi-v3-full.jsonl").unwrap();
    let full = |short: &str| format!("e00000{short}");
    let left = |from: Option<&str>, to: &str| -> Vec<String> {
        let from = from.map(full);
        let left = store.entries_to_summarize(from.as_deref(), &full(to)).unwrap();
        left.iter().map(|id| id[6..].to_owned()).collect()
    };
    assert_eq!(left(Some("1f"), "1a").join(" "), "10 11 12 13 14 15 16 17 1d 1e 1f");
    assert_eq!(left(Some("1f"), "0a").first().map(String::as_str), Some("0c"));
    assert_eq!(left(Some("1f"), "0a").len(), 15);
    assert_eq!(left(Some("1f"), "03").len(), 21);
    assert_eq!(left(Some("1f"), "1c").len(), 24);
    assert!(left(Some("14"), "1f").is_empty() && left(None, "03").is_empty());
    let ancestor = |a: &str, b: &str| {
        store.common_ancestor(&full(a), &full(b)).unwrap().map(|id| id[6..].to_owned())
    };
    assert_eq!(ancestor("1f", "1a").as_deref(), Some("0f"));
    assert_eq!(ancestor("14", "1f").as_deref(), Some("14"));
    assert_eq!(ancestor("1f", "1c"), None);
}

#[test]
fn i11_extension_messages_are_taken_back_commands_and_labels_are_not() {
    let mut store = memory();
    let one = store.user("1");
    let custom = store
        .append_custom_message(
            "note",
            &json!([{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]),
            true,
        )
        .unwrap();
    let bash = store
        .append_message(&json!({"role": "bashExecution", "command": "ls", "output": ""}))
        .unwrap();
    let label = store.append_label(&one, Some("l")).unwrap();
    store.user("2");
    for (target, leaf, text) in
        [(&label, &label, None), (&bash, &bash, None), (&custom, &one, Some("xy"))]
    {
        let moved = done(store.navigate(target, &MoveOptions::default(), &mut ()).unwrap());
        assert_eq!((store.leaf(), moved.editor_text.as_deref()), (Some(leaf.as_str()), text));
    }
}

#[test]
fn without_a_summarizer_a_summary_is_refused_and_nothing_moves() {
    let (mut store, [_, a1, .., a3]) = three_turns();
    let refused = store.navigate(&a1, &with_summary(), &mut ());
    assert!(matches!(refused, Err(StoreError::NoSummarizer)));
    assert!(is_not_found(store.navigate("zzz", &with_summary(), &mut ()).map(drop), "zzz"));
    assert_eq!((store.leaf(), store.len()), (Some(a3.as_str()), 6));
}

#[test]
fn a_listener_may_cancel_or_supply_the_summary() {
    let (mut store, [_, a1, .., a3]) = three_turns();
    let mut listener = Listener { cancels: true, ..Listener::default() };
    assert_eq!(store.navigate(&a1, &with_summary(), &mut listener).unwrap(), Outcome::Cancelled);
    assert_eq!((store.leaf(), store.len()), (Some(a3.as_str()), 6));
    let mut listener = Listener { supplies: Some("mine"), ..Listener::default() };
    let moved = done(store.navigate(&a1, &with_summary(), &mut listener).unwrap());
    let raw = store.raw(&moved.summary_id.unwrap()).unwrap().to_owned();
    let raw: serde_json::Value = serde_json::from_str(&raw).unwrap();
    assert_eq!((&raw["summary"], &raw["fromHook"]), (&json!("mine"), &json!(true)));
    assert_eq!(listener.heard, ["before move 4", "moved true"]);
}

#[test]
fn a_label_goes_to_the_summary_or_to_the_target() {
    let (mut store, [_, a1, u2, ..]) = three_turns();
    let options = MoveOptions::new().label("here");
    done(store.navigate(&u2, &options, &mut ()).unwrap());
    assert_eq!(store.label(&u2).unwrap().text, "here");
    assert_eq!(store.parent(store.leaf().unwrap()), Some(a1.as_str()));
    let options = options.summarize(true);
    let [u3, _] = [store.user("u3"), store.assistant("a3")];
    let moved = done(store.navigate(&a1, &options, &mut Listener::default()).unwrap());
    assert_eq!(store.label(&moved.summary_id.unwrap()).unwrap().text, "here");
    assert_eq!(store.label(&u3), None);
}

#[test]
fn h11_a_fork_at_the_first_prompt_is_a_new_session() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    let u1 = store.user("Say one");
    let old = store.path().unwrap().display().to_string();
    let mut listener = Listener::default();
    let forked = done(store.fork_at_prompt(&u1, &mut listener).unwrap());
    assert_eq!((forked.text.as_str(), store.len()), ("Say one", 0));
    assert_eq!(store.header().parent_session.as_deref(), Some(old.as_str()));
    assert!(!forked.path.unwrap().exists());
    assert_eq!(listener.heard, ["before branch Say one", "branched 0"]);
}

#[test]
fn h12_a_fork_takes_what_is_before_the_prompt() {
    let (mut store, [_, a1, u2, ..]) = three_turns();
    assert!(matches!(store.fork_at_prompt(&a1, &mut ()), Err(StoreError::NotAPrompt(_))));
    let mut listener = Listener { cancels: true, ..Listener::default() };
    assert_eq!(store.fork_at_prompt(&u2, &mut listener).unwrap(), Outcome::Cancelled);
    assert_eq!(store.len(), 6);
    let forked = done(store.fork_at_prompt(&u2, &mut ()).unwrap());
    assert_eq!((forked.text.as_str(), forked.path, store.len()), ("u2", None, 2));
}

#[test]
fn a_compaction_is_cancelled_supplied_stopped_or_written() {
    let (mut store, [.., u3, _]) = three_turns();
    let plan = CompactionPlan::new().first_kept_id(u3).tokens_before(99);
    let mut listener = Listener { cancels: true, ..Listener::default() };
    assert_eq!(store.compact(&plan, &mut listener).unwrap(), Outcome::Cancelled);
    let mut listener = Listener { aborts: true, ..Listener::default() };
    assert_eq!(store.compact(&plan, &mut listener).unwrap(), Outcome::Aborted);
    assert_eq!(store.len(), 6);
    let plan = plan.abort(Abort::default());
    for (supplies, text) in [(None, "history"), (Some("mine"), "mine")] {
        let mut listener = Listener { supplies, ..Listener::default() };
        let compacted = done(store.compact(&plan, &mut listener).unwrap());
        let Body::Compaction(read) = store.entry(&compacted.id).unwrap().body else { panic!() };
        assert_eq!((&*read.summary, read.from_extension), (text, supplies.is_some()));
        assert_eq!(listener.heard[1], format!("compacted {}", supplies.is_some()));
    }
}
