//! Sessions within a session: in one tree with it, on nobody's path.

use leafpress::session::EntryIndex;
use std::path::PathBuf;

use leafpress::format::{ReadOptions, read_with};
use leafpress::render::Renderer;
use leafpress::report::SubSessionReport;
use leafpress::session::calls::Calls;
use leafpress::session::digest::Digest;
use leafpress::session::{Child, DamageKind};
use leafpress::{Filter, Session, report};
use serde_json::json;

use crate::conformance::families::{Case, Vectors, line};
use crate::support::session::{Log, fixture};

const CLAUDE: &str = "samples/claude-code/projects/-home-ana-proj-datefmt";

fn keys(session: &Session, entries: impl IntoIterator<Item = EntryIndex>) -> Vec<String> {
    entries.into_iter().map(|entry| session.key(entry).unwrap()).collect()
}

fn child(key: &str, started_by: Option<&str>, session: Session) -> Child {
    Child {
        key: key.to_owned(),
        agent: Some(key.to_owned()),
        task: Some(format!("what {key} does")),
        started_by: started_by.map(str::to_owned),
        session: Ok(Box::new(session)),
    }
}

fn missing(key: &str, started_by: &str) -> Child {
    Child {
        session: Err("not found".to_owned()),
        ..child(key, Some(started_by), Log::new().user("x").read())
    }
}

/// `1 ─ 2 ─ 3`, of which 2 started Scout, whose 2 started Helper.
fn nested() -> Session {
    let helper = Log::new().user("help").assistant("helped").read();
    let scout = Log::new().user("scout").assistant("scouted").user("more").read();
    let scout = scout.with_children(vec![child("Helper", Some("2"), helper)]);
    let main = Log::new().user("go").assistant("went").user("on").read();
    main.with_children(vec![child("Scout", Some("2"), scout)])
}

/// A file of the fixtures with what lies beside it.
fn read_beside(name: &str) -> Session {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let options = ReadOptions::new().session(path);
    read_with(fixture(name), None, &options).unwrap()
}

#[test]
fn document_order_puts_a_child_behind_the_entry_that_started_it() {
    let session = nested();
    assert_eq!(
        keys(&session, session.tree().order()),
        ["1", "2", "Scout/1", "Scout/2", "Scout/Helper/1", "Scout/Helper/2", "Scout/3", "3"]
    );
    assert_eq!(session.own_len(), 3);
    assert_eq!(session.key(session.leaf()).unwrap(), "3");
    let children: Vec<_> = session
        .sub_sessions()
        .iter()
        .map(|sub| (sub.key.as_str(), sub.parent, session.key(sub.started_by).unwrap(), sub.len))
        .collect();
    assert_eq!(
        children,
        [("Scout", 0, "2".to_owned(), 3), ("Scout/Helper", 1, "Scout/2".to_owned(), 2)]
    );
}

#[test]
fn every_key_names_its_entry() {
    let session = nested();
    for entry in session.indices() {
        assert_eq!(session.find(&session.key(entry).unwrap()), Some(entry));
    }
    assert_eq!(session.find("Scout"), None);
    assert_eq!(session.find("Scout/9"), None);
    let odd = Log::new().user("go").read();
    let odd = odd.with_children(vec![child("a b/c", None, Log::new().user("x").read())]);
    assert_eq!(keys(&odd, odd.tree().order()), ["1", "a%20b%2Fc/1"]);
    assert_eq!(odd.find("a%20b%2Fc/1"), Some(EntryIndex::new(1)));
}

#[test]
fn a_child_is_no_branch() {
    let session = nested();
    let tree = session.tree();
    assert_eq!(keys(&session, tree.leaves()), ["3"]);
    assert_eq!(tree.branch_points().count(), 0);
    assert_eq!(keys(&session, tree.roots()), ["1"]);
    let first = session.find("Scout/1").unwrap();
    assert_eq!((tree.parent(first), tree.depth(first), tree.branch(first).count), (None, 0, 1));
    let two = session.find("2").unwrap();
    assert_eq!(session.key(tree.newest_leaf_below(two)).unwrap(), "3");
    assert!(!tree.is_on_path(two, first));
}

#[test]
fn paths_and_contexts_begin_at_the_childs_own_root() {
    let session = nested();
    let leaf = session.find("Scout/2").unwrap();
    assert_eq!(keys(&session, session.tree().path(leaf)), ["Scout/1", "Scout/2"]);
    let context = report::context(&session, leaf).unwrap();
    let seen: Vec<_> = context.messages.iter().map(|message| message.entry_id.as_str()).collect();
    assert_eq!(seen, ["Scout/1", "Scout/2"]);
    let context = report::context(&session, session.leaf()).unwrap();
    assert_eq!(context.messages.len(), 3);
}

