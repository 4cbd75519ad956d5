//! How full the context was at each call of a branch.

use serde::Serialize;

use crate::session::over_time::{self, Call};
use crate::session::{EntryIndex, Session, time};

use super::stats::{whole, whole_if_known};

/// The calls of a branch, as `leafpress context --over-time --json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OverTimeReport {
    /// The calls whose responses report tokens, root side first.
    pub calls: Vec<CallReport>,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallReport {
    /// The key of the response.
    pub entry_id: String,
    /// When it was written, as `2026-11-02T09:00:00.000Z`.
    pub time: Option<String>,
    /// `provider/id` of the model, or its id alone where the provider is not known.
    pub model: Option<String>,
    /// Tokens sent that no cache held.
    #[serde(serialize_with = "whole")]
    pub input: f64,
    /// Tokens read from the provider's cache.
    #[serde(serialize_with = "whole")]
    pub cache_read: f64,
    /// Tokens written to the provider's cache.
    #[serde(serialize_with = "whole")]
    pub cache_write: f64,
    /// Tokens of the response.
    #[serde(serialize_with = "whole")]
    pub output: f64,
    /// The tokens that the model's context can hold, more than 0, where the file states it.
    #[serde(serialize_with = "whole_if_known")]
    pub window: Option<f64>,
    /// The key of the compaction or reset between the call before and this one.
    pub compaction: Option<String>,
}

impl CallReport {
    /// The tokens that were sent: new ones, and those of the cache.
    pub fn sent(&self) -> f64 {
        self.input + self.cache_read + self.cache_write
    }
}

/// Lists the calls on the path to `leaf`. `None` where the session has no such entry.
pub fn context_over_time(session: &Session, leaf: EntryIndex) -> Option<OverTimeReport> {
    if !session.tree().has(leaf) {
        return None;
    }
    let (digest, _) = crate::outline::read(session);
    let calls = over_time::calls(session, &digest, &session.tree().path(leaf)).into_iter();
    let report = |call: Call| CallReport {
        entry_id: session.key_at(call.entry),
        time: call.time.map(time::iso),
        model: call.model,
        input: call.usage.input,
        cache_read: call.usage.cache_read,
        cache_write: call.usage.cache_write,
        output: call.usage.output,
        window: call.window,
        compaction: call.compaction.map(|entry| session.key_at(entry)),
    };
    Some(OverTimeReport { calls: calls.map(report).collect() })
}
