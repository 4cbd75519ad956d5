//! What commands and tools printed.

use askama::Template;

use super::html::Html;
use super::image::picture;
use super::{fill, highlight};
use crate::session::message::Block;

/// Lines shown before the rest is folded.
const HEAD_LINES: usize = 20;

/// Output up to this many lines is shown whole: folding a few helps nobody.
const WHOLE_LINES: usize = 30;

#[derive(Template)]
#[template(path = "long_output.html")]
struct LongOutputTemplate<'a> {
    head: Html,
    rest: Html,
    lines: usize,
    size: &'a str,
}

/// Printed text: whole when short, else its first lines and a fold with the rest.
pub(super) fn printed(text: &str) -> Html {
    printed_code(text, "")
}

/// Printed code: as [`printed`], with the colours of its language.
pub(super) fn printed_code(text: &str, language: &str) -> Html {
    let text = text.trim_end_matches(['\n', '\r']);
    let mut html = Html::new();
    if text.is_empty() {
        html.push_markup("<p class=\"note\" data-ui>No output</p>\n");
        return html;
    }
    let count = text.split('\n').count();
    if count <= WHOLE_LINES {
        // A parser drops the first newline of a `pre`: it must not be the text's own.
        html.push_markup("<pre class=\"out\">\n");
        html.push(&coloured(text, language));
        html.push_markup("</pre>\n");
        return html;
    }
    let head_end = text.match_indices('\n').nth(HEAD_LINES - 1).map_or(text.len(), |(at, _)| at);
    let (head, rest) = (&text[..head_end], &text[head_end + 1..]);
    let template = LongOutputTemplate {
        head: coloured(head, language),
        rest: coloured(rest, language),
        lines: count - HEAD_LINES,
        size: &bytes(rest.len()),
    };
    html.push(&fill(&template));
    html
}

/// The text of a file as code; what a program printed is no code.
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
pub(super) fn content(blocks: &[Block<'_>]) -> Html {
    let mut html = Html::new();
    if blocks.is_empty() {
        return printed("");
    }
    for block in blocks {
        match block {
            Block::Text(text) | Block::Thinking(text) => html.push(&printed(text)),
            Block::Image { data, mime_type } => html.push(&picture(data, mime_type)),
            Block::ToolCall(call) => html.push(&raw(&call.arguments.pretty())),
            Block::Other(json) => html.push(&raw(&json.pretty())),
        }
    }
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

/// `340 B`, `12 KB`, `1.5 MB`.
pub(crate) fn bytes(count: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "rounded to two digits anyway")]
    let count_f = count as f64;
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.0} KB", count_f / 1e3),
        _ => format!("{:.1} MB", count_f / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_is_folded_and_whole() {
        let text = (1..=100).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
        let html = printed(&text);
        assert!(html.as_str().contains("80 more lines, "), "{html}");
        let shown = html.visible_text();
        assert!((1..=100).all(|n| shown.contains(&format!("line {n}"))));
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!([bytes(7), bytes(12_345), bytes(1_500_000)], ["7 B", "12 KB", "1.5 MB"]);
    }
}
