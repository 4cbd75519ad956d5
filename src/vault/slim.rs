//! Lines without their images and without texts of more than 64 KB.

use std::io::Write as _;

/// Texts that are longer are left out.
const LONGEST: usize = 64 << 10;

/// What is shorter is no image that is worth leaving out.
const SHORTEST_IMAGE: usize = 1 << 10;

/// How images begin in Base64: PNG, JPEG, GIF, WebP.
const IMAGES: [&[u8]; 5] = [b"iVBORw0KGgo", b"/9j/", b"R0lGOD", b"UklGR", b"data:image/"];

/// The same JSON with a short text in place of each that is left out; `None` where there is none.
pub(super) fn slim(source: &[u8]) -> Option<Vec<u8>> {
    let mut slim = Vec::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(start) = memchr::memchr(b'"', &source[from..]).map(|at| from + at + 1) {
        let end = end_of_text(source, start)?;
        let text = &source[start..end];
        if let Some(what) = left_out(text) {
            slim.extend_from_slice(&source[copied..start]);
            let _ = write!(slim, "[{what} of {} bytes, not kept by leafpress]", text.len());
            copied = end;
        }
        from = end + 1;
    }
    if copied == 0 {
        return None;
    }
    slim.extend_from_slice(&source[copied..]);
    Some(slim)
}

fn left_out(text: &[u8]) -> Option<&'static str> {
    if text.len() > SHORTEST_IMAGE && IMAGES.iter().any(|image| text.starts_with(image)) {
        return Some("image");
    }
    (text.len() > LONGEST).then_some("text")
}

/// Where the quotation mark behind a JSON text stands; `None` where there is none.
fn end_of_text(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr::memchr2(b'"', b'\\', source.get(at..)?)?;
        if source[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_and_images_are_left_out() {
        let long = "x".repeat(LONGEST + 1);
        let image = format!("iVBORw0KGgo{}", "A".repeat(2000));
        let lines = format!(
            "{{\"a\":\"{long}\",\"b\":\"quoted \\\" mark\"}}\n{{\"c\":[\"{image}\",\"iVBORw0KGgo\"]}}\n"
        );
        let slim = String::from_utf8(slim(lines.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            slim,
            "{\"a\":\"[text of 65537 bytes, not kept by leafpress]\",\"b\":\"quoted \\\" mark\"}\n\
             {\"c\":[\"[image of 2011 bytes, not kept by leafpress]\",\"iVBORw0KGgo\"]}\n"
        );
    }

    #[test]
    fn what_is_short_or_no_json_stays() {
        assert_eq!(slim(b"{\"a\":\"b\"}\n"), None);
        assert_eq!(slim(b"\"never closed"), None);
        assert_eq!(slim(b"\"ends with \\"), None);
    }
}
