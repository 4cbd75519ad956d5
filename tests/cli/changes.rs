//! `leafpress changes`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use snapbox::str;

use crate::support::folder::{Folder, json as printed};
use crate::support::inflated;
use crate::support::session::Log;

/// A call and its result.
trait Calls: Sized {
    fn call(self, tool: &str, arguments: &Value, said: &str) -> Self;
    fn prompt(self, words: &str) -> Self;
}

impl Calls for Log {
    fn call(self, tool: &str, arguments: &Value, said: &str) -> Log {
        let id = format!("c-{tool}-{}", arguments.to_string().len());
        let asked = json!({"type": "message", "message": {"role": "assistant", "stopReason": "toolUse", "content": [
            {"type": "toolCall", "id": id, "name": tool, "arguments": arguments}]}});
        let result = json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "toolName": tool,
            "content": [{"type": "text", "text": said}], "isError": said.starts_with("error")}});
        self.entry(asked).entry(result)
    }

    fn prompt(self, words: &str) -> Log {
        self.entry(json!({"type": "message", "message": {"role": "user", "content": words}}))
    }
}

fn write(path: &str, text: &str) -> Value {
    json!({"path": path, "content": text})
}

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "oldText": old, "newText": new})
}

fn path_of(path: &str) -> Value {
    json!({"path": path})
}

fn folder_with(log: &Log) -> Folder {
    let folder = Folder::new();
    folder.write("s.jsonl", &log.text());
    folder
}

