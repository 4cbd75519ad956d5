//! Sub-agents and saved results: what is found beside a session, and what is refused.

use crate::session::EntryIndex;
use std::fs;
use std::path::Path;

use super::*;
use crate::format::translation::Translation;
use crate::session::{Body, Child, message};

fn line(id: &str, parent: Option<&str>, more: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"s",{more}}}"#) + "\n"
}

fn prompt(id: &str, text: &str) -> String {
    line(id, None, &format!(r#""isSidechain":true,"type":"user","message":{{"content":"{text}"}}"#))
}

fn call(id: &str, parent: &str, tool: &str, prompt: &str) -> String {
    let block = format!(
        r#"{{"type":"tool_use","id":"{tool}","name":"Task","input":{{"prompt":"{prompt}","description":"about {tool}","subagent_type":"Explore"}}}}"#
    );
    line(
        id,
        Some(parent),
        &format!(r#""type":"assistant","message":{{"id":"m-{id}","content":[{block}]}}"#),
    )
}

fn result(id: &str, parent: &str, tool: &str, left: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{tool}","content":"done"}}"#);
    line(
        id,
        Some(parent),
        &format!(r#""type":"user","message":{{"content":[{block}]}},"toolUseResult":{left}"#),
    )
}

fn named(agent: &str) -> String {
    format!(r#"{{"agentId":"{agent}"}}"#)
}

/// A main session that gives one task, `t1`, whose result names an agent.
fn main_session(agent: &str) -> String {
    line("u1", None, r#""type":"user","message":{"content":"go"}"#)
        + &call("u2", "u1", "t1", "look around")
        + &result("u3", "u2", "t1", &named(agent))
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Reads `s.jsonl` in the folder.
fn translate(folder: &Path) -> Translation {
    let session = folder.join("s.jsonl");
    let source = fs::read(&session).unwrap();
    agents::translate(
        &source,
        &ReadOptions { session: Some(session), ..ReadOptions::default() },
        Budget::default(),
    )
}

fn by_key<'t>(translation: &'t Translation, key: &str) -> &'t Child {
    translation.children().iter().find(|child| child.key == key).unwrap()
}

fn reason(child: &Child) -> &str {
    child.session.as_ref().unwrap_err()
}

fn notes(translation: Translation, folder: &Path) -> Vec<String> {
    let source = fs::read(folder.join("s.jsonl")).unwrap();
    translation.finish(source).unwrap().notes().to_vec()
}

#[test]
fn the_samples_agents_hang_from_their_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/samples/claude-code/projects/-home-ana-proj-datefmt");
    let read = |name: &str| {
        let session = folder.join(name);
        agents::translate(
            &fs::read(&session).unwrap(),
            &ReadOptions { session: Some(session), ..ReadOptions::default() },
            Budget::default(),
        )
    };
    let newer = read("7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl");
    let child = by_key(&newer, "a1b2c3d4");
    assert_eq!(child.agent.as_deref(), Some("Explore"));
    assert_eq!(child.task.as_deref(), Some("scan CI logs"));
    assert_eq!(child.started_by.as_deref(), Some("00000000-0000-4000-8000-000000000008"));
    assert_eq!(child.session.as_ref().unwrap().len(), 4);

    let older = read("11111111-2222-4333-8444-555555555555.jsonl");
    let child = &older.children()[0];
    assert_eq!(child.started_by.as_deref(), Some("00000000-0000-4000-8000-000000000207"));
    assert_eq!(child.session.as_ref().unwrap().len(), 4);
}

#[test]
fn agents_are_found_in_both_places_and_of_this_session_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.jsonl", &main_session("a1"));
    write(folder, "agent-a1.jsonl", &prompt("x1", "look around"));
    write(folder, "agent-a2.jsonl", &prompt("x2", "whoever asked"));
    write(folder, "agent-other.jsonl", &prompt("x3", "p").replace("\"s\"", "\"another\""));
    write(folder, "s/subagents/agent-a3.jsonl", &prompt("x4", "q"));
    write(folder, "s/subagents/agent-a3.meta.json", r#"{"agentType":"Plan","toolUseId":"gone"}"#);
    write(folder, "s/subagents/workflows/w1/agent-a4.jsonl", &prompt("x5", "r"));
    let translation = translate(folder);
    let mut keys: Vec<_> = translation.children().iter().map(|child| child.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["a1", "a2", "a3", "a4"]);
    assert_eq!(by_key(&translation, "a1").started_by.as_deref(), Some("u3"));
    assert_eq!(by_key(&translation, "a1").task.as_deref(), Some("about t1"));
    assert_eq!(by_key(&translation, "a3").agent.as_deref(), Some("Plan"));
    assert_eq!(by_key(&translation, "a3").started_by, None);
    assert!(notes(translation, folder).iter().any(|note| note.contains("who started 3 agents")));
}

#[test]
fn compressed_agents_are_read_once() {
    use std::io::Write as _;

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.jsonl", &main_session("a1"));
    write(folder, "s/subagents/agent-a2.jsonl", &prompt("x4", "q"));
    for (name, text) in [("a1", prompt("x1", "look around")), ("a2", prompt("x9", "again"))] {
        let path = folder.join(format!("s/subagents/agent-{name}.jsonl.gz"));
        let file = fs::File::create(path).unwrap();
        let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    let translation = translate(folder);
    let mut keys: Vec<_> = translation.children().iter().map(|child| child.key.as_str()).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["a1", "a2"]);
    assert_eq!(by_key(&translation, "a1").session.as_ref().unwrap().len(), 1);
    assert_eq!(
        by_key(&translation, "a2").session.as_ref().unwrap().id(EntryIndex::new(0)),
        Some("x4")
    );
    // What is no gzip in the end says so.
    fs::write(folder.join("s/subagents/agent-a1.jsonl.gz"), b"\x1f\x8b\x08 no").unwrap();
    let translation = translate(folder);
    assert!(reason(by_key(&translation, "a1")).contains("decompress"));
}

#[test]
fn an_agent_started_by_an_agent_is_its_child() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.jsonl", &main_session("a1"));
    let inner = prompt("x1", "look around")
        + &call("x2", "x1", "t2", "look closer")
        + &result("x3", "x2", "t2", "{}");
    write(folder, "s/subagents/agent-a1.jsonl", &inner);
    write(folder, "s/subagents/agent-a2.jsonl", &prompt("y1", "look closer"));
    let translation = translate(folder);
    let keys: Vec<_> = translation.children().iter().map(|child| child.key.as_str()).collect();
    assert_eq!(keys, ["a1"]);
    assert!(notes(translation, folder).is_empty());
}

#[test]
fn agents_that_start_each_other_or_themselves_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "s.jsonl", &main_session("a0"));
    for (own, other) in [("a1", "a2"), ("a2", "a1"), ("a3", "a3")] {
        let text = prompt(&format!("{own}-1"), "p")
            + &call(&format!("{own}-2"), &format!("{own}-1"), &format!("t-{own}"), "q")
            + &result(&format!("{own}-3"), &format!("{own}-2"), &format!("t-{own}"), &named(other));
        write(folder, &format!("s/subagents/agent-{own}.jsonl"), &text);
    }
    let translation = translate(folder);
    let keys: Vec<_> = translation.children().iter().map(|child| child.key.as_str()).collect();
    assert_eq!(keys.len(), 3, "a0, a3 and one of the two: {keys:?}");
    assert!(reason(by_key(&translation, "a0")).contains("not beside"));
    let notes = notes(translation, folder);
    assert_eq!(notes.iter().filter(|note| note.contains("each other")).count(), 2, "{notes:?}");
}

#[test]
fn without_a_place_nothing_is_looked_for() {
    let source = main_session("a1");
    let translation =
        agents::translate(source.as_bytes(), &ReadOptions::default(), Budget::default());
    assert!(reason(by_key(&translation, "a1")).contains("without a place"));
    assert_eq!(by_key(&translation, "a1").started_by.as_deref(), Some("u3"));
}

#[test]
fn damaged_agents_and_names_that_lead_away_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(outside.path(), "agent-x.jsonl", &prompt("x1", "secret"));
    let away = format!("../{}/x", outside.path().file_name().unwrap().to_str().unwrap());
    write(folder, "s.jsonl", &main_session(&away));
    write(folder, "s/subagents/agent-empty.jsonl", "");
    write(folder, "s/subagents/agent-broken.jsonl", "{\"uuid\":\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        outside.path().join("agent-x.jsonl"),
        folder.join("s/subagents/agent-link.jsonl"),
    )
    .unwrap();
    let translation = translate(folder);
    for key in ["empty", "broken", &away] {
        assert!(by_key(&translation, key).session.is_err(), "{key}");
    }
    #[cfg(unix)]
    assert!(reason(by_key(&translation, "link")).contains("refused"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_out_is_not_entered() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(outside.path(), "agent-x.jsonl", &prompt("x1", "secret"));
    write(folder, "s.jsonl", &main_session("x"));
    fs::create_dir(folder.join("s")).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.join("s/subagents")).unwrap();
    std::os::unix::fs::symlink("s", folder.join("s/tool-results")).unwrap();
    assert!(reason(by_key(&translate(folder), "x")).starts_with("refused"));
}

#[cfg(unix)]
#[test]
fn an_own_folder_that_is_a_link_is_not_entered() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // That of another session, beside this one.
    write(folder, "other/subagents/agent-x.jsonl", &prompt("x1", "secret"));
    write(folder, "s.jsonl", &main_session("x"));
    std::os::unix::fs::symlink("other", folder.join("s")).unwrap();
    assert!(reason(by_key(&translate(folder), "x")).starts_with("refused"));
}

