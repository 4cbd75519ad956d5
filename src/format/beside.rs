//! Files beside a session: its children's, its blobs, its artifacts. Names come
//! out of the session and are not trusted: nothing outside the folders that
//! belong to it is ever opened.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// One file that is larger is not read.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// Where a session's other files may lie.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// The session file itself; `None` for standard input, which has nothing beside it.
    pub session: Option<PathBuf>,
    /// Where blobs are kept, when the caller says so.
    pub blobs: Option<PathBuf>,
    /// Whether entries that were put away are read too.
    pub archived: bool,
    /// Leave out the sessions that entries started.
    pub without_children: bool,
}

/// Why a file beside a session was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BesideError {
    /// There is no such file, or the session came without a place.
    #[error("not found")]
    Missing,
    /// The name leads out of the session's folders.
    #[error("refused: it lies outside the session's folder")]
    Outside,
    /// Too large to be read.
    #[error("refused: it is larger than {} MB", MAX_FILE_BYTES >> 20)]
    TooLarge,
    /// The system's reason.
    #[error("{0}")]
    Unreadable(String),
}

impl Beside {
    /// The folder that carries the session's name: `X/` beside `X.jsonl`.
    pub fn own_folder(&self) -> Option<PathBuf> {
        let session = self.session.as_deref()?;
        let stem = session.file_name()?.to_str()?;
        let stem = stem.strip_suffix(".gz").unwrap_or(stem);
        Some(session.with_file_name(stem.strip_suffix(".jsonl")?))
    }

    /// Where blobs are kept: where the caller says, else beside the folder `sessions`
    /// that the session lies in.
    pub fn blobs_folder(&self) -> Option<PathBuf> {
        if let Some(folder) = &self.blobs {
            return Some(folder.clone());
        }
        let session = self.session.as_deref()?.canonicalize().ok()?;
        let sessions = session.ancestors().find(|folder| folder.ends_with("sessions"))?;
        Some(sessions.with_file_name("blobs"))
    }

    /// The folder that the session lies in.
    pub fn folder(&self) -> Option<PathBuf> {
        let folder = self.session.as_deref()?.parent()?;
        Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
    }

    /// Reads `folder/name`, where `name` is one plain file name and the file, links followed, still
    /// lies in the folder.
    pub fn read(folder: &Path, name: &str) -> Result<Vec<u8>, BesideError> {
        let mut bytes = Vec::new();
        open(folder, name)?
            .take(MAX_FILE_BYTES)
            .read_to_end(&mut bytes)
            .map_err(|error| BesideError::Unreadable(error.to_string()))?;
        Ok(bytes)
    }

    /// The first bytes of `folder/name`, under the same rules.
    pub fn begin(folder: &Path, name: &str, bytes: u64) -> Result<Vec<u8>, BesideError> {
        let mut beginning = Vec::new();
        open(folder, name)?
            .take(bytes)
            .read_to_end(&mut beginning)
            .map_err(|error| BesideError::Unreadable(error.to_string()))?;
        Ok(beginning)
    }

    /// The folder `folder/name`, where `name` is one plain name and the folder, links followed,
    /// still lies in the other.
    pub fn sub_folder(folder: &Path, name: &str) -> Option<PathBuf> {
        is_plain(name).then_some(())?;
        let path = folder.join(name).canonicalize().ok()?;
        let within = path.parent() == Some(folder.canonicalize().ok()?.as_path());
        (within && path.is_dir()).then_some(path)
    }

    /// The folders within a folder, by name.
    pub fn folders(folder: &Path) -> Vec<PathBuf> {
        Beside::list(folder, "")
            .iter()
            .filter_map(|name| Beside::sub_folder(folder, name))
            .collect()
    }

    /// The plain file names in a folder that end so, sorted; none where there is no folder.
    pub fn list(folder: &Path, ending: &str) -> Vec<String> {
        let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> = files
            .filter_map(|file| file.file_name().into_string().ok())
            .filter(|name| name.ends_with(ending))
            .collect();
        names.sort();
        names
    }
}

/// Whether it is the name of something in a folder and no way out of it.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\', '\0', ':'])
        && Path::new(name).components().count() == 1
}

fn open(folder: &Path, name: &str) -> Result<fs::File, BesideError> {
    if !is_plain(name) {
        return Err(BesideError::Outside);
    }
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => BesideError::Missing,
        _ => BesideError::Unreadable(error.to_string()),
    };
    let root = folder.canonicalize().map_err(unreadable)?;
    let path = folder.join(name).canonicalize().map_err(unreadable)?;
    if path.parent() != Some(&root) {
        return Err(BesideError::Outside);
    }
    // Asked before it is opened: opening a pipe would wait for a writer.
    let about = fs::metadata(&path).map_err(unreadable)?;
    match about.is_file() {
        false => Err(BesideError::Outside),
        true if about.len() > MAX_FILE_BYTES => Err(BesideError::TooLarge),
        true => fs::File::open(&path).map_err(unreadable),
    }
}
