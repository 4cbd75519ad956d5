//! Files beside a session: its children's, its blobs, its artifacts. Names come
//! out of the session and are not trusted: nothing outside the folders that
//! belong to it is ever opened.
//!
//! One rule for all of them: a session's folders are those in its own folder (and `blobs` beside
//! `sessions`), each a real folder in its parent. A file is read in the folder that it was looked for in.
//! Neither a link nor a name that begins with a dot is followed: keys, tokens and the settings of programs
//! have such names. Only a folder that the caller names may be a link or begin with a dot.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::session::image_type::image_type;

use super::compressed::plain_name;
use super::decode::decompressed;
use crate::progress::Progress;

/// What agents themselves name so: the folder that Gemini CLI was started in.
const DOTTED: [&str; 1] = [".project_root"];

/// One file that is larger is not read.
const MAX_FILE_BYTES: u64 = 512 << 20;

/// So many files beside a session are read as those of its children: as many as a page shows.
const MAX_FILES: usize = 20_000;

/// And so many of their bytes, which are held in memory together.
const MAX_BYTES: u64 = 1 << 30;

/// What may be read of many files beside a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// How many files.
    pub(super) files: usize,
    /// How many bytes of them together.
    pub(super) bytes: u64,
    /// How many bytes of one.
    pub(super) file_bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { files: MAX_FILES, bytes: MAX_BYTES, file_bytes: MAX_FILE_BYTES }
    }
}

impl Budget {
    /// As [`OwnFolder::read`], as long as there is something left.
    pub(super) fn read(
        &mut self,
        folder: &OwnFolder,
        name: &str,
    ) -> Result<Vec<u8>, SessionFileError> {
        let (file, size) = open(&folder.path, name, self.file_bytes)?;
        if self.files == 0 || size > self.bytes {
            return Err(SessionFileError::TooMany);
        }
        let bytes = read_all(file, size)?;
        self.files -= 1;
        self.bytes -= size;
        Ok(folder.rewritten(bytes))
    }

    /// The same of a session file, which may be compressed.
    pub(super) fn read_session(
        &mut self,
        folder: &OwnFolder,
        name: &str,
    ) -> Result<Vec<u8>, SessionFileError> {
        let bytes = self.read(&folder.as_on_disk(), name)?;
        let packed = bytes.len() as u64;
        let bytes = decompressed(bytes);
        let bytes = bytes.map_err(|error| SessionFileError::Unreadable(error.to_string()))?;
        let more = (bytes.len() as u64).saturating_sub(packed);
        self.bytes = self.bytes.checked_sub(more).ok_or(SessionFileError::TooMany)?;
        Ok(folder.rewritten(bytes))
    }

    /// The same of a file that a session names as an image. What is none is not redacted either: it
    /// would count as replaced.
    pub(super) fn read_image(
        &mut self,
        folder: &OwnFolder,
        name: &str,
    ) -> Result<Vec<u8>, SessionFileError> {
        let bytes = as_image(self.read(&folder.as_on_disk(), name)?)?;
        Ok(folder.rewritten(bytes))
    }
}

/// Where a session's other files may lie.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The session file itself; `None` for standard input, which has nothing beside it.
    pub session: Option<PathBuf>,
    /// Where blobs are kept, when the caller says so.
    pub blobs: Option<PathBuf>,
    /// Whether entries that were put away are read too.
    pub archived: bool,
    /// Leave out the sessions that entries started.
    pub without_children: bool,
    /// Changes every file before it is read any further; by default none.
    pub rewrite: Option<Arc<dyn Rewrite>>,
    /// Is told how far the reading is; by default nobody is.
    pub progress: Option<Progress>,
}

/// Changes files before anything of them is read any further, the session's own and those beside it.
pub trait Rewrite: fmt::Debug + Send + Sync {
    /// A whole file, unpacked. Lines that go should stay blank, so that the others keep their numbers.
    fn file(&self, bytes: Vec<u8>) -> Vec<u8>;

    /// A text that is in none of these files: a name, a title or a folder, out of a file's name or a database.
    fn name(&self, name: String) -> String;
}

