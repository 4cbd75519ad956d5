//! Every entry is in the page, and no text becomes markup.

use leafpress::Options;
use leafpress::render::Html;
use proptest::prelude::*;

use crate::strategies::{session_file, text};

/// The elements that a fragment is made of.
const ELEMENTS: &[&str] = &[
    "a",
    "article",
    "b",
    "blockquote",
    "br",
    "button",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "img",
    "ins",
    "nav",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "time",
    "tr",
    "ul",
];

/// The attributes of those elements.
const ATTRIBUTES: &[&str] = &[
    "alt",
    "aria-label",
    "class",
    "data-call",
    "data-context",
    "data-kind",
    "data-lang",
    "data-lead",
    "data-replacement",
    "data-link",
    "data-picture",
    "data-results",
    "data-state",
    "data-ui",
    "datetime",
    "hidden",
    "height",
    "href",
    "id",
    "open",
    "rel",
    "src",
    "start",
    "tabindex",
    "title",
    "type",
    "value",
    "width",
];

/// Element names and `(name, value)` attributes of well-formed markup.
fn tags(markup: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut tags = Vec::new();
    let mut rest = markup;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let mut quoted = false;
        let end = rest
            .find(|c| {
                quoted ^= c == '"';
                c == '>' && !quoted
            })
            .expect("a tag that ends");
        let (tag, after) = rest.split_at(end);
        rest = &after[1..];
        let name_end = tag[1..].find([' ', '/']).map_or(tag.len(), |at| at + 1);
        let (name, attributes) = tag.split_at(name_end);
        tags.push((name.trim_start_matches('/').to_owned(), attribute_list(attributes)));
    }
    tags
}

fn attribute_list(mut text: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    loop {
        text = text.trim_start_matches([' ', '/', '\n']);
        if text.is_empty() {
            return list;
        }
        let name_end = text.find(['=', ' ']).unwrap_or(text.len());
        let (name, rest) = text.split_at(name_end);
        let value = rest
            .strip_prefix("=\"")
            .map_or("", |rest| &rest[..rest.find('"').expect("a quoted value")]);
        text = rest.strip_prefix("=\"").map_or(rest, |rest| &rest[value.len() + 1..]);
        list.push((name.to_owned(), value.to_owned()));
    }
}

fn press(file: String) -> (leafpress::Session, String) {
    let session = leafpress::read(file.into_bytes()).unwrap();
    let mut page = Vec::new();
    leafpress::export(&session, &Options::default(), &mut page).unwrap();
    (session, String::from_utf8(page).unwrap())
}

fn transcript(page: &str) -> &str {
    let start = page.find("<div id=\"transcript\">").unwrap();
    let end = page.rfind("</main>").unwrap();
    &page[start..end]
}

proptest! {
    #[test]
    fn every_entry_is_an_article_in_document_order(file in session_file()) {
        let (session, page) = press(file);
        let transcript = transcript(&page);
        let found: Vec<&str> = transcript.match_indices("<article id=\"entry-").map(|(at, open)| {
            let id = &transcript[at + open.len()..];
            &id[..id.find('"').unwrap()]
        }).collect();
        let expected: Vec<String> = session.tree().order().map(|entry| session.key(entry)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn only_known_elements_and_attributes_and_addresses(file in session_file()) {
        let (_, page) = press(file);
        for (name, attributes) in tags(transcript(&page)) {
            prop_assert!(ELEMENTS.contains(&name.as_str()), "<{name}>");
            for (attribute, value) in attributes {
                prop_assert!(ATTRIBUTES.contains(&attribute.as_str()), "{attribute}={value:?}");
                let is_safe = match attribute.as_str() {
                    "href" => ["http://", "https://", "mailto:", "#"].iter().any(|start| value.to_ascii_lowercase().starts_with(start)),
                    "src" => value.starts_with("data:image/"),
                    _ => true,
                };
                prop_assert!(is_safe, "{attribute}={value:?}");
            }
        }
    }

    #[test]
    fn the_page_has_its_own_scripts_and_no_more(file in session_file()) {
        let (_, page) = press(file);
        prop_assert_eq!(page.matches("<script").count(), 4);
        prop_assert_eq!(page.matches("</script").count(), 4);
        prop_assert_eq!(page.matches("<style").count(), 1);
        for id in ["id=\"outline\">", "id=\"source\">"] {
            let start = page.find(id).unwrap() + id.len();
            let data = &page[start..start + page[start..].find("</script").unwrap()];
            prop_assert!(serde_json::from_str::<serde_json::Value>(data).is_ok(), "{id}");
        }
    }

    #[test]
    fn an_escaped_text_reads_back(text in text()) {
        let evened = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
        prop_assert_eq!(Html::text(&text).visible_text(), evened);
    }
}
