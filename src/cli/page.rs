//! The session file within a page, for every command that reads a session.

use std::path::Path;

use crate::cli::error::Error;
use crate::extract::{ExtractError, Page};
use crate::session::text::counted;

use super::printable::printable_path;
use super::{message, password};

/// The session file of a page, which asks for its password where it has one. The files of sub-agent sessions stay in it:
/// nothing in a page says where they lay.
pub(super) fn session_file(path: &Path, page: Vec<u8>) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Extract { path: path.to_owned(), source };
    let password = || {
        password::asked().map_err(|error| match error {
            Error::NoTerminal => Error::PageNeedsPassword(path.to_owned()),
            error => error,
        })
    };
    let page = opened(page, failed, password)?;
    let page = Page::find(&page).map_err(failed)?;
    let session = page.session_file().map_err(failed)?;
    let children = page.child_files().map_err(failed)?.len();
    if children > 0 {
        let what = counted(children, "sub-agent session");
        message::warning(
            &format!("{what} in `{}` not read", printable_path(path)),
            Some("`leafpress extract PAGE --all DIR` writes them into a directory"),
        );
    }
    Ok(session)
}

/// The bytes of a page, decrypted where that is needed.
pub(super) fn opened(
    page: Vec<u8>,
    failed: impl Fn(ExtractError) -> Error,
    password: impl FnOnce() -> Result<crate::seal::Password, Error>,
) -> Result<Vec<u8>, Error> {
    let found = Page::find(&page).map_err(&failed)?;
    if !found.is_sealed() {
        return Ok(page);
    }
    let password = password()?;
    found.open(&password).map_err(failed)
}
