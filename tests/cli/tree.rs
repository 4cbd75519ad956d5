//! `leafpress tree`.

use snapbox::str;

use crate::support::folder::{Folder, json};

#[test]
fn rows_carry_ids_and_no_colors_in_a_pipe() {
    let folder = Folder::with_fixture("samples/pi-1.5-tree.jsonl");
    folder.run(&["tree", "session.jsonl", "--filter", "user-only"]).success().stdout_eq(str![[
        r#"
t0000001  • user: alpha root
t0000009  ├─ • [mid] user: middle one
t0000003  ├─ user: left one
t0000005  │  ├─ user: left leaf A
t0000007  │  └─ user: left leaf B
t0000012  └─ user: right one
t0000016     ├─ user: right leaf X
t0000017     └─ user: right leaf Y
t0000019  [beta] user: beta root
t0000021  ├─ user: beta fork 1
t0000022  └─ user: beta fork 2
11 of 25 entries

"#
    ]]);
}

#[test]
fn the_json_has_its_promised_shape() {
    let folder = Folder::with_fixture("samples/pi-1.5-tree.jsonl");
    let assert = folder.run(&[
        "tree",
        "session.jsonl",
        "--leaf",
        "t0000006",
        "--filter",
        "labeled-only",
        "--json",
    ]);
    assert_eq!(
        json(&assert.success()),
        serde_json::json!({"leafId": "t0000006", "shown": 2, "total": 25, "rows": [
            {"id": "t0000009", "prefix": "", "text": "user: middle one", "label": "mid", "onPath": false, "depth": 0},
            {"id": "t0000019", "prefix": "", "text": "user: beta root", "label": "beta", "onPath": false, "depth": 0},
        ]})
    );
}

#[test]
fn search_looks_into_what_the_page_shows() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let hits = |words: &str| {
        json(&folder.run(&["tree", "lighthouse.jsonl", "--search", words, "--json"]))["shown"]
            .clone()
    };
    assert_ne!(hits("parabola"), 0);
    assert_eq!(hits("parabola no-such-word"), 0);
}

#[test]
fn a_hostile_text_does_not_steer_the_terminal() {
    let folder = Folder::new();
    let text = r"\u001b]0;title\u0007\u001b[31mred\u202e \u2066 \u200f \u200b \u00ad \udb40\udc68\udb40\udc69";
    folder.write(
        "x.jsonl",
        &format!(r#"{{"type":"message","id":"a","message":{{"role":"user","content":"{text}"}}}}"#),
    );
    let assert = folder.run(&["tree", "x.jsonl"]).success();
    let stdout = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let steering = ['\u{1b}', '\u{7}', '\u{202e}', '\u{2066}', '\u{200f}', '\u{200b}', '\u{ad}'];
    assert!(!stdout.contains(steering) && !stdout.contains('\u{e0068}'), "{stdout:?}");
    let marks = "red‹U+202E› ‹U+2066› ‹U+200F› ‹U+200B› ‹U+00AD› ‹tags “hi”›";
    assert!(stdout.contains(marks), "{stdout:?}");
    let tree = json(&folder.run(&["tree", "x.jsonl", "--json"]).success());
    assert!(tree["rows"][0]["text"].as_str().unwrap().contains('\u{202e}'), "data as written");
    for command in ["context", "branches", "stats"] {
        let assert = folder.run(&[command, "x.jsonl"]).success();
        let stdout = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(!stdout.contains(steering), "{command}: {stdout:?}");
    }
}

#[test]
fn odd_ids_print_as_keys_that_can_be_named() {
    let folder = Folder::new();
    folder.write(
        "x.jsonl",
        r#"{"type":"message","id":"a/b c","message":{"role":"user","content":"x"}}"#,
    );
    let tree = json(&folder.run(&["tree", "x.jsonl", "--json"]).success());
    assert_eq!(tree["rows"][0]["id"], "a%2Fb%20c");
    for name in ["a%2Fb%20c", "a/b c"] {
        folder.run(&["tree", "x.jsonl", "--leaf", name]).success();
    }
}

#[test]
fn sub_sessions_have_a_line_each_unless_they_are_left_out() {
    let name = "samples/claude-code/projects/-home-ana-proj-datefmt/11111111-2222-4333-8444-555555555555.jsonl";
    let folder = Folder::with_fixture(name);
    let lines = |args: &[&str]| {
        let output = folder.run(args).success();
        String::from_utf8_lossy(&output.get_output().stdout).matches('⊞').count()
    };
    assert_eq!(lines(&["tree", "session.jsonl"]), 1);
    assert_eq!(lines(&["tree", "session.jsonl", "--no-subsessions"]), 0);
    for (args, count) in [
        (["--filter", "user-only"], 0),
        (["--filter", "labeled-only"], 0),
        (["--search", "thanks"], 0),
        (["--search", "\"wc -l\""], 1),
    ] {
        assert_eq!(lines(&[&["tree", "session.jsonl"][..], &args].concat()), count, "{args:?}");
    }
    folder.run(&["session.jsonl", "--no-subsessions"]).success();
    assert!(!folder.read("session.html").contains("sub-session\" data-ui"));
}

#[test]
fn a_word_that_is_no_operator_after_all_is_a_warning() {
    let folder = Folder::with_fixture("samples/pi-1.5-tree.jsonl");
    let run = folder.run(&["tree", "session.jsonl", "--search", "is:eror after:2025-13"]);
    run.success().stderr_eq(str![[r#"
warning: unknown state `is:eror`; did you mean `is:error`?
warning: `after:2025-13` is not a date; did you mean `after:2025-12`?

"#]]);
}
