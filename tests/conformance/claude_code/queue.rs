//! Prompts typed while the agent was at work: once, where they were delivered.

use leafpress::Session;
use leafpress::outline::{Row, Rows};
use leafpress::session::Kind;
use serde_json::{Value, json};

use super::{Lines, answers, calls, forks, path, prompt, says};
use crate::support::session::{index, seen};

fn operation(operation: &str, text: Option<&str>) -> Value {
    let mut line = json!({"type": "queue-operation", "operation": operation, "sessionId": "s",
        "timestamp": "2026-01-01T00:30:00.000Z"});
    if let Some(text) = text {
        line["content"] = json!(text);
    }
    line
}

fn attachment(text: &str) -> Value {
    json!({"type": "attachment",
        "attachment": {"type": "queued_command", "prompt": text, "commandMode": "prompt"}})
}

impl Lines {
    /// A line as it is, without an id.
    fn raw(mut self, line: Value) -> Lines {
        self.lines.push(line);
        self
    }

    fn queue(self, name: &str, text: Option<&str>) -> Lines {
        self.raw(operation(name, text))
    }
}

/// What a prompt or a note says, by the kind of its entry.
fn said(session: &Session) -> Vec<(Kind, String)> {
    let rows = Rows { format: session.format(), cwd: "" };
    let kinds = [Kind::User, Kind::CustomMessage];
    let texts = session.indices().filter_map(|entry| {
        let kind = Kind::of(&session.entry(entry).unwrap().body);
        kinds.contains(&kind).then(|| (kind, Row::of(&session.entry(entry).unwrap(), rows).line()))
    });
    texts.collect()
}

fn prompts(session: &Session) -> Vec<String> {
    said(session)
        .into_iter()
        .filter(|(kind, _)| *kind == Kind::User)
        .map(|(_, text)| text)
        .collect()
}

fn notes(session: &Session) -> Vec<String> {
    said(session)
        .into_iter()
        .filter(|(kind, _)| *kind != Kind::User)
        .map(|(_, text)| text)
        .collect()
}

/// A turn at work: the prompt, a call, and then whatever the test puts in.
fn working() -> Lines {
    Lines::default().user("go").calls("m1", "a")
}

#[test]
fn a_prompt_that_only_the_queue_holds_stands_where_it_was_delivered() {
    let session = working()
        .queue("enqueue", Some("and the docs?"))
        .under("u2", answers("a", "A"))
        .queue("remove", None)
        .under("u4", says("m2", "Those too."))
        .user("thanks")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u4", "line-3", "u6", "u7"]);
    assert_eq!(prompts(&session), ["user: go", "user: and the docs?", "user: thanks"]);
    assert_eq!(
        seen(&session, "u7")[2..],
        ["toolResult A", "user and the docs?", "assistant Those too.", "user thanks"]
    );
    assert!(session.notes().iter().any(|note| note.ends_with("1 queue operation")), "the remove");
}

#[test]
fn an_attachment_and_the_queue_are_one_prompt() {
    for text in [None, Some("and the docs?")] {
        for first in [true, false] {
            let lines = working().queue("enqueue", Some("and the docs?"));
            let lines = lines.under("u2", answers("a", "A"));
            let lines = if first { lines } else { lines.queue("remove", text) };
            let lines = lines.under("u4", attachment("and the docs?"));
            let lines = if first { lines.queue("remove", text) } else { lines };
            let id = if first { "u5" } else { "u6" };
            let session = lines.under(id, says("m2", "yes")).read();
            assert_eq!(prompts(&session), ["user: go", "user: and the docs?"], "{text:?} {first}");
            assert_eq!(path(&session), ["u1", "u2", "u4", id, "u7"]);
        }
    }
}

#[test]
fn an_attachment_in_other_words_and_pictures_alone_are_one_prompt() {
    let picture = json!([{"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": "iVBO"}}]);
    let mut queued = operation("enqueue", None);
    queued["content"] = picture.clone();
    let mut attached = attachment("");
    attached["attachment"]["prompt"] = picture;
    for (queued, attached) in [
        (queued.clone(), Some(attached)),
        (queued, None),
        (operation("enqueue", Some("see [Pasted text #1]")), Some(attachment("see all of it"))),
    ] {
        let is_attached = attached.is_some();
        let lines = working().raw(queued).under("u2", answers("a", "A")).queue("remove", None);
        let lines = attached.into_iter().fold(lines, |lines, line| lines.under("u4", line));
        let session = lines.under(if is_attached { "u6" } else { "u4" }, says("m2", "yes")).read();
        assert_eq!(prompts(&session).len(), 2);
        assert!(path(&session).contains(&"u6"));
        assert_eq!(path(&session).contains(&"line-3"), !is_attached);
    }
}

