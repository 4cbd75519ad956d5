//! oh-my-pi's files, as its own `SessionManager` of 18.3.4 writes them: `fixtures/omp-written/` are
//! its bytes for the same operations. Ids and times are distinguished by their order alone.

use std::fs;
use std::path::Path;

use leafpress::session::Format;
use leafpress::store::{
    Agent, NewEntry, NewSession, Outcome, SessionStore, StoreError, delete_session_tree, migrate,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::store::support::{Append as _, assistant};

fn new() -> NewSession {
    NewSession::new().agent(Agent::Omp).cwd("/work")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(format!("tests/fixtures/omp-written/{name}.jsonl")).unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

/// The text with a number for each id, and one time for all.
fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for (nth, line) in text.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| line[key].as_str().map(str::to_owned);
        if let Some(parent) = text("parentSession") {
            plain = plain.replace(&parent, "parent");
        }
        if let Some(id) = text("id") {
            plain = plain.replace(&format!("\"{id}\""), &format!("\"#{nth}\""));
        }
        for time in [text("timestamp"), text("updatedAt")].into_iter().flatten() {
            assert_eq!(time.len(), 24, "the length of the first line depends on it");
            plain = plain.replace(&time, "time");
        }
    }
    plain
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn prompt(text: &str) -> NewEntry {
    let text = format!(r#"{{"role":"user","content":"{text}","timestamp":1767225600000}}"#);
    NewEntry::message(&raw(&text)).unwrap()
}

const USAGE: &str = r#"{"input":10,"output":5,"cacheRead":1,"cacheWrite":0,"totalTokens":16,"cost":{"input":0.1,"output":0.2,"cacheRead":0,"cacheWrite":0,"total":0.3}}"#;

fn response(text: &str) -> NewEntry {
    let text = format!(
        r#"{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}],"api":"test","provider":"anthropic","model":"claude-test","stopReason":"stop","usage":{USAGE},"timestamp":1767225600000}}"#
    );
    NewEntry::message(&raw(&text)).unwrap()
}

/// The operations that the fixture was written with; gives the second prompt.
fn written(folder: &Path) -> (SessionStore, String) {
    let mut store = SessionStore::create_in(folder, new()).unwrap();
    let path = store.path().unwrap().to_owned();
    store.append_model("anthropic", "claude-test").unwrap();
    store.append_thinking_level("high").unwrap();
    store.append_mode("plan").unwrap();
    let u1 = store.append(&prompt("One é \u{2028} <b>")).unwrap();
    assert!(!path.exists(), "before the first response");
    let a1 = store.append(&response("1")).unwrap();
    assert!(path.exists());
    store.append_custom("state", &json!({"n": 1})).unwrap();
    store.append(&NewEntry::custom("bare").unwrap()).unwrap();
    store.append_custom_message("note", &"hear", true).unwrap();
    let content = raw(r#"[{"type":"text","text":"x"}]"#);
    let note = NewEntry::custom_message("note", &content, false).unwrap();
    let note = note.with("attribution", "user").unwrap().with("details", &json!({"d": 1})).unwrap();
    store.append(&note).unwrap();
    store.append_label(&u1, Some("start")).unwrap();
    store.append_label(&a1, Some("gone")).unwrap();
    store.append_label(&a1, None).unwrap();
    store.append_session_info("  A\ttitle  of mine ").unwrap();
    let u2 = store.append(&prompt("Two")).unwrap();
    let a2 = store.append(&response("2")).unwrap();
    let summary = store.branch_summary_at(Some(&a1), "left").unwrap();
    let details = raw(r#"{"readFiles":[],"modifiedFiles":[]}"#);
    let summary = summary.with("fromHook", &true).unwrap().with("details", &details).unwrap();
    store.append_at(Some(&a1), &summary).unwrap();
    store.append_ttsr_injection(&["r1", "r2"]).unwrap();
    let u3 = store.append(&prompt("Three")).unwrap();
    store.append_compaction("S", Some(&u3), 99).unwrap();
    let compaction = NewEntry::compaction("T", None, 100)
        .and_then(|entry| entry.with("preserveData", &json!({"p": [1]})))
        .and_then(|entry| entry.with("fromHook", &true))
        .and_then(|entry| entry.with("details", &json!({"k": 1})))
        .and_then(|entry| entry.with("tokensAfter", &7))
        .and_then(|entry| entry.with("shortSummary", "short"));
    store.append(&compaction.unwrap()).unwrap();
    store.append(&NewEntry::reset_boundary()).unwrap();
    let tier = json!({"openai": "priority"});
    store.append(&NewEntry::service_tier(Some(&tier)).unwrap()).unwrap();
    store.append(&NewEntry::credential_pin("anthropic", &"ab".repeat(32)).unwrap()).unwrap();
    store.append_session_init("sys", "t", &["read"]).unwrap();
    let usage = NewEntry::model_usage("title", "test", ["p", "m"], &raw(USAGE), "stop").unwrap();
    store.append_at(Some(&u3), &usage).unwrap();
    store.branch(&a2).unwrap();
    store.append(&response("3")).unwrap();
    (store, u2)
}

#[test]
fn each_entry_and_the_title_are_written_as_omp_does() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, _) = written(folder.path());
    let path = store.path().unwrap().to_owned();
    assert_eq!(plain(&read(&path)), plain(&fixture("main")));
    assert_eq!(store.header().title.as_deref(), Some("A title of mine"));
    // A new title takes the place of the old one in the first line, and an entry tells of it.
    let before = read(&path);
    store.append_session_info("Another").unwrap();
    let after = read(&path);
    assert_eq!(plain(&after), plain(&fixture("titled")));
    assert!(after[256..].starts_with(&before[256..]), "nothing but the first line has changed");
    let entries: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
    drop(store);
    let mut store = SessionStore::open(&path).unwrap();
    assert_eq!((store.agent(), store.header().title.as_deref()), (Agent::Omp, Some("Another")));
    assert_eq!(store.ids_in_order().collect::<Vec<_>>(), entries);
    assert_eq!(store.session().unwrap().format(), Format::Omp);
    assert!(matches!(store.append_session_info(" \n"), Err(StoreError::EmptyTitle)));
    assert_eq!(read(&path), after);
}

#[test]
fn a_branch_is_a_file_of_its_own_as_omp_writes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut store, u2) = written(folder.path());
    store.append_session_info("Another").unwrap();
    let old = store.path().unwrap().to_owned();
    let before = read(&old);
    let path = store.create_branched_session(&u2).unwrap().unwrap();
    // omp leaves the parent of what was below a label dangling; here it is linked anew.
    let dangling = plain(&fixture("branch"));
    let text = plain(&read(&path));
    let differing: Vec<_> =
        text.lines().zip(dangling.lines()).filter(|(own, theirs)| own != theirs).collect();
    assert_eq!(differing.len(), 1, "{differing:#?}");
    assert!(differing[0].0.starts_with(r##"{"type":"title_change","id":"#11","parentId":"#10""##));
    assert_eq!(text.lines().count(), dangling.lines().count());
    assert_eq!(read(&old), before);
    assert_eq!(store.header().parent_session.as_deref(), old.to_str());
}

#[test]
fn a_branch_before_the_first_prompt_is_an_empty_session_with_the_title() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    let first = store.append(&prompt("One")).unwrap();
    store.append(&response("1")).unwrap();
    store.append_session_info("Another").unwrap();
    let Outcome::Done(branched) = store.fork_at_prompt(&first, &mut ()).unwrap() else { panic!() };
    assert_eq!(branched.text, "One");
    assert_eq!(plain(&read(branched.path.unwrap())), plain(&fixture("root")));
}

#[test]
fn omps_own_files_grow_by_whole_lines() {
    for name in ["omp-18-main", "omp-18-compact", "omp-18-edge", "omp-18-tree"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let text = fs::read(format!("tests/fixtures/samples/{name}.jsonl")).unwrap();
        fs::write(&path, &text).unwrap();
        let mut store = SessionStore::open(&path).unwrap();
        assert_eq!(store.agent(), Agent::Omp, "{name}");
        let first = store.children(None)[0].to_owned();
        let label = store.append_label(&first, Some("here")).unwrap();
        let longer = fs::read(&path).unwrap();
        assert!(longer.starts_with(&text), "{name}");
        let added = String::from_utf8(longer[text.len()..].to_vec()).unwrap();
        let line: Value = serde_json::from_str(added.trim()).unwrap();
        assert_eq!((&line["targetId"], &line["id"]), (&json!(first), &json!(label)), "{name}");
        // What the store says of the context is what is read from the file.
        let ids: Vec<String> = store.ids_in_order().map(str::to_owned).collect();
        for id in ids {
            store.branch(&id).unwrap();
            let session = store.session().unwrap();
            let again = leafpress::session::context::Facts::read(session);
            assert_eq!(store.context().unwrap(), again.context(session.index_of(&id)), "{name}");
        }
    }
}

#[test]
fn a_file_without_a_title_line_gets_one_with_its_first_title() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let header = r#"{"type":"session","version":3,"id":"s","title":"Old","titleSource":"auto","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#;
    let entry = r#"{"type":"mode_change","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","mode":"plan"}"#;
    for top in [
        "",
        "{\"type\":\"title\",\"v\":1,\"title\":\"Old\",\"updatedAt\":\"2026-01-01T00:00:00.000Z\",\"pad\":\"\"}\n",
    ] {
        let rest = format!("{header}\n{entry}\n");
        fs::write(&path, format!("{top}{rest}")).unwrap();
        let mut store = SessionStore::open(&path).unwrap();
        store.append_label("a", Some("x")).unwrap();
        assert!(read(&path).starts_with(&format!("{top}{rest}")), "a label only adds a line");
        store.append_session_info("New").unwrap();
        let last = store.assistant("1");
        let text = read(&path);
        assert_eq!(text.find('\n'), Some(255));
        assert!(text[..255].starts_with(r#"{"type":"title","v":1,"title":"New","source":"user""#));
        assert!(text[256..].starts_with(&rest));
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[4]["previousTitle"]), (6, &json!("Old")));
        assert!(matches!(SessionStore::open(&path), Err(StoreError::Locked(_))), "still locked");
        assert_eq!(store.label("a").unwrap().text, "x");
        drop(store);
        assert_eq!(SessionStore::open(&path).unwrap().leaf(), Some(last.as_str()));
    }
}

