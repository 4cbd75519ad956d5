//! Tokens and cost of steps, and whether they add up to what the trajectory says of all.

use crate::format::blocks::usage;
use crate::format::probe::text;
use crate::session::json::Json;

/// Tokens and dollars as ATIF counts them: cached tokens are part of the prompt's.
// `metrics` and `final_metrics`: nat_atif. Costs are in US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Metrics {
    prompt: f64,
    completion: f64,
    cached: f64,
    cost: Option<f64>,
}

/// The fields of a step's metrics that are read.
pub(super) const READ: [&str; 4] =
    ["prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"];

/// Fields of the trainer, a number for each token.
// nat_atif, `metrics`.
pub(super) const PER_TOKEN: [&str; 3] = ["prompt_token_ids", "completion_token_ids", "logprobs"];

impl Metrics {
    /// Those of a step; none where it says nothing that is known.
    pub(super) fn of_step(step: &Json<'_>) -> Option<Metrics> {
        Metrics::read(step.get("metrics")?, "")
    }

    fn read(json: &Json<'_>, prefix: &str) -> Option<Metrics> {
        let number = |key: &str| {
            let number = json.get(&format!("{prefix}{key}")).and_then(Json::as_f64);
            number.filter(|number| (0.0..=1e12).contains(number))
        };
        READ.iter().any(|key| number(key).is_some()).then(|| Metrics {
            prompt: number("prompt_tokens").unwrap_or(0.0),
            completion: number("completion_tokens").unwrap_or(0.0),
            cached: number("cached_tokens").unwrap_or(0.0),
            cost: number("cost_usd"),
        })
    }

    pub(super) fn usage(self) -> Json<'static> {
        usage((self.prompt - self.cached).max(0.0), self.completion, self.cached, self.cost)
    }

    fn plus(self, other: Metrics) -> Metrics {
        let cost = match (self.cost, other.cost) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or(0.0) + other.unwrap_or(0.0)),
        };
        Metrics {
            prompt: self.prompt + other.prompt,
            completion: self.completion + other.completion,
            cached: self.cached + other.cached,
            cost,
        }
    }
}

/// The sums over the steps of a trajectory.
#[derive(Default)]
pub(super) struct Sums {
    own: Option<Metrics>,
    copied: Option<Metrics>,
}

impl Sums {
    /// Steps copied from another trajectory are counted there.
    pub(super) fn add(&mut self, metrics: Metrics, is_copied: bool) {
        let sum = if is_copied { &mut self.copied } else { &mut self.own };
        *sum = Some(sum.unwrap_or_default().plus(metrics));
    }

    /// Tokens that are known of all steps together alone.
    pub(super) fn only_final(&self, about: &Json<'_>) -> Option<Metrics> {
        let told = Metrics::read(about.get("final_metrics")?, "total_")?;
        (self.own.is_none() && self.copied.is_none()).then_some(told)
    }

    /// What the totals say that the steps do not add up to.
    pub(super) fn differences(&self, about: &Json<'_>) -> Option<String> {
        let own = self.own.or(self.copied.map(|_| Metrics::default()))?;
        let all = own.plus(self.copied.unwrap_or_default());
        let told = about.get("final_metrics")?;
        let of = |metrics: Metrics| {
            [metrics.prompt, metrics.completion, metrics.cached, metrics.cost.unwrap_or(0.0)]
        };
        let names = ["prompt tokens", "completion tokens", "cached tokens", "dollars"];
        let sums = of(own).into_iter().zip(of(all));
        let differences: Vec<String> = READ
            .iter()
            .zip(names)
            .zip(sums)
            .filter_map(|((key, name), (own, all))| {
                let total = told.get(&format!("total_{key}"))?.as_f64()?;
                let near = |sum: f64| (total - sum).abs() <= 1e-6 * total.abs().max(1.0);
                let shown =
                    |n: f64| if name == "dollars" { format!("{n:.4}") } else { n.to_string() };
                (!near(own) && !near(all))
                    .then(|| format!("{} {name}, the steps add up to {}", shown(total), shown(own)))
            })
            .collect();
        (!differences.is_empty())
            .then(|| format!("`final_metrics` differs from the steps: {}", differences.join("; ")))
    }
}

/// The name and version of an agent.
pub(super) fn agent_words(agent: &Json<'_>) -> Option<String> {
    let name = text(agent, "name").filter(|name| !name.is_empty())?;
    Some(match text(agent, "version").filter(|version| !version.is_empty()) {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    })
}
