//! What commands and tools printed.

use std::ops::Range;

use super::ansi::Screen;
use super::folded::{Preview, folded};
use super::highlight;
use super::html::Html;
use super::image::Pictures;
use crate::session::message::Block;

/// Printed text as a terminal would show it: its first and last lines, and a fold with the rest.
pub(super) fn printed(text: &str) -> Html {
    let screen = Screen::of(text);
    boxed(screen.text(), Preview::PRINTED, |bytes| screen.draw(bytes))
}

/// A text that no terminal showed, such as an argument: every character as it is.
pub(super) fn plain(text: &str) -> Html {
    boxed(text, Preview::PRINTED, |bytes| Html::text(&text[bytes]))
}

/// The text of a file, with the colours of its language.
pub(super) fn printed_code(text: &str, language: &str) -> Html {
    boxed(text, Preview::TEXT, |bytes| coloured(&text[bytes], language))
}

/// Lines in a box; `draw` draws a range of the text's bytes.
fn boxed(text: &str, preview: Preview, draw: impl Fn(Range<usize>) -> Html) -> Html {
    let text = text.trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        let mut html = Html::new();
        html.push_markup("<p class=\"note\" data-ui>No output</p>\n");
        return html;
    }
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let part = |lines: Range<usize>| {
        starts[lines.start]..starts.get(lines.end).map_or(text.len(), |next| next - 1)
    };
    folded(
        starts.len(),
        preview,
        |lines| part(lines).len(),
        |lines| {
            let mut html = Html::new();
            // A parser drops the first newline of a `pre`: it must not be the text's own.
            html.push_markup("<pre class=\"out\">\n");
            html.push(&draw(part(lines)));
            html.push_markup("</pre>\n");
            html
        },
    )
}

/// The text of a file as code.
fn coloured(text: &str, language: &str) -> Html {
    if language.is_empty() {
        return Html::text(text);
    }
    let mut html = Html::new();
    html.push_markup("<code>");
    html.push(&highlight::inline(text, language));
    html.push_markup("</code>");
    html
}

/// A tool's content: its text as printed, its pictures.
pub(super) fn content(blocks: &[Block<'_>], pictures: Pictures<'_>) -> Html {
    let mut html = Html::new();
    if blocks.is_empty() {
        return printed("");
    }
    for block in blocks {
        match block {
            Block::Text(text) | Block::Thinking(text) => html.push(&printed(text)),
            Block::Image { data, mime_type } => html.push(&pictures.show(data, mime_type)),
            Block::ToolCall(call) => html.push(&raw(&call.arguments.pretty())),
            Block::Other(json) => html.push(&raw(&json.pretty())),
        }
    }
    html
}

/// Where the agent keeps all of an output that it shortened.
pub(super) fn shortened_by_agent(path: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>Shortened by the agent; all of it: </span>");
    html.push_text(path);
    html.push_markup("</p>\n");
    html
}

/// JSON of something unknown here, as it is.
pub(super) fn raw(json: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<pre class=\"raw code\" data-lang=\"json\"><code>");
    html.push(&highlight::inline(json, "json"));
    html.push_markup("</code></pre>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_is_folded_and_whole() {
        let text = (1..=100).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
        let html = printed(&text);
        assert!(html.as_str().contains("88 more lines, "), "{html}");
        let shown = html.visible_text();
        assert!((1..=100).all(|n| shown.contains(&format!("line {n}"))));
    }
}
