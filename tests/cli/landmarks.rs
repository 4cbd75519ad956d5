//! Secrets and home directories in what a session did and in what failed.

use std::fmt::Write as _;

use crate::support::folder::{Folder, json};

#[test]
fn redaction_reaches_landmarks_and_failures() {
    let token = super::secrets::token();
    let call = |id: &str, parent: &str, command: &str, output: &str, is_error: bool| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{id}","name":"bash","arguments":{{"command":"{command}"}}}}],"stopReason":"toolUse"}}}}
{{"type":"message","id":"r{id}","parentId":"{id}","message":{{"role":"toolResult","toolCallId":"c{id}","toolName":"bash","content":[{{"type":"text","text":"{output}"}}],"isError":{is_error}}}}}
"#
        )
    };
    let lines = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/home/ines/w"}
"#
        .to_owned(),
        call("a", "null", "git commit", &format!("[main 1a2b3c4] Use {token}"), false),
        call("b", "\"ra\"", "cargo test --manifest-path /home/ines/w/Cargo.toml", "ok", false),
        call("d", "\"rb\"", "ls", &format!("no {token} in /home/ines/w"), true),
    ];
    let folder = Folder::new();
    folder.write("s.jsonl", &lines.concat());
    let whole = json(&folder.run(&["stats", "s.jsonl", "--json"]).success());
    assert_eq!(whole["landmarks"][0]["text"], format!("1a2b3c4 Use {token}"));
    assert_eq!(whole["failureList"][0]["text"], format!("no {token} in /home/ines/w"));
    folder.run(&["s.jsonl", "--redact", "--redact-home", "-o", "s.html"]).success();
    let page = folder.read("s.html");
    let lines = page.split("<ul class=\"did\">").nth(1).unwrap().split("</ul>").next().unwrap();
    assert!(lines.contains("1a2b3c4") && lines.contains("[redacted:"), "{lines}");
    assert!(lines.contains("cargo test") && !lines.contains("ines"), "{lines}");
    assert!(!page.contains(&token[8..24]) && !page.contains("/home/ines"));
    folder.run(&["extract", "s.html", "-o", "again.jsonl"]).success();
    let again = json(&folder.run(&["stats", "again.jsonl", "--json"]).success());
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    for found in [text(&again["landmarks"][0]["text"]), text(&again["failureList"][0]["text"])] {
        assert!(found.contains("[redacted:") && !found.contains("ines"), "{found}");
    }
}

#[test]
fn stats_begin_with_commits_the_last_test_run_and_the_pull_request() {
    let mut lines =
        vec!["{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n".to_owned()];
    let mut parent = "null".to_owned();
    let mut nth = 0;
    let mut call = |command: &str, output: &str| {
        nth += 1;
        lines.push(format!(
            r#"{{"type":"message","id":"a{nth}","parentId":{parent},"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{nth}","name":"bash","arguments":{{"command":"{command}"}}}}],"stopReason":"toolUse"}}}}
{{"type":"message","id":"b{nth}","parentId":"a{nth}","message":{{"role":"toolResult","toolCallId":"c{nth}","toolName":"bash","content":[{{"type":"text","text":"{output}"}}],"isError":false}}}}
"#
        ));
        parent = format!("\"b{nth}\"");
    };
    let (failed, passed) =
        ("test result: FAILED. 1 passed; 2 failed", "test result: ok. 3 passed; 0 failed");
    call("cargo test | tail", failed);
    call("cargo test --doc | tail", failed);
    call("cargo test | tail", passed);
    for commit in 1..=11 {
        call("git commit -m x", &format!("[main a{commit:06}] Step {commit}"));
        call("git push", "To x\\n   1a2b3c4..2b3c4d5  main -> main");
    }
    let folder = Folder::new();
    folder.write("s.jsonl", &lines.concat());
    let told = folder.run(&["stats", "s.jsonl"]).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    let lines: Vec<&str> = told.lines().skip_while(|line| !line.contains("commit ")).collect();
    assert_eq!(lines[0], "  commit         a000002 Step 2", "{told}");
    assert_eq!(lines[9], "  commit         a000011 Step 11", "{told}");
    let rest = [
        "  … and 1 more commit",
        "  tests failed   cargo test --doc",
        "  tests passed   cargo test",
        "  … and 1 more test run, 1 failed",
    ];
    assert_eq!(lines[10..14], rest, "{told}");
    assert!(!told.contains("push"), "{told}");
}

