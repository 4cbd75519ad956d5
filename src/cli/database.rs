//! A session of a database, named `FILE#ID` on the command line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::error::Error;
pub(super) use crate::format::database::is_database;
use crate::format::database::{Database, DatabaseError, DatabaseSession};
use crate::format::decode::Limit;
use crate::session::text::cut;
use crate::session::time;

use super::printable::printable;

/// So many sessions are listed where one is to be named.
const LISTED: usize = 20;

/// Of a title, in UTF-16 units.
const TITLE_UNITS: usize = 80;

/// The file and the id of a session in it. A file whose own name has a `#` is that file.
pub(super) fn parted(path: &Path) -> (PathBuf, Option<String>) {
    let whole = || (path.to_owned(), None);
    let Some((file, id)) = path.to_str().and_then(|path| path.rsplit_once('#')) else {
        return whole();
    };
    if id.is_empty() || path.exists() || !is_database(Path::new(file)) {
        return whole();
    }
    (PathBuf::from(file), Some(id.to_owned()))
}

/// The session of this id, or the only one.
pub(super) fn read(
    path: &Path,
    id: Option<&str>,
    limit: Limit,
    warn: impl Fn(&str),
) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::InDatabase { path: path.to_owned(), source };
    let database = Database::open(path).map_err(failed)?;
    if let Some(what) = database.unread() {
        warn(what);
    }
    if let Some(id) = id {
        return database.session(id, limit.bytes()).map_err(failed);
    }
    let sessions = database.sessions().map_err(failed)?;
    match sessions.as_slice() {
        [] => Err(failed(DatabaseError::Empty)),
        [only] => database.session(&only.id, limit.bytes()).map_err(failed),
        [newest, ..] => Err(Error::ManySessions {
            path: path.to_owned(),
            count: sessions.len(),
            list: list(&sessions),
            example: printable(&format!("{}#{}", path.display(), newest.id)),
        }),
    }
}

/// Id, time and title, a session a line.
fn list(sessions: &[DatabaseSession]) -> String {
    let mut list = String::new();
    let shown = sessions.iter().take(LISTED);
    let width = shown.clone().map(|session| session.id.chars().count()).max().unwrap_or(0);
    for session in shown {
        let time = session.time.map(time::plain).unwrap_or_default();
        let title = session.title.as_deref().unwrap_or("(no title)");
        let line = format!("{:width$}  {time:16}  {}", session.id, cut(title, TITLE_UNITS));
        let _ = writeln!(list, "  {}", printable(&line));
    }
    match sessions.len().saturating_sub(LISTED) {
        0 => {}
        more => {
            let _ = writeln!(list, "  and {more} more");
        }
    }
    list.truncate(list.trim_end().len());
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_database_has_sessions_by_id() {
        let path = Path::new("Cargo.toml#ses_1");
        assert_eq!(parted(path), (path.to_owned(), None));
    }
}
