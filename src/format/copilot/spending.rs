//! Tokens and money. A response says only what it wrote; the last shutdown counts all of the
//! session, over all resumes, but for what compactions took. Together they are the sum.

use std::collections::HashMap;

use crate::format::blocks::number;
use crate::format::translation::{object, string};
use crate::session::json::Json;

/// So many billionths of AI units cost a US dollar.
const NANO_UNITS: f64 = 1e11;

/// Tokens that responses wrote, by model.
#[derive(Debug, Clone, Default)]
pub(super) struct Outputs {
    by_model: HashMap<String, f64>,
    /// By responses that name no model.
    unnamed: f64,
}

impl Outputs {
    pub(super) fn add(&mut self, model: Option<&str>, tokens: Option<&Json<'_>>) {
        let tokens = tokens.and_then(Json::as_f64).filter(|tokens| *tokens > 0.0).unwrap_or(0.0);
        match model {
            Some(model) => *self.by_model.entry(model.to_owned()).or_default() += tokens,
            None => self.unnamed += tokens,
        }
    }

    /// What of a model's tokens no response has told.
    fn untold(&mut self, model: &str, tokens: f64) -> f64 {
        let told = self.by_model.remove(model).unwrap_or_default();
        let left = (tokens - told).max(0.0);
        let unnamed = self.unnamed.min(left);
        self.unnamed -= unnamed;
        left - unnamed
    }
}

/// The model and the usage of each entry that tells what a shutdown counted.
pub(super) fn of_shutdown(
    data: &Json<'_>,
    mut outputs: Outputs,
) -> Vec<(Option<String>, Json<'static>)> {
    let models = match data.get("modelMetrics") {
        Some(Json::Object(models)) => models.as_slice(),
        _ => &[],
    };
    let mut cost_left = dollars(data.get("totalNanoAiu"));
    let own: Vec<Option<f64>> =
        models.iter().map(|(_, about)| dollars(about.get("totalNanoAiu"))).collect();
    let mut spent = Vec::new();
    for ((model, about), own) in models.iter().zip(own) {
        let usage = about.get("usage").unwrap_or(&Json::Null);
        let [input, output, read, written] =
            ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"]
                .map(|key| count(usage, key));
        let output = outputs.untold(model, output);
        // No more than the session's whole cost, where that is told too.
        let cost = match (own, cost_left) {
            (Some(own), Some(left)) => Some(own.min(left)),
            (own, _) => own,
        };
        cost_left = cost_left.map(|left| (left - cost.unwrap_or(0.0)).max(0.0));
        let input = (input - read - written).max(0.0);
        spent.push((Some(model.to_string()), [input, output, read, written], cost));
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
    object([
        ("input", input),
        ("output", output),
        ("cacheRead", cache_read),
        ("cacheWrite", cache_write),
        ("cost", cost.map(|cost| object([("total", number(cost))]))),
    ])
}

/// The fields of an entry that tells money spent.
pub(super) fn entry(
    model: Option<String>,
    usage: Json<'static>,
) -> Vec<(std::borrow::Cow<'static, str>, Json<'static>)> {
    crate::format::translation::fields_of([
        ("kind", Some(string("session.shutdown"))),
        ("model", model.map(string)),
        ("usage", Some(usage)),
    ])
}
