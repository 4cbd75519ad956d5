//! What a text cites, in the core's form.
//!
//! Shapes: Anthropic's documentation of citations, of search results and of web search; that of `OpenAI` for annotations.

use crate::session::json::Json;

use super::fields::{object, string};
use super::probe::text;

/// The block behind a text with `citations` or `annotations`.
pub(super) fn of_text(block: &Json<'_>) -> Option<Json<'static>> {
    let cited = ["citations", "annotations"].iter().find_map(|key| block.get(key));
    let said = text(block, "text").unwrap_or_default();
    let all: Vec<_> = cited?.items().iter().filter_map(|one| citation(one, said)).collect();
    (!all.is_empty()).then(|| citations(all))
}

/// A search result that a person gives to the model.
pub(super) fn of_search_result(block: &Json<'_>) -> Json<'static> {
    let content = block.get("content").map_or(&[][..], Json::items);
    let words: Vec<&str> = content.iter().filter_map(|part| text(part, "text")).collect();
    citations(vec![source(text(block, "title"), text(block, "source"), None, &words.join("\n\n"))])
}

/// What a response of Copilot's cites: its sources, each with the parts of the text that refer to it.
// {sources [{id, title, url, path}], spans [{startIndex, endIndex, references}]}: schema of copilot-sdk; that places
// count UTF-16 units is inferred from JavaScript.
pub(super) fn of_sources(cited: &Json<'_>, said: &str) -> Option<Json<'static>> {
    let spans = cited.get("spans").map_or(&[][..], Json::items);
    let of_source = |json: &Json<'_>| {
        let id = text(json, "id");
        let refers = |span: &&Json<'_>| {
            let references = span.get("references").map_or(&[][..], Json::items);
            let named = |one: &Json<'_>| {
                one.as_str().is_some_and(|own| Some(own) == id)
                    || ["sourceId", "id"].iter().any(|key| id.is_some() && text(one, key) == id)
            };
            references.iter().any(named)
        };
        let words: Vec<String> =
            spans.iter().filter(refers).filter_map(|span| part(span, said)).collect();
        let address = text(json, "url").or_else(|| text(json, "path"));
        let title = text(json, "title");
        (title.is_some() || address.is_some())
            .then(|| source(title, address, None, &words.join(" … ")))
    };
    let all: Vec<_> =
        cited.get("sources").map_or(&[][..], Json::items).iter().filter_map(of_source).collect();
    (!all.is_empty()).then(|| citations(all))
}

fn part(span: &Json<'_>, said: &str) -> Option<String> {
    let (start, length) = stretch(span, ["startIndex", "endIndex"])?;
    let units = said.encode_utf16().skip(start).take(length);
    let words: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
    (!words.is_empty()).then_some(words)
}

