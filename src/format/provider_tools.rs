//! Tools that Anthropic runs itself, in the core's form: calls and results like all others.
//!
//! Both stand as blocks within one response: `server_tool_use` or `mcp_tool_use`, then a block whose type ends with
//! `_tool_result`. Shapes: Anthropic's documentation of server tools, the MCP connector and the Messages API.

use crate::session::json::Json;

use super::blocks::{given_tool_call, text_block};
use super::fields::{object, string};
use super::probe::text;

/// A call's block. A tool of a server that speaks MCP has the name that agents give such tools.
pub(super) fn call<'a>(block: &Json<'a>) -> Option<Json<'a>> {
    let name = match text(block, "type")? {
        "server_tool_use" => block.get("name").cloned(),
        "mcp_tool_use" => {
            let server = text(block, "server_name").unwrap_or("server");
            let name = text(block, "name").unwrap_or("tool");
            Some(string(format!("mcp__{server}__{name}")))
        }
        _ => return None,
    };
    Some(given_tool_call(block.get("id").cloned(), name, block.get("input").cloned()))
}

/// What came of a call.
pub(super) struct ProviderResult<'a> {
    pub(super) call_id: String,
    pub(super) content: Vec<Json<'a>>,
    pub(super) failed: bool,
    pub(super) details: Option<Json<'a>>,
}

/// Whether a block is the result of such a call.
pub(super) fn is_result(block: &Json<'_>) -> bool {
    text(block, "type").is_some_and(|kind| kind.ends_with("_tool_result"))
        && text(block, "tool_use_id").is_some()
}

/// The result that a block states.
pub(super) fn result<'a>(block: &Json<'a>) -> Option<ProviderResult<'a>> {
    if !is_result(block) {
        return None;
    }
    let content = block.get("content");
    let one = content.unwrap_or(&Json::Null);
    let error = one.get("error_code").and_then(Json::as_str);
    let code = one.get("return_code").and_then(Json::as_f64);
    let is_error = block.get("is_error").is_some_and(Json::is_truthy);
    let said = match error {
        Some(error) => vec![text_block(error_words(error, text(one, "error_message")))],
        None => match one {
            Json::Array(items) => items.iter().flat_map(said).collect(),
            Json::String(words) => vec![text_block(words.clone())],
            one => said(one),
        },
    };
    Some(ProviderResult {
        call_id: text(block, "tool_use_id")?.to_owned(),
        content: joined(said),
        failed: is_error || error.is_some() || code.is_some_and(|code| code != 0.0),
        details: one.get("return_code").map(|code| object([("exitCode", Some(code.clone()))])),
    })
}

/// `max_uses_exceeded` as words.
fn error_words(code: &str, message: Option<&str>) -> String {
    let code = code.replace('_', " ");
    match message.filter(|message| !message.is_empty()) {
        Some(message) => format!("{code}: {message}"),
        None => code,
    }
}

/// What one part of a result says; what is known of no part is kept whole.
fn said<'a>(part: &Json<'a>) -> Vec<Json<'a>> {
    let lines = |keys: &[&str]| {
        let lines: Vec<&str> =
            keys.iter().filter_map(|key| text(part, key)).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    };
    let words = match text(part, "type").unwrap_or_default() {
        "web_search_result" => lines(&["title", "url", "page_age"]),
        "search_result" => lines(&["title", "source"]),
        "web_fetch_result" => {
            let document = part.get("content").unwrap_or(&Json::Null);
            let source = document.get("source").unwrap_or(&Json::Null);
            let whole = text(source, "data").filter(|_| text(source, "type") == Some("text"));
            let title = text(document, "title");
            let heads = title.into_iter().chain(text(part, "url")).collect::<Vec<_>>().join("\n");
            match whole {
                Some(whole) => format!("{heads}\n\n{whole}"),
                None => heads,
            }
        }
        "code_execution_result" | "bash_code_execution_result" => {
            let files = part.get("content").map_or(&[][..], Json::items);
            let files = files.iter().filter_map(|file| text(file, "file_id"));
            let files: Vec<String> = files.map(|id| format!("File `{id}`")).collect();
            let printed = lines(&["stdout", "stderr"]);
            let all = std::iter::once(printed).chain(files).filter(|line| !line.is_empty());
            all.collect::<Vec<_>>().join("\n")
        }
        "text_editor_code_execution_view_result" => lines(&["content"]),
        "text_editor_code_execution_create_result" => {
            let is_update = part.get("is_file_update").is_some_and(Json::is_truthy);
            if is_update { "File updated" } else { "File created" }.to_owned()
        }
        "text_editor_code_execution_str_replace_result" => {
            let lines = part.get("lines").map_or(&[][..], Json::items);
            lines.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("\n")
        }
        "tool_search_tool_search_result" => {
            let found = part.get("tool_references").map_or(&[][..], Json::items);
            found.iter().filter_map(|tool| text(tool, "tool_name")).collect::<Vec<_>>().join("\n")
        }
        "tool_reference" => lines(&["tool_name"]),
        _ => return vec![part.clone()],
    };
    let inner = part.get("content").filter(|_| text(part, "type") == Some("search_result"));
    let inner = inner.map_or(&[][..], Json::items).iter().cloned();
    std::iter::once(text_block(words)).chain(inner).collect()
}

