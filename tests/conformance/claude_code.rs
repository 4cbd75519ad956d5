//! Section L, Claude Code: L8 and L9, and what its files do to a reader.

use leafpress::Session;
use leafpress::format::{Beside, read_with};
use leafpress::session::entry::Compaction;
use leafpress::session::message::{Assistant, Block, Message, ToolResult, joined_text};
use leafpress::session::{Body, DamageKind, Dialect, Kind};
use serde_json::{Value, json};

use crate::support::{ids, index, pointers, read_fixture, seen};

const FOLDER: &str = "samples/claude-code/projects/-home-ana-proj-datefmt";

fn uuid(number: u32) -> String {
    format!("00000000-0000-4000-8000-000000000{number:03}")
}

/// Lines written in a few words; each hangs from the one before unless told otherwise.
#[derive(Default)]
struct Lines {
    lines: Vec<Value>,
}

impl Lines {
    fn line(mut self, mut line: Value) -> Lines {
        let number = self.lines.len() + 1;
        let parent = (number > 1).then(|| format!("u{}", number - 1));
        let defaults = json!({
            "uuid": format!("u{number}"), "parentUuid": parent, "isSidechain": false, "sessionId": "s",
            "timestamp": format!("2026-01-01T00:{:02}:{:02}.000Z", number / 60, number % 60),
        });
        for (key, value) in defaults.as_object().unwrap() {
            line.as_object_mut().unwrap().entry(key.clone()).or_insert(value.clone());
        }
        self.lines.push(line);
        self
    }

    fn user(self, text: &str) -> Lines {
        self.line(json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    fn under(self, parent: &str, mut line: Value) -> Lines {
        line["parentUuid"] = json!(parent);
        self.line(line)
    }

    fn says(self, id: &str, text: &str) -> Lines {
        self.line(says(id, text))
    }

    fn calls(self, id: &str, call: &str) -> Lines {
        self.line(calls(id, call))
    }

    fn answers(self, call: &str, text: &str) -> Lines {
        self.line(answers(call, text))
    }

    fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
    }

    fn read(&self) -> Session {
        let session = leafpress::read(self.text().into_bytes()).unwrap();
        assert_eq!(session.dialect(), Dialect::ClaudeCode);
        session
    }
}

#[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn part(id: &str, block: Value, output: u32) -> Value {
    json!({"type": "assistant", "requestId": format!("r-{id}"), "message": {"id": id, "role": "assistant",
        "model": "claude-x", "content": [block], "stop_reason": null,
        "usage": {"input_tokens": 3, "output_tokens": output, "cache_read_input_tokens": 5}}})
}

fn says(id: &str, text: &str) -> Value {
    part(id, json!({"type": "text", "text": text}), 7)
}

fn calls(id: &str, call: &str) -> Value {
    part(id, json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": call}}), 9)
}

fn answers(call: &str, text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}})
}

fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn forks(session: &Session) -> Vec<&str> {
    let tree = session.tree();
    ids(session, (0..session.len()).filter(|&entry| tree.children(entry).len() > 1))
}

fn path(session: &Session) -> Vec<&str> {
    ids(session, session.tree().path(session.leaf()))
}

fn assistant<'a>(session: &'a Session, id: &str) -> Assistant<'a> {
    match session.entry(index(session, id)).body {
        Body::Message(Message::Assistant(assistant)) => assistant,
        body => panic!("{id}: {body:?}"),
    }
}

fn result<'a>(session: &'a Session, id: &str) -> ToolResult<'a> {
    match session.entry(index(session, id)).body {
        Body::Message(Message::ToolResult(result)) => result,
        body => panic!("{id}: {body:?}"),
    }
}

fn compaction<'a>(session: &'a Session, id: &str) -> Compaction<'a> {
    match session.entry(index(session, id)).body {
        Body::Compaction(compaction) => compaction,
        body => panic!("{id}: {body:?}"),
    }
}

