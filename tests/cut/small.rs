//! Single rules on sessions of a few lines, and every fixture with every flag.

use leafpress::session::EntryIndex;
use std::path::{Path, PathBuf};

use leafpress::Session;
use leafpress::cut::{Cut, cut};
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::{Child, Format, Kind};
use serde_json::{Value, json};

use crate::cut::cases::{assert_gone, assert_opens_again, cut_with, page};
use crate::support::inflated::everything;

/// A session whose entries are named by their parents and the rest.
fn session(entries: &[(&str, Option<&str>, Value)]) -> Session {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"});
    let mut lines = vec![header.to_string()];
    for (id, parent, entry) in entries {
        let mut entry = entry.clone();
        entry["id"] = json!(id);
        entry["parentId"] = json!(parent);
        lines.push(entry.to_string());
    }
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn user(text: &str) -> Value {
    json!({"type": "message", "message": {"role": "user", "content": text}})
}

fn thinks(text: &str) -> Value {
    json!({"type": "message", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": text}]}})
}

fn compaction(text: &str) -> Value {
    json!({"type": "compaction", "summary": text, "firstKeptEntryId": "none", "details": {"readFiles": ["x"]}})
}

fn left(from: &str, text: &str) -> Value {
    json!({"type": "branch_summary", "fromId": from, "summary": text})
}

#[test]
fn a_summary_stays_where_all_that_it_sums_up_stays() {
    let read = || {
        session(&[
            ("u", None, user("first")),
            ("b", Some("u"), user("branch")),
            ("c", Some("u"), compaction("Qzxmarkwhole")),
            ("t", Some("c"), thinks("Qzxmarkthought")),
            ("d", Some("t"), compaction("Qzxmarkpart")),
            ("e", Some("d"), user("Qzxmarklast")),
        ])
    };
    assert_gone("thinking", read, |_, cut| cut.without_thinking = true, &["thought", "part"]);
    let branch = |session: &Session, cut: &mut Cut| cut.branch = session.find("e");
    assert_gone("a branch beside is in no compaction", read, branch, &[]);
}

#[test]
fn a_branch_s_summary_goes_with_any_of_the_branch_and_takes_others_along() {
    let read = || {
        session(&[
            ("u", None, user("first")),
            ("a", Some("u"), thinks("Qzxmarkthought")),
            ("s", Some("u"), left("a", "Qzxmarkinner")),
            ("v", Some("s"), user("second")),
            ("w", Some("u"), left("v", "Qzxmarkouter")),
            ("x", Some("w"), user("third")),
            ("y", Some("w"), left("x", "Qzxmarkwhole")),
            ("z", Some("y"), compaction("Qzxmarksummary")),
        ])
    };
    let gone = ["thought", "inner", "outer", "summary"];
    assert_gone("thinking", read, |_, cut| cut.without_thinking = true, &gone);
    // Where it was made does not say what it is of: it may be of anything.
    let unknown = || {
        session(&[
            ("a", None, thinks("Qzxmarkthought")),
            ("s", Some("a"), left("a", "Qzxmarkinner")),
        ])
    };
    assert_gone("unknown", unknown, |_, cut| cut.without_thinking = true, &["thought", "inner"]);
}

#[test]
fn a_branch_s_summary_goes_where_a_compaction_in_the_branch_did() {
    let read = || {
        session(&[
            ("t", None, thinks("Qzxmarkthought")),
            ("c", Some("t"), user("fork")),
            ("k", Some("c"), compaction("Qzxmarksummary")),
            ("l", Some("k"), user("left")),
            ("s", Some("c"), left("l", "Qzxmarkbranch")),
        ])
    };
    assert_gone(
        "thinking",
        read,
        |_, cut| cut.without_thinking = true,
        &["thought", "summary", "branch"],
    );
}

#[test]
fn history_in_a_form_of_the_provider_s_goes_with_any_kind_of_content() {
    let read = || {
        let kept = json!({"type": "compaction", "summary": "Qzxmarksummary", "firstKeptEntryId": "none",
            "preserveData": {"sealed": "Qzxmarksealed"}});
        session(&[
            ("u", None, user("first")),
            ("c", Some("u"), kept),
            ("v", Some("c"), user("second")),
        ])
    };
    let flags: [fn(&Session, &mut Cut); 4] = [
        |_, cut| cut.without_thinking = true,
        |_, cut| cut.without_tool_output = true,
        |_, cut| cut.without_images = true,
        |_, cut| cut.without_system = true,
    ];
    for set in flags {
        assert_gone("sealed", read, set, &["sealed"]);
    }
    assert_gone("another cut", read, |session, cut| cut.branch = session.find("v"), &[]);
}

#[test]
fn what_an_agent_was_asked_goes_with_the_call() {
    let read = || {
        let call = json!({"type": "message", "message": {"role": "assistant", "content": [
            {"type": "toolCall", "id": "c", "name": "task", "arguments": {"prompt": "Qzxmarkprompt"}}]}});
        let result = json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "c", "content": "done"}});
        let main =
            session(&[("u", None, user("go")), ("a", Some("u"), call), ("r", Some("a"), result)]);
        let child = Child {
            key: "Scout".to_owned(),
            agent: Some("Qzxmarkagent".to_owned()),
            task: Some("Qzxmarktask".to_owned()),
            started_by: Some("r".to_owned()),
            session: Ok(Box::new(session(&[("x", None, user("Qzxmarkchild"))]))),
        };
        main.with_children(vec![child])
    };
    let set = |session: &Session, cut: &mut Cut| cut.from = session.find("r");
    assert_gone("from", read, set, &["prompt", "agent", "task"]);
    let set = |_: &Session, cut: &mut Cut| cut.only = Some(vec![Kind::ToolResult, Kind::User]);
    assert_gone("only", read, set, &["prompt", "agent", "task"]);
    let set = |session: &Session, cut: &mut Cut| cut.from = session.find("a");
    assert_gone("from the call", read, set, &[]);
}