/// A folder that belongs to a session.
#[derive(Debug, Clone)]
pub(super) struct OwnFolder {
    path: PathBuf,
    rewrite: Option<Arc<dyn Rewrite>>,
}

/// Why a file beside a session was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionFileError {
    /// There is no such file, or the session came without a place.
    #[error("not found")]
    Missing,
    /// The name leads out of the session's folders.
    #[error("refused: the file is outside the session's directory")]
    Outside,
    /// A link stands where the file or a folder of the session should be.
    #[error("refused: a symbolic link is not followed")]
    Link,
    /// The file, or a folder that it lies in, has a name that begins with a dot.
    #[error("refused: a name that begins with a dot")]
    Hidden,
    /// An image by its name or place, and not by what it holds.
    #[error("not an image")]
    NotImage,
    /// Too large to be read.
    #[error("refused: the file is larger than {}", size(*.0))]
    TooLarge(u64),
    /// The files read before it are all that is read.
    #[error("not read: the files beside the session are too many or too large")]
    TooMany,
    /// The system's reason.
    #[error("{0}")]
    Unreadable(String),
}

impl ReadOptions {
    /// The folder that carries the session's name: `X/` beside `X.jsonl`.
    pub(super) fn own_folder(&self) -> Result<OwnFolder, SessionFileError> {
        let name = || {
            let name = self.session.as_deref()?.file_name()?.to_str()?;
            plain_name(name).strip_suffix(".jsonl")
        };
        let (folder, name) = self.folder().zip(name()).ok_or(SessionFileError::Missing)?;
        folder.sub_folder(name)
    }

    /// Where blobs are kept: where the caller says, else beside the folder `sessions`
    /// that the session lies in.
    pub(super) fn blobs_folder(&self) -> Result<OwnFolder, SessionFileError> {
        if let Some(folder) = &self.blobs {
            return Ok(self.at(folder.clone()));
        }
        let session = self.session.as_deref().ok_or(SessionFileError::Missing)?;
        let session = session.canonicalize().map_err(unreadable)?;
        let sessions = session.ancestors().find(|folder| folder.ends_with("sessions"));
        let agents = sessions.and_then(Path::parent).ok_or(SessionFileError::Missing)?;
        self.at(agents.to_owned()).sub_folder("blobs")
    }

    /// The folder that the session lies in.
    pub(super) fn folder(&self) -> Option<OwnFolder> {
        let folder = self.session.as_deref()?.parent()?;
        let is_here = folder.as_os_str().is_empty();
        Some(self.at(if is_here { PathBuf::from(".") } else { folder.to_owned() }))
    }

    /// The folder around the one that the session lies in, where that is called `name`.
    pub(super) fn folder_around(&self, name: &str) -> Option<OwnFolder> {
        let session = self.session.as_deref()?.canonicalize().ok()?;
        let folder = session.parent().filter(|folder| folder.ends_with(name))?;
        Some(self.at(folder.parent()?.to_owned()))
    }

    /// The same for another session.
    pub(super) fn of(&self, session: PathBuf) -> ReadOptions {
        let blobs = self.blobs_folder().map(|folder| folder.path);
        ReadOptions { session: Some(session), blobs: blobs.ok(), ..self.clone() }
    }

    /// A file as it is to be read.
    pub(super) fn rewritten(&self, bytes: Vec<u8>) -> Vec<u8> {
        rewritten(self.rewrite.as_deref(), bytes)
    }

    /// A text that no file holds.
    pub(super) fn renamed(&self, name: String) -> String {
        match &self.rewrite {
            Some(rewrite) => rewrite.name(name),
            None => name,
        }
    }

    fn at(&self, path: PathBuf) -> OwnFolder {
        OwnFolder { path, rewrite: self.rewrite.clone() }
    }
}

impl OwnFolder {
    /// Where something in it lies.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The same, its files read unchanged: to look for something in them.
    pub(super) fn as_on_disk(&self) -> OwnFolder {
        OwnFolder { rewrite: None, ..self.clone() }
    }

