//! What commands and tools printed.

use std::ops::Range;

use super::folded::{Preview, folded};
use super::highlight::{self, Colored, Colors};
use super::numbered::{Gutter, digits};
use crate::ansi::Screen;
use crate::html::Html;

/// Printed text as a terminal would show it: its first and last lines, and a fold with the rest.
pub(super) fn printed(text: &str) -> Html {
    let screen = Screen::of(text);
    boxed(screen.text(), Preview::PRINTED, None, |bytes| screen.draw(bytes))
}

/// What a failed run printed: more of its end.
pub(super) fn failed(text: &str) -> Html {
    let screen = Screen::of(text);
    boxed(screen.text(), Preview::FAILED, None, |bytes| screen.draw(bytes))
}

/// A text that no terminal showed, such as an argument: every character as it is.
pub(super) fn plain(text: &str) -> Html {
    boxed(text, Preview::PRINTED, None, |bytes| Html::text(&text[bytes]))
}

/// The text of a file, with the colors of its language, and numbers from
/// `first` on where that is known.
pub(super) fn printed_code(
    colors: &mut Colors,
    text: &str,
    language: &str,
    first: Option<usize>,
) -> Html {
    let mut html = Html::new();
    let note = highlight::note(language);
    highlight::push_note(&mut html, note);
    let language = if note.is_some() { "" } else { language };
    let code = Colored::new(colors, text, language);
    html.push(&boxed(text, Preview::TEXT, first, |bytes| {
        let has_language = !language.is_empty();
        let mut html = Html::with_capacity(2 * bytes.len());
        html.push_markup(if has_language { "<code>" } else { "" });
        code.push_part(bytes, &mut html);
        html.push_markup(if has_language { "</code>" } else { "" });
        html
    }));
    html
}

/// Said where there is no output.
pub(super) const NONE: &str = "<p class=\"note\" data-ui>No output</p>\n";

/// Lines in a box; `draw` draws a range of the text's bytes.
fn boxed(
    text: &str,
    preview: Preview,
    first: Option<usize>,
    draw: impl Fn(Range<usize>) -> Html,
) -> Html {
    let text = text.trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        let mut html = Html::new();
        html.push_markup(NONE);
        return html;
    }
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
    let starts: Vec<usize> = std::iter::once(0).chain(newlines.map(|at| at + 1)).collect();
    let part = |lines: Range<usize>| {
        let end = starts.get(lines.end).map_or(text.len(), |next| next - 1);
        let bytes = starts[lines.start]..end;
        bytes.start..end - usize::from(text[bytes].ends_with('\r'))
    };
    let last = first.map(|first| first.saturating_add(starts.len() - 1));
    let width = last.map_or(0, digits);
    folded(
        starts.len(),
        preview,
        |lines| part(lines).len(),
        |lines| {
            let shown = draw(part(lines.clone()));
            if let Some(first) = first {
                let mut gutter = Gutter::default();
                let numbers = first.saturating_add(lines.start)..;
                for (line, number) in lines.zip(numbers) {
                    let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
                    gutter.push(format_args!("{number:>width$}"), &text[starts[line]..end]);
                }
                return gutter.beside(&shown);
            }
            // A parser drops the first newline of a `pre`: it must not be the text's own.
            shown.within("<pre class=\"out\">\n", "</pre>\n")
        },
    )
}

/// What an agent says of an output: cut here, go on there.
pub(super) fn notice(text: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\">");
    html.push_text(text);
    html.push_markup("</p>\n");
    html
}

/// JSON of something unknown here, as it is.
pub(super) fn raw(colors: &mut Colors, json: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<pre class=\"raw code\" data-lang=\"json\"><code>");
    html.push(&highlight::inline(colors, json, "json"));
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

    /// Such is put into templates without a copy.
    #[test]
    fn an_output_of_megabytes_stands_where_a_short_one_does() {
        let line = "a &lt;line&gt;";
        let drawn = |lines: usize| {
            let html = printed(&"a <line>\r\n".repeat(lines)).as_str().to_owned();
            assert_eq!(html.matches(line).count(), lines);
            let frame = html.replace(line, "").replace('\n', "");
            let (before, sized) = frame.split_once("<summary data-ui>").unwrap();
            let (_, after) = sized.split_once("</summary>").unwrap();
            [before, after].map(str::to_owned)
        };
        assert_eq!(drawn(200_000), drawn(100));
    }
}
