//! `leafpress markdown`.

use leafpress::markdown::{Detail, MarkdownOptions};
use leafpress::session::message::{Block, Message};
use leafpress::session::{Body, Session};
use snapbox::str;

use crate::support::folder::Folder;
use crate::support::session::Log;

const LIGHTHOUSE: &str = "lighthouse.jsonl";

#[test]
fn the_story_of_a_branch() {
    let folder = Folder::with_example("first-steps.jsonl");
    folder.run(&["markdown", "first-steps.jsonl"]).success().stdout_eq(str![[r#"
# Is there anything twice in shopping.txt?

pi · notes · claude-sonnet-4-5 · 2026-11-10 08:30

## 1. Is there anything twice in shopping.txt?

Is there anything twice in shopping.txt?

- 2 steps: 1 command, 1 message

Yes: **flour** is on the list twice. Shall I take one out?

## 2. Please.

Please.

- 1 step: 1 edit +3

Done. Flour, eggs and lemons are left.

## Files changed

1 file, +3 −0

- `shopping.txt` +3 −0, 1 edit, created or overwritten, in part

"#]]);
}

#[test]
fn calls_have_a_line_each_and_then_all_that_they_say() {
    let folder = Folder::with_example(LIGHTHOUSE);
    let text = |detail| {
        let printed = folder.run(&["markdown", LIGHTHOUSE, "--detail", detail]).success();
        String::from_utf8(printed.get_output().stdout.clone()).unwrap()
    };
    let (story, steps, full) = (text("story"), text("steps"), text("full"));
    let line = "- 12 steps: 5 edits about +147 −15, 3 commands (2 failed), 4 messages\n";
    assert!(story.contains(line) && !story.contains("  - **bash**"), "{story}");
    assert!(steps.contains(line) && steps.contains("  - **read** `src/table.rs`\n"), "{steps}");
    assert!(full.contains("<summary>read: src/table.rs · 56 lines · 14ms</summary>"), "{full}");
    assert!(!story.contains("<details>") && !steps.contains("<details>"));
    assert!(story.contains("_Compacted from 8.2k tokens"), "{story}");
}

#[test]
fn a_branch_goes_into_a_file() {
    let folder = Folder::with_example("garden.jsonl");
    let args = ["markdown", "garden.jsonl", "--branch", "b8774523", "-o", "garden.md"];
    folder.run(&args).success().stdout_eq("garden.md\n");
    let whole = folder.run(&["markdown", "garden.jsonl"]).success();
    assert_ne!(folder.read("garden.md").as_bytes(), whole.get_output().stdout);
    folder.run(&["markdown", "garden.jsonl", "-o", "garden.jsonl"]).failure().code(1);
    assert_eq!(folder.names(), ["garden.jsonl", "garden.md"]);
}

#[test]
fn a_limit_takes_output_then_steps_then_the_oldest_responses() {
    let folder = Folder::with_example(LIGHTHOUSE);
    let limited = |size: usize| {
        let size = size.to_string();
        let args = ["markdown", LIGHTHOUSE, "--detail", "full", "--max-size", &size];
        folder.run(&args).get_output().clone()
    };
    let says = |size, words: &str| {
        let output = limited(size);
        assert!(output.status.success());
        assert!(output.stdout.len() <= size, "{} of {size}", output.stdout.len());
        let (text, told) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(told.contains(words), "{size}: {told}");
        assert!(text.contains("_Left out to fit "), "{text}");
    };
    says(25_000, "output beyond ");
    says(8_000, "left out to fit: output, thinking\n");
    says(6_000, "left out to fit: output, thinking, steps\n");
    says(5_000, "left out to fit: output, thinking, steps, files changed\n");
    says(4_000, "from the beginning\n");
    let none = limited(500);
    assert_eq!(none.status.code(), Some(1));
    assert!(none.stdout.is_empty());
    let told = String::from_utf8(none.stderr).unwrap();
    assert!(told.contains("do not fit into 500 B") && told.contains("help: "), "{told}");
}

#[test]
fn secrets_are_told_refused_or_replaced() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let folder = Folder::new();
    folder.write(
        "s.jsonl",
        &format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"s\"}}\n\
             {{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":\"use {secret}\"}}}}\n"
        ),
    );
    let run =
        |more: &[&str]| folder.run(&[&["markdown", "s.jsonl"], more].concat()).get_output().clone();
    let (warned, refused, replaced) = (run(&[]), run(&["--fail-on-secrets"]), run(&["--redact"]));
    assert!(String::from_utf8_lossy(&warned.stderr).contains("1 possible secret"));
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let text = String::from_utf8(replaced.stdout).unwrap();
    assert!(!text.contains(&secret[4..]) && text.contains("redacted:"), "{text}");
}

/// The letters and digits alone: what is escaped and shaped differs in all else.
fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Of prompts and responses on the branch, what each says, and whether it is one.
fn texts(session: &Session) -> Vec<(bool, String)> {
    let mut texts = Vec::new();
    for index in session.tree().path(session.leaf()) {
        let (is_prompt, content) = match session.entry(index).unwrap().body {
            Body::Message(Message::User(content)) => (true, content),
            Body::Message(Message::Assistant(assistant)) => (false, assistant.content),
            _ => continue,
        };
        for block in content {
            if let Block::Text(text) = block {
                texts.push((is_prompt, text.into_owned()));
            }
        }
    }
    texts
}

#[test]
fn every_prompt_and_every_response_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for folder in ["examples", "tests/fixtures/samples", "tests/fixtures/fragments"] {
        for file in std::fs::read_dir(root.join(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let Ok(session) = leafpress::read(std::fs::read(&file).unwrap()) else { continue };
            let written = |detail| {
                let options = MarkdownOptions::new().detail(detail);
                bare(&leafpress::markdown::of(&session, &options).unwrap().text)
            };
            let (story, full) = (written(Detail::Story), written(Detail::Full));
            for (is_prompt, text) in texts(&session) {
                // Entities and addresses of references are written in other ways.
                if text.contains(['&', ']', '<', '\u{1b}']) {
                    continue;
                }
                let words = bare(&text);
                assert!(full.contains(&words), "{}: {text}", file.display());
                assert!(!is_prompt || story.contains(&words), "{}: {text}", file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_files_that_changed_stand_at_the_end_or_alone() {
    let folder = Folder::with_example("garden.jsonl");
    let text = |args: &[&str]| {
        let args = [&["markdown", "garden.jsonl"], args].concat();
        String::from_utf8(folder.run(&args).success().get_output().stdout.clone()).unwrap()
    };
    let (story, alone) = (text(&[]), text(&["--changes"]));
    let line = "\n- `beds.py` +49 −0, 3 edits, created or overwritten, in part\n";
    assert!(story.ends_with(line), "{story}");
    assert!(
        alone.contains(line) && alone.contains("```diff\n@@ -0,0 +1,49 @@\n+#!/usr/bin"),
        "{alone}"
    );
    assert!(!alone.contains("## 1."), "{alone}");
    // Diffs go before the list does.
    let short = text(&["--changes", "--max-size", "300"]);
    assert!(short.contains(line) && short.ends_with("_Left out to fit 300 B: diffs_\n"), "{short}");
    folder.run(&["markdown", "garden.jsonl", "--changes", "--max-size", "40"]).failure().code(1);
    folder.write("none.jsonl", &Log::new().user("go").assistant("done").text());
    let none = folder.run(&["markdown", "none.jsonl", "--changes"]).success();
    let none = String::from_utf8(none.get_output().stdout.clone()).unwrap();
    assert!(none.ends_with("\n\n_No edits in this session_\n"), "{none}");
    let none = folder.run(&["markdown", "none.jsonl"]).success();
    assert!(!String::from_utf8_lossy(&none.get_output().stdout).contains("Files changed"));
}
