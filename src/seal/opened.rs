//! Opens a sealed page again.

use std::io::{self, Read};

use data_encoding::BASE64;
use flate2::read::ZlibDecoder;
use zeroize::Zeroizing;

use crate::page::wire::packed::{base91, bytes_of};

use super::chunks::LENGTH_BYTES;
use super::cipher::{Cipher, SealedPart, sum};
use super::error::OpenError;
use super::parameters::Parameters;
use super::password::Password;

/// The texts of a sealed page's elements.
#[derive(Debug, Default)]
pub(crate) struct Locked<'a> {
    /// Of `#sealed`.
    pub(crate) parameters: &'a str,
    /// Of `#sealed-check`.
    pub(crate) check: &'a str,
    /// Of `#sealed-sum`.
    pub(crate) sum: &'a str,
    /// Of `#sealed-0` and those that follow.
    pub(crate) chunks: Vec<&'a str>,
}

impl Locked<'_> {
    /// The page, of at most so many bytes.
    pub(crate) fn open(&self, password: &Password, most_bytes: u64) -> Result<Vec<u8>, OpenError> {
        // Of a damaged page nothing is said but that.
        if sum(self.parameters, self.check) != self.sum {
            return Err(OpenError::Parameters);
        }
        let parameters = Parameters::read(self.parameters)?;
        let cipher = Cipher::with_text(parameters, self.parameters.to_owned(), password);
        let check = BASE64.decode(self.check.as_bytes()).map_err(|_| OpenError::Parameters)?;
        cipher.open(SealedPart::Check, &check).map_err(|_| OpenError::WrongPassword)?;
        let mut zlib = ZlibDecoder::new(Pieces::new(&self.chunks, &cipher));
        let mut page = Vec::new();
        let read = Read::take(&mut zlib, most_bytes.saturating_add(1)).read_to_end(&mut page);
        if page.len() as u64 > most_bytes {
            return Err(OpenError::Content("more data than a page of its size should"));
        }
        // What is behind the page, which fills its size up, must be right as well.
        let mut rest = zlib.into_inner();
        let rest_read = if rest.failed { Ok(0) } else { io::copy(&mut rest, &mut io::sink()) };
        if rest.failed {
            return Err(OpenError::Damaged { nth: rest.nth, count: self.chunks.len() });
        }
        read.and(rest_read.map(|_| 0)).map_err(|_| OpenError::Content("no page"))?;
        Ok(page)
    }
}

/// The chunks' content, one behind the other.
pub(super) struct Pieces<'a> {
    texts: &'a [&'a str],
    cipher: &'a Cipher,
    /// How many chunks were begun.
    nth: usize,
    /// The one begun last did not open.
    failed: bool,
    piece: Zeroizing<Vec<u8>>,
    /// How far the piece is read.
    at: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(texts: &'a [&'a str], cipher: &'a Cipher) -> Self {
        Pieces { texts, cipher, nth: 0, failed: false, piece: Zeroizing::default(), at: 0 }
    }

    /// A chunk by its number; `None` if it is not what was sealed there.
    fn open(&self, nth: usize) -> Option<Zeroizing<Vec<u8>>> {
        let text = *self.texts.get(nth)?;
        // Not even a letter that says the same may be another.
        let sealed = bytes_of(text).filter(|sealed| base91(sealed) == text)?;
        let number = u32::try_from(nth).ok()?;
        let is_last = nth + 1 == self.texts.len();
        let place = if is_last { SealedPart::Last(number) } else { SealedPart::Chunk(number) };
        let mut plain = self.cipher.open(place, &sealed).ok()?;
        let length: [u8; LENGTH_BYTES] = plain.get(..LENGTH_BYTES)?.try_into().ok()?;
        plain.truncate(LENGTH_BYTES.checked_add(u32::from_be_bytes(length) as usize)?);
        Some(plain)
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            // A page without any chunk lacks its last.
            if self.nth == self.texts.len() && self.nth > 0 {
                return Ok(0);
            }
            let opened = self.open(self.nth);
            self.nth += 1;
            self.failed = opened.is_none();
            self.piece = opened.ok_or(io::ErrorKind::InvalidData)?;
            self.at = LENGTH_BYTES;
        }
        let read = into.len().min(self.piece.len() - self.at);
        into[..read].copy_from_slice(&self.piece[self.at..self.at + read]);
        self.at += read;
        Ok(read)
    }
}
