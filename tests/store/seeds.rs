//! The operations that the documents of pi, oh-my-pi, Flue and Chimera name, in their words.
//! `docs/library.md` has the table of all.

use leafpress::session::Body;
use leafpress::session::convert::SentMessage;
use leafpress::store::{
    Abort, AgentStart, Compacting, CompactionPlan, Events, Listeners, MoveOptions, MovePlan,
    NewEntry, Outcome, SessionStore, StartChanges, StoreError, Summary, Verdict,
};
use serde_json::{Value, json};

use crate::store::support::{Append as _, is_not_found, memory};

/// Summarizes, and says at each touch point what it is given.
#[derive(Default)]
struct Listener {
    name: &'static str,
    heard: Vec<String>,
    compacting: Compacting,
    supplies: Option<Summary>,
    cancels: bool,
    summarizes: bool,
}

impl Events for Listener {
    fn before_agent_start(&mut self, store: &SessionStore, start: &AgentStart) -> StartChanges {
        self.heard.push(format!("{} of {} at {}", start.prompt, start.images.len(), store.len()));
        let mut system_prompt = start.system_prompt.clone();
        system_prompt.push(self.name.to_owned());
        let message = NewEntry::custom_message(self.name, &"remember", false).unwrap();
        StartChanges::new().messages(vec![message]).system_prompt(system_prompt)
    }

    fn context<'s>(
        &mut self,
        _: &'s SessionStore,
        mut messages: Vec<SentMessage<'s>>,
    ) -> Vec<SentMessage<'s>> {
        self.heard.push(format!("context {}", messages.len()));
        messages.remove(0);
        messages
    }

    fn before_compaction(&mut self, _: &SessionStore, plan: &CompactionPlan) -> Verdict {
        self.heard.push(format!("before {}", plan.branch_entries.len()));
        match &self.supplies {
            _ if self.cancels => Verdict::Cancel,
            Some(summary) => Verdict::Supply(summary.clone()),
            None => Verdict::Proceed,
        }
    }

    fn compacting(&mut self, _: &SessionStore, plan: &CompactionPlan) -> Compacting {
        self.heard.push(format!("compacting {}", plan.branch_entries.len()));
        self.compacting.clone()
    }

    fn summarize_history(
        &mut self,
        _: &SessionStore,
        plan: &CompactionPlan,
    ) -> Result<Summary, StoreError> {
        if !self.summarizes {
            return Err(StoreError::NoSummarizer);
        }
        let prompt = plan.compacting.prompt.as_deref().unwrap_or("usual");
        let text = format!("{prompt}: {}", plan.compacting.context.join(", "));
        Ok(Summary::new(text))
    }

    fn summarize_branch(
        &mut self,
        _: &SessionStore,
        plan: &MovePlan,
        _: &Abort,
    ) -> Result<Summary, StoreError> {
        Ok(Summary::new(plan.entries_to_summarize.len().to_string()))
    }
}

fn done<T: std::fmt::Debug>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Done(done) => done,
        other => panic!("{other:?}"),
    }
}

fn json_of(store: &SessionStore, id: &str) -> Value {
    serde_json::from_str(store.raw(id).unwrap()).unwrap()
}

/// u1 a1 u2 a2
fn two_turns() -> (SessionStore, [String; 4]) {
    let mut store = memory();
    let ids = [store.user("u1"), store.assistant("a1"), store.user("u2"), store.assistant("a2")];
    (store, ids)
}

#[derive(Default)]
struct Sees(Vec<String>, Option<String>);
impl Events for Sees {
    fn before_compaction(&mut self, store: &SessionStore, plan: &CompactionPlan) -> Verdict {
        assert_eq!(plan.branch_entries, store.active_path());
        self.0.clone_from(&plan.branch_entries);
        self.1.clone_from(&plan.instructions);
        Verdict::Cancel
    }
}