#[test]
fn l8_the_newer_layout() {
    let session = read_fixture(&format!("{FOLDER}/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl"));
    assert_eq!(session.dialect(), Dialect::ClaudeCode);
    assert_eq!(session.title(), Some("Leap-day fix"));
    let node = |number| index(&session, &uuid(number));
    assert_eq!(session.leaf(), node(22));

    // The path of the expectation, with the results put in line: 7 stands between 6 and 8.
    let bridged = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22];
    let mut expected: Vec<usize> = bridged.map(node).to_vec();
    expected.dedup();
    assert_eq!(session.tree().path(session.leaf()), expected);
    assert_eq!(forks(&session), [uuid(10)], "the fork at 5 is artificial");
    assert_eq!(session.tree().roots().len(), 1, "17 is joined by its logical parent");
    assert!([3, 4, 5, 6].map(node).iter().all(|&entry| entry == node(3)), "one response");

    let answers: Vec<Assistant<'_>> = (0..session.len())
        .filter_map(|entry| match session.entry(entry).body {
            Body::Message(Message::Assistant(assistant)) => Some(assistant),
            _ => None,
        })
        .collect();
    let outputs: Vec<f64> = answers.iter().filter_map(|a| Some(a.usage?.output)).collect();
    assert_eq!(outputs, [60.0, 15.0, 4.0, 0.0, 9.0, 2.0], "six responses, each counted once");
    assert!(assistant(&session, &uuid(14)).stopped_by("error"));
    assert_eq!(result(&session, &uuid(7)).name.as_deref(), Some("Grep"));

    let summary = compaction(&session, &uuid(17));
    assert!(summary.summary.ends_with("the leap-day test was fixed."));
    assert_eq!((summary.tokens_before, summary.first_kept_id), (Some(42110.0), None));
    let context = seen(&session, &uuid(22));
    assert_eq!(context.len(), 4, "{context:?}");
    assert!(context[0].starts_with("compactionSummary "));
    assert_eq!(context[3], "assistant Yes.");
}

#[test]
fn l9_the_older_layout() {
    let session = read_fixture(&format!("{FOLDER}/11111111-2222-4333-8444-555555555555.jsonl"));
    assert_eq!(path(&session), [201, 202, 207, 208, 209, 210].map(uuid));
    assert_eq!(session.own_len(), 6, "the sidechain is a session of its own");
    assert_eq!(session.index_of(&uuid(203)), None);
    assert_eq!(session.title(), None, "the summary names a conversation of another file");
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(damage, [(10, DamageKind::NotJson)]);
}

#[test]
fn results_hang_behind_their_response_in_file_order() {
    let session = Lines::default()
        .user("go")
        .calls("m1", "a")
        .under("u2", answers("a", "A"))
        .under("u2", calls("m1", "b"))
        .under("u4", answers("b", "B"))
        .says("m2", "done")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u5", "u6"]);
    assert!(forks(&session).is_empty());
    assert_eq!(assistant(&session, "u4").content.len(), 2, "u4 is another name of u2");
    assert_eq!(assistant(&session, "u2").usage.map(|usage| usage.output), Some(9.0));
    assert!(assistant(&session, "u2").stopped_by("toolUse"));
}

#[test]
fn several_results_of_one_line_are_several_entries() {
    let session = Lines::default()
        .user("go")
        .calls("m1", "a")
        .calls("m1", "b")
        .line(json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "A", "is_error": true},
            {"type": "text", "text": "between"},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "B"}]},
        ]}}))
        .says("m2", "done")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u4", "u4#2", "u4#3", "u5"]);
    assert!(result(&session, "u4").is_error);
    assert_eq!(joined_text(&result(&session, "u4#3").content, ""), "B");
}

#[test]
fn only_prompts_part_a_session() {
    let rewound = Lines::default()
        .user("one")
        .says("m1", "1")
        .user("two")
        .says("m2", "2")
        .under("u2", prompt("two again"))
        .read();
    assert_eq!(forks(&rewound), ["u2"]);
    assert_eq!(path(&rewound), ["u1", "u2", "u5"]);

    let joined = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "progress", "data": {"type": "hook_progress"}}))
        .under("u2", json!({"type": "system", "subtype": "turn_duration", "durationMs": 5}))
        .under("u2", json!({"type": "attachment", "attachment": {"type": "hook_success"}}))
        .under("u2", json!({"type": "user", "isMeta": true, "message": {"content": "injected"}}))
        .under("u3", prompt("two"))
        .read();
    assert!(forks(&joined).is_empty());
    assert_eq!(path(&joined), ["u1", "u2", "u3", "u4", "u5", "u6", "u7"]);
    let kinds: Vec<Kind> = (2..6).map(|entry| Kind::of(&joined.entry(entry).body)).collect();
    assert_eq!(kinds, [Kind::Custom, Kind::Custom, Kind::Custom, Kind::CustomMessage]);
}

