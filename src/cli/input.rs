//! Reads the session that a command names.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::Error;
use crate::format::{self, Beside};
use crate::redact::{self, Rules};
use crate::session::damage::grouped;
use crate::session::{Dialect, EntryIndex, Session};
use crate::store::SessionStore;

use super::tree::printable;

/// What is read beside the session.
#[derive(Debug, Default, Args)]
pub(super) struct BesideArgs {
    /// Where the session's pictures are kept as blobs [default: in the agent's folder that holds the session]
    #[arg(long, value_name = "DIR")]
    pub(super) blobs: Option<PathBuf>,
    /// Show branches that were archived, too
    #[arg(long)]
    pub(super) archived: bool,
    /// Leave out the sessions of agents that this one started
    #[arg(long)]
    pub(super) no_subsessions: bool,
}

impl BesideArgs {
    fn beside(&self, session: &Path) -> Beside {
        Beside {
            session: (!is_stdio(session)).then(|| session.to_owned()),
            blobs: self.blobs.clone(),
            archived: self.archived,
            without_children: self.no_subsessions,
            rewrite: None,
        }
    }
}

/// Reads a session, as the dialect it looks like unless one is named, without what rules for secrets
/// find, and says on stderr what was wrong with it.
pub(super) fn read(
    path: &Path,
    dialect: Option<Dialect>,
    files: &BesideArgs,
    rules: Option<&Rules>,
) -> Result<(Session, Option<redact::Report>), Error> {
    let source = read_bytes(path)?;
    let beside = files.beside(path);
    let read = match rules {
        Some(rules) => redact::read(source, dialect, &beside, rules)
            .map(|(session, report)| (session, Some(report))),
        None => format::read_with(source, dialect, &beside).map(|session| (session, None)),
    };
    let (session, report) =
        read.map_err(|source| Error::InFile { path: path.to_owned(), source: Box::new(source) })?;
    for group in grouped(session.damage()) {
        warn(path, &group.to_string());
    }
    for sub in session.children() {
        for group in grouped(&sub.damage) {
            warn(path, &format!("in {}: {group}", sub.key));
        }
        if let Some(reason) = &sub.missing {
            warn(path, &format!("sub-session {}: {reason}", sub.key));
        }
    }
    Ok((session, report))
}

fn warn(path: &Path, what: &str) {
    eprintln!("warning: {}", printable(&format!("{}: {what}", path.display())));
}

/// All of a file, or of standard input.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    if is_stdio(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(Error::IsDirectory(path.to_owned()));
    }
    fs::read(path).map_err(failed)
}

/// Whether the path means standard input or output.
pub(super) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses standard input and output where a file is written to in place or by its name.
pub(super) fn no_stdin(path: &Path) -> Result<(), Error> {
    if is_stdio(path) { Err(Error::NeedsFile) } else { Ok(()) }
}

/// The id of the entry that a person names by its id or key.
pub(super) fn id_in(store: &SessionStore, id: &str) -> Result<String, Error> {
    let found = store.session().and_then(|session| Some(session.id(session.find(id)?).to_owned()));
    found.ok_or_else(|| Error::UnknownEntry { option: "ID", id: id.to_owned() })
}

/// The entry that an option names by id or key.
pub(super) fn entry(
    session: &Session,
    option: &'static str,
    id: Option<&str>,
) -> Result<Option<EntryIndex>, Error> {
    let find = |id: &str| {
        session.find(id).ok_or_else(|| Error::UnknownEntry { option, id: id.to_owned() })
    };
    id.map(find).transpose()
}
