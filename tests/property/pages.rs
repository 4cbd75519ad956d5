//! Every entry is in the page, and no text becomes markup.

use leafpress::Options;
use leafpress::render::Html;
use proptest::prelude::*;

use crate::markup::foreign;
use crate::strategies::{session_file, text};

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
        prop_assert_eq!(foreign(transcript(&page)), Vec::<String>::new());
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
