//! Prices of models, to compute the cost of sessions whose files hold none.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;

use super::message::Model;
use super::usage::Usage;

/// Prices are of so many tokens.
const TOKENS: f64 = 1e6;

/// US dollars per million tokens, by model.
///
/// ```
/// use leafpress::prices::Prices;
///
/// let prices = r#"{"claude-sonnet-4-5": {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}}"#;
/// let mut session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let unpriced = session.set_prices(Prices::parse(prices)?);
/// println!("{unpriced}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices {
    models: BTreeMap<String, Price>,
}

/// US dollars per million tokens of each kind, 0 or more; `None` where no price is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Price {
    /// For a million tokens sent that no cache held, in US dollars.
    #[serde(deserialize_with = "dollars")]
    pub input: Option<f64>,
    /// For a million tokens the model wrote, in US dollars.
    #[serde(deserialize_with = "dollars")]
    pub output: Option<f64>,
    /// For a million tokens read from a cache, in US dollars.
    #[serde(deserialize_with = "dollars")]
    pub cache_read: Option<f64>,
    /// For a million tokens written to a cache, in US dollars.
    #[serde(deserialize_with = "dollars")]
    pub cache_write: Option<f64>,
}

/// Why prices cannot be used: no JSON of them, a kind of tokens that there is not, or no price.
#[derive(Debug, thiserror::Error)]
#[error("expected JSON such as {{\"MODEL\": {{\"input\": 3, \"output\": 15}}}}: {0}")]
pub struct PricesError(serde_json::Error);

fn dollars<'de, D: Deserializer<'de>>(json: D) -> Result<Option<f64>, D::Error> {
    let value = Value::deserialize(json)?;
    let price = value.as_f64().filter(|price| *price >= 0.0);
    price.map(Some).ok_or_else(|| {
        let wanted = "write dollars per million tokens, 0 or more";
        D::Error::custom(format_args!("invalid price `{value}`; {wanted}"))
    })
}

impl Prices {
    /// Reads prices from JSON: `{MODEL: {"input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75}}`,
    /// in US dollars per million tokens. Each kind is optional. MODEL is the id of a model, or
    /// `provider/id`.
    ///
    /// # Errors
    ///
    /// Fails where the text is no JSON of this shape, for other keys, and for prices that are no
    /// numbers or negative.
    pub fn parse(json: &str) -> Result<Prices, PricesError> {
        serde_json::from_str(json).map(|models| Prices { models }).map_err(PricesError)
    }

    /// Gives a model a price. Prices below 0 count as none.
    pub fn set(&mut self, model: impl Into<String>, price: Price) {
        let valid = |price: Option<f64>| price.filter(|price| *price >= 0.0 && price.is_finite());
        let price = Price {
            input: valid(price.input),
            output: valid(price.output),
            cache_read: valid(price.cache_read),
            cache_write: valid(price.cache_write),
        };
        self.models.insert(model.into(), price);
    }

    /// The price of a model: that of `provider/id`, else of the id, else of either without the
    /// date at its end (`-20250929` or `-2025-09-29`).
    pub fn of(&self, model: &Model<'_>) -> Option<&Price> {
        let full = format!("{}/{}", model.provider, model.id);
        let names = [full.as_str(), &model.id];
        let find = |name: &str| self.models.get(name);
        let undated = || names.into_iter().filter_map(without_date).find_map(find);
        names.into_iter().find_map(find).or_else(undated)
    }
}

impl Price {
    /// What these tokens cost in US dollars; `None` where there are tokens of a kind without a price.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        let kinds = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
        ];
        let mut cost = 0.0;
        for (tokens, price) in kinds.into_iter().filter(|(tokens, _)| *tokens > 0.0) {
            cost += tokens * price? / TOKENS;
        }
        Some(cost)
    }
}

