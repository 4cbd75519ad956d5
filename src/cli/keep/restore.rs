//! `leafpress keep --restore`: the files of a kept session, written back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::error::Error;
use crate::cli::printable::printable;
use crate::cli::{message, output};
use crate::file_name;
use crate::session::text::counted;
use crate::temporary::Temporary;
use crate::vault::{KeptFile, KeptSession, Vault};

/// Writes a session and what belongs to it where it was, or into a directory. No file is replaced.
pub(super) fn restore(
    vault: &Vault,
    session: &KeptSession,
    folder: Option<&Path>,
) -> Result<(), Error> {
    let root = session.original.parent().unwrap_or(&session.original);
    let mut written = 0;
    for kept in vault.files_of(session) {
        let name = match kept.in_file() {
            Some(id) => PathBuf::from(file_name::of_id(id) + ".json"),
            None => kept.original().strip_prefix(root).unwrap_or(kept.original()).to_owned(),
        };
        let folder = match (folder, &session.in_file) {
            (Some(folder), _) => folder,
            // Nothing is written into a database.
            (None, Some(_)) => Path::new("."),
            (None, None) => root,
        };
        let path = folder.join(name);
        write_new(&kept, &path).map_err(|source| Error::Write { path: path.clone(), source })?;
        output::path(&path)?;
        written += 1;
    }
    eprintln!("restored {}", counted(written, "file"));
    if session.versions > 1 {
        let name = printable(&session.data.display().to_string());
        eprintln!(
            "this is version {} of it; the earlier ones lie beside `{name}`",
            session.versions
        );
        eprintln!("every command takes the path of one in place of SESSION");
    }
    if session.is_cut {
        message::warning("images and long texts were left out when it was kept", None);
    }
    Ok(())
}

/// A file that only its owner can read, whole or not at all.
fn write_new(kept: &KeptFile, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let file = Temporary::create(folder, 0o600)?;
    io::copy(&mut kept.reader()?, &mut file.as_file()?)?;
    file.put_new(path).map(drop)
}
