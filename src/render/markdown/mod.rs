//! Markdown of an untrusted author.
//!
//! The parser's events are filtered before they become markup: HTML turns into
//! text, links and images are held to a short list of addresses, nesting is
//! bounded, so no sanitiser has to come after.

mod autolink;
mod cjk;
mod definitions;
mod filter;
mod footnotes;
mod table;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset, html};

use super::link;
use crate::figures::bytes;
use crate::html::Html;
use definitions::Definitions;
use filter::Filter;

/// A Markdown text as `<div class="md">`.
pub(super) fn block(text: &str) -> Html {
    let mut html = Html::new();
    if text.trim().is_empty() {
        return html;
    }
    html.push_markup("<div class=\"md\">\n");
    html.push(&render(text));
    html.push_markup("</div>\n");
    html
}

/// A long text: its first paragraphs, the rest behind a fold.
pub(super) fn folded(text: &str) -> Html {
    let Some(cut) = end_of_first_paragraphs(text) else { return block(text) };
    let (first, rest) = text.split_at(cut);
    let mut html = block(first);
    html.push_markup("<details class=\"more\"><summary data-ui>");
    html.push_text(&format!("{} more lines, {}", rest.lines().count(), bytes(rest.len())));
    html.push_markup("</summary>\n");
    html.push(&block(rest));
    html.push_markup("</details>\n");
    html
}

/// The first blank line outside a fence that leaves enough above it to be
/// read and enough below it to be folded.
fn end_of_first_paragraphs(text: &str) -> Option<usize> {
    /// Shown at once at least.
    const FIRST_LINES: usize = 12;
    /// A fold with less helps nobody.
    const FOLDED_LINES: usize = 12;
    let total = text.lines().count();
    let (mut at, mut in_fence) = (0, false);
    for (nth, line) in text.split_inclusive('\n').enumerate() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
        }
        if nth >= FIRST_LINES && !in_fence && line.trim().is_empty() {
            return (total - nth > FOLDED_LINES).then_some(at);
        }
        at += line.len();
    }
    None
}

/// An address as a link under the same rule as those in a text, else as text.
pub(super) fn link(url: &str) -> Html {
    let mut html = Html::new();
    if link::is_safe(url) {
        link::push(&mut html, url, url);
    } else {
        html.push_text(url);
    }
    html
}

fn render(text: &str) -> Html {
    // An HTML parser drops NUL and changes CR: do it first, so that what is
    // searched is what is shown.
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let markup = match cjk::with_joints(&text) {
        Some(text) => cjk::without_joints(&write(&text)),
        None => write(&text),
    };
    Html::trusted(markup)
}

fn write(text: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_SUBSCRIPT
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let parser = Parser::new_ext(text, options);
    let mut filter = Filter::new(text, Definitions::of(text, &parser));
    let events = parser.into_offset_iter();
    let events = events.map(|(event, place)| (without_single_tildes(event), place));
    // The parser splits a text wherever something might begin; an address is whole.
    for (event, place) in TextMergeWithOffset::new(events) {
        filter.event(event, place);
    }
    let mut markup = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut markup, filter.finish().into_iter());
    markup
}

/// One tilde strikes nothing (`~/a` and `~/b`, `~5`). The parser tells it from
/// two only where it may take it for a subscript.
fn without_single_tildes(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Subscript) | Event::End(TagEnd::Subscript) => {
            Event::Text(CowStr::Borrowed("~"))
        }
        event => event,
    }
}

#[cfg(test)]
mod tests;
