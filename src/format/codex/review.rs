//! Review mode: what is reviewed, and what was found, as text in Markdown (0.146.0; codex-rs, protocol:
//! `ReviewRequest`).

use std::fmt::Write as _;

use crate::format::probe::text;
use crate::session::json::Json;

/// What `entered_review_mode` says: `{user_facing_hint?, target?, prompt?}`.
pub(super) fn entered(payload: &Json<'_>) -> String {
    let target = payload.get("target").and_then(|target| {
        let named = ["branch", "sha", "instructions", "title"];
        named.iter().find_map(|key| text(target, key)).or_else(|| text(target, "type"))
    });
    let hint = text(payload, "user_facing_hint").or(target).or_else(|| text(payload, "prompt"));
    match hint {
        Some(hint) => format!("Review started: {hint}"),
        None => "Review started".to_owned(),
    }
}

/// What `exited_review_mode` says: `{review_output: {findings[{title, body, priority?, code_location}],
/// overall_correctness, overall_explanation}}`; without an output the review was stopped.
pub(super) fn exited(payload: &Json<'_>) -> String {
    let Some(output) = payload.get("review_output").filter(|output| **output != Json::Null) else {
        return "Review ended without a result".to_owned();
    };
    let mut told = "Review finished".to_owned();
    if let Some(verdict) = text(output, "overall_correctness").filter(|verdict| !verdict.is_empty())
    {
        let _ = write!(told, ": {verdict}");
    }
    if let Some(why) = text(output, "overall_explanation").filter(|why| !why.is_empty()) {
        let _ = write!(told, "\n\n{why}");
    }
    for finding in output.get("findings").map(Json::items).unwrap_or_default() {
        let title = text(finding, "title").unwrap_or("Finding");
        let _ = write!(told, "\n\n**{title}**");
        if let Some(place) = finding.get("code_location").and_then(place) {
            let _ = write!(told, " `{place}`");
        }
        if let Some(body) = text(finding, "body") {
            let _ = write!(told, "\n\n{body}");
        }
    }
    told
}

/// `src/main.rs:10-12`
fn place(location: &Json<'_>) -> Option<String> {
    let path = text(location, "absolute_file_path").or_else(|| text(location, "path"))?;
    let range = location.get("line_range");
    let line = |key| range.and_then(|range| range.get(key)?.as_f64());
    Some(match (line("start"), line("end")) {
        (Some(start), Some(end)) if start < end => format!("{path}:{start}-{end}"),
        (Some(start), _) => format!("{path}:{start}"),
        _ => path.to_owned(),
    })
}