/// Texts that follow each other as one, a blank line between them.
fn joined(blocks: Vec<Json<'_>>) -> Vec<Json<'_>> {
    let mut all: Vec<Json<'_>> = Vec::new();
    for block in blocks {
        let is_text = |block: &Json<'_>| text(block, "type") == Some("text");
        match all.last_mut().filter(|last| is_text(last) && is_text(&block)) {
            Some(last) => {
                let whole =
                    [&*last, &block].map(|one| text(one, "text").unwrap_or_default()).join("\n\n");
                *last = text_block(whole);
            }
            None => all.push(block),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> (String, bool, Option<String>) {
        let block: Json<'_> = serde_json::from_str(json).unwrap();
        let result = result(&block).unwrap();
        let words: Vec<String> = result.content.iter().map(Json::compact).collect();
        (words.join(" "), result.failed, result.details.map(|details| details.compact()))
    }

    #[test]
    fn each_kind_of_result_is_words() {
        let of = |kind: &str, content: &str| {
            read(&format!(
                r#"{{"type":"{kind}_tool_result","tool_use_id":"t","content":{content}}}"#
            ))
        };
        let text = |words: &str| text_block(words.to_owned()).compact();
        let search = of(
            "web_search",
            r#"[{"type":"web_search_result","title":"A","url":"https://a.org"},{"type":"web_search_result","title":"B","url":"https://b.org"}]"#,
        );
        assert_eq!(search, (text("A\nhttps://a.org\n\nB\nhttps://b.org"), false, None));
        let error = of(
            "web_search",
            r#"{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}"#,
        );
        assert_eq!(error, (text("max uses exceeded"), true, None));
        let run = of(
            "bash_code_execution",
            r#"{"type":"bash_code_execution_result","stdout":"out","stderr":"err","return_code":2,"content":[{"file_id":"f1"}]}"#,
        );
        assert_eq!(run, (text("out\nerr\nFile `f1`"), true, Some(r#"{"exitCode":2}"#.to_owned())));
        let fetched = of(
            "web_fetch",
            r#"{"type":"web_fetch_result","url":"https://a.org","content":{"type":"document","title":"A","source":{"type":"text","data":"whole"}}}"#,
        );
        assert_eq!(fetched.0, text("A\nhttps://a.org\n\nwhole"));
        let replaced = of(
            "text_editor_code_execution",
            r#"{"type":"text_editor_code_execution_str_replace_result","lines":["-a","+b"]}"#,
        );
        assert_eq!(replaced.0, text("-a\n+b"));
        let found = of(
            "tool_search",
            r#"{"type":"tool_search_tool_search_result","tool_references":[{"tool_name":"mix"}]}"#,
        );
        assert_eq!(found.0, text("mix"));
        let odd = of("later", r#"{"type":"later_result","x":1}"#);
        assert_eq!(odd, (r#"{"type":"later_result","x":1}"#.to_owned(), false, None));
    }

    #[test]
    fn calls_have_the_names_of_their_tools() {
        let call = |json: &str| {
            let block: Json<'_> = serde_json::from_str(json).unwrap();
            call(&block).map(|call| call.get("name").cloned().map(Json::owned))
        };
        let server = r#"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#;
        assert_eq!(call(server), Some(Some(string("web_search"))));
        let mcp = r#"{"type":"mcp_tool_use","id":"m","name":"echo","server_name":"tides"}"#;
        assert_eq!(call(mcp), Some(Some(string("mcp__tides__echo"))));
        assert_eq!(call(r#"{"type":"tool_use"}"#), None);
    }
}
