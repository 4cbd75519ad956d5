//! What a session took as the program states it (2.1.330): requests that have no line of their own,
//! such as that of a compaction, are in no response.

use crate::session::json::Json;
use crate::session::usage::Usage;

use super::stream_totals::by_model;

/// A `cost-state` line.
#[derive(Debug)]
pub(super) struct CostState {
    pub(super) line: u32,
    /// The model, where there is one.
    pub(super) model: Option<String>,
    pub(super) stated: Usage,
}

impl CostState {
    /// `None` where it states nothing: a run that was stopped has no sums.
    // The last `cost-state` line of a file wins (2.1.330). Costs in US dollars, tokens as counts.
    pub(super) fn read(line: u32, json: &Json<'_>) -> Option<CostState> {
        let models = by_model(json.get("modelUsage"));
        let mut stated = Usage::default();
        for (_, usage) in &models {
            stated += *usage;
        }
        if let Some(cost) = json.get("totalCostUSD").and_then(Json::as_f64) {
            stated.cost = cost;
        }
        let model = match &models[..] {
            [(model, _)] => Some(model.clone()),
            _ => None,
        };
        (stated.tokens() > 0.0 || stated.cost > 0.0).then_some(CostState { line, model, stated })
    }
}
