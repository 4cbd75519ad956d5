//! Sessions packed by gzip, as `omp gc` leaves cold ones.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use crate::error::Error;

/// More than this is not unpacked.
const MAX_BYTES: u64 = 2 << 30;

/// The bytes themselves, or what they hold when they begin as gzip does.
pub(super) fn unpacked(source: Vec<u8>) -> Result<Vec<u8>, Error> {
    unpacked_up_to(source, MAX_BYTES)
}

fn unpacked_up_to(source: Vec<u8>, max: u64) -> Result<Vec<u8>, Error> {
    if !source.starts_with(b"\x1f\x8b\x08") {
        return Ok(source);
    }
    let mut plain = Vec::new();
    let mut packed = MultiGzDecoder::new(source.as_slice()).take(max + 1);
    packed.read_to_end(&mut plain).map_err(|error| {
        let size = plain.len();
        Error::Gzip(format!("{error}, {size} bytes in; `gzip -dc` gives what can still be read"))
    })?;
    if plain.len() as u64 > max {
        return Err(Error::Gzip(format!("it holds more than {} MB", max >> 20)));
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn plain_and_packed_give_the_same() {
        assert_eq!(unpacked(b"plain".to_vec()).unwrap(), b"plain");
        assert_eq!(unpacked(packed(b"plain")).unwrap(), b"plain");
        // Two packs one after the other are one file.
        assert_eq!(unpacked([packed(b"a\n"), packed(b"b\n")].concat()).unwrap(), b"a\nb\n");
    }

    #[test]
    fn what_is_broken_or_too_large_is_an_error() {
        let whole = packed(&[b'x'; 5000]);
        let torn = whole[..whole.len() - 6].to_vec();
        assert!(matches!(unpacked(torn), Err(Error::Gzip(_))));
        assert!(matches!(unpacked_up_to(whole.clone(), 4999), Err(Error::Gzip(_))));
        assert!(unpacked_up_to(whole, 5000).is_ok());
        assert!(matches!(unpacked(b"\x1f\x8b\x08".to_vec()), Err(Error::Gzip(_))));
    }
}
