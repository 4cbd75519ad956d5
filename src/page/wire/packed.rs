//! Bytes packed into a page: zlib, whose checksum reveals a flipped bit, encoded as base91.
//!
//! 13 bits make two of 91 characters, a sixteenth less than the 12 of base64 (`bytesOf` in
//! static/js/chunks/base91.js reads them). The alphabet is all of printable ASCII but for `"` and `\`,
//! which would end a string of JSON, and `<`, which would end an element. `cargo xtask assets`
//! packs the page's program by this file, too.

use std::io::{self, Read as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

const ALPHABET: [u8; 91] = alphabet();

/// Of zlib-rs. The next one takes 1 to 4 % more of an export and gives pages that are 1 % smaller; the one before takes
/// 2 % less and gives pages that are 4 % larger. libdeflate gives pages as small in about the same time.
const LEVEL: u32 = 5;

/// Bits that two characters carry, and a last one alone.
const PAIR_BITS: u32 = 13;
const LONE_BITS: u32 = 6;

/// How many values two characters have to express; a few pairs stay unused.
const PAIRS: usize = 1 << PAIR_BITS;

/// The value of each character.
const VALUES: [u8; 256] = values();
const NO_LETTER: u8 = u8::MAX;

/// The two characters of each value of 13 bits: one lookup instead of two divisions.
static LETTERS: [[u8; 2]; PAIRS] = letters();

/// Why packed text cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// Not written by [`encode`], or changed since.
    #[error("the data is damaged")]
    Damaged,
    /// It holds more than the caller allows: the limit, in bytes.
    #[error("the data holds more than {0} bytes")]
    TooLarge(u64),
}

/// Compresses `bytes` and encodes them: printable ASCII without `"`, `<` and `\`.
pub fn encode(bytes: &[u8]) -> String {
    encode_streamed(|into| into.write_all(bytes))
}

/// The same of bytes that `write` writes little by little, so that they are nowhere as a whole. An error of `write`
/// ends them.
pub(crate) fn encode_streamed(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Writing into memory cannot fail.
    let _ = write(&mut encoder);
    base91(&encoder.finish().unwrap_or_default())
}

/// Gives back what [`encode`] got.
///
/// # Errors
/// [`PackedError::Damaged`], and [`PackedError::TooLarge`] for more than `most` bytes.
pub fn decode(text: &str, most: u64) -> Result<Vec<u8>, PackedError> {
    let compressed = bytes_of(text).ok_or(PackedError::Damaged)?;
    let mut bytes = Vec::new();
    let mut decoder = ZlibDecoder::new(&compressed[..]).take(most.saturating_add(1));
    decoder.read_to_end(&mut bytes).map_err(|_| PackedError::Damaged)?;
    if bytes.len() as u64 > most {
        return Err(PackedError::TooLarge(most));
    }
    Ok(bytes)
}

const fn alphabet() -> [u8; 91] {
    let mut letters = [0; 91];
    let (mut at, mut letter) = (0, b'!');
    while letter <= b'~' {
        if !matches!(letter, b'"' | b'<' | b'\\') {
            letters[at] = letter;
            at += 1;
        }
        letter += 1;
    }
    letters
}

#[expect(clippy::cast_possible_truncation, reason = "less than 91")]
const fn values() -> [u8; 256] {
    let mut values = [NO_LETTER; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        values[ALPHABET[value] as usize] = value as u8;
        value += 1;
    }
    values
}

const fn letters() -> [[u8; 2]; PAIRS] {
    let mut pairs = [[0; 2]; PAIRS];
    let mut value = 0;
    while value < PAIRS {
        pairs[value] = [ALPHABET[value % ALPHABET.len()], ALPHABET[value / ALPHABET.len()]];
        value += 1;
    }
    pairs
}

/// Encodes bytes as base91, uncompressed.
pub fn base91(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut held, mut bits) = (0, 0);
    for &byte in bytes {
        held |= usize::from(byte) << bits;
        bits += 8;
        if bits >= PAIR_BITS {
            text.extend_from_slice(&LETTERS[held & (PAIRS - 1)]);
            held >>= PAIR_BITS;
            bits -= PAIR_BITS;
        }
    }
    let last = LETTERS[held];
    text.extend_from_slice(match bits {
        0 => &[],
        1..=LONE_BITS => &last[..1],
        _ => &last,
    });
    // The whole alphabet is ASCII.
    String::from_utf8(text).unwrap_or_default()
}

/// Decodes base91; `None` for most of what [`base91`] does not write.
pub fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| match VALUES[usize::from(letter)] {
        NO_LETTER => None,
        value => Some(usize::from(value)),
    };
    let mut bytes = Vec::with_capacity(text.len() / 16 * 13 + 13);
    let (mut held, mut bits) = (0, 0);
    for pair in text.as_bytes().chunks(2) {
        let low = value(pair[0])?;
        let high = pair.get(1).map_or(Some(0), |&letter| value(letter))?;
        let value = Some(low + high * ALPHABET.len()).filter(|&value| value < PAIRS)?;
        held |= value << bits;
        bits += if pair.len() == 2 { PAIR_BITS } else { LONE_BITS };
        while bits >= 8 {
            bytes.push(held.to_le_bytes()[0]);
            held >>= 8;
            bits -= 8;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        let bytes: Vec<u8> = (0..300_u32).map(|n| (n * 7 + n / 3).to_le_bytes()[0]).collect();
        for len in 0..bytes.len() {
            let text = base91(&bytes[..len]);
            assert_eq!(bytes_of(&text).as_deref(), Some(&bytes[..len]));
            assert!(!text.contains(['"', '<', '\\', ' ', '\n']));
            assert_eq!(decode(&encode(&bytes[..len]), 300).as_deref(), Ok(&bytes[..len]));
        }
        assert_eq!(base91(&[0xff; 26]).len(), 32);
    }

    #[test]
    fn damage_is_told_and_size_is_bounded() {
        let text = encode(&[b'a'; 1000]);
        let mut noticed = 0;
        assert_eq!(decode(&text, 999), Err(PackedError::TooLarge(999)));
        for at in 0..text.len() - 1 {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = if damaged[at] == b'!' { b'#' } else { b'!' };
            let damaged = String::from_utf8(damaged).unwrap();
            // A few bits of zlib's mean nothing.
            let opened = decode(&damaged, 100_000);
            assert!(
                opened == Err(PackedError::Damaged) || opened == Ok(vec![b'a'; 1000]),
                "at {at}"
            );
            noticed += usize::from(opened.is_err());
            assert_eq!(decode(&text[..at], 1000), Err(PackedError::Damaged), "cut at {at}");
        }
        assert!(noticed + 3 > text.len(), "{noticed} of {}", text.len());
        assert_eq!(decode("a<b", 1000), Err(PackedError::Damaged));
    }
}
