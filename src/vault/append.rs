//! Adds to the copy of a file what is new in it.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::IgnoredAny;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::index::{HEAD_BYTES, Header, Index, Member, TAIL_BYTES, sha256};
use super::slim::slim;
use crate::faults::Faults;

/// So much of the original makes a member, and more where a line is longer.
const MEMBER_BYTES: usize = 8 << 20;

/// Beyond it the size falls slowly, and the time grows fast.
const LEVEL: i32 = 6;

/// What is read: a file, or a session out of a database.
pub(super) trait Original: Read + Seek {}
impl<R: Read + Seek> Original for R {}

/// What is to be kept of an original.
pub(super) struct Wanted<'o> {
    pub(super) header: Header,
    pub(super) original: &'o mut dyn Original,
    /// How long it was when the look began, and when it was written.
    pub(super) size: u64,
    pub(super) modified: i64,
    /// It grows by lines: one that has no end yet waits.
    pub(super) is_lines: bool,
    /// Nobody is about to end its last line.
    pub(super) is_settled: bool,
    /// Without images and long texts.
    pub(super) is_slim: bool,
}

/// What became of the newest version of a copy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Appended {
    /// So many bytes were added, and so many wait for the end of their line.
    Kept { more: u64, waits: u64 },
    /// The original does not continue it.
    IsOther,
}

/// Appends to the version whose files these are, or makes them.
///
/// # Errors
/// The system's reason. What was not named in the index by then is as if it were not there.
pub(super) fn append(
    data: &Path,
    index_path: &Path,
    wanted: &mut Wanted<'_>,
    faults: &Faults,
) -> io::Result<Appended> {
    faults.step()?;
    let mut index_file = private(index_path)?;
    // Whoever keeps the same file at the same time waits here.
    match index_file.lock() {
        // Some file systems have no locks.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
        locked => locked?,
    }
    // Windows lets only this handle read what is locked.
    let mut named = Vec::new();
    index_file.read_to_end(&mut named)?;
    let index = Index::of(&named)?;
    let from = index.source();
    // What was left out of a copy is kept in a new one.
    let is_less = index.is_cut() && !wanted.is_slim;
    if index.is_damaged || is_less || !continues(wanted, &index)? {
        return Ok(Appended::IsOther);
    }
    let mut new = New { wanted, members: Vec::new(), at: index.packed(), to: from };
    let is_new = index.header.is_none();
    if !is_new && new.wanted.size == from {
        return Ok(Appended::Kept { more: 0, waits: 0 });
    }
    let mut data_file = private(data)?;
    // What lies behind was torn.
    if data_file.metadata()?.len() != index.packed() {
        faults.step()?;
        data_file.set_len(index.packed())?;
    }
    data_file.seek(SeekFrom::End(0))?;
    new.write(&mut data_file, faults)?;
    new.check()?;
    let New { members, to, .. } = new;
    let waits = wanted.size.saturating_sub(to);
    if members.is_empty() && !is_new {
        return Ok(Appended::Kept { more: 0, waits });
    }
    faults.step()?;
    data_file.sync_data()?;
    let mut lines = Vec::new();
    if is_new {
        push_line(&mut lines, &wanted.header)?;
    }
    members.iter().try_for_each(|member| push_line(&mut lines, member))?;
    faults.step()?;
    index_file.set_len(index.end)?;
    index_file.seek(SeekFrom::End(0))?;
    index_file.write_all(&lines)?;
    faults.step()?;
    index_file.sync_data()?;
    Ok(Appended::Kept { more: to - from, waits })
}

/// Whether an original begins with all that is kept of it.
fn continues(wanted: &mut Wanted<'_>, index: &Index) -> io::Result<bool> {
    let Some(last) = index.members.last() else { return Ok(true) };
    if wanted.size < last.to {
        return Ok(false);
    }
    if ends(wanted.original, last.to)? != (last.head.clone(), last.tail.clone()) {
        return Ok(false);
    }
    // What has lines only grows; anything else may have changed in the middle.
    let mut whole = index.members.iter().filter(|member| !wanted.is_lines && !member.is_cut);
    whole.try_fold(true, |same, member| {
        Ok(same && part(wanted.original, member.from, member.to - member.from)? == member.sha256)
    })
}

/// The hashes by which an original of so many bytes is known again.
fn ends(original: &mut dyn Original, end: u64) -> io::Result<(String, String)> {
    let tail = end.saturating_sub(TAIL_BYTES);
    Ok((part(original, 0, end.min(HEAD_BYTES))?, part(original, tail, end - tail)?))
}

/// The hash of a piece of an original.
fn part(original: &mut dyn Original, from: u64, bytes: u64) -> io::Result<String> {
    original.seek(SeekFrom::Start(from))?;
    let mut part = Vec::new();
    original.take(bytes).read_to_end(&mut part)?;
    Ok(sha256(&part))
}

fn push_line(lines: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *lines, value)?;
    lines.push(b'\n');
    Ok(())
}

/// A file that only its owner can read, made unless it is there.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// The members that are being added.
struct New<'w, 'o> {
    wanted: &'w mut Wanted<'o>,
    members: Vec<Member>,
    at: u64,
    to: u64,
}

impl New<'_, '_> {
    fn write(&mut self, data: &mut File, faults: &Faults) -> io::Result<()> {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        loop {
            let source = self.next()?;
            if source.is_empty() {
                return Ok(());
            }
            let (from, to) = (self.to, self.to + source.len() as u64);
            let slim = self.wanted.is_slim.then(|| slim(&source)).flatten();
            let kept = slim.as_ref().unwrap_or(&source);
            let packed = compressor.compress(kept)?;
            faults.step()?;
            data.write_all(&packed)?;
            let (head, tail) = ends(self.wanted.original, to)?;
            self.members.push(Member {
                at: self.at,
                packed: packed.len() as u64,
                from,
                to,
                bytes: kept.len() as u64,
                sha256: sha256(kept),
                head,
                tail,
                modified: self.wanted.modified,
                is_cut: slim.is_some(),
            });
            self.at += packed.len() as u64;
            self.to = to;
        }
    }

    /// Whether the original is still the one of which these are pieces.
    fn check(&mut self) -> io::Result<()> {
        let Some(last) = self.members.last() else { return Ok(()) };
        let (head, tail) = ends(self.wanted.original, last.to)?;
        let same = |member: &Member| member.to < HEAD_BYTES || member.head == head;
        if tail == last.tail && self.members.iter().all(same) {
            return Ok(());
        }
        Err(io::Error::other("it was rewritten while it was read; the next run keeps it"))
    }

    /// What comes next of the original, in whole lines where it has lines; nothing at its end.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        let Wanted { original, size, is_lines, is_settled, .. } = &mut *self.wanted;
        let left = *size - self.to;
        original.seek(SeekFrom::Start(self.to))?;
        let mut rest = original.take(left);
        // Whether a line without an end is all there will be of it.
        let is_whole =
            |line: &[u8]| *is_settled || serde_json::from_slice::<IgnoredAny>(line).is_ok();
        let mut source = Vec::new();
        loop {
            let before = source.len();
            rest.by_ref().take(MEMBER_BYTES as u64).read_to_end(&mut source)?;
            let is_end = source.len() == before || source.len() as u64 == left;
            if !*is_lines {
                return Ok(source);
            }
            let line = memchr::memrchr(b'\n', &source).map_or(0, |end| end + 1);
            if is_end && is_whole(&source[line..]) {
                return Ok(source);
            }
            if line > 0 || is_end {
                source.truncate(line);
                return Ok(source);
            }
        }
    }
}
