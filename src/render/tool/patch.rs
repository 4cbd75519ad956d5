//! A patch: changes to several files in one text.

use super::file::{Left, as_asked, left_diff, said};
use super::{Arguments, ToolCard, ToolRun};
use crate::changes::diff::Diff;
use crate::html::Html;
use crate::render::output;
use crate::session::file_tools::PATCH;
use crate::session::json::Json;

/// Whether a text that may be a patch is among the arguments.
pub(super) fn has_patch(arguments: &Arguments<'_>) -> bool {
    PATCH.iter().any(|key| arguments.json().get(key).is_some_and(|value| value.as_str().is_some()))
}

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let (text, rest) = if let Json::String(text) = run.arguments.json() {
        (Some(text.as_ref()), Html::new())
    } else {
        let text = run.arguments.take(PATCH, Json::as_str);
        (text, run.arguments.rest())
    };
    let asked = text.map(|text| (text, Diff::written(text)));
    let shown = asked.as_ref().and_then(|(_, diff)| diff.as_ref());
    let left = left_diff(run);
    let mut card = ToolCard { body: rest, ..ToolCard::default() };
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
