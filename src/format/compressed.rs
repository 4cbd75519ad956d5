//! Compressed files, recognized by their first bytes: gzip (`omp gc` compresses cold sessions) and
//! zstd (Codex compresses rollouts of more than 7 days). omp 18.3.4; codex-rs, rollout (compression).

use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// What compressed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// So many first bytes tell it.
    pub(crate) const START: usize = 4;

    /// That of a file which begins so; `None` for one that is not compressed.
    pub(crate) fn of(start: &[u8]) -> Option<Compression> {
        if start.starts_with(b"\x1f\x8b\x08") {
            return Some(Compression::Gzip);
        }
        // A frame, or one to be skipped: RFC 8878, 3.1.
        let is_skippable =
            || matches!(start, [first, b'\x2a', b'\x4d', b'\x18', ..] if first & 0xf0 == 0x50);
        let is_zstd = start.starts_with(b"\x28\xb5\x2f\xfd") || is_skippable();
        is_zstd.then_some(Compression::Zstd)
    }

    /// What people call it, which is the name of its program too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }

    /// What the file holds; several compressed one after the other are one file.
    pub(crate) fn decoder<'r>(self, from: impl BufRead + 'r) -> Box<dyn Read + 'r> {
        match self {
            Compression::Gzip => Box::new(MultiGzDecoder::new(from)),
            Compression::Zstd => Box::new(ZstdFrames { from, frame: FrameDecoder::new() }),
        }
    }
}

/// A file's name without the ending that says how it is compressed.
pub(crate) fn plain_name(name: &str) -> &str {
    let endings = [".gz", ".zst"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Reads frame after frame; the library's own reader stops behind the first.
struct ZstdFrames<R> {
    from: R,
    frame: FrameDecoder,
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if self.frame.can_collect() > 0 {
                return self.frame.read(into);
            }
            if !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.frame.decode_blocks(&mut self.from, one);
                decoded.map_err(|error| self.broken(&error))?;
                continue;
            }
            self.check()?;
            if self.from.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.next_frame()?;
        }
    }
}

impl<R: BufRead> ZstdFrames<R> {
    fn next_frame(&mut self) -> io::Result<()> {
        match self.frame.reset(&mut self.from) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.from.by_ref().take(length), &mut io::sink())?;
                if skipped < length { Err(invalid("the data is cut off")) } else { Ok(()) }
            }
            begun => begun.map_err(|error| self.broken(&error)),
        }
    }

    /// The library names the parts of its own that failed.
    fn broken(&mut self, error: &FrameDecoderError) -> io::Error {
        match self.from.fill_buf() {
            Ok([]) => invalid("the data is cut off"),
            Ok(_) => invalid("the data is damaged"),
            Err(_) => invalid(error.to_string()),
        }
    }

    /// The library leaves it to its caller to compare the sums, once all of a frame was taken.
    fn check(&self) -> io::Result<()> {
        let stated = self.frame.get_checksum_from_data();
        if stated.is_some() && stated != self.frame.get_calculated_checksum() {
            return Err(invalid("the checksum does not match"));
        }
        Ok(())
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'one\n' | zstd` and the same of `two`, which end with a checksum.
    const FRAMES: [&[u8]; 2] = [
        b"\x28\xb5\x2f\xfd\x04\x58\x21\x00\x00one\n\xdf\x16\x68\x09",
        b"\x28\xb5\x2f\xfd\x04\x58\x21\x00\x00two\n\x0f\x2d\x04\xf9",
    ];

    fn read(bytes: &[u8]) -> io::Result<String> {
        assert_eq!(Compression::of(bytes), Some(Compression::Zstd));
        let mut text = String::new();
        Compression::Zstd.decoder(bytes).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn frames_are_one_file() {
        assert_eq!(read(FRAMES[0]).unwrap(), "one\n");
        let skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
        assert_eq!(read(&[FRAMES[0], skipped, FRAMES[1]].concat()).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn what_is_torn_or_changed_is_an_error() {
        let skipped = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
        let whole = [&skipped[..], FRAMES[0]].concat();
        assert_eq!(read(&whole).unwrap(), "one\n");
        for end in (Compression::START..whole.len()).filter(|end| *end != skipped.len()) {
            let error = read(&whole[..end]).unwrap_err().to_string();
            assert_eq!(error, "the data is cut off", "{end}");
        }
        let changed = [&FRAMES[0][..FRAMES[0].len() - 4], &[0; 4]].concat();
        assert!(read(&changed).unwrap_err().to_string().contains("checksum"));
    }
}
