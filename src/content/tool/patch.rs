//! A patch: changes to several files in one text.

use super::file::{Left, as_asked, left_diff, said};
use super::{ToolCard, ToolRun};
use crate::changes::diff::Diff;
use crate::content::{Content, Part};

pub(super) fn read<'r>(run: &ToolRun<'r>, text: Option<&'r str>) -> ToolCard<'r> {
    let asked = text.map(|text| (text, Diff::written(text)));
    let shown = asked.as_ref().and_then(|(_, diff)| diff.as_ref());
    let left = left_diff(run);
    let mut card = ToolCard::of(run.arguments.rest());
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