#[test]
fn session_before_compact_provides_branch_entries_and_custom_instructions() {
    let (mut store, [u1, _, u2, _]) = two_turns();
    store.branch(&u1).unwrap();
    let off = store.assistant("another branch");
    store.branch(&u2).unwrap();
    let mut sees = Sees::default();
    let plan = CompactionPlan::new().instructions("names");
    assert_eq!(store.compact(&plan, &mut sees).unwrap(), Outcome::Cancelled);
    assert!(sees.0.len() == 3 && !sees.0.contains(&off));
    assert_eq!((sees.1.as_deref(), store.len()), (Some("names"), 5));
}

#[test]
fn session_compacting_overrides_the_prompt_and_the_context_and_preserves_data() {
    let (mut store, [.., u2, _]) = two_turns();
    let plan = CompactionPlan::new().first_kept_id(u2);
    let compacting = Compacting::new()
        .context(vec!["files".to_owned(), "plans".to_owned()])
        .prompt("Be short")
        .preserve_data(json!({"state": [1]}));
    let mut listener = Listener { compacting, summarizes: true, ..Listener::default() };
    let compacted = done(store.compact(&plan, &mut listener).unwrap());
    let entry = json_of(&store, &compacted.id);
    assert_eq!(entry["summary"], "Be short: files, plans");
    assert_eq!(entry["preserveData"], json!({"state": [1]}));
    assert_eq!(listener.heard, ["before 4", "compacting 4"]);

    // A summary that a listener supplies keeps its own data, and nobody is asked for more.
    let summary = Summary::new("mine").preserve_data(json!({"own": true}));
    let mut listener = Listener { supplies: Some(summary), ..Listener::default() };
    let compacted = done(store.compact(&plan, &mut listener).unwrap());
    let entry = json_of(&store, &compacted.id);
    assert_eq!((&entry["preserveData"], &entry["fromHook"]), (&json!({"own": true}), &json!(true)));
    assert_eq!(listener.heard, ["before 5"]);
}

#[test]
fn context_replaces_the_messages_for_this_call_and_nothing_is_persisted() {
    let (store, _) = two_turns();
    let mut listener = Listener::default();
    let messages = store.messages_for_call(&mut listener);
    let texts: Vec<String> = messages.iter().map(SentMessage::text).collect();
    assert_eq!(texts, ["a1", "u2", "a2"]);
    assert_eq!((store.len(), store.messages_for_call(&mut ()).len()), (4, 4));
    let (mut one, mut two) = (Listener::default(), Listener::default());
    let mut both = Listeners(vec![&mut one, &mut two]);
    assert_eq!(store.messages_for_call(&mut both).len(), 2);
    assert_eq!((one.heard[0].as_str(), two.heard[0].as_str()), ("context 4", "context 3"));
}

#[test]
fn before_agent_start_adds_messages_and_system_prompts_chain_in_order() {
    let mut store = memory();
    let image = json!({"type": "image", "data": "AA==", "mimeType": "image/png"});
    let start =
        AgentStart::new("Go").images(vec![image.clone()]).system_prompt(vec!["base".to_owned()]);
    let mut one = Listener { name: "one", ..Listener::default() };
    let mut two = Listener { name: "two", ..Listener::default() };
    let started = store.start_turn(&start, &mut Listeners(vec![&mut one, &mut two])).unwrap();
    assert_eq!(started.system_prompt, ["base", "one", "two"]);
    assert_eq!(one.heard, ["Go of 1 at 1"]);
    let mut ids = vec![started.prompt_id.clone()];
    ids.extend(started.message_ids);
    assert_eq!(store.active_path(), ids);
    assert_eq!(json_of(&store, &ids[2])["customType"], "two");
    assert_eq!(json_of(&store, &started.prompt_id)["message"]["content"][1], image);
    // Without a listener the prompt is all.
    let started = store.start_turn(&start, &mut ()).unwrap();
    assert_eq!((started.system_prompt, started.message_ids), (start.system_prompt, vec![]));
}

