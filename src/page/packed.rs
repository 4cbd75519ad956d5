//! Bytes packed into a page: zlib, whose checksum tells a flipped bit, written in letters.
//!
//! 13 bits make two of 91 letters, a sixteenth less than the 12 of base64 (`bytesOf` in
//! static/js/letters.js reads them). The letters are all of printable ASCII but for `"` and `\`,
//! which would end a string of JSON, and `<`, which would end an element.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use libdeflater::{CompressionLvl, Compressor};

const LETTERS: [u8; 91] = letters();

/// The last level of libdeflate before its search for the best parse, which takes four times as
/// long for 5 % less; as fast as level 6 of zlib, and 3 % smaller.
const LEVEL: i32 = 9;

/// Bits that two letters carry, and a last one alone.
const PAIR_BITS: u32 = 13;
const LONE_BITS: u32 = 6;

/// Why packed text cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// Not written by [`encode`], or changed since.
    #[error("the data is damaged")]
    Damaged,
    /// It holds more than the caller allows.
    #[error("the data holds more than {0} bytes")]
    TooLarge(u64),
}

/// Compresses `bytes` and writes them in letters: printable ASCII without `"`, `<` and `\`.
pub fn encode(bytes: &[u8]) -> String {
    letters_of(&compressed(bytes))
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

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let level = CompressionLvl::new(LEVEL).unwrap_or_default();
    let mut compressor = Compressor::new(level);
    let mut out = vec![0; compressor.zlib_compress_bound(bytes.len())];
    // The bound is never too small.
    let len = compressor.zlib_compress(bytes, &mut out).unwrap_or_default();
    out.truncate(len);
    out
}

const fn letters() -> [u8; 91] {
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

fn letters_of(bytes: &[u8]) -> String {
    let base = LETTERS.len() as u32;
    let mut text = String::with_capacity(bytes.len() * 16 / 13 + 2);
    let letter = |value: u32| char::from(LETTERS[value as usize]);
    let (mut held, mut bits) = (0_u32, 0);
    for &byte in bytes {
        held |= u32::from(byte) << bits;
        bits += 8;
        if bits >= PAIR_BITS {
            let value = held & ((1 << PAIR_BITS) - 1);
            text.push(letter(value % base));
            text.push(letter(value / base));
            held >>= PAIR_BITS;
            bits -= PAIR_BITS;
        }
    }
    if bits > 0 {
        text.push(letter(held % base));
    }
    if bits > LONE_BITS {
        text.push(letter(held / base));
    }
    text
}

/// `None` for text with other letters.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| LETTERS.binary_search(&letter).ok();
    let mut bytes = Vec::with_capacity(text.len() / 16 * 13 + 13);
    let (mut held, mut bits) = (0, 0);
    for pair in text.as_bytes().chunks(2) {
        let low = value(pair[0])?;
        let high = pair.get(1).map(|&letter| value(letter)).unwrap_or(Some(0))?;
        held |= (low + high * LETTERS.len()) << bits;
        bits += if pair.len() == 2 { PAIR_BITS } else { LONE_BITS };
        while bits >= 8 {
            bytes.push((held & 0xff) as u8);
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
        let bytes: Vec<u8> = (0..300_u32).map(|n| (n * 7 + n / 3) as u8).collect();
        for len in 0..bytes.len() {
            let text = letters_of(&bytes[..len]);
            assert_eq!(bytes_of(&text).as_deref(), Some(&bytes[..len]));
            assert!(!text.contains(['"', '<', '\\', ' ', '\n']));
            assert_eq!(decode(&encode(&bytes[..len]), 300).as_deref(), Ok(&bytes[..len]));
        }
        assert_eq!(letters_of(&[0xff; 26]).len(), 32);
    }

    #[test]
    fn damage_is_told_and_size_is_bounded() {
        let text = encode(&[b'a'; 1000]);
        assert_eq!(decode(&text, 999), Err(PackedError::TooLarge(999)));
        for at in 0..text.len() - 1 {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = if damaged[at] == b'!' { b'#' } else { b'!' };
            let damaged = String::from_utf8(damaged).unwrap();
            assert_eq!(decode(&damaged, 1000), Err(PackedError::Damaged), "at {at}");
            assert_eq!(decode(&text[..at], 1000), Err(PackedError::Damaged), "cut at {at}");
        }
        assert_eq!(decode("a<b", 1000), Err(PackedError::Damaged));
    }
}
