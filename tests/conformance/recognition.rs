//! Whose session a file is, recognized by its content alone.

use leafpress::ReadError;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::Format;
use leafpress::session::damage::grouped;

use crate::support::session::fixture;

const CURSOR: &str =
    "samples/cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl";

const QWEN: &str = "samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl";

fn refused(source: &str) -> String {
    match leafpress::read(source.as_bytes().to_vec()) {
        Err(error @ ReadError::Unknown { .. }) => error.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn each_sample_is_recognized() {
    let samples = [
        ("samples/pi-1.5-main.jsonl", Format::Pi),
        ("samples/pi-1.5-v1.jsonl", Format::Pi),
        ("samples/pi-harness/v3-leaf.jsonl", Format::PiHarness),
        ("samples/pi-harness/v4-lanes.jsonl", Format::PiHarness),
        ("samples/pi-proposal/session.jsonl", Format::PiProposal),
        ("samples/flue/session-v1.json", Format::Flue),
        ("samples/flue/session-v3.json", Format::Flue),
        ("samples/chimera/session.jsonl", Format::Chimera),
        ("samples/copilot/session-state/5e1f0c2a-tide/events.jsonl", Format::Copilot),
        ("samples/gemini/chats/session-tide.json", Format::Gemini),
        ("samples/gemini/rewind.jsonl", Format::Gemini),
        ("samples/gemini/resumed.jsonl", Format::Gemini),
        ("samples/gemini/run.jsonl", Format::Gemini),
        (QWEN, Format::Qwen),
        ("samples/qwen/run.jsonl", Format::Qwen),
        ("samples/atif/trajectory.json", Format::Atif),
        ("samples/sts/plain.jsonl", Format::Sts),
        ("samples/sts/llama-app.jsonl", Format::Sts),
        ("samples/sts/old-exports.json", Format::Sts),
        ("samples/opencode/export-v1.json", Format::OpenCode),
        ("samples/opencode/export-v2.json", Format::OpenCode),
        ("samples/opencode/run.jsonl", Format::OpenCode),
    ];
    for (name, format) in samples {
        assert_eq!(leafpress::read(fixture(name)).unwrap().format(), format, "{name}");
    }
}

#[test]
fn a_byte_order_mark_and_crlf_change_nothing() {
    for name in [
        "flue/session-v3.json",
        "chimera/session.jsonl",
        "copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "cursor/older.txt",
        "opencode/export-v1.json",
        "opencode/run.jsonl",
        "pi-harness/v4-lanes.jsonl",
        "pi-proposal/session.jsonl",
    ] {
        let source = String::from_utf8(fixture(&format!("samples/{name}"))).unwrap();
        let plain = leafpress::read(source.clone().into_bytes()).unwrap();
        let odd = format!("\u{feff}{}", source.replace('\n', "\r\n"));
        let odd = leafpress::read(odd.into_bytes()).unwrap();
        assert_eq!((odd.format(), odd.len()), (plain.format(), plain.len()), "{name}");
        assert_eq!(odd.damage(), plain.damage(), "{name}");
    }
}

#[test]
fn the_format_can_be_said() {
    let source = fixture("samples/pi-harness/v3-leaf.jsonl");
    let session = read_with(source, Some(Format::Pi), &ReadOptions::default()).unwrap();
    assert_eq!(session.format(), Format::Pi);
    assert_eq!(session.id(session.leaf()).unwrap(), "5d00000a");
}

#[test]
fn no_format_s_reader_breaks_on_another_s_file_or_a_torn_one() {
    let names = [
        "samples/pi-1.5-main.jsonl",
        "samples/pi-1.5-v1.jsonl",
        "samples/omp-18-edge.jsonl",
        "samples/pi-harness/v3-leaf.jsonl",
        "samples/pi-harness/v4-lanes.jsonl",
        "samples/pi-proposal/session.jsonl",
        "samples/flue/session-v1.json",
        "samples/flue/session-v3.json",
        "samples/chimera/session.jsonl",
        "samples/copilot/session-state/5e1f0c2a-tide/events.jsonl",
        CURSOR,
        "samples/cursor/older.txt",
        "samples/gemini/chats/session-tide.json",
        "samples/gemini/rewind.jsonl",
        "samples/gemini/resumed.jsonl",
        "samples/gemini/run.jsonl",
        QWEN,
        "samples/qwen/run.jsonl",
        "samples/atif/trajectory.json",
        "samples/sts/plain.jsonl",
        "samples/sts/llama-app.jsonl",
        "samples/sts/old-exports.json",
        "samples/opencode/export-v1.json",
        "samples/opencode/export-v2.json",
        "samples/opencode/run.jsonl",
        "damaged/only-garbage.txt",
        "hostile.jsonl",
    ];
    for name in names {
        let source = fixture(name);
        let step = (source.len() / 12).max(1);
        let ends = (0..source.len()).step_by(step).chain([source.len()]);
        for end in ends {
            for format in Format::ALL.iter().copied().map(Some).chain([None]) {
                let read = read_with(source[..end].to_vec(), format, &ReadOptions::default());
                let Ok(session) = read else { continue };
                leafpress::report::context(&session, session.leaf()).unwrap();
                assert_eq!(session.source(), &source[..end]);
            }
        }
    }
}

#[test]
fn what_is_not_recognized_is_described() {
    let message = refused(
        "{\"role\":\"user\",\"text\":\"hi\"}\n{\"type\":\"chat\",\"id\":1}\n{\"type\":\"chat\"}\n",
    );
    assert!(message.contains("1 without `type`, 2 `chat`"), "{message}");
    assert!(message.contains("the first object has the keys `role`, `text`"), "{message}");
    let message = refused("{\n \"name\": \"x\",\n \"lock\": {}\n}\n");
    assert!(
        message.contains("the file is a single JSON object with the keys `name`, `lock`"),
        "{message}"
    );
    let message = refused(&format!("{{\"{}\\u001b[31m\":1}}", "k".repeat(500)));
    assert!(message.len() < 500 && !message.contains('\u{1b}'), "{message}");
}

#[test]
fn what_only_resembles_a_format_is_refused_with_its_name() {
    let others = [
        // Another agent's, with a header like pi's.
        (
            "{\"type\":\"session\",\"version\":0,\"id\":\"s\",\"createdAt\":1,\"cwd\":\"/w\"}\n\
             {\"type\":\"turn/start\",\"seq\":2,\"time\":3,\"data\":{\"turn\":1}}\n",
            "it resembles a pi session",
        ),
        (
            "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"words\":\"hi\"}}\n",
            "it resembles a Claude Code session, but no line of type `user` or `assistant` has `message.content`",
        ),
        // Any program's messages are not pi's.
        (
            "{\"type\":\"message\",\"from\":\"ana\",\"body\":\"hi\"}\n",
            "it resembles a pi session, but it has no header",
        ),
        ("{\"kind\":\"x\",\"payload\":{}}\n", "it resembles a Codex session"),
    ];
    for (source, resembles) in others {
        let message = refused(source);
        assert!(message.contains(resembles), "{message}");
    }
}

/// More than a tenth of the lines: what is less is what a newer version added.
#[test]
fn entries_that_are_not_understood_are_a_problem_once_they_are_many() {
    let line = |at: usize, entry_type: &str| {
        let message = r#""message":{"role":"user","content":"hi"}"#;
        format!(
            "{{\"type\":\"{entry_type}\",\"id\":\"e{at}\",\"parentId\":null,\
             \"timestamp\":\"2026-01-01T00:00:00Z\",{message}}}\n"
        )
    };
    let file = |unknown: usize, all: usize| {
        let header = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        let lines = (0..all).map(|at| line(at, if at < unknown { "telepathy" } else { "message" }));
        header + &lines.collect::<String>()
    };
    let problems = |source: String| {
        let session = leafpress::read(source.into_bytes()).unwrap();
        grouped(session.damage()).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(problems(file(1, 10)), [""; 0]);
    let told = "2 entries that leafpress does not understand, shown as words or JSON (lines 2, 3)";
    assert_eq!(problems(file(2, 10)), [told]);
    let tools = file(0, 10).replacen("\"role\":\"user\"", "\"role\":\"tool\"", 3);
    assert!(problems(tools)[0].starts_with("3 entries that leafpress does not understand"));
    let codex = "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n\
         {\"timestamp\":\"2026-01-01T00:00:01Z\",\"type\":\"telepathy\",\"payload\":{\"a\":1}}\n";
    assert!(
        problems(codex.to_owned())[0].starts_with("1 entry that leafpress does not understand")
    );
}

/// The one rule: marks of its own, else text in more than half of the lines, and the page says so.
#[test]
fn a_file_is_what_its_marks_say_else_what_most_of_its_lines_give_text_as() {
    let told = |source: &str| {
        let session = leafpress::read(source.as_bytes().to_vec()).unwrap();
        let problems =
            grouped(session.damage()).iter().map(ToString::to_string).collect::<Vec<_>>();
        (session.format(), problems)
    };
    let marked = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
    assert_eq!(told(marked), (Format::ClaudeCode, Vec::new()), "`message.content` is a mark");
    let parts = "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}}\n";
    assert_eq!(told(parts), (Format::Qwen, Vec::new()), "`message.parts` are Qwen Code's");
    let linked = "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
    assert_eq!(told(linked).0, Format::Pi);
    // Version 1 of pi's files without the header: no line has an id.
    let list = "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
    let warned =
        "no line has the markers of pi; read as pi because most lines store text as it does";
    let (format, problems) = told(list);
    assert_eq!(format, Format::Pi);
    assert!(problems.iter().any(|problem| problem == warned), "{problems:?}");
    let half = "{\"type\":\"ping\"}\n";
    assert_eq!(told(&format!("{list}{list}{half}")).0, Format::Pi, "two of three");
    let message = refused(&format!("{list}{half}"));
    assert!(message.contains("it resembles a pi session"), "half is not enough: {message}");
    // What is said wins over what it is.
    let options = ReadOptions::default();
    let said = read_with(parts.as_bytes().to_vec(), Some(Format::ClaudeCode), &options).unwrap();
    assert_eq!(said.format(), Format::ClaudeCode);
}

/// Read as what it is not, a file shows messages without their texts, and the page says so.
#[test]
fn texts_that_most_messages_do_not_show_are_a_problem() {
    let line = |text: &str| {
        format!(
            "{{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{{\"role\":\"user\",\"parts\":[{{\"text\":\"{text}\"}}]}}}}\n"
        )
    };
    let shown = "{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n";
    let problems = |source: String| {
        let options = ReadOptions::default();
        let session = read_with(source.into_bytes(), Some(Format::ClaudeCode), &options).unwrap();
        grouped(session.damage()).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let told = "2 entries whose text in the file is not shown (lines 1, 2)";
    assert_eq!(problems(line("a") + &line("b")), [told]);
    assert_eq!(problems(line("a") + &line("b") + shown), [told]);
    assert!(problems(line("a") + shown).is_empty(), "half of them");
    assert!(problems(line("") + &line("") + shown).is_empty(), "there is no text");
}
