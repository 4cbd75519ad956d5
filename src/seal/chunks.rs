//! A text in sealed chunks, each an element of the page.

use std::io::{self, Write};

use crate::page::wire::packed::base91;

use super::cipher::{Cipher, SealedPart};
use super::padding::padded;

/// Of a chunk, for the number of its bytes that count.
pub(super) const LENGTH_BYTES: usize = 4;

/// Writes the chunks of what is written to it.
pub(super) struct Chunks<W: Write> {
    out: W,
    cipher: Cipher,
    /// From the size of all chunks opened to the step that it is brought to.
    padded: fn(u64) -> u64,
    /// What waits for its chunk to be full.
    waiting: Vec<u8>,
    /// How many chunks are written.
    count: u32,
}

impl<W: Write> Chunks<W> {
    pub(super) fn new(out: W, cipher: Cipher) -> Self {
        let waiting = Vec::with_capacity(cipher.parameters.chunk as usize);
        Chunks { out, cipher, padded, waiting, count: 0 }
    }

    #[cfg(test)]
    pub(super) fn without_padding(self) -> Self {
        Chunks { padded: |bytes| bytes, ..self }
    }

    /// What a chunk has room for.
    fn room(&self) -> usize {
        (self.cipher.parameters.chunk as usize).saturating_sub(LENGTH_BYTES).max(1)
    }

    /// Writes what is left, then what brings the size to its step; the last chunk is marked.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let chunk = u64::from(self.cipher.parameters.chunk);
        let before = u64::from(self.count) * chunk;
        let waiting = (self.waiting.len() + LENGTH_BYTES) as u64;
        let mut left = (self.padded)(before + waiting) - before;
        while left > chunk {
            self.write_chunk(chunk, false)?;
            left -= chunk;
        }
        self.write_chunk(left, true)?;
        Ok(self.out)
    }

    /// Writes what waits, with zeros behind it, as a chunk of so many bytes.
    fn write_chunk(&mut self, bytes: u64, is_last: bool) -> io::Result<()> {
        let length = u32::try_from(self.waiting.len()).unwrap_or_default();
        let mut plain = Vec::with_capacity(self.cipher.parameters.chunk as usize);
        plain.extend(length.to_be_bytes());
        plain.append(&mut self.waiting);
        plain.resize(usize::try_from(bytes).unwrap_or_default().max(plain.len()), 0);
        let nth = self.count;
        let place = if is_last { SealedPart::Last(nth) } else { SealedPart::Chunk(nth) };
        let sealed = self.cipher.seal(place, &plain);
        let sealed = sealed.ok_or_else(|| io::Error::other("a chunk cannot be sealed"))?;
        let text = base91(&sealed);
        writeln!(self.out, "<script type=\"text/plain\" id=\"sealed-{nth}\">{text}</script>")?;
        self.count = nth.checked_add(1).ok_or_else(|| io::Error::other("too many chunks"))?;
        Ok(())
    }
}

impl<W: Write> Write for Chunks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Not before more comes: the last chunk may be full too.
        if self.waiting.len() == self.room() && !bytes.is_empty() {
            self.write_chunk(u64::from(self.cipher.parameters.chunk), false)?;
        }
        let taken = bytes.len().min(self.room() - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
