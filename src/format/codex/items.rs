//! Response items in the core's form.

use crate::format::blocks::{image, image_from_url, number, text_block, thinking, tool_call, with};
use crate::format::citations;
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::session::json::Json;

use super::ending::Ending;

/// What a sub-agent reports, which the program puts in under the user's name or the model's.
pub(super) const NOTIFICATION: &str = "<subagent_notification>";

/// What the program puts in under the user's name, by how it begins.
// Seen in 0.169.0: environment_context, permissions, turn_aborted, user_shell_command. AGENTS.md: 0.77.0.
// subagent_notification: agentsview. user_instructions and skill: codex-rs, core and protocol.
const INJECTED: [(&str, &str); 8] = [
    ("<environment_context>", "environment_context"),
    ("<user_instructions>", "user_instructions"),
    ("# AGENTS.md instructions", "user_instructions"),
    ("<permissions instructions>", "permissions"),
    ("<turn_aborted>", "turn_aborted"),
    ("<user_shell_command>", "user_shell_command"),
    (NOTIFICATION, "subagent_notification"),
    ("<skill>", "skill"),
];

/// What it is that begins so, where the program put it in under the user's name.
pub(super) fn injected(beginning: &str) -> Option<&'static str> {
    let beginning = beginning.trim_start();
    INJECTED.iter().find(|(start, _)| beginning.starts_with(start)).map(|(_, name)| *name)
}

/// Whether an item is the model's request for a tool.
// codex-rs, protocol: `ResponseItem`.
pub(super) fn is_call(item: &str) -> bool {
    matches!(
        item,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "tool_search_call"
            | "image_generation_call"
    )
}

/// What a tool gave back.
pub(super) struct Answer<'a> {
    pub(super) content: Vec<Json<'a>>,
    pub(super) ending: Ending,
    pub(super) details: Option<Json<'a>>,
}

impl<'a> Answer<'a> {
    /// The output is a text, a list of blocks, or an object, which may be within a text:
    /// `{output, metadata: {exit_code, duration_seconds}}`.
    // The object in a text: codex-rs, core, up to the versions that write "Exit code:" instead. Blocks: 0.169.0.
    pub(super) fn read(payload: &Json<'a>, tool: Option<&str>) -> Answer<'a> {
        let output = payload.get("output").or_else(|| payload.get("tools"));
        let said = match output {
            Some(Json::String(said)) => Some(said),
            Some(Json::Object(_)) => match output.and_then(|output| output.get("content")) {
                Some(Json::String(said)) => Some(said),
                _ => None,
            },
            _ => None,
        };
        let packed = match (said, output) {
            (Some(said), _) => Answer::unpacked(said),
            (None, output) => output.and_then(Answer::of_object),
        };
        let mut answer = packed.unwrap_or_else(|| {
            let content = match (said, output) {
                (Some(said), _) if is_list_of_items(said) => {
                    let items: Json<'_> = serde_json::from_str(said).unwrap_or(Json::Null);
                    content(Some(&items)).into_iter().map(Json::owned).collect()
                }
                (Some(said), _) => vec![text_block(said.clone())],
                (None, Some(output @ Json::Object(_))) => {
                    content(Some(&Json::Array(vec![output.clone()])))
                }
                (None, output) => content(output),
            };
            let ending = Ending::of_output(tool, output);
            Answer { content, ending, details: ending.details() }
        });
        let success = output.and_then(|output| output.get("success"));
        answer.ending.has_failed |= success == Some(&Json::Bool(false));
        answer
    }

    fn unpacked(said: &str) -> Option<Answer<'a>> {
        let is_packed = said.starts_with('{') && said.contains("\"metadata\"");
        let json: Json<'_> = is_packed.then(|| serde_json::from_str(said).ok()).flatten()?;
        Answer::of_object(&json)
    }

    fn of_object(json: &Json<'_>) -> Option<Answer<'a>> {
        let output = json.get("output")?.as_str()?.to_owned();
        let about = json.get("metadata")?;
        let told = |key: &str| about.get(key).and_then(Json::as_f64);
        let code = told("exit_code");
        let ms = told("duration_seconds").map(|seconds| seconds * 1000.0);
        let details =
            object([("exitCode", code.and_then(number)), ("durationMs", ms.and_then(number))]);
        Some(Answer {
            content: vec![text_block(output)],
            ending: code.map(Ending::of_code).unwrap_or_default(),
            details: Some(details),
        })
    }
}

/// Whether a text is the JSON of a list of items, each of a known kind.
// 0.171.0: the output of a tool that gives pictures.
fn is_list_of_items(said: &str) -> bool {
    let is_item = |item: &Json<'_>| {
        matches!(text(item, "type"), Some("input_text" | "input_image" | "output_text"))
    };
    said.trim_start().starts_with("[{")
        && serde_json::from_str::<Json<'_>>(said)
            .is_ok_and(|list| !list.items().is_empty() && list.items().iter().all(is_item))
}

