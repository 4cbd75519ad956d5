//! Which image some bytes are, whatever their name or author states.

/// The type without `image/`, by the first bytes. Text is none of them, so SVG is not either.
pub(crate) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    let has = |at: usize, magic: &[u8]| bytes.get(at..at + magic.len()) == Some(magic);
    if has(0, b"\x89PNG\r\n\x1a\n") {
        Some("png")
    } else if has(0, b"\xff\xd8\xff") {
        Some("jpeg")
    } else if has(0, b"GIF87a") || has(0, b"GIF89a") {
        Some("gif")
    } else if has(0, b"RIFF") && has(8, b"WEBP") {
        Some("webp")
    } else {
        by_brand(bytes)
    }
}

/// AVIF and HEIF say what they are in the brands of their first box (ISO/IEC 23008-12, 10.2).
fn by_brand(bytes: &[u8]) -> Option<&'static str> {
    let (head, _) = bytes.split_first_chunk::<8>()?;
    let len = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
    let brands = bytes.get(8..len.min(bytes.len()))?;
    // The second word is a version.
    let brands =
        || brands.chunks(4).enumerate().filter(|(nth, _)| *nth != 1).map(|(_, brand)| brand);
    let is_avif = |brand: &[u8]| matches!(brand, b"avif" | b"avis");
    let is_heif = |brand: &[u8]| {
        matches!(
            brand,
            b"mif1"
                | b"msf1"
                | b"heic"
                | b"heix"
                | b"heim"
                | b"heis"
                | b"hevc"
                | b"hevx"
                | b"hevm"
                | b"hevs"
        )
    };
    match head.ends_with(b"ftyp") {
        true if brands().any(is_avif) => Some("avif"),
        true if brands().any(is_heif) => Some("heif"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_type() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\nx"[..], Some("png")),
            (b"\xff\xd8\xff\xe0", Some("jpeg")),
            (b"GIF89a", Some("gif")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some("webp")),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"\0\0\0\x18ftypmif1\0\0\0\0miafavif", Some("avif")),
            (b"\0\0\0\x14ftypheicavifheic", Some("heif")),
            (b"\0\0\0\x18ftypisom\0\0\0\0isommp41", None),
            (b"\0\0\0\x08ftyp", None),
            (b"\0\0\0\x03ftypheic", None),
            (b"avif", None),
            (b"TOKEN=1", None),
            (b"<svg", None),
            (b"", None),
        ] {
            assert_eq!(image_type(bytes), expected, "{}", bytes.escape_ascii());
        }
    }
}
