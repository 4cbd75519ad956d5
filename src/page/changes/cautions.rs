//! What else may have happened to files in a turn, beside its edits.

use std::collections::HashMap;

use serde::Serialize;

use super::{Number, number};
use crate::changes::{BreakKind, Changes};
use crate::session::{EntryIndex, Session};

/// Pairs of an entry and a file, by entry.
#[derive(Default, Serialize)]
pub(super) struct Cautions {
    /// Files that somebody else changed, and the entries that show it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breaks: Vec<(Number, usize)>,
    /// Edits that do not fit those before them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    misfits: Vec<(Number, usize)>,
    /// Commands that may have written files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maybe: Vec<(Number, usize)>,
}

/// Those of all turns, by prompt.
pub(super) fn cautions(
    session: &Session,
    changes: &Changes,
) -> HashMap<Option<EntryIndex>, Cautions> {
    let mut found: HashMap<Option<EntryIndex>, Cautions> = HashMap::new();
    let place = |entry| number(session.tree().position_at(entry));
    for (nth, file) in changes.files().iter().enumerate() {
        for one in &file.breaks {
            let of_turn = found.entry(changes.prompt_of(one.entry)).or_default();
            let list = match one.kind {
                BreakKind::Outside => &mut of_turn.breaks,
                BreakKind::Misfit => &mut of_turn.misfits,
            };
            list.push((place(one.entry), nth));
        }
        for &entry in &file.maybe {
            let of_turn = found.entry(changes.prompt_of(entry)).or_default();
            of_turn.maybe.push((place(entry), nth));
        }
    }
    for Cautions { breaks, misfits, maybe } in found.values_mut() {
        for list in [breaks, misfits, maybe] {
            list.sort_unstable();
        }
    }
    found
}
