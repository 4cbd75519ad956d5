//! The line that stands for the steps of a turn, and that of quiet entries.

use askama::Template;

use super::Renderer;
use super::did::DidTemplate;
use crate::content::work::StepsPart;
use crate::session::EntryIndex;
use crate::session::text::counted;

#[derive(Template)]
#[template(path = "steps.html")]
pub(super) struct StepsTemplate {
    steps: usize,
    /// What was done.
    parts: Vec<StepsPart>,
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
        Some(StepsTemplate {
            steps: steps.count,
            parts: steps.parts,
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

fn count_of(count: usize, what: &str) -> String {
    if count > 0 { counted(count, what) } else { String::new() }
}

#[cfg(test)]
mod tests;
