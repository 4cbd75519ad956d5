//! `--last`: a session by its place in the list.

use serde_json::json;
use snapbox::str;

use crate::support::home::{Home, pi};

use super::agents::codex;

#[test]
fn a1_a17_the_newest_that_can_be_read_is_pressed() {
    let home = Home::new();
    let assert = home.run(&["--last"]).code(1);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.starts_with("error: no sessions found (looked in "), "{stderr}");
    home.file(".pi/agent/sessions/--w--/old.jsonl", &pi("old", "/w", 1));
    home.file(".pi/agent/sessions/--w--/new.jsonl", &pi("new", "/w", 2));
    home.file(".pi/agent/sessions/--w--/broken.jsonl", "no session");
    home.run(&["--last"]).success().stdout_eq(str![[r#"
new.html

"#]]);
    assert!(home.read("new.html").contains("new"));
    home.run(&["gone.jsonl"]).code(1);
}

#[test]
fn sessions_are_numbered_and_last_takes_one() {
    let home = Home::new();
    for minute in 1..=3 {
        let name = format!("session-{minute}");
        home.file(&format!(".pi/agent/sessions/--w--/{name}.jsonl"), &pi(&name, "/w", minute));
    }
    home.run(&["--last", "2"]).success().stdout_eq("session-2.html\n");
    home.run(&["--last", "4"]).code(1).stderr_eq(str![[r#"
error: no session 4: the list has 3 sessions
help: `leafpress list -n 0` lists all sessions

"#]]);
    for not_a_number in ["0", "x.jsonl"] {
        home.run(&["--last", not_a_number]).code(2);
    }
}

#[test]
fn a_number_alone_is_that_of_the_list_unless_a_file_has_it() {
    let home = Home::new();
    for minute in 1..=2 {
        let name = format!("session-{minute}");
        home.file(&format!(".pi/agent/sessions/--w--/{name}.jsonl"), &pi(&name, "/w", minute));
    }
    let listed = home.run(&["list"]).success();
    let listed = String::from_utf8_lossy(&listed.get_output().stdout).into_owned();
    assert!(listed.ends_with("`leafpress N` exports session N of this list\n"), "{listed}");
    let second = home.run(&["2"]).success().stdout_eq("session-1.html\n");
    let said = String::from_utf8_lossy(&second.get_output().stderr).into_owned();
    assert!(said.starts_with("exporting ") && said.contains("session-1.jsonl\n"), "{said}");
    home.run(&["3"]).code(1).stderr_eq(str![[r#"
error: no session 3: the list has 2 sessions
help: `leafpress list -n 0` lists all sessions

"#]]);
    let tree = home.run(&["tree", "2", "--json"]).success();
    let said = String::from_utf8_lossy(&tree.get_output().stderr).into_owned();
    assert!(said.starts_with("reading ") && said.ends_with("session-1.jsonl\n"), "{said}");
    // So many digits are the beginning of an id.
    home.file(
        ".pi/agent/sessions/--w--/digits.jsonl",
        &pi("x", "/w", 3).replace("id-x", "0195000123"),
    );
    home.run(&["0195000"]).success().stdout_eq("digits.html\n");
    home.file("2", &pi("a-file", "/w", 9));
    home.run(&["2"]).success().stdout_eq("2.html\n");
}

#[test]
fn a_session_without_entries_is_neither_listed_nor_the_last() {
    let home = Home::new();
    home.file(".codex/sessions/2026/03/01/rollout-a.jsonl", &codex("asked"));
    let mut header = json!({"timestamp": "2026-04-01T00:00:00Z", "type": "session_meta",
        "payload": {"id": "e", "timestamp": "2026-04-01T00:00:00Z", "cwd": "/w"}});
    home.file(".codex/sessions/2026/04/01/rollout-b.jsonl", &format!("{header}\n"));
    // A system prompt alone is what Codex begins with.
    header["payload"]["base_instructions"] = json!({"text": "You are Codex."});
    home.file(".codex/sessions/2026/04/01/rollout-c.jsonl", &format!("{header}\n"));
    let list = home.list(&[]);
    assert_eq!((&list["total"], &list["unreadable"]), (&json!(1), &json!(2)));
    assert_eq!(list["sessions"][0]["prompt"], "asked");
    home.run(&["--last"]).success().stdout_eq("rollout-a.html\n");
    // The number counts what the list shows.
    home.run(&["--last", "2"]).code(1);
    assert_eq!(home.prompts(&["-n", "1"]), ["asked"]);
}

#[test]
fn other_commands_take_one_of_the_newest_sessions_too() {
    let home = Home::new();
    home.example("garden.jsonl", ".pi/agent/sessions/--w--/garden.jsonl");
    for args in [
        &["tree", "--last"][..],
        &["stats", "--last"],
        &["context", "--last"],
        &["branches", "--last"],
        &["compare", "--last"],
        &["secrets", "--last"],
        &["changes", "--last"],
        &["markdown", "--last"],
    ] {
        let assert = home.run(args).success();
        let out = assert.get_output();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.starts_with("reading ") && said.contains("garden.jsonl"), "{args:?}: {said}");
        let named = home.run(&[args[0], ".pi/agent/sessions/--w--/garden.jsonl"]).success();
        assert_eq!(out.stdout, named.get_output().stdout, "{args:?}");
    }
    home.run(&["tree", "--last", "2"]).code(1);
    home.run(&["tree"]).code(2);
    home.run(&["changes", "--last", "--agent", "codex"]).code(1);
}
