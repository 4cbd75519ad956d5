//! A session without what is not to be given away.
//!
//! The session that was read decides what stays; then a new one is built from new JSON texts, so
//! that nothing left out can be reached from it. A stub stands for whatever belonged together and is gone.
//!
//! What cannot be judged goes. With `only`, entries that are of no listed kind go whatever they
//! are. Without thinking, tool output or system prompts, the state of extensions, entries and
//! blocks of unknown types and fields of unknown names lose their content, for each of them may
//! hold a copy. Without pictures, these keep their texts but no picture that can be recognized by its
//! type, its address or its first bytes.

// Three steps: `select` says what becomes of each entry, `strip` takes parts out of those that stay, `write` makes the
// new session.

mod error;
mod fields;
mod order;
mod output;
mod pictures;
mod select;
mod selection;
mod strip;
mod stubs;
mod summaries;
mod system;
mod thinking;
mod titles;
mod write;

use crate::session::{EntryIndex, Kind, Session};
use crate::setters::setters;

pub use error::{CutEntry, CutError};
use selection::Selection;

/// What to leave out of a session; by default nothing.
///
/// ```
/// use leafpress::cut::{Cut, cut};
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let leaf = session.leaf();
/// let without = cut(session, &Cut::new().branch(leaf).without_thinking(true))?;
/// println!("{} entries and stubs are left", without.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
#[non_exhaustive]
pub struct Cut {
    /// The leaf of the path shown; by default the session's own.
    pub leaf: Option<EntryIndex>,
    /// Only the path to this entry.
    pub branch: Option<EntryIndex>,
    /// Only this entry and all below it.
    pub subtree: Option<EntryIndex>,
    /// Of the path shown only what begins here.
    pub from: Option<EntryIndex>,
    /// Of the path shown only what ends here.
    pub to: Option<EntryIndex>,
    /// No abandoned branches: only the path shown, in sub-sessions too.
    pub active_only: bool,
    /// No reasoning of a model's.
    pub without_thinking: bool,
    /// Nothing that tools and commands gave back.
    pub without_tool_output: bool,
    /// No pictures.
    pub without_images: bool,
    /// No system prompts, updates of one or lists of tools.
    pub without_system: bool,
    /// Only entries of these kinds.
    pub only: Option<Vec<Kind>>,
    /// Summaries of what is left out stay all the same, and so do titles.
    pub keep_summaries: bool,
}

impl Cut {
    /// The defaults.
    #[must_use]
    pub fn new() -> Cut {
        Cut::default()
    }

    setters! {
        leaf: EntryIndex => Some(leaf),
        branch: EntryIndex => Some(branch),
        subtree: EntryIndex => Some(subtree),
        from: EntryIndex => Some(from),
        to: EntryIndex => Some(to),
        active_only: bool => active_only,
        without_thinking: bool => without_thinking,
        without_tool_output: bool => without_tool_output,
        without_images: bool => without_images,
        without_system: bool => without_system,
        only: Vec<Kind> => Some(only),
        keep_summaries: bool => keep_summaries,
    }

    /// Whether it leaves out nothing.
    pub fn is_empty(&self) -> bool {
        !self.selects() && !self.strips()
    }

    /// Whether entries may go.
    fn selects(&self) -> bool {
        self.branch.is_some()
            || self.subtree.is_some()
            || self.from.is_some()
            || self.to.is_some()
            || self.active_only
            || self.only.is_some()
    }

    /// Whether parts of entries may go.
    fn strips(&self) -> bool {
        self.drops_unknown() || self.without_images
    }

    /// Whether what cannot be judged has to go.
    fn drops_unknown(&self) -> bool {
        self.without_thinking || self.without_tool_output || self.without_system
    }
}

/// The session without what `cut` leaves out; the same session where that is nothing.
///
/// Its [`Session::source`] is written anew: a header and one line an entry in the form of pi's
/// version 3, which opens as the same session again.
///
/// # Errors
/// [`CutError`], for entries that contradict each other or where nothing would stay.
///
/// ```
/// use leafpress::cut::{Cut, cut};
///
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let all = session.len();
/// let mut only = Cut::default();
/// only.branch = Some(session.leaf());
/// let path = cut(session, &only)?;
/// assert!(path.len() < all);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(session: Session, cut: &Cut) -> Result<Session, CutError> {
    if cut.is_empty() {
        return Ok(session);
    }
    let selection = Selection::new(&session, cut)?;
    let stubs = stubs::Stubs::new(&session, &selection);
    let mut texts = strip::texts(&session, cut, &selection);
    if !cut.keep_summaries {
        titles::drop_about(&session, &selection, &mut texts);
        summaries::drop_touched(&session, &selection, &mut texts);
    }
    let prices = session.prices();
    let cut = write::session(session, cut, &selection, &stubs, &texts)?;
    Ok(cut.priced_as(prices))
}
