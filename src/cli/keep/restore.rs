//! `leafpress keep --restore`: the files of a kept session, written back.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::KeepError;
use crate::cli::error::Error;
use crate::cli::printable::printable_path;
use crate::cli::{message, output};
use crate::file_name;
use crate::find::modified;
use crate::session::text::{counted, numbered};
use crate::temporary::Temporary;
use crate::vault::{KeptFile, KeptSession, Vault};

/// Writes a session and what belongs to it where it was, or into a directory. No file is replaced.
pub(super) fn restore(
    vault: &mut Vault,
    session: &KeptSession,
    folder: Option<&Path>,
) -> Result<(), Error> {
    let files = vault.files_of(session);
    let around = around(&files);
    let root = match (folder, &session.in_file) {
        (Some(folder), _) => folder,
        // Nothing is written into a database.
        (None, Some(_)) => Path::new("."),
        (None, None) => &around,
    };
    let mut missing = Vec::new();
    for kept in &files {
        let name = match kept.in_file() {
            Some(id) => PathBuf::from(file_name::of_id(id) + ".json"),
            None => match kept.original().strip_prefix(&around) {
                Ok(below) if below.is_relative() => below.to_owned(),
                // Files of several drives have no directory around them.
                _ => kept.original().file_name().unwrap_or_default().into(),
            },
        };
        let path = root.join(name);
        match is_there(kept, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push((kept, path)),
            Ok(false) => return Err(KeepError::Differs(path).into()),
            there => drop(there.map_err(|error| failed(kept, &path, error))?),
        }
    }
    for (kept, path) in &missing {
        write_new(kept, path).map_err(|error| failed(kept, path, error))?;
        output::path(path)?;
        if let Ok(about) = fs::metadata(path) {
            vault.saw(kept, path, modified(&about));
        }
    }
    let root = vault.root().to_owned();
    vault.write_list().map_err(|source| Error::Write { path: root, source })?;
    eprintln!("restored {}", counted(missing.len(), "file"));
    let there = files.len() - missing.len();
    if there > 0 {
        let what = numbered(
            there,
            "file is still there, the same as its copy",
            "files are still there, the same as their copies",
        );
        eprintln!("{what}");
    }
    if session.versions > 1 {
        let (version, name) = (session.versions, printable_path(&session.data));
        eprintln!("this is version {version} of it; the earlier ones lie beside `{name}`");
        eprintln!("every command takes the path of one in place of SESSION");
    }
    if session.is_cut {
        message::warning("images and long texts were left out when it was kept", None);
    }
    Ok(())
}

fn failed(kept: &KeptFile, path: &Path, source: io::Error) -> Error {
    if source.kind() == io::ErrorKind::InvalidData {
        let (original, copy) = (kept.original().to_owned(), kept.data().to_owned());
        return KeepError::Unreadable { original, copy }.into();
    }
    Error::Write { path: path.to_owned(), source }
}

/// The innermost directory that all of them were in.
fn around(files: &[KeptFile]) -> PathBuf {
    let mut folders = files.iter().filter_map(|kept| kept.original().parent());
    let first = folders.next().unwrap_or(Path::new(""));
    let around = folders.fold(first, |around, folder| {
        let is_around = |above: &&Path| folder.starts_with(above);
        around.ancestors().find(is_around).unwrap_or(Path::new(""))
    });
    around.to_owned()
}

/// Whether a file is what was kept; an error where there is none.
fn is_there(kept: &KeptFile, path: &Path) -> io::Result<bool> {
    if fs::metadata(path)?.len() != kept.bytes() {
        return Ok(false);
    }
    let mut copy = Vec::new();
    kept.reader()?.read_to_end(&mut copy)?;
    Ok(fs::read(path)? == copy)
}

/// A file that only its owner can read, whole or not at all.
fn write_new(kept: &KeptFile, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let file = Temporary::create(folder, 0o600)?;
    io::copy(&mut kept.reader()?, &mut file.as_file()?)?;
    file.put_new(path).map(drop)
}