#[test]
fn a_prompt_sent_from_the_queue_is_shown_at_its_own_line() {
    let session = working()
        .under("u2", answers("a", "A"))
        .queue("enqueue", Some("/review 12"))
        .queue("enqueue", Some("next"))
        .queue("enqueue", Some("one"))
        .queue("enqueue", Some("two"))
        .under("u3", says("m2", "done"))
        .queue("dequeue", None)
        .under("u8", prompt("<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args>"))
        .says("m3", "reviewed")
        .queue("dequeue", None)
        .under("u11", json!({"type": "user", "message": {"content": [
            {"type": "text", "text": "<ide_opened_file>a.rs</ide_opened_file>"}, {"type": "text", "text": "next"}]}}))
        .says("m4", "ok")
        .queue("dequeue", None)
        .queue("dequeue", None)
        .under("u14", prompt("one\ntwo"))
        .read();
    assert_eq!(
        path(&session),
        ["u1", "u2", "u3", "u8", "u10", "u11", "u13#editor", "u13", "u14", "u17"]
    );
    assert_eq!(notes(&session), ["editor: <ide_opened_file>a.rs</ide_opened_file>"]);
    assert_eq!(prompts(&session).len(), 4);
}

#[test]
fn a_prompt_taken_back_is_a_note_and_never_in_the_context() {
    let session = working()
        .queue("enqueue", Some("wrong"))
        .queue("popAll", Some("wrong"))
        .queue("enqueue", Some("dropped"))
        .queue("dequeue", None)
        .user("[Request interrupted by user]")
        .queue("enqueue", Some("cancelled"))
        .raw(json!({"type": "queue-operation", "operation": "remove", "reason": "cancelled", "content": "cancelled"}))
        .under("u7", prompt("right"))
        .says("m2", "fine")
        .queue("enqueue", Some("too late"))
        .read();
    assert_eq!(prompts(&session), ["user: go", "user: right"]);
    assert_eq!(
        notes(&session),
        [
            "queued-prompt-taken-back: wrong",
            "queued-prompt-taken-back: dropped",
            "Stopped by the user",
            "queued-prompt-taken-back: cancelled",
            "queued-prompt-not-sent: too late",
        ]
    );
    assert!(forks(&session).is_empty());
    let end = *path(&session).last().unwrap();
    assert_eq!(session.leaf(), index(&session, end));
    let context = seen(&session, end).join("\n");
    for text in ["wrong", "dropped", "cancelled", "too late"] {
        assert!(!context.contains(text), "{text}: {context}");
    }
}

#[test]
fn without_its_text_everything_in_the_queue_is_taken_back() {
    let session = working()
        .queue("enqueue", Some("<task-notification>a</task-notification>"))
        .queue("enqueue", Some("one"))
        .queue("enqueue", Some("two"))
        .queue("popAll", None)
        .queue("popAll", None)
        .under("u2", answers("a", "A"))
        .read();
    assert_eq!(notes(&session), ["queued-prompt-taken-back: one", "queued-prompt-taken-back: two"]);
}

