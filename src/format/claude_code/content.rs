//! Message contents and what tools left beside their results, in the core's form.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::format::blocks::{given_image, given_tool_call, not_shown, text_block, thinking, with};
use crate::format::fields::{object, string};
use crate::format::{citations, provider_tools};
use crate::session::json::Json;
use crate::session::text::counted;

use super::access::text;

/// Facts on a result are kept up to this many bytes each; the source holds the rest.
const MAX_FACT_BYTES: usize = 4096;

/// What a tool leaves that the call or the result's text says already, or that
/// is only of use to the program.
const SAID_ELSEWHERE: [&str; 11] = [
    "content",
    "file",
    "stdout",
    "stderr",
    "originalFile",
    "originalFileContents",
    "structuredPatch",
    "oldTodos",
    "newTodos",
    "prompt",
    "usage",
];

/// The blocks of a content, which may be a plain text.
pub(super) fn blocks(content: Option<Json<'_>>) -> Vec<Json<'_>> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(items)) => items.into_iter().flat_map(block).collect(),
        Some(other) => vec![text_block(other.into_text())],
    }
}

// Blocks of Anthropic's Messages API, as 1.0.98 to 2.1.330 store them. `redacted_thinking` and `document`: that API's
// documentation and toolpath, messages.md. `fallback` {from, to}: toolpath, agentsview, for 2.1.x.
// `container_upload`, `search_result`, citations and what the provider runs: that documentation.
fn block(block: Json<'_>) -> impl Iterator<Item = Json<'_>> {
    let cited = citations::of_text(&block);
    std::iter::once(own_block(block)).chain(cited)
}

fn own_block(block: Json<'_>) -> Json<'_> {
    let taken = |key: &str| block.get(key).cloned();
    match text(&block, "type") {
        Some("server_tool_use" | "mcp_tool_use") => provider_tools::call(&block).unwrap_or(block),
        // What `ToolSearch` found.
        Some("tool_reference") => match text(&block, "tool_name") {
            Some(name) => text_block(name.to_owned()),
            None => block,
        },
        Some("search_result") => citations::of_search_result(&block),
        Some("container_upload") => {
            let file = text(&block, "file_id").unwrap_or("without an id").to_owned();
            not_shown(format!("File {file}, uploaded to the container, not in the session"))
        }
        Some("tool_use") => given_tool_call(taken("id"), taken("name"), taken("input")),
        // Encrypted reasoning shows as thinking whose text was withheld.
        Some("redacted_thinking") => with(thinking(""), "redacted", Some(Json::Bool(true))),
        Some("image" | "document") => source_block(&block).unwrap_or(block),
        Some("fallback") => fallback(&block).map_or(block, text_block),
        Some(_) => block,
        None => match block {
            Json::String(words) => text_block(words),
            other => other,
        },
    }
}

/// The model that goes on with a response, which holds no words itself.
fn fallback(block: &Json<'_>) -> Option<String> {
    let model = |key: &str| {
        let model = block.get(key)?;
        model.as_str().or_else(|| text(model, "model")).map(|model| format!("`{model}`"))
    };
    let to = model("to")?;
    Some(match model("from") {
        Some(from) => format!("*The response goes on with {to} instead of {from}.*"),
        None => format!("*The response goes on with {to}.*"),
    })
}

/// A picture or a document by its source.
fn source_block<'a>(block: &Json<'a>) -> Option<Json<'a>> {
    let source = block.get("source")?;
    let what = if text(block, "type")? == "image" { "Image" } else { "Document" };
    match text(source, "type")? {
        "url" => {
            let address = text(source, "url")?;
            return Some(not_shown(format!("{what} at {address}, not in the session")));
        }
        "file" => {
            let file = text(source, "file_id")?;
            return Some(not_shown(format!("{what} of the file {file}, not in the session")));
        }
        _ => {}
    }
    let data = source.get("data")?;
    match (text(block, "type")?, text(source, "type")?) {
        ("image", "base64") => Some(given_image(source.get("media_type").cloned(), data.clone())),
        ("document", "text") => {
            let title = text(block, "title").map(|title| format!("**{title}**\n\n"));
            Some(text_block(title.unwrap_or_default() + data.as_str()?))
        }
        // A document's bytes are of no use in a page; the source holds them.
        ("document", "base64") => {
            let kept = counted(data.as_str()?.len(), "base64 character");
            let kept = format!("{kept}, kept in the session file");
            Some(object([
                ("type", Some(string("document"))),
                ("title", block.get("title").cloned()),
                ("mimeType", source.get("media_type").cloned()),
                ("data", Some(string(kept))),
            ]))
        }
        _ => None,
    }
}

