//! A folder that belongs to a session, and how much is read of such folders. Names come
//! out of the session and are not trusted: nothing outside the folders that
//! belong to it is ever opened.
//!
//! One rule for all of them: a session's folders are those in its own folder (and `blobs` beside
//! `sessions`), each a real folder in its parent. A file is read in the folder that it was looked for in.
//! Neither a link nor a name that begins with a dot is followed: keys, tokens and the settings of programs
//! have such names. Only a folder that the caller names may be a link or begin with a dot.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::session::image_type::image_type;

use super::decode::decompressed;
use super::files::{SessionFileError, SessionFiles, check, is_hidden};

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
        let size = folder.size(name, self.file_bytes)?;
        if self.files == 0 || size > self.bytes {
            return Err(SessionFileError::TooMany);
        }
        let bytes = folder.begin(name, size)?;
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

/// A folder that belongs to a session.
#[derive(Debug, Clone)]
pub(super) struct OwnFolder {
    files: Arc<dyn SessionFiles>,
    path: PathBuf,
    rewrite: Option<Arc<dyn Rewrite>>,
}

/// Changes files before anything of them is read any further, the session's own and those beside it.
pub trait Rewrite: fmt::Debug + Send + Sync {
    /// A whole file, unpacked. Lines that go should stay blank, so that the others keep their numbers.
    fn file(&self, bytes: Vec<u8>) -> Vec<u8>;

    /// A text that is in none of these files: a name, a title or a folder, out of a file's name or a database.
    fn name(&self, name: String) -> String;
}

impl OwnFolder {
    pub(super) fn new(
        files: Arc<dyn SessionFiles>,
        path: PathBuf,
        rewrite: Option<Arc<dyn Rewrite>>,
    ) -> OwnFolder {
        OwnFolder { files, path, rewrite }
    }

    pub(super) fn into_path(self) -> PathBuf {
        self.path
    }

    /// Where something in it lies.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The one path of something in it, under whatever name.
    pub(super) fn place(&self, name: &str) -> Result<PathBuf, SessionFileError> {
        check(name)?;
        self.files.canonical(&self.path.join(name))
    }

    /// What it is called.
    pub(super) fn name(&self) -> Option<String> {
        self.files.canonical(&self.path).ok()?.file_name()?.to_str().map(str::to_owned)
    }

    /// The same, its files read unchanged: to look for something in them.
    pub(super) fn as_on_disk(&self) -> OwnFolder {
        OwnFolder { rewrite: None, ..self.clone() }
    }

    /// Reads the file `name`, where that is one plain file name and the file lies in the folder.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, SessionFileError> {
        let size = self.size(name, MAX_FILE_BYTES)?;
        Ok(self.rewritten(self.begin(name, size)?))
    }

    /// The first bytes of the file `name`, under the same rules, as they stand on the disk.
    pub(super) fn begin(&self, name: &str, bytes: u64) -> Result<Vec<u8>, SessionFileError> {
        check(name)?;
        self.files.read(&self.path, name, bytes)
    }

    /// The folder `name` within, where that is one plain name and a folder of its own. A link to one
    /// is refused wherever it leads: what lies there belongs to somebody else.
    pub(super) fn sub_folder(&self, name: &str) -> Result<OwnFolder, SessionFileError> {
        check(name)?;
        let path = self.files.below(&self.path, name)?;
        Ok(OwnFolder { path, ..self.clone() })
    }

    /// The folders within, by name.
    pub(super) fn folders(&self) -> Vec<OwnFolder> {
        self.list("").iter().filter_map(|name| self.sub_folder(name).ok()).collect()
    }

    /// The plain file names within that end so and begin with no dot, sorted; none where there is no folder.
    pub(super) fn list(&self, ending: &str) -> Vec<String> {
        let mut names = self.files.list(&self.path);
        names.retain(|name| name.ends_with(ending) && !is_hidden(name));
        names.sort();
        names
    }

    /// The size of a file that has at most so many bytes.
    fn size(&self, name: &str, most: u64) -> Result<u64, SessionFileError> {
        check(name)?;
        let size = self.files.size(&self.path, name)?;
        if size > most { Err(SessionFileError::TooLarge(most)) } else { Ok(size) }
    }

    fn rewritten(&self, bytes: Vec<u8>) -> Vec<u8> {
        rewritten(self.rewrite.as_deref(), bytes)
    }
}

pub(super) fn rewritten(rewrite: Option<&dyn Rewrite>, bytes: Vec<u8>) -> Vec<u8> {
    match rewrite {
        Some(rewrite) => rewrite.file(bytes),
        None => bytes,
    }
}

/// The bytes of a file that a session names as an image, where they are one.
pub(super) fn as_image(bytes: Vec<u8>) -> Result<Vec<u8>, SessionFileError> {
    image_type(&bytes).ok_or(SessionFileError::NotImage)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::format::files::Disk;

    fn folder() -> (tempfile::TempDir, OwnFolder) {
        let kept = tempfile::tempdir().unwrap();
        let folder = OwnFolder::new(Arc::new(Disk), kept.path().to_owned(), None);
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
