//! The beginning and the end of a file, as far as a listing needs them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::format::SQLITE;

/// Read from the beginning: a header, titles, the first prompt.
const HEAD_BYTES: u64 = 128 << 10;

/// Read from the end: the last answer, the last title.
const TAIL_BYTES: u64 = 64 << 10;

/// Of a packed file so much is unpacked.
const UNPACKED_BYTES: u64 = 4 << 20;

/// What was read of a file: whole lines only, of a database that it is one.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) head: Vec<u8>,
    /// Empty when the head is all there is.
    pub(super) tail: Vec<u8>,
    /// Nothing lies between them, and nothing behind them.
    pub(super) is_whole: bool,
}

impl Ends {
    pub(super) fn read(path: &Path) -> io::Result<Ends> {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(SQLITE.len() as u64).read_to_end(&mut start)?;
        if start == SQLITE {
            return Ok(Ends { head: start, tail: Vec::new(), is_whole: true });
        }
        file.rewind()?;
        if start.starts_with(b"\x1f\x8b\x08") {
            return Ends::unpacked(file);
        }
        let size = file.metadata()?.len();
        let mut head = Vec::new();
        if size <= HEAD_BYTES + TAIL_BYTES {
            file.read_to_end(&mut head)?;
            return Ok(Ends { head, tail: Vec::new(), is_whole: true });
        }
        file.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(size - TAIL_BYTES))?;
        let mut tail = Vec::new();
        file.take(TAIL_BYTES).read_to_end(&mut tail)?;
        let end = memchr::memrchr(b'\n', &head).map_or(0, |end| end + 1);
        head.truncate(end);
        let start = memchr::memchr(b'\n', &tail).map_or(tail.len(), |end| end + 1);
        tail.drain(..start);
        Ok(Ends { head, tail, is_whole: false })
    }

    fn unpacked(file: File) -> io::Result<Ends> {
        let mut head = Vec::new();
        let mut packed = MultiGzDecoder::new(io::BufReader::new(file)).take(UNPACKED_BYTES + 1);
        packed.read_to_end(&mut head)?;
        let is_whole = head.len() as u64 <= UNPACKED_BYTES;
        Ok(Ends { head, tail: Vec::new(), is_whole })
    }
}
