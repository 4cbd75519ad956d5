//! What the rows that end runs state of tokens and cost, against what the responses before them do.
//!
//! A stream may have several such rows. `modelUsage` and `total_cost_usd` sum up over them, and from
//! 2.1.330 on over earlier runs of the session, which are not in the file. Then
//! `model_usage_since_last_result` is what the rows since the one before took.

use std::collections::HashMap;

use crate::format::lines::Value;
use crate::session::json::Json;
use crate::session::usage::Usage;

use super::access::text;

/// What each model took.
type ByModel = Vec<(String, Usage)>;

/// The same of what no response states; without a name where that is of several models.
type Rest = Vec<(Option<String>, Usage)>;

#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The responses in their order: the model, and what it took, as far as that is known.
    responses: Vec<(String, Usage)>,
    /// The place of each message in that list.
    places: HashMap<String, usize>,
    ends: Vec<End>,
    /// The place of each end in that list, by its row.
    rows: HashMap<(u32, u32), usize>,
    /// What the last row that sums up stated.
    before: (ByModel, f64),
    /// The cost of the runs so far.
    cost: f64,
}

/// A row that ends a run.
#[derive(Debug)]
struct End {
    /// How many responses are before it.
    responses: usize,
    stated: ByModel,
    /// What is stated of each model beyond the responses; once all rows are read.
    rest: Rest,
    /// The cost of the session, where that is more than the cost of its runs in this file.
    session_cost: Option<f64>,
}

impl Totals {
    /// A part of a response.
    pub(super) fn response(&mut self, message: &Json<'_>) {
        let Some(usage) = message.get("usage") else { return };
        let is_final = text(message, "stop_reason").is_some();
        let (model, known) = self.response_of(text(message, "id").unwrap_or_default());
        *model = plain_model(text(message, "model").unwrap_or_default());
        let usage = anthropic(usage);
        let output = if is_final { usage.output.max(known.output) } else { known.output };
        *known = Usage { output, ..usage };
    }

    /// The output of a response, which the end of its partial messages states.
    pub(super) fn output(&mut self, id: &str, output: f64) {
        self.response_of(id).1.output = output;
    }

    fn response_of(&mut self, id: &str) -> &mut (String, Usage) {
        let next = self.responses.len();
        let place = *self.places.entry(id.to_owned()).or_insert(next);
        if place == next {
            self.responses.push((String::new(), Usage::default()));
        }
        &mut self.responses[place]
    }

    /// A row that ends a run.
    pub(super) fn end(&mut self, value: &Value<'_>, json: &Json<'_>) {
        let cost = json.get("totalCostUsd").and_then(Json::as_f64).unwrap_or(0.0);
        let so_far = by_model(json.get("modelUsage"));
        let since = json.get("modelUsageSinceLastResult").map(|since| by_model(Some(since)));
        let (before, cost_before) = std::mem::replace(&mut self.before, (so_far.clone(), cost));
        // A smaller sum is that of another process, whose stream was appended.
        let goes_on = |(model, before): &(String, Usage)| {
            so_far.iter().any(|(name, now)| name == model && now.tokens() >= before.tokens())
        };
        let is_same = cost >= cost_before && before.iter().all(goes_on);
        let (before, cost_before) = if is_same { (before, cost_before) } else { (Vec::new(), 0.0) };
        let stated = since.unwrap_or_else(|| {
            if !so_far.is_empty() {
                return less(so_far, &before);
            }
            // Older versions state the main agent's alone. `usage` is the main agent's in this run, `total_cost_usd`
            // all agents' in US dollars (2.1.197, 2.1.330).
            let usage = json.get("usage").map(anthropic);
            let usage = usage.map(|usage| Usage { cost: cost - cost_before, ..usage });
            usage.map(|usage| (String::new(), usage)).into_iter().collect()
        });
        self.cost += stated.iter().map(|(_, usage)| usage.cost).sum::<f64>();
        self.rows.insert((value.line, value.nth), self.ends.len());
        self.ends.push(End {
            responses: self.responses.len(),
            stated,
            rest: Vec::new(),
            session_cost: (is_same && cost > self.cost + 1e-9).then_some(cost),
        });
    }

    /// Whether the stream states what its runs took.
    pub(super) fn are_stated(&self) -> bool {
        !self.ends.is_empty()
    }

