//! A patch: changes to several files in one text.

use super::file::{Left, as_asked, has_call, left_diff, path, path_summary, said};
use super::{Arguments, ToolCard, ToolRun};
use crate::render::diff::Diff;
use crate::render::html::Html;
use crate::render::output;
use crate::session::file_tools::PATCH;
use crate::session::json::Json;
use crate::session::text::{one_line, short_path};

/// The summary names this many files.
const NAMED: usize = 3;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    draw_for(run, &path(&run.arguments))
}

/// Whether a text that may be a patch is among the arguments.
pub(super) fn has_patch(arguments: &Arguments<'_>) -> bool {
    PATCH.iter().any(|key| arguments.json().get(key).is_some_and(|value| value.as_str().is_some()))
}

/// The same where the path is known.
pub(super) fn draw_for(run: &ToolRun<'_>, path: &str) -> ToolCard {
    let (text, rest) = if let Json::String(text) = run.arguments.json() {
        (Some(text.as_ref()), Html::new())
    } else {
        let text = run.arguments.take(PATCH, Json::as_str);
        (text, run.arguments.rest())
    };
    let asked = text.map(|text| (text, Diff::written(text)));
    let shown = asked.as_ref().and_then(|(_, diff)| diff.as_ref());
    let left = left_diff(run);
    let mut card =
        ToolCard { summary: summary(run, path, shown), body: rest, ..ToolCard::default() };
    let counted = if let Left::Diff(diff) = &left { Some(diff) } else { shown };
    card.facts.extend(counted.into_iter().flat_map(Diff::facts));
    let asked_html = match &asked {
        Some((_, Some(diff))) => diff.html(),
        Some((text, None)) if !text.trim().is_empty() => output::plain(text),
        _ => Html::new(),
    };
    match left {
        Left::Diff(diff) => {
            card.body.push(&diff.html());
            card.body.push(&as_asked(&asked_html));
        }
        Left::Text(text) => {
            card.body.push(&asked_html);
            card.body.push(&output::plain(text));
        }
        Left::Nothing => card.body.push(&asked_html),
    }
    card.body.push(&said(run));
    card
}

/// The path, else the names in the patch.
fn summary(run: &ToolRun<'_>, path: &str, diff: Option<&Diff<'_>>) -> Html {
    let names: Vec<&str> = diff.into_iter().flat_map(Diff::names).collect();
    if !path.is_empty() {
        return path_summary(run, path);
    }
    if names.is_empty() {
        let mut html = Html::new();
        if diff.is_none() && has_call(run) {
            html.push_markup("<span data-ui>no patch that can be read</span>");
        }
        return html;
    }
    let shown: Vec<String> =
        names.iter().take(NAMED).map(|name| one_line(&short_path(name))).collect();
    let mut html = Html::text(&shown.join(", "));
    if names.len() > NAMED {
        html.push_markup("<span data-ui> and ");
        html.push_text(&(names.len() - NAMED).to_string());
        html.push_markup(" more</span>");
    }
    html
}
