//! Base64 runs: found without reading every byte, decoded when they are text.

use std::ops::Range;
use std::sync::LazyLock;

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, Encoding};

/// Shortest run that is looked into, in letters. What is shorter holds 17 bytes at most.
pub(crate) const MIN_RUN: usize = 24;

/// Letters that must decode to text before the rest is decoded.
const SAMPLE: usize = 24;

/// Shortest line of base64 that goes on in the next one, as `base64` and PEM break it.
const MIN_BROKEN: usize = 60;

static LETTERS: [bool; 256] = letters();

const fn letters() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
}

/// Whether base64 or base64url has this letter; padding is none.
pub(crate) fn is_letter(byte: u8) -> bool {
    LETTERS[usize::from(byte)]
}

/// The next run from `from` on. Looks at every 24th byte where no run is.
pub(crate) fn next(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut start = from;
    while start + MIN_RUN <= text.len() {
        let last = start + MIN_RUN - 1;
        let Some(gap) = text[start..=last].iter().rposition(|&byte| !is_letter(byte)) else {
            let more = text[last + 1..].iter().position(|&byte| !is_letter(byte));
            return Some(start..more.map_or(text.len(), |more| last + 1 + more));
        };
        start += gap + 1;
    }
    None
}

/// Letters at the run's start that are not of it: the `n` of an escape, a
/// diff's sign. `None` when the run is no text in any way.
pub(crate) fn text_offset(run: &[u8]) -> Option<usize> {
    (0..4).find(|&skip| {
        run.get(skip..skip + SAMPLE.min(run.len() - skip) / 4 * 4).is_some_and(is_text_sample)
    })
}

fn is_text_sample(letters: &[u8]) -> bool {
    let mut bytes = [0; SAMPLE / 4 * 3];
    let is_plain = |byte: &u8| matches!(byte, 0x20..0x7f | b'\n' | b'\r' | b'\t' | 0x1b);
    let is_text = |bytes: &[u8]| bytes.iter().all(|byte| is_plain(byte) || *byte >= 0x80);
    if letters.len() < 16 {
        return false;
    }
    // Most runs are none, which a few letters tell at less cost.
    let Some(head) = decoded_sample(&letters[..8], &mut bytes).filter(|head| is_text(head)) else {
        return false;
    };
    if std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some()) {
        return false;
    }
    let Some(bytes) = decoded_sample(letters, &mut bytes) else { return false };
    let wide = bytes.iter().filter(|byte| **byte >= 0x80).count();
    is_text(bytes)
        && (wide == 0
            || wide * 2 <= bytes.len() && std::str::from_utf8(&bytes[..bytes.len() - 3]).is_ok())
}

/// The bytes that letters of a sample stand for, be it base64 or base64url.
fn decoded_sample<'a>(letters: &[u8], bytes: &'a mut [u8; SAMPLE / 4 * 3]) -> Option<&'a [u8]> {
    let mut sample = [0; SAMPLE];
    for (slot, &letter) in sample.iter_mut().zip(letters) {
        *slot = match letter {
            b'-' => b'+',
            b'_' => b'/',
            _ => letter,
        };
    }
    let bytes = &mut bytes[..letters.len() / 4 * 3];
    let len = BASE64_NOPAD.decode_mut(&sample[..letters.len()], bytes).ok()?;
    Some(&bytes[..len])
}

/// Base64 and base64url whose last letter may say more than the last byte: what was cut.
static LENIENT: LazyLock<Option<[Encoding; 2]>> = LazyLock::new(|| {
    let lenient = |encoding: Encoding| {
        let mut specification = encoding.specification();
        specification.check_trailing_bits = false;
        specification.encoding().ok()
    };
    Some([lenient(BASE64_NOPAD)?, lenient(BASE64URL_NOPAD)?])
});

/// Letters that [`may_be_text`] looks at; of fewer it tells nothing.
pub(crate) const HEAD: usize = 16;

/// Whether the first letters stand for text without control signs, as far as a few of them tell.
pub(crate) fn may_be_text(letters: &[u8]) -> bool {
    let Some(first) = letters.get(..8).filter(|_| letters.len() >= HEAD) else { return true };
    let is_url = first.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let encoding = if is_url { BASE64URL_NOPAD } else { BASE64_NOPAD };
    let mut bytes = [0; 6];
    let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
    encoding.decode_mut(first, &mut bytes).is_ok()
        && std::str::from_utf8(&bytes).map_or_else(is_cut, |_| true)
        && !bytes.iter().any(u8::is_ascii_control)
}

/// The text that letters stand for. `None` when it is none.
pub(crate) fn decode(letters: &[u8]) -> Option<String> {
    // A lone letter at the end is what a cut left over.
    let whole = &letters[..letters.len() - usize::from(letters.len() % 4 == 1)];
    let is_url = whole.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let bytes = LENIENT.as_ref()?[usize::from(is_url)].decode(whole).ok()?;
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        // Cut within a character.
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            (bytes.len() - valid < 4 && valid > 0)
                .then(|| String::from_utf8_lossy(&bytes[..valid]).into_owned())
        }
    }
}

/// The lines of one base64 text that begins with `first`, padding included.
pub(crate) fn lines(text: &[u8], first: Range<usize>) -> Vec<Range<usize>> {
    let width = first.len();
    let mut lines = vec![first];
    while let Some(last) = lines.last_mut() {
        let is_whole = width >= MIN_BROKEN && width.is_multiple_of(4) && last.len() == width;
        let next = is_whole.then(|| line_break(text, last.end)).flatten();
        let Some(begin) = next else {
            last.end += text[last.end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
            break;
        };
        let len = text[begin..].iter().take(width + 1).take_while(|&&byte| is_letter(byte)).count();
        if len == 0 || len > width {
            break;
        }
        lines.push(begin..begin + len);
    }
    lines
}

/// Behind one line break, real or as letters.
fn line_break(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let breaks: [&[u8]; 5] = [b"\r\n", b"\n", b"\\r\\n", b"\\n", b"\\\\n"];
    let found = breaks.iter().find(|sign| rest.starts_with(sign))?;
    Some(at + found.len())
}

/// The text that lines of base64 stand for.
pub(crate) fn joined(text: &[u8], lines: &[Range<usize>]) -> Option<String> {
    let mut letters = Vec::with_capacity(lines.iter().map(Range::len).sum());
    for line in lines {
        letters.extend_from_slice(text[line.clone()].trim_ascii_end());
    }
    while letters.last() == Some(&b'=') {
        letters.pop();
    }
    decode(&letters)
}