    /// Finds what each row states beyond the responses behind the row before. A response of a
    /// sub-agent may be printed behind the row that counts it, so what a row has too much of is
    /// taken from the rows before it.
    pub(super) fn settle(&mut self) {
        let mut owed: HashMap<Option<String>, Usage> = HashMap::new();
        for at in (0..self.ends.len()).rev() {
            let first = at.checked_sub(1).map_or(0, |before| self.ends[before].responses);
            let end = &self.ends[at];
            let mut counted: HashMap<&str, Usage> = HashMap::new();
            for (model, usage) in &self.responses[first..end.responses] {
                if usage.tokens() > 0.0 {
                    *counted.entry(model).or_default() += *usage;
                }
            }
            let mut rest = Vec::new();
            for (model, stated, counted) in by_stated(&end.stated, &counted) {
                let owed = owed.entry(model.clone()).or_default();
                let (own, more) = settled(stated, counted, *owed);
                *owed = more;
                rest.push((model, own));
            }
            self.ends[at].rest = rest;
        }
    }

    /// What the row at this place states that no response does, by model, and the cost of the
    /// session where that holds earlier runs.
    pub(super) fn of(&self, row: (u32, u32)) -> Option<(&Rest, Option<f64>)> {
        let end = &self.ends[*self.rows.get(&row)?];
        Some((&end.rest, end.session_cost))
    }
}

/// What is stated and counted of each model; of all together where another one is counted.
fn by_stated(
    stated: &ByModel,
    counted: &HashMap<&str, Usage>,
) -> Vec<(Option<String>, Usage, Usage)> {
    let is_stated = |model: &&str| stated.iter().any(|(name, _)| name == model);
    if stated.len() > 1 && counted.keys().all(is_stated) {
        let of = |model: &str| counted.get(model).copied().unwrap_or_default();
        let one = |(model, usage): &(String, Usage)| (Some(model.clone()), *usage, of(model));
        return stated.iter().map(one).collect();
    }
    let model = match &stated[..] {
        [(model, _)] => Some(model.clone()).filter(|model| !model.is_empty()),
        _ => None,
    };
    let sum = |all: &mut dyn Iterator<Item = Usage>| {
        all.fold(Usage::default(), |mut sum, usage| {
            sum += usage;
            sum
        })
    };
    let own = sum(&mut stated.iter().map(|(_, usage)| *usage));
    vec![(model, own, sum(&mut counted.values().copied()))]
}

/// What is left of the stated, and what is owed.
fn settled(stated: Usage, counted: Usage, owed: Usage) -> (Usage, Usage) {
    let left = |stated: f64, counted: f64, owed: f64| {
        let left = stated - counted - owed;
        (left.max(0.0), (-left).max(0.0))
    };
    let (mut rest, mut more) = (Usage::default(), Usage::default());
    (rest.input, more.input) = left(stated.input, counted.input, owed.input);
    (rest.output, more.output) = left(stated.output, counted.output, owed.output);
    (rest.cache_read, more.cache_read) =
        left(stated.cache_read, counted.cache_read, owed.cache_read);
    (rest.cache_write, more.cache_write) =
        left(stated.cache_write, counted.cache_write, owed.cache_write);
    // No response of a stream states a cost.
    rest.cost = stated.cost;
    (rest, more)
}

/// `{inputTokens, outputTokens …}` by model, without the mark of a larger context window.
pub(super) fn by_model(usage: Option<&Json<'_>>) -> ByModel {
    let Some(Json::Object(models)) = usage else { return Vec::new() };
    let mut all: ByModel = Vec::new();
    for (model, about) in models {
        let count = |key| about.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let usage = Usage {
            input: count("inputTokens"),
            output: count("outputTokens"),
            cache_read: count("cacheReadInputTokens"),
            cache_write: count("cacheCreationInputTokens"),
            cost: count("costUSD"),
            computed: 0.0,
        };
        let model = plain_model(model);
        match all.iter_mut().find(|(name, _)| *name == model) {
            Some((_, known)) => *known += usage,
            None => all.push((model, usage)),
        }
    }
    all
}

/// The name of a model without the mark of a larger context window.
// `claude-…[1m]`: 2.1.197.
pub(super) fn plain_model(model: &str) -> String {
    model.split('[').next().unwrap_or_default().to_owned()
}

fn anthropic(usage: &Json<'_>) -> Usage {
    let count = |key| usage.get(key).and_then(Json::as_f64).unwrap_or(0.0);
    Usage {
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
        cost: 0.0,
        computed: 0.0,
    }
}

/// What each model took since an earlier sum.
fn less(all: ByModel, before: &ByModel) -> ByModel {
    let one = |(model, now): (String, Usage)| {
        let before = before.iter().find(|(name, _)| *name == model);
        let before = before.map(|(_, before)| *before).unwrap_or_default();
        let usage = Usage {
            input: now.input - before.input,
            output: now.output - before.output,
            cache_read: now.cache_read - before.cache_read,
            cache_write: now.cache_write - before.cache_write,
            cost: now.cost - before.cost,
            computed: 0.0,
        };
        (model, usage)
    };
    all.into_iter().map(one).collect()
}
