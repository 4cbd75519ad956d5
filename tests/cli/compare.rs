//! `leafpress compare`.

use serde_json::{Value, json as object};
use snapbox::str;

use crate::support::folder::{Folder, json};

fn compare(name: &str, a: &str, b: &str) -> Value {
    let folder = Folder::with_example(name);
    json(&folder.run(&["compare", name, a, b, "--json"]).success())
}

#[test]
fn the_json_has_its_promised_shape() {
    let found = compare("garden.jsonl", "86dc1522", "b8774523");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&found), ["a", "b", "commonAncestor", "commonEntries"]);
    assert_eq!(found["commonAncestor"], "160d4253");
    assert_eq!(found["commonEntries"], 14);
    let a = &found["a"];
    assert_eq!((&a["leafId"], &a["isAncestor"]), (&"86dc1522".into(), &false.into()));
    assert_eq!(a["files"], object!([{"path": "beds.py", "reads": 0, "changes": 1, "failures": 0}]));
    assert_eq!(
        a["only"],
        object!({"changed": ["beds.py"], "read": [], "tools": ["bash", "edit"], "models": []})
    );
    assert_eq!(a["usage"]["input"], 1624);
    assert_eq!(found["b"]["label"], Value::Null);
    assert_eq!(found["b"]["lastMessage"], "assistant: 429 rate limit reached, try again in 20 s");
}

#[test]
fn files_read_and_files_changed_are_told_apart() {
    let found = compare("lighthouse.jsonl", "240cd75b", "c529cb7f");
    let file = |path: &str| {
        let files = found["a"]["files"].as_array().unwrap();
        files.iter().find(|file| file["path"] == path).unwrap().clone()
    };
    assert_eq!(file("target/curve.png")["changes"], 0);
    assert_eq!(file("target/curve.png")["reads"], 1);
    assert!(file("src/table.rs")["changes"].as_u64() > Some(0));
    assert!(!found["a"]["only"]["changed"].as_array().unwrap().contains(&"src/table.rs".into()));
    let other = compare("lighthouse.jsonl", "c529cb7f", "240cd75b");
    assert_eq!((&other["a"], &other["b"]), (&found["b"], &found["a"]));
}