#[test]
fn of_several_listeners_the_first_to_cancel_decides_and_the_last_summary_counts() {
    let (mut store, _) = two_turns();
    let supplies = |text: &str| {
        let summary = Summary::new(text);
        Listener { supplies: Some(summary), ..Listener::default() }
    };
    let (mut one, mut two) = (supplies("one"), supplies("two"));
    let plan = CompactionPlan::default();
    let outcome = store.compact(&plan, &mut Listeners(vec![&mut one, &mut two])).unwrap();
    assert_eq!(json_of(&store, &done(outcome).id)["summary"], "two");
    let mut cancels = Listener { cancels: true, ..Listener::default() };
    let (mut before, mut after) = (Listener::default(), Listener::default());
    let mut all = Listeners(vec![&mut before, &mut cancels, &mut after]);
    assert_eq!(store.compact(&plan, &mut all).unwrap(), Outcome::Cancelled);
    assert_eq!((before.heard.len(), after.heard.len()), (1, 0));
    // The first who can write a summary does.
    let mut cannot = Listener::default();
    let mut can = Listener { summarizes: true, ..Listener::default() };
    let outcome = store.compact(&plan, &mut Listeners(vec![&mut cannot, &mut can])).unwrap();
    assert_eq!(json_of(&store, &done(outcome).id)["summary"], "usual: ");
    let nobody = store.compact(&plan, &mut Listeners(vec![&mut Listener::default()]));
    assert!(matches!(nobody, Err(StoreError::NoSummarizer)));
}

#[test]
fn pop_branches_to_the_previous_user_message_with_auto_summary() {
    let (mut store, [u1, a1, u2, a2]) = two_turns();
    let mut summarizes = Listener::default();
    let options = MoveOptions::default();
    let moved = done(store.pop(None, &options, &mut summarizes).unwrap());
    let summary = moved.summary_id.unwrap();
    assert_eq!((store.leaf(), store.parent(&summary)), (Some(&*summary), Some(&*u2)));
    assert_eq!(json_of(&store, &summary)["summary"], "1");
    // Abandoned entries stay where they are.
    assert_eq!(store.children(Some(&u2)), [a2.as_str(), &summary]);
    let moved = done(store.pop(Some(&a1), &options, &mut summarizes).unwrap());
    assert_eq!(store.active_path(), [u1.as_str(), &a1, &moved.summary_id.unwrap()]);
    assert!(is_not_found(store.pop(Some("zzz"), &options, &mut ()).map(drop), "zzz"));
    store.branch(&u1).unwrap();
    let nothing = store.pop(None, &options, &mut summarizes);
    assert!(matches!(nothing, Err(StoreError::NothingToPop)));
    assert_eq!(store.leaf(), Some(u1.as_str()));
}

#[test]
fn multiple_pops_each_create_a_new_branch() {
    // [a]─[b]─[c]─[d]…[h], a pop to c, [j]─[k]─[l], a pop to k.
    let mut store = memory();
    let ids: Vec<String> = "abcdefgh".chars().map(|name| store.user(&name.to_string())).collect();
    let (options, mut summarizes) = (MoveOptions::default(), Listener::default());
    let first = done(store.pop(Some(&ids[2]), &options, &mut summarizes).unwrap());
    let after = ["j", "k", "l"].map(|name| store.user(name));
    let second = done(store.pop(Some(&after[1]), &options, &mut summarizes).unwrap());
    let current = store.user("n");
    let (first, second) = (first.summary_id.unwrap(), second.summary_id.unwrap());
    let path = [&ids[0], &ids[1], &ids[2], &first, &after[0], &after[1], &second, &current];
    assert_eq!(store.active_path(), path);
    let texts: Vec<String> =
        store.messages_for_call(&mut ()).iter().map(SentMessage::text).collect();
    assert_eq!(texts, ["a", "b", "c", "5", "j", "k", "1", "n"]);
}

