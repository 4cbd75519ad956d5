//! What a session's calls did to files, as data. Imports nothing but [`session`](crate::session).
//!
//! * [`edit`]: what one call asked to be changed, whatever the agent calls its tools.
//! * [`diff`]: which lines of two texts differ, and diffs as tools write them.

mod commands;
mod count;
pub mod diff;
pub mod edit;
mod facts;
mod model;
mod path;
mod replay;
mod timeline;
mod touched;

pub(crate) use count::{count_asked, count_written};
pub use model::{Break, EditVerb, FileChanges, FileEdit, FileState, Known, Unknown};
pub(crate) use touched::Touched;

use crate::session::Session;
use crate::session::digest::Digest;
use path::Folder;
use timeline::Timeline;

/// What a session did to files.
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

    /// The files, by first edit.
    #[must_use]
    pub fn files(&self) -> &[FileChanges] {
        &self.files
    }
}
