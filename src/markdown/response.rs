//! A response stays the Markdown it is, but for what would take effect beyond it.
//!
//! The text is parsed, and only the places that harm are rewritten: HTML becomes text, images become links, links to
//! addresses that a page would not open become text, references and footnotes stay within the response, `@name` and
//! `#123` reach nobody, headings lie below those of the document, an open fence is closed. What is rewritten may
//! uncover more, so this goes on until nothing is left; a text that never ends shows as it is, in a fence.

mod edits;
mod structure;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::fence;
use crate::link;

/// How often a text is rewritten. Each time uncovers what the one before made text: two for what people write.
const MOST_PASSES: usize = 6;

/// The Markdown of a response, ending in a newline; empty for a blank text.
///
/// Its headings are at least of `level`, from 1 to 6, and its footnotes have names that begin with `own`, by which the
/// caller tells responses apart.
pub(super) fn of(text: &str, level: usize, own: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let mut rewritten = text.trim_matches('\n').trim_end().to_owned();
    if rewritten.trim().is_empty() {
        return String::new();
    }
    for _ in 0..MOST_PASSES {
        let edits = edits::of(&rewritten);
        if edits.is_empty() {
            if !structure::may_need_shape(&rewritten) {
                // The parse that found nothing to rewrite was of this very text.
                return rewritten + "\n";
            }
            let shaped = structure::shaped(&rewritten, level, own);
            return if is_harmless(&shaped, level) {
                shaped + "\n"
            } else {
                fence::block(&text, "markdown")
            };
        }
        rewritten = edits.applied(&rewritten);
    }
    fence::block(&text, "markdown")
}

/// What GitHub understands.
fn parser(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(text, options)
}

/// Whether nothing is left that takes effect beyond the text.
fn is_harmless(text: &str, level: usize) -> bool {
    let parser = parser(text);
    if parser.reference_definitions().iter().next().is_some() {
        return false;
    }
    parser.into_iter().all(|event| match event {
        Event::Html(_)
        | Event::InlineHtml(_)
        | Event::Start(Tag::Image { .. } | Tag::HtmlBlock) => false,
        Event::Start(Tag::Link { dest_url, .. }) => link::is_safe(&dest_url),
        Event::Start(Tag::Heading { level: own, .. }) => number(own) >= level,
        _ => true,
    })
}

fn number(level: HeadingLevel) -> usize {
    level as usize
}

#[cfg(test)]
mod tests;
