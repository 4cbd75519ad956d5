//! On which files each rule of reading today's agents acts, and on which it must not, decided by what is shown.
//! What `list` and `extract` do is in tests/cli/list.rs and tests/cli/extract.rs.

use leafpress::session::EntryIndex;
use std::collections::BTreeSet;
use std::path::Path;

use leafpress::format::{ReadOptions, read_with};
use leafpress::session::damage::grouped;
use leafpress::session::message::{Message, joined_text};
use leafpress::session::{Body, Format, Kind};
use leafpress::{Filter, ReadError, Session, report};
use serde_json::Value;

use crate::support::folder::files;

/// What leafpress makes of a file.
struct SentMessage {
    read: Result<Session, ReadError>,
    /// Of its tree, each line without what marks its place.
    rows: Vec<String>,
    problems: Vec<String>,
    stats: Value,
    is_utf16: bool,
}

impl SentMessage {
    fn of(path: &Path) -> SentMessage {
        let bytes = std::fs::read(path).unwrap();
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]);
        let options = ReadOptions::new().session(path.to_owned());
        let read = read_with(bytes, None, &options);
        let (mut rows, mut problems, mut stats) = (Vec::new(), Vec::new(), Value::Null);
        if let Ok(session) = &read {
            let tree = report::tree(session, session.leaf(), Filter::All, None).unwrap();
            rows.extend(tree.rows.into_iter().map(|row| row.text));
            problems.extend(grouped(session.damage()).iter().map(ToString::to_string));
            stats = serde_json::to_value(report::stats(session)).unwrap();
        }
        SentMessage { read, rows, problems, stats, is_utf16 }
    }

    fn session(&self) -> Option<&Session> {
        self.read.as_ref().ok()
    }

    fn is(&self, format: Format) -> bool {
        self.session().is_some_and(|session| session.format() == format)
    }

    fn has(&self, kind: Kind) -> bool {
        self.session().is_some_and(|session| {
            session.own_indices().any(|entry| Kind::of(&session.entry(entry).unwrap().body) == kind)
        })
    }

    fn has_row(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.rows.iter().any(|row| is_meant(row))
    }

    fn notes(&self, words: &str) -> bool {
        self.session()
            .is_some_and(|session| session.notes().iter().any(|note| note.contains(words)))
    }

    fn branches(&self) -> usize {
        self.stats["branches"].as_array().map_or(0, Vec::len)
    }

    /// Whether one result has these words, and whether a field of its details is there.
    fn result(&self, words: &str, detail: Option<&str>) -> bool {
        let is_meant = |session: &Session, entry: usize| match session
            .entry(EntryIndex::new(entry))
            .unwrap()
            .body
        {
            Body::Message(Message::ToolResult(result)) => {
                let has =
                    |key: &&str| result.details.as_ref().is_some_and(|all| all.get(key).is_some());
                joined_text(&result.content, "\n").contains(words)
                    && detail.as_ref().is_none_or(has)
            }
            _ => false,
        };
        self.session().is_some_and(|session| {
            session.own_indices().filter(|entry| is_meant(session, (*entry).get())).count() == 1
        })
    }
}

struct Rule {
    name: &'static str,
    /// What the rule shows.
    shows: fn(&SentMessage) -> bool,
    acts_on: &'static [&'static str],
    not_on: &'static [&'static str],
    /// What it shows is on no other file.
    is_telling: bool,
}

const QWEN_CHAT: &str = "samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl";
const QWEN_AGENT: &str = "samples/qwen/projects/-home-lena-boat/subagents/51ee0000-boat/agent-general-purpose-call_b3.jsonl";

