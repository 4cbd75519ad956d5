//! JSON for people: an object as a list of names and values, text as text.

use super::highlight::{self, Colors};
use super::output;
use crate::content::Shown;
use crate::html::Html;
use crate::session::json::Json;

/// Named values as `<dl class="fields">`; nothing when there are none.
pub(super) fn fields<'a>(
    colors: &mut Colors,
    fields: impl Iterator<Item = (&'a str, &'a Json<'a>)>,
) -> Html {
    let mut html = Html::new();
    for (name, value) in fields {
        html.push_markup(if html.is_empty() { "<dl class=\"fields\">\n<dt>" } else { "<dt>" });
        html.push_text(name);
        html.push_markup("</dt>\n<dd>");
        html.push(&of(colors, value));
        html.push_markup("</dd>\n");
    }
    if !html.is_empty() {
        html.push_markup("</dl>\n");
    }
    html
}

/// One value in a place of its own.
pub(super) fn alone(colors: &mut Colors, value: &Json<'_>) -> Html {
    let content = of(colors, value);
    if !content.as_str().starts_with("<code") {
        return content;
    }
    let mut html = Html::new();
    html.push_markup("<p>");
    html.push(&content);
    html.push_markup("</p>\n");
    html
}

/// One value: a short one as code on the line, a long text as output, the rest as JSON.
pub(super) fn of(colors: &mut Colors, value: &Json<'_>) -> Html {
    let code = match Shown::of(value) {
        Shown::Long(text) => return output::plain(text),
        Shown::Block(json) => return output::raw(colors, &json),
        Shown::Short(text) => Html::text(&text),
        Shown::Line(json) => highlight::inline(colors, &json, "json"),
    };
    code.within("<code>", "</code>")
}