#[test]
fn stack_pop_goes_back_to_an_index_of_the_file() {
    let (mut store, [u1, a1, ..]) = two_turns();
    // The header is 0.
    let id = store.stack_pop(2, "S", Some("before")).unwrap();
    assert_eq!(store.active_path(), [u1.as_str(), &a1, &id]);
    let entry = json_of(&store, &id);
    assert_eq!(
        (&entry["summary"], &entry["details"]["prePopSummary"]),
        (&json!("S"), &json!("before"))
    );
    for index in [0, 6, usize::MAX] {
        assert!(is_not_found(store.stack_pop(index, "S", None), &index.to_string()));
    }
    assert_eq!(store.len(), 5);
}

#[test]
fn switch_goes_to_the_branch_at_an_entry() {
    let (mut store, [_, a1, ..]) = two_turns();
    store.switch(&a1).unwrap();
    assert_eq!(store.leaf(), Some(a1.as_str()));
    assert!(is_not_found(store.switch("zzz"), "zzz"));
}

#[test]
fn cherry_pick_copies_an_entrys_message_to_the_current_branch() {
    let (mut store, [u1, a1, u2, a2]) = two_turns();
    store.branch(&u1).unwrap();
    let other = store.assistant("other");
    let copy = store.cherry_pick(&a1).unwrap();
    assert_eq!((store.leaf(), store.parent(&copy)), (Some(&*copy), Some(&*other)));
    assert_eq!(json_of(&store, &copy)["message"], json_of(&store, &a1)["message"]);
    assert_ne!(copy, a1);
    let label = store.append_label(&u1, Some("x")).unwrap();
    assert!(matches!(store.cherry_pick(&label), Err(StoreError::NotAMessage(_))));
    assert!(is_not_found(store.cherry_pick("zzz"), "zzz"));
    // `/merge`: all that the other branch has and this one has not.
    let merged = store.merge(&a2).unwrap();
    let texts: Vec<String> =
        store.messages_for_call(&mut ()).iter().map(SentMessage::text).collect();
    assert_eq!(texts, ["u1", "other", "a1", "a1", "u2", "a2"]);
    assert_eq!((merged.len(), store.children(Some(&a1))), (3, vec![u2.as_str()]));
}

#[test]
fn a_cherry_pick_makes_the_file_as_any_message_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut store = SessionStore::create(&path, crate::store::support::new()).unwrap();
    let one = store.user("1");
    store.reset_leaf();
    let copy = store.cherry_pick(&one).unwrap();
    assert_eq!(store.children(None), [one.as_str(), &copy]);
    drop(store);
    let store = SessionStore::open(&path).unwrap();
    assert_eq!((store.len(), store.leaf()), (2, Some(copy.as_str())));
}

#[test]
fn session_shell_is_recorded_as_an_llm_shaped_bash_tool_exchange() {
    let mut store = memory();
    store.append_model("p", "m").unwrap();
    let [prompt, call, result] = store.append_shell("ls", "a.rs", false).unwrap();
    assert_eq!(store.active_path()[1..], [&*prompt, &call, &result]);
    let (call, result) = (json_of(&store, &call), json_of(&store, &result));
    let block = &call["message"]["content"][0];
    assert_eq!((&block["name"], &block["arguments"]), (&json!("bash"), &json!({"command": "ls"})));
    assert_eq!(result["message"]["toolCallId"], block["id"]);
    let context = store.context().unwrap();
    let model = context.model.unwrap();
    assert_eq!((&*model.provider, &*model.id), ("p", "m"), "the model stays what it was");
}

#[test]
fn branch_in_place_with_a_summary_of_the_abandoned_subtree() {
    let (mut store, [_, a1, ..]) = two_turns();
    let options = MoveOptions::new().summarize(true);
    let moved = done(store.navigate(&a1, &options, &mut Listener::default()).unwrap());
    let id = moved.summary_id.unwrap();
    let Body::BranchSummary(summary) = store.entry(&id).unwrap().body else { panic!() };
    assert_eq!((&*summary.summary, store.parent(&id)), ("2", Some(a1.as_str())));
}
