//! Lines that the program adds beside the conversation and that say something to a reader: what
//! it gave the model with a prompt, and what it said to the person. All others stay rows that hold
//! the line, folded.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::format::blocks::given_image;
use crate::format::fields::{object, string};
use crate::session::json::Json;
use crate::session::notice;
use crate::session::unknown::{notice_of, words_within};

use super::access::{owned, text};

/// How such a line is shown.
pub(super) enum Shown<'a> {
    /// A file that was given to the model, as the core's messages of mentioned files have it.
    File(Json<'a>),
    Words(Words),
}

/// A line as Markdown.
pub(super) struct Words {
    pub(super) name: Cow<'static, str>,
    pub(super) text: String,
    /// Shown as it is; all else stands folded.
    pub(super) is_open: bool,
}

/// How a line is shown that is more than a record; `None` where it is none of those, or not of
/// the shape known.
pub(super) fn shown<'a>(line: &Json<'a>) -> Option<Shown<'a>> {
    match (text(line, "type")?, text(line, "subtype")) {
        ("system", Some(subtype)) => system(subtype, line),
        ("attachment", _) => attachment(line.get("attachment")?),
        ("result", _) => workflow_result(line),
        _ => None,
    }
}

fn words<'a>(name: impl Into<Cow<'static, str>>, is_open: bool, text: String) -> Option<Shown<'a>> {
    let is_empty = text.trim().is_empty();
    (!is_empty).then(|| Shown::Words(Words { name: name.into(), text, is_open }))
}

/// Subtypes of system rows that are state, whatever they hold.
// 2.1.12 to 2.1.332.
const STATE: [&str; 8] = [
    "bridge_status",
    "compact_boundary",
    "init",
    "local_command",
    "microcompact_boundary",
    "stop_hook_summary",
    "task_progress",
    "turn_duration",
];

/// Attachments whose words a reader wants and that are given to the model, by their type.
// Strings of 2.1.332; of teammate_mailbox the shape, too: {messages: [{from, text}]}.
const GIVEN: [&str; 4] =
    ["account_memory_recall", "fork_briefing", "mcp_resource", "selected_lines_in_ide"];

/// The words of a row under its own name.
fn row<'a>(name: &str, json: &Json<'_>) -> Option<Shown<'a>> {
    words(notice_of(name), true, words_within(json)?)
}

/// Mail of other agents, each with who wrote it.
fn mail(attachment: &Json<'_>) -> String {
    let mails = attachment.get("messages").map_or(&[][..], Json::items);
    let one = |mail: &Json<'_>| {
        let said = text(mail, "text")?;
        Some(text(mail, "from").map_or(said.to_owned(), |from| format!("From {from}: {said}")))
    };
    mails.iter().filter_map(one).collect::<Vec<_>>().join("\n\n")
}

// Seen: informational, api_retry, permission_denied, model_refusal_no_fallback in 2.1.330. task_notification in both
// 2.1.197 and 2.1.330. api_refusal and model_refusal_fallback: toolpath, agentsview.
fn system<'a>(subtype: &str, line: &Json<'a>) -> Option<Shown<'a>> {
    let content = text(line, "content");
    match subtype {
        // Of a prompt that a hook blocked it is the only record (toolpath, entry-types.md, 2.1.274).
        "informational" => words(notice::INFORMATION, true, content?.to_owned()),
        "api_retry" => {
            let number = |key| line.get(key).and_then(Json::as_f64);
            let of = number("maxRetries").map(|most| format!(" of {most}")).unwrap_or_default();
            let status = number("errorStatus").map(|status| format!(" ({status})"));
            let error = text(line, "error").unwrap_or("unknown error");
            let said =
                format!("Retry {}{of}: {error}{}", number("attempt")?, status.unwrap_or_default());
            words(notice::RETRY, false, said)
        }
        "permission_denied" => {
            let tool = text(line, "toolName").unwrap_or("a tool");
            let why = text(line, "decisionReason").or(text(line, "message"));
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            words(notice::DENIED, true, format!("`{tool}` was not allowed{why}"))
        }
        "task_notification" => {
            let status = text(line, "status").unwrap_or("unknown status");
            let said = text(line, "summary").unwrap_or_default();
            words(
                "task-notification",
                false,
                format!("Task `{}`: {status}\n\n{said}", owned(line, "taskId")),
            )
        }
        "api_refusal" | "model_refusal_no_fallback" => {
            words(notice::REFUSAL, true, refusal(line, content))
        }
        "model_refusal_fallback" => {
            let model = |key| text(line, key).map(|model| format!("`{model}`"));
            let to = model("fallbackModel")?;
            let from = model("originalModel").map(|from| format!("{from} refused to answer. "));
            let said = content.map(|content| format!("\n\n{content}"));
            let from = from.unwrap_or_default();
            let said = said.unwrap_or_default();
            words(notice::FALLBACK, true, format!("{from}The session goes on with {to}.{said}"))
        }
        // A row that is no state says something, whatever it is called: away_summary, model_fallback, memory_saved.
        _ if STATE.contains(&subtype) => None,
        _ => row(subtype, line),
    }
}

/// What an agent of a workflow found.
// `subagents/workflows/<run>/journal.jsonl`: agentsview.
fn workflow_result<'a>(line: &Json<'a>) -> Option<Shown<'a>> {
    let result = line.get("result")?;
    let said = match result.as_str() {
        Some(said) => said.to_owned(),
        None => fenced(&result.pretty()),
    };
    let agent = text(line, "agentId").map(|agent| format!("Agent `{agent}`\n\n"));
    words("workflow-result", true, format!("{}{said}", agent.unwrap_or_default()))
}