#[test]
fn a_long_title_fills_the_first_line_and_is_whole_in_its_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SessionStore::create_in(folder.path(), new()).unwrap();
    store.append(&response("1")).unwrap();
    for char in ["\"", "é", "\u{1f33f}", "x"] {
        let title = char.repeat(300);
        store.append_session_info(&title).unwrap();
        let text = read(store.path().unwrap());
        assert_eq!(text.find('\n'), Some(255), "{char}");
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["title"], title);
        let top: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert!(title.starts_with(top["title"].as_str().unwrap()) && top["title"] != "");
    }
}

#[test]
fn an_old_omp_file_is_upgraded_with_a_title_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let old = read("tests/fixtures/samples/omp-18-v2.jsonl");
    let old = old.replacen(r#""version":2"#, r#""version":2,"title":"Old""#, 1).into_bytes();
    fs::write(&path, &old).unwrap();
    let before = leafpress::read(old.clone()).unwrap();
    let migrated = migrate(&path).unwrap().unwrap();
    assert_eq!((migrated.entries, migrated.left_out), (before.len(), 0));
    assert_eq!(fs::read(&migrated.backup).unwrap(), old);
    let text = read(&path);
    assert_eq!(text.find('\n'), Some(255));
    let after = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!((after.format(), after.header().version), (Format::Omp, 3));
    assert_eq!(after.header().title.as_deref(), Some("Old"));
    for entry in after.indices() {
        assert_eq!(after.id(entry).unwrap(), before.id(entry).unwrap());
        assert_eq!(after.tree().parent(entry), before.tree().parent(entry));
    }
    assert_eq!(migrate(&path).unwrap(), None);
}

