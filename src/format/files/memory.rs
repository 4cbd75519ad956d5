//! Files in memory, as a directory of them.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::{SessionFileError, SessionFiles};

/// Files in memory: those of an archive, or of a page that runs where there is no disk.
///
/// ```
/// use std::path::PathBuf;
/// use std::sync::Arc;
/// use leafpress::format::{MemoryFiles, ReadOptions, read_with};
///
/// // An omp session, and the file of a sub-agent in the directory that has its name.
/// let line = |id: &str| format!(
///     "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"title\":\"Tides\"}}\n\
///      {{\"type\":\"message\",\"id\":\"a\",\"message\":{{\"role\":\"user\",\"content\":\"hello\"}}}}\n",
/// );
/// let files = MemoryFiles::from_iter([
///     ("sessions/tides.jsonl", line("tides")),
///     ("sessions/tides/Scout.jsonl", line("scout")),
/// ]);
/// let options = ReadOptions::new().session(PathBuf::from("sessions/tides.jsonl")).files(Arc::new(files));
/// let session = read_with(line("tides").into_bytes(), None, &options)?;
/// assert_eq!(session.sub_sessions().len(), 1);
/// # Ok::<(), leafpress::ReadError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    folders: BTreeMap<PathBuf, BTreeMap<String, Node>>,
}

#[derive(Debug, Clone)]
enum Node {
    File(Vec<u8>),
    Folder,
}

impl MemoryFiles {
    /// Adds a file, in place of the one of the same path. A path that leads out (`../x`), or whose parts are
    /// not UTF-8, is no file's: nothing is added.
    pub fn insert(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        let Some(path) = plain(path.as_ref()) else { return };
        let mut node = Node::File(bytes.into());
        let mut below = path.as_path();
        while let Some((folder, name)) = below.parent().zip(below.file_name()) {
            let Some(name) = name.to_str() else { return };
            self.folders.entry(folder.to_owned()).or_default().insert(name.to_owned(), node);
            node = Node::Folder;
            below = folder;
        }
    }

    fn find(&self, folder: &Path, name: &str) -> Result<&Node, SessionFileError> {
        let folder = plain(folder).and_then(|folder| self.folders.get(&folder));
        folder.and_then(|folder| folder.get(name)).ok_or(SessionFileError::Missing)
    }

    fn file(&self, folder: &Path, name: &str) -> Result<&[u8], SessionFileError> {
        match self.find(folder, name)? {
            Node::File(bytes) => Ok(bytes),
            Node::Folder => Err(SessionFileError::Outside),
        }
    }
}

impl<P: AsRef<Path>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> MemoryFiles {
        let mut all = MemoryFiles::default();
        files.into_iter().for_each(|(path, bytes)| all.insert(path, bytes));
        all
    }
}

impl SessionFiles for MemoryFiles {
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError> {
        self.file(folder, name).map(|bytes| bytes.len() as u64)
    }

    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError> {
        let bytes = self.file(folder, name)?;
        let end = usize::try_from(limit).map_or(bytes.len(), |limit| limit.min(bytes.len()));
        Ok(bytes[..end].to_owned())
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        let folder = plain(folder).and_then(|folder| self.folders.get(&folder));
        folder.into_iter().flat_map(BTreeMap::keys).cloned().collect()
    }

    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError> {
        match self.find(folder, name)? {
            Node::Folder => Ok(folder.join(name)),
            Node::File(_) => Err(SessionFileError::Missing),
        }
    }

    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError> {
        plain(path).ok_or(SessionFileError::Outside)
    }
}

/// A path without `.`, and from the root of the files; `None` where it leads out.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir => {}
            Component::ParentDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_what_lies_in_it() {
        let files =
            MemoryFiles::from_iter([("a/b/x", "1"), ("./a/y", "22"), ("../z", "3"), ("/w", "4")]);
        assert_eq!(files.list(Path::new("a")), ["b", "y"]);
        assert_eq!(files.list(Path::new(".")), ["a", "w"]);
        assert_eq!(files.list(Path::new("a/../a")), [""; 0]);
        let folder = files.below(Path::new("/a"), "b").unwrap();
        assert_eq!(files.read(&folder, "x", 9), Ok(b"1".to_vec()));
        assert_eq!(files.read(Path::new("a"), "y", 1), Ok(b"2".to_vec()));
        assert_eq!(files.size(Path::new("a"), "y"), Ok(2));
        let missing = SessionFileError::Missing;
        assert_eq!(files.size(Path::new("a"), "z"), Err(missing.clone()));
        assert_eq!(files.below(Path::new("a"), "y"), Err(missing));
        assert_eq!(files.size(Path::new("a"), "b"), Err(SessionFileError::Outside));
    }
}
