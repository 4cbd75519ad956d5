//! A command and what it printed, whether a tool or the user ran it.

use askama::Template;

use super::{ToolCard, ToolRun, about, duration};
use crate::html::Html;
use crate::render::image::Pictures;
use crate::render::{fill, highlight, output};
use crate::session::about::{About, command_of};
use crate::session::code_mode;
use crate::session::command_end::End;
use crate::session::json::Json;
use crate::session::message::{Bash, Program};
use crate::session::text::one_line;

#[derive(Template)]
#[template(path = "bash.html")]
struct BashTemplate {
    sign: &'static str,
    state: &'static str,
    summary: Html,
    words: Option<String>,
    body: Html,
}

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let arguments = &mut run.arguments;
    let command = command_of(arguments).unwrap_or_default();
    let mut card = ToolCard::default();
    if let Some(script) = code_mode::script(run.name, arguments).filter(|_| command.is_empty()) {
        arguments.text(&["input"]);
        card.body.push(&highlight::block(script, "js"));
    }
    if let Some(purpose) = arguments.text(&["description"]) {
        card.body.push(&output::notice(&purpose));
    }
    card.body.push(&whole(&command, "bash"));
    options(run, &mut card);
    card.body.push(&run.arguments.rest());
    ending(run, &mut card);
    card.body.append(run.output());
    for path in kept_at(run) {
        card.body.push(&output::shortened_by_agent(path));
    }
    card
}

/// The user's own command, as a card like a tool's.
pub(in crate::render) fn own(bash: &Bash<'_>, pictures: Pictures<'_>) -> Html {
    let mut body = whole(&bash.command, "bash");
    body.push(&output::printed(&bash.output));
    if !bash.images.is_empty() {
        body.push(&output::content(&bash.images, false, pictures));
    }
    let kept_at = bash.full_output_path.as_deref();
    OwnRun {
        sign: "$",
        exit_code: bash.exit_code,
        cancelled: bash.cancelled,
        excluded: bash.excluded,
        truncated: bash.truncated,
    }
    .card(summary(&bash.command, "bash", "no command"), body, kept_at)
}

/// The user's own program, in the same way.
pub(in crate::render) fn own_program(program: &Program<'_>) -> Html {
    let mut body = whole(&program.code, program.language);
    body.push(&output::printed(&program.output));
    OwnRun {
        sign: program.language,
        exit_code: program.exit_code,
        cancelled: program.cancelled,
        excluded: program.excluded,
        truncated: program.truncated,
    }
    .card(summary(&program.code, program.language, "no program"), body, None)
}

/// How something ended that the user ran.
struct OwnRun {
    sign: &'static str,
    exit_code: Option<f64>,
    cancelled: bool,
    excluded: bool,
    truncated: bool,
}

