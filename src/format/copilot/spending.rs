//! Tokens and money. A response says only what it wrote; the last shutdown counts all of the
//! session, over all resumes, but for what compactions took. Together they are the sum. Newer versions
//! say of each request what it took.

use std::collections::HashMap;

use crate::format::blocks::{UsageFields, number, total_cost};
use crate::session::json::Json;

/// So many billionths of AI units cost a US dollar.
// agentsview; toolpath found the same by the prices of 1.0.68.
const NANO_UNITS: f64 = 1e11;

/// Input that was in no cache, output, read from a cache, written to one.
pub(super) type Tokens = [f64; 4];

/// Tokens that the entries of responses tell, by model.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    by_model: HashMap<String, Tokens>,
    /// Written by responses that name no model.
    unnamed: f64,
}

impl Told {
    /// What a response says that it wrote.
    pub(super) fn add_output(&mut self, model: Option<&str>, output: f64) {
        match model {
            Some(model) => self.add(model, [0.0, output, 0.0, 0.0]),
            None => self.unnamed += output,
        }
    }

    pub(super) fn add(&mut self, model: &str, tokens: Tokens) {
        let told = self.by_model.entry(model.to_owned()).or_default();
        told.iter_mut().zip(tokens).for_each(|(told, tokens)| *told += tokens);
    }

    /// What was counted since then.
    pub(super) fn since(&self, earlier: &Told) -> Told {
        let mut since = self.clone();
        since.unnamed -= earlier.unnamed;
        for (model, tokens) in &earlier.by_model {
            since.add(model, tokens.map(|count| -count));
        }
        since
    }

    fn output(&self) -> f64 {
        self.unnamed + self.by_model.values().map(|tokens| tokens[1]).sum::<f64>()
    }

    /// What of a model's tokens no response has counted.
    fn untold(&mut self, model: &str, tokens: Tokens) -> Tokens {
        let told = self.by_model.remove(model).unwrap_or_default();
        let mut left = tokens;
        left.iter_mut().zip(told).for_each(|(left, told)| *left = (*left - told).max(0.0));
        let unnamed = self.unnamed.min(left[1]);
        self.unnamed -= unnamed;
        left[1] -= unnamed;
        left
    }
}

/// All tokens that a shutdown counts.
pub(super) fn total(data: &Json<'_>) -> f64 {
    models(data).iter().map(|(_, about)| stated(about).iter().sum::<f64>()).sum()
}

/// Whether responses wrote more than a shutdown counts: its counts are not those of all of them.
pub(super) fn is_less(data: &Json<'_>, told: &Told) -> bool {
    let output: f64 = models(data).iter().map(|(_, about)| stated(about)[1]).sum();
    output > 0.0 && output + 0.5 < told.output()
}

fn models<'j, 'a>(data: &'j Json<'a>) -> &'j [(std::borrow::Cow<'a, str>, Json<'a>)] {
    match data.get("modelMetrics") {
        Some(Json::Object(models)) => models.as_slice(),
        _ => &[],
    }
}

/// What a shutdown counts of one model.
fn stated(about: &Json<'_>) -> Tokens {
    tokens(about.get("usage").unwrap_or(&Json::Null))
}

/// The input of Copilot's counts includes what was read from a cache or written to one.
// `modelMetrics` {model: {usage}}: 1.0.68, 1.0.102. Counts of tokens; compactions are not in them (toolpath).
fn tokens(usage: &Json<'_>) -> Tokens {
    let [input, output, read, written] =
        ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"]
            .map(|key| count(usage, key));
    [(input - read - written).max(0.0), output, read, written]
}

/// What one request to a model took, as `session.usage_record` says it.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) model: String,
    pub(super) tokens: Tokens,
}

impl Record {
    /// The request's id, and what it took.
    pub(super) fn read(data: &Json<'_>) -> Option<(String, Record)> {
        let spent = data.get("usage")?;
        let text = |key| spent.get(key).and_then(Json::as_str).map(str::to_owned);
        let model = text("model")?;
        Some((text("apiCallId")?, Record { model, tokens: tokens(spent) }))
    }

    pub(super) fn usage(&self) -> Json<'static> {
        usage(self.tokens, None)
    }
}

/// The model and the usage of each entry that tells what a shutdown counted.
pub(super) fn of_shutdown(data: &Json<'_>, mut told: Told) -> Vec<(Option<String>, Json<'static>)> {
    let models = models(data);
    let mut cost_left = dollars(data.get("totalNanoAiu"));
    let own: Vec<Option<f64>> =
        models.iter().map(|(_, about)| dollars(about.get("totalNanoAiu"))).collect();
    let mut spent = Vec::new();
    for ((model, about), own) in models.iter().zip(own) {
        let left = told.untold(model, stated(about));
        // No more than the session's whole cost, where that is stated too.
        let cost = match (own, cost_left) {
            (Some(own), Some(left)) => Some(own.min(left)),
            (own, _) => own,
        };
        cost_left = cost_left.map(|left| (left - cost.unwrap_or(0.0)).max(0.0));
        spent.push((Some(model.to_string()), left, cost));
    }
    if let Some(left) = cost_left.filter(|left| *left > 0.0) {
        match spent.first_mut() {
            Some((.., cost)) => *cost = Some(cost.unwrap_or(0.0) + left),
            None => spent.push((None, [0.0; 4], Some(left))),
        }
    }
    spent.into_iter().map(|(model, tokens, cost)| (model, usage(tokens, cost))).collect()
}

/// What a response wrote.
pub(super) fn of_response(data: &Json<'_>) -> Option<Json<'static>> {
    let output = data.get("outputTokens").and_then(Json::as_f64)?;
    Some(usage([0.0, output, 0.0, 0.0], None))
}

/// What a compaction took. Its price is part of what the shutdown counts.
pub(super) fn of_compaction(data: &Json<'_>) -> Option<Json<'static>> {
    let used = data.get("compactionTokensUsed")?;
    let of = |keys: [&str; 2]| {
        keys.iter().find_map(|key| used.get(key)?.as_f64()).filter(|n| *n > 0.0).unwrap_or(0.0)
    };
    let read = of(["cacheReadTokens", "cachedInput"]);
    let written = of(["cacheWriteTokens", "cacheWrite"]);
    let input = (of(["inputTokens", "input"]) - read - written).max(0.0);
    Some(usage([input, of(["outputTokens", "output"]), read, written], None))
}

fn count(usage: &Json<'_>, key: &str) -> f64 {
    usage.get(key).and_then(Json::as_f64).filter(|count| *count > 0.0).unwrap_or(0.0)
}

fn dollars(units: Option<&Json<'_>>) -> Option<f64> {
    Some(units?.as_f64().filter(|units| *units >= 0.0)? / NANO_UNITS)
}

fn usage(tokens: [f64; 4], cost: Option<f64>) -> Json<'static> {
    let [input, output, cache_read, cache_write] = tokens.map(number);
    let cost = cost.and_then(number).map(total_cost);
    UsageFields { input, output, cache_read, cache_write, cost }.json()
}
