//! Markdown of an untrusted author, read.
//!
//! The parser's events are filtered before anything is made of them: HTML turns into
//! text, links and images are held to a short list of addresses, nesting is
//! bounded, so no sanitiser has to come after. Who reads a text says what is drawn
//! where it holds code or a picture ([`Draw`]).

mod autolink;
mod definitions;
mod filter;
mod footnotes;
mod table;
mod text;

use std::borrow::Cow;

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeWithOffset,
};

use crate::html::Html;
use crate::session::{cjk, formulas};
use definitions::Definitions;
use filter::Filter;

#[cfg(test)]
pub(crate) use filter::MAX_DEPTH;
pub(crate) use text::text;

/// What becomes of the parts of a text that are no prose.
pub(crate) trait Draw {
    /// A block of code with what stands behind its fence.
    fn code(&mut self, code: String, info: &str) -> Event<'static>;

    /// A formula: all that the author wrote, and what stands between the delimiters. `None` where its source is drawn.
    fn formula(&mut self, _source: &str, _formula: &str, _is_display: bool) -> Option<Html> {
        None
    }

    /// A picture as a data URL: what comes before and behind its description.
    fn picture(&mut self, url: &str) -> (Html, &'static str);
}

/// Reads a text; `write` makes something of the events, of a text of so many bytes.
pub(crate) fn written(
    text: &str,
    draw: &mut dyn Draw,
    write: impl FnOnce(Vec<Event<'_>>, usize) -> String,
) -> String {
    let text = as_parsed(text);
    match cjk::with_joints(&text) {
        Some(text) => cjk::without_joints(&with_formulas(&text, draw, write)).into_owned(),
        None => with_formulas(&text, draw, write),
    }
}

/// The same of a text whose formulas are still to be found.
fn with_formulas(
    text: &str,
    draw: &mut dyn Draw,
    write: impl FnOnce(Vec<Event<'_>>, usize) -> String,
) -> String {
    let mut options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_SUBSCRIPT
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let prepared = formulas::prepared(text, options);
    options.set(Options::ENABLE_MATH, prepared.is_some());
    let parsed = prepared.as_deref().unwrap_or(text);
    write(events(parsed, text, options, draw), text.len())
}

/// An HTML parser drops NUL and changes CR: this does it first, so that what is
/// searched is what is shown.
fn as_parsed(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\r', 0, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}").into()
}

/// `text` is what the parser reads, `source` what was written: of the same length.
fn events<'t>(
    text: &'t str,
    source: &'t str,
    options: Options,
    draw: &mut dyn Draw,
) -> Vec<Event<'t>> {
    let parser = Parser::new_ext(text, options);
    let mut filter = Filter::new(source, Definitions::of(source, &parser), draw);
    let events = parser.into_offset_iter();
    let events = events.map(|(event, place)| (without_single_tildes(as_written(event)), place));
    // The parser splits a text wherever something might begin; an address is whole.
    for (event, place) in TextMergeWithOffset::new(events) {
        filter.event(event, place);
    }
    filter.finish()
}

/// With the `$` that are no delimiters of formulas.
fn as_written(event: Event<'_>) -> Event<'_> {
    fn again(text: CowStr<'_>) -> CowStr<'_> {
        match formulas::restored(&text) {
            Cow::Owned(text) => text.into(),
            Cow::Borrowed(_) => text,
        }
    }
    match event {
        Event::Text(text) => Event::Text(again(text)),
        Event::Code(text) => Event::Code(again(text)),
        Event::Html(text) => Event::Html(again(text)),
        Event::InlineHtml(text) => Event::InlineHtml(again(text)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let (dest_url, title) = (again(dest_url), again(title));
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let (dest_url, title) = (again(dest_url), again(title));
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(again(info))))
        }
        event => event,
    }
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

/// A long text in two, each of which is read by itself: its first paragraphs and the rest; `None` where it is not
/// long enough. They part at the first blank line outside a fence that leaves enough above it to be
/// read and enough below it to be folded.
pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
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
            return (total - nth > FOLDED_LINES).then(|| text.split_at(at));
        }
        at += line.len();
    }
    None
}
