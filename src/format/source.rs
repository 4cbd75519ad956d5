//! All of a session or a page: decompressed, up to a limit, and given up early where no session
//! can come of it.

use std::io::Read;

use crate::session::Format;
use crate::session::text::bytes;

use super::compressed::Compression;
use super::decode::{Limit, SourceError, all, decompress};
use super::probe::{OBJECTS, Probe};
use super::utf16::from_utf16;
use super::{ReadError, SQLITE, cut_header, is_page, taken_for};

/// A session, unpacked; `size` is that of the file where it is known.
pub(crate) fn read(
    from: impl Read,
    size: Option<u64>,
    format: Option<Format>,
    limit: Limit,
) -> Result<Vec<u8>, SourceError> {
    let mut from = from;
    let mut start = Vec::new();
    from.by_ref().take(Compression::START as u64).read_to_end(&mut start)?;
    let from = start.as_slice().chain(from);
    if let Some(compression) = Compression::of(&start) {
        return decompress(compression, from, limit, |head| hopeless(head, format));
    }
    size.map_or(Ok(()), |size| limit.check(size))?;
    let is_hopeless = |head: &[u8]| match from_utf16(head) {
        Some(head) => hopeless(&head, format),
        None => hopeless(head, format),
    };
    let bytes = all(from, size, is_hopeless, |_, size| limit.check(size))?;
    Ok(from_utf16(&bytes).unwrap_or(bytes))
}

/// A page; one that is packed is none.
#[cfg(feature = "cli")]
pub(crate) fn read_page(
    from: impl Read,
    size: Option<u64>,
    limit: Limit,
) -> Result<Vec<u8>, SourceError> {
    size.map_or(Ok(()), |size| limit.check(size))?;
    // A page has a script in its head, however it was tidied.
    let is_none = |head: &[u8]| {
        let has_script = memchr::memchr_iter(b'<', head).any(|at| {
            head.get(at + 1..at + 7).is_some_and(|name| name.eq_ignore_ascii_case(b"script"))
        });
        (!has_script).then_some(ReadError::NoPage)
    };
    all(from, size, is_none, |_, size| limit.check(size))
}

/// Whether the bytes are a ZIP archive; an empty one begins with its end.
// PKWARE's APPNOTE, 4.3.7 and 4.3.16.
pub(super) fn is_zip(source: &[u8]) -> bool {
    source.starts_with(b"PK\x03\x04") || source.starts_with(b"PK\x05\x06")
}

/// Why nothing behind this beginning can make a session of it.
fn hopeless(head: &[u8], format: Option<Format>) -> Option<ReadError> {
    let nothing = |found| Some(ReadError::NoEntries { found });
    if is_page(head) {
        return Some(ReadError::IsPage);
    }
    if is_zip(head) {
        return Some(ReadError::Zip);
    }
    if head.starts_with(SQLITE) {
        return Some(ReadError::IsDatabase);
    }
    if memchr::memchr(b'{', head).is_none() {
        return nothing(format!("the first {} contain no `{{`", bytes(head.len())));
    }
    let probe = Probe::new(head);
    if probe.lines.is_empty() && probe.whole.is_none() && is_binary(head) {
        return nothing(format!("the first {} are not text", bytes(head.len())));
    }
    if format.is_some() || cut_header::facts(head).is_some() || probe.lines.len() < OBJECTS {
        return None;
    }
    // As many objects as ever decide: more of the file would tell nothing else.
    taken_for(&probe).err()
}

