//! Every flag on a session of omp's with agents, blobs and whole outputs beside it.

use leafpress::session::EntryIndex;
use std::path::PathBuf;

use data_encoding::{BASE64, HEXLOWER};
use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::{Format, Kind};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cut::cases::{all_but, assert_gone};

/// A GIF with a marker behind its end.
const BLOB: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7Qzxmarkblobx";

fn image(marker: &str) -> Value {
    json!({"type": "image", "mimeType": "image/png", "data": format!("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAQzxmark{marker}9mZ")})
}

fn message(message: Value) -> Value {
    json!({"type": "message", "message": message})
}

fn result(call: &str, tool: &str, content: Value, details: Value) -> Value {
    message(
        json!({"role": "toolResult", "toolCallId": call, "toolName": tool, "content": content, "details": details}),
    )
}

fn calls(call: &str, tool: &str, argument: &str) -> Value {
    message(json!({"role": "assistant", "stopReason": "toolUse", "content": [
        {"type": "toolCall", "id": call, "name": tool, "arguments": {"x": argument}}]}))
}

/// Lines of a session, each entry with its parent.
fn file(header: Value, entries: Vec<(&str, Option<&str>, Value)>) -> String {
    let mut lines = vec![header.to_string()];
    for (nth, (id, parent, mut entry)) in entries.into_iter().enumerate() {
        entry["id"] = json!(id);
        entry["parentId"] = json!(parent);
        entry["timestamp"] = json!(format!("2026-01-01T00:00:{nth:02}.000Z"));
        lines.push(entry.to_string());
    }
    lines.join("\n") + "\n"
}

fn header(id: &str) -> Value {
    json!({"type": "session", "version": 3, "id": id, "cwd": "/w", "title": "Qzxmarktitle"})
}

fn main_file(hash: &str) -> String {
    let slot = json!({"type": "title", "v": 1, "title": "Qzxmarktitle"}).to_string() + "\n";
    let entries = vec![
        ("dev", None, message(json!({"role": "developer", "content": "Qzxmarkdeveloper"}))),
        (
            "u1",
            Some("dev"),
            message(json!({"role": "user", "content": [{"type": "text", "text": "Qzxmarkfirst"},
            {"type": "image", "mimeType": "image/gif", "data": format!("blob:sha256:{hash}")}]})),
        ),
        ("ub", Some("u1"), message(json!({"role": "user", "content": "Qzxmarkbranchprompt"}))),
        ("cb", Some("ub"), calls("tb", "task", "Qzxmarkbranchargument")),
        (
            "rb",
            Some("cb"),
            result(
                "tb",
                "task",
                json!("Qzxmarkbranchoutput artifact://7"),
                json!({"results": [{"id": "Qzxmarkchildkey", "agent": "Qzxmarkchildagent"}]}),
            ),
        ),
        (
            "fm",
            Some("u1"),
            message(json!({"role": "fileMention", "files": [
            {"path": "Qzxmarkpath", "content": "Qzxmarkfilecontent", "image": image("mentioned")}]})),
        ),
        (
            "py",
            Some("fm"),
            message(
                json!({"role": "pythonExecution", "code": "Qzxmarkcode", "output": "Qzxmarkpyoutput"}),
            ),
        ),
        (
            "sh",
            Some("py"),
            message(json!({"role": "bashExecution", "command": "Qzxmarkcommand",
            "output": "Qzxmarkbashoutput artifact://3", "images": [image("bashimage")]})),
        ),
        ("ta", Some("sh"), calls("tt", "task", "Qzxmarkargument")),
        (
            "tr",
            Some("ta"),
            result(
                "tt",
                "task",
                json!([{"type": "text", "text": "Qzxmarkoutput"}]),
                json!({"results": [{"id": "Scout", "agent": "scout", "output": "Qzxmarktaskresult"}], "meta": {"truncation": {"artifactId": "4"}}}),
            ),
        ),
        (
            "it",
            Some("tr"),
            json!({"type": "custom_message", "customType": "interrupted-thinking", "content": "Qzxmarkinterrupted", "display": true}),
        ),
        (
            "ad",
            Some("it"),
            json!({"type": "custom_message", "customType": "advisor", "content": "Qzxmarkwrapped", "display": true,
            "details": {"notes": [{"note": "Qzxmarkadvice"}]}}),
        ),
        ("ru", Some("ad"), json!({"type": "ttsr_injection", "injectedRules": ["Qzxmarkrule"]})),
        (
            "mo",
            Some("ru"),
            json!({"type": "mode_change", "mode": "Qzxmarkmode", "data": {"plan": "Qzxmarkmodedata"}}),
        ),
        (
            "mu",
            Some("mo"),
            json!({"type": "model_usage", "purpose": "title", "errorMessage": "Qzxmarksideerror"}),
        ),
        (
            "tc",
            Some("mu"),
            json!({"type": "title_change", "title": "Qzxmarkautotitle", "previousTitle": "Qzxmarkprevioustitle", "source": "auto"}),
        ),
        (
            "cp",
            Some("tc"),
            json!({"type": "compaction", "summary": "Qzxmarksummary", "shortSummary": "Qzxmarkshort", "firstKeptEntryId": "mu",
            "warning": "Qzxmarkwarning",
            "retainedTail": [{"role": "toolResult", "toolCallId": "x", "content": [{"type": "text", "text": "Qzxmarktailoutput"}, image("tailimage")]},
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "Qzxmarktailthinking"}, {"type": "text", "text": "Qzxmarktailtext"}]}],
            "preserveData": {"snapcompact": {"text": "Qzxmarkarchived", "frames": [{"data": "Qzxmarkframe", "mimeType": "image/png"}]}}}),
        ),
        (
            "u2",
            Some("cp"),
            message(json!({"role": "user", "content": "Qzxmarksecond artifact://3"})),
        ),
    ];
    slot + &file(header("s"), entries)
}

