//! Every flag on a session of pi's.

use leafpress::cut::Cut;
use leafpress::session::EntryIndex;
use leafpress::session::Kind;
use leafpress::{Filter, Session, report};
use serde_json::{Value, json};

use crate::cut::cases::{assert_gone, markers, page};
use crate::support::inflated::everything;

/// Base64 that looks like a PNG, with a marker in it.
fn png(marker: &str) -> String {
    format!("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAQzxmark{marker}9mZ")
}

fn image(marker: &str) -> Value {
    json!({"type": "image", "data": png(marker), "mimeType": "image/png"})
}

/// Id, parent and the rest of each entry.
#[expect(clippy::too_many_lines, reason = "a table")]
fn entries() -> Vec<(&'static str, Option<&'static str>, Value)> {
    let message = |message: Value| json!({"type": "message", "message": message});
    let user =
        |text: &str| json!({"type": "message", "message": {"role": "user", "content": text}});
    let says = |text: &str| {
        json!({"type": "message", "message": {"role": "assistant", "provider": "p", "model": "m",
            "stopReason": "stop", "content": [{"type": "text", "text": text}]}})
    };
    vec![
        (
            "sys",
            None,
            message(
                json!({"role": "system", "content": "Qzxmarksys", "sections": {"a": "Qzxmarksection"},
            "toolsAdded": [{"name": "read", "description": "Qzxmarktool", "parameters": {}}]}),
            ),
        ),
        (
            "u1",
            Some("sys"),
            message(json!({"role": "user", "content": [
            {"type": "text", "text": format!("Qzxmarkfirst ![p](data:image/png;base64,{}) <system-reminder>Qzxmarkreminder</system-reminder>", png("inline"))},
            image("image")]})),
        ),
        (
            "a1",
            Some("u1"),
            message(
                json!({"role": "assistant", "provider": "p", "model": "m", "stopReason": "toolUse",
            "reasoningText": "Qzxmarkreasoningfield",
            "content": [{"type": "thinking", "thinking": "Qzxmarkthinking", "thinkingSignature": "Qzxmarksignature"},
                {"type": "redactedThinking", "data": "Qzxmarkredacted"},
                {"type": "text", "text": "Qzxmarkanswer", "textSignature": "Qzxmarktextsignature"},
                {"type": "mystery", "payload": "Qzxmarkblock"},
                {"type": "anthropicServerTool", "block": {"type": "server_tool_use", "id": "s", "name": "search", "input": {"q": "Qzxmarkserverquery"}}},
                {"type": "anthropicServerTool", "block": {"type": "web_search_tool_result", "content": "Qzxmarkserverresult"}},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "Qzxmarkargument"}},
                {"type": "toolCall", "id": "c2", "name": "think", "arguments": {"thought": "Qzxmarkthought"}}]}),
            ),
        ),
        ("ux", Some("a1"), user("Qzxmarkbranchprompt")),
        (
            "lx",
            Some("ux"),
            json!({"type": "label", "targetId": "u1", "label": "Qzxmarklabelonbranch"}),
        ),
        ("nx", Some("lx"), json!({"type": "session_info", "name": "Qzxmarknameonbranch"})),
        ("ax", Some("nx"), says("Qzxmarkbranchanswer")),
        (
            "r1",
            Some("a1"),
            message(json!({"role": "toolResult", "toolCallId": "c1", "toolName": "read",
            "content": [{"type": "text", "text": "Qzxmarkoutput"}, image("resultimage")],
            "details": {"diff": "Qzxmarkdetails", "images": [png("detailimage")], "messages": [{"type": "thinking", "thinking": "Qzxmarkinnerthinking"}]},
            "nestedCalls": {"complete": true, "calls": [{"name": "x", "result": "Qzxmarknested"}]}, "raw": "Qzxmarkresultfield"})),
        ),
        (
            "b1",
            Some("r1"),
            message(
                json!({"role": "bashExecution", "command": "Qzxmarkcommand", "output": "Qzxmarkbashoutput",
            "exitCode": 0, "truncated": true, "fullOutputPath": "/tmp/Qzxmarkfullpath"}),
            ),
        ),
        (
            "bs",
            Some("b1"),
            json!({"type": "branch_summary", "summary": "Qzxmarkbranchsummary", "fromId": "ax",
            "details": {"readFiles": ["Qzxmarkbranchfile"]}}),
        ),
        (
            "lb",
            Some("bs"),
            json!({"type": "label", "targetId": "ux", "label": "Qzxmarklabelofbranch"}),
        ),
        ("lu", Some("lb"), json!({"type": "label", "targetId": "u2", "label": "Qzxmarklabelkept"})),
        (
            "ce",
            Some("lu"),
            json!({"type": "context_edit", "targetId": "r1", "replacement": {"content": [{"type": "text", "text": "Qzxmarkreplacement"}]}}),
        ),
        (
            "st",
            Some("ce"),
            json!({"type": "custom", "customType": "ext", "data": {"copy": "Qzxmarkstate", "shot": png("stateimage")}}),
        ),
        (
            "cm",
            Some("st"),
            json!({"type": "custom_message", "customType": "bell", "content": "Qzxmarkextension", "display": true, "details": {"x": "Qzxmarkextdetails"}}),
        ),
        (
            "hm",
            Some("cm"),
            json!({"type": "custom_message", "customType": "reminder", "content": "Qzxmarkhidden", "display": false}),
        ),
        (
            "un",
            Some("hm"),
            json!({"type": "novelty", "payload": {"Qzxmarkunknownkey": "Qzxmarkunknown"}}),
        ),
        (
            "cp",
            Some("un"),
            json!({"type": "compaction", "summary": "Qzxmarksummary", "firstKeptEntryId": "cm", "tokensBefore": 10,
            "systemMessage": {"role": "system", "content": "Qzxmarksystemagain"}, "details": {"readFiles": ["Qzxmarkreadfile"]},
            "preserveData": {"x": "Qzxmarkpreserved"}}),
        ),
        ("u2", Some("cp"), user("Qzxmarksecond")),
        (
            "a2",
            Some("u2"),
            message(
                json!({"role": "assistant", "provider": "p", "model": "m", "stopReason": "error",
            "errorMessage": "Qzxmarkerror", "content": []}),
            ),
        ),
        ("u3", Some("a2"), user("Qzxmarkthird")),
        ("un2", Some("u3"), says("Qzxmarklast")),
    ]
}