#[test]
fn a_key_that_stands_twice_hides_nothing() {
    let line = |id: &str, content: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":null,\"message\":{{\"role\":\"toolResult\",\
             \"toolName\":\"bash\",{content}}}}}"
        )
    };
    let lines = [
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}".to_owned(),
        line("a", "\"content\":[{\"type\":\"text\",\"text\":\"GONE1\"}],\"content\":[]"),
        line("c", "\"content\":[],\"content\":[{\"type\":\"text\",\"text\":\"GONE4\"}]"),
        line("b", "\"content\":[{\"type\":\"text\",\"text\":\"GONE2\",\"text\":\"GONE3\"}]"),
    ];
    let whole = leafpress::read(lines.join("\n").into_bytes()).unwrap();
    let cut = cut_with(whole, |_, cut| cut.without_tool_output = true);
    let left = everything(&page(&cut));
    assert!(!left.contains("GONE") && left.contains("Output not included"));
}

#[test]
fn a_stub_and_what_was_lost_say_so_in_the_page() {
    let whole = session(&[
        ("u", None, user("first")),
        ("t", Some("u"), thinks("x")),
        ("v", Some("t"), user("second")),
    ]);
    let cut = cut_with(whole, |session, cut| {
        cut.to = session.find("t");
        cut.without_thinking = true;
    });
    let page = everything(&page(&cut));
    assert!(page.contains("This entry was not included when the page was made (after the shared part). A link to it ends here."));
    assert!(page.contains("Thinking not included"));
    assert!(page.contains("<dd>1 of 3 entries, 1 part of thinking"), "in the head");
}

#[test]
fn the_head_counts_removed_entries_of_the_path_alone() {
    let label = |id: &str| json!({"type": "label", "targetId": id, "label": "x"});
    let whole = session(&[
        ("u", None, user("first")),
        ("l1", Some("u"), label("u")),
        ("l2", Some("l1"), label("u")),
        ("v", Some("l2"), user("second")),
        // A branch that parts within what is removed.
        ("b1", Some("l1"), label("u")),
        ("b2", Some("b1"), user("third")),
        ("w", Some("v"), user("fourth")),
    ]);
    let cut = cut_with(whole, |_, cut| cut.only = Some(vec![Kind::User]));
    let page = page(&cut);
    assert!(page.contains(
        "<dt>Not included</dt><dd>3 of 7 entries \
         <span class=\"on-path-figure\">2 of 5 entries on this branch</span>"
    ));
}