fn scout() -> String {
    let entries = vec![
        (
            "si",
            None,
            json!({"type": "session_init", "systemPrompt": "Qzxmarkinitprompt", "task": "Qzxmarktask", "agent": "scout",
            "tools": ["Qzxmarkinittool"], "outputSchema": {"x": "Qzxmarkschema"}}),
        ),
        ("su", Some("si"), message(json!({"role": "user", "content": "Qzxmarkscoutprompt"}))),
        ("sb", Some("su"), message(json!({"role": "user", "content": "Qzxmarkscoutbranch"}))),
        (
            "sa",
            Some("su"),
            message(json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Qzxmarkscoutthinking"}, {"type": "text", "text": "Qzxmarkscouttext"}]})),
        ),
        (
            "sr",
            Some("sa"),
            result(
                "y",
                "bash",
                json!([{"type": "text", "text": "Qzxmarkscoutoutput"}, image("scoutimage")]),
                json!({}),
            ),
        ),
        (
            "sl",
            Some("sr"),
            json!({"type": "label", "targetId": "sb", "label": "Qzxmarkscoutlabel"}),
        ),
        ("sz", Some("sl"), message(json!({"role": "user", "content": "Qzxmarkscoutlast"}))),
    ];
    file(json!({"type": "session", "version": 3, "id": "scout", "cwd": "/w"}), entries)
}

fn branch_child() -> String {
    let entries = vec![
        (
            "bi",
            None,
            json!({"type": "session_init", "systemPrompt": "Qzxmarkchildsystem", "task": "Qzxmarkchildtask", "agent": "Qzxmarkchildagent", "tools": []}),
        ),
        ("bu", Some("bi"), message(json!({"role": "user", "content": "Qzxmarkchildtext"}))),
    ];
    file(json!({"type": "session", "version": 3, "id": "child", "cwd": "/w"}), entries)
}

/// The session with all that lies beside it.
fn read() -> Session {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let bytes = BASE64.decode(BLOB.as_bytes()).unwrap();
    let hash = HEXLOWER.encode(&Sha256::digest(&bytes));
    std::fs::create_dir(path("blobs")).unwrap();
    std::fs::create_dir(path("s")).unwrap();
    std::fs::write(path("blobs").join(&hash), bytes).unwrap();
    for (name, text) in [
        ("s.jsonl", main_file(&hash)),
        ("s/Scout.jsonl", scout()),
        ("s/Qzxmarkchildkey.jsonl", branch_child()),
        ("s/3.bash.log", "Qzxmarkwholeoutput".to_owned()),
        ("s/4.bash.log", "Qzxmarktaskartifact".to_owned()),
        ("s/7.bash.log", "Qzxmarkbranchartifact".to_owned()),
    ] {
        std::fs::write(path(name), text).unwrap();
    }
    let options = ReadOptions::new().session(path("s.jsonl")).blobs(path("blobs"));
    let session = read_with(main_file(&hash).into_bytes(), None, &options).unwrap();
    assert_eq!(session.format(), Format::Omp);
    session
}

/// What is gone with the abandoned branch, the agent that it started among it.
const BRANCH: [&str; 11] = [
    "branchprompt",
    "branchargument",
    "branchoutput",
    "branchartifact",
    "childkey",
    "childagent",
    "childsystem",
    "childtask",
    "childtext",
    "title",
    "autotitle",
];

const SUMMARY: [&str; 6] = ["summary", "short", "warning", "tailoutput", "tailimage", "tailtext"];

/// Of the same compaction, what other flags take too.
const KEPT_IN: [&str; 3] = ["tailthinking", "archived", "frame"];

const UNKNOWN: [&str; 3] = ["modedata", "sideerror", "advice"];

fn list(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

#[test]
fn thinking() {
    let gone = list(&[&["scoutthinking", "interrupted", "schema"], &UNKNOWN, &SUMMARY, &KEPT_IN]);
    assert_gone("no thinking", read, |_, cut| cut.without_thinking = true, &gone);
}

#[test]
fn tool_output() {
    let own = [
        "filecontent",
        "mentioned",
        "pyoutput",
        "bashoutput",
        "bashimage",
        "output",
        "taskresult",
        "scoutoutput",
        "scoutimage",
        "wholeoutput",
        "taskartifact",
        "branchoutput",
        "branchartifact",
        "schema",
    ];
    let gone = list(&[&own, &UNKNOWN, &SUMMARY, &KEPT_IN]);
    let session =
        assert_gone("no tool output", read, |_, cut| cut.without_tool_output = true, &gone);
    assert!(
        session.attachments_of(EntryIndex::new(0)).artifact("3").is_err(),
        "not only out of sight"
    );
}

#[test]
fn images() {
    let gone = list(&[&["blobx", "mentioned", "bashimage", "scoutimage"], &SUMMARY, &KEPT_IN]);
    assert_gone("no images", read, |_, cut| cut.without_images = true, &gone);
}

#[test]
fn system() {
    let own = ["developer", "rule", "initprompt", "inittool", "schema", "childsystem"];
    let gone = list(&[&own, &UNKNOWN, &SUMMARY, &KEPT_IN]);
    assert_gone("no system", read, |_, cut| cut.without_system = true, &gone);
}

#[test]
fn active_only() {
    let gone = list(&[&BRANCH, &["previoustitle", "scoutbranch", "scoutlabel"]]);
    let session = assert_gone("active only", read, |_, cut| cut.active_only = true, &gone);
    let stub = session.find("rb").unwrap();
    assert_eq!(session.id(stub).unwrap(), "ub");
    let report =
        leafpress::report::tree(&session, session.leaf(), leafpress::Filter::Default, None)
            .unwrap();
    let told = |id: &str| report.rows.iter().find(|row| row.id == id).map(|row| row.text.clone());
    assert_eq!(
        told("ub").unwrap(),
        "5 entries not included (another branch)",
        "two of them the agent's"
    );
    assert_eq!(session.sub_sessions().len(), 1);
    assert_eq!(session.key(session.find("Scout/sb").unwrap()).unwrap(), "Scout/sb");
    assert!(session.find("Scout/si").is_some());
}

#[test]
fn a_branch_keeps_the_agents_that_it_started() {
    let kept = [
        "developer",
        "first",
        "blobx",
        "branchprompt",
        "branchargument",
        "branchoutput",
        "branchartifact",
        "childkey",
        "childagent",
        "childsystem",
        "childtask",
        "childtext",
    ];
    let gone = all_but(&read(), &kept);
    let session =
        assert_gone("branch", read, |session, cut| cut.branch = session.find("rb"), &gone);
    assert_eq!(session.sub_sessions()[0].key, "Qzxmarkchildkey");
    assert_eq!(session.key(session.sub_sessions()[0].started_by).unwrap(), "rb");
}

#[test]
fn only_prompts() {
    let kept = ["first", "blobx", "branchprompt", "second"];
    let gone = all_but(&read(), &kept);
    let set = |_: &Session, cut: &mut leafpress::cut::Cut| cut.only = Some(vec![Kind::User]);
    let session = assert_gone("only user", read, set, &gone);
    assert!(session.sub_sessions().is_empty(), "whoever started them is gone");
}

/// Files that nothing names any more are not carried along out of sight.
#[test]
fn files_beside_it_go_with_the_last_that_names_them() {
    let hash = HEXLOWER.encode(&Sha256::digest(BASE64.decode(BLOB.as_bytes()).unwrap()));
    let whole = read();
    assert!(whole.attachments_of(EntryIndex::new(0)).blob(&hash).is_ok());
    let session =
        crate::cut::cases::cut_with(read(), |session, cut| cut.subtree = session.find("u2"));
    let files = session.attachments_of(EntryIndex::new(0));
    assert!(files.blob(&hash).is_err());
    assert!(files.artifact("3").is_ok() && files.artifact("4").is_err());
}

/// Whoever asked for archived branches has them in the cut file too.
#[test]
fn what_was_put_away_and_shown_all_the_same_stays() {
    let entries = vec![
        ("u1", None, message(json!({"role": "user", "content": "first"}))),
        ("u2", Some("u1"), message(json!({"role": "user", "content": "Qzxmarkaway"}))),
        ("ar", Some("u1"), json!({"type": "archive", "targetId": "u2", "archived": true})),
        ("u3", Some("ar"), message(json!({"role": "user", "content": "last"}))),
    ];
    let read = || {
        let text = file(header("s"), entries.clone());
        let options = ReadOptions::new().archived(true);
        read_with(text.into_bytes(), None, &options).unwrap()
    };
    assert_gone("archived", read, |_, cut| cut.without_thinking = true, &[]);
}

#[test]
fn an_entry_of_an_agent_is_no_place_to_cut_at() {
    let session = read();
    let mut options = leafpress::cut::Cut::default();
    options.subtree = session.find("Scout/su");
    let told = leafpress::cut::cut(session, &options).unwrap_err().to_string();
    assert_eq!(told, "`subtree` entry `Scout/su` belongs to a sub-agent session");
}
