//! Files as they lie in a page: see `src/page/source.rs`, which writes them.

use std::borrow::Cow;

use serde::Deserialize;

use crate::page::packed::{self, PackedError};

use super::ChildFile;

/// What is wrong with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    List,
    Part { nth: usize, count: usize },
    TooLarge,
}

/// The content of `#source` or `#child-sources`.
#[derive(Debug, Deserialize)]
pub(super) struct Files<'a> {
    /// Whose lines are where, where there are several files.
    #[serde(default)]
    pub(super) files: Vec<FileStart>,
    #[serde(borrow)]
    chunks: Vec<Chunk<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FileStart {
    key: String,
    /// The number of its first line, from 1.
    first: usize,
    /// The newline at its end is not its own.
    #[serde(default)]
    torn: bool,
}

#[derive(Debug, Deserialize)]
struct Chunk<'a> {
    first: usize,
    #[serde(borrow)]
    data: Cow<'a, str>,
}

impl<'a> Files<'a> {
    pub(super) fn read(json: &'a [u8]) -> Result<Files<'a>, Broken> {
        serde_json::from_slice(json).map_err(|_| Broken::List)
    }

    /// All the files' bytes, at most so many.
    pub(super) fn unpacked(&self, most_bytes: u64) -> Result<Vec<u8>, Broken> {
        let count = self.chunks.len();
        let mut bytes = Vec::new();
        let mut line = 1;
        for (nth, chunk) in (1..).zip(&self.chunks) {
            let begin = bytes.len();
            let broken = || Broken::Part { nth, count };
            // Of a chunk that is missing, the next one tells.
            if chunk.first != line {
                return Err(broken());
            }
            let left = most_bytes.saturating_sub(begin as u64);
            bytes.extend(packed::decode(&chunk.data, left).map_err(|error| match error {
                PackedError::Damaged => broken(),
                PackedError::TooLarge(_) => Broken::TooLarge,
            })?);
            line += memchr::memchr_iter(b'\n', &bytes[begin..]).count();
        }
        Ok(bytes)
    }

    /// The files one by one.
    pub(super) fn split(&self, most_bytes: u64) -> Result<Vec<ChildFile>, Broken> {
        let bytes = self.unpacked(most_bytes)?;
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let mut files = Vec::with_capacity(self.files.len());
        let ends = self.files.iter().skip(1).map(|next| next.first).chain([usize::MAX]);
        let mut line = 1;
        for (start, end) in self.files.iter().zip(ends) {
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