#[test]
fn a_second_prompt_at_the_root_is_a_branch() {
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "parentUuid": null, "message": {"content": "from the start"}}))
        .read();
    assert_eq!(session.tree().roots().len(), 2);
}

#[test]
fn a_file_without_links_is_a_list() {
    let list = Lines::default()
        .under("", prompt("one"))
        .under("", says("m1", "1"))
        .under("", prompt("two"))
        .read();
    assert_eq!(path(&list), ["u1", "u2", "u3"]);
}

#[test]
fn copies_are_dropped_and_counted() {
    let mut again = says("m1", "1");
    again["uuid"] = json!("copy-of-u2");
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": {"role": "user", "content": "one"}}))
        .under("u1", again)
        .under("copy-of-u2", prompt("two"))
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u5"]);
    assert!(forks(&session).is_empty());
    assert_eq!(session.find("copy-of-u2"), session.find("u2"));
    assert!(session.notes().iter().any(|note| note.starts_with("2 lines are copies")));
}

#[test]
fn what_hangs_from_a_copy_behind_a_compaction_hangs_behind_it() {
    let mut kept = says("m2", "2");
    kept["uuid"] = json!("copy");
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .user("two")
        .says("m2", "2")
        .line(json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": "u4",
            "compactMetadata": {"trigger": "auto", "preTokens": 90, "postTokens": 9,
                "preservedSegment": {"headUuid": "u4", "anchorUuid": "u6", "tailUuid": "u4"}}}))
        .line(json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}))
        .line(kept)
        .under("copy", prompt("three"))
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u5", "u8"]);
    assert_eq!(seen(&session, "u8"), ["compactionSummary S", "assistant 2", "user three"]);
    let compaction = compaction(&session, "u6");
    assert_eq!((compaction.tokens_before, compaction.tokens_after), (Some(90.0), Some(9.0)));
    assert!(compaction.details.is_some_and(|details| details.get("trigger").is_some()));
}

#[test]
fn a_boundary_without_a_summary_and_a_summary_without_a_boundary_are_compactions() {
    let session = Lines::default()
        .user("one")
        .line(json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null}))
        .user("two")
        .line(json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}))
        .user("three")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u5"]);
    assert_eq!(compaction(&session, "u2").summary, "");
    assert_eq!(compaction(&session, "u4").summary, "S");
}

#[test]
fn commands_read_as_a_person_ran_them() {
    let session = Lines::default()
        .user("<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>12</command-args>")
        .says("m1", "ok")
        .user("<bash-input>ls</bash-input>")
        .user("<bash-stdout>low</bash-stdout><bash-stderr>tide</bash-stderr>")
        .user("<command-name>/cost</command-name>")
        .user("<local-command-stdout>$1</local-command-stdout>")
        .user("[Request interrupted by user]")
        .read();
    assert_eq!(seen(&session, "u1"), ["user /review 12"]);
    assert_eq!(session.find("u4"), session.find("u3"));
    let Body::Message(Message::Bash(bash)) = session.entry(index(&session, "u3")).body else {
        panic!("a command")
    };
    assert_eq!((bash.command.as_ref(), bash.output.as_ref()), ("ls", "low\ntide"));
    let Body::Message(Message::Bash(bash)) = session.entry(index(&session, "u6")).body else {
        panic!("a command")
    };
    assert_eq!((bash.command.as_ref(), bash.output.as_ref()), ("/cost", "$1"));
    assert_eq!(Kind::of(&session.entry(index(&session, "u7")).body), Kind::CustomMessage);
}

