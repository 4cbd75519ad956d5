//! The beginning and the end of a file, as far as a listing needs them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::format::compressed::Compression;

use crate::format::SQLITE;
use crate::format::utf16::Utf16;
#[cfg(feature = "cli")]
use crate::vault::KeptFile;

/// How much is read of each end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// From the beginning: a header, titles, the first prompt.
    head: u64,
    /// From the end: the last answer, the last title.
    tail: u64,
}

/// A little tells enough of most files; of the others more is read.
pub(super) const REACHES: [Reach; 2] =
    [Reach { head: 16 << 10, tail: 16 << 10 }, Reach { head: 128 << 10, tail: 64 << 10 }];

/// From the end no more than this is read.
const MAX_TAIL: u64 = 64 << 20;

impl Reach {
    /// More of the end; `None` where that is enough.
    pub(super) fn further(self) -> Option<Reach> {
        let tail = self.tail * 8;
        (tail <= MAX_TAIL).then_some(Reach { tail, ..self })
    }
}

/// Of a compressed file so much is kept from its beginning, and so much from its end.
const DECOMPRESSED_BYTES: usize = 4 << 20;

/// So much of one is decompressed.
const MAX_DECOMPRESSED: u64 = 512 << 20;

/// What was read of a file: whole lines, or parts of the only one; of a database that it is one.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) head: Vec<u8>,
    /// Empty when the head is all there is.
    pub(super) tail: Vec<u8>,
    /// Nothing lies between them, and nothing behind them.
    pub(super) is_whole: bool,
}

impl Ends {
    pub(super) fn read(path: &Path, reach: Reach) -> io::Result<Ends> {
        #[cfg(feature = "cli")]
        if let Some(kept) = KeptFile::at(path) {
            return Ends::kept(&kept, reach);
        }
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(SQLITE.len() as u64).read_to_end(&mut start)?;
        if start == SQLITE {
            return Ok(Ends { head: start, tail: Vec::new(), is_whole: true });
        }
        file.rewind()?;
        if let Some(compression) = Compression::of(&start) {
            return Ends::decompressed(compression, file);
        }
        let utf16 = Utf16::of(&start);
        let decoded = |bytes: Vec<u8>| match utf16 {
            Some(order) => order.decoded(&bytes),
            None => bytes,
        };
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        if size <= reach.head + reach.tail {
            file.read_to_end(&mut head)?;
            return Ok(Ends { head: decoded(head), tail: Vec::new(), is_whole: true });
        }
        file.by_ref().take(reach.head).read_to_end(&mut head)?;
        // A unit of UTF-16 has two bytes, and the first stands at an even place.
        let from = size - reach.tail;
        let from = if utf16.is_some() { from & !1 } else { from };
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        file.take(size - from).read_to_end(&mut tail)?;
        let (head, tail) = (decoded(head), decoded(tail));
        let mut ends = Ends { head, tail, is_whole: false };
        ends.trim_to_lines();
        Ok(ends)
    }

    /// Of a copy, the members at both ends.
    #[cfg(feature = "cli")]
    fn kept(kept: &KeptFile, reach: Reach) -> io::Result<Ends> {
        let (head, tail, is_whole) = kept.ends(reach.head.max(reach.tail))?;
        // The agent itself may have compressed or encoded what was kept.
        if let Some(compression) = Compression::of(&head) {
            return Ends::decompressed(compression, kept.reader()?);
        }
        if let Some(order) = Utf16::of(&head) {
            let mut all = Vec::new();
            kept.reader()?.read_to_end(&mut all)?;
            return Ok(Ends { head: order.decoded(&all), tail: Vec::new(), is_whole: true });
        }
        if is_whole && head.len() as u64 <= reach.head + reach.tail {
            return Ok(Ends { head, tail, is_whole });
        }
        // As much as of a file that lies there as it is.
        let end = |bytes: u64, of: usize| usize::try_from(bytes).unwrap_or(of).min(of);
        let tail = if is_whole { &head } else { &tail };
        let tail = tail[tail.len() - end(reach.tail, tail.len())..].to_vec();
        let head = head[..end(reach.head, head.len())].to_vec();
        let mut ends = Ends { head, tail, is_whole: false };
        ends.trim_to_lines();
        Ok(ends)
    }

    fn decompressed(compression: Compression, file: impl Read) -> io::Result<Ends> {
        let mut bytes = Vec::new();
        let decoder = compression.decoder(io::BufReader::new(file));
        let mut decoder = decoder.take(MAX_DECOMPRESSED);
        decoder.by_ref().take(DECOMPRESSED_BYTES as u64).read_to_end(&mut bytes)?;
        let head = bytes;
        let mut tail = Vec::new();
        loop {
            let read = decoder.by_ref().take(DECOMPRESSED_BYTES as u64).read_to_end(&mut tail)?;
            if read == 0 {
                break;
            }
            tail.drain(..tail.len().saturating_sub(DECOMPRESSED_BYTES));
        }
        let is_whole = tail.is_empty();
        let mut ends = Ends { head, tail, is_whole };
        if !is_whole {
            ends.trim_to_lines();
        }
        Ok(ends)
    }

    fn trim_to_lines(&mut self) {
        let end = memchr::memrchr(b'\n', &self.head).map_or(self.head.len(), |end| end + 1);
        self.head.truncate(end);
        let start = memchr::memchr(b'\n', &self.tail).map_or(0, |end| end + 1);
        // The newline behind the last line is no beginning of another.
        let start = if start < self.tail.len() { start } else { 0 };
        self.tail.drain(..start);
    }
}
