//! What a newer version of an agent writes and no reader knows: its words are read all the same, by every reader.

use leafpress::markdown::{Detail, MarkdownOptions};
use leafpress::session::context::Facts;
use leafpress::session::{EntryIndex, Format, Session};
use leafpress::{Filter, report};
use serde_json::Value;

use crate::support::session::fixture;

const WORDS: &str = "planted words of lime";

/// The session of a fixture and a row at its end: a line more or, where the file is a document, an item more of the
/// list at this pointer.
fn with_row(name: &str, list: &str, row: &str) -> Session {
    let mut file = fixture(name);
    if list.is_empty() {
        if !file.ends_with(b"\n") {
            file.push(b'\n');
        }
        file.extend_from_slice(row.as_bytes());
        file.push(b'\n');
    } else {
        let mut whole: Value = serde_json::from_slice(&file).unwrap();
        let items = whole.pointer_mut(list).unwrap().as_array_mut().unwrap();
        items.push(serde_json::from_str(row).unwrap());
        file = serde_json::to_vec(&whole).unwrap();
    }
    leafpress::read(file).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How many entries a search finds, and whether the model is sent the words.
fn found(session: &Session) -> (usize, bool) {
    let query = format!("\"{WORDS}\"");
    let tree = report::tree(session, session.leaf(), Filter::Default, Some(&query)).unwrap();
    let context = Facts::read(session).context(Some(session.leaf()));
    let is_found = |at: Option<EntryIndex>| {
        at.and_then(|at| session.id(at)).is_some_and(|id| tree.rows.iter().any(|row| row.id == id))
    };
    let mut sent = context.messages.iter().filter(|message| message.sent);
    (tree.rows.len(), sent.any(|message| is_found(message.entry.into())))
}

/// A format, a fixture, the list of its rows where it is a document, and a row with `W` in place of words.
const ROWS: &[(Format, &str, &str, &str)] = &[
    (
        Format::Pi,
        "samples/pi-1.5-main.jsonl",
        "",
        r#"{"type":"later_thing","id":"zz","parentId":null,"timestamp":"2026-11-20T10:00:00.000Z","inner":[{"reason":"W"}]}"#,
    ),
    (
        Format::Pi,
        "samples/pi-1.5-main.jsonl",
        "",
        r#"{"type":"message","id":"zz","parentId":null,"timestamp":"2026-11-20T10:00:00.000Z","message":{"role":"ghost","content":"W"}}"#,
    ),
    (Format::Pi, "samples/pi-run.jsonl", "", r#"{"type":"later_event","message":"W"}"#),
    (
        Format::Omp,
        "samples/omp-18-edge.jsonl",
        "",
        r#"{"type":"later_thing","id":"zz","parentId":null,"timestamp":"2026-11-20T10:00:00.000Z","summary":"W"}"#,
    ),
    (
        Format::PiHarness,
        "samples/pi-harness/v4-lanes.jsonl",
        "",
        r#"{"kind":"entry","seq":90,"id":"zz","type":"later_thing","parentId":null,"timestamp":1773133207000,"text":"W"}"#,
    ),
    (
        Format::PiProposal,
        "samples/pi-proposal/session.jsonl",
        "",
        r#"{"type":"later_thing","uuid":"zz","parentUuid":null,"note":{"text":"W"}}"#,
    ),
    (
        Format::ClaudeCode,
        "samples/claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
        "",
        r#"{"type":"later-thing","uuid":"zz","parentUuid":null,"content":"W"}"#,
    ),
    (
        Format::ClaudeCode,
        "samples/claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
        "",
        r#"{"type":"later-thing","sessionId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","inner":{"prompt":"W"}}"#,
    ),
    (
        Format::Codex,
        "samples/codex/rollout.jsonl",
        "",
        r#"{"timestamp":"2026-11-20T10:00:00.000Z","type":"event_msg","payload":{"type":"later_event","message":"W"}}"#,
    ),
    (
        Format::Codex,
        "samples/codex/rollout.jsonl",
        "",
        r#"{"timestamp":"2026-11-20T10:00:00.000Z","type":"response_item","payload":{"type":"later_item","summary":[{"text":"W"}]}}"#,
    ),
    (
        Format::Codex,
        "samples/codex/rollout.jsonl",
        "",
        r#"{"timestamp":"2026-11-20T10:00:00.000Z","type":"later_line","payload":{"title":"W"}}"#,
    ),
    (
        Format::Gemini,
        "samples/gemini/rewind.jsonl",
        "",
        r#"{"id":"zz","timestamp":"2026-11-20T10:00:00.000Z","type":"later","content":"W"}"#,
    ),
    (
        Format::Gemini,
        "samples/gemini/run.jsonl",
        "",
        r#"{"type":"later","timestamp":"2026-11-20T10:00:00.000Z","content":"W"}"#,
    ),
    (
        Format::Copilot,
        "samples/copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "",
        r#"{"type":"later.thing","data":{"prompt":"W"},"id":"zz","timestamp":"2026-11-20T10:00:00.000Z","parentId":null}"#,
    ),
    (
        Format::Copilot,
        "samples/copilot/session-state/5e1f0c2a-tide/events.jsonl",
        "",
        r#"{"type":"session.later","data":{"message":"W"},"id":"zz","timestamp":"2026-11-20T10:00:00.000Z","parentId":null}"#,
    ),
    (
        Format::Cursor,
        "samples/cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl",
        "",
        r#"{"type":"later","text":"W"}"#,
    ),
    (
        Format::Cursor,
        "samples/cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl",
        "",
        r#"{"role":"later","message":{"content":"W"}}"#,
    ),
    (
        Format::OpenCode,
        "samples/opencode/export-v1.json",
        "/messages",
        r#"{"info":{"id":"msg_zz","role":"later","sessionID":"ses_tide01","time":{"created":1790000001000}},"parts":[{"id":"p","type":"text","text":"W"}]}"#,
    ),
    (
        Format::OpenCode,
        "samples/opencode/export-v2.json",
        "/messages",
        r#"{"id":"msg_zz","type":"later-thing","time":{"created":1790000000001},"description":"W"}"#,
    ),
    (
        Format::OpenCode,
        "samples/opencode/run.jsonl",
        "",
        r#"{"type":"later","timestamp":1790000000041,"sessionID":"ses_tide30","message":"W"}"#,
    ),
    (
        Format::Qwen,
        "samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl",
        "",
        r#"{"uuid":"zz","parentUuid":null,"type":"later","timestamp":"2026-11-20T10:00:00.000Z","message":{"parts":[{"text":"W"}]}}"#,
    ),
    (
        Format::Qwen,
        "samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl",
        "",
        r#"{"uuid":"zz","parentUuid":null,"type":"system","subtype":"later","timestamp":"2026-11-20T10:00:00.000Z","systemPayload":{"summary":"W"}}"#,
    ),
    (
        Format::Qwen,
        "samples/qwen/run.jsonl",
        "",
        r#"{"type":"later","uuid":"zz","session_id":"51ee0000-boat","content":"W"}"#,
    ),
    (
        Format::Atif,
        "samples/atif/trajectory.json",
        "/steps",
        r#"{"step_id":90,"source":"later","message":"W"}"#,
    ),
    (Format::Sts, "samples/sts/plain.jsonl", "", r#"{"type":"later","content":"W"}"#),
    (
        Format::Flue,
        "samples/flue/session-v3.json",
        "/entries",
        r#"{"type":"later_thing","id":"zz","parentId":null,"timestamp":"2026-03-10T09:00:01.000Z","text":"W"}"#,
    ),
    (
        Format::Chimera,
        "samples/chimera/session.jsonl",
        "",
        r#"{"type":"later_thing","id":"zz","parent_id":null,"timestamp":1773133208.0,"data":{"reason":"W"}}"#,
    ),
];

#[test]
fn every_reader_shows_the_words_of_a_row_that_it_does_not_know() {
    let mut formats = Vec::new();
    for &(format, name, list, row) in ROWS {
        let session = with_row(name, list, &row.replace("\"W\"", &format!("\"{WORDS}\"")));
        assert_eq!(session.format(), format, "{name}");
        assert_eq!(found(&session), (1, false), "{name} {row}");
        formats.push(format);
    }
    formats.dedup();
    assert_eq!(formats.len(), Format::ALL.len(), "{formats:?}");
}

#[test]
fn a_block_of_an_unknown_kind_shows_its_words() {
    for (name, row) in [
        (
            "samples/pi-1.5-main.jsonl",
            r#"{"type":"message","id":"zz","parentId":null,"timestamp":"2026-11-20T10:00:00.000Z","message":{"role":"user","content":[{"type":"later","reason":"W"}]}}"#,
        ),
        (
            "samples/pi-1.5-main.jsonl",
            r#"{"type":"message","id":"zz","parentId":null,"timestamp":"2026-11-20T10:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"later","summary":"W"}]}}"#,
        ),
        (
            "samples/claude-code/projects/-home-ana-proj-datefmt/7c9e6679-7425-40de-944b-e07fc1f90ae7.jsonl",
            r#"{"type":"assistant","uuid":"zz","parentUuid":null,"message":{"id":"m","role":"assistant","model":"claude","content":[{"type":"later","inner":{"title":"W"}}]}}"#,
        ),
        (
            "samples/codex/rollout.jsonl",
            r#"{"timestamp":"2026-11-20T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"later","text":"W"}]}}"#,
        ),
    ] {
        let session = with_row(name, "", &row.replace("\"W\"", &format!("\"{WORDS}\"")));
        assert_eq!(found(&session).0, 1, "{name} {row}");
        let mut markdown = Vec::new();
        let options = MarkdownOptions::new().detail(Detail::Full);
        leafpress::markdown::write(&session, &options, &mut markdown).unwrap();
        let markdown = String::from_utf8(markdown).unwrap();
        assert!(markdown.contains(WORDS), "{name} {row}");
    }
}