const RULES: &[Rule] = &[
    Rule {
        name: "a Qwen Code session is read as one",
        shows: |seen| seen.is(Format::Qwen),
        acts_on: &[QWEN_CHAT, QWEN_AGENT, "samples/qwen/run.jsonl"],
        not_on: &["today/claude-code-stream.jsonl", "samples/gemini/run.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "lines without marks are read as what most give text in, with a warning",
        shows: |seen| {
            seen.problems
                .iter()
                .any(|problem| problem.contains("because most lines store text as it does"))
        },
        acts_on: &["rules/messages-of-no-agent.jsonl"],
        not_on: &["samples/pi-1.5-v1.jsonl", "samples/sts/plain.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "the final answer alone is refused with what it is",
        shows: |seen| matches!(seen.read, Err(ReadError::FinalAnswer { .. })),
        acts_on: &["rules/final-answer.json"],
        not_on: &["today/claude-code-array.json", "ends/claude-code-stream-refused.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "a file in UTF-16 is read",
        shows: |seen| seen.is_utf16 && seen.has_row(|row| row == "user: Seal them"),
        acts_on: &["rules/file-in-utf16.jsonl"],
        not_on: &["rules/claude-typed-compact.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "a script of code mode has the name of its first command",
        shows: |seen| seen.has_row(|row| row.starts_with("[exec: ./") || row.contains("exec ./")),
        acts_on: &["today/codex-rollout.jsonl"],
        not_on: &["rules/codex-classic.jsonl", "samples/codex/rollout.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "a command that failed within a script is a failure",
        shows: |seen| seen.is(Format::Codex) && seen.stats["total"]["failures"] == 1,
        acts_on: &["today/codex-rollout.jsonl"],
        not_on: &["rules/codex-classic.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "a fork says where its history is",
        shows: |seen| seen.has_row(|row| row.starts_with("[history]: This session is a fork")),
        acts_on: &["rules/codex-fork.jsonl"],
        not_on: &["today/codex-rollout.jsonl", "rules/codex-task.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "the task of an agent of Codex is a prompt",
        shows: |seen| seen.has_row(|row| row == "user: Smoke the hive twice, please."),
        acts_on: &["rules/codex-task.jsonl"],
        not_on: &["rules/codex-answer.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "the summary of a compaction of Codex is no response",
        shows: |seen| {
            seen.has(Kind::Compaction)
                && !seen.has_row(|row| row == "assistant: Clover grows in the meadow.")
        },
        acts_on: &["rules/codex-summary.jsonl"],
        not_on: &["rules/codex-no-summary.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "output that only an event has is at its call, and no output is there twice",
        shows: |seen| seen.result("a deep hum, no piping", None),
        acts_on: &["rules/codex-event-output.jsonl", "rules/codex-output-twice.jsonl"],
        not_on: &["rules/codex-classic.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "the instructions of Codex are its system prompt",
        shows: |seen| seen.is(Format::Codex) && seen.has(Kind::System),
        acts_on: &["today/codex-rollout.jsonl"],
        not_on: &["samples/codex/rollout.jsonl", "today/codex-exec.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "a typed /compact is no branch",
        shows: |seen| seen.is(Format::ClaudeCode) && seen.branches() == 1,
        acts_on: &["rules/claude-typed-compact.jsonl", "today/claude-code-session.jsonl"],
        not_on: &["rules/claude-went-back.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "an output too large for the model is whole",
        shows: |seen| seen.result("", Some("shortForm")),
        acts_on: &["today/claude-code-session.jsonl"],
        not_on: &["rules/claude-preview-quoted.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "lines without an id that say something are shown",
        shows: |seen| {
            seen.has_row(|row| row.contains("The eastern frames are the best."))
                && seen.has_row(|row| row == "[custom: frame-link]")
        },
        acts_on: &["rules/claude-rows-without-id.jsonl"],
        not_on: &["rules/claude-went-back.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "output tokens of a response's beginning are left out, and said",
        shows: |seen| seen.notes("are unknown and not counted"),
        acts_on: &["rules/claude-first-number.jsonl"],
        not_on: &["today/claude-code-stream.jsonl", "today/claude-code-session.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "cost-state states the cost of a stored session",
        shows: |seen| seen.stats["total"]["usage"]["cost"].as_f64() > Some(0.04),
        acts_on: &["today/claude-code-session.jsonl"],
        not_on: &["rules/claude-first-number.jsonl", "rules/claude-typed-compact.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "a resumed chat of Gemini CLI is one branch, a rewound one is not",
        shows: |seen| seen.is(Format::Gemini) && seen.branches() == 1,
        acts_on: &["samples/gemini/resumed.jsonl"],
        not_on: &["samples/gemini/rewind.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "the summary of a compaction in a stream of OpenCode is no response",
        shows: |seen| {
            seen.has(Kind::Compaction)
                && !seen.has_row(|row| row == "assistant: The wax was melted.")
                && !seen.has_row(|row| row.starts_with("assistant: Continue if"))
        },
        acts_on: &["rules/opencode-compacted.jsonl"],
        not_on: &["rules/opencode-said-so.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "an error alone is a failed run of OpenCode",
        shows: |seen| seen.is(Format::OpenCode) && seen.stats["ended"] == "failed",
        acts_on: &["rules/opencode-failed.jsonl"],
        not_on: &["today/opencode-run.jsonl", "rules/opencode-compacted.jsonl"],
        is_telling: false,
    },
    Rule {
        name: "agents in the details of a result of pi are sessions",
        shows: |seen| {
            let has_agents = |session: &Session| session.len() > session.own_len();
            seen.is(Format::Pi) && seen.session().is_some_and(has_agents)
        },
        acts_on: &["rules/pi-agents.jsonl"],
        not_on: &["rules/pi-results-of-a-search.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "a prompt that is a skill is called by its name and the words behind it",
        shows: |seen| seen.stats["title"] == "hiving: the plum tree, please",
        acts_on: &["rules/pi-skill.jsonl"],
        not_on: &["rules/pi-skill-quoted.jsonl"],
        is_telling: true,
    },
    Rule {
        name: "output in UTF-16 is decoded, and NUL alone is not UTF-16",
        shows: |seen| seen.result("frames: 9", None) && seen.result("\nbees: many", None),
        acts_on: &["rules/output-in-utf16.jsonl"],
        not_on: &["rules/output-with-nul.jsonl"],
        is_telling: true,
    },
];

#[test]
fn each_rule_acts_where_it_should_and_nowhere_else() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = ["rules", "today", "samples", "ends", "omp-written"];
    let all: Vec<(String, SentMessage)> = folders
        .iter()
        .flat_map(|folder| files(&fixtures.join(folder)))
        .map(|path| {
            (path.strip_prefix(&fixtures).unwrap().display().to_string(), SentMessage::of(&path))
        })
        .collect();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let mut wrong = Vec::new();
    for rule in RULES {
        named.extend(rule.acts_on.iter().chain(rule.not_on));
        for name in rule.acts_on.iter().chain(rule.not_on) {
            assert!(all.iter().any(|(other, _)| other == name), "{name} is no fixture");
        }
        for (name, seen) in &all {
            let name = name.as_str();
            let should = rule.acts_on.contains(&name);
            let is_named = should || rule.not_on.contains(&name);
            if (is_named || rule.is_telling) && (rule.shows)(seen) != should {
                let what = if should { "does not act on" } else { "acts on" };
                wrong.push(format!("{}: {what} {name}\n  {:?}", rule.name, seen.rows));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Each of these was written for a rule.
    let idle = all.iter().map(|(name, _)| name.as_str());
    let idle: Vec<&str> =
        idle.filter(|name| name.starts_with("rules/") && !named.contains(name)).collect();
    assert!(idle.is_empty(), "{idle:?}");
}
