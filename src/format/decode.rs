//! From a file's bytes to UTF-8, up to a limit: gzip, zstd and UTF-16.

use std::cell::Cell;
use std::io::{self, BufReader, Read};

use super::ReadError;
use super::compressed::Compression;
use super::utf16::from_utf16;

/// After so many bytes it is asked whether the rest is worth reading.
pub(super) const HEAD_BYTES: usize = 4 << 20;

/// Read at once after that.
pub(super) const STEP_BYTES: u64 = 16 << 20;

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    bytes: u64,
    /// A person chose it, and with it whatever comes out of a pack.
    is_given: bool,
}

impl Default for Limit {
    /// 2 GiB: more than ten times what agents are known to write.
    fn default() -> Limit {
        Limit { bytes: 2 << 30, is_given: false }
    }
}

/// Why there are no bytes.
#[derive(Debug)]
pub(crate) enum SourceError {
    /// The system's reason.
    Io(io::Error),
    /// What was read says enough.
    Content(ReadError),
}

impl From<io::Error> for SourceError {
    fn from(error: io::Error) -> SourceError {
        SourceError::Io(error)
    }
}

impl From<ReadError> for SourceError {
    fn from(error: ReadError) -> SourceError {
        SourceError::Content(error)
    }
}

impl Limit {
    /// One that a person chose.
    pub(crate) fn given(bytes: u64) -> Limit {
        Limit { bytes, is_given: true }
    }

    /// So many bytes at most.
    #[cfg(any(feature = "cli", feature = "catalog"))]
    pub(crate) fn bytes(self) -> u64 {
        self.bytes
    }

    /// Refuses so many bytes where they are too many.
    pub(crate) fn check(self, size: u64) -> Result<(), SourceError> {
        if size > self.bytes {
            return Err(ReadError::TooLarge { limit: self.bytes }.into());
        }
        Ok(())
    }

    /// The same for what comes out of so many packed bytes: a hundred times as many, and 64 MiB. Text
    /// packs to a fifth or a tenth; only what was made to burst comes near.
    fn check_unpacked(self, size: u64, packed: u64) -> Result<(), SourceError> {
        const FLOOR: u64 = 64 << 20;
        const TIMES: u64 = 100;
        self.check(size)?;
        if !self.is_given && size > packed.saturating_mul(TIMES).saturating_add(FLOOR) {
            return Err(ReadError::Bursts.into());
        }
        Ok(())
    }
}

/// The bytes themselves, or what they hold when they are compressed.
pub(super) fn decompressed(source: Vec<u8>) -> Result<Vec<u8>, ReadError> {
    let Some(compression) = Compression::of(&source) else {
        return Ok(from_utf16(&source).unwrap_or(source));
    };
    let read = decompress(compression, source.as_slice(), Limit::default(), |_| None);
    read.map_err(|error| match error {
        SourceError::Io(error) => failed(compression, &error),
        SourceError::Content(error) => error,
    })
}

/// The same of a file's beginning, as far as it goes.
pub(super) fn decompressed_beginning(begin: Vec<u8>) -> Vec<u8> {
    let Some(compression) = Compression::of(&begin) else { return begin };
    let mut bytes = Vec::new();
    let mut decoder = compression.decoder(begin.as_slice()).take(HEAD_BYTES as u64);
    // Cut off, it ends with an error; what was decoded before it is the beginning.
    let _torn = decoder.read_to_end(&mut bytes);
    bytes
}

pub(super) fn decompress(
    compression: Compression,
    from: impl Read,
    limit: Limit,
    hopeless: impl Fn(&[u8]) -> Option<ReadError>,
) -> Result<Vec<u8>, SourceError> {
    let count = Cell::new(0);
    let decoder = compression.decoder(BufReader::new(Counted { from, count: &count }));
    let decoder = Decompressed { decoder, compression, given: 0 };
    let read = all(decoder, None, hopeless, |_, size| limit.check_unpacked(size, count.get()));
    read.map_err(|error| match error {
        SourceError::Io(error) => failed(compression, &error).into(),
        error @ SourceError::Content(_) => error,
    })
}

fn failed(compression: Compression, error: &io::Error) -> ReadError {
    ReadError::Decompress { compression: compression.name(), reason: error.to_string() }
}

/// Reads to the end, step by step, as long as neither says no.
pub(super) fn all<R: Read>(
    mut from: R,
    size: Option<u64>,
    hopeless: impl Fn(&[u8]) -> Option<ReadError>,
    check: impl Fn(&R, u64) -> Result<(), SourceError>,
) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    let mut step = HEAD_BYTES as u64;
    loop {
        let before = bytes.len() as u64;
        let read = from.by_ref().take(step).read_to_end(&mut bytes)? as u64;
        check(&from, before + read)?;
        if read < step {
            bytes.shrink_to_fit();
            return Ok(bytes);
        }
        if before == 0 {
            if let Some(error) = hopeless(&bytes) {
                return Err(error.into());
            }
            // Growing step by step would leave half of it unused.
            let rest = size.unwrap_or(0).saturating_sub(read);
            bytes.reserve_exact(usize::try_from(rest).unwrap_or(0));
        }
        step = STEP_BYTES;
    }
}

/// Counts what is read.
struct Counted<'c, R> {
    from: R,
    count: &'c Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Says in its errors how far it came.
struct Decompressed<'r> {
    decoder: Box<dyn Read + 'r>,
    compression: Compression,
    given: u64,
}

impl Read for Decompressed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(into).map_err(|error| {
            let (program, given) = (self.compression.name(), self.given);
            let told =
                format!("{error}, {given} bytes in; `{program} -dc` gives what can still be read");
            io::Error::new(error.kind(), told)
        })?;
        self.given += read as u64;
        Ok(read)
    }
}
