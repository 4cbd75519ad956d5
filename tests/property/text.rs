//! What holds for any printed text and any Markdown.

use leafpress::render::{Html, Placement, Renderer};
use leafpress::session::EntryIndex;
use leafpress::session::digest::Digest;
use proptest::prelude::*;
use serde_json::json;

use crate::property::markup::is_unseen;

/// The body of a session's only entry.
fn body(message: &serde_json::Value) -> Html {
    let entry = json!({"type": "message", "id": "a", "parentId": null, "message": message});
    let file =
        format!("{}\n{entry}\n", json!({"type": "session", "version": 3, "id": "x", "cwd": "/"}));
    let session = leafpress::read(file.into_bytes()).unwrap();
    let digest = Digest::read(&session);
    Renderer::new(&session, &digest)
        .article(EntryIndex::new(0), Placement { state: None, leaf: EntryIndex::new(0) })
}

fn printed(text: &str) -> Html {
    body(&json!({"role": "bashExecution", "command": "x", "output": text, "exitCode": 0}))
}

fn markdown(text: &str) -> Html {
    body(&json!({"role": "user", "content": text}))
}

/// Sequences whole and cut short, controls, and what they might be mistaken for.
fn terminal_text() -> BoxedStrategy<String> {
    let piece = prop_oneof![
        "\\x1b\\[[0-9;:?>]{0,8}[@-~]?",
        "\\x1b\\][0-9;]{0,4}[ -~]{0,12}(\\x07|\\x1b\\\\)?",
        "\\x1b[ -~]?[ -~]?",
        "[\\x00-\\x1f\\x7f-\\u{9f}]",
        Just("\x1b]8;;https://x/\"><script>\x07".to_owned()),
        "[a-z<>&\"' \\n\\t日é\u{301}]{0,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat()).boxed()
}

/// Words that can be distinguished, with Markdown's own characters around them.
/// No colon: a definition that a link uses has its words in the link.
fn marked_words() -> BoxedStrategy<Vec<String>> {
    let mark = "( |\n|\n\n|\\*|_|`|~|#|>|-|\\+|\\||\\[|\\]|\\(|\\)|!|<|&|\\\\|\t|1\\.|=|\\$|「|。|\\^){0,8}";
    prop::collection::vec(mark, 1..30).boxed()
}

fn without_unseen(text: &str) -> String {
    text.chars().filter(|c| !is_unseen(*c)).collect()
}

proptest! {
    #[test]
    fn printed_text_without_controls_stays(text in "[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\u{9f}]{0,200}") {
        // A fold parts the lines, so line ends may differ. A search does not see the marks.
        let printed = printed(&text);
        let shown = without_unseen(&printed.visible_text()).replace('\n', "");
        prop_assert!(shown.contains(&without_unseen(&text).replace('\n', "")), "{shown:?}");
        for c in text.chars().filter(|c| is_unseen(*c)) {
            let reference = format!("&#{};", u32::from(c));
            let is_there = printed.as_str().contains(c) || printed.as_str().contains(&reference);
            prop_assert!(is_there, "{:?}", c);
        }
    }

    #[test]
    fn printed_text_never_becomes_markup(text in terminal_text()) {
        let html = printed(&text);
        let output = html.as_str();
        prop_assert!(!output.contains("<script") && !output.contains('\x1b'), "{output}");
        let elements = ["<span class=\"", "<span data-ui", "<a class=\"copy-link\" href=\"?leafId=", "<a href=\"https://", "<a href=\"http://", "<a href=\"mailto:", "<a href=\"#"];
        for (at, _) in output.match_indices("<span").chain(output.match_indices("<a ")) {
            prop_assert!(elements.iter().any(|start| output[at..].starts_with(start)), "{}", &output[at..]);
        }
        prop_assert_eq!(output.matches("<span").count(), output.matches("</span>").count());
        prop_assert_eq!(output.matches("<a ").count(), output.matches("</a>").count());
    }

    #[test]
    fn markdown_keeps_every_word(marks in marked_words()) {
        let marked = marks.iter().enumerate().map(|(nth, mark)| format!("{mark}word{nth}x"));
        let text = marked.collect::<Vec<_>>().concat();
        let html = markdown(&text);
        for nth in 0..marks.len() {
            prop_assert!(html.as_str().contains(&format!("word{nth}x")), "word{nth}x of {text:?} in {html}");
        }
    }
}
