//! What an event says of something that ran and ended: a command, a patch, a tool of a server. `*_end`: 0.146.0;
//! items: 0.169.0.

use crate::format::probe::text;
use crate::session::json::Json;

use super::ending::{Ending, of_event};

/// Something that ran and ended.
#[derive(Debug, Default)]
pub(super) struct Finished {
    /// The id of its call, or one of its own where a script called it.
    pub(super) id: String,
    /// What a script calls it.
    pub(super) tool: String,
    /// A command, or what else it was about.
    pub(super) about: String,
    pub(super) output: String,
    pub(super) ending: Ending,
    pub(super) duration_ms: Option<f64>,
}

impl Finished {
    /// `exec_command_end` and others name the call; `item_completed` holds an item with its id.
    pub(super) fn of_event(event: &str, payload: &Json<'_>) -> Option<Finished> {
        let (kind, about, id) = match (event, payload.get("item")) {
            ("item_completed", Some(item)) => (text(item, "type")?, item, text(item, "id")?),
            _ => (event, payload, text(payload, "call_id")?),
        };
        let finished = match kind {
            "exec_command_end" | "CommandExecution" => {
                if text(about, "source") == Some("user_shell") {
                    return None;
                }
                let about = command(about.get("command")?);
                Finished { tool: "exec_command".to_owned(), about, ..Finished::default() }
            }
            "patch_apply_end" | "FileChange" => {
                let about = paths(about.get("changes"));
                Finished { tool: "apply_patch".to_owned(), about, ..Finished::default() }
            }
            "ImageView" => {
                let path = text(about, "path").unwrap_or_default();
                let about = path.strip_prefix("file://").unwrap_or(path).to_owned();
                Finished { tool: "view_image".to_owned(), about, ..Finished::default() }
            }
            "WebSearch" => {
                let about = text(about, "query").unwrap_or_default().to_owned();
                Finished { tool: "web_search".to_owned(), about, ..Finished::default() }
            }
            "mcp_tool_call_end" | "McpToolCall" => mcp(about),
            _ => return None,
        };
        Some(Finished {
            id: id.to_owned(),
            output: output(about),
            ending: of_event(about),
            duration_ms: duration(about.get("duration")),
            ..finished
        })
    }
}

/// A command line, without the shell that it was given to.
fn command(command: &Json<'_>) -> String {
    let words: Vec<&str> = command.items().iter().filter_map(Json::as_str).collect();
    match words[..] {
        [shell, flag, script]
            if is_shell(shell) && flag.starts_with('-') && flag.ends_with('c') =>
        {
            script.to_owned()
        }
        [] => command.as_str().unwrap_or_default().to_owned(),
        _ => words.join(" "),
    }
}

fn is_shell(program: &str) -> bool {
    let program = program.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(program, "bash" | "sh" | "zsh" | "dash" | "ksh")
}

fn paths(changes: Option<&Json<'_>>) -> String {
    let Some(Json::Object(changes)) = changes else { return String::new() };
    changes.iter().map(|(path, _)| path.as_ref()).collect::<Vec<_>>().join(" ")
}

fn mcp(about: &Json<'_>) -> Finished {
    let call = about.get("invocation").unwrap_or(about);
    let named = |key| text(call, key).unwrap_or_default();
    let tool = [named("server"), named("tool")].join("__");
    let arguments = call.get("arguments").filter(|given| **given != Json::Null);
    Finished {
        tool: format!("mcp__{tool}"),
        about: arguments.map(Json::compact).unwrap_or_default(),
        ..Finished::default()
    }
}

/// What was printed, or what a tool gave back.
fn output(about: &Json<'_>) -> String {
    let printed = |key| text(about, key).unwrap_or_default();
    let whole = printed("aggregated_output");
    if !whole.is_empty() {
        return whole.to_owned();
    }
    let both = [printed("stdout"), printed("stderr")].concat();
    if !both.is_empty() {
        return both;
    }
    let result = about.get("result");
    let given = result.map(|result| result.get("Ok").unwrap_or(result));
    let blocks = given.and_then(|given| given.get("content")).map(Json::items).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| text(block, "text")).collect();
    if !texts.is_empty() {
        return texts.join("\n");
    }
    let failed = result.and_then(|result| text(result, "Err"));
    let error = about.get("error").and_then(|error| error.as_str().or(text(error, "message")));
    failed.or(error).unwrap_or_default().to_owned()
}

/// `{secs, nanos}`.
// 0.146.0 and 0.169.0; the result is in milliseconds.
fn duration(duration: Option<&Json<'_>>) -> Option<f64> {
    let part = |key| duration?.get(key)?.as_f64();
    Some(part("secs")? * 1000.0 + part("nanos").unwrap_or(0.0) / 1e6)
}