#[test]
fn an_ancestor_has_nothing_of_its_own() {
    let folder = Folder::with_example("garden.jsonl");
    let told = folder.run(&["compare", "garden.jsonl", "160d4253", "b8774523"]).success();
    told.stdout_eq(str![[r#"
14 entries shared, up to 160d4253
A  160d4253  
   no entries of its own: the other branch continues from here
B  b8774523  assistant: 429 rate limit reached, try again in 20 s
   counts   4 entries, 2 prompts, 2 turns, 0 tool calls, 1 failure, 1 stop
   tokens   123 in, 49 out, 898 cache read
   cost     $0.001
   time     2026-11-08 14:12 to 2026-11-08 14:13, 1m 32s; worked 5.8s
   models   openai/gpt-5.1-codex 2
   only     used openai/gpt-5.1-codex
counts start after the fork; files changed by shell commands are not listed

"#]]);
    let found = compare("garden.jsonl", "160d4253", "b8774523");
    assert_eq!((&found["a"]["isAncestor"], &found["a"]["entries"]), (&true.into(), &0.into()));
}

#[test]
fn other_roots_have_nothing_in_common() {
    let folder = Folder::with_fixture("samples/pi-1.5-main.jsonl");
    let args = ["compare", "session.jsonl", "ast00012", "ast00009", "--json"];
    let found = json(&folder.run(&args).success());
    assert_eq!(found["commonAncestor"], Value::Null);
    assert_eq!(found["commonEntries"], 0);
    assert_eq!(found["b"]["entries"], 39);
}

#[test]
fn unknown_ids_and_other_sessions_are_refused() {
    let folder = Folder::with_example("garden.jsonl");
    folder.run(&["compare", "garden.jsonl", "86dc1522", "nobody"]).code(1).stderr_eq(str![[r#"
error: invalid `LEAF_B`: no entry has the id `nobody`
help: `leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids

"#]]);
    let omp = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/samples/omp-18-main.jsonl");
    folder.run(&["compare", omp, "o0000054", "Scout/s0000005"]).code(1).stderr_eq(str![[r#"
warning: [..]
warning: [..]
error: cannot compare `o0000054` and `Scout/s0000005`: they belong to different sessions
help: choose two branches of the same session

"#]]);
    let within = folder.run(&["compare", omp, "Scout/s0000005", "Scout/s0000002", "--json"]);
    assert_eq!(json(&within.success())["commonAncestor"], "Scout/s0000002");
}

#[test]
fn a_call_that_failed_changed_nothing_and_one_path_is_one_file() {
    let call = |id: &str, name: &str, path: &str| object!({"type": "toolCall", "id": id, "name": name, "arguments": {"path": path}});
    let result = |id: &str, failed: bool| object!({"role": "toolResult", "toolCallId": id, "toolName": "edit", "content": [], "isError": failed});
    let entries = [
        ("a", Value::Null, object!({"role": "user", "content": "go"})),
        (
            "b",
            "a".into(),
            object!({"role": "assistant", "content": [call("1", "edit", "/w/x.rs"), call("2", "edit", "y.rs"), call("3", "read", "./x.rs"), call("4", "write", "z.rs")]}),
        ),
        ("c", "b".into(), result("1", false)),
        ("d", "c".into(), result("2", true)),
        ("e", "d".into(), result("3", false)),
        ("f", "a".into(), object!({"role": "user", "content": "other"})),
    ];
    let header = object!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-11-02T09:00:00.000Z", "cwd": "/w"});
    let lines = entries.map(|(id, parent, message)| object!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-11-02T09:00:00.000Z", "message": message}).to_string());
    let folder = Folder::new();
    folder.write("session.jsonl", &format!("{header}\n{}\n", lines.join("\n")));
    let found = json(&folder.run(&["compare", "session.jsonl", "e", "f", "--json"]).success());
    assert_eq!(
        found["a"]["files"],
        object!([
            {"path": "x.rs", "reads": 1, "changes": 1, "failures": 0},
            {"path": "y.rs", "reads": 0, "changes": 0, "failures": 1},
            {"path": "z.rs", "reads": 0, "changes": 0, "failures": 1},
        ])
    );
    assert_eq!(found["a"]["only"]["changed"], object!(["x.rs"]));
    assert_eq!(found["b"]["only"]["models"], object!([]));
}

#[test]
fn computed_costs_are_marked() {
    let folder = Folder::new();
    let assistant = |id: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"p","message":{{"role":"assistant","model":"m","provider":"q","content":[],"usage":{{"input":1000000,"output":0}}}}}}"#
        )
    };
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#;
    let prompt =
        r#"{"type":"message","id":"p","parentId":null,"message":{"role":"user","content":"go"}}"#;
    folder.write("s.jsonl", &[header, prompt, &assistant("a"), &assistant("b"), ""].join("\n"));
    folder.write("prices.json", r#"{"q/m": {"input": 2}}"#);
    let args = ["compare", "s.jsonl", "a", "b", "--prices", "prices.json"];
    let plain = folder.run(&args).success();
    let plain = String::from_utf8(plain.get_output().stdout.clone()).unwrap();
    assert_eq!(plain.matches("$2.00 computed").count(), 2, "{plain}");
    let found = json(&folder.run(&[&args[..], &["--json"]].concat()).success());
    assert_eq!(found["a"]["usage"]["computedCost"], 2.0);
}

#[test]
fn without_ids_the_current_branch_stands_beside_the_newest_other() {
    let folder = Folder::with_example("garden.jsonl");
    let found = json(&folder.run(&["compare", "garden.jsonl", "--json"]).success());
    let named = ["compare", "garden.jsonl", "86dc1522", "b8774523", "--json"];
    assert_eq!(found, json(&folder.run(&named).success()));
    let edited =
        object!([{"path": "beds.py", "edits": 1, "added": 10, "removed": 1, "isAbout": false}]);
    assert_eq!(found["a"]["edited"], edited);
    folder.run(&["compare", "garden.jsonl", "86dc1522"]).code(2);
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["compare", "first-steps.jsonl"]).code(1).stderr_eq(str![[r#"
error: nothing to compare: the session has one branch
help: `leafpress stats` shows its figures

"#]]);
}