#[test]
fn an_agents_own_file_is_a_session_and_its_siblings_are_not_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "agent-a1.jsonl", &prompt("x1", "p"));
    write(folder, "agent-a2.jsonl", &prompt("y1", "q"));
    let session = folder.join("agent-a1.jsonl");
    let source = fs::read(&session).unwrap();
    let translation = agents::translate(
        &source,
        &ReadOptions { session: Some(session), ..ReadOptions::default() },
        Budget::default(),
    );
    assert!(translation.children().is_empty());
    assert_eq!(translation.finish(source).unwrap().len(), 1);
}

#[test]
fn results_saved_beside_the_session_are_shown_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let saved = |name: &str| {
        format!("<persisted-output>\\nFull output saved to: /h/s/tool-results/{name}\\n\\nPreview")
    };
    let text = line("u1", None, r#""type":"user","message":{"content":"go"}"#)
        + &result("u2", "u1", "t1", "{}").replace("done", &saved("b1.txt"))
        + &result("u3", "u2", "t2", "{}").replace("done", &saved("../../s.jsonl"))
        + &result("u4", "u3", "t3", "{}").replace("done", &saved("gone.txt"));
    write(folder, "s.jsonl", &text);
    write(folder, "s/tool-results/b1.txt", "all of it");
    let session = translate(folder).finish(text.into_bytes()).unwrap();
    let read = |id: &str| match session.entry_at(session.index_of(id).unwrap()).body {
        Body::Message(message::Message::ToolResult(result)) => result,
        body => panic!("{body:?}"),
    };
    assert_eq!(message::joined_text(&read("u2").content, ""), "all of it");
    assert!(read("u2").details.is_some_and(|details| details.get("shortForm").is_some()));
    assert!(message::joined_text(&read("u3").content, "").ends_with("Preview"));
    let notes = session.notes();
    assert!(notes.iter().any(|note| note.contains("outside")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("gone.txt is not shown: not found")));
}