#[test]
fn a_local_command_does_not_part_a_session() {
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "isMeta": true,
            "message": {"content": "<local-command-caveat>Caveat</local-command-caveat>"}}))
        .user("<command-name>/exit</command-name>")
        .user("<local-command-stdout>Bye!</local-command-stdout>")
        .under("u3", prompt("two"))
        .read();
    assert!(forks(&session).is_empty());
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u6"]);
}

#[test]
fn what_a_tool_left_is_kept_where_the_page_can_use_it() {
    let mut edited = answers("a", "done");
    edited["toolUseResult"] = json!({"filePath": "/w/a", "originalFile": "x".repeat(100), "durationMs": 12,
        "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]});
    let session = Lines::default().user("go").calls("m1", "a").line(edited).read();
    let result = result(&session, "u3");
    let details = result.details.unwrap();
    assert_eq!(details.get("diff").and_then(|d| d.as_str()), Some("@@ -1,1 +1,1 @@\n-a\n+b\n"));
    assert_eq!(details.get("originalFile"), None);
    assert_eq!(result.duration_ms, Some(12.0));
}

#[test]
fn pictures_documents_and_withheld_thinking_are_kept() {
    let session = Lines::default()
        .line(json!({"type": "user", "message": {"content": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}},
            {"type": "document", "title": "T", "source": {"type": "text", "media_type": "text/plain", "data": "words"}},
        ]}}))
        .line(part("m", json!({"type": "redacted_thinking", "data": "secret"}), 1))
        .line(part("m", json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}), 1))
        .read();
    let Body::Message(Message::User(content)) = session.entry(0).body else { panic!("a prompt") };
    assert!(matches!(&content[0], Block::Image { mime_type, .. } if mime_type == "image/png"));
    assert!(matches!(&content[1], Block::Other(json) if json.get("mimeType").is_some()));
    assert!(matches!(&content[2], Block::Text(text) if text.ends_with("words")));
    let content = assistant(&session, "u2").content;
    assert!(matches!(&content[0], Block::Thinking(text) if text.is_empty()));
    assert!(matches!(&content[1], Block::Other(json) if json.get("name").is_some()));
}

#[test]
fn made_up_answers_and_failures_are_told() {
    let session = Lines::default()
        .user("go")
        .line(json!({"type": "assistant", "message": {"id": "x", "model": "<synthetic>",
            "content": [{"type": "text", "text": "No response requested."}]}}))
        .line(json!({"type": "assistant", "isApiErrorMessage": true, "message": {"id": "y", "model": "<synthetic>",
            "content": [{"type": "text", "text": "API Error"}]}}))
        .read();
    assert_eq!(assistant(&session, "u2").model, None);
    assert_eq!(joined_text(&assistant(&session, "u2").content, ""), "No response requested.");
    assert!(assistant(&session, "u3").stopped_by("error"));
}

#[test]
fn titles_beat_each_other() {
    let with = |lines: &[Value]| {
        let mut text = Lines::default().user("go").text();
        for line in lines {
            text += &line.to_string();
            text.push('\n');
        }
        let session = leafpress::read(text.into_bytes()).unwrap();
        session.title().map(str::to_owned)
    };
    let summary = json!({"type": "summary", "summary": "S", "leafUuid": "u1"});
    let other = json!({"type": "summary", "summary": "other", "leafUuid": "elsewhere"});
    let ai = json!({"type": "ai-title", "aiTitle": "A", "sessionId": "s"});
    let custom = json!({"type": "custom-title", "customTitle": "C", "sessionId": "s"});
    assert_eq!(with(&[summary.clone(), other.clone()]).as_deref(), Some("S"));
    assert_eq!(with(&[other]), None);
    assert_eq!(with(&[ai.clone(), summary.clone()]).as_deref(), Some("A"));
    assert_eq!(with(&[custom, ai, summary]).as_deref(), Some("C"));
}