impl OwnRun {
    fn card(&self, summary: Html, mut body: Html, kept_at: Option<&str>) -> Html {
        let failed_with = self.exit_code.filter(|&code| code != 0.0);
        let words: Vec<String> = [
            self.cancelled.then(|| "canceled".to_owned()),
            failed_with.map(|code| format!("exit {code}")),
            self.excluded.then(|| "not sent to the model".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        match kept_at {
            Some(path) if self.truncated => body.push(&output::shortened_by_agent(path)),
            _ if self.truncated => {
                body.push_markup("<p class=\"note\" data-ui>Truncated by the agent</p>\n");
            }
            _ => {}
        }
        fill(&BashTemplate {
            sign: self.sign,
            state: match (self.cancelled, failed_with) {
                (true, _) => "aborted",
                (false, Some(_)) => "error",
                (false, None) => "ok",
            },
            summary,
            words: (!words.is_empty()).then(|| words.join(", ")),
            body,
        })
    }
}

/// What a person ran, on one line.
fn summary(code: &str, language: &str, nothing: &'static str) -> Html {
    let line = one_line(code);
    if line.is_empty() {
        return about::html(&About::Missing(nothing));
    }
    about::command(&line, language)
}

/// The command as written, where one line does not show it.
fn whole(code: &str, language: &str) -> Html {
    let is_short = About::shown_command(code).1 && !code.contains('\n');
    if is_short { Html::new() } else { highlight::block(code, language) }
}

/// How the command was to be run; where it ran stays among the other arguments.
fn options(run: &mut ToolRun<'_>, card: &mut ToolCard) {
    let arguments = &mut run.arguments;
    if let Some(ms) = arguments.number(&["timeout_ms", "timeoutMs"]) {
        card.facts.push(limit(ms));
    }
    if let Some(timeout) = arguments.number(&["timeout"]) {
        card.facts.push(match timeout {
            _ if run.name == "Bash" => limit(timeout),
            // Seconds for some agents, milliseconds for others: between these bounds the number
            // alone is certain.
            10_000.0.. => limit(timeout),
            0.0..=600.0 => limit(timeout * 1e3),
            _ => format!("timeout {timeout}"),
        });
    }
    if arguments.flag(&["run_in_background", "background", "is_background"]) == Some(true) {
        card.facts.push("in the background".to_owned());
    }
}

/// `5 min limit`: how long a command may run, in milliseconds.
fn limit(ms: f64) -> String {
    const MINUTE: f64 = 60_000.0;
    if (MINUTE..60.0 * MINUTE).contains(&ms) && ms % MINUTE == 0.0 {
        return format!("{} min limit", ms / MINUTE);
    }
    format!("{} limit", duration(ms))
}

/// How the command ended, how long it ran, how much of its output is here.
fn ending(run: &ToolRun<'_>, card: &mut ToolCard) {
    let end = run.result.map(End::of).unwrap_or_default();
    card.failed = end.is_failure();
    card.facts.extend(end.code.filter(|code| *code != 0.0).map(|code| format!("exit {code}")));
    if end.timed_out {
        card.facts.push("timed out".to_owned());
    }
    if end.aborted {
        card.facts.push("aborted".to_owned());
    }
    let number = |key| run.detail(key).and_then(Json::as_f64);
    let ms = number("durationMs").or_else(|| number("wallTimeMs"));
    // A duration that the result states itself is shown for every tool.
    let stated = run.result.is_some_and(|result| result.duration_ms.is_some());
    card.facts.extend(ms.filter(|_| !stated).map(duration));
    card.facts.extend(run.detail("truncation").and_then(shortened));
}

/// `40 of 2638 lines`, from pi's facts on an output it cut.
fn shortened(truncation: &Json<'_>) -> Option<String> {
    let number = |key| truncation.get(key).and_then(Json::as_f64);
    let is_cut = truncation.get("truncated") != Some(&Json::Bool(false));
    let (shown, all) = (number("outputLines")?, number("totalLines")?);
    is_cut.then(|| format!("{shown} of {all} lines"))
}

/// Where the agent keeps all of the output: a file, or a name of its own for it.
fn kept_at<'r>(run: &ToolRun<'r>) -> impl Iterator<Item = &'r str> {
    let meta = run.detail("meta").and_then(|meta| meta.get("truncation"));
    let places = [
        run.detail("fullOutputPath"),
        run.detail("artifactId"),
        meta.and_then(|truncation| truncation.get("artifactId")),
    ];
    places.into_iter().flatten().filter_map(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_agent_cut_is_told_in_lines() {
        let told = |text: &str| shortened(&serde_json::from_str(text).unwrap());
        assert_eq!(
            told(r#"{"truncated":true,"outputLines":40,"totalLines":2638}"#).as_deref(),
            Some("40 of 2638 lines")
        );
        assert_eq!(told(r#"{"truncated":false,"outputLines":40,"totalLines":40}"#), None);
        assert_eq!(told(r#"{"truncated":true,"outputLines":"40"}"#), None);
    }
}
