//! A command and what it printed.

use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::render::{highlight, output};
use crate::session::json::Json;
use crate::session::text::one_line;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let arguments = &run.arguments;
    let command = arguments.take(&["command", "cmd", "script"], |value| match value {
        Json::String(text) => Some(text.to_string()),
        // Some agents pass the words of a command one by one.
        Json::Array(words) => {
            let words: Option<Vec<_>> = words.iter().map(Json::as_str).collect();
            words.map(|words| words.join(" "))
        }
        _ => None,
    });
    let command = command.unwrap_or_default();
    let mut card = ToolCard { summary: Html::text(&one_line(&command)), ..ToolCard::default() };
    if command.contains('\n') {
        card.body.push(&highlight::block(&command, "bash"));
    }
    card.body.push(&arguments.rest());
    if let Some(code) = exit_code(run) {
        card.failed = code != 0.0;
        if card.failed {
            card.facts.push(format!("exit {code}"));
        }
    }
    card.body.push(&run.output());
    if let Some(path) = run.detail("fullOutputPath").and_then(Json::as_str) {
        card.body.push(&output::shortened_by_agent(path));
    }
    card
}

/// The exit status: stated, or in the last words of the output as pi writes them.
fn exit_code(run: &ToolRun<'_>) -> Option<f64> {
    let stated = ["exitCode", "exit_code"].into_iter().find_map(|key| run.detail(key)?.as_f64());
    stated.or_else(|| {
        let last = run.output_text()?.trim_end().lines().next_back()?;
        last.strip_prefix("Command exited with code ")?.parse().ok()
    })
}