#[test]
fn orphans_circles_and_ids_used_twice_are_said() {
    let session = Lines::default()
        .under("u3", prompt("a"))
        .under("u1", prompt("b"))
        .under("u2", prompt("c"))
        .under("gone", prompt("d"))
        .line(json!({"type": "user", "uuid": "u4", "parentUuid": "gone", "message": {"content": "d, written anew"}}))
        .line(json!({"type": "user", "uuid": "u6", "parentUuid": "u6", "message": {"content": "its own parent"}}))
        .read();
    let has = |kind: fn(&DamageKind) -> bool| session.damage().iter().any(|d| kind(&d.kind));
    assert!(has(|kind| *kind == DamageKind::Cycle));
    assert!(has(|kind| *kind == DamageKind::JoinedBefore));
    assert!(has(|kind| matches!(kind, DamageKind::DuplicateId { earlier: 4 })));
    let texts: Vec<String> = ["u1", "u2", "u3", "u4", "u6"]
        .map(|id| seen(&session, id).last().cloned().unwrap_or_default())
        .to_vec();
    assert_eq!(
        texts,
        ["user a", "user b", "user c", "user d, written anew", "user its own parent"]
    );
}

#[test]
fn a_line_whose_parent_is_elsewhere_joins_the_line_before() {
    let of = |session: &str, is_sidechain: bool, text: &str| {
        let mut line = prompt(text);
        line["sessionId"] = json!(session);
        line["isSidechain"] = json!(is_sidechain);
        line
    };
    let session = Lines::default()
        .under("before the file", prompt("a"))
        .user("b")
        .under("gone", prompt("c"))
        .user("d")
        .under("gone too", of("other", false, "e"))
        .read();
    let ids = |leaf: &str| seen(&session, leaf);
    assert_eq!(ids("u4"), ["user a", "user b", "user c", "user d"]);
    assert_eq!(ids("u5"), ["user e"], "of another session");
    let damage: Vec<_> = session.damage().iter().map(|d| (d.line, d.kind)).collect();
    assert_eq!(
        damage,
        [
            (1, DamageKind::MissingParent),
            (3, DamageKind::JoinedBefore),
            (5, DamageKind::MissingParent)
        ]
    );
    let aside = Lines::default().user("a").under("gone", of("s", true, "b")).user("c").read();
    assert!(aside.damage().iter().all(|damage| damage.kind != DamageKind::JoinedBefore));
}

#[test]
fn wrong_types_everywhere_are_read_and_no_line_is_lost() {
    let values = [json!(null), json!(7), json!("x"), json!([1, "a"]), json!({"a": 1}), json!(true)];
    let whole = [
        prompt("go"),
        calls("m1", "a"),
        answers("a", "A"),
        json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"preTokens": 1}}),
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "p"}}),
    ];
    let lines = || whole.iter().cloned().fold(Lines::default(), Lines::line);
    for at in 0..whole.len() {
        for pointer in pointers(&lines().lines[at], "") {
            for value in &values {
                let mut broken = lines();
                *broken.lines[at].pointer_mut(&pointer).unwrap() = value.clone();
                let session = read_with(
                    broken.text().into_bytes(),
                    Some(Dialect::ClaudeCode),
                    &Beside::default(),
                )
                .unwrap();
                for entry in 0..session.len() {
                    session.entry(entry);
                }
                let shown = session.len() + session.aliases().len() + session.notes().len();
                assert!(shown + session.damage().len() >= whole.len(), "{pointer} {value}");
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_still_reads() {
    let text =
        Lines::default().user("go").calls("m1", "a").answers("a", "A").says("m2", "done").text();
    for end in 0..text.len() {
        let _ = read_with(
            text.as_bytes()[..end].to_vec(),
            Some(Dialect::ClaudeCode),
            &Beside::default(),
        );
    }
}

#[test]
fn the_order_of_lines_may_be_any() {
    let lines = Lines::default()
        .user("go")
        .calls("m1", "a")
        .answers("a", "A")
        .says("m2", "done")
        .user("more")
        .says("m3", "2");
    let count = lines.lines.len();
    for shift in 0..count {
        for step in [1, 5] {
            let order = (0..count).map(|at| (at * step + shift) % count);
            let lines = Lines { lines: order.map(|at| lines.lines[at].clone()).collect() };
            assert_eq!(lines.read().len(), count);
        }
    }
}