#[test]
fn a_file_of_a_newer_or_an_unknown_writer_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let top = |v: &str| {
        format!(
            r#"{{"type":"title","v":{v},"title":"x","updatedAt":"2026-01-01T00:00:00.000Z","pad":""}}"#
        )
    };
    let header = |fields: &str| {
        format!(
            r#"{{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"{fields}}}"#
        )
    };
    let refused = |top: String, header: String| {
        let text = format!("{top}\n{header}\n");
        fs::write(&path, &text).unwrap();
        let error = SessionStore::open(&path).unwrap_err();
        assert!(migrate(&path).is_err() && SessionStore::read_only(&path).is_err());
        assert_eq!(read(&path), text);
        error.to_string().replace(path.to_str().unwrap(), "s")
    };
    assert_eq!(
        refused(top("2"), header(r#","version":3"#)),
        "unsupported session `s`: its title line has version 2, newer than 1"
    );
    assert_eq!(
        refused(top("1"), header(r#","version":4"#)),
        "unsupported session `s`: its format version is 4, newer than 3"
    );
    fs::write(&path, format!("{}\n{}\n", top("1"), header(r#","version":3"#))).unwrap();
    let mut empty = SessionStore::read_only(&path).unwrap();
    empty.append_session_info("Named").unwrap();
    assert_eq!((empty.len(), empty.header().title.as_deref()), (1, Some("Named")));
    let unknown = refused(top("1"), header(r#","version":3,"writer":"other""#));
    assert_eq!(unknown, "unsupported session `s`: the program `other` wrote it");
}

#[test]
fn an_entry_that_the_agent_does_not_have_is_refused() {
    let mut omp = SessionStore::in_memory(new()).unwrap();
    let id = omp.assistant("1");
    let edit = NewEntry::context_edit(&id, None::<&&str>).unwrap();
    let refused = omp.append(&edit).unwrap_err();
    assert_eq!(refused.to_string(), "oh-my-pi has no entries of type `context_edit`");
    let mut pi = SessionStore::in_memory(NewSession::default()).unwrap();
    let refused = pi.append(&NewEntry::reset_boundary()).unwrap_err();
    assert_eq!(refused.to_string(), "pi has no entries of type `reset_boundary`");
    assert_eq!((omp.len(), pi.len()), (1, 0));
}

#[test]
fn what_is_taken_back_for_editing_in_omp() {
    let mut store = SessionStore::in_memory(new()).unwrap();
    store.append_message(&assistant("1")).unwrap();
    let skill = |by: &str| {
        NewEntry::custom_message("skill-prompt", &"Long text of the skill", true)
            .and_then(|entry| entry.with("attribution", by))
            .and_then(|entry| entry.with("details", &json!({"name": "tidy", "args": "src"})))
            .unwrap()
    };
    let called = store.append(&skill("user")).unwrap();
    let injected = store.append(&skill("agent")).unwrap();
    let note = store.append_custom_message("note", &"n", true).unwrap();
    let last = store.append(&prompt("Last")).unwrap();
    let text = |id: &str| store.plan_move(id).unwrap().editor_text;
    assert_eq!(text(&called).as_deref(), Some("/skill:tidy src"));
    assert_eq!((text(&injected), text(&note).as_deref()), (None, Some("n")));
    // A prompt without a response is taken back, too.
    let moved = store.navigate(&last, &leafpress::store::MoveOptions::default(), &mut ()).unwrap();
    assert!(matches!(moved, Outcome::Done(moved) if moved.editor_text.as_deref() == Some("Last")));
    assert_eq!(store.leaf(), Some(note.as_str()));
}

#[test]
fn a_task_is_a_session_in_the_folder_of_its_own_and_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.jsonl");
    let mut store = SessionStore::create(&path, new()).unwrap();
    store.append(&response("1")).unwrap();
    let mut child = store.start_task("t1", "Scout").unwrap();
    let scout = folder.path().join("main/Scout.jsonl");
    assert_eq!((child.path(), scout.exists()), (Some(scout.as_path()), true));
    child.append_session_init("sys", "map the bay", &["read"]).unwrap();
    let deeper = child.start_task("t2", "Helper").unwrap();
    let helper = folder.path().join("main/Scout/Helper.jsonl");
    assert_eq!(deeper.path(), Some(helper.as_path()));
    assert!(matches!(store.start_task("t3", "Scout"), Err(StoreError::Exists(_))));
    assert!(matches!(store.start_task("t3", "../x"), Err(StoreError::InvalidId(_))));
    // It is found as one that oh-my-pi started.
    let options = leafpress::format::ReadOptions::new().session(path.clone());
    let session = leafpress::format::read_with(fs::read(&path).unwrap(), None, &options).unwrap();
    let keys: Vec<&str> = session.sub_sessions().iter().map(|child| child.key.as_str()).collect();
    assert_eq!(keys, ["Scout", "Scout/Helper"]);
    // What is no session of its own stays.
    let log = folder.path().join("main/0.bash.log");
    fs::write(&log, "out").unwrap();
    let other = folder.path().join("main/Other.jsonl");
    fs::write(&other, fixture("root")).unwrap();
    assert!(matches!(delete_session_tree(&path), Err(StoreError::Locked(_))));
    drop((store, child, deeper));
    assert_eq!(delete_session_tree(&path).unwrap(), [helper, scout, path]);
    assert!(log.exists() && other.exists() && !folder.path().join("main/Scout").exists());
}
