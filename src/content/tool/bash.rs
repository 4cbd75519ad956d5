//! A command and what it printed, whether a tool or the user ran it.

use super::{ToolCard, ToolRun, heading};
use crate::content::{Caller, Card, Content, Line, Part, Role, RunState, Span};
use crate::figures::duration;
use crate::session::action::heading::Heading;
use crate::session::action::outcome::{End, Outcome};
use crate::session::action::{Run, Script};
use crate::session::json::Json;
use crate::session::message::{Bash, Program};
use crate::session::text::one_line;

pub(super) fn read<'r>(run: &ToolRun<'r>, asked: &Run<'r>) -> ToolCard<'r> {
    let mut card = ToolCard::default();
    if let Script::CodeMode(script) = asked.script {
        card.body.code(script, "js");
    }
    if let Some(purpose) = asked.purpose.clone() {
        card.body.notice(purpose);
    }
    let command = asked.command();
    if !is_short(&command) {
        card.body.code(command, "bash");
    }
    options(run.name, asked, &mut card);
    card.body.append(run.arguments.rest());
    ending(run, &mut card);
    card.body.append(run.output());
    card.body.extend(kept_at(run).map(shortened_by_agent));
    card
}

/// The user's own command, as a card like a tool's.
pub(super) fn own<'r>(bash: &'r Bash<'r>) -> Part<'r> {
    let mut body = whole(&bash.command, "bash");
    body.output(bash.output.as_ref());
    if !bash.images.is_empty() {
        body.append(Content::printed(&bash.images, false));
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
pub(super) fn own_program<'r>(program: &'r Program<'r>) -> Part<'r> {
    let mut body = whole(&program.code, program.language);
    body.output(program.output.as_ref());
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
    fn card<'r>(
        &self,
        summary: Span<'r>,
        mut body: Content<'r>,
        kept_at: Option<&'r str>,
    ) -> Part<'r> {
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
            Some(path) if self.truncated => body.push(shortened_by_agent(path)),
            _ if self.truncated => body.remark("Truncated by the agent"),
            _ => {}
        }
        Part::Card(Box::new(Card {
            name: self.sign.into(),
            caller: Caller::Person { words: words.join(", ") },
            state: match (self.cancelled, failed_with) {
                (true, _) => RunState::Aborted,
                (false, Some(_)) => RunState::Failed,
                (false, None) => RunState::Ok,
            },
            summary: vec![summary],
            facts: Vec::new(),
            body,
        }))
    }
}

/// What a person ran, on one line.
fn summary(code: &str, language: &'static str, nothing: &'static str) -> Span<'static> {
    let line = one_line(code);
    if line.is_empty() { Span::own(nothing) } else { heading::command(&line, language) }
}

/// The command as written, where one line does not show it.
fn whole<'r>(code: &'r str, language: &'static str) -> Content<'r> {
    let mut content = Content::new();
    if !is_short(code) {
        content.code(code, language);
    }
    content
}

fn is_short(code: &str) -> bool {
    Heading::shown_command(code).1 && !code.contains('\n')
}

/// Where the agent keeps all of an output that it shortened.
fn shortened_by_agent(path: &str) -> Part<'_> {
    let words = Span::own("Truncated by the agent; full output: ");
    Part::Line(Line::new(Role::Note, [words, Span::text(path)]))
}

/// How the command was to be run; where it ran stays among the other arguments.
fn options(tool: &str, asked: &Run<'_>, card: &mut ToolCard<'_>) {
    card.facts.extend(asked.timeout_ms.map(limit));
    card.facts.extend(asked.timeout.map(|timeout| match timeout {
        _ if tool == "Bash" => limit(timeout),
        // Seconds for some agents, milliseconds for others: between these bounds the number
        // alone is certain.
        10_000.0.. => limit(timeout),
        0.0..=600.0 => limit(timeout * 1e3),
        _ => format!("timeout {timeout}"),
    }));
    if asked.in_background {
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
fn ending(run: &ToolRun<'_>, card: &mut ToolCard<'_>) {
    let outcome = run.result.map(Outcome::of).unwrap_or_default();
    card.failed = outcome.is_failure();
    card.facts.extend(outcome.failed_with().map(|code| format!("exit {code}")));
    if outcome.end == End::TimedOut {
        card.facts.push("timed out".to_owned());
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
