//! The words of a Markdown text, as the page shows them.

use pulldown_cmark::{Event, TagEnd};

use super::{Draw, written};
use crate::html::Html;
use crate::language;
use crate::raster;

/// The words of a Markdown text. White space is where the page's markup has some, so that words are apart here which
/// are apart there; how much of it stands in a place does not count.
pub(crate) fn text(text: &str) -> String {
    written(text, &mut Words, words)
}

/// Draws no markup but what is needed to tell words apart.
struct Words;

impl Draw for Words {
    fn code(&mut self, code: String, info: &str) -> Event<'static> {
        let info = info.trim();
        let has_note = language::says_more(info, language::of_fence(info));
        let mut text = if has_note { format!("{info}\n{code}") } else { code };
        text.push('\n');
        Event::Text(text.into())
    }

    fn picture(&mut self, url: &str) -> (Html, &'static str) {
        // A blank parts a picture from its description.
        let data = url.split_once(";base64,").map_or("", |(_, data)| data);
        let is_shown = raster::read(&raster::without_blanks(data)).is_ok();
        (if is_shown { Html::text(" ") } else { Html::new() }, "")
    }
}

fn words(events: Vec<Event<'_>>, len: usize) -> String {
    let mut words = String::with_capacity(len + 2);
    for event in events {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            // What the filter puts in itself; each piece is whole tags and texts.
            Event::Html(markup) | Event::InlineHtml(markup) => {
                Html::push_visible_text(&markup, &mut words);
            }
            Event::SoftBreak | Event::HardBreak | Event::Rule => words.push('\n'),
            Event::Start(tag) if !is_inline(tag.to_end()) => words.push('\n'),
            Event::End(tag) if !is_inline(tag) => words.push('\n'),
            _ => {}
        }
    }
    words
}

fn is_inline(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough)
}
