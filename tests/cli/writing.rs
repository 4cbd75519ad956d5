//! `label`, `branch` and `migrate`: the commands that write sessions.

use leafpress::store::SessionStore;
use serde_json::Value;

use crate::support::folder::{Folder, json};

const V1: &str = "samples-2026-03/pi-v1.jsonl";

fn label(folder: &Folder, id: &str) -> Value {
    let tree =
        json(&folder.run(&["tree", "lighthouse.jsonl", "--filter", "all", "--json"]).success());
    let rows = tree["rows"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap()["label"].clone()
}

fn id(folder: &Folder) -> String {
    let tree = json(&folder.run(&["tree", "lighthouse.jsonl", "--json"]).success());
    tree["rows"][2]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_label_is_given_replaced_and_cleared_by_adding_lines() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let id = id(&folder);
    let mut text = folder.read("lighthouse.jsonl");
    for (given, now) in [
        (Some("look here"), "look here".into()),
        (Some("there"), "there".into()),
        (None, Value::Null),
    ] {
        let mut args = vec!["label", "lighthouse.jsonl", &id];
        args.extend(given);
        folder.run(&args).success().stdout_eq("").stderr_eq("");
        assert_eq!(label(&folder, &id), now);
        let longer = folder.read("lighthouse.jsonl");
        assert!(longer.starts_with(&text));
        assert_eq!(longer.lines().count(), text.lines().count() + 1);
        text = longer;
    }
    // Nothing to change, nothing written.
    folder.run(&["label", "lighthouse.jsonl", &id]).success();
    assert_eq!(folder.read("lighthouse.jsonl"), text);
}

#[test]
fn an_unknown_entry_is_told_of_and_nothing_is_written() {
    let folder = Folder::with_example("lighthouse.jsonl");
    // Not even what an agent's crash left is mended.
    let text = folder.read("lighthouse.jsonl") + r#"{"type":"message","id":"to"#;
    folder.write("lighthouse.jsonl", &text);
    for command in
        [vec!["label", "lighthouse.jsonl", "zzz", "x"], vec!["branch", "lighthouse.jsonl", "zzz"]]
    {
        folder.run(&command).failure().stderr_eq(
            "error: invalid `ID`: no entry has the id `zzz`\nhelp: `leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids\n",
        );
    }
    assert_eq!(folder.read("lighthouse.jsonl"), text);
    assert_eq!(folder.names(), ["lighthouse.jsonl"]);
}

#[test]
fn a_session_that_is_being_written_is_left_alone() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let id = id(&folder);
    let store = SessionStore::open(folder.path("lighthouse.jsonl")).unwrap();
    let text = folder.read("lighthouse.jsonl");
    folder.run(&["label", "lighthouse.jsonl", &id, "x"]).failure().stderr_eq(
        "error: failed to open `lighthouse.jsonl`: another process is writing to it\nhelp: end the other process first\n",
    );
    assert_eq!(folder.read("lighthouse.jsonl"), text);
    // A branch is only read.
    folder.run(&["branch", "lighthouse.jsonl", &id, "-o", "b.jsonl"]).success();
    drop(store);
}

#[test]
fn a_branch_is_a_session_of_its_own_and_its_path_is_printed() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let id = id(&folder);
    let text = folder.read("lighthouse.jsonl");
    folder
        .run(&["branch", "lighthouse.jsonl", &id, "-o", "b.jsonl"])
        .success()
        .stdout_eq("b.jsonl\n")
        .stderr_eq("");
    folder.run(&["branch", "lighthouse.jsonl", &id, "-o", "b.jsonl"]).failure().stderr_eq(
        "error: failed to create `b.jsonl`: the file exists\nhelp: choose another file\n",
    );
    let output = folder.run(&["branch", "lighthouse.jsonl", &id]).success();
    let beside = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(beside.ends_with(".jsonl\n") && beside.contains('_'), "{beside}");
    let own =
        json(&folder.run(&["context", "lighthouse.jsonl", "--leaf", &id, "--json"]).success());
    for file in ["b.jsonl", beside.trim_end()] {
        let context = json(&folder.run(&["context", file, "--leaf", &id, "--json"]).success());
        assert_eq!(context["messages"], own["messages"]);
        let header: Value =
            serde_json::from_str(folder.read(file).lines().next().unwrap()).unwrap();
        let parent = header["parentSession"].as_str().unwrap();
        assert_eq!(std::fs::read_to_string(parent).unwrap(), text, "found from anywhere");
    }
    assert_eq!(folder.read("lighthouse.jsonl"), text);
}