/// Where a stretch of a text begins, and its length.
fn stretch(json: &Json<'_>, keys: [&str; 2]) -> Option<(usize, usize)> {
    let at = |key: &str| json.get(key).and_then(Json::as_f64).filter(|at| *at >= 0.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let [start, end] = [at(keys[0])? as usize, at(keys[1])? as usize];
    Some((start, end.checked_sub(start)?))
}

/// The files of Codex's memory that a response draws on.
// `memory_citation` {entries [{path, lineStart, lineEnd, note}]}: a session of agent-sessions.
pub(super) fn of_memory(message: &Json<'_>) -> Option<Json<'static>> {
    let entry = |json: &Json<'_>| {
        let line = |key| json.get(key).and_then(Json::as_f64);
        let place = line("lineStart").map(|first| match line("lineEnd") {
            Some(last) if last > first => format!("lines {first}–{last}"),
            _ => format!("line {first}"),
        });
        Some(source(None, Some(text(json, "path")?), place, text(json, "note").unwrap_or_default()))
    };
    let entries = message.get("memory_citation")?.get("entries")?;
    let all: Vec<_> = entries.items().iter().filter_map(entry).collect();
    (!all.is_empty()).then(|| citations(all))
}

fn citations(all: Vec<Json<'static>>) -> Json<'static> {
    object([("type", Some(string("citations"))), ("citations", Some(Json::Array(all)))])
}

/// `said` is the text that it belongs to.
fn citation(json: &Json<'_>, said: &str) -> Option<Json<'static>> {
    let Json::Object(_) = json else { return None };
    // OpenAI: the place in the text itself, in characters.
    let of_said = || {
        let (start, length) = stretch(json, ["start_index", "end_index"])?;
        let words: String = said.chars().skip(start).take(length).collect();
        (!words.is_empty()).then_some(words)
    };
    let words = text(json, "cited_text").map(str::to_owned).or_else(of_said);
    let title = text(json, "title").or_else(|| text(json, "document_title"));
    let address = ["url", "source", "file_id"].iter().find_map(|key| text(json, key));
    let place = place(json);
    if title.is_none() && address.is_none() && words.is_none() {
        return None;
    }
    Some(source(title, address, place, &words.unwrap_or_default()))
}

fn source(
    title: Option<&str>,
    address: Option<&str>,
    place: Option<String>,
    words: &str,
) -> Json<'static> {
    let given = |text: Option<&str>| text.map(|text| string(text.to_owned()));
    object([
        ("title", given(title)),
        ("address", given(address)),
        ("place", place.map(string)),
        ("words", Some(string(words.to_owned()))),
    ])
}

/// Where in a document, in words. Pages are counted from 1; the end is not part of it.
fn place(json: &Json<'_>) -> Option<String> {
    let number = |key: &str| json.get(key).and_then(Json::as_f64);
    if let Some(first) = number("start_page_number") {
        let last = number("end_page_number").map_or(first, |end| end - 1.0);
        let is_one = last <= first;
        return Some(if is_one {
            format!("page {first}")
        } else {
            format!("pages {first}–{last}")
        });
    }
    let first = number("start_char_index")?;
    let end = number("end_char_index")?;
    Some(format!("characters {first}–{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &str) -> Option<String> {
        of_text(&serde_json::from_str(block).unwrap()).map(|block| block.compact())
    }

    #[test]
    fn each_kind_of_citation_has_its_source_and_words() {
        let one = |citation: &str| {
            let all = read(&format!(r#"{{"text":"Six meters.","citations":[{citation}]}}"#));
            let all = all.unwrap();
            let inner = all.strip_prefix(r#"{"type":"citations","citations":["#).unwrap();
            inner.strip_suffix("]}").unwrap().to_owned()
        };
        assert_eq!(
            one(
                r#"{"type":"web_search_result_location","url":"https://a.org","title":"A","cited_text":"six"}"#
            ),
            r#"{"title":"A","address":"https://a.org","words":"six"}"#
        );
        assert_eq!(
            one(
                r#"{"type":"page_location","document_title":"B","start_page_number":3,"end_page_number":5,"cited_text":"c"}"#
            ),
            r#"{"title":"B","place":"pages 3–4","words":"c"}"#
        );
        assert_eq!(
            one(
                r#"{"type":"char_location","document_title":"B","start_char_index":0,"end_char_index":9,"cited_text":"c"}"#
            ),
            r#"{"title":"B","place":"characters 0–9","words":"c"}"#
        );
        assert_eq!(
            one(r#"{"type":"url_citation","url":"https://a.org","start_index":0,"end_index":3}"#),
            r#"{"address":"https://a.org","words":"Six"}"#
        );
        assert_eq!(
            one(r#"{"type":"url_citation","url":"u","start_index":9,"end_index":3}"#),
            r#"{"address":"u","words":""}"#
        );
        let copilot = r#"{"sources":[{"id":"s1","title":"A","url":"https://a.org"},{"id":"s2","path":"/b"},{}],
            "spans":[{"startIndex":2,"endIndex":5,"references":["s1"]},{"startIndex":0,"endIndex":1,"references":[{"sourceId":"s1"},null]},
            {"startIndex":9,"endIndex":1,"references":["s2"]}]}"#;
        let copilot = of_sources(&serde_json::from_str(copilot).unwrap(), "😀six").unwrap();
        assert_eq!(
            copilot.compact(),
            "{\"type\":\"citations\",\"citations\":[\
             {\"title\":\"A\",\"address\":\"https://a.org\",\"words\":\"six … \u{fffd}\"},\
             {\"address\":\"/b\",\"words\":\"\"}]}"
        );
        let memory = r#"{"memory_citation":{"entries":[{"path":"/m.md","lineStart":3,"lineEnd":4,"note":"mills"},7]}}"#;
        let memory = of_memory(&serde_json::from_str(memory).unwrap()).unwrap();
        assert_eq!(
            memory.compact(),
            r#"{"type":"citations","citations":[{"address":"/m.md","place":"lines 3–4","words":"mills"}]}"#
        );
        for nothing in
            [r#"{"text":"x"}"#, r#"{"text":"x","citations":[]}"#, r#"{"citations":[7,{}]}"#]
        {
            assert_eq!(read(nothing), None);
        }
    }
}
