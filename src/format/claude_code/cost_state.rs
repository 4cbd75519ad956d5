//! What a session took as the program states it (2.1.330): requests that have no line of their own,
//! such as that of a compaction, are in no response.

use crate::format::translation::Spot;
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::usage::Usage;

use super::agents::Unit;
use super::rows::Lines;
use super::stream_totals::by_model;

/// A `cost-state` line.
#[derive(Debug)]
pub(super) struct CostState {
    line: u32,
    /// The model, where there is one.
    model: Option<String>,
    stated: Usage,
}

impl CostState {
    /// `None` where it states nothing: a run that was stopped has no sums.
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

/// Adds what the session states beyond its responses and those of its agents, and says which
/// responses have no number of output tokens.
pub(super) fn add(units: &mut [Unit], lines: &Lines) {
    let mut counted_so_far = Usage::default();
    for unit in units.iter() {
        counted_so_far += unit.written.translation.counted();
    }
    let without: usize = units.iter().map(|unit| unit.written.without_output).sum();
    let is_stated = lines.cost.is_some()
        || lines.stream.as_ref().is_some_and(|stream| stream.totals.are_stated());
    let Some(main) = units.first_mut() else { return };
    let out = &mut main.written.translation;
    if let (Some(CostState { line, model, stated }), Some(leaf)) = (&lines.cost, &main.written.leaf)
    {
        let id = Some("cost-state".to_owned());
        let spot = Spot { line: *line, id, parent_id: Some(leaf.clone()), time: None };
        if let Some(id) = out.stated(spot, model.as_deref(), *stated, counted_so_far) {
            out.leaf(id);
        }
    }
    if without > 0 && !is_stated {
        out.note(format!(
            "The file does not state the output tokens of {}, only the number at their start. The sums do not include them",
            counted(without, "response")
        ));
    }
}
