//! What the session and each session within it hold alike: their file, and what is known by its ids.

use std::collections::HashMap;

use super::index::EntryIndex;
use crate::session::model::attachments::Attachments;
use crate::session::model::damage::Damage;

/// The file of a session, or of a session within it.
#[derive(Debug, Default)]
pub(super) struct SessionFile {
    /// Its bytes as they were read. Empty where its entries come from the lines of another session's
    /// file: all of them are repaired lines then ([`Place::Repaired`](Place)).
    pub(super) source: Vec<u8>,
    /// The files beside it that its entries name.
    pub(super) attachments: Attachments,
    /// Lines of it that are not to be shown, ascending.
    pub(super) left_out: Vec<u32>,
    /// What was wrong with it, by line.
    /// So many of its lines, behind the first, are of another file that it goes on from.
    pub(super) history: u32,
    pub(super) damage: Vec<Damage>,
    /// Places among its own entries by id, aliases included.
    pub(super) by_id: HashMap<String, EntryIndex>,
    /// Further ids of its entries, each with the place among its own, counted from 0: for those of a
    /// sub-agent session that is no index into the whole.
    pub(super) aliases: Vec<(String, EntryIndex)>,
}

impl SessionFile {
    /// The place of the entry with this id among its own.
    pub(super) fn place_of(&self, id: &str) -> Option<EntryIndex> {
        self.by_id.get(id).copied()
    }
}

/// Where the JSON of an entry lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the file, at these bytes, which are UTF-8.
    Source {
        /// The first byte.
        start: usize,
        /// How many bytes.
        len: usize,
    },
    /// Among the repaired lines, at this index.
    Repaired(usize),
}

impl Place {
    /// How many bytes the text has, which costs less than to read it.
    pub(crate) fn len(&self, repaired: &[String]) -> usize {
        match *self {
            Place::Source { len, .. } => len,
            Place::Repaired(at) => repaired[at].len(),
        }
    }

    /// The text there.
    pub(crate) fn text<'t>(&self, source: &'t [u8], repaired: &'t [String]) -> &'t str {
        match *self {
            // Lines that are no UTF-8 are always repaired.
            Place::Source { start, len } => {
                std::str::from_utf8(&source[start..start + len]).unwrap_or_default()
            }
            Place::Repaired(at) => &repaired[at],
        }
    }
}