/// Whether more than half of it is no text: control characters, and bytes that are not UTF-8.
fn is_binary(head: &[u8]) -> bool {
    let mut odd = 0;
    for chunk in head.utf8_chunks() {
        let control = |c: &u8| c.is_ascii_control() && !c.is_ascii_whitespace();
        odd +=
            chunk.invalid().len() + chunk.valid().as_bytes().iter().filter(|c| control(c)).count();
    }
    odd > head.len() / 2
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write as _};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::format::decode::{HEAD_BYTES, STEP_BYTES, decompressed};

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn told(read: Result<Vec<u8>, SourceError>) -> Result<usize, String> {
        read.map(|bytes| bytes.len()).map_err(|error| match error {
            SourceError::Io(error) => error.to_string(),
            SourceError::Content(error) => error.to_string(),
        })
    }

    fn read_up_to(source: &[u8], limit: u64) -> Result<usize, String> {
        told(read(source, None, None, Limit::given(limit)))
    }

    #[test]
    fn utf_16_is_read_as_what_it_says() {
        let text = "{\"type\":\"session\",\"id\":\"s\"}\r\n{\"a\":\"Ebbe 🌊 ü\"}\n";
        let little = || text.encode_utf16().flat_map(u16::to_le_bytes);
        let big = || text.encode_utf16().flat_map(u16::to_be_bytes);
        let with = |mark: [u8; 2], units: Vec<u8>| [&mark[..], &units].concat();
        for bytes in [
            little().collect::<Vec<u8>>(),
            big().collect(),
            with([0xff, 0xfe], little().collect()),
            with([0xfe, 0xff], big().collect()),
        ] {
            let torn = [&bytes[..], b"x"].concat();
            for bytes in [bytes, torn] {
                assert_eq!(decompressed(bytes.clone()).unwrap(), text.as_bytes());
                let read = read(bytes.as_slice(), None, None, Limit::default()).unwrap();
                assert_eq!(read, text.as_bytes());
            }
        }
        for plain in [&b"{}"[..], b"{\0", b"", b"\xff", b"{\"a\":1}"] {
            assert_eq!(from_utf16(plain), None);
        }
    }

    #[test]
    fn plain_and_packed_give_the_same() {
        assert_eq!(decompressed(b"plain".to_vec()).unwrap(), b"plain");
        assert_eq!(decompressed(packed(b"plain")).unwrap(), b"plain");
        // Two packs one after the other are one file.
        let two = [packed(b"a\n"), packed(b"b\n")].concat();
        assert_eq!(decompressed(two.clone()).unwrap(), b"a\nb\n");
        let read = read(&two[..], Some(two.len() as u64), None, Limit::default());
        assert_eq!(told(read), Ok(4));
    }

    #[test]
    fn what_is_broken_or_too_large_is_an_error() {
        let whole = packed(&[b'x'; 5000]);
        let torn = whole[..whole.len() - 6].to_vec();
        assert!(matches!(decompressed(torn), Err(ReadError::Decompress { .. })));
        assert!(matches!(
            decompressed(b"\x1f\x8b\x08".to_vec()),
            Err(ReadError::Decompress { .. })
        ));
        let too_large = |size| Err(format!("it is larger than {size}"));
        assert_eq!(read_up_to(&whole, 4999), too_large("5 KB"));
        assert_eq!(read_up_to(&whole, 5000), Ok(5000));
        assert_eq!(read_up_to(&[b'x'; 5000], 4999), too_large("5 KB"));
        assert_eq!(read_up_to(&[b'x'; 5000], 5000), Ok(5000));
        let known = read(io::empty(), Some((2 << 30) + 1), None, Limit::default());
        assert_eq!(told(known), too_large("2 GiB"));
    }

    #[test]
    fn files_around_the_steps_are_read_whole() {
        let step = usize::try_from(STEP_BYTES).unwrap();
        for size in [HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, HEAD_BYTES + step] {
            let line = b"{\"type\":\"session\",\"id\":\"s\"}\n";
            let source = line.repeat(size / line.len() + 1);
            assert_eq!(read_up_to(&source[..size], u64::MAX), Ok(size));
            assert_eq!(read_up_to(&source[..size], size as u64), Ok(size));
            assert!(read_up_to(&source[..size], size as u64 - 1).is_err());
        }
    }

    /// Zeros that a crash left, a long first line, a whole object over many lines: no limit is for them.
    #[test]
    fn what_may_be_a_session_is_read_to_its_end() {
        let line = b"{\"type\":\"session\",\"id\":\"s\"}\n".to_vec();
        let zeros = vec![0; 3 << 20];
        let lines = line.repeat((3 << 20) / line.len());
        let one = [b"{\"text\":\"".to_vec(), vec![b'x'; 6 << 20]].concat();
        for source in [[&zeros[..], &lines].concat(), [&lines[..], &zeros].concat(), one] {
            assert_eq!(read_up_to(&source, u64::MAX), Ok(source.len()));
        }
        let unknown = b"{\"a\":1}\n".repeat(1 << 20);
        assert!(read_up_to(&unknown, u64::MAX).unwrap_err().starts_with("unknown session format"));
        let named = read(&unknown[..], None, Some(Format::Pi), Limit::default());
        assert_eq!(told(named), Ok(unknown.len()));
    }

    #[test]
    fn a_pack_that_bursts_is_read_when_somebody_says_so() {
        let header = b"{\"type\":\"session\",\"id\":\"s\"}\n";
        let zeros = packed(&vec![0; 16 << 20]).repeat(5);
        let packed = [packed(header), zeros].concat();
        let read = |limit| told(read(&packed[..], None, None, limit));
        assert!(read(Limit::default()).unwrap_err().contains("100 times its size"));
        assert_eq!(read(Limit::given(1 << 30)), Ok(header.len() + (80 << 20)));
    }
}