    /// Reads the file `name`, where that is one plain file name and the file lies in the folder.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, SessionFileError> {
        let (file, size) = open(&self.path, name, MAX_FILE_BYTES)?;
        Ok(self.rewritten(read_all(file, size)?))
    }

    /// The first bytes of the file `name`, under the same rules, as they stand on the disk.
    pub(super) fn begin(&self, name: &str, bytes: u64) -> Result<Vec<u8>, SessionFileError> {
        let (file, _) = open(&self.path, name, MAX_FILE_BYTES)?;
        read_all(file, bytes)
    }

    /// The folder `name` within, where that is one plain name and a folder of its own. A link to one
    /// is refused wherever it leads: what lies there belongs to somebody else.
    pub(super) fn sub_folder(&self, name: &str) -> Result<OwnFolder, SessionFileError> {
        check(name)?;
        let path = self.path.join(name);
        let about = fs::symlink_metadata(&path).map_err(unreadable)?;
        if about.is_symlink() {
            return Err(SessionFileError::Link);
        }
        let is_within = path.canonicalize().map_err(unreadable)?.parent()
            == Some(self.path.canonicalize().map_err(unreadable)?.as_path());
        match (about.is_dir(), is_within) {
            (false, _) => Err(SessionFileError::Missing),
            (true, false) => Err(SessionFileError::Outside),
            (true, true) => Ok(OwnFolder { path, rewrite: self.rewrite.clone() }),
        }
    }

    /// The folders within, by name.
    pub(super) fn folders(&self) -> Vec<OwnFolder> {
        self.list("").iter().filter_map(|name| self.sub_folder(name).ok()).collect()
    }

    /// The plain file names within that end so and begin with no dot, sorted; none where there is no folder.
    pub(super) fn list(&self, ending: &str) -> Vec<String> {
        let files = fs::read_dir(&self.path).into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> = files
            .filter_map(|file| file.file_name().into_string().ok())
            .filter(|name| name.ends_with(ending) && !is_hidden(name))
            .collect();
        names.sort();
        names
    }

    fn rewritten(&self, bytes: Vec<u8>) -> Vec<u8> {
        rewritten(self.rewrite.as_deref(), bytes)
    }
}

fn rewritten(rewrite: Option<&dyn Rewrite>, bytes: Vec<u8>) -> Vec<u8> {
    match rewrite {
        Some(rewrite) => rewrite.file(bytes),
        None => bytes,
    }
}

/// Whether it is the name of something in a folder and no way out of it.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\', '\0', ':'])
        && Path::new(name).components().count() == 1
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !DOTTED.contains(&name)
}

fn check(name: &str) -> Result<(), SessionFileError> {
    match is_plain(name) {
        false => Err(SessionFileError::Outside),
        true if is_hidden(name) => Err(SessionFileError::Hidden),
        true => Ok(()),
    }
}

/// The bytes of a file that a session names as an image, where they are one.
pub(super) fn as_image(bytes: Vec<u8>) -> Result<Vec<u8>, SessionFileError> {
    image_type(&bytes).ok_or(SessionFileError::NotImage)?;
    Ok(bytes)
}

/// At most so many bytes: a file may grow while it is read.
fn read_all(file: fs::File, most: u64) -> Result<Vec<u8>, SessionFileError> {
    let mut bytes = Vec::new();
    file.take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| SessionFileError::Unreadable(error.to_string()))?;
    Ok(bytes)
}

#[expect(clippy::needless_pass_by_value, reason = "what errors are mapped with")]
fn unreadable(error: io::Error) -> SessionFileError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SessionFileError::Missing,
        _ => SessionFileError::Unreadable(error.to_string()),
    }
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