#[test]
fn notable_calls_are_counted_in_a_line() {
    let call = |nth: usize, command: &str, output: &str, is_error: bool| {
        let parent = if nth == 0 { "null".to_owned() } else { format!("\"b{}\"", nth - 1) };
        format!(
            r#"{{"type":"message","id":"a{nth}","parentId":{parent},"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{nth}","name":"bash","arguments":{{"command":"{command}"}}}}],"stopReason":"toolUse"}}}}
{{"type":"message","id":"b{nth}","parentId":"a{nth}","message":{{"role":"toolResult","toolCallId":"c{nth}","toolName":"bash","content":[{{"type":"text","text":"{output}"}}],"isError":{is_error}}}}}
"#
        )
    };
    let lines = [
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/home/ines/w\"}\n".to_owned(),
        call(0, "sudo rm -r old", "", false),
        call(1, "rm a; rm b", "", false),
        call(2, "rm c", "rm: c: Permission denied\\n\\nCommand exited with code 1", true),
        call(3, "rm -rf target /tmp/x", "", false),
    ];
    let folder = Folder::new();
    folder.write("s.jsonl", &lines.concat());
    let told = folder.run(&["stats", "s.jsonl"]).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert!(told.contains("\nrisky    2 deletions of files, 1 use of sudo\n"), "{told}");
    let found = json(&folder.run(&["stats", "s.jsonl", "--json"]).success());
    let landmark = |kind: &str, entry: &str, text: &str| serde_json::json!({"kind": kind, "entryId": entry, "text": text, "outcome": "passed"});
    let all = serde_json::json!([
        landmark("sudo", "b0", "sudo rm -r old"),
        landmark("deleted-files", "b0", "sudo rm -r old"),
        landmark("deleted-files", "b1", "rm a"),
    ]);
    let mut landmarks = found["landmarks"].clone();
    landmarks[2]["outcome"] = "passed".into();
    assert_eq!(landmarks, all, "the status of the second is that of another command");
    assert_eq!(found["landmarks"][2]["outcome"], "unknown");
    let since = json(&folder.run(&["stats", "s.jsonl", "--since", "b0", "--json"]).success());
    assert_eq!(since["landmarks"].as_array().unwrap().len(), 1);
}

#[test]
fn people_read_ten_of_each_in_80_columns() {
    let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    let mut parent = "null".to_owned();
    for nth in 0..15 {
        let subject = "a subject that is too long for one line of a terminal ".repeat(3);
        let _ = write!(
            file,
            r#"{{"type":"message","id":"a{nth}","parentId":{parent},"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c{nth}","name":"bash","arguments":{{"command":"git commit -m x && false"}}}}],"stopReason":"toolUse"}}}}
{{"type":"message","id":"b{nth}","parentId":"a{nth}","message":{{"role":"toolResult","toolCallId":"c{nth}","toolName":"bash","content":[{{"type":"text","text":"[main 1a2b3{nth:02}] {subject}"}}],"isError":true}}}}
"#
        );
        parent = format!("\"b{nth}\"");
    }
    let folder = Folder::new();
    folder.write("s.jsonl", &file);
    let told = folder.run(&["stats", "s.jsonl"]).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    assert_eq!(told.matches("  commit  ").count(), 10, "{told}");
    // The latest commits, the first failures.
    assert!(told.contains(" 1a2b314 ") && told.contains("\n  … and 5 more commits\n"), "{told}");
    assert!(told.contains("1a2b300] ") && told.contains("\n  … and 5 more failures\n"), "{told}");
    assert!(told.contains("\n15 failures\n"), "{told}");
    let listed = told.lines().filter(|line| line.starts_with("  ")).take(20);
    let widest = listed.map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{told}");
    let found = json(&folder.run(&["stats", "s.jsonl", "--json"]).success());
    assert_eq!(found["failureList"].as_array().unwrap().len(), 15);
    assert_eq!(found["landmarks"][0]["kind"], "commit");
    assert_eq!(found["landmarks"][0]["outcome"], "passed");
    assert_eq!(found["landmarks"][0]["entryId"], "b0");
    assert_eq!(found["failureList"][0]["tool"], "bash");
}
