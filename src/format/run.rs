//! What the streams of headless runs have in common: no prompt, a last row that says how the run
//! ended, and totals that win over sums.
//!
//! A reader counts what its entries state ([`Translation::counted`]), and gives what the stream's
//! totals state beyond that in an entry of its own ([`Translation::stated`]).

use crate::session::json::Json;
use crate::session::notice;
pub(super) use crate::session::notice::RunEnd as Ended;
use crate::session::usage::Usage;

use super::blocks::{text_block, total_cost};
use super::entry;
use super::fields::{fields_of, object, string};
use super::translation::{Spot, Translation};

/// The entry that says that the prompt is not there.
pub(super) const NO_PROMPT: &str = "The prompt is not in this file";

/// The id of that entry: the first of the session.
pub(super) const NO_PROMPT_ID: &str = "no-prompt";

/// The last row of a run.
#[derive(Debug)]
pub(super) struct RunEnd<'a> {
    pub(super) ended: Ended,
    /// What it printed, or why it failed.
    pub(super) text: Option<String>,
    /// More of it, a line of Markdown each: calls that were denied, structured output.
    pub(super) lines: Vec<String>,
    /// Figures for a reader, such as the number of turns.
    pub(super) facts: Vec<(&'static str, Option<Json<'a>>)>,
}

impl Translation {
    /// The first entry of a stream that has no prompt. What begins the stream hangs from it, by
    /// [`NO_PROMPT_ID`].
    pub(super) fn no_prompt(&mut self, line: u32) {
        let spot = Spot { line, id: Some(NO_PROMPT_ID.to_owned()), ..Spot::default() };
        self.tell(spot, notice::NO_PROMPT, NO_PROMPT.to_owned(), None);
    }

    /// An error or a warning that a run printed, where it is not how the run ended.
    pub(super) fn run_error(&mut self, spot: Spot, said: String, details: Json<'_>) {
        self.tell(spot, notice::RUN_ERROR, said, Some(details));
    }

    /// The end of a run, which decides how the session ended.
    pub(super) fn run_end(&mut self, spot: Spot, end: RunEnd<'_>) {
        let head = end.ended.words();
        let why = end.text.as_deref().filter(|_| end.ended == Ended::Failed);
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let mut said = format!("{head}{why}");
        for line in end.lines {
            said.push_str("\n\n");
            said.push_str(&line);
        }
        let mut details = fields_of([("text", end.text.map(string))]);
        let facts = end.facts.into_iter().filter_map(|(key, fact)| Some((key.into(), fact?)));
        details.extend(facts);
        let details = (!details.is_empty()).then_some(Json::Object(details));
        self.tell(spot, end.ended.custom_type(), said, details);
    }

    /// An entry for what a total states beyond what the entries before it do, where that is
    /// anything. Gives the id of that entry.
    pub(super) fn stated(
        &mut self,
        spot: Spot,
        model: Option<&str>,
        stated: Usage,
        counted: Usage,
    ) -> Option<String> {
        // Nobody owes a negative number of tokens.
        let rest = |stated: f64, counted: f64| Some(stated - counted).filter(|rest| *rest > 1e-9);
        let count = |stated, counted| rest(stated, counted).map(number);
        let cost = rest(stated.cost, counted.cost).map(number);
        let fields = [
            ("input", count(stated.input, counted.input)),
            ("output", count(stated.output, counted.output)),
            ("cacheRead", count(stated.cache_read, counted.cache_read)),
            ("cacheWrite", count(stated.cache_write, counted.cache_write)),
            ("cost", cost.map(total_cost)),
        ];
        if fields.iter().all(|(_, value)| value.is_none()) {
            return None;
        }
        let id = spot.id.clone();
        let fields = entry::usage("in the total, in no response", model, object(fields));
        self.push(spot, "usage", fields);
        id
    }

    fn tell(&mut self, spot: Spot, name: &'static str, said: String, details: Option<Json<'_>>) {
        let fields = entry::custom_message_with(name, vec![text_block(said)], true, details);
        self.push(spot, "custom_message", fields);
    }
}

/// A number as JSON; whole ones without a fraction.
pub(super) fn number<'a>(number: f64) -> Json<'a> {
    /// Below this, each whole number has its own bits.
    const EXACT: f64 = 9e15;
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        return Json::Number((number as i64).into());
    }
    serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number)
}
