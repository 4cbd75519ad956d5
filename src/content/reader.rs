//! What content is made from. Everything is read before, so that content borrows every text.

use super::Renderers;
use super::artifact::ArtifactPlaces;
use super::work::Work;
use crate::session::digest::Digest;
use crate::session::entry::Entry;
use crate::session::message::ToolCall;
use crate::session::{EntryIndex, Session};

/// Makes content of the entries of one session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'s> {
    pub(crate) session: &'s Session,
    pub(crate) digest: &'s Digest<'s>,
    pub(crate) artifacts: &'s ArtifactPlaces,
    pub(crate) work: &'s Work<'s>,
    pub(crate) renderers: &'s Renderers,
}

/// An entry that was read, with what its content takes from other entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) index: EntryIndex,
    pub(crate) entry: &'s Entry<'s>,
    /// The call that the entry is the result of.
    pub(crate) call: Option<&'s ToolCall<'s>>,
}
