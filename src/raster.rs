//! Raster pictures: what the data says of itself, whatever its author states.

use std::borrow::Cow;
use std::sync::LazyLock;

use data_encoding::{Encoding, Specification};

use crate::session::image_type::image_type;

/// What a page may say of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageFacts {
    /// The type without `image/`.
    pub(crate) kind: &'static str,
    /// Width and height, where its head is whole.
    pub(crate) size: Option<(usize, usize)>,
    /// The length of the data, decoded.
    pub(crate) bytes: usize,
}

/// Why a picture is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Missing,
    Damaged,
    NoRaster,
}

impl Refusal {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Refusal::Missing => "its data is missing",
            Refusal::Damaged => "its data is damaged",
            Refusal::NoRaster => "its data is not PNG, JPEG, GIF, WebP or AVIF",
        }
    }
}

/// Base64 as a browser reads it in an address: padding may be absent, the
/// bits after the last byte do not count. The alphabet for URLs is refused.
static BASE64: LazyLock<Encoding> = LazyLock::new(|| {
    let mut base64 = Specification::new();
    base64.symbols.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    base64.check_trailing_bits = false;
    base64.encoding().unwrap_or(data_encoding::BASE64_NOPAD)
});

/// The data without the blanks and line ends that some programs put into base64.
pub(crate) fn without_blanks(data: &str) -> Cow<'_, str> {
    if data.bytes().any(|byte| byte.is_ascii_whitespace()) {
        Cow::Owned(data.chars().filter(|c| !c.is_ascii_whitespace()).collect())
    } else {
        Cow::Borrowed(data)
    }
}

/// Looks into base64 without blanks.
pub(crate) fn read(data: &str) -> Result<ImageFacts, Refusal> {
    if data.is_empty() {
        return Err(Refusal::Missing);
    }
    let body = data.trim_end_matches('=');
    let padding = data.len() - body.len();
    if padding > 2 || (padding > 0 && !data.len().is_multiple_of(4)) {
        return Err(Refusal::Damaged);
    }
    let bytes = BASE64.decode(body.as_bytes()).map_err(|_| Refusal::Damaged)?;
    let kind = kind(&bytes).ok_or(Refusal::NoRaster)?;
    let size = imagesize::blob_size(&bytes).ok().map(|size| (size.width, size.height));
    Ok(ImageFacts { kind, size: size.filter(|size| size.0 > 0 && size.1 > 0), bytes: bytes.len() })
}

/// The type, of those that a browser draws without running or fetching anything.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    image_type(bytes).filter(|kind| *kind != "heif")
}

/// Whether the author of a file means `kind` by this MIME type.
pub(crate) fn is_called(kind: &str, mime_type: &str) -> bool {
    let stated = mime_type.strip_prefix("image/").unwrap_or(mime_type);
    stated == kind || (kind == "jpeg" && stated == "jpg")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pixel.
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    #[test]
    fn the_data_tells_type_size_and_length() {
        assert_eq!(read(PNG), Ok(ImageFacts { kind: "png", size: Some((1, 1)), bytes: 70 }));
        assert_eq!(read(PNG.trim_end_matches('=')), read(PNG));
        let gif = read("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
        assert_eq!(gif.map(|facts| (facts.kind, facts.size)), Ok(("gif", Some((1, 1)))));
        assert_eq!(read("iVBORw0KGgo=").map(|facts| facts.size), Ok(None), "a head cut short");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for (data, refusal) in [
            ("", Refusal::Missing),
            ("iVBORw0KGg-_", Refusal::Damaged),
            ("iVBOR", Refusal::Damaged),
            ("iVBORw0KGgo==", Refusal::Damaged),
            ("====", Refusal::Damaged),
            ("\"><script>", Refusal::Damaged),
            // `<svg xmlns="…">` and `<html>`.
            ("PHN2ZyB4bWxucz0i", Refusal::NoRaster),
            ("PGh0bWw+", Refusal::NoRaster),
            ("AAAA", Refusal::NoRaster),
            // A box that says it is longer than all there is.
            ("/////2Z0eXBoZWlj", Refusal::NoRaster),
        ] {
            assert_eq!(read(data), Err(refusal), "{data}");
        }
        assert_eq!(without_blanks(" iV\nBO\r\nR \t"), "iVBOR");
    }
}
