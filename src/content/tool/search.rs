//! Searches for text or for files, and lists of folders.

use super::file::{lines_fact, split_notice};
use super::{ToolCard, ToolRun};
use crate::session::json::Json;

/// What tools say when they found nothing; how it begins, in lower case.
const NOTHING: &[&str] = &["no matches", "no files", "no results", "(empty", "empty directory"];

/// What a search or a list found.
pub(super) fn read<'r>(run: &ToolRun<'r>) -> ToolCard<'r> {
    let mut card = ToolCard::of(run.arguments.rest());
    card.facts = if run.is_error() { Vec::new() } else { counts(run) };
    card.body.append(run.output());
    card
}

/// What the tool counted itself, else the lines it printed.
fn counts(run: &ToolRun<'_>) -> Vec<String> {
    let count = |key, one, many| {
        let number = run.detail(key).and_then(Json::as_f64)?;
        let is_one = (number - 1.0).abs() < f64::EPSILON;
        Some(format!("{number} {}", if is_one { one } else { many }))
    };
    let told: Vec<String> =
        [count("matchCount", "match", "matches"), count("fileCount", "file", "files")]
            .into_iter()
            .flatten()
            .collect();
    let Some(text) = run.output_text().filter(|_| told.is_empty()) else { return told };
    let (text, _) = split_notice(text);
    let start = text.trim_start().get(..16).unwrap_or(text.trim()).to_ascii_lowercase();
    if text.trim().is_empty() || NOTHING.iter().any(|words| start.starts_with(words)) {
        return vec!["nothing found".to_owned()];
    }
    vec![lines_fact(text)]
}
