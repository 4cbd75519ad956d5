//! The table of docs/formats.md that says what the pages of each agent's files do not have, made from fixtures.
//! After a change, run the test with `SNAPSHOTS=overwrite` and read the difference.

use leafpress::session::EntryIndex;
use std::fmt::Write as _;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, Message};
use leafpress::session::{Body, Format, Kind};
use serde_json::Value;

use crate::support::session::fixture;

const BEGIN: &str = "<!-- From tests/conformance/matrix.rs: `SNAPSHOTS=overwrite cargo test --test suite matrix` -->\n";
const END: &str = "<!-- End of the table -->\n";

/// An agent with its kinds of files, each with fixtures that together have all of such a file that a page shows.
type Agent = (&'static str, Format, &'static [(&'static str, &'static [&'static str])]);

const AGENTS: &[Agent] = &[
    (
        "Claude Code",
        Format::ClaudeCode,
        &[
            (
                "session",
                &[
                    "today/claude-code-session.jsonl",
                    "samples-2026-11/provider-tools-and-citations.jsonl",
                    "samples-2026-11/continued-in.jsonl",
                    "samples-2026-11/system-rows-with-words.jsonl",
                ],
            ),
            (
                "`claude -p --output-format stream-json --verbose`",
                &["today/claude-code-stream.jsonl"],
            ),
            ("`claude -p --output-format json --verbose`", &["today/claude-code-array.json"]),
        ],
    ),
    (
        "Codex",
        Format::Codex,
        &[
            (
                "rollout",
                &[
                    "samples/codex/rollout.jsonl",
                    "today/codex-rollout.jsonl",
                    "samples-2026-11/codex-phases-images.jsonl",
                ],
            ),
            ("`codex exec --json`", &["today/codex-exec.jsonl"]),
        ],
    ),
    (
        "OpenCode",
        Format::OpenCode,
        &[
            (
                "`opencode export`",
                &["samples/opencode/export-v1.json", "today/opencode-export.json"],
            ),
            (
                "`opencode run --format json`",
                &["samples/opencode/run.jsonl", "today/opencode-run.jsonl"],
            ),
        ],
    ),
    (
        "Gemini CLI",
        Format::Gemini,
        &[
            ("chat", &["samples/gemini/chats/session-tide.json", "samples/gemini/resumed.jsonl"]),
            ("`gemini --output-format stream-json`", &["samples/gemini/run.jsonl"]),
        ],
    ),
    (
        "Qwen Code",
        Format::Qwen,
        &[
            ("session", &["samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl"]),
            ("`qwen --output-format stream-json`, `json`", &["samples/qwen/run.jsonl"]),
        ],
    ),
    (
        "GitHub Copilot CLI",
        Format::Copilot,
        &[
            (
                "`events.jsonl`",
                &[
                    "samples/copilot/session-state/5e1f0c2a-tide/events.jsonl",
                    "today/copilot-events.jsonl",
                    "samples-2026-11/copilot-citations.jsonl",
                ],
            ),
            ("`copilot -p --output-format json`", &["today/copilot-stream.jsonl"]),
        ],
    ),
    (
        "pi",
        Format::Pi,
        &[
            ("session", &["samples/pi-1.5-main.jsonl", "samples-2026-11/pi-1.6-escape.jsonl"]),
            ("`pi --mode json`, `--mode rpc`", &["samples/pi-run.jsonl", "today/pi-json.jsonl"]),
        ],
    ),
    (
        "oh-my-pi",
        Format::Omp,
        &[
            ("session", &["samples/omp-18-main.jsonl"]),
            ("`omp --mode json`, `--mode rpc`", &["samples/omp-run.jsonl", "today/omp-json.jsonl"]),
        ],
    ),
    (
        "Cursor",
        Format::Cursor,
        &[(
            "transcript",
            &[
                "samples/cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl",
            ],
        )],
    ),
];

/// The newest version whose files were read, of agents whose files do not state it.
const UNSTATED: [(Format, &str); 3] =
    [(Format::Gemini, "0.61.0"), (Format::Pi, "1.6.0"), (Format::Omp, "18.3.4")];

/// Whether a session has something, by itself or by its figures.
type Has = fn(&Session, &Value) -> bool;

/// What a reader may look for in a file.
const FACTS: [(&str, Has); 11] = [
    ("prompts", |session, _| has(session, Kind::User)),
    ("system prompt", |session, _| has(session, Kind::System)),
    ("model", |_, stats| !stats["total"]["models"].as_array().unwrap().is_empty()),
    ("thinking", |session, _| thinks(session)),
    ("citations", |session, _| cites(session)),
    ("tool results", |session, _| has(session, Kind::ToolResult)),
    ("tokens", |_, stats| stats["total"]["usage"]["output"].as_f64() > Some(0.0)),
    ("cost", |_, stats| stats["total"]["usage"]["cost"].as_f64() > Some(0.0)),
    ("times", |session, _| {
        own(session).any(|entry| session.time(EntryIndex::new(entry)).is_some())
    }),
    ("working directory", |session, _| !session.header().cwd.is_empty()),
    ("version", |session, _| session.header().agent_version.is_some()),
];

fn own(session: &Session) -> std::ops::Range<usize> {
    0..session.own_len()
}

fn has(session: &Session, kind: Kind) -> bool {
    own(session).any(|entry| Kind::of(&session.entry(EntryIndex::new(entry)).unwrap().body) == kind)
}

fn thinks(session: &Session) -> bool {
    own(session).any(|entry| match session.entry(EntryIndex::new(entry)).unwrap().body {
        Body::Message(Message::Assistant(assistant)) => {
            assistant.content.iter().any(|block| matches!(block, Block::Thinking(_)))
        }
        _ => false,
    })
}

fn cites(session: &Session) -> bool {
    own(session).any(|entry| match session.entry(EntryIndex::new(entry)).unwrap().body {
        Body::Message(message) => {
            message.content().iter().any(|block| matches!(block, Block::Citations(_)))
        }
        _ => false,
    })
}

fn read(format: Format, name: &str) -> (Session, Value) {
    let session = read_with(fixture(name), None, &ReadOptions::default()).unwrap();
    // Some files say nothing of the fork of pi that printed them.
    let is_family =
        [format, session.format()].iter().all(|one| matches!(one, Format::Pi | Format::Omp));
    assert!(session.format() == format || is_family, "{name}: {:?}", session.format());
    let stats = serde_json::to_value(leafpress::report::stats(&session)).unwrap();
    (session, stats)
}

fn numbers(version: &str) -> Vec<u64> {
    version.split('.').filter_map(|number| number.parse().ok()).collect()
}

fn table() -> String {
    let mut out = String::from(
        "| agent | newest version read | file or command | not on its page |\n|---|---|---|---|\n",
    );
    for (agent, format, files) in AGENTS {
        let read: Vec<(&str, Vec<(Session, Value)>)> = files
            .iter()
            .map(|(file, names)| (*file, names.iter().map(|name| read(*format, name)).collect()))
            .collect();
        let stated = read.iter().flat_map(|(_, sessions)| sessions);
        let stated = stated.filter_map(|(session, _)| session.header().agent_version.clone());
        let unstated = UNSTATED.iter().find(|(one, _)| one == format);
        let newest = stated
            .chain(unstated.map(|(_, version)| (*version).to_owned()))
            .max_by_key(|version| numbers(version));
        for (nth, (file, sessions)) in read.iter().enumerate() {
            let is_missing =
                |fact: &Has| !sessions.iter().any(|(session, stats)| fact(session, stats));
            let missing = FACTS.iter().filter(|(_, fact)| is_missing(fact));
            let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
            let (agent, version) = match nth {
                0 => (*agent, newest.as_deref().unwrap_or_default()),
                _ => ("", ""),
            };
            writeln!(out, "| {agent} | {version} | {file} | {} |", missing.join(", ")).unwrap();
        }
    }
    out
}

#[test]
fn the_matrix_of_the_docs_is_what_the_fixtures_have() {
    let path = format!("{}/docs/formats.md", env!("CARGO_MANIFEST_DIR"));
    let docs = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = docs.split_once(BEGIN).unwrap();
    let (written, after) = rest.split_once(END).unwrap();
    let table = table();
    if std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(written, table);
}
