//! What llama.app attaches to a message (`extra`): images as images, files as text (llama.cpp, `types`).

use crate::format::blocks::{attached, image, image_from_url, other, text_block};
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::text::bytes;

/// The attachments of a message as blocks.
pub(super) fn blocks<'a>(message: &Json<'a>) -> Vec<Json<'a>> {
    match message.get("extra") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(extras)) => extras.iter().flat_map(block).collect(),
        Some(other) => vec![unknown(other)],
    }
}

/// Older versions write `imageFile` where newer ones write `IMAGE`.
fn block<'a>(extra: &Json<'a>) -> Vec<Json<'a>> {
    let kind = text(extra, "type").unwrap_or_default().to_ascii_lowercase();
    let name = text(extra, "name").unwrap_or("without a name");
    let known = match kind.strip_suffix("file").unwrap_or(&kind) {
        "image" => text(extra, "base64Url").map(|url| vec![picture(url)]),
        "text" | "context" => content(extra, &format!("Attached file `{name}`:")),
        "pdf" => content(extra, &format!("Attached PDF `{name}`:")).map(|mut blocks| {
            let pages = extra.get("images").map(Json::items).unwrap_or_default();
            blocks.extend(pages.iter().filter_map(Json::as_str).map(picture));
            blocks
        }),
        "mcp_prompt" => {
            let server = text(extra, "serverName").unwrap_or("unknown");
            content(extra, &format!("Prompt `{name}` of the MCP server `{server}`:"))
        }
        "mcp_resource" => {
            let uri = text(extra, "uri").unwrap_or(name);
            content(extra, &format!("MCP resource `{uri}`:"))
        }
        kind @ ("audio" | "video") => text(extra, "base64Data").map(|data| {
            let mime_type = text(extra, "mimeType").unwrap_or("type unknown");
            let size = bytes(data.len() / 4 * 3);
            let words = format!("\n\nAttached {kind} `{name}` ({mime_type}, {size}), not shown");
            vec![text_block(words)]
        }),
        _ => None,
    };
    known.unwrap_or_else(|| vec![unknown(extra)])
}

fn content(extra: &Json<'_>, what: &str) -> Option<Vec<Json<'static>>> {
    Some(vec![text_block(attached(what, text(extra, "content")?))])
}

/// A data URL, or bare base64.
fn picture(url: &str) -> Json<'static> {
    image_from_url(url).unwrap_or_else(|| image("image/png", url.to_owned()))
}

fn unknown<'a>(extra: &Json<'a>) -> Json<'a> {
    other("attachment", extra.clone())
}
