//! Marks in the place of characters that a reader does not see.
//!
//! They are put into markup that is made already, so that no way leads past
//! them. In a text a mark is an element: it holds the characters themselves,
//! written as references, since who copies a text wants what was written; the
//! style sheet makes it a line of its own, in which they turn nothing but
//! themselves, and draws what it says. In an attribute a mark is a word.

use std::fmt::Write;

use crate::html::{Html, tag_length};
use crate::session::invisible::{Piece, label, may_be_in, name, pieces};

/// The same markup with marks.
pub(super) fn marked(html: Html) -> Html {
    if !may_be_in(html.as_str()) {
        return html;
    }
    let mut rest = html.as_str();
    let mut out = String::with_capacity(rest.len() + rest.len() / 8);
    // An emoji may go on behind a tag.
    let mut before = None;
    while !rest.is_empty() {
        let (text, tagged) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        push_text(&mut out, text, before);
        before = text.chars().next_back().or(before);
        let (tag, after) = tagged.split_at(tag_length(tagged));
        push_tag(&mut out, tag);
        rest = after;
    }
    Html::trusted(out)
}

/// `text` as it stands in markup; what it refers to by name is visible.
fn push_text(out: &mut String, text: &str, before: Option<char>) {
    for piece in pieces(text).after(before) {
        match piece {
            Piece::Seen(seen) => out.push_str(seen),
            Piece::Invisible(run) => push_mark(out, run),
        }
    }
}

fn push_mark(out: &mut String, run: &str) {
    // Words on both sides of a mark are one to a search, unless white space parts them.
    let own = if run.starts_with(char::is_whitespace) { "" } else { " data-ui" };
    let _ = write!(
        out,
        "<span class=\"unseen\"{own} title=\"{}\" data-mark=\"{}\">",
        name(run),
        Html::text(&label(run))
    );
    for c in run.chars() {
        // A reference to one of these would mean another character, as in old code pages.
        if matches!(c, '\u{80}'..='\u{9f}') {
            out.push(c);
        } else {
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
    out.push_str("</span>");
}

/// A tag, whose values are quoted.
fn push_tag(out: &mut String, tag: &str) {
    if !may_be_in(tag) {
        return out.push_str(tag);
    }
    let mut is_address = false;
    for (nth, part) in tag.split('"').enumerate() {
        if nth > 0 {
            out.push('"');
        }
        if nth % 2 == 1 && is_address {
            push_address(out, part);
        } else {
            push_words(out, part);
        }
        is_address = part.ends_with("href=");
    }
}

/// As a browser would send it.
fn push_address(out: &mut String, address: &str) {
    for piece in pieces(address) {
        match piece {
            Piece::Seen(seen) => out.push_str(seen),
            Piece::Invisible(run) => {
                for byte in run.bytes() {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
        }
    }
}

/// A value, which may not hold an element. A mark's own words need no escaping but
/// those of tag characters.
fn push_words(out: &mut String, value: &str) {
    for piece in pieces(value) {
        match piece {
            Piece::Seen(seen) => out.push_str(seen),
            Piece::Invisible(run) => {
                let _ = write!(out, "‹{}›", Html::text(&label(run)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(markup: &str) -> String {
        marked(Html::trusted(markup.to_owned())).as_str().to_owned()
    }

    #[test]
    fn a_text_gets_elements_and_keeps_its_characters() {
        assert_eq!(
            of("<p>ad\u{202e}min</p>"),
            "<p>ad<span class=\"unseen\" data-ui title=\"right-to-left override\" \
             data-mark=\"U+202E\">&#8238;</span>min</p>"
        );
        let html = marked(Html::trusted("<p>ad\u{200b}min a\u{2028}b</p>".to_owned()));
        assert_eq!(html.visible_text(), "admin a\u{2028}b");
        assert!(of("a\u{9b}b").contains(">\u{9b}</span>"), "no reference: it would mean ›");
    }

    #[test]
    fn values_get_words_and_addresses_stay_addresses() {
        assert_eq!(
            of("<a href=\"https://x.org/\u{202e}a\" title=\"b\u{2066}c &quot;\">d</a>"),
            "<a href=\"https://x.org/%E2%80%AEa\" title=\"b‹U+2066›c &quot;\">d</a>"
        );
        let tags: String =
            "\"><b>".chars().filter_map(|c| char::from_u32(0xe0000 + u32::from(c))).collect();
        let html = of(&format!("<p title=\"{tags}\">{tags}</p>"));
        assert!(
            !html.contains("<b>") && html.matches("&quot;&gt;&lt;b&gt;").count() == 2,
            "{html}"
        );
    }

    #[test]
    fn an_emoji_may_go_on_behind_a_tag() {
        let html = "<b>\u{1f468}</b>\u{200d}\u{1f469} \u{26a0}\u{fe0f}<br>\u{1f600}\u{200d}<i>\u{1f600}</i>";
        assert_eq!(of(html), html);
    }
}