#[test]
fn what_was_removed_is_no_branch() {
    let whole = || {
        session(&[
            ("u", None, user("first")),
            ("x", Some("u"), user("left")),
            ("y", Some("x"), user("left too")),
            ("v", Some("u"), user("second")),
            ("w", Some("v"), thinks("x")),
            ("z", Some("v"), thinks("y")),
        ])
    };
    let branches = |session: &Session| {
        let report = leafpress::report::branches(session);
        assert_eq!(report.total, report.branches.len());
        report.branches.into_iter().map(|branch| branch.id).collect::<Vec<_>>()
    };
    let names = |session: &Session| page(session).matches("<dt>Branches</dt>").count();
    assert_eq!((branches(&whole()).len(), names(&whole())), (3, 1));
    let active = cut_with(whole(), |_, cut| cut.active_only = true);
    assert_eq!((branches(&active), names(&active)), (vec!["z".to_owned()], 0));
    // What ends in removed entries is a branch all the same.
    let prompts = cut_with(whole(), |_, cut| cut.only = Some(vec![Kind::User]));
    assert_eq!(branches(&prompts), ["z", "y"]);
    assert!(page(&prompts).contains("<dt>Branches</dt><dd>2</dd>"));
}

#[test]
fn a_cut_keeps_what_is_known_of_the_file_and_of_the_path() {
    let level = |level: &str| json!({"type": "thinking_level_change", "thinkingLevel": level});
    let whole = || {
        let lines = [
            r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#.to_owned(),
            user_line("u", "null"),
            "no JSON".to_owned(),
            level_line("t", "\"u\"", level("high")),
            user_line("v", "\"t\""),
            // Another branch, with a level of its own.
            level_line("o", "\"t\"", level("low")),
            user_line("p", "\"o\""),
            user_line("w", "\"v\""),
        ];
        leafpress::read(lines.join("\n").into_bytes()).unwrap()
    };
    let at = |session: &Session, id| {
        leafpress::report::context(session, session.find(id).unwrap()).unwrap().thinking_level
    };
    for set in [
        (|_: &Session, cut: &mut Cut| cut.only = Some(vec![Kind::User])) as fn(&Session, &mut Cut),
        |session, cut| cut.from = session.find("v"),
    ] {
        let session = cut_with(whole(), set);
        assert_eq!(session.damage(), whole().damage());
        assert!(page(&session).contains("1 line of this file could not be read"));
        assert_eq!(at(&session, "w"), "high");
        let again = leafpress::read(session.source().to_vec()).unwrap();
        assert_eq!(at(&again, "w"), "high");
        // A second cut takes the first one's stub along.
        let again = cut_with(session, |session, cut| cut.from = session.find("w"));
        assert_eq!(at(&again, "w"), "high");
        assert_eq!(again.damage(), whole().damage());
    }
    let session = cut_with(whole(), |_, cut| cut.only = Some(vec![Kind::User]));
    assert_eq!(at(&session, "p"), "low");
}

fn user_line(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"user","content":"{id}"}}}}"#
    )
}

fn level_line(id: &str, parent: &str, mut entry: Value) -> String {
    entry["id"] = json!(id);
    entry["parentId"] = serde_json::from_str(parent).unwrap();
    entry.to_string()
}

/// Every session below a folder.
fn sessions(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "jsonl" || ending == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_fixture_opens_again_after_every_cut() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut formats = std::collections::BTreeSet::new();
    for path in sessions(&root.join("tests/fixtures")) {
        let source = std::fs::read(&path).unwrap();
        let options = ReadOptions::new().session(path.clone());
        let Ok(whole) = read_with(source.clone(), None, &options) else { continue };
        formats.insert(whole.format().name());
        let flags: [fn(&Session, &mut Cut); 6] = [
            |_, cut| cut.active_only = true,
            |_, cut| cut.without_thinking = true,
            |_, cut| cut.without_tool_output = true,
            |_, cut| cut.without_images = true,
            |_, cut| cut.without_system = true,
            |session, cut| cut.branch = Some(EntryIndex::new(session.own_len() / 2)),
        ];
        for (nth, set) in flags.into_iter().enumerate() {
            let mut parts = Cut::default();
            set(&whole, &mut parts);
            let session = read_with(source.clone(), None, &options).unwrap();
            let session = cut(session, &parts).unwrap();
            assert_opens_again(&format!("{} with flag {nth}", path.display()), &session);
            for entry in whole.own_indices() {
                assert!(session.find(&whole.key(entry).unwrap()).is_some(), "{}", path.display());
            }
        }
    }
    assert_eq!(formats.len(), Format::ALL.len(), "{formats:?}");
}
