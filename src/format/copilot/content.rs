//! Prompts and responses in the core's form.

use std::borrow::Cow;

use crate::format::blocks::{image, redacted_thinking, text_block, thinking, tool_call, with};
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::session::json::Json;

use super::first_pass::FirstPass;

/// The words of a field: a text, else whatever stands there as JSON; nothing for an empty one.
pub(super) fn words<'a>(data: &Json<'a>, key: &str) -> Option<Cow<'a, str>> {
    let words = data.get(key).filter(|words| **words != Json::Null)?.clone().into_text();
    (!words.is_empty()).then_some(words)
}

/// What a prompt came with.
#[derive(Default)]
pub(super) struct Attached<'a> {
    /// Blocks of the prompt itself: images, and whatever is not known here.
    pub(super) blocks: Vec<Json<'a>>,
    /// Files and folders that it names.
    pub(super) files: Vec<Json<'a>>,
}

impl<'a> Attached<'a> {
    // Types: file {path}, directory, selection {filePath, text}, blob {data or assetId}, github_*: copilot-sdk.
    pub(super) fn read(data: &Json<'a>, known: &FirstPass) -> Attached<'a> {
        let mut attached = Attached::default();
        for attachment in data.get("attachments").map(Json::items).unwrap_or_default() {
            let path = ["path", "filePath"].into_iter().find_map(|key| text(attachment, key));
            match (text(attachment, "type"), path) {
                (Some("file" | "directory" | "selection"), Some(path)) => {
                    let words = words(attachment, "text");
                    attached.files.push(object([
                        ("path", Some(string(path.to_owned()))),
                        ("skippedReason", words.is_none().then(|| string(NOT_IN_FILE))),
                        ("content", words.map(Json::String)),
                    ]));
                }
                _ => attached.blocks.push(binary(attachment, known)),
            }
        }
        attached
    }
}

/// Of a file that is attached, Copilot keeps the path alone.
const NOT_IN_FILE: &str = "its content is not in the session file";

/// An image that the value holds or names; anything else as it is.
pub(super) fn binary<'a>(block: &Json<'a>, known: &FirstPass) -> Json<'a> {
    let asset = text(block, "assetId").and_then(|id| known.assets.get(id));
    let own_type = text(block, "mimeType");
    let mime_type = own_type.or(asset.map(|asset| asset.mime_type.as_str()));
    let mime_type = mime_type.filter(|mime_type| mime_type.starts_with("image/"));
    let data = text(block, "data").or(asset.map(|asset| asset.data.as_str()));
    match (mime_type, data) {
        (Some(mime_type), Some(data)) => image(mime_type.to_owned(), data.to_owned()),
        _ => block.clone(),
    }
}

/// The blocks of a response: its reasoning, its words and the calls it asks for.
pub(super) fn response<'a>(data: &Json<'a>, line_id: &str, known: &FirstPass) -> Vec<Json<'a>> {
    let mut blocks = Vec::new();
    match words(data, "reasoningText") {
        Some(words) => blocks.push(thinking(words)),
        None if is_withheld(data) => {
            blocks.push(redacted_thinking());
        }
        None => {}
    }
    blocks.extend(words(data, "content").map(text_block));
    let requests = data.get("toolRequests").map(Json::items).unwrap_or_default();
    for (nth, request) in requests.iter().enumerate() {
        let id = text(request, "toolCallId").filter(|id| !id.is_empty());
        let facts = id.and_then(|id| known.calls.get(id));
        let own = request.get("arguments").filter(|arguments| **arguments != Json::Null);
        let arguments = own.or(facts.and_then(|facts| facts.started_with.as_ref()));
        let name = text(request, "name").or(facts.and_then(|facts| facts.name.as_deref()));
        let line_id = || format!("{line_id}-call-{}", nth + 1);
        let id = id.map_or_else(line_id, str::to_owned);
        blocks.push(call(id, name, arguments, text(request, "intentionSummary")).owned());
    }
    blocks
}

/// The provider keeps the reasoning to itself, or gave it only for itself to read.
// `reasoningOpaque`: 1.0.68; `encryptedContent`: copilot-sdk. Both are kilobytes that no reader can read.
fn is_withheld(data: &Json<'_>) -> bool {
    ["reasoningOpaque", "encryptedContent"].iter().any(|key| words(data, key).is_some())
}

/// A request for a tool; arguments may be JSON within a text.
// An object in 1.0.102; a text: copilot-sdk, test/harness.
pub(super) fn call<'a>(
    id: String,
    name: Option<&'a str>,
    arguments: Option<&'a Json<'a>>,
    intent: Option<&'a str>,
) -> Json<'a> {
    let arguments = match arguments {
        Some(Json::String(written)) => match serde_json::from_str::<Json<'_>>(written) {
            Ok(arguments @ Json::Object(_)) => arguments,
            // Some tools, such as `apply_patch`, take a bare text.
            _ => object([("input", Some(string(written.as_ref())))]),
        },
        Some(Json::Null) | None => Json::Object(Vec::new()),
        Some(other) => other.clone(),
    };
    let intent = intent.filter(|intent| !intent.is_empty()).map(string);
    with(tool_call(id, name.unwrap_or("tool"), arguments), "intent", intent)
}
