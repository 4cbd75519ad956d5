//! One version of a kept file, as it is read.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::KeptFiles;
use super::index::{Header, Index, Member, sha256};
use crate::format::ReadOptions;
use crate::format::database::Sessions;
use crate::format::decode::{Limit, SourceError};
use crate::format::source;

/// The endings of the two files of a version.
pub(super) const DATA: &str = "zst";
pub(super) const INDEX: &str = "index";

/// A version of a kept file.
#[derive(Debug)]
pub(crate) struct KeptFile {
    data: PathBuf,
    pub(super) header: Header,
    pub(super) index: Index,
}

/// What is wrong with a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Damage {
    /// A line of the index cannot be read, and what it named is lost.
    Index,
    /// A member cannot be unpacked to the bytes that were kept.
    Member {
        /// Which, from 1.
        nth: usize,
    },
    /// The original does not begin with these bytes. It was rewritten, and the next run keeps a new version.
    Differs,
    /// The original has more than was kept.
    HasMore,
}

impl KeptFile {
    /// The version whose compressed file this is; `None` for any other file.
    pub(crate) fn at(path: &Path) -> Option<KeptFile> {
        if path.extension().is_none_or(|ending| ending != DATA) {
            return None;
        }
        KeptFile::open(path).ok()
    }

    /// Whether nothing is kept yet: the run that began it was stopped.
    pub(crate) fn is_unfinished(data: &Path) -> bool {
        Index::read(&data.with_extension(INDEX))
            .is_ok_and(|index| index.end == 0 && !index.is_damaged)
    }

    pub(super) fn open(data: &Path) -> io::Result<KeptFile> {
        let mut index = Index::read(&data.with_extension(INDEX))?;
        let header = index.header.take().ok_or(io::ErrorKind::InvalidData)?;
        Ok(KeptFile { data: data.to_owned(), header, index })
    }

    /// Where the original is, or was.
    pub(crate) fn original(&self) -> &Path {
        &self.header.path
    }

    /// The compressed file.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Of how many members it consists.
    pub(crate) fn members(&self) -> usize {
        self.index.members.len()
    }

    /// Which session of a database it is.
    pub(crate) fn in_file(&self) -> Option<&str> {
        self.header.in_file.as_deref()
    }

    /// How many bytes it unpacks to.
    pub(crate) fn bytes(&self) -> u64 {
        self.index.bytes()
    }

    /// When the original was written, as far as it is kept, in milliseconds since 1970.
    pub(crate) fn modified(&self) -> i64 {
        self.index.members.last().map_or(0, |member| member.modified) / 1_000_000
    }

    /// The folder of its agent's copies.
    pub(crate) fn folder(&self) -> &Path {
        self.data.parent().unwrap_or(Path::new(""))
    }

    /// All copies of its agent's files.
    pub(crate) fn files_beside(&self) -> Arc<KeptFiles> {
        let root = self.folder().parent().unwrap_or(Path::new(""));
        Arc::new(KeptFiles::new(root.to_owned(), self.header.agent.clone()))
    }

    /// How its session is read: as if the kept files lay where the originals did.
    pub(crate) fn read_options(&self, files: Arc<KeptFiles>) -> ReadOptions {
        let copies = self.header.in_file.is_some().then(|| Arc::clone(&files) as Arc<dyn Sessions>);
        ReadOptions { copies, ..ReadOptions::new().session(self.original()).files(files) }
    }

    /// All of the session, as far as it is kept, unpacked.
    pub(crate) fn session(&self, limit: Limit) -> Result<Vec<u8>, SourceError> {
        source::read(self.reader()?, Some(self.bytes()), None, limit)
    }

    /// The bytes as they are kept.
    pub(crate) fn reader(&self) -> io::Result<KeptReader<'_>> {
        let file = File::open(&self.data)?;
        Ok(KeptReader { file, members: self.index.members.iter(), open: io::Cursor::default() })
    }

    /// Its first bytes and its last ones, each at least so many where there are so many, and whether that is all.
    pub(crate) fn ends(&self, bytes: u64) -> io::Result<(Vec<u8>, Vec<u8>, bool)> {
        let members = &self.index.members;
        let mut file = File::open(&self.data)?;
        let mut head = Vec::new();
        let mut next = 0;
        while next < members.len() && (head.len() as u64) < bytes {
            head.append(&mut unpack(&mut file, &members[next])?);
            next += 1;
        }
        let mut first = members.len();
        let mut tail = 0;
        while first > next && tail < bytes {
            first -= 1;
            tail += members[first].bytes;
        }
        let mut end = Vec::new();
        for member in &members[first..] {
            end.append(&mut unpack(&mut file, member)?);
        }
        Ok((head, end, first == next))
    }

    /// Compares the copy with its index, and with its original where that is there.
    pub(crate) fn verify(&self) -> io::Result<Vec<Damage>> {
        let mut file = File::open(&self.data)?;
        let mut original = self.header.in_file.is_none().then(|| File::open(self.original()).ok());
        let mut damage = Vec::from_iter(self.index.is_damaged.then_some(Damage::Index));
        for (nth, member) in (1..).zip(&self.index.members) {
            let kept = unpack(&mut file, member);
            let Some(kept) = kept.ok().filter(|kept| sha256(kept) == member.sha256) else {
                damage.push(Damage::Member { nth });
                continue;
            };
            if let Some(Some(original)) = &mut original
                && !member.is_cut
                && !holds(original, member, &kept)?
            {
                damage.push(Damage::Differs);
                original.rewind()?;
                break;
            }
        }
        let size =
            original.flatten().and_then(|file| file.metadata().ok()).map(|about| about.len());
        if size.is_some_and(|size| size > self.index.source()) {
            damage.push(Damage::HasMore);
        }
        Ok(damage)
    }
}

/// Whether an original has these bytes where a member has them from.
fn holds(original: &mut File, member: &Member, kept: &[u8]) -> io::Result<bool> {
    let mut own = Vec::new();
    original.seek(SeekFrom::Start(member.from))?;
    original.take(member.to - member.from).read_to_end(&mut own)?;
    Ok(own == kept)
}

fn unpack(file: &mut File, member: &Member) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(member.at))?;
    let mut packed = Vec::new();
    file.take(member.packed).read_to_end(&mut packed)?;
    // No more than the index says, and no memory for what is not there.
    let mut kept = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(packed.as_slice())?;
    match decoder.take(member.bytes + 1).read_to_end(&mut kept) {
        Ok(_) if kept.len() as u64 == member.bytes => Ok(kept),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Unpacks member after member.
pub(crate) struct KeptReader<'k> {
    file: File,
    members: std::slice::Iter<'k, Member>,
    open: io::Cursor<Vec<u8>>,
}

impl Read for KeptReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.open.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let Some(member) = self.members.next() else { return Ok(0) };
            self.open = io::Cursor::new(unpack(&mut self.file, member)?);
        }
    }
}
