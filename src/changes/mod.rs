//! What a session's calls did to files, as data. Imports nothing but [`session`](crate::session).
//!
//! * [`edit`]: what one call asked to be changed, whatever the agent calls its tools.
//! * [`diff`]: which lines of two texts differ, and diffs as tools write them.
//! * [`Changes`]: files replayed in time order over all branches and sub-agents.
//!
//! A conversation is a tree, the disk is a line. So each file has one history, and a leaf only says how far it goes
//! and which edits are on its path:
//!
//! * [`FileChanges`] has the edits of a file ([`FileEdit`]), breaks where it is not as they lead to ([`Break`]), and the
//!   commands that may have written it. [`Known`] says how well each edit is known.
//! * [`Changes::at`] gives the files at a leaf ([`FileAt`]): which edits count, are on the path, or are undone, and
//!   what became of the file ([`Net`], with [`NetHunk`]s that name the edits that made them).
//! * [`Changes::turns`] gives the turns that changed something ([`TurnChanges`]), each with the file before and after
//!   it, which depend on no leaf.
//!
//! The way of the data: for each call, `edit` says what was asked and `facts` what its result says. `replay` puts them in
//! time order: `track` has the history of one file, `outcome` what an edit does to it, `text` how texts are replaced. What
//! shell commands may have written (`session::written`) is noted in the tracks too. That makes the `model`; `net` compares
//! a file before and after, and `follow` says which edits made each line; `at` says which edits count at a leaf and
//! `turns` which belong to a turn, `patch` prints both. A page needs more of it at once: `over_time` has the files at many
//! leaves, `edited` the lines of groups of edits, `versions` the texts as steps, and `where_edited` the lines that each
//! edit is about.
//!
//! Nothing is read from any disk: all texts are those that the session file has.

mod at;
pub mod diff;
pub mod edit;
mod edited;
mod facts;
mod follow;
mod lines;
mod model;
mod net;
mod nets;
mod over_time;
mod patch;
mod replay;
#[cfg(test)]
mod tests;
mod timeline;
mod turns;
mod versions;
mod where_edited;
mod words;

pub use at::FileAt;
pub(crate) use edited::{EditedFile, EditedLines};
pub use model::{Break, BreakKind, EditVerb, FileChanges, FileEdit, FileState, Unknown};
pub use net::{Net, NetHunk};
pub(crate) use patch::is_binary;
pub use patch::patch;
pub use turns::{TurnChanges, TurnFile};
pub(crate) use versions::VersionStep;
pub use words::{FileStatus, Known};

use crate::session::digest::Digest;
use crate::session::path::Folder;
use crate::session::{EntryIndex, Session};
use timeline::Timeline;

/// What a session did to files, with their texts.
///
/// [`report::changes`](crate::report::changes) gives the same at a leaf as `leafpress changes --json` prints it, with keys
/// for entries and without texts. [`patch()`] writes diffs.
///
/// ```
/// use leafpress::changes::Changes;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let changes = Changes::of(&session);
/// for file in changes.at(&session, session.leaf()) {
///     let about = if file.net.is_exact { "" } else { "about " };
///     println!("{} {about}+{} -{}", file.path, file.net.added, file.net.removed);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Changes {
    files: Vec<FileChanges>,
    timeline: Timeline,
    folder: Folder,
}

impl Changes {
    /// Reads the session once, in time linear in what its calls and results say.
    #[must_use]
    pub fn of(session: &Session) -> Changes {
        Changes::read(session, &Digest::read(session))
    }

    /// The same with a digest that somebody else needs too.
    pub(crate) fn read(session: &Session, digest: &Digest<'_>) -> Changes {
        let timeline = Timeline::read(session, digest);
        let folder = Folder::new(&session.header().cwd);
        let files = replay::replay(session, digest, &timeline, &folder);
        Changes { files, timeline, folder }
    }

    /// The prompt whose turn an entry is part of; a prompt is part of its own.
    #[must_use]
    pub fn prompt_of(&self, entry: EntryIndex) -> Option<EntryIndex> {
        self.timeline.has(entry).then(|| self.timeline.prompt(entry)).flatten()
    }

    /// Whether any call edited a file, or tried to.
    pub(crate) fn has_edits(&self) -> bool {
        self.files.iter().any(|file| !file.edits.is_empty())
    }

    /// The files, by first edit.
    #[must_use]
    pub fn files(&self) -> &[FileChanges] {
        &self.files
    }
}
