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

#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The responses in their order: message, model, and what it took, as far as that is known.
    responses: Vec<(String, Usage)>,
    /// The place of each message in that list.
    places: HashMap<String, usize>,
    ends: Vec<End>,
    /// What the last row that sums up stated.
    before: (ByModel, f64),
}

/// A row that ends a run.
#[derive(Debug)]
struct End {
    line: (u32, u32),
    /// How many responses are before it.
    responses: usize,
    stated: ByModel,
    /// The session has cost more than its runs in this file.
    earlier: Option<f64>,
}

/// What a row states that no response before it does.
#[derive(Debug)]
pub(super) struct Stated {
    /// For each model, what is stated and what the responses state of it.
    pub(super) models: Vec<(Option<String>, Usage, Usage)>,
    /// The cost of the session where that holds earlier runs.
    pub(super) session_cost: Option<f64>,
}

impl Totals {
    /// A part of a response.
    pub(super) fn response(&mut self, message: &Json<'_>) {
        let (id, usage) = (text(message, "id").unwrap_or_default(), message.get("usage"));
        let Some(usage) = usage else { return };
        let is_final = text(message, "stop_reason").is_some();
        let model = plain_model(text(message, "model").unwrap_or_default());
        let place = *self.places.entry(id.to_owned()).or_insert_with(|| {
            self.responses.push((model, Usage::default()));
            self.responses.len() - 1
        });
        let count = |key| usage.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let known = &mut self.responses[place].1;
        known.input = count("input_tokens");
        known.cache_read = count("cache_read_input_tokens");
        known.cache_write = count("cache_creation_input_tokens");
        if is_final {
            known.output = known.output.max(count("output_tokens"));
        }
    }

    /// The output of a response, which the end of its partial messages states.
    pub(super) fn output(&mut self, id: &str, output: f64) {
        let place = *self.places.entry(id.to_owned()).or_insert_with(|| {
            self.responses.push((String::new(), Usage::default()));
            self.responses.len() - 1
        });
        self.responses[place].1.output = output;
    }

    /// A row that ends a run.
    pub(super) fn end(&mut self, value: &Value<'_>, json: &Json<'_>) {
        let cost = json.get("totalCostUsd").and_then(Json::as_f64).unwrap_or(0.0);
        let so_far = by_model(json.get("modelUsage"));
        let since = json.get("modelUsageSinceLastResult").map(|since| by_model(Some(since)));
        let (before, cost_before) = std::mem::replace(&mut self.before, (so_far.clone(), cost));
        // A smaller sum is that of another process, whose stream was appended.
        let is_same = cost >= cost_before
            && before.iter().all(|(model, before)| {
                so_far.iter().any(|(name, now)| name == model && now.tokens() >= before.tokens())
            });
        let (before, cost_before) = if is_same { (before, cost_before) } else { (Vec::new(), 0.0) };
        let stated = since.unwrap_or_else(|| match so_far.is_empty() {
            false => less(so_far, &before),
            // Older versions state the main agent's alone.
            true => {
                let usage = json
                    .get("usage")
                    .map(|usage| Usage { cost: cost - cost_before, ..anthropic(usage) });
                usage.map(|usage| (String::new(), usage)).into_iter().collect()
            }
        });
        let own: f64 = self.ends.iter().flat_map(|end| &end.stated).map(|(_, one)| one.cost).sum();
        let own = own + stated.iter().map(|(_, one)| one.cost).sum::<f64>();
        self.ends.push(End {
            line: (value.line, value.nth),
            responses: self.responses.len(),
            stated,
            earlier: (is_same && cost > own + 1e-9).then_some(cost),
        });
    }

    /// Whether the stream states what its runs took.
    pub(super) fn are_stated(&self) -> bool {
        !self.ends.is_empty()
    }

    /// What the row on this line states beyond the responses before it and behind the row before.
    pub(super) fn of(&self, line: (u32, u32)) -> Option<Stated> {
        let at = self.ends.iter().position(|end| end.line == line)?;
        let end = &self.ends[at];
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before].responses);
        let responses = &self.responses[first..end.responses];
        let mut counted: HashMap<&str, Usage> = HashMap::new();
        for (model, usage) in responses.iter().filter(|(_, usage)| usage.tokens() > 0.0) {
            *counted.entry(model).or_default() += *usage;
        }
        let is_stated = |model: &&str| end.stated.iter().any(|(name, _)| name == model);
        let models = if end.stated.len() > 1 && counted.keys().all(is_stated) {
            let one = |(model, usage): &(String, Usage)| {
                let counted = counted.get(model.as_str()).copied().unwrap_or_default();
                (Some(model.clone()), *usage, counted)
            };
            end.stated.iter().map(one).collect()
        } else {
            let (mut stated, mut all) = (Usage::default(), Usage::default());
            end.stated.iter().for_each(|(_, usage)| stated += *usage);
            counted.values().for_each(|usage| all += *usage);
            let [model] = &end.stated[..] else {
                return Some(Stated {
                    models: vec![(None, stated, all)],
                    session_cost: end.earlier,
                });
            };
            let model = Some(model.0.clone()).filter(|model| !model.is_empty());
            vec![(model, stated, all)]
        };
        Some(Stated { models, session_cost: end.earlier })
    }
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
