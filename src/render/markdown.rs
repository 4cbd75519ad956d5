//! Markdown, drawn.

use pulldown_cmark::{Event, html};

use super::direction::with_directions;
use super::highlight::{self, Colors};
use super::{image, math};
use crate::figures::bytes;
use crate::html::Html;
use crate::link;
use crate::prose::{self, Draw};

/// A Markdown text as `<div class="md">`.
pub(super) fn block(colors: &mut Colors, text: &str) -> Html {
    let mut html = Html::new();
    if text.trim().is_empty() {
        return html;
    }
    html.push_markup("<div class=\"md\">\n");
    html.push(&render(colors, text));
    html.push_markup("</div>\n");
    html
}

/// A long text: its first paragraphs, the rest behind a fold.
pub(super) fn folded(colors: &mut Colors, text: &str) -> Html {
    let Some((first, rest)) = prose::split(text) else { return block(colors, text) };
    let mut html = block(colors, first);
    html.push_markup("<details class=\"more\"><summary data-ui>");
    html.push_text(&format!("{} more lines, {}", rest.lines().count(), bytes(rest.len())));
    html.push_markup("</summary>\n");
    html.push(&block(colors, rest));
    html.push_markup("</details>\n");
    html
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

fn render(colors: &mut Colors, text: &str) -> Html {
    let markup = prose::written(text, &mut Drawn(colors), |events, len| {
        let mut markup = String::with_capacity(len * 3 / 2);
        html::push_html(&mut markup, events.into_iter());
        markup
    });
    Html::trusted(with_directions(markup))
}

/// Code with its colors, pictures where they stand.
struct Drawn<'c>(&'c mut Colors);

impl Draw for Drawn<'_> {
    fn code(&mut self, code: String, info: &str) -> Event<'static> {
        Event::Html(highlight::fenced(self.0, &code, info).as_str().to_owned().into())
    }

    fn formula(&mut self, source: &str, formula: &str, is_display: bool) -> Option<Html> {
        math::drawn(source, formula, is_display)
    }

    fn picture(&mut self, url: &str) -> (Html, &'static str) {
        image::inline(url)
    }
}

#[cfg(test)]
mod tests;