#[test]
fn an_old_session_is_rewritten_and_the_path_of_the_old_one_is_printed() {
    let folder = Folder::with_fixture(V1);
    let old = folder.read("session.jsonl");
    let own = json(&folder.run(&["context", "session.jsonl", "--json"]).success());
    let output = folder.run(&["migrate", "session.jsonl"]).success();
    let backup = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(backup.ends_with("session.jsonl.v1.bak\n"), "{backup}");
    assert_eq!(folder.read("session.jsonl.v1.bak"), old);
    assert!(folder.read("session.jsonl").starts_with(r#"{"type":"session","version":3,"#));
    assert_eq!(json(&folder.run(&["context", "session.jsonl", "--json"]).success()), own);
    folder
        .run(&["migrate", "session.jsonl"])
        .success()
        .stdout_eq("")
        .stderr_eq("`session.jsonl` is already at version 3; nothing changed\n");
    assert_eq!(folder.names(), ["session.jsonl", "session.jsonl.v1.bak"]);
}

#[test]
fn sessions_of_oh_my_pi_are_labeled_branched_and_upgraded() {
    let folder = Folder::with_fixture("omp-written/main.jsonl");
    let text = folder.read("session.jsonl");
    let tree = json(&folder.run(&["tree", "session.jsonl", "--json"]).success());
    let prompt = tree["rows"].as_array().unwrap().iter().find(|row| row["text"] == "user: Two");
    let id = prompt.unwrap()["id"].as_str().unwrap().to_owned();
    folder.run(&["label", "session.jsonl", &id, "here"]).success().stdout_eq("").stderr_eq("");
    let longer = folder.read("session.jsonl");
    let label: Value = serde_json::from_str(longer.strip_prefix(&text).unwrap()).unwrap();
    assert_eq!((&label["type"], &label["label"]), (&"label".into(), &"here".into()));
    folder.run(&["branch", "session.jsonl", &id, "-o", "b.jsonl"]).success().stdout_eq("b.jsonl\n");
    let branch = folder.read("b.jsonl");
    assert_eq!(branch.find('\n'), Some(255), "the title is in the first line");
    let header: Value = serde_json::from_str(branch.lines().nth(1).unwrap()).unwrap();
    assert_eq!(
        (&header["title"], &header["titleSource"]),
        (&"A title of mine".into(), &"user".into())
    );
    assert!(branch.ends_with("\"label\":\"here\"}\n"));
    folder
        .run(&["migrate", "session.jsonl"])
        .success()
        .stderr_eq("`session.jsonl` is already at version 3; nothing changed\n");
    let folder = Folder::with_fixture("samples/omp-18-v2.jsonl");
    folder.run(&["migrate", "session.jsonl"]).success().stdout_eq("[..]session.jsonl.v2.bak\n");
}

#[test]
fn a_branch_before_a_prompt_prints_the_prompt_for_editing() {
    for fixture in ["omp-written/main.jsonl", "samples/pi-1.5-tree.jsonl"] {
        let folder = Folder::with_fixture(fixture);
        let text = folder.read("session.jsonl");
        let tree = json(
            &folder.run(&["tree", "session.jsonl", "--filter", "user-only", "--json"]).success(),
        );
        for row in tree["rows"].as_array().unwrap() {
            let id = row["id"].as_str().unwrap();
            let name = format!("{id}.jsonl");
            let output = folder
                .run(&["branch", "session.jsonl", "--before-prompt", id, "-o", &name])
                .success();
            let told = String::from_utf8(output.get_output().stderr.clone()).unwrap();
            assert_eq!(told, format!("created `{name}`; the text of the prompt is:\n"));
            let draft = String::from_utf8(output.get_output().stdout.clone()).unwrap();
            let line =
                text.lines().find(|line| line.contains(&format!("\"id\":\"{id}\""))).unwrap();
            let line: Value = serde_json::from_str(line).unwrap();
            let content = &line["message"]["content"];
            let prompt = content.as_str().or_else(|| content[0]["text"].as_str()).unwrap();
            assert_eq!(draft, format!("{prompt}\n"));
            let branch = folder.read(&name);
            assert!(!branch.contains(&format!("\"id\":\"{id}\"")));
            assert!(branch.contains("\"parentSession\":"));
        }
        assert_eq!(folder.read("session.jsonl"), text);
    }
    let folder = Folder::with_fixture("omp-written/main.jsonl");
    let response = folder.read("session.jsonl").lines().nth(6).unwrap().to_owned();
    let response: Value = serde_json::from_str(&response).unwrap();
    let id = response["id"].as_str().unwrap();
    folder.run(&["branch", "session.jsonl", "--before-prompt", id]).failure().stderr_eq(format!(
        "error: entry `{id}` is not a user message\nhelp: a fork begins at a user message\n"
    ));
    assert_eq!(folder.names(), ["session.jsonl"]);
}

#[test]
fn sessions_of_others_and_streams_are_only_read() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let text = folder.read("lighthouse.jsonl");
    folder.write("claude.jsonl", &std::fs::read_to_string(claude()).unwrap());
    for command in [vec!["branch", "claude.jsonl", "x"], vec!["migrate", "claude.jsonl"]] {
        folder.run(&command).failure();
    }
    folder.run(&["label", "claude.jsonl", "x"]).failure().stderr_eq(
        "error: `claude.jsonl` is not a pi or oh-my-pi session: its format is Claude Code\nhelp: leafpress reads and exports other formats; it writes only these two\n",
    );
    folder.run(&["label", "-", "x"]).failure().stderr_eq("error: this command does not support `-` for standard input or output\nhelp: name a file\n");
    assert_eq!(folder.read("lighthouse.jsonl"), text);
    assert_eq!(folder.names(), ["claude.jsonl", "lighthouse.jsonl"]);
}

fn claude() -> &'static str {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/samples/claude-code/projects/-home-ana-proj-datefmt/11111111-2222-4333-8444-555555555555.jsonl"
    )
}
