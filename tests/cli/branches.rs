//! `leafpress branches`.

use snapbox::str;

use crate::support::folder::{Folder, json};

#[test]
fn each_branch_with_what_it_ended_with() {
    let folder = Folder::with_fixture("samples/pi-1.5-main.jsonl");
    folder.run(&["branches", "session.jsonl"]).success().stdout_eq(str![[r#"
• ast00012  [restart] assistant: Fresh start.
  4 entries · 2026-11-02 09:24 · current
  usr00008  user: Skip the read
  7 entries · 1 since the fork at ast00001 · 2026-11-02 09:22
  ast00011  assistant: Filling with gas.
  14 entries · 2 since the fork at bsu00001 · 2026-11-02 09:22
  lab00004  [oil [try]] assistant: Filling with oil.
  15 entries · 3 since the fork at bsu00001 · 2026-11-02 09:21
  ast00009  assistant: All done.
  39 entries · 28 since the fork at ast00003 · 2026-11-02 09:19
5 branches, times in UTC

"#]]);
}

#[test]
fn the_json_has_its_promised_shape() {
    let folder = Folder::with_example("garden.jsonl");
    let found = json(&folder.run(&["branches", "garden.jsonl", "--json"]).success());
    assert_eq!(found["leafId"], "86dc1522");
    assert_eq!(found["total"], 2);
    assert_eq!(
        found["branches"][1],
        serde_json::json!({
            "id": "b8774523",
            "label": null,
            "lastMessage": "assistant: 429 rate limit reached, try again in 20 s",
            "entries": 18,
            "ownEntries": 4,
            "forkId": "160d4253",
            "time": "2026-11-08T14:13:55.236Z",
            "current": false,
        })
    );
    assert!(found.get("subSessions").is_none(), "{found}");
}

#[test]
fn branches_of_sub_sessions_are_listed_apart() {
    let folder = Folder::with_fixture("samples/omp-18-main.jsonl");
    std::fs::create_dir(folder.path("session")).unwrap();
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/samples/omp-18-main");
    for file in std::fs::read_dir(beside).unwrap().map(Result::unwrap) {
        if file.path().is_file() {
            let name = file.file_name().into_string().unwrap();
            std::fs::copy(file.path(), folder.path("session").join(name)).unwrap();
        }
    }
    let found = json(&folder.run(&["branches", "session.jsonl", "--json"]).success());
    let within = found["subSessions"].as_array().expect("some");
    for sub in within {
        let id = sub["id"].as_str().unwrap();
        let first = sub["branches"][0]["id"].as_str().unwrap();
        assert!(first.starts_with(&format!("{id}/")), "{sub}");
        assert_eq!(sub["branches"].as_array().unwrap().len(), sub["total"], "{sub}");
    }
    let alone = folder.run(&["branches", "session.jsonl", "--json", "--no-subsessions"]).success();
    let alone = json(&alone);
    assert!(alone.get("subSessions").is_none(), "{alone}");
    assert_eq!(alone["branches"], found["branches"]);
}

#[test]
fn a_session_that_stands_within_a_branch_says_so() {
    let folder = Folder::new();
    let lines = [
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-02T09:00:00.000Z","cwd":"/w"}"#,
        r#"{"type":"message","id":"b","parentId":"a","timestamp":"2026-11-02T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"late"}]}}"#,
        r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-11-02T09:00:01.000Z","message":{"role":"user","content":"first"}}"#,
    ];
    folder.write("session.jsonl", &(lines.join("\n") + "\n"));
    let found = json(&folder.run(&["branches", "session.jsonl", "--json"]).success());
    assert_eq!((&found["leafId"], &found["branches"][0]["current"]), (&"a".into(), &false.into()));
    let told = folder.run(&["branches", "session.jsonl"]).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(told.contains("the current entry is a, in the middle of a branch"), "{told}");
}