/// The file and its size.
fn open(folder: &Path, name: &str, most: u64) -> Result<(fs::File, u64), SessionFileError> {
    check(name)?;
    let root = folder.canonicalize().map_err(unreadable)?;
    let path = folder.join(name);
    // Asked before it is opened: opening a pipe would wait for a writer.
    let about = fs::symlink_metadata(&path).map_err(unreadable)?;
    if about.is_symlink() {
        return Err(SessionFileError::Link);
    }
    // What it is really called: file systems have other spellings of a name, such as `ENV~1`.
    let path = path.canonicalize().map_err(unreadable)?;
    if path.parent() != Some(&root) {
        return Err(SessionFileError::Outside);
    }
    check(path.file_name().and_then(OsStr::to_str).unwrap_or_default())?;
    match about.is_file() {
        false => Err(SessionFileError::Outside),
        true if about.len() > most => Err(SessionFileError::TooLarge(most)),
        true => Ok((fs::File::open(&path).map_err(unreadable)?, about.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, OwnFolder) {
        let kept = tempfile::tempdir().unwrap();
        let folder = OwnFolder { path: kept.path().to_owned(), rewrite: None };
        (kept, folder)
    }

    #[test]
    fn a_budget_ends_and_says_so() {
        let (kept, folder) = folder();
        for (name, text) in [("a", "12345"), ("b", "1234"), ("c", "12"), ("d", "1"), ("e", "")] {
            fs::write(kept.path().join(name), text).unwrap();
        }
        let mut budget = Budget { files: 2, bytes: 5, file_bytes: 4 };
        let mut read = |name| budget.read(&folder, name).map_err(|error| error.to_string());
        let too_many =
            Err("not read: the files beside the session are too many or too large".into());
        assert_eq!(read("a"), Err("refused: the file is larger than 4 bytes".into()));
        assert_eq!(read("b"), Ok(b"1234".to_vec()));
        assert_eq!(read("c"), too_many, "one byte is left");
        assert_eq!(read("d"), Ok(b"1".to_vec()));
        assert_eq!(read("e"), too_many, "no file is left");
        assert_eq!(read("f"), Err("not found".into()), "the better reason");
        assert_eq!(
            SessionFileError::TooLarge(MAX_FILE_BYTES).to_string(),
            "refused: the file is larger than 512 MB"
        );
    }

    #[test]
    fn names_that_begin_with_a_dot_are_neither_read_nor_listed() {
        let (kept, folder) = folder();
        for name in [".env", ".ssh"] {
            fs::create_dir(kept.path().join(name)).unwrap();
            fs::write(kept.path().join(name).join("x"), "1").unwrap();
        }
        for name in [".a", "a", ".project_root"] {
            fs::write(kept.path().join(name), "1").unwrap();
        }
        let hidden = Err(SessionFileError::Hidden);
        assert_eq!(folder.read(".a"), hidden);
        assert_eq!(folder.begin(".a", 1), hidden);
        assert_eq!(Budget::default().read(&folder, ".a"), hidden);
        assert_eq!(folder.sub_folder(".ssh").unwrap_err(), SessionFileError::Hidden);
        assert_eq!(folder.read(".project_root"), Ok(b"1".to_vec()), "the agent's own name");
        assert_eq!(folder.list(""), [".project_root", "a"]);
        assert!(folder.folders().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (kept, folder) = folder();
        fs::create_dir(kept.path().join("own")).unwrap();
        fs::write(kept.path().join("a"), "1").unwrap();
        for (target, link) in [("a", "b"), ("own", "other"), ("gone", "c"), ("d", "d")] {
            std::os::unix::fs::symlink(target, kept.path().join(link)).unwrap();
        }
        for link in ["b", "c", "d"] {
            assert_eq!(folder.read(link), Err(SessionFileError::Link), "{link}");
        }
        assert_eq!(folder.sub_folder("other").unwrap_err(), SessionFileError::Link);
        assert!(folder.sub_folder("own").is_ok());
    }

    #[test]
    fn a_file_too_large_is_refused_unread() {
        let (kept, folder) = folder();
        let file = fs::File::create(kept.path().join("a")).unwrap();
        // Without blocks on the disk.
        file.set_len(MAX_FILE_BYTES + 1).unwrap();
        assert_eq!(folder.read("a"), Err(SessionFileError::TooLarge(MAX_FILE_BYTES)));
    }
}
