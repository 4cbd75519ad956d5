//! How much of a file's values is kept for a reader: the fields that place an entry, or all of each.

use serde::de::Deserialize;

use crate::format::envelope::{Checked, Envelope};
use crate::session::json::Json;
use crate::workers::Threads;

/// What a scan makes of each value; `'static`, so that what takes the values can be `dyn`.
pub(in crate::format) trait Keeps: 'static {
    /// A value, valid JSON to its depths.
    type Parsed<'a>: Parsed<'a> + Send;

    /// How many threads parse.
    fn threads() -> Threads;
}

/// One value that was parsed.
pub(in crate::format) trait Parsed<'a>: Deserialize<'a> {
    /// Entries carry other fields beside their type than the parts of an entry do.
    fn is_entry(&self) -> bool;
}

/// For readers that look into few of the values.
pub(in crate::format) struct Envelopes;

impl Keeps for Envelopes {
    type Parsed<'a> = Checked<'a>;

    fn threads() -> Threads {
        Threads::available()
    }
}

impl<'a> Parsed<'a> for Checked<'a> {
    fn is_entry(&self) -> bool {
        self.0.as_ref().is_some_and(Envelope::is_entry)
    }
}

/// For readers that look into all of them: a check beforehand would parse each twice. One thread parses, since
/// the lists of a value that one thread allocates and another frees make both wait.
pub(in crate::format) struct WholeValues;

impl Keeps for WholeValues {
    type Parsed<'a> = Json<'a>;

    fn threads() -> Threads {
        Threads::ONE
    }
}

impl<'a> Parsed<'a> for Json<'a> {
    fn is_entry(&self) -> bool {
        let has = |key| self.get(key).is_some();
        let is_placed = ["parentId", "parent_id", "parentUuid"].into_iter().any(has)
            || matches!(self.get("timestamp"), Some(Json::String(_)));
        is_placed && has("type")
    }
}
