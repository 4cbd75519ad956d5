//! What to say of a file that no format knows as its own.

use std::fmt::Write as _;

use crate::format::ReadError;
use crate::session::Format;
use crate::session::json::Json;
use crate::session::text::{cut, one_line};

use super::probe::{Probe, text};

/// Keys and kinds named before the rest is left out.
const NAMED: usize = 12;

/// A name is shown up to here, in UTF-16 units.
const NAME_UNITS: usize = 40;

/// What an object of a format looks like, and what a file lacks whose objects only look like it.
struct Resemblance {
    format: Format,
    resembles: fn(&Json<'_>) -> bool,
    lacks: &'static str,
}

/// The first that an object resembles is the nearest.
const RESEMBLANCES: &[Resemblance] = &[
    Resemblance {
        format: Format::Codex,
        resembles: |json| json.get("payload").is_some(),
        lacks: "no line has one of Codex's values of `type`",
    },
    Resemblance {
        format: Format::ClaudeCode,
        resembles: |json| {
            matches!(text(json, "type"), Some("user" | "assistant"))
                && json.get("message").is_some()
        },
        lacks: "no line of type `user` or `assistant` has `message.content`",
    },
    Resemblance {
        format: Format::Pi,
        resembles: |json| text(json, "type") == Some("session"),
        lacks: "none of the lines below its header is an entry of pi",
    },
    Resemblance {
        format: Format::Pi,
        resembles: |json| text(json, "type") == Some("message"),
        lacks: "it has no header, and no line has an `id` and a `parentId`",
    },
];

/// The final answer of a run, as one object.
struct FinalAnswer {
    is: fn(&Json<'_>) -> bool,
    options: &'static str,
    command: &'static str,
}

// `--output-format json` of Claude Code 2.1.330, Qwen Code 0.24.4 and Gemini CLI 0.61.0.
const FINAL_ANSWERS: &[FinalAnswer] = &[
    FinalAnswer {
        is: |json| {
            is_result(json)
                && ["total_cost_usd", "modelUsage"].iter().any(|key| json.get(key).is_some())
        },
        options: "--output-format stream-json --verbose",
        command: "claude -p PROMPT --output-format stream-json --verbose > run.jsonl",
    },
    // Qwen Code's states no cost, and sums up the tokens.
    FinalAnswer {
        is: |json| {
            is_result(json)
                && json.get("usage").is_some_and(|usage| usage.get("total_tokens").is_some())
        },
        options: "--output-format stream-json",
        command: "qwen -p PROMPT --output-format stream-json > run.jsonl",
    },
    // Of one or the other.
    FinalAnswer {
        is: is_result,
        options: "--output-format stream-json",
        command: "AGENT -p PROMPT --output-format stream-json > run.jsonl",
    },
    // Gemini CLI's: its session, with the answer or why there is none.
    FinalAnswer {
        is: |json| {
            text(json, "session_id").is_some()
                && json.get("type").is_none()
                && (json.get("response").is_some() && json.get("stats").is_some()
                    || json.get("error").is_some_and(|error| error.get("message").is_some()))
        },
        options: "--output-format stream-json",
        command: "gemini -p PROMPT --output-format stream-json > run.jsonl",
    },
];

fn is_result(json: &Json<'_>) -> bool {
    text(json, "type") == Some("result")
        && ["num_turns", "total_cost_usd"].iter().any(|key| json.get(key).is_some())
}

/// The error for such a file. `giving` is the format in which some of its lines give text.
pub(super) fn error(probe: &Probe<'_>, giving: Option<Format>) -> ReadError {
    let answer = |whole| FINAL_ANSWERS.iter().find(|answer| (answer.is)(whole));
    if let Some(FinalAnswer { options, command, .. }) = probe.whole.as_ref().and_then(answer) {
        return ReadError::FinalAnswer { options, command };
    }
    let mut found = match &probe.whole {
        Some(whole) => format!("the file is a single JSON object with {}", keys(whole)),
        None => lines(&probe.lines),
    };
    let objects = || probe.whole.iter().chain(&probe.lines);
    let looks_like = RESEMBLANCES.iter().find(|one| objects().any(one.resembles));
    let nearest = giving.or(looks_like.map(|one| one.format));
    match (looks_like, nearest) {
        (Some(Resemblance { format, lacks, .. }), Some(nearest)) if *format == nearest => {
            let _ = write!(found, "; it resembles a {format} session, but {lacks}");
        }
        (_, Some(nearest)) => {
            let _ = write!(
                found,
                "; it resembles a {nearest} session, but at most half of its lines have text in that format"
            );
        }
        _ => {}
    }
    ReadError::Unknown { found, nearest }
}

fn lines(lines: &[Json<'_>]) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for line in lines {
        let kind = text(line, "type").unwrap_or("none");
        match kinds.iter_mut().find(|(name, _)| *name == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let told: Vec<String> = kinds
        .iter()
        .take(NAMED)
        .map(|(kind, count)| {
            if *kind == "none" {
                format!("{count} without `type`")
            } else {
                format!("{count} `{}`", shown(kind))
            }
        })
        .collect();
    let more = if kinds.len() > NAMED { ", …" } else { "" };
    let first = lines.first().map(keys).unwrap_or_default();
    format!(
        "the first {} JSON objects by `type`: {}{more}; the first object has {first}",
        lines.len(),
        told.join(", ")
    )
}

fn keys(json: &Json<'_>) -> String {
    let Json::Object(fields) = json else { return String::new() };
    if fields.is_empty() {
        return "no keys".to_owned();
    }
    let names: Vec<String> =
        fields.iter().take(NAMED).map(|(key, _)| format!("`{}`", shown(key))).collect();
    let more = if fields.len() > NAMED { ", …" } else { "" };
    format!("the keys {}{more}", names.join(", "))
}

/// Short, on one line, and without what would steer a terminal.
fn shown(name: &str) -> String {
    let name = one_line(cut(name, NAME_UNITS));
    let is_plain = |c: char| {
        !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect()
}
