//! What goes wrong is said in one line, and nothing is written.

use serde_json::{Value, json};
use snapbox::str;

use crate::support::folder::Folder;
use crate::support::session::Log;

#[test]
fn inputs_that_cannot_be_read() {
    let folder = Folder::new();
    folder.run(&["gone.jsonl"]).code(1).stdout_eq(str![""]).stderr_eq(str![[r#"
error: failed to read `gone.jsonl`: no such file or directory
help: `leafpress list` shows your sessions and where they are

"#]]);
    folder.run(&["."]).code(1).stderr_eq(str![[r#"
error: failed to read `.`: it is a directory
help: name a session file; `leafpress list` shows your sessions

"#]]);
    assert!(folder.names().is_empty());
}

#[test]
fn inputs_that_hold_no_session() {
    let folder = Folder::new();
    folder.write("empty.jsonl", "");
    folder.run(&["empty.jsonl"]).code(1).stderr_eq(str![[r#"
error: failed to read `empty.jsonl`: no session entries found: the file is empty
help: supported formats: pi, oh-my-pi, Codex, Claude Code, Qwen Code, OpenCode, Copilot CLI, Cursor, Gemini CLI, Chimera, pi proposal, pi harness, Flue, STS, ATIF

"#]]);
    folder.write("notes.txt", "Dear diary,\nnothing happened.\n");
    folder.run(&["notes.txt"]).code(1).stderr_eq(str![[r#"
error: failed to read `notes.txt`: it is plain text, not a session file
help: plain text is at most the final answer of a run; `leafpress help export` says what to keep

"#]]);
    folder.write("chat.jsonl", "{\"role\":\"user\",\"text\":\"hi\"}\n{\"role\":\"bot\"}\n");
    folder.run(&["chat.jsonl"]).code(1).stderr_eq(str![[r#"
error: failed to read `chat.jsonl`: unknown session format: the first 2 JSON objects by `type`: 2 without `type`; the first object has the keys `role`, `text`
help: supported formats: pi, oh-my-pi, Codex, Claude Code, Qwen Code, OpenCode, Copilot CLI, Cursor, Gemini CLI, Chimera, pi proposal, pi harness, Flue, STS, ATIF; choose one with `--format NAME`

"#]]);
    assert_eq!(folder.names(), ["chat.jsonl", "empty.jsonl", "notes.txt"]);
}

#[test]
fn a_hostile_file_does_not_steer_the_terminal() {
    let folder = Folder::new();
    for text in [
        "\u{1b}]0;x\u{7}\u{202e} no session",
        "{\"\\u001b[31m\\u202e\":1}\n",
        "{\"type\":\"\\u001b[2J\"}",
    ] {
        folder.write("x.txt", text);
        let assert = folder.run(&["x.txt"]).code(1);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(!stderr.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{stderr:?}");
    }
}

#[test]
fn an_earlier_page_stays_whole() {
    let folder = Folder::new();
    folder.write("notes.txt", "no session");
    let earlier =
        "<!doctype html><meta name=\"generator\" content=\"leafpress 0.1\">an earlier page";
    folder.write("notes.html", earlier);
    let stderr = folder.run(&["notes.txt"]).code(1).get_output().stderr.clone();
    assert!(String::from_utf8(stderr).unwrap().contains("it is plain text"));
    assert_eq!(folder.read("notes.html"), earlier);
}

#[test]
fn unknown_ids_are_named_and_tell_where_to_look() {
    let folder = Folder::with_example("first-steps.jsonl");
    for option in ["--leaf", "--target"] {
        let assert = folder.run(&["first-steps.jsonl", option, "nope"]).code(1);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(
            stderr,
            format!(
                "error: invalid `{option}`: no entry has the id `nope`\nhelp: `leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids\n"
            )
        );
    }
    for command in ["tree", "context"] {
        folder.run(&[command, "first-steps.jsonl", "--leaf", "nope"]).code(1);
    }
    assert_eq!(folder.names(), ["first-steps.jsonl"]);
}

#[test]
fn the_beginning_of_an_id_names_its_entry() {
    let log = Log::new()
        .entry(json!({"id": "8027aaaa-1", "type": "message", "message": {"role": "user", "content": "one"}}))
        .under(None)
        .entry(json!({"id": "8027bbbb-1", "type": "message", "message": {"role": "user", "content": "two"}}))
        .under(None)
        .entry(json!({"id": "90", "type": "message", "message": {"role": "user", "content": "three"}}));
    let folder = Folder::new();
    folder.write("s.jsonl", &log.text());
    let run = |id: &str| {
        let output = folder.run(&["tree", "s.jsonl", "--json", "--leaf", id]).get_output().clone();
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let leaf =
            serde_json::from_str(&stdout).map_or(Value::Null, |tree: Value| tree["leafId"].clone());
        (leaf, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("8027b").0, "8027bbbb-1");
    assert_eq!(run("8027aaaa-1").0, "8027aaaa-1");
    assert_eq!(
        run("8027").1,
        "error: invalid `--leaf`: the ids of 2 entries begin with `8027`\nhelp: write more of the id, such as `8027aaaa-1` or `8027bbbb-1`\n"
    );
    assert!(run("802").1.contains("no entry has the id `802`"));
    folder.run(&["s.jsonl", "--target", "8027b", "--no-thinking"]).success();
}

#[test]
fn wrong_usage_is_status_2() {
    let folder = Folder::with_example("first-steps.jsonl");
    let assert = folder.run(&["first-steps.jsonl", "--filter", "nope"]).code(2);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        stderr.contains("invalid value `nope` for `--filter") && stderr.contains("user-only"),
        "{stderr}"
    );
    folder.run(&[]).code(2);
    folder.run(&["first-steps.jsonl", "--no-such-flag"]).code(2);
    // No tip to pass an option as a value, but where a value may be any text.
    for (args, has_tip) in [
        (&["first-steps.jsonl", "--dark"][..], false),
        (&["label", "x.jsonl", "id", "--dark"], true),
    ] {
        let assert = folder.run(args).code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.starts_with("error: unexpected argument '--dark' found\n"), "{stderr}");
        assert_eq!(stderr.contains("as a value"), has_tip, "{stderr}");
    }
    let similar = folder.run(&["first-steps.jsonl", "--redct"]).code(2);
    let stderr = String::from_utf8_lossy(&similar.get_output().stderr).into_owned();
    assert!(stderr.contains("a similar argument exists: '--redact"), "{stderr}");
    // What shares a letter or two is not what was meant.
    let far = folder.run(&["first-steps.jsonl", "--foo"]).code(2);
    let stderr = String::from_utf8_lossy(&far.get_output().stderr).into_owned();
    assert!(!stderr.contains("similar"), "{stderr}");
}

#[test]
fn a_file_that_an_option_names_is_told_with_the_option() {
    let folder = Folder::with_example("first-steps.jsonl");
    for option in ["--theme", "--prices", "--password-file", "--redact-rules"] {
        folder.run(&["first-steps.jsonl", option, "nope"]).code(1).stderr_eq(format!(
            "error: invalid `{option}`: failed to read `nope`: no such file or directory\n"
        ));
    }
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let folder = Folder::with_example("first-steps.jsonl");
    for args in [&["treee", "first-steps.jsonl"][..], &["treee"], &["help", "treee"]] {
        folder.run(args).code(2).stdout_eq(str![""]).stderr_eq(str![[r#"
error: unknown command `treee`; did you mean `tree`?

"#]]);
    }
    folder.run(&["frobnicate", "first-steps.jsonl"]).code(2).stderr_eq(str![[r#"
error: unknown command `frobnicate`
help: `leafpress --help` lists the commands

"#]]);
    folder.run(&["first-steps.jsonl", "other.jsonl"]).code(2).stderr_eq(str![[r#"
error: unexpected argument `other.jsonl`
help: leafpress exports one session at a time; name the page with `-o FILE`

"#]]);
    // A file of that name is a session.
    folder.write("treee", "");
    folder.run(&["treee"]).code(1);
    assert_eq!(folder.names(), ["first-steps.jsonl", "treee"]);
}

#[test]
fn the_session_is_never_overwritten() {
    let folder = Folder::with_example("first-steps.jsonl");
    let before = folder.read("first-steps.jsonl");
    std::fs::hard_link(folder.path("first-steps.jsonl"), folder.path("same.html")).unwrap();
    for out in ["first-steps.jsonl", "./first-steps.jsonl", "same.html"] {
        let assert = folder.run(&["first-steps.jsonl", "-o", out]).code(1);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains("it is the session file itself"), "{stderr}");
    }
    assert_eq!(folder.read("first-steps.jsonl"), before);
}

#[test]
fn outputs_that_cannot_be_written() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder
        .run(&["first-steps.jsonl", "-o", "no/such/folder.html"])
        .code(1)
        .stdout_eq(str![""])
        .stderr_eq(str![[r#"
error: failed to write `no/such/folder.html`: no such file or directory

"#]]);
    std::fs::create_dir(folder.path("taken")).unwrap();
    folder.run(&["first-steps.jsonl", "-o", "taken"]).code(1).stderr_eq(str![[r#"
error: failed to write `taken`: it is a directory
help: name a file in the directory

"#]]);
    assert_eq!(folder.names(), ["first-steps.jsonl", "taken"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["first-steps.jsonl", "-o", "/dev/full"]).code(1).stderr_eq(str![[r#"
error: failed to write `/dev/full`: no space left on device

"#]]);
}

#[test]
fn themes_that_cannot_be_used() {
    let folder = Folder::with_example("first-steps.jsonl");
    let refused = |json: &str| {
        folder.write("theme.json", json);
        let assert = folder.run(&["first-steps.jsonl", "--theme", "theme.json"]).code(1);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    assert!(
        refused("no json").starts_with("error: invalid theme `theme.json`: expected JSON such as")
    );
    assert!(
        refused(r##"{"light": {"nope": "#fff"}}"##)
            .contains("unknown color `nope`; the colors are accent,")
    );
    assert!(
        refused(r##"{"light": {"ink": "#eee"}}"##)
            .contains("`ink` on `paper` in `light` has a contrast of 1.")
    );
    let missing = folder.run(&["first-steps.jsonl", "--theme", "gone.json"]).code(1);
    assert!(
        String::from_utf8_lossy(&missing.get_output().stderr)
            .contains("failed to read `gone.json`")
    );
    assert_eq!(folder.names(), ["first-steps.jsonl", "theme.json"]);
}

/// What a file is most like, and the command that reads it so all the same.
#[test]
fn a_file_of_no_known_format_is_refused_with_the_nearest() {
    let folder = Folder::new();
    let line = "{\"type\":\"message\",\"from\":\"ana\",\"body\":\"hi\"}\n";
    folder.write("chat.jsonl", line);
    let stderr = folder.run(&["chat.jsonl"]).code(1).get_output().stderr.clone();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(
        stderr.ends_with("help: to read it as pi: `leafpress --format pi chat.jsonl`\n"),
        "{stderr}"
    );
}