/// A model's name without the date at its end.
fn without_date(name: &str) -> Option<&str> {
    const FORMS: [&str; 2] = ["-dddddddd", "-dddd-dd-dd"];
    let is_form = |end: &[u8], form: &str| {
        let fits = |(byte, form): (&u8, u8)| match form {
            b'd' => byte.is_ascii_digit(),
            _ => *byte == form,
        };
        end.iter().zip(form.bytes()).all(fits)
    };
    FORMS.into_iter().find_map(|form| {
        let at = name.len().checked_sub(form.len()).filter(|at| *at > 0)?;
        is_form(name.as_bytes().get(at..)?, form).then(|| name.get(..at))?
    })
}

/// What of a session has tokens and no cost, stated or computed; in words through [`fmt::Display`],
/// a line each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unpriced {
    /// Models without a price for all kinds of their tokens, each once, sorted.
    pub models: Vec<String>,
    /// How many entries name no model.
    pub without_model: usize,
    /// The session states a cost apart from its responses, which may be theirs: nothing was computed.
    pub has_own_cost: bool,
}

impl Unpriced {
    /// Whether everything has a cost.
    pub fn is_empty(&self) -> bool {
        *self == Unpriced::default()
    }
}

impl fmt::Display for Unpriced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if self.has_own_cost {
            lines.push(
                "no cost was computed: the session states one apart from its responses".to_owned(),
            );
        }
        if !self.models.is_empty() {
            let models: Vec<String> = self.models.iter().map(|name| format!("`{name}`")).collect();
            let models = models.join(", ");
            lines.push(format!(
                "no cost was computed for {models}: a price of its tokens is missing"
            ));
        }
        if self.without_model > 0 {
            let (entries, name) = match self.without_model {
                1 => ("1 entry".to_owned(), "names"),
                count => (format!("{count} entries"), "name"),
            };
            lines.push(format!(
                "no cost was computed for {entries} with tokens that {name} no model"
            ));
        }
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(provider: &'static str, id: &'static str) -> Model<'static> {
        Model { provider: provider.into(), id: id.into() }
    }

    #[test]
    fn a_model_matches_exactly_or_before_a_date() {
        let prices = Prices::parse(
            r#"{"a-1": {"input": 1}, "p/a-1": {"input": 2}, "a-1-20250101": {"input": 3}}"#,
        );
        let prices = prices.unwrap();
        let input = |provider, id| prices.of(&model(provider, id)).and_then(|price| price.input);
        assert_eq!(input("", "a-1"), Some(1.0));
        assert_eq!(input("q", "a-1-2025-09-29"), Some(1.0));
        assert_eq!(input("p", "a-1-20250929"), Some(2.0));
        assert_eq!(input("q", "a-1-20250101"), Some(3.0));
        for other in ["a", "a-10", "a-1-mini", "a-1-2025", "a-1-2025092é", "-20250929", ""] {
            assert_eq!(input("", other), None, "{other}");
        }
    }

    #[test]
    fn tokens_without_a_price_have_no_cost() {
        let price = Price { input: Some(3.0), output: Some(15.0), ..Price::default() };
        let usage = Usage { input: 1e6, output: 2e5, ..Usage::default() };
        assert_eq!(price.cost(&usage), Some(6.0));
        assert_eq!(price.cost(&Usage { cache_read: 1.0, ..usage }), None);
        assert_eq!(Price::default().cost(&Usage::default()), Some(0.0));
    }

    #[test]
    fn what_are_no_prices_is_refused() {
        for (json, reason) in [
            ("7", "expected JSON"),
            (r#"{"m": 3}"#, "expected JSON"),
            ("{", "expected JSON"),
            (
                r#"{"m": {"in": 3}}"#,
                "unknown field `in`, expected one of `input`, `output`, `cacheRead`, `cacheWrite` at line 1",
            ),
            (r#"{"m": {"input": -1}}"#, "invalid price `-1`; write dollars"),
            (r#"{"m": {"input": "3"}}"#, "invalid price `\"3\"`"),
            (r#"{"m": {"input": null}}"#, "invalid price `null`"),
        ] {
            let error = Prices::parse(json).unwrap_err().to_string();
            assert!(error.contains(reason), "{json}: {error}");
        }
    }
}