/// Blocks in the core's form; unknown ones stay as they are.
pub(super) fn content<'a>(content: Option<&Json<'a>>) -> Vec<Json<'a>> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(items)) => {
            let cited = |item| block(item).into_iter().chain(citations::of_text(item));
            items.iter().flat_map(cited).collect()
        }
        Some(other) => vec![text_block(other.clone().into_text())],
    }
}

/// The texts of a message, without a break between them.
pub(super) fn words_of(message: &Json<'_>) -> String {
    let blocks = content(message.get("content"));
    blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect()
}

fn block<'a>(block: &Json<'a>) -> Option<Json<'a>> {
    match text(block, "type") {
        Some("input_text" | "output_text" | "text" | "summary_text" | "reasoning_text") => {
            let words = block.get("text").cloned().unwrap_or(Json::Null);
            Some(text_block(words.into_text()))
        }
        Some("input_image") => match block.get("image_url") {
            // Left out by Codex itself.
            None | Some(Json::Null) => None,
            Some(url) => {
                Some(url.as_str().and_then(image_from_url).unwrap_or_else(|| block.clone()))
            }
        },
        _ => Some(block.clone()),
    }
}

/// Reasoning: its raw text where there is one, else its summary; without both it was withheld.
// `content`, `summary`, `encrypted_content`: codex-rs, protocol; 0.169.0.
pub(super) fn reasoning<'j>(payload: &'j Json<'j>) -> Json<'j> {
    let raw = texts(payload, "content").join("\n\n");
    let words = if raw.is_empty() { texts(payload, "summary").join("\n\n") } else { raw };
    thinking(words)
}

/// All texts of an item of reasoning.
pub(super) fn reasoning_texts(payload: &Json<'_>) -> Vec<String> {
    let texts = ["summary", "content"].map(|key| texts(payload, key)).concat();
    texts.into_iter().map(str::to_owned).collect()
}

fn texts<'j>(payload: &'j Json<'_>, key: &str) -> Vec<&'j str> {
    let blocks = payload.get(key).map(Json::items).unwrap_or_default();
    blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect()
}

/// A request for a tool; arguments are JSON within a text.
pub(super) fn call<'j>(kind: &str, payload: &'j Json<'j>, line_id: String) -> Json<'j> {
    let named = |key: &str| text(payload, key).map(str::to_owned);
    let id = named("call_id").or_else(|| named("id"));
    let name = match kind {
        "local_shell_call" => "local_shell",
        "web_search_call" => "web_search",
        "tool_search_call" => "tool_search",
        "image_generation_call" => "image_generation",
        _ => "",
    };
    let name = named("name").unwrap_or_else(|| name.to_owned());
    let given = ["arguments", "input", "action"].into_iter().find_map(|key| payload.get(key));
    let arguments = match given {
        Some(Json::String(written)) => match serde_json::from_str::<Json<'_>>(written) {
            Ok(arguments @ Json::Object(_)) => arguments,
            // `apply_patch` and other free-form tools take a bare text.
            _ => object([("input", Some(Json::String(written.clone())))]),
        },
        Some(Json::Null) | None => Json::Object(Vec::new()),
        Some(other) => other.clone(),
    };
    let status = provider_status(kind, payload).map(string);
    with(tool_call(id.unwrap_or(line_id), name, arguments), "status", status)
}

/// How a call ended that the provider ran itself: no output follows.
fn provider_status<'j>(kind: &str, payload: &'j Json<'_>) -> Option<&'j str> {
    let is_providers = matches!(kind, "web_search_call" | "image_generation_call");
    let ended = |status: &&str| matches!(*status, "completed" | "failed");
    text(payload, "status").filter(|_| is_providers).filter(ended)
}

/// The picture that the provider made for a call.
pub(super) fn picture(kind: &str, payload: &Json<'_>) -> Option<Json<'static>> {
    let data = text(payload, "result").filter(|data| !data.is_empty())?;
    (kind == "image_generation_call").then(|| image("image/png".to_owned(), data.to_owned()))
}
