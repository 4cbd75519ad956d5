//! A patch: changes to several files in one text.

use super::file::{Left, as_asked, left_diff, said};
use super::{Arguments, ToolCard, ToolRun};
use crate::changes::diff::Diff;
use crate::content::{Content, Part};
use crate::session::file_tools::PATCH;
use crate::session::json::Json;

/// Whether a text that may be a patch is among the arguments.
pub(super) fn has_patch(arguments: &Arguments<'_>) -> bool {
    PATCH.iter().any(|key| arguments.json().get(key).is_some_and(|value| value.as_str().is_some()))
}

pub(super) fn read<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let (text, rest) = if let Json::String(text) = run.arguments.json() {
        (Some(text.as_ref()), Content::new())
    } else {
        let text = run.arguments.take(PATCH, Json::as_str);
        (text, run.arguments.rest())
    };
    let asked = text.map(|text| (text, Diff::written(text)));
    let shown = asked.as_ref().and_then(|(_, diff)| diff.as_ref());
    let left = left_diff(run);
    let mut card = ToolCard::of(rest);
    let counted = if let Left::Diff(diff) = &left { Some(diff) } else { shown };
    card.facts.extend(counted.into_iter().flat_map(Diff::facts));
    let asked = match asked {
        Some((_, Some(diff))) => Part::Diff(diff).into(),
        Some((text, None)) if !text.trim().is_empty() => Part::Plain(text.into()).into(),
        _ => Content::new(),
    };
    match left {
        Left::Diff(diff) => {
            card.body.push(Part::Diff(diff));
            card.body.extend(as_asked(asked));
        }
        Left::Text(text) => {
            card.body.append(asked);
            card.body.push(Part::Plain(text.into()));
        }
        Left::Nothing => card.body.append(asked),
    }
    card.body.append(said(run));
    card
}
