//! How full the model's context was at each call of a branch: the tokens that each response reports.
//!
//! Nothing is estimated. A response that reports no tokens sent is not in the list, and a model's
//! window is known only where the file states it.

use super::digest::Digest;
use crate::session::model::usage::Usage;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// One call of the model, as its response reports it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The response.
    pub entry: EntryIndex,
    /// When it was written, in milliseconds since 1970.
    pub time: Option<i64>,
    /// `provider/id` of the model, or its id alone where nobody says who serves it.
    pub model: Option<String>,
    /// Its tokens.
    pub usage: Usage,
    /// The tokens that the model's context can hold, more than 0, where the file states it.
    pub window: Option<f64>,
    /// The last compaction or reset between the call before and this one.
    pub compaction: Option<EntryIndex>,
}

impl Call {
    /// The tokens that were sent to the model: new ones, and those of the provider's cache.
    pub fn sent(&self) -> f64 {
        sent(&self.usage)
    }
}

fn sent(usage: &Usage) -> f64 {
    usage.input + usage.cache_read + usage.cache_write
}

/// The calls on a path, root side first. It takes what the digest knows and parses nothing.
///
/// ```
/// use leafpress::session::{digest::Digest, over_time};
///
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let path = session.tree().path(session.leaf());
/// for call in over_time::calls(&session, &Digest::read(&session), &path) {
///     println!("{:?} {}", session.id(call.entry), call.sent());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn calls(session: &Session, digest: &Digest<'_>, path: &[EntryIndex]) -> Vec<Call> {
    let totals = &digest.totals;
    let mut compaction = None;
    let mut calls = Vec::new();
    for &entry in path {
        if matches!(session.entry_type_at(entry), "compaction" | "reset_boundary" | "reset") {
            compaction = Some(entry);
        }
        let step = totals.of(entry);
        let usage = step.usage();
        if !step.is_answer() || sent(&usage) <= 0.0 {
            continue;
        }
        calls.push(Call {
            entry,
            time: session.time(entry),
            model: step.model().map(|model| totals.model_name(model)),
            usage,
            window: step.model().and_then(|model| totals.window(model, entry)),
            compaction: compaction.take(),
        });
    }
    calls
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn of(rows: &[&str]) -> Vec<Call> {
        let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        for (nth, row) in rows.iter().enumerate() {
            let parent = if nth == 0 { "null".to_owned() } else { format!("\"{}\"", nth - 1) };
            let _ = writeln!(file, "{{\"id\":\"{nth}\",\"parentId\":{parent},{row}}}");
        }
        let session = crate::read(file.into_bytes()).unwrap();
        let path = session.tree().path(session.leaf());
        calls(&session, &Digest::read(&session), &path)
    }

    fn response(model: &str, usage: &str) -> String {
        format!(
            r#""type":"message","message":{{"role":"assistant","provider":"p","model":"{model}","content":[],{usage}}}"#
        )
    }

    #[test]
    fn a_call_is_a_response_that_reports_tokens_sent() {
        let calls = of(&[
            r#""type":"message","message":{"role":"user","content":"x"}"#,
            &response("a", r#""usage":{"input":100,"cacheRead":20,"cacheWrite":3,"output":9}"#),
            &response("a", r#""usage":{"output":9}"#),
            r#""type":"compaction","summary":"s","usage":{"input":50}"#,
            r#""type":"message","message":{"role":"user","content":"x"}"#,
            &response("b", r#""usage":{"input":40},"contextWindow":1000"#),
            &response("a", r#""usage":{"input":41}"#),
            &response("b", r#""usage":{"input":42}"#),
        ]);
        let figures = calls.iter().map(|call| {
            let compaction = call.compaction.map(EntryIndex::get);
            (call.entry.get(), call.sent(), call.model.as_deref(), call.window, compaction)
        });
        assert_eq!(
            figures.collect::<Vec<_>>(),
            [
                (1, 123.0, Some("p/a"), None, None),
                (5, 40.0, Some("p/b"), Some(1000.0), Some(3)),
                (6, 41.0, Some("p/a"), None, None),
                (7, 42.0, Some("p/b"), Some(1000.0), None),
            ]
        );
    }
}
