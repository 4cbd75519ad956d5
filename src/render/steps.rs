//! The line that stands for the steps of a turn, and that of quiet entries.

use askama::Template;

use super::Renderer;
use super::did::DidTemplate;
use crate::changes::EditedLines;
use crate::content::work::StepsPart;
use crate::session::EntryIndex;
use crate::session::text::counted;

#[derive(Template)]
#[template(path = "steps.html")]
pub(super) struct StepsTemplate {
    steps: usize,
    /// What was done.
    parts: Vec<StepsPart>,
    /// Of it what the line has no room for; mostly empty.
    others: String,
    /// `2 failures`; empty without any.
    failures: String,
    /// `2 stops`; empty without any.
    stops: String,
    /// How long it took and what it cost.
    spent: String,
    /// All tokens by kind.
    tokens: String,
    is_aside: bool,
    /// What the steps did to the world.
    did: DidTemplate,
}

#[derive(Template)]
#[template(path = "quiet.html")]
pub(super) struct QuietTemplate {
    words: String,
}

impl Renderer<'_> {
    /// The line of the run that the entry begins, if it begins one.
    pub(super) fn steps(&self, index: EntryIndex) -> Option<StepsTemplate> {
        let steps = self.work.steps(index)?;
        let (parts, others) = on_one_line(steps.parts);
        Some(StepsTemplate {
            steps: steps.count,
            parts,
            others,
            failures: count_of(steps.failures, "failure"),
            stops: count_of(steps.stops, "stop"),
            spent: steps.spent.join(" · "),
            tokens: steps.tokens,
            is_aside: steps.is_aside,
            did: DidTemplate::new(self.session, &steps.did),
        })
    }

    /// The line of the quiet entries that the entry begins, if it begins some.
    pub(super) fn quiet(&self, index: EntryIndex) -> Option<QuietTemplate> {
        self.work.quiet(index).map(|words| QuietTemplate { words })
    }
}

/// The most frequent kinds of steps, edits always among them, and the words of the others. In their order.
fn on_one_line(parts: Vec<StepsPart>) -> (Vec<StepsPart>, String) {
    /// More than these have no room on a wide screen.
    const KINDS: usize = 4;
    let is_edit = |part: &StepsPart| part.lines != EditedLines::default();
    let mut by_rank: Vec<(bool, usize)> =
        parts.iter().filter(|part| is_kind(part)).map(|part| (is_edit(part), part.count)).collect();
    by_rank.sort_unstable_by(|a, b| b.cmp(a));
    let least = by_rank.get(KINDS - 1).copied().unwrap_or_default();
    let mut room = KINDS;
    let (shown, others): (Vec<StepsPart>, Vec<StepsPart>) = parts.into_iter().partition(|part| {
        let is_shown = !is_kind(part) || ((is_edit(part), part.count) >= least && room > 0);
        room -= usize::from(is_shown && is_kind(part));
        is_shown
    });
    let words: Vec<String> = others.into_iter().map(|part| part.words).collect();
    (shown, words.join(", "))
}

/// A kind of steps, or edits that no call made.
fn is_kind(part: &StepsPart) -> bool {
    part.count > 0 || part.lines != EditedLines::default()
}

fn count_of(count: usize, what: &str) -> String {
    if count > 0 { counted(count, what) } else { String::new() }
}

#[cfg(test)]
mod tests;
