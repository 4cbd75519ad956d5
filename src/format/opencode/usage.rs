//! Tokens and money.

use crate::format::fields::object;
use crate::session::json::Json;

/// What a response, or a step of it, spent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Input, output, read from a cache, written to it.
    tokens: Option<[f64; 4]>,
    cost: Option<f64>,
}

impl Spent {
    /// Reads `tokens` and `cost`. OpenCode does not count reasoning as output.
    // {input, output, reasoning, cache {read, write}}, counts; a cost in US dollars: 1.18.33.
    pub(super) fn read(json: &Json<'_>) -> Spent {
        let tokens = json.get("tokens").filter(|tokens| matches!(tokens, Json::Object(_)));
        let tokens = tokens.map(|tokens| {
            let count = |json: Option<&Json<'_>>| json.and_then(Json::as_f64).unwrap_or(0.0);
            let cache = |key| count(tokens.get("cache").and_then(|cache| cache.get(key)));
            let output = count(tokens.get("output")) + count(tokens.get("reasoning"));
            [count(tokens.get("input")), output, cache("read"), cache("write")]
        });
        Spent { tokens, cost: json.get("cost").and_then(Json::as_f64) }
    }

    /// Both together.
    pub(super) fn plus(self, other: Spent) -> Spent {
        let tokens = match (self.tokens, other.tokens) {
            (Some(mut sum), Some(more)) => {
                sum.iter_mut().zip(more).for_each(|(sum, count)| *sum += count);
                Some(sum)
            }
            (one, other) => one.or(other),
        };
        let cost = match (self.cost, other.cost) {
            (Some(cost), Some(more)) => Some(cost + more),
            (one, other) => one.or(other),
        };
        Spent { tokens, cost }
    }

    /// What another says of things that this one says nothing of.
    pub(super) fn without(self, told: Spent) -> Spent {
        Spent {
            tokens: self.tokens.filter(|_| told.tokens.is_none()),
            cost: self.cost.filter(|_| told.cost.is_none()),
        }
    }

    /// In the core's form; nothing where nothing is known.
    pub(super) fn usage(self) -> Option<Json<'static>> {
        let number = |value: f64| serde_json::Number::from_f64(value).map(Json::Number);
        if self.tokens.is_none() && self.cost.is_none() {
            return None;
        }
        let [input, output, cache_read, cache_write] = self.tokens.unwrap_or_default().map(number);
        let cost = self.cost.map(|cost| object([("total", number(cost))]));
        Some(object([
            ("input", input),
            ("output", output),
            ("cacheRead", cache_read),
            ("cacheWrite", cache_write),
            ("cost", cost),
        ]))
    }
}