fn refusal(line: &Json<'_>, content: Option<&str>) -> String {
    let mut said = match text(line, "apiRefusalCategory") {
        Some(category) => format!("The API refused to answer: {category}"),
        None => "The API refused to answer".to_owned(),
    };
    for more in [text(line, "apiRefusalExplanation"), content].into_iter().flatten() {
        let _ = write!(said, "\n\n{more}");
    }
    let retracted = line.get("retractedMessageUuids").map_or(&[][..], Json::items);
    let retracted: Vec<&str> = retracted.iter().filter_map(Json::as_str).collect();
    if let Some(refused) = text(line, "refusedUserMessageUuid") {
        let _ = write!(said, "\n\nRefused prompt: `{refused}`");
    }
    if !retracted.is_empty() {
        let _ = write!(said, "\n\nRetracted messages: `{}`", retracted.join("`, `"));
    }
    said
}

// plan_mode: 2.1.12. The other types and their fields: toolpath and agentsview, for 2.1.x.
fn attachment<'a>(attachment: &Json<'a>) -> Option<Shown<'a>> {
    let field = |key| text(attachment, key);
    match field("type")? {
        "file" => file(attachment),
        "edited_text_file" => words("edited-text-file", false, edited(attachment)?),
        "compact_file_reference" => {
            let path = field("filename").or(field("displayPath"))?;
            let said = format!("`{path}` was read before the compaction");
            words("compact-file-reference", true, said)
        }
        "plan_mode" => words("plan-mode", true, plan_mode(attachment)),
        "hook_blocking_error" => words("hook-blocking-error", true, blocked(attachment)?),
        "hook_additional_context" => {
            let said = lines_of(attachment.get("content")?);
            let head = hook(attachment);
            (!said.is_empty()).then_some(())?;
            words("hook-additional-context", false, format!("{head}\n\n{said}"))
        }
        "invoked_skills" => words("invoked-skills", false, skills(attachment)),
        "task_status" => words("task-status", true, task(attachment)),
        "teammate_mailbox" => words(notice::MAIL, true, mail(attachment)),
        "hook_system_message" => row("hook_system_message", attachment),
        given if GIVEN.contains(&given) => {
            words(given.replace('_', "-"), true, words_within(attachment)?)
        }
        _ => None,
    }
}

/// A file with its text or its picture.
fn file<'a>(attachment: &Json<'a>) -> Option<Shown<'a>> {
    let path = text(attachment, "filename").or_else(|| text(attachment, "displayPath"))?;
    let content = attachment.get("content")?;
    let inner = content.get("file").unwrap_or(content);
    let said = content.as_str().or_else(|| text(inner, "content"));
    let image =
        inner.get("base64").map(|data| given_image(inner.get("type").cloned(), data.clone()));
    let is_empty = said.is_none() && image.is_none();
    (!is_empty).then(|| {
        Shown::File(object([
            ("path", Some(string(path.to_owned()))),
            ("content", said.map(|said| string(said.to_owned()))),
            ("image", image),
        ]))
    })
}

fn edited(attachment: &Json<'_>) -> Option<String> {
    let path = text(attachment, "filename")?;
    let snippet = text(attachment, "snippet").unwrap_or_default();
    Some(format!("`{path}` was changed since it was read\n\n{}", fenced(snippet)))
}

fn plan_mode(attachment: &Json<'_>) -> String {
    let path = text(attachment, "planFilePath");
    let path = path.map(|path| format!(". The plan is kept in `{path}`")).unwrap_or_default();
    format!("Plan mode is on{path}")
}

fn blocked(attachment: &Json<'_>) -> Option<String> {
    let error = attachment.get("blockingError")?;
    let said = error.as_str().or_else(|| text(error, "blockingError"))?;
    let command = text(error, "command").map(|command| format!("\n\nCommand: `{command}`"));
    let command = command.unwrap_or_default();
    Some(format!("{} blocked\n\n{}{command}", hook(attachment), fenced(said)))
}

/// Which hook it was.
fn hook(attachment: &Json<'_>) -> String {
    match text(attachment, "hookName").or_else(|| text(attachment, "hookEvent")) {
        Some(name) => format!("Hook `{name}`"),
        None => "A hook".to_owned(),
    }
}

fn skills(attachment: &Json<'_>) -> String {
    let skills = attachment.get("skills").map_or(&[][..], Json::items);
    let one = |skill: &Json<'_>| {
        let name = text(skill, "name").or_else(|| skill.as_str()).unwrap_or("without a name");
        let content = text(skill, "content").map(|content| format!("\n\n{content}"));
        format!("Skill `{name}`{}", content.unwrap_or_default())
    };
    skills.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

fn task(attachment: &Json<'_>) -> String {
    let field = |key| text(attachment, key);
    let name = field("description").or(field("taskId")).unwrap_or("without a description");
    let status = field("status").unwrap_or("unknown status");
    let more = field("deltaSummary").map(|more| format!("\n\n{more}"));
    format!("Task “{name}”: {status}{}", more.unwrap_or_default())
}

/// A text, or the texts of a list, one below the other.
fn lines_of(content: &Json<'_>) -> String {
    match content.as_str() {
        Some(said) => said.to_owned(),
        None => content.items().iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n\n"),
    }
}

/// A text in a fence that it cannot end itself.
fn fenced(said: &str) -> String {
    let longest = said.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", said.trim_end_matches('\n'))
}