fn changes(folder: &Folder, more: &[&str]) -> std::process::Output {
    folder.run(&[&["changes", "s.jsonl"], more].concat()).get_output().clone()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A session that reads `a.txt` and `b.txt`, changes both in two turns, and takes one edit back.
fn quay() -> Log {
    Log::new()
        .prompt("Rename the berths")
        .call("read", &path_of("a.txt"), "one\ntwo\nthree\n")
        .call("edit", &edit("a.txt", "two", "TWO"), "ok")
        .call("edit", &edit("a.txt", "three", "3"), "ok")
        .prompt("And the rest")
        .call("read", &path_of("/w/b.txt"), "low\n")
        .call("edit", &edit("b.txt", "low", "high"), "ok")
        .call("edit", &edit("b.txt", "high", "low"), "ok")
        .call("edit", &edit("a.txt", "nothing", "x"), "error: not found")
        .call("write", &write("new/c.txt", "tide\n"), "ok")
}

#[test]
fn a_line_a_file_says_what_became_of_it() {
    let folder = folder_with(&quay());
    folder.run(&["changes", "s.jsonl"]).success().stdout_eq(str![[r#"
a.txt      +2 -2  2 edits, 1 failed
b.txt      +0 -0  2 edits
new/c.txt  +1 -0  1 edit, created or overwritten, in part
3 files, +3 -2, 1 edit undone, 1 edit failed

"#]]);
    folder.run(&["changes", "s.jsonl", "--file", "./b.txt"]).success().stdout_eq(str![[r#"
b.txt  +0 -0  2 edits
1 file, +0 -0, 1 edit undone

"#]]);
    folder.run(&["changes", "s.jsonl", "--turn", "1"]).success().stdout_eq(str![[r#"
a.txt  +2 -2  2 edits
1 file, +2 -2

"#]]);
    folder.run(&["changes", "s.jsonl", "--leaf", "5"]).success().stdout_eq(str![[r#"
a.txt  +1 -1  1 edit
1 file, +1 -1

"#]]);
}

#[test]
fn the_words_of_the_list_are_in_the_help() {
    let folder = Folder::new();
    let help = text(&folder.run(&["help", "changes"]).success().get_output().stdout);
    for word in ["~", "from a patch", "in part", "maybe", "undone"] {
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
}

#[test]
fn json_has_each_edit() {
    let folder = folder_with(&quay());
    let report = printed(&folder.run(&["changes", "s.jsonl", "--json"]).success());
    assert_eq!(report["leafId"], "18");
    let file = &report["files"][1];
    let keys: Vec<&String> = file.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "path",
            "from",
            "status",
            "added",
            "removed",
            "net",
            "known",
            "breaks",
            "edits",
            "maybeWrittenBy"
        ]
        .iter()
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
    assert_eq!(file["net"], json!({"added": 0, "removed": 0}));
    assert_eq!((&file["added"], &file["removed"]), (&json!(2), &json!(2)));
    assert_eq!(
        file["edits"][0],
        json!({"entryId": "12", "promptId": "8", "promptText": "And the rest",
            "time": "2026-01-01T00:00:12.000Z", "subSession": null, "tool": "edit", "known": "exact",
            "ok": true, "undone": true, "onPath": true, "added": 1, "removed": 1})
    );
    assert_eq!(report["files"][0]["edits"][2]["ok"], false);
    assert_eq!(report["files"][2]["known"], "part");
    assert_eq!(report["files"][2]["status"], "written");
}

fn git(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::new("git");
    command.current_dir(folder).args(args);
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", folder).env("GIT_DIR", folder.join(".git"));
    command.output().unwrap()
}

/// Applies a patch in a new repository with these files, and gives what the files are then.
fn applied(patch: &str, files: &[(&str, &str)], names: &[&str]) -> Vec<Option<String>> {
    let folder = tempfile::tempdir().unwrap();
    assert!(git(folder.path(), &["init", "-q"]).status.success());
    for (name, text) in files {
        let place = folder.path().join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }
    let file = folder.path().join(".git/the.patch");
    std::fs::write(&file, patch).unwrap();
    let done = git(folder.path(), &["apply", "--whitespace=nowarn", file.to_str().unwrap()]);
    assert!(done.status.success(), "{}\n{patch}", text(&done.stderr));
    names.iter().map(|name| std::fs::read_to_string(folder.path().join(name)).ok()).collect()
}

fn patch_of(log: &Log, more: &[&str]) -> String {
    let folder = folder_with(log);
    let output = changes(&folder, &[&["--patch"], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn git_takes_the_patch() {
    let before = [("a.txt", "one\ntwo\nthree\n"), ("b.txt", "low\n")];
    let patch = patch_of(&quay(), &[]);
    let names = ["a.txt", "b.txt", "new/c.txt"];
    let after = applied(&patch, &before, &names);
    let expected = ["one\nTWO\n3\n", "low\n", "tide\n"];
    assert_eq!(after, expected.map(|text| Some(text.to_owned())));
    assert!(patch.contains("# b.txt: changed and changed back\n"), "{patch}");
    assert!(patch.contains("# new/c.txt: created or overwritten: "), "{patch}");
    let turn = patch_of(&quay(), &["--turn", "1"]);
    assert_eq!(applied(&turn, &before, &names[..1]), [Some("one\nTWO\n3\n".to_owned())]);
    let early = patch_of(&quay(), &["--leaf", "5"]);
    assert_eq!(applied(&early, &before, &names[..1]), [Some("one\nTWO\nthree\n".to_owned())]);
}

#[test]
fn git_takes_files_that_are_created_moved_and_deleted() {
    let patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: d/z.txt\n@@\n-two\n+2\n*** Add File: n.txt\n+new\n*** Delete File: b.txt\n*** End Patch";
    let log = Log::new()
        .prompt("go")
        .call("read", &path_of("a.txt"), "one\ntwo\n")
        .call("read", &path_of("b.txt"), "low\n")
        .call("apply_patch", &json!({ "input": patch }), "ok");
    let patch = patch_of(&log, &[]);
    let before = [("a.txt", "one\ntwo\n"), ("b.txt", "low\n")];
    let after = applied(&patch, &before, &["a.txt", "b.txt", "d/z.txt", "n.txt"]);
    assert_eq!(after, [None, None, Some("one\n2\n".to_owned()), Some("new\n".to_owned())]);
}

fn moved(from: &str, to: &str, hunks: &str) -> Value {
    json!({"input": format!("*** Begin Patch\n*** Update File: {from}\n*** Move to: {to}\n{hunks}*** End Patch")})
}

#[test]
fn git_takes_a_file_that_is_moved_onto_another() {
    let before = [("a", "hi\n"), ("b", "old\n")];
    for first in ["a", "b"] {
        let log = Log::new()
            .prompt("go")
            .call("read", &path_of("a"), "hi\n")
            .call("read", &path_of("b"), "old\n")
            .call("edit", &edit(first, if first == "a" { "hi" } else { "old" }, "new"), "ok")
            .call("apply_patch", &moved("a", "b", ""), "ok");
        let patch = patch_of(&log, &[]);
        let text = if first == "a" { "new\n" } else { "hi\n" };
        assert_eq!(applied(&patch, &before, &["a", "b"]), [None, Some(text.to_owned())], "{patch}");
    }
}

#[test]
fn a_file_that_came_and_went_is_not_in_the_patch() {
    let created = json!({"input": "*** Begin Patch\n*** Add File: a\n+hi\n*** End Patch"});
    let deleted = json!({"input": "*** Begin Patch\n*** Delete File: b\n*** End Patch"});
    let log = Log::new()
        .prompt("go")
        .call("apply_patch", &created, "ok")
        .call("apply_patch", &moved("a", "b", ""), "ok")
        .call("apply_patch", &deleted, "ok");
    let patch = patch_of(&log, &[]);
    assert!(patch.starts_with("# b: created and deleted\n"), "{patch}");
    assert!(patch.lines().all(|line| line.starts_with('#')), "{patch}");
}

#[test]
fn ends_of_lines_and_of_files_are_kept() {
    for (before, old, new, after) in [
        ("a\r\nb\r\n", "b\r\n", "c\r\n", "a\r\nc\r\n"),
        ("a\nb", "b", "c", "a\nc"),
        ("a\nb\n", "b\n", "b", "a\nb"),
        ("a\nb", "b", "b\n", "a\nb\n"),
        ("a\n", "a\n", "", ""),
        (
            "--- a\n+++ b\n@@ -1 +1 @@\n",
            "@@ -1 +1 @@\n",
            "# x\ndiff --git a/p b/p\n",
            "--- a\n+++ b\n# x\ndiff --git a/p b/p\n",
        ),
    ] {
        let log = Log::new().prompt("go").call("read", &path_of("f"), before).call(
            "edit",
            &edit("f", old, new),
            "ok",
        );
        let patch = patch_of(&log, &[]);
        assert_eq!(applied(&patch, &[("f", before)], &["f"]), [Some(after.to_owned())], "{patch}");
    }
}

#[test]
fn hostile_names_stay_within_the_folder() {
    let names = [
        "plain name.txt",
        "-rf",
        "a\"b\\c",
        "<img src=x onerror=alert(1)>.md",
        "line\nbreak",
        "tab\there ",
        "\u{202e}txt.exe",
        "é/ü.txt",
        "$(touch x)",
    ];
    for name in names {
        let log = Log::new().prompt("go").call("write", &write(name, "x\n"), "ok");
        let patch = patch_of(&log, &[]);
        let is_named = !name.starts_with('$');
        if is_named {
            assert_eq!(applied(&patch, &[], &[name.trim()]), [Some("x\n".to_owned())], "{patch}");
        } else {
            assert!(patch.lines().all(|line| line.starts_with('#')), "{patch}");
        }
    }
    for name in [
        "../up.txt",
        "/etc/passwd",
        "~/.ssh/config",
        ".git/hooks/pre-commit",
        "x/.GIT/config",
        "nul\0",
    ] {
        let log = Log::new().prompt("go").call("write", &write(name, "evil\n@@ -1 +1 @@\n"), "ok");
        let patch = patch_of(&log, &[]);
        assert!(patch.lines().all(|line| line.starts_with('#')), "{name:?}: {patch}");
        assert!(!patch.contains("evil"), "{patch}");
    }
}

#[test]
fn long_lines_and_large_and_binary_files_are_passed() {
    let line = "x".repeat(1 << 20);
    let lines = (0..300_000).map(|n| n.to_string()).collect::<Vec<_>>().join("\n") + "\n";
    let log = Log::new()
        .prompt("go")
        .call("write", &write("wide", &line), "ok")
        .call("edit", &edit("wide", &line, "y"), "ok")
        .call("read", &path_of("long"), &lines)
        .call("edit", &edit("long", "\n299998\n", "\nlast\n"), "ok")
        .call("write", &write("binary", "a\0b"), "ok");
    let folder = folder_with(&log);
    let patch = text(&changes(&folder, &["--patch", "--allow-secrets"]).stdout);
    assert!(patch.contains("# binary: binary\n") && !patch.contains('\0'));
    let after = applied(&patch, &[("long", &lines)], &["wide", "long", "binary"]);
    assert_eq!(after[0].as_deref(), Some("y"));
    assert_eq!(after[1].as_ref().map(|text| text.ends_with("299997\nlast\n299999\n")), Some(true));
    assert_eq!(after[2], None);
    let shown = changes(&folder, &["--show", "binary", "--at", "11"]);
    assert_eq!((shown.status.code(), shown.stdout.len()), (Some(1), 0));
    assert!(text(&shown.stderr).contains("it is binary"));
}

#[test]
fn a_file_is_shown_as_it_was_after_an_entry() {
    let folder = folder_with(&quay());
    let show = |file: &str, at: &str| {
        let output = changes(&folder, &["--show", file, "--at", at]);
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    // The call, its result, and before the first edit.
    assert_eq!(show("a.txt", "4").1, "one\ntwo\nthree\n");
    assert_eq!(show("a.txt", "5").1, "one\nTWO\nthree\n");
    assert_eq!(show("/w/a.txt", "18").1, "one\nTWO\n3\n");
    assert_eq!(show("a.txt", "1").1, "one\ntwo\nthree\n");
    let (code, out, told) = show("new/c.txt", "1");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(told.contains("`new/c.txt` is not known exactly at 1: "), "{told}");
    let (code, out, told) = show("aa.txt", "1");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(told.contains("the nearest names are `a.txt`, `b.txt`, `new/c.txt`"), "{told}");
    let unknown = changes(&folder, &["--file", "aa.txt"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert_eq!(text(&changes(&folder, &["--show", "a.txt"]).stdout), "one\nTWO\n3\n");
    assert_eq!(changes(&folder, &["--json", "--patch"]).status.code(), Some(2));
}

#[test]
fn what_is_not_known_is_said() {
    let log = Log::new()
        .prompt("go")
        .call("read", &path_of("a"), "one\ntwo\n")
        .call("edit", &edit("a", "one", "1"), "ok")
        .call("bash", &json!({"command": "sed -i s/t/T/ a"}), "")
        .call("edit", &edit("b", "x", "y"), "ok");
    let folder = folder_with(&log);
    let show = changes(&folder, &["--show", "a", "--at", "7"]);
    assert_eq!((show.status.code(), show.stdout.len()), (Some(1), 0));
    let told = text(&show.stderr);
    assert!(told.contains("not known exactly at 7, since 7: a command may have changed"), "{told}");
    let patch = text(&changes(&folder, &["--patch"]).stdout);
    assert!(
        patch.contains("# a: not known since 7: a command may have changed the file\n"),
        "{patch}"
    );
    assert!(
        patch.contains("# b: not known: only the words that it replaced are known\n"),
        "{patch}"
    );
    assert_eq!(applied(&patch, &[("a", "one\ntwo\n")], &["a"]), [Some("1\ntwo\n".to_owned())]);
    let only_part = Log::new().prompt("go").call("edit", &edit("b", "x", "y"), "ok");
    assert!(patch_of(&only_part, &[]).lines().all(|line| line.starts_with('#')));
}

#[test]
fn where_nothing_changed_is_said() {
    let none = folder_with(&Log::new().prompt("hello"));
    let some = folder_with(&quay().prompt("And now?"));
    for (folder, more, said) in [
        (&none, &[][..], "No edits in this session\n"),
        (&some, &["--leaf", "1"], "No edits up to `1`\n"),
        (&some, &["--turn", "19"], "No edits in the turn of `19`\n"),
        (&some, &["--file", "b.txt", "--leaf", "5"], "No edits of `b.txt` up to `5`\n"),
    ] {
        let output = changes(folder, more);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), said));
        let output = changes(folder, &[more, &["--patch"]].concat());
        let told = (output.status.code(), text(&output.stdout), text(&output.stderr));
        assert_eq!(told, (Some(0), String::new(), said.to_owned()));
    }
    let odd = changes(&some, &["--turn", "5"]);
    assert_eq!((odd.status.code(), odd.stdout.len()), (Some(1), 0));
    let told =
        "error: invalid `--turn`: `5` is not a prompt\nhelp: it is part of the turn of `1`\n";
    assert_eq!(text(&odd.stderr), told);
}

#[test]
fn a_file_that_only_a_command_may_have_written_has_no_counts() {
    let log = Log::new().prompt("go").call("bash", &json!({"command": "echo x > a.txt"}), "");
    let folder = folder_with(&log);
    folder.run(&["changes", "s.jsonl"]).success().stdout_eq(str![[r#"
a.txt     maybe
1 file, 1 file maybe changed by commands

"#]]);
}

/// `codex exec --json` names the files and no line of them.
#[test]
fn edits_whose_lines_are_not_in_the_file_have_no_counts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/today/codex-exec.jsonl");
    let folder = Folder::new();
    folder.run(&["changes", path]).success().stdout_eq(str![[r#"
/home/mila/hive/lid-notes.md     1 edit, in part
1 file

"#]]);
    let markdown = folder.run(&["markdown", path, "--changes"]).success();
    assert!(!text(&markdown.get_output().stdout).contains("+0"));
}

#[test]
fn paths_are_whole_in_a_pipe() {
    let path = format!("{}/file.txt", "a-folder/".repeat(20));
    let log = Log::new().prompt("go").call("write", &write(&path, "x\n"), "ok");
    let folder = folder_with(&log);
    let printed = text(&changes(&folder, &[]).stdout);
    assert!(printed.starts_with(&path.replace("//", "/")), "{printed}");
}

#[test]
fn edits_of_other_branches_count_up_to_the_time_of_the_leaf() {
    let log = Log::new()
        .prompt("go")
        .call("read", &path_of("a"), "one\ntwo\n")
        .call("edit", &edit("a", "one", "1"), "ok")
        .under(Some("3"))
        .prompt("instead")
        .call("edit", &edit("a", "two", "2"), "ok");
    let folder = folder_with(&log);
    let report = printed(&folder.run(&["changes", "s.jsonl", "--json"]).success());
    let edits = report["files"][0]["edits"].as_array().unwrap();
    let told: Vec<_> = edits.iter().map(|edit| (&edit["entryId"], &edit["onPath"])).collect();
    assert_eq!(told, [(&json!("5"), &json!(false)), (&json!("8"), &json!(true))]);
    assert_eq!(report["files"][0]["net"], json!({"added": 2, "removed": 2}));
    let early = printed(&folder.run(&["changes", "s.jsonl", "--json", "--leaf", "5"]).success());
    assert_eq!(early["files"][0]["edits"].as_array().unwrap().len(), 1);
}

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Edits of a file with a secret, of two turns.
fn with_secret() -> Folder {
    let log = Log::new()
        .prompt("go")
        .call("read", &path_of("a"), &format!("token = {SECRET}\ntwo\n"))
        .call("edit", &edit("a", "two", "2"), "ok")
        .prompt("more")
        .call("edit", &edit("a", "2", "two and a half"), "ok");
    folder_with(&log)
}

#[test]
fn redaction_and_cuts_reach_the_view() {
    let folder = with_secret();
    let view = |options: &[&str]| {
        folder.run(&[&["s.jsonl", "-o", "s.html", "--force"][..], options].concat()).success();
        inflated::changes(&folder.read("s.html")).collect::<Vec<_>>().join("\n")
    };
    let whole = view(&[]);
    assert!(whole.contains(SECRET) && whole.contains("two and a half"), "{whole}");
    let redacted = view(&["--redact"]);
    assert!(
        !redacted.contains(&SECRET[4..]) && redacted.contains("[redacted:github-token #1]"),
        "{redacted}"
    );
    let cut = view(&["--to", "5", "--active-only"]);
    assert!(cut.contains(SECRET) && !cut.contains("half"), "{cut}");
    assert!(!view(&["--no-tool-output"]).contains("token"));
}

#[test]
fn redaction_and_cuts_reach_the_patch() {
    let folder = with_secret();
    let plain = changes(&folder, &["--patch"]);
    assert!(text(&plain.stdout).contains(SECRET));
    assert!(text(&plain.stderr).contains("possible secret"));
    for more in [&["--patch"][..], &["--show", "a", "--at", "5"], &["--json"]] {
        let redacted = changes(&folder, &[more, &["--redact"]].concat());
        assert!(redacted.status.success(), "{}", text(&redacted.stderr));
        assert!(!text(&redacted.stdout).contains(&SECRET[4..]), "{more:?}");
        let refused = changes(&folder, &[more, &["--fail-on-secrets"]].concat());
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    }
    let cut = text(&changes(&folder, &["--patch", "--to", "5", "--active-only"]).stdout);
    assert!(cut.contains("+2\n") && !cut.contains("half"), "{cut}");
    // Without what tools printed, the file is not known.
    let cut = text(&changes(&folder, &["--patch", "--no-tool-output"]).stdout);
    assert!(!cut.contains("token") && cut.lines().all(|line| line.starts_with('#')), "{cut}");
}
