//! The catalog as the commands open it.

use std::path::Path;

use crate::catalog::{Catalog, CatalogError, Update};
use crate::cli::error::Error;

use super::place;
use super::printable::printable_path;

/// Opens the catalog of a directory and looks for what has changed; once more with a new catalog where it is damaged.
pub(super) fn with_catalog<T>(
    folder: &Path,
    run: impl Fn(&mut Catalog, &mut Update) -> Result<T, Error>,
) -> Result<T, Error> {
    let run = || {
        let mut catalog = opened(folder)?;
        let update = Update::look(&mut catalog, &place::env());
        run(&mut catalog, &mut update.map_err(failed(folder))?)
    };
    match run() {
        // It can be made again.
        Err(Error::Catalog { source, .. }) if source.is_damage() => {
            forget_catalog(folder)?;
            run()
        }
        answered => answered,
    }
}

/// Opens the catalog of a directory, and says where it is when it is new.
fn opened(folder: &Path) -> Result<Catalog, Error> {
    let is_new = !folder.join(Catalog::NAME).exists();
    let catalog = Catalog::open(folder).map_err(failed(folder))?;
    if is_new {
        say_made(&catalog);
    }
    Ok(catalog)
}

/// The error of a catalog in a directory.
pub(super) fn failed(folder: &Path) -> impl Fn(CatalogError) -> Error {
    move |source| Error::Catalog { folder: folder.to_owned(), source }
}

fn say_made(catalog: &Catalog) {
    let path = printable_path(catalog.path());
    eprintln!("made the catalog `{path}`");
    eprintln!("it holds your prompts in the clear; `leafpress search --forget` deletes it");
}

/// Deletes the catalog of a directory; says whether there was one.
pub(super) fn forget_catalog(folder: &Path) -> Result<bool, Error> {
    Catalog::forget(folder).map_err(failed(folder))
}
