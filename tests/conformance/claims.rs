//! What a session does not bear out is not said of it: each test is a small session of Claude Code, or Gemini CLI, of which
//! something untrue was said once.

use std::fmt::Write as _;

use leafpress::changes::{Changes, FileStatus};
use leafpress::markdown::{self, MarkdownOptions};
use leafpress::page::Detail;
use leafpress::report::stats;
use leafpress::session::{Format, Session};
use serde_json::{Value, json};

/// Rows one behind the other, each a second after the one before unless it says another time.
struct Rows {
    text: String,
    count: usize,
}

impl Rows {
    fn new() -> Rows {
        Rows { text: String::new(), count: 0 }
    }

    fn row(mut self, kind: &str, message: Value) -> Rows {
        let time = format!("2026-11-02T09:00:{:02}Z", self.count);
        self = self.at(&time, kind, message);
        self
    }

    fn at(mut self, time: &str, kind: &str, message: Value) -> Rows {
        let parent = self.count.checked_sub(1).map(|nth| format!("r{nth}"));
        let id = format!("r{}", self.count);
        let mut row = json!({"uuid": id, "parentUuid": parent, "sessionId": "s", "cwd": "/w", "type": kind,
            "timestamp": time});
        let body = if kind == "attachment" { "attachment" } else { "message" };
        row[body] = message;
        let _ = writeln!(self.text, "{row}");
        self.count += 1;
        self
    }

    fn prompt(self, text: &str) -> Rows {
        self.row("user", json!({"role": "user", "content": text}))
    }

    fn said(self, content: &Value) -> Rows {
        let id = format!("m{}", self.count);
        let message =
            json!({"id": id, "role": "assistant", "model": "claude-opus-5-5", "content": content});
        self.row("assistant", message)
    }

    fn call(self, id: &str, command: &str) -> Rows {
        let input = json!({"command": command});
        self.said(&json!([{"type": "tool_use", "id": id, "name": "Bash", "input": input}]))
    }