fn file() -> String {
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": "/w", "timestamp": "2026-01-01T00:00:00.000Z"});
    let mut lines = vec![header.to_string()];
    for (nth, (id, parent, mut entry)) in entries().into_iter().enumerate() {
        entry["id"] = json!(id);
        entry["parentId"] = json!(parent);
        entry["timestamp"] = json!(format!("2026-01-01T00:00:{nth:02}.000Z"));
        lines.push(entry.to_string());
    }
    lines.join("\n") + "\n"
}

fn read() -> Session {
    leafpress::read(file().into_bytes()).unwrap()
}

/// What only the abandoned branch holds, and what tells of it.
const BRANCH: [&str; 6] = [
    "branchprompt",
    "labelonbranch",
    "nameonbranch",
    "branchanswer",
    "branchsummary",
    "branchfile",
];

/// The label of an entry of the branch, which is not among the branch's entries.
const OF_BRANCH: &str = "labelofbranch";

/// What tells of the way to the compaction.
const SUMMARY: [&str; 3] = ["summary", "readfile", "preserved"];

/// All markers but these.
fn all_but(kept: &[&[&'static str]]) -> Vec<&'static str> {
    let kept = list(kept);
    let all = markers(&everything(&page(&read())));
    let gone = all.into_iter().filter(|marker| !kept.contains(&marker.as_str()));
    gone.map(|marker| &*marker.leak()).collect()
}

/// The text of a row under a filter.
fn row(session: &Session, id: &str, filter: Filter) -> Option<String> {
    let rows = report::tree(session, session.leaf(), filter, None).unwrap().rows;
    rows.into_iter().find(|row| row.id == id).map(|row| row.text)
}

fn list(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[test]
fn thinking() {
    let gone = list(&[
        &[
            "thinking",
            "signature",
            "redacted",
            "textsignature",
            "thought",
            "innerthinking",
            "reasoningfield",
        ],
        // Nobody knows what these hold.
        &[
            "block",
            "state",
            "stateimage",
            "unknown",
            "unknownkey",
            "extdetails",
            "error",
            "resultfield",
        ],
        &SUMMARY,
        &["branchsummary", "branchfile"],
    ]);
    assert_gone("no thinking", read, |_, cut| cut.without_thinking = true, &gone);
}

#[test]
fn tool_output() {
    let gone = list(&[
        &[
            "output",
            "resultimage",
            "details",
            "detailimage",
            "innerthinking",
            "nested",
            "resultfield",
        ],
        &["bashoutput", "fullpath", "replacement", "serverresult", "hidden"],
        &[
            "block",
            "state",
            "stateimage",
            "unknown",
            "unknownkey",
            "extdetails",
            "error",
            "reasoningfield",
        ],
        &SUMMARY,
        &["branchsummary", "branchfile"],
    ]);
    assert_gone("no tool output", read, |_, cut| cut.without_tool_output = true, &gone);
}

#[test]
fn images() {
    let gone = list(&[
        &["inline", "image", "resultimage", "detailimage", "stateimage"],
        &SUMMARY,
        &["branchsummary", "branchfile"],
    ]);
    assert_gone("no images", read, |_, cut| cut.without_images = true, &gone);
}

#[test]
fn system() {
    let gone = list(&[
        &["sys", "section", "tool", "systemagain", "reminder", "hidden", "replacement"],
        &[
            "block",
            "state",
            "stateimage",
            "unknown",
            "unknownkey",
            "extdetails",
            "error",
            "reasoningfield",
            "resultfield",
        ],
        &SUMMARY,
        &["branchsummary", "branchfile"],
    ]);
    assert_gone("no system", read, |_, cut| cut.without_system = true, &gone);
}

#[test]
fn active_only_and_the_branch_of_the_last_entry() {
    // The compaction sums up the branch's summary among the rest.
    let gone = list(&[&BRANCH, &[OF_BRANCH], &SUMMARY]);
    for set in [
        (|_: &Session, cut: &mut Cut| cut.active_only = true) as fn(&Session, &mut Cut),
        |session, cut| cut.branch = session.find("un2"),
        |session, cut| {
            cut.leaf = session.find("un2");
            cut.from = session.find("sys");
        },
    ] {
        let session = assert_gone("active only", read, set, &gone);
        assert_eq!(session.key(session.leaf()).unwrap(), "un2");
        let stub = session.find("ax").unwrap();
        assert_eq!(session.id(stub).unwrap(), "ux");
        assert_eq!(session.find("nx"), Some(stub));
        let row = row(&session, "ux", Filter::Default);
        assert_eq!(row.unwrap(), "4 entries not included (another branch)");
    }
}

#[test]
fn a_branch_that_was_left() {
    let kept = ["sys", "section", "tool", "first", "reminder", "inline", "image", "reasoningfield"];
    let further = [
        "thinking",
        "signature",
        "redacted",
        "answer",
        "textsignature",
        "block",
        "serverquery",
        "serverresult",
        "argument",
        "thought",
        "branchprompt",
        "labelonbranch",
        "nameonbranch",
        "branchanswer",
    ];
    let gone = all_but(&[&kept, &further]);
    let session =
        assert_gone("branch", read, |session, cut| cut.branch = session.find("ax"), &gone);
    assert_eq!(session.key(session.leaf()).unwrap(), "ax");
    assert_eq!(session.title(), Some("Qzxmarknameonbranch"));
    assert_eq!(
        session.label(session.find("u1").unwrap()).map(|label| label.text.as_str()),
        Some("Qzxmarklabelonbranch")
    );
    assert_eq!(session.find("un2"), session.find("r1"));
    // A label on the branch that was cut goes with its entry, and not to the stub.
    assert_eq!(session.label(session.find("r1").unwrap()), None);
}

#[test]
fn a_subtree() {
    let gone = all_but(&[&["second", "error", "third", "last"]]);
    let session =
        assert_gone("subtree", read, |session, cut| cut.subtree = session.find("u2"), &gone);
    let roots: Vec<&str> = session.tree().roots().map(|root| session.id(root).unwrap()).collect();
    assert_eq!(roots, ["sys"], "one stub above");
    assert_eq!(
        session
            .tree()
            .children(EntryIndex::new(0))
            .map(|entry| session.id(entry).unwrap())
            .collect::<Vec<_>>(),
        ["u2"]
    );
    assert_eq!(session.find("ax"), Some(EntryIndex::new(0)));
    let page = page(&session);
    let title = page.split("<title>").nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(title, "Qzxmarkthird", "titled by the first prompt kept that was answered");
}

#[test]
fn a_part_of_the_path() {
    let gone = all_but(&[&["second", "error", "third"]]);
    let set = |session: &Session, cut: &mut Cut| {
        cut.from = session.find("u2");
        cut.to = session.find("u3");
    };
    let session = assert_gone("from and to", read, set, &gone);
    assert_eq!(session.key(session.leaf()).unwrap(), "un2", "the stub behind it");
    let whys = ["sys", "un2"].map(|id| row(&session, id, Filter::Default).unwrap());
    assert_eq!(
        whys,
        [
            "18 entries not included (before the shared part)",
            "1 entry not included (after the shared part)"
        ]
        .map(str::to_owned)
    );
}

#[test]
fn only_some_kinds() {
    let kept = ["first", "inline", "image", "reminder", "second", "third", "branchprompt"];
    let gone = all_but(&[&kept]);
    let set = |_: &Session, cut: &mut Cut| cut.only = Some(vec![Kind::User]);
    let session = assert_gone("only user", read, set, &gone);
    assert_eq!(row(&session, "a1", Filter::Default), None, "quiet");
    let told = row(&session, "a1", Filter::All).unwrap();
    assert!(told.ends_with("not included (this page contains only user entries)"), "{told}");
}

#[test]
fn summaries_stay_on_request_and_where_nothing_of_theirs_went() {
    let set = |_: &Session, cut: &mut Cut| {
        cut.active_only = true;
        cut.keep_summaries = true;
    };
    let gone =
        list(&[&["branchprompt", "labelonbranch", "nameonbranch", "branchanswer", OF_BRANCH]]);
    assert_gone("kept summaries", read, set, &gone);
    // Behind the compaction nothing is summed up.
    let gone = ["last"];
    assert_gone(
        "to",
        read,
        |session, cut| {
            cut.branch = session.find("u3");
            cut.keep_summaries = true;
        },
        &list(&[&gone, &BRANCH[..4], &[OF_BRANCH]]),
    );
}

#[test]
fn flags_combine() {
    let gone =
        all_but(&[&["first", "second", "third", "answer", "argument", "last", "serverquery"]]);
    let set = |_: &Session, cut: &mut Cut| {
        cut.active_only = true;
        cut.only = Some(vec![Kind::User, Kind::Assistant]);
        cut.without_thinking = true;
        cut.without_tool_output = true;
        cut.without_images = true;
        cut.without_system = true;
    };
    assert_gone("all at once", read, set, &gone);
}

#[test]
fn a_cut_session_can_be_cut_again() {
    let session = crate::cut::cases::cut_with(read(), |_, cut| cut.active_only = true);
    let again = leafpress::read(session.source().to_vec()).unwrap();
    let again = crate::cut::cases::cut_with(again, |_, cut| cut.only = Some(vec![Kind::User]));
    crate::cut::cases::assert_opens_again("twice", &again);
    for (id, _, _) in entries() {
        assert!(again.find(id).is_some(), "{id}");
    }
    let counted: usize = again
        .indices()
        .map(|entry| match again.entry(entry).unwrap().body {
            leafpress::session::Body::Omitted(omitted) => omitted.count,
            _ => 1,
        })
        .sum();
    assert_eq!(counted, entries().len());
}

#[test]
fn what_contradicts_itself_is_refused() {
    let told = |set: fn(&Session, &mut Cut)| {
        let session = read();
        let mut options = Cut::default();
        set(&session, &mut options);
        leafpress::cut::cut(session, &options).unwrap_err().to_string()
    };
    assert_eq!(
        told(|s, cut| (cut.branch, cut.subtree) = (s.find("ax"), s.find("u2"))),
        "`branch` entry `ax` is outside `subtree` entry `u2`"
    );
    assert_eq!(
        told(|s, cut| (cut.branch, cut.leaf) = (s.find("ax"), s.find("u2"))),
        "`leaf` entry `u2` is outside `branch` entry `ax`"
    );
    assert_eq!(
        told(|s, cut| (cut.from, cut.to) = (s.find("u3"), s.find("u2"))),
        "`to` entry `u2` is outside `from` entry `u3`"
    );
    assert_eq!(
        told(|s, cut| (cut.branch, cut.from) = (s.find("ax"), s.find("u3"))),
        "`from` entry `u3` is outside `branch` entry `ax`"
    );
    assert_eq!(
        told(|s, cut| cut.from = s.find("ux")),
        "`from` entry `ux` is not on the path to `un2`"
    );
    assert_eq!(told(|_, cut| cut.only = Some(vec![Kind::Program])), "the cut removes every entry");
}
