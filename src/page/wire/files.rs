//! The session's files out of a page: reads what `source.rs` and `pack_text.rs` write.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use super::pack_text;
use super::packed::{self, PackedError};

/// The file of a sub-session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildFile {
    /// What its entries' keys begin with: `Scout`, `Scout/Helper`.
    pub key: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is wrong with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    List,
    Part { nth: usize, count: usize },
    Pack { nth: usize, count: usize },
    Lines { missing: usize },
    TooLarge,
}

/// Where a line of a file stands in a page.
#[cfg(feature = "cli")]
#[derive(Debug, Clone, Copy)]
pub(crate) enum LinePlace<'t> {
    /// Beside the article of this entry.
    Entry(&'t str),
    /// In the session's file, by its number.
    Session(usize),
    /// In the file of a sub-agent.
    Child(&'t str, usize),
}

/// The content of `#source` or `#child-sources`.
#[derive(Debug, Deserialize)]
pub(crate) struct Files<'a> {
    /// Whose lines are where, where there are several files.
    #[serde(default, rename = "files")]
    pub(crate) starts: Vec<FileStart>,
    /// How many of the lines lie in packs.
    packed: usize,
    /// How many newlines the files have.
    newlines: usize,
    #[serde(borrow)]
    chunks: Vec<Chunk<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FileStart {
    key: String,
    /// The number of its first line, from 1.
    first: usize,
    /// The newline at its end is not its own.
    torn: bool,
}

#[derive(Debug, Deserialize)]
struct Chunk<'a> {
    first: usize,
    #[serde(borrow)]
    data: Cow<'a, str>,
}

impl<'a> Files<'a> {
    pub(crate) fn read(json: &'a [u8]) -> Result<Files<'a>, Broken> {
        serde_json::from_slice(json).map_err(|_| Broken::List)
    }

    /// How many chunks there are.
    #[cfg(feature = "cli")]
    pub(crate) fn count(&self) -> usize {
        self.chunks.len()
    }

    /// The number of the first line of a chunk, and its lines, packed.
    #[cfg(feature = "cli")]
    pub(crate) fn chunk(&self, nth: usize) -> (usize, &str) {
        (self.chunks[nth].first, &self.chunks[nth].data)
    }

    /// Where a line stands, by its number.
    #[cfg(feature = "cli")]
    pub(crate) fn place(&self, number: usize) -> LinePlace<'_> {
        let begun = self.starts.partition_point(|start| start.first <= number);
        match begun.checked_sub(1).map(|at| &self.starts[at]) {
            Some(start) => LinePlace::Child(&start.key, number + 1 - start.first),
            None => LinePlace::Session(number),
        }
    }

    /// All the files' bytes, at most so many. The packs hold the lines that are blank here.
    pub(crate) fn unpacked(&self, packs: &[&[u8]], most_bytes: u64) -> Result<Vec<u8>, Broken> {
        let mut left = most_bytes;
        let mut lines = self.lines_in(packs, &mut left)?;
        let count = self.chunks.len();
        let mut bytes = Vec::new();
        let mut line = 1;
        for (nth, chunk) in (1..).zip(&self.chunks) {
            let broken = || Broken::Part { nth, count };
            // Of a chunk that is missing, the next one tells, or the number of newlines.
            if chunk.first != line {
                return Err(broken());
            }
            let opened =
                decoded(&chunk.data, &mut left).map_err(|error| error.unwrap_or(broken()))?;
            for own in opened.split_inclusive(|byte| *byte == b'\n') {
                // A line lies here or in a pack.
                let is_blank = own == b"\n";
                bytes.extend(lines.remove(&line).filter(|_| is_blank).unwrap_or_default());
                bytes.extend_from_slice(own);
                line += usize::from(own.ends_with(b"\n"));
            }
        }
        // The last line, where it has no newline.
        if bytes.is_empty() || bytes.ends_with(b"\n") {
            bytes.extend(lines.remove(&line).unwrap_or_default());
        }
        match self.newlines.abs_diff(line - 1).max(lines.len()) {
            0 => Ok(bytes),
            missing => Err(Broken::Lines { missing }),
        }
    }

    /// The lines that lie in packs, by number.
    fn lines_in(&self, packs: &[&[u8]], left: &mut u64) -> Result<HashMap<usize, Vec<u8>>, Broken> {
        let mut lines = HashMap::new();
        if self.packed == 0 {
            return Ok(lines);
        }
        let is_child = !self.starts.is_empty();
        let count = packs.len();
        for (nth, pack) in (1..).zip(packs) {
            let broken = || Broken::Pack { nth, count };
            let text = str::from_utf8(pack).map_err(|_| broken())?;
            let opened = decoded(text, left).map_err(|error| error.unwrap_or(broken()))?;
            let found = pack_text::lines(&opened).ok_or_else(broken)?;
            for line in found.into_iter().filter(|line| line.of_child == is_child) {
                if lines.insert(line.number, pack_text::line(line.text)).is_some() {
                    return Err(broken());
                }
            }
        }
        match self.packed.abs_diff(lines.len()) {
            0 => Ok(lines),
            missing => Err(Broken::Lines { missing }),
        }
    }

    /// The files one by one.
    pub(crate) fn split(&self, packs: &[&[u8]], most_bytes: u64) -> Result<Vec<ChildFile>, Broken> {
        if self.starts.is_empty() {
            return Err(Broken::List);
        }
        let bytes = self.unpacked(packs, most_bytes)?;
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut files = Vec::with_capacity(self.starts.len());
        let ends = self.starts.iter().skip(1).map(|next| next.first).chain([usize::MAX]);
        let mut line = 1;
        for (start, end) in self.starts.iter().zip(ends) {
            if start.first != line || end < line {
                return Err(Broken::List);
            }
            let mut file = Vec::new();
            for own in lines.by_ref().take(end - line) {
                file.extend_from_slice(own);
                line += 1;
            }
            if start.torn && file.last() == Some(&b'\n') {
                file.pop();
            }
            files.push(ChildFile { key: start.key.clone(), bytes: file });
        }
        Ok(files)
    }
}

/// Unpacks a part; `None` as its error is damage. What it holds is taken off what may still come.
fn decoded(data: &str, left: &mut u64) -> Result<Vec<u8>, Option<Broken>> {
    let opened = packed::decode(data, *left).map_err(|error| match error {
        PackedError::Damaged => None,
        PackedError::TooLarge(_) => Some(Broken::TooLarge),
    })?;
    *left = left.saturating_sub(opened.len() as u64);
    Ok(opened)
}