    fn result(self, id: &str, text: &str, is_error: bool) -> Rows {
        let block = json!({"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error});
        self.row("user", json!({"role": "user", "content": [block]}))
    }

    fn read(&self) -> Session {
        leafpress::read(self.text.clone().into_bytes()).unwrap()
    }
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

#[test]
fn a_session_that_is_opened_again_did_not_work_meanwhile() {
    let made_up = json!({"id": "x", "role": "assistant", "model": "<synthetic>",
        "content": text("No response requested.")});
    let rows = Rows::new().prompt("Say one").said(&text("One."));
    let total = stats(&rows.at("2026-11-02T12:00:00Z", "assistant", made_up).read()).total;
    assert_eq!((total.turns, total.worked_ms), (1, 1000));
}

#[test]
fn a_command_of_the_user_begins_its_own_time() {
    let rows = Rows::new().prompt("Say one").said(&text("One."));
    let typed = json!({"role": "user", "content": "<bash-input>date</bash-input>"});
    let answer = json!({"id": "x", "role": "assistant", "model": "claude-opus-5-5",
        "content": text("Noon.")});
    let session = rows
        .at("2026-11-02T10:00:00Z", "user", typed)
        .at("2026-11-02T10:00:02Z", "assistant", answer)
        .read();
    let total = stats(&session).total;
    assert_eq!((total.prompts, total.turns, total.worked_ms), (1, 2, 3000));
}

#[test]
fn an_error_of_the_program_is_no_response() {
    let error = json!({"id": "x", "role": "assistant", "model": "<synthetic>",
        "content": text("API Error: 529")});
    let mut rows = Rows::new().prompt("Say one").row("assistant", error);
    rows.text =
        rows.text.replacen("\"uuid\":\"r1\"", "\"isApiErrorMessage\":true,\"uuid\":\"r1\"", 1);
    let total = stats(&rows.read()).total;
    assert_eq!((total.turns, total.failures), (0, 1));
}

#[test]
fn one_stop_with_a_note_between_its_rows_is_one() {
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    let rows = Rows::new()
        .prompt("Wait")
        .call("t", "sleep 30")
        .result("t", refused, true)
        .row("attachment", json!({"type": "prompt_snapshot", "systemPrompt": ["x"]}))
        .row(
            "user",
            json!({"role": "user", "content": text("[Request interrupted by user for tool use]")}),
        );
    let found = stats(&rows.read());
    assert_eq!((found.total.stops, found.stop_list.len()), (1, 1));
}

/// The paths that a session may have written, as `changes` lists them.
fn may_be_written(command: &str, output: &str, is_error: bool) -> Vec<String> {
    let session = Rows::new().prompt("x").call("t", command).result("t", output, is_error).read();
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    files.into_iter().filter(|file| !file.maybe.is_empty()).map(|file| file.path).collect()
}

#[test]
fn a_command_that_wrote_nothing_may_not_have_written() {
    assert_eq!(may_be_written("date > log.txt", "", false), ["log.txt"]);
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    for (command, output) in [
        ("date > log.txt", refused),
        ("date > log.txt", "Tool \"Bash\" not found. Did you mean one of: \"Read\"?"),
        ("date > a/log.txt", "Exit code 1\nbash: a/log.txt: No such file or directory"),
    ] {
        assert_eq!(may_be_written(command, output, true), [""; 0], "{output}");
    }
    let touch = Rows::new().prompt("x").call("t", "touch /srv/else.txt; echo $?").result(
        "t",
        "touch: cannot touch '/srv/else.txt': Read-only file system\n1",
        false,
    );
    let risky = stats(&touch.read()).landmarks;
    assert!(risky.is_empty(), "{risky:?}");
}

fn document(session: &Session, options: &MarkdownOptions) -> String {
    let mut document = Vec::new();
    markdown::write(session, options, &mut document).unwrap();
    String::from_utf8(document).unwrap()
}

#[test]
fn edits_that_failed_changed_no_file() {
    let edit = |id: &str, path: &str| {
        json!([{"type": "tool_use", "id": id, "name": "Edit",
            "input": {"file_path": path, "old_string": "a", "new_string": "b"}}])
    };
    let session = Rows::new()
        .prompt("x")
        .said(&edit("1", "/w/a.txt"))
        .result("1", "The file /w/a.txt has been updated.", false)
        .said(&edit("2", "/w/a.txt"))
        .result("2", "String to replace not found in file.", true)
        .said(&edit("3", "/w/b.txt"))
        .result("3", "File does not exist.", true)
        .read();
    let document = document(&session, &MarkdownOptions::new());
    assert!(document.contains("## Files changed\n\n1 file"), "{document}");
    assert!(document.contains("`a.txt`") && !document.contains("`b.txt`"), "{document}");
    assert!(document.contains("1 edit, 1 failed"), "{document}");
}

#[test]
fn what_is_said_between_steps_is_in_a_document_of_steps() {
    let session = Rows::new()
        .prompt("x")
        .said(&text("First the clock."))
        .call("t", "date")
        .result("t", "noon", false)
        .said(&text("It is noon."))
        .read();
    let options = MarkdownOptions::new().detail(Detail::Steps);
    let document = document(&session, &options);
    let places =
        ["First the clock.", "**Bash** `date`", "It is noon."].map(|said| document.find(said));
    assert!(places.is_sorted() && places[0].is_some(), "{document}");
}

#[test]
fn a_turn_is_summed_up_at_its_last_response() {
    let rows =
        Rows::new().prompt("x").said(&text("One.")).said(&text("Two.")).said(&text("Three."));
    let session = rows.read();
    let mut page = Vec::new();
    leafpress::export(&session, &leafpress::Options::default(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert_eq!(page.matches("This turn: ").count(), 1);
    assert!(page.contains("This turn: 3 responses"));
}

#[test]
fn a_file_that_the_tool_calls_new_was_created() {
    let row = |value: Value| format!("{value}\n");
    let call = json!({"id": "w", "name": "write_file", "status": "success",
        "args": {"file_path": "/w/new.md", "content": "new\n"},
        "result": [{"functionResponse": {"id": "w", "name": "write_file", "response":
            {"output": "Successfully created and wrote to new file: /w/new.md."}}}]});
    let file = [
        row(
            json!({"sessionId": "s", "projectHash": "h", "startTime": "2026-11-02T09:00:00Z", "lastUpdated": "2026-11-02T09:00:00Z", "kind": "main"}),
        ),
        row(
            json!({"id": "1", "timestamp": "2026-11-02T09:00:00Z", "type": "user", "content": [{"text": "Write"}]}),
        ),
        row(
            json!({"id": "2", "timestamp": "2026-11-02T09:00:01Z", "type": "gemini", "content": "", "model": "gemini-2.5-pro", "toolCalls": [call]}),
        ),
    ];
    let session = leafpress::read(file.concat().into_bytes()).unwrap();
    assert_eq!(session.format(), Format::Gemini);
    let changes = Changes::of(&session);
    assert_eq!(changes.at(&session, session.leaf())[0].status, FileStatus::Created);
}