#[test]
fn ids_in_a_child_mean_its_own_entries() {
    let scout = Log::new().user("a").assistant("b").user("c").compaction("S", "3").user("d").read();
    let main = Log::new().user("go").assistant("went").user("on").read();
    let session = main.with_children(vec![child("Scout", Some("1"), scout)]);
    let context = report::context(&session, session.find("Scout/5").unwrap()).unwrap();
    let seen: Vec<_> = context.messages.iter().map(|message| message.entry_id.as_str()).collect();
    assert_eq!(seen, ["Scout/4", "Scout/3", "Scout/5"]);
}

#[test]
fn calls_of_one_session_are_not_answered_in_another() {
    let calling = |id: &str| json!({"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read", "arguments": {}}], "stopReason": "toolUse"});
    let result = |id: &str| json!({"role": "toolResult", "toolCallId": id, "toolName": "read", "content": [], "isError": false});
    let work = |id: &str| Log::new().message(calling(id)).message(result(id)).read();
    let session = work("t").with_children(vec![
        child("A", Some("1"), work("t")),
        child("B", Some("1"), Log::new().message(result("t")).read()),
    ]);
    let calls = Calls::read(&session);
    let call_of = |key: &str| {
        let call = calls.call_of(session.find(key).unwrap());
        call.map(|place| session.key(place.entry).unwrap())
    };
    assert_eq!(call_of("2").as_deref(), Some("1"));
    assert_eq!(call_of("A/2").as_deref(), Some("A/1"));
    assert_eq!(call_of("B/1"), None);
}