#[test]
fn the_programs_own_notices_are_no_prompts_and_do_not_mix_them_up() {
    let notice = "<task-notification>done</task-notification>";
    let session = working()
        .queue("enqueue", Some(notice))
        .queue("enqueue", Some(r#"{"task_id": "b1", "description": "Build"}"#))
        .queue("enqueue", Some("mine"))
        .queue("enqueue", None)
        .under("u2", answers("a", "A"))
        .queue("remove", None)
        .under("u7", says("m2", "yes"))
        .queue("dequeue", None)
        .under("u9", prompt(notice))
        .queue("remove", None)
        .read();
    assert_eq!(prompts(&session), ["user: go", "user: mine"]);
    assert_eq!(path(&session), ["u1", "u2", "u7", "line-5", "u9", "u11"]);
}

#[test]
fn two_prompts_of_the_same_words_are_two() {
    let session = working()
        .queue("enqueue", Some("go on"))
        .under("u2", answers("a", "A"))
        .queue("remove", None)
        .under("u4", calls("m2", "b"))
        .queue("enqueue", Some("go on"))
        .under("u6", answers("b", "B"))
        .queue("remove", None)
        .under("u8", says("m3", "done"))
        .user("go on")
        .read();
    assert_eq!(prompts(&session), ["user: go", "user: go on", "user: go on", "user: go on"]);
    assert_eq!(path(&session), ["u1", "u2", "u4", "line-3", "u6", "u8", "line-7", "u10", "u11"]);
}

#[test]
fn what_a_run_left_in_the_queue_is_not_taken_for_what_the_next_one_queues() {
    let session = working()
        .queue("enqueue", Some("lost when it was killed"))
        .under("u2", answers("a", "A"))
        .user("resumed")
        .calls("m2", "b")
        .queue("enqueue", Some("asked later"))
        .under("u6", answers("b", "B"))
        .queue("remove", None)
        .under("u8", says("m3", "yes"))
        .read();
    assert_eq!(prompts(&session), ["user: go", "user: resumed", "user: asked later"]);
    assert_eq!(notes(&session), ["queued-prompt-not-sent: lost when it was killed"]);
}

#[test]
fn a_removal_alone_still_says_the_prompt() {
    let session = Lines::default()
        .user("go on from the other file")
        .raw(
            json!({"type": "queue-operation", "operation": "remove", "reason": "absorbed_mid_turn",
            "content": "also this", "sessionId": "s"}),
        )
        .under("u1", says("m1", "sure"))
        .read();
    assert_eq!(path(&session), ["u1", "line-2", "u3"]);
    assert_eq!(prompts(&session)[1], "user: also this");
}

#[test]
fn an_attachment_without_an_id_is_a_prompt() {
    let session = working()
        .under("u2", answers("a", "A"))
        .raw(attachment("and this"))
        .under("u3", says("m2", "ok"))
        .user("more")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "line-4", "u5", "u6"]);
}

#[test]
fn a_prompt_typed_during_a_response_is_no_branch() {
    for between in [prompt("wait"), attachment("wait")] {
        // Between two lines of one response, and while its tools run.
        for (parent, hangs) in [("u2", "u3"), ("u2", "u2")] {
            let session = Lines::default()
                .user("go")
                .says("m1", "I will edit.")
                .under(parent, between.clone())
                .under(hangs, calls("m1", "a"))
                .under("u4", answers("a", "A"))
                .says("m2", "done")
                .user("thanks")
                .read();
            assert!(forks(&session).is_empty(), "{between} {hangs}");
            assert_eq!(path(&session), ["u1", "u2", "u3", "u5", "u6", "u7"]);
            assert_eq!(
                seen(&session, "u7").iter().filter(|text| text.ends_with("wait")).count(),
                1
            );
        }
        let session = Lines::default()
            .user("go")
            .calls("m1", "a")
            .calls("m1", "b")
            .under("u2", answers("a", "A"))
            .under("u4", between)
            .under("u3", answers("b", "B"))
            .says("m2", "done")
            .user("thanks")
            .read();
        assert!(forks(&session).is_empty());
        assert_eq!(path(&session), ["u1", "u2", "u4", "u5", "u6", "u7", "u8"]);
    }
    // Behind all that a response left, going back is what it was.
    let rewound = Lines::default()
        .user("go")
        .calls("m1", "a")
        .answers("a", "A")
        .under("u2", prompt("first try"))
        .under("u2", prompt("second try"))
        .read();
    assert_eq!(forks(&rewound), ["u3"]);
}

#[test]
fn odd_operations_are_read_and_nothing_is_lost() {
    let values = [json!(null), json!(7), json!("x"), json!([1, "a"]), json!({"a": 1}), json!(true)];
    let whole =
        [operation("enqueue", Some("p")), operation("remove", Some("p")), operation("odd", None)];
    for at in 0..whole.len() {
        for key in ["operation", "content", "timestamp", "sessionId", "reason"] {
            for value in &values {
                let mut lines = whole.clone();
                lines[at][key] = value.clone();
                let lines = lines.into_iter().fold(working(), Lines::raw);
                let session = lines.under("u2", answers("a", "A")).read();
                let counted = session.notes().join(" ").contains("queue operation");
                assert!(session.len() >= 3 && counted, "{key} {value}");
            }
        }
    }
}
