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

fn citations(all: Vec<Json<'static>>) -> Json<'static> {
    object([("type", Some(string("citations"))), ("citations", Some(Json::Array(all)))])
}

/// `said` is the text that it belongs to.
fn citation(json: &Json<'_>, said: &str) -> Option<Json<'static>> {
    let Json::Object(_) = json else { return None };
    // OpenAI: the place in the text itself, in characters.
    let of_said = || {
        let at = |key| json.get(key).and_then(Json::as_f64).filter(|at| *at >= 0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let (start, end) = (at("start_index")? as usize, at("end_index")? as usize);
        let words: String = said.chars().skip(start).take(end.checked_sub(start)?).collect();
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
        for nothing in
            [r#"{"text":"x"}"#, r#"{"text":"x","citations":[]}"#, r#"{"citations":[7,{}]}"#]
        {
            assert_eq!(read(nothing), None);
        }
    }
}
