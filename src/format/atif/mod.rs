//! ATIF, the Agent Trajectory Interchange Format (Harbor's `trajectory.json`), versions 1.0 to 1.7.
//!
//! One JSON object a trajectory: an agent and its steps, in a row. A step of the agent holds its
//! calls and their results. Trajectories of sub-agents stand within the object or in files beside
//! it, and a trajectory may go on in another file.
//!
//! Fields, and which version has them: `nat_atif`, which mirrors Harbor's models (docs/formats.md, Sources). What
//! writers do beyond that (results without a call, arguments that are no object): letta trajectory.

mod beside;
mod children;
mod content;
mod metrics;
mod reader;
mod steps;

use std::sync::Arc;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::document::Document;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::spans::{Span, members};
use super::translation::Translation;

use beside::TrajectoryFiles;
use children::with_children;
use reader::{TrajectoryReader, Wanted};

pub(super) const READER: Reader = Reader { format: Format::Atif, recognizes, read, listing: None };

/// One object whose schema has ATIF's name; also where it is torn.
fn recognizes(probe: &Probe<'_>) -> bool {
    /// All that comes before the steps is small.
    const HEAD_BYTES: usize = 64 << 10;
    const SCHEMA: &str = "ATIF-v";
    if let Some(whole) = &probe.whole {
        return text(whole, "schema_version").is_some_and(|schema| schema.starts_with(SCHEMA));
    }
    let source = probe.source.trim_ascii_start();
    if source.first() != Some(&b'{') {
        return false;
    }
    let head = String::from_utf8_lossy(&source[..source.len().min(HEAD_BYTES)]);
    let schema = members(&head).into_iter().find(|(key, _)| *key == "schema_version");
    let schema =
        schema.and_then(|(_, span)| serde_json::from_str(&head[span.start..span.end]).ok());
    schema.is_some_and(|schema: Json<'_>| schema.as_str().is_some_and(|s| s.starts_with(SCHEMA)))
}

/// Reads a trajectory with those that belong to it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut beside = TrajectoryFiles::of(options);
    let (translation, wanted) = translate_file(&source, &mut beside);
    let session = translation.finish(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(with_children(session, wanted, beside))
}

/// The trajectory that a file is.
fn translate_file(source: &[u8], beside: &mut TrajectoryFiles) -> (Translation, Wanted) {
    let Document { text, damage } = Document::new(source);
    let start = text.len() - text.trim_start().len();
    let line = text[..start].matches('\n').count() + 1;
    let whole = Span { start, end: text.len(), line: u32::try_from(line).unwrap_or(u32::MAX) };
    TrajectoryReader::new(damage).read(&text, whole, beside)
}

/// A trajectory that stands within another.
#[derive(Clone)]
struct Embedded {
    text: Arc<str>,
    span: Span,
    /// The lines of the file above `text`.
    lines_above: u32,
}
