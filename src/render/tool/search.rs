//! Searches for text or for files, and lists of folders.

use super::file::{has_call, lines_fact, path, path_summary, split_notice};
use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::session::json::Json;
use crate::session::text::{one_line, short_path};

/// What agents call that which is searched for.
const PATTERN: &[&str] = &["pattern", "query", "regex", "glob_pattern", "pat", "glob"];

/// What agents call the folder.
const FOLDER: &[&str] =
    &["path", "dir_path", "directory", "target_directory", "relative_workspace_path", "dir"];

/// What tools say when they found nothing; how it begins, in lower case.
const NOTHING: &[&str] = &["no matches", "no files", "no results", "(empty", "empty directory"];

/// A search: what for, where, how many lines it gave.
pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let arguments = &run.arguments;
    let pattern = arguments.text(PATTERN);
    let folder = arguments.text(FOLDER).unwrap_or_default();
    let mut summary = Html::new();
    if pattern.is_none() && has_call(run) {
        summary.push_markup("<span data-ui>no pattern</span>");
    }
    summary.push_text(&one_line(&pattern.unwrap_or_default()));
    if !folder.is_empty() {
        summary.push_markup("<span data-ui> in </span>");
        summary.push_text(&one_line(&short_path(&folder)));
    }
    found(run, summary)
}

/// A list of a folder.
pub(super) fn list(run: &ToolRun<'_>) -> ToolCard {
    let folder = run.arguments.text(FOLDER).unwrap_or_else(|| path(&run.arguments));
    let summary = if folder.is_empty() && has_call(run) {
        let mut html = Html::new();
        html.push_markup("<span data-ui>the working folder</span>");
        html
    } else {
        path_summary(run, &folder)
    };
    found(run, summary)
}

fn found(run: &ToolRun<'_>, summary: Html) -> ToolCard {
    let mut card = ToolCard { summary, body: run.arguments.rest(), ..ToolCard::default() };
    card.facts = if run.is_error() { Vec::new() } else { counts(run) };
    card.body.push(&run.output());
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
