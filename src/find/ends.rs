//! The beginning and the end of a file, as far as a listing needs them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::format::compressed::Compression;

use crate::format::SQLITE;

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

/// Of a compressed file so much is decompressed.
const DECOMPRESSED_BYTES: u64 = 4 << 20;

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
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        if size <= reach.head + reach.tail {
            file.read_to_end(&mut head)?;
            return Ok(Ends { head, tail: Vec::new(), is_whole: true });
        }
        file.by_ref().take(reach.head).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(size - reach.tail))?;
        let mut tail = Vec::new();
        file.take(reach.tail).read_to_end(&mut tail)?;
        let end = memchr::memrchr(b'\n', &head).map_or(head.len(), |end| end + 1);
        head.truncate(end);
        let start = memchr::memchr(b'\n', &tail).map_or(0, |end| end + 1);
        // The newline behind the last line is no beginning of another.
        let start = if start < tail.len() { start } else { 0 };
        tail.drain(..start);
        Ok(Ends { head, tail, is_whole: false })
    }

    fn decompressed(compression: Compression, file: File) -> io::Result<Ends> {
        let mut head = Vec::new();
        let decoder = compression.decoder(io::BufReader::new(file));
        decoder.take(DECOMPRESSED_BYTES + 1).read_to_end(&mut head)?;
        let is_whole = head.len() as u64 <= DECOMPRESSED_BYTES;
        Ok(Ends { head, tail: Vec::new(), is_whole })
    }
}
