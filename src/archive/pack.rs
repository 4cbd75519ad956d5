//! Packs: compressed text in a script of `data/`.
//!
//! A script holds characters, not bytes. In UTF-16, two bytes of the file carry two bytes of data, where base91 takes two and
//! a half. Browsers heed a byte order mark more than the encoding that a server names, so the file means the same from a disk
//! and over HTTP.
//!
//! The string begins with `1` where its last byte is padding, else with `0`. Then come pairs of bytes, the lower first. A pair
//! that cannot be in a string is written as [`ESCAPE`] and the pair with its highest bit flipped. `bytesOf` in
//! static/js/archive/pack.js reads it.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::data::{CALL, END};

/// Of zlib-rs. The level before gives texts that are 1 % larger in the same time; those above give none that are smaller.
const LEVEL: u32 = 6;

/// From a private use area.
const ESCAPE: u16 = 0xe000;
const FLIPPED: u16 = 0x8000;

/// No text is larger; a damaged file may unpack to more.
const MOST: u64 = 2 << 30;

/// The script that hands over a text.
pub(super) fn script(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Writing into memory cannot fail.
    let _ = encoder.write_all(text);
    script_of_bytes(&encoder.finish().unwrap_or_default())
}

fn script_of_bytes(bytes: &[u8]) -> Vec<u8> {
    // A pair of 32 needs the escape.
    let mut units = Vec::with_capacity(bytes.len() / 2 + bytes.len() / 32);
    for pair in bytes.chunks(2) {
        let unit = u16::from_le_bytes([pair[0], pair.get(1).copied().unwrap_or_default()]);
        if is_forbidden(unit) {
            units.extend([ESCAPE, unit ^ FLIPPED]);
        } else {
            units.push(unit);
        }
    }
    let (begin, end) = (format!("{}{}", begin(), bytes.len() % 2), end());
    let units = [utf16(&begin), units, utf16(&end)].concat();
    units.into_iter().flat_map(u16::to_le_bytes).collect()
}

/// The text of a script; `None` where it is damaged.
pub(super) fn text(script: &[u8]) -> Option<Vec<u8>> {
    let compressed = bytes_of(script)?;
    let mut text = Vec::new();
    ZlibDecoder::new(&compressed[..]).take(MOST).read_to_end(&mut text).ok()?;
    Some(text)
}

fn bytes_of(script: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = script.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    let units = units.strip_prefix(&*utf16(&begin()))?.strip_suffix(&*utf16(&end()))?;
    let (&unused, units) = units.split_first()?;
    let unused = [b'0', b'1'].into_iter().position(|digit| unused == u16::from(digit))?;
    let mut bytes = Vec::with_capacity(2 * units.len());
    let mut units = units.iter();
    while let Some(&unit) = units.next() {
        let unit = if unit == ESCAPE { units.next()? ^ FLIPPED } else { unit };
        bytes.extend(unit.to_le_bytes());
    }
    bytes.truncate(bytes.len().checked_sub(unused)?);
    rest.is_empty().then_some(bytes)
}

/// Line ends, `"` and `\` end or change the string, and a browser replaces half a surrogate pair.
fn is_forbidden(unit: u16) -> bool {
    /// All of ASCII up to here: one comparison, and no control characters.
    const BACKSLASH: u16 = 0x5c;
    unit <= BACKSLASH || matches!(unit, 0xd800..=0xdfff | ESCAPE)
}

/// What a script begins with, up to its string.
fn begin() -> String {
    format!("\u{feff}{CALL}\"")
}

fn end() -> String {
    format!("\"{END}")
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_bytes_comes_back() {
        let mut bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
        for _ in 0..2 {
            let script = script_of_bytes(&bytes);
            assert_eq!(bytes_of(&script).as_ref(), Some(&bytes));
            let (pairs, rest) = script.as_chunks::<2>();
            assert!(rest.is_empty());
            // Nothing is lost where a browser decodes it.
            let units: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
            let text = String::from_utf16(&units).unwrap();
            let string = text.strip_prefix(&begin()).unwrap().strip_suffix(&end()).unwrap();
            assert!(!string.contains(['"', '\\', '\r', '\n', '\0']));
            bytes.pop();
        }
    }

    #[test]
    fn every_length_comes_back() {
        for len in 0..300 {
            let bytes: Vec<u8> = (0..len).map(|n: u32| (n * 7 + n / 3).to_le_bytes()[0]).collect();
            assert_eq!(bytes_of(&script_of_bytes(&bytes)).as_ref(), Some(&bytes));
            assert_eq!(text(&script(&bytes)), Some(bytes));
        }
    }

    #[test]
    fn damage_is_noticed() {
        let tide = "the tide ".repeat(100).into_bytes();
        let whole = script(&tide);
        assert_eq!(text(b""), None);
        let mut noticed = 0;
        for at in 0..whole.len() {
            assert_eq!(text(&whole[..at]), None, "cut at {at}");
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            // A few bits of zlib's mean nothing.
            let opened = text(&damaged);
            assert!(opened.is_none() || opened.as_ref() == Some(&tide), "at {at}");
            noticed += usize::from(opened.is_none());
        }
        assert!(noticed + 3 > whole.len(), "{noticed} of {}", whole.len());
    }
}
