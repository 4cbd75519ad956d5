//! Changes shows the files that a session edited, by prompt and by file.

use std::fmt::Write as _;

use crate::support::{Browser, Exported};

in_each_engine!(changes);

/// Two prompts of Claude Code. Each writes or edits a file.
fn session() -> Vec<u8> {
    let input = [
        r#""Write","input":{"file_path":"/w/src/log.rs","content":"fn log() {\n    let tide = 4;\n}\n"}"#,
        r#""Edit","input":{"file_path":"/w/src/log.rs","old_string":"tide = 4","new_string":"tide = 12"}"#,
    ];
    let said = ["File created successfully at: /w/src/log.rs", "The file has been updated"];
    let mut rows = String::new();
    let mut parent = "null".to_owned();
    for nth in 0..2 {
        let messages = [
            ("p", "user", format!(r#"{{"content":"Prompt {nth} of the harbor log"}}"#)),
            (
                "c",
                "assistant",
                format!(
                    r#"{{"id":"m{nth}","content":[{{"type":"tool_use","id":"t{nth}","name":{}}}]}}"#,
                    input[nth]
                ),
            ),
            (
                "r",
                "user",
                format!(
                    r#"{{"content":[{{"type":"tool_result","tool_use_id":"t{nth}","content":"{}"}}]}}"#,
                    said[nth]
                ),
            ),
            (
                "a",
                "assistant",
                format!(r#"{{"id":"a{nth}","content":[{{"type":"text","text":"Done {nth}."}}]}}"#),
            ),
        ];
        for (minute, (name, kind, message)) in messages.into_iter().enumerate() {
            let _ = writeln!(
                rows,
                r#"{{"uuid":"{name}{nth}","parentUuid":{parent},"sessionId":"s","cwd":"/w","type":"{kind}","timestamp":"2026-11-02T09:{nth}{minute}:00Z","message":{message}}}"#
            );
            parent = format!("\"{name}{nth}\"");
        }
    }
    rows.into_bytes()
}

fn changes(browser: &Browser) {
    let page = browser.open(&Exported::story(session()), "");
    page.click("#tools [data-view=changes]");
    page.wait("the files", "document.querySelector('#changes .file') !== null && document.querySelectorAll('#changes .hunk-lines:empty').length === 0");
    assert_eq!(page.get::<Vec<String>>("Array.from(document.querySelectorAll('#changes [data-stop]'), (stop) => stop.dataset.stop)"), ["p0", "p1"]);
    let files = "Array.from(document.querySelectorAll('#changes [data-file]'), (file) => file.dataset.file)";
    assert_eq!(page.get::<Vec<String>>(files), ["src/log.rs", "src/log.rs"]);
    page.wait(
        "both lines of the edit",
        "['let tide = 4;', 'let tide = 12;'].every((line) => document.querySelector('[data-stop=p1] .hunk-lines')?.textContent.includes(line))",
    );
    page.press("t");
    page.wait_for("document.getElementById('changes').dataset.order", "file");
    page.wait_for(files, ["src/log.rs"]);
    page.wait("the lines", "document.querySelector('#changes .hunk-lines')?.textContent.includes('let tide = 12;') === true");
    page.back();
    page.wait_for("document.getElementById('changes').dataset.order", "prompt");
}