/// The texts of blocks as they were written.
pub(super) fn words(blocks: &[Json<'_>]) -> String {
    blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
}

/// How many characters of a block in the core's form a model wrote.
pub(super) fn written_chars(block: &Json<'_>) -> usize {
    let said = ["text", "thinking"].into_iter().find_map(|key| text(block, key));
    let call = || block.get("arguments").map(|arguments| arguments.compact().chars().count());
    said.map(|said| said.chars().count()).or_else(call).unwrap_or_default()
}

/// What a tool left for viewers, as far as the renderers or a reader can use it.
// `toolUseResult`: an object by tool (1.0.98 to 2.1.330), or a text where the call failed or was denied.
pub(super) fn details<'a>(left: Option<Json<'a>>, said: &str) -> Option<Json<'a>> {
    match left? {
        Json::Object(fields) => {
            let patch = fields.iter().find(|(key, _)| key == "structuredPatch");
            let diff = patch.and_then(|(_, hunks)| unified(hunks));
            let mut kept: Vec<_> = fields
                .into_iter()
                .filter(|(key, value)| {
                    !SAID_ELSEWHERE.contains(&key.as_ref())
                        && *value != Json::Null
                        && is_small(value)
                        && value.as_str().is_none_or(|value| !value.is_empty())
                })
                .collect();
            kept.extend(diff.map(|diff| (Cow::Borrowed("diff"), string(diff))));
            (!kept.is_empty()).then_some(Json::Object(kept))
        }
        Json::String(words) => {
            let core = words.strip_prefix("Error: ").unwrap_or(&words);
            let is_new = !words.is_empty() && !said.contains(core);
            is_new.then(|| object([("toolUseResult", Some(string(words.clone())))]))
        }
        _ => None,
    }
}

fn is_small(value: &Json<'_>) -> bool {
    match value {
        Json::String(text) => text.len() <= MAX_FACT_BYTES,
        Json::Array(_) | Json::Object(_) => value.compact().len() <= MAX_FACT_BYTES,
        _ => true,
    }
}

/// A `structuredPatch` as `diff -u` writes it.
// {oldStart, oldLines, newStart, newLines, lines}, line numbers from 1: 1.0.98 to 2.1.330.
fn unified(hunks: &Json<'_>) -> Option<String> {
    let mut diff = String::new();
    for hunk in hunks.items() {
        let number = |key| hunk.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let _ = writeln!(
            diff,
            "@@ -{},{} +{},{} @@",
            number("oldStart"),
            number("oldLines"),
            number("newStart"),
            number("newLines")
        );
        for line in hunk.get("lines")?.items() {
            diff.push_str(line.as_str()?);
            diff.push('\n');
        }
    }
    (!diff.is_empty()).then_some(diff)
}

/// The file in `tool-results/` that a result too large for its line was saved to.
// Documented, but in no file that was read: toolpath (format-changelog.md), agentsview. The texts: openclaude.
pub(super) fn saved_as(said: &str) -> Option<&str> {
    const BEGINNINGS: [&str; 4] =
        ["<persisted-output>", "Output too large", "[Output too large", "Error: result ("];
    /// The place stands at the beginning.
    const WITHIN: usize = 2048;
    let said = said.trim_start();
    BEGINNINGS.iter().any(|beginning| said.starts_with(beginning)).then_some(())?;
    let (at, marker) = said.match_indices("tool-results").next().filter(|(at, _)| *at < WITHIN)?;
    let name = said[at + marker.len()..].strip_prefix(['/', '\\'])?;
    let end = name.find(|c: char| c.is_whitespace() || matches!(c, '<' | '"' | ')' | ']'));
    let name = name[..end.unwrap_or(name.len())].trim_end_matches(['.', ',']);
    (!name.is_empty()).then_some(name)
}

/// What a content says: its texts, or its JSON where it is pictures alone.
pub(super) fn said_by(content: &Json<'_>) -> String {
    let texts = words(&blocks(Some(content.clone())));
    if texts.is_empty() && !content.items().is_empty() { content.compact() } else { texts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_written_as_a_diff() {
        let hunks =
            r#"[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":1,"lines":[" a","-b"]}]"#;
        let hunks: Json<'_> = serde_json::from_str(hunks).unwrap();
        assert_eq!(unified(&hunks).as_deref(), Some("@@ -1,2 +1,1 @@\n a\n-b\n"));
        for odd in ["[]", "7", "[7]", r#"[{"lines":"x"}]"#, r#"[{"lines":[7]}]"#] {
            let odd: Json<'_> = serde_json::from_str(odd).unwrap();
            assert!(unified(&odd).is_none_or(|diff| diff.starts_with("@@")), "{odd:?}");
        }
    }

    #[test]
    fn a_saved_result_names_its_file() {
        let said = "<persisted-output>\nOutput too large (90 KB). Full output saved to: /h/p/s/tool-results/b1.txt\n\nPreview";
        assert_eq!(saved_as(said), Some("b1.txt"));
        let error = "Error: result (90,000 characters) exceeds the limit. Output has been saved to /h/tool-results/mcp-1.txt.\nFormat";
        assert_eq!(saved_as(error), Some("mcp-1.txt"));
        for other in
            ["ls tool-results/a.txt", "<persisted-output>", "<persisted-output> tool-results/ x"]
        {
            assert_eq!(saved_as(other), None, "{other}");
        }
    }
}
