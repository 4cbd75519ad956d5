//! An agent's loop in little: asks a model (here a table of answers), writes a
//! session with branches, a label, a compaction and a summary of what was left,
//! and exports it as a page.
//!
//! `cargo run --example agent_loop [FOLDER]`

use std::error::Error;
use std::fs::{self, File};
use std::path::PathBuf;

use leafpress::store::{
    Abort, Events, MoveOptions, MovePlan, NewEntry, NewSession, Outcome, SessionStore, StoreError,
    Summary,
};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mut store = SessionStore::create_in(&folder, NewSession::default())?;
    store.append_model("example", "table-1")?;
    store.append_session_info("Two ways to sort")?;

    ask(&mut store, "Sort the list in place.")?;
    let first_try = ask(&mut store, "Now without a loop.")?;
    store.append_label(&first_try, Some("first try"))?;

    // Another way: the prompt comes back for editing, and what is left is summarized.
    let options = MoveOptions::new().summarize(true);
    if let Outcome::Done(moved) = store.navigate(&first_try, &options, &mut Summarizer)? {
        let prompt = moved.editor_text.unwrap_or_default().replace("a loop", "unsafe code");
        let second_try = ask(&mut store, &prompt)?;
        store.append_compaction("The list is sorted in place.", Some(&second_try), 1200)?;
        // The model need not read the whole answer again.
        let answer = store.children(Some(&second_try))[0].to_owned();
        store.append(&NewEntry::context_edit(&answer, Some(&"Sorted, safely."))?)?;
        ask(&mut store, "Thank you.")?;
    }

    let path = store.path().ok_or("the session is on disk")?.to_owned();
    let page = path.with_extension("html");
    let session = store.session().ok_or("the session has entries")?;
    leafpress::export(session, &leafpress::Options::default(), &mut File::create(&page)?)?;
    println!("{}\n{}", path.display(), page.display());
    println!("{} entries, {} bytes", store.len(), fs::metadata(&path)?.len());
    println!(
        "this path cost ${:.4}, all of it ${:.4}",
        store.usage_of_path().cost,
        store.usage_of_tree().cost
    );
    Ok(())
}

/// One turn: the prompt, a call of a tool, its result, the answer. Gives the prompt's id.
fn ask(store: &mut SessionStore, prompt: &str) -> Result<String, StoreError> {
    let id =
        store.append_message(&json!({"role": "user", "content": prompt, "timestamp": now()}))?;
    let call = json!({"type": "toolCall", "id": format!("call-{id}"), "name": "bash", "arguments": {"command": "cargo test"}});
    store.append_message(&turn(&json!([call]), "toolUse"))?;
    store.append_message(&json!({"role": "toolResult", "toolCallId": format!("call-{id}"), "toolName": "bash",
        "content": [{"type": "text", "text": "test result: ok"}], "isError": false, "timestamp": now()}))?;
    store.append_message(&turn(&json!([{"type": "text", "text": answer(prompt)}]), "stop"))?;
    Ok(id)
}

/// Where a model would be called with the messages of `store.context()`.
fn answer(prompt: &str) -> &'static str {
    match prompt {
        "Sort the list in place." => "Done with a loop that swaps neighbors.",
        "Now without a loop." => "Done with `sort_unstable`, by way of a pointer.",
        "Now without unsafe code." => "Done with `sort_unstable` on the slice itself.",
        _ => "You are welcome.",
    }
}

fn turn(content: &Value, stop_reason: &str) -> Value {
    json!({"role": "assistant", "content": content, "api": "example", "provider": "example", "model": "table-1",
        "stopReason": stop_reason, "timestamp": now(),
        "usage": {"input": 900, "output": 40, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 940,
            "cost": {"input": 0.0009, "output": 0.0002, "cacheRead": 0, "cacheWrite": 0, "total": 0.0011}}})
}

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Writes the summary of what a move leaves behind, as a model would.
struct Summarizer;

impl Events for Summarizer {
    fn summarize_branch(
        &mut self,
        _: &SessionStore,
        plan: &MovePlan,
        _: &Abort,
    ) -> Result<Summary, StoreError> {
        let text = format!("{} entries tried it with a pointer.", plan.entries_to_summarize.len());
        Ok(Summary::new(text))
    }
}
