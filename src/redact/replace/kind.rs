//! What a file's bytes are, as far as redaction goes.

use crate::format;
use crate::redact::views::json::Strings;

/// Lines that are looked at to tell JSON lines from text with JSON in it.
const SAMPLE: usize = 32;

/// Bytes that are looked at to tell text from what is not.
const HEAD: usize = 8192;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentKind {
    /// One JSON value a line.
    Lines,
    /// One JSON value over several lines.
    Document,
    Text,
    Picture,
    /// Cannot be searched.
    Binary,
}

/// Tells by the content alone.
pub(crate) fn kind(bytes: &[u8]) -> ContentKind {
    if is_picture(bytes) {
        return ContentKind::Picture;
    }
    if is_lines(bytes) {
        return ContentKind::Lines;
    }
    let is_json = matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    if is_json && std::str::from_utf8(bytes).is_ok_and(|text| Strings::walk(text).is_some()) {
        return ContentKind::Document;
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let odd =
        head.iter().filter(|&&byte| byte < 9 || (14..32).contains(&byte) && byte != 0x1b).count();
    let is_binary = head.contains(&0) || odd * 10 > head.len();
    match is_binary {
        false => ContentKind::Text,
        // A session with a block that was never written, or what else a crash leaves.
        true if format::holds_entries(bytes) => ContentKind::Lines,
        true => ContentKind::Binary,
    }
}

/// At least half of the first lines are JSON objects or arrays.
fn is_lines(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let sample = bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .take(SAMPLE);
    let (mut lines, mut values) = (0usize, 0usize);
    for line in sample {
        lines += 1;
        let is_open = matches!(line[0], b'{' | b'[');
        let is_whole =
            |line| std::str::from_utf8(line).is_ok_and(|text| Strings::walk(text).is_some());
        // What the reader repairs counts, and several values on a line do.
        let is_value = is_open && (is_whole(line) || format::repaired_values(line).is_some());
        values += usize::from(is_value);
    }
    values > 0 && values * 2 >= lines
}

fn is_picture(bytes: &[u8]) -> bool {
    let starts: [&[u8]; 9] = [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"GIF87a",
        b"GIF89a",
        b"II*\0",
        b"MM\0*",
        b"\0\0\x01\0",
        b"\xff\x0a",
        b"\0\0\0\x0cJXL ",
    ];
    let is_riff = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let is_box = bytes.get(4..8) == Some(b"ftyp");
    let is_bitmap = bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4]);
    starts.iter().any(|start| bytes.starts_with(start)) || is_riff || is_box || is_bitmap
}
