//! Tokens and money.

use std::ops::AddAssign;

use crate::session::texts::json::{Fields, TypeMismatch, is_plausible};

/// Tokens by kind, and their price: each from 0 to 10^12 where one entry states it, tokens as whole numbers by
/// convention. `input` leaves out what came from a cache.
///
/// ```
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let usage = session.usage_since(session.leaf(), None);
/// println!("{} of {} tokens came from a cache, for ${:.4}", usage.cache_read, usage.tokens(), usage.cost);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens sent that no cache held.
    pub input: f64,
    /// Tokens the model wrote, reasoning included.
    pub output: f64,
    /// Tokens read from the provider's cache.
    pub cache_read: f64,
    /// Tokens written to the provider's cache.
    pub cache_write: f64,
    /// US dollars: the stated total, else the sum of the stated parts.
    pub cost: f64,
    /// The part of it, in US dollars, that no file states: it was computed from
    /// [prices](crate::session::tree::session::Session::set_prices).
    pub computed: f64,
}

impl Usage {
    /// Reads `{input, output, cacheRead, cacheWrite, cost}`; absent parts are 0.
    pub(crate) fn read(mut fields: Fields<'_>) -> Usage {
        Usage::of(&mut fields)
    }

    /// Takes the `usage` of an entry or a message. Amounts beyond reason are noted as odd there.
    pub(super) fn take(fields: &mut Fields<'_>) -> Option<Usage> {
        let mut own = fields.object("usage")?;
        let usage = Usage::of(&mut own);
        let is_amount =
            |odd: &TypeMismatch<'_>| odd.value.as_f64().is_some_and(|n| !is_plausible(n));
        fields.mismatches.extend(own.mismatches.into_iter().filter(is_amount));
        Some(usage)
    }

    fn of(fields: &mut Fields<'_>) -> Usage {
        let mut count = |key| fields.amount(key).unwrap_or(0.0);
        let [input, output, cache_read, cache_write] =
            ["input", "output", "cacheRead", "cacheWrite"].map(&mut count);
        // pi 1.5.2: US dollars by kind, and `total`.
        let mut cost = fields.object("cost").unwrap_or_default();
        let total = cost.amount("total").unwrap_or_else(|| {
            let parts = ["input", "output", "cacheRead", "cacheWrite"];
            parts.into_iter().filter_map(|key| cost.amount(key)).sum()
        });
        fields.mismatches.append(&mut cost.mismatches);
        Usage { input, output, cache_read, cache_write, cost: total, computed: 0.0 }
    }

    /// All tokens, cached or not.
    pub fn tokens(&self) -> f64 {
        self.input + self.output + self.cache_read + self.cache_write
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.cost += other.cost;
        self.computed += other.computed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Usage {
        Usage::read(Fields::new(serde_json::from_str(text).unwrap()))
    }

    #[test]
    fn the_stated_total_wins_over_the_parts() {
        assert!((read(r#"{"cost":{"input":1,"output":2,"total":5}}"#).cost - 5.0).abs() < 1e-9);
        assert!((read(r#"{"cost":{"input":1,"output":2}}"#).cost - 3.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_no_number_counts_nothing() {
        assert_eq!(read(r#"{"input":"<b>","cost":7}"#), Usage::default());
    }
}
