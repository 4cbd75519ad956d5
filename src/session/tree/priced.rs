//! Costs computed from prices, where the file states none.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::session::model::prices::{Prices, Unpriced};

use super::session::Session;
use crate::session::model::entry::{Body, Entry};
use crate::session::model::event::Event;
use crate::session::model::message::{Message, Model};
use crate::session::model::usage::Usage;

/// How the note on computed costs begins.
const NOTE: &str =
    "Costs marked as computed are not in the session: they come from prices given to leafpress";

fn note(unpriced: &Unpriced) -> String {
    let gaps = unpriced.to_string().replace('\n', "; ");
    if gaps.is_empty() { NOTE.to_owned() } else { format!("{NOTE}; {gaps}") }
}

/// The cost of an entry's tokens.
enum Cost {
    /// It has no tokens, or the file states their cost.
    Settled,
    Computed(f64),
    NoPrice(String),
    NoModel,
}

impl Session {
    /// Computes the cost of each entry whose tokens have none in the file, from now on and
    /// wherever the session's costs are asked for; [`Usage::computed`] says how much of a cost that is.
    /// A stated cost of 0 is none: agents write 0 where they know no price.
    ///
    /// Gives what has no cost all the same. Nothing is computed for a session that states a cost
    /// in an entry of its own (`usage`), as that may be the cost of its responses.
    pub fn set_prices(&mut self, prices: Prices) -> Unpriced {
        self.prices = None;
        self.notes.retain(|note| !note.starts_with(NOTE));
        let mut unpriced = Unpriced::default();
        let mut models = BTreeSet::new();
        let mut is_any_computed = false;
        for index in self.indices() {
            let entry = self.entry_at(index);
            let states_cost = entry.usage().is_some_and(|usage| usage.cost > 0.0);
            unpriced.has_own_cost |= states_cost && matches!(entry.body, Body::Usage(_));
            match cost(&entry, &prices) {
                Cost::Settled => {}
                Cost::Computed(_) => is_any_computed = true,
                Cost::NoPrice(model) => {
                    models.insert(model);
                }
                Cost::NoModel => unpriced.without_model += 1,
            }
        }
        unpriced.models = models.into_iter().collect();
        if unpriced.has_own_cost && is_any_computed {
            return Unpriced { has_own_cost: true, ..Unpriced::default() };
        }
        unpriced.has_own_cost = false;
        if is_any_computed {
            self.notes.push(note(&unpriced));
        }
        self.prices = Some(Arc::new(prices));
        unpriced
    }

    /// This session with the prices of another that it was made of.
    pub(crate) fn priced_as(self, other: Option<Arc<Prices>>) -> Session {
        Session { prices: other, ..self }
    }

    /// The prices that costs are computed from.
    pub(crate) fn prices(&self) -> Option<Arc<Prices>> {
        self.prices.clone()
    }
}

impl Entry<'_> {
    /// The entry with the cost of its tokens, where the file states none.
    pub(super) fn priced(mut self, prices: &Prices) -> Self {
        if let Cost::Computed(cost) = cost(&self, prices)
            && let Some(usage) = usage_of(&mut self.body)
        {
            usage.cost = cost;
            usage.computed = cost;
        }
        self
    }
}

fn cost(entry: &Entry<'_>, prices: &Prices) -> Cost {
    let Some(usage) = entry.usage() else { return Cost::Settled };
    if usage.cost > 0.0 || usage.tokens() <= 0.0 {
        return Cost::Settled;
    }
    let Some(model) = model_of(&entry.body).filter(|model| !model.id.is_empty()) else {
        return Cost::NoModel;
    };
    match prices.of(model).and_then(|price| price.cost(&usage)) {
        Some(cost) => Cost::Computed(cost),
        None => Cost::NoPrice(model.id.to_string()),
    }
}

fn model_of<'e, 'a>(body: &'e Body<'a>) -> Option<&'e Model<'a>> {
    match body {
        Body::Message(Message::Assistant(assistant)) => assistant.model.as_ref(),
        Body::Usage(entry) => entry.model.as_ref(),
        Body::Event(Event::ModelUsage(side)) => side.model.as_ref(),
        _ => None,
    }
}

fn usage_of<'e>(body: &'e mut Body<'_>) -> Option<&'e mut Usage> {
    match body {
        Body::Message(Message::Assistant(assistant)) => assistant.usage.as_mut(),
        Body::Usage(entry) => entry.usage.as_mut(),
        Body::Event(Event::ModelUsage(side)) => side.usage.as_mut(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#;
    const PRICES: &str = r#"{"m": {"input": 2, "output": 10}}"#;

    fn answer(id: &str, model: &str, cost: &str) -> String {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":null,"message":{{"role":"assistant","model":"{model}","provider":"p","content":[],"usage":{{"input":1000000,"output":0{cost}}}}}}}"#
        )
    }

    fn priced(lines: &[String]) -> (Usage, Unpriced, Vec<String>) {
        let text = format!("{HEADER}\n{}\n", lines.join("\n"));
        let mut session = crate::read(text.into_bytes()).unwrap();
        let unpriced = session.set_prices(Prices::parse(PRICES).unwrap());
        assert_eq!(unpriced, session.set_prices(Prices::parse(PRICES).unwrap()), "set twice");
        let mut sum = Usage::default();
        for entry in session.indices() {
            sum += session.entry(entry).unwrap().usage().unwrap_or_default();
        }
        (sum, unpriced, session.notes().to_vec())
    }

    #[test]
    fn stated_costs_stay_and_zero_is_none() {
        let lines = [
            answer("a", "m", ""),
            answer("b", "m", r#","cost":{"total":0}"#),
            answer("c", "m", r#","cost":{"total":7}"#),
        ];
        let (sum, unpriced, notes) = priced(&lines);
        assert!((sum.cost - 11.0).abs() < 1e-9 && (sum.computed - 4.0).abs() < 1e-9, "{sum:?}");
        assert!(unpriced.is_empty());
        assert_eq!(notes, [NOTE]);
    }

    #[test]
    fn what_has_no_price_or_no_model_is_named_once() {
        let lines = [
            answer("a", "m", ""),
            answer("b", "x", ""),
            answer("c", "x", ""),
            r#"{"type":"compaction","id":"d","parentId":"c","summary":"","usage":{"input":5}}"#
                .to_owned(),
        ];
        let (sum, unpriced, notes) = priced(&lines);
        assert!((sum.cost - 2.0).abs() < 1e-9, "{sum:?}");
        assert_eq!((&unpriced.models[..], unpriced.without_model), (&["x".to_owned()][..], 1));
        let said = unpriced.to_string();
        assert_eq!(
            said,
            "no cost was computed for `x`: a price of its tokens is missing\nno cost was computed for 1 entry with tokens that names no model"
        );
        assert_eq!(notes, [format!("{NOTE}; {}", said.replace('\n', "; "))]);
    }

    #[test]
    fn a_cost_apart_from_the_responses_may_be_theirs() {
        let whole = r#"{"type":"usage","id":"u","parentId":"a","kind":"rest","usage":{"cost":{"total":3}}}"#;
        let (sum, unpriced, notes) = priced(&[answer("a", "m", ""), whole.to_owned()]);
        assert_eq!((sum.cost, sum.computed), (3.0, 0.0));
        assert!(unpriced.has_own_cost);
        assert!(notes.is_empty());
        let (_, unpriced, _) = priced(&[answer("a", "x", ""), whole.to_owned()]);
        assert_eq!((unpriced.has_own_cost, unpriced.models.len()), (false, 1));
    }
}
