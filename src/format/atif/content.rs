//! Messages and results: a text, or since 1.6 parts of text and images (`nat_atif`).

use crate::format::blocks::{not_shown, other, text_block};
use crate::format::probe::text;
use crate::session::json::Json;

use super::beside::TrajectoryFiles;

/// A content as blocks.
pub(super) fn blocks<'a>(
    content: Option<&Json<'a>>,
    beside: &mut TrajectoryFiles,
) -> Vec<Json<'a>> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::String(words)) if words.is_empty() => Vec::new(),
        Some(Json::Array(parts)) => parts.iter().map(|part| block(part, beside)).collect(),
        Some(other) => vec![text_block(other.clone().into_text())],
    }
}

fn block<'a>(part: &Json<'a>, beside: &mut TrajectoryFiles) -> Json<'a> {
    let source = part.get("source");
    let path = source.and_then(|source| text(source, "path"));
    match (text(part, "type"), part, path) {
        (_, Json::String(words), _) => text_block(words.clone()),
        (Some("text"), ..) => {
            text_block(part.get("text").cloned().unwrap_or(Json::Null).into_text())
        }
        (Some("image"), _, Some(path)) => {
            let mime_type = source.and_then(|source| text(source, "media_type"));
            image(path, mime_type.unwrap_or("image"), beside)
        }
        _ => other("part", part.clone()),
    }
}

/// An address is never followed.
fn image(path: &str, mime_type: &str, beside: &mut TrajectoryFiles) -> Json<'static> {
    if path.contains("://") {
        return not_shown(format!("Image at {path} ({mime_type}), not included"));
    }
    if let Some(image) = crate::format::blocks::image_from_url(path) {
        return image;
    }
    match beside.image(path, mime_type) {
        Ok(image) => image,
        Err(reason) => not_shown(format!("Image {path} ({mime_type}), not included: {reason}")),
    }
}