#[test]
fn what_is_not_there_is_an_entry_that_says_why() {
    let main = Log::new().user("go").assistant("went").read();
    let session = main.with_children(vec![missing("Gone", "1")]);
    let entry = session.find("Gone/missing").unwrap();
    let text = session.raw(entry).unwrap();
    assert!(text.contains(r#""customType":"sub-session""#) && text.contains("not found"), "{text}");
    assert_eq!(keys(&session, session.tree().order()), ["1", "Gone/missing", "2"]);
    assert_eq!(session.sub_sessions()[0].missing.as_deref(), Some("not found"));
    assert_eq!(session.sub_sessions()[0].state(&session), "missing");
}

#[test]
fn a_child_hangs_from_the_first_root_where_nothing_says_who_started_it() {
    for started_by in [None, Some("nobody")] {
        let main = Log::new().user("go").assistant("went").read();
        let scout = Log::new().user("x").read();
        let session = main.with_children(vec![child("S", started_by, scout)]);
        assert_eq!(keys(&session, session.tree().order()), ["1", "S/1", "2"]);
    }
}

#[test]
fn the_same_child_is_stored_once() {
    let scout = || Log::new().user("x").read();
    let main = Log::new().user("go").assistant("went").read();
    let session = main.with_children(vec![
        child("S", Some("1"), scout()),
        child("S", Some("2"), scout()),
        child("S", Some("2"), Log::new().user("other").read()),
    ]);
    assert_eq!(keys(&session, session.tree().order()), ["1", "S/1", "2", "S~2/1"]);
}

#[test]
fn a_child_has_its_own_file_lines_and_damage() {
    let log = Log::new().user("x").line("bad").user("y");
    let main = Log::new().user("go").read();
    let session = main.with_children(vec![child("S", None, log.read())]);
    let entry = session.find("S/2").unwrap();
    assert_eq!(session.line(entry), 4);
    assert_eq!(session.sub_sessions()[0].source(), log.text().as_bytes());
    assert_eq!(Some(session.raw(entry).unwrap()), log.text().lines().nth(3));
    assert!(session.damage().is_empty());
    assert_eq!(session.sub_sessions()[0].damage()[0].kind, DamageKind::NotJson);
}

#[test]
fn a_chain_of_children_is_no_recursion() {
    let mut session = Log::new().user("deepest").read();
    for _ in 0..200 {
        session = Log::new().user("x").read().with_children(vec![child("S", Some("1"), session)]);
    }
    assert_eq!(session.sub_sessions().len(), 200);
    assert_eq!(session.tree().order().count(), 201);
    assert_eq!(session.key(EntryIndex::new(200)).unwrap(), format!("{}1", "S/".repeat(200)));
}

#[test]
fn rows_are_the_sessions_own() {
    let session = nested();
    let tree = report::tree(&session, session.leaf(), Filter::Default, None).unwrap();
    assert_eq!((tree.shown, tree.total), (3, 3));
    let json = json!(tree);
    assert_eq!(json["subSessions"][0]["id"], "Scout");
    assert_eq!(json["subSessions"][0]["agent"], "Scout");
    assert_eq!(json["subSessions"][0]["task"], "what Scout does");
    assert_eq!(json["subSessions"][0]["startedBy"], "2");
    assert_eq!(json["subSessions"][0]["rows"][2]["id"], "Scout/3");
    assert_eq!(json["subSessions"][1]["startedBy"], "Scout/2");
    let within =
        report::tree(&session, session.find("Scout/2").unwrap(), Filter::Default, None).unwrap();
    assert_eq!((within.rows.len(), within.total), (3, 3));
    assert!(within.sub_sessions.iter().all(|sub| sub.id != "Scout"));
    let plain = Log::new().user("go").read();
    let plain = report::tree(&plain, plain.leaf(), Filter::Default, None).unwrap();
    assert_eq!(json!(plain).get("subSessions"), None);
}

#[test]
fn a_search_goes_through_children_too() {
    let session = nested();
    let tree = report::tree(&session, session.leaf(), Filter::Default, Some("helped")).unwrap();
    assert_eq!(tree.shown, 0);
    let found: Vec<_> = tree.sub_sessions.iter().map(|sub| sub.shown).collect();
    assert_eq!(found, [0, 1]);
}

/// The rows of the session that holds the leaf, with those of the sessions that it started.
fn rows_of(case: &Case, session: &Session) -> Vec<String> {
    let outer = |key: &str| key.rsplit_once('/').map_or("", |(outer, _)| outer).to_owned();
    let leaf = session.find(&case.leaf).unwrap();
    let shown = session.tree().session_of(leaf).checked_sub(1);
    let shown = shown.map_or("", |nth| &session.sub_sessions()[nth].key);
    let tree = report::tree(session, leaf, case.filter(), Some(&case.query)).unwrap();
    let started: Vec<&SubSessionReport> =
        tree.sub_sessions.iter().filter(|sub| sub.has_row && outer(&sub.id) == shown).collect();
    let first = |sub: &SubSessionReport| {
        let mut children = session.sub_sessions().iter();
        session.key(children.find(|child| child.key == sub.id).unwrap().first).unwrap()
    };
    let below = |row: Option<&str>, depth| {
        let here = started.iter().filter(|sub| sub.below.as_deref() == row);
        here.map(|sub| line(depth, true, &first(sub))).collect::<Vec<_>>()
    };
    let mut rows = below(None, 0);
    for row in &tree.rows {
        rows.push(line(row.depth, false, &row.id));
        rows.extend(below(Some(&row.id), row.depth + 1));
    }
    rows
}

#[test]
fn rows_are_as_the_vectors_say() {
    let vectors: Vectors = serde_json::from_slice(&fixture("vectors/sub-sessions.json")).unwrap();
    for case in &vectors.cases {
        let rows = rows_of(case, &vectors.session(&case.session));
        let place = format!("{} at {}, {:?}", case.session, case.leaf, case.filter());
        assert_eq!(rows, case.rows, "{place}, {:?}: {}", case.query, case.note);
    }
    assert!(vectors.cases.len() >= 15);
}

#[test]
fn the_entry_that_started_a_child_links_to_it() {
    let session = nested();
    let digest = Digest::read(&session);
    let mut renderer = Renderer::new(&session, &digest);
    let placement = leafpress::render::Placement { state: None, leaf: EntryIndex::new(1) };
    let html = renderer.article(EntryIndex::new(1), placement).as_str().to_owned();
    assert!(html.contains("href=\"#entry-Scout/1\""), "{html}");
    assert!(
        html.contains(">done · 2.0s</span>") && html.contains(">Open 3 entries →</a>"),
        "{html}"
    );
    assert!(!renderer.article(EntryIndex::new(0), placement).as_str().contains("sub-session"));
}

#[test]
fn flue_task_sessions_hang_from_the_results_of_their_calls() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.json");
    for (name, file) in [("main.json", "session-v3.json"), ("task.json", "task-session-v3.json")] {
        std::fs::write(folder.path().join(name), fixture(&format!("samples/flue/{file}"))).unwrap();
    }
    let read = |without_children| {
        let options = ReadOptions::new().session(main.clone()).without_children(without_children);
        read_with(std::fs::read(&main).unwrap(), None, &options).unwrap()
    };
    let session = read(false);
    let [sub] = session.sub_sessions() else { panic!("one child") };
    assert_eq!((sub.key.as_str(), sub.len), ("8d0c6b1e", 2));
    assert_eq!(session.key(sub.started_by).unwrap(), "f1000003");
    assert_eq!(session.key(sub.leaf).unwrap(), "8d0c6b1e/f2000002");
    let order = keys(&session, session.tree().order());
    let at = order.iter().position(|key| key == "f1000003").unwrap();
    assert_eq!(order[at + 1..at + 3], ["8d0c6b1e/f2000001", "8d0c6b1e/f2000002"]);
    assert!(read(true).sub_sessions().is_empty());
}

#[test]
fn claude_codes_agents_hang_from_the_results_of_their_calls() {
    let name = format!("{CLAUDE}/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl");
    let session = read_beside(&name);
    let [sub] = session.sub_sessions() else { panic!("one child") };
    assert_eq!((sub.name(), sub.len), ("Explore", 4));
    assert_eq!(sub.key, "a1b2c3d4");
    let order: Vec<EntryIndex> = session.tree().order().collect();
    let starter = session.tree().position(sub.started_by).unwrap();
    assert_eq!(order[starter + 1], sub.first);
    let inline = read_beside(&format!("{CLAUDE}/11111111-2222-4333-8444-555555555555.jsonl"));
    assert_eq!((inline.sub_sessions().len(), inline.sub_sessions()[0].len), (1, 4));
}
