//! The session file itself, compressed, for whoever wants to see an entry as it was written.

use std::fmt::{self, Write as _};
use std::io::Write as _;

use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use memchr::memmem;

use crate::session::Session;
use crate::session::json::Json;

/// A chunk holds whole lines, at least this many bytes of them unless it is
/// the last: small enough that the one with the line asked for opens at once,
/// large enough to compress.
const CHUNK_BYTES: usize = 256 * 1024;

/// The file as JSON `{"chunks": [{"first": line, "data": base64 of zlib}]}`;
/// a chunk's lines are joined by newlines, `first` counts from 1.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    /// Lines that stay blank, ascending.
    left_out: &'a [u32],
}

impl<'a> Source<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Source { bytes: session.source(), left_out: session.left_out() }
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"chunks\":[")?;
        for (nth, chunk) in chunks(self.bytes).enumerate() {
            let comma = if nth > 0 { "," } else { "" };
            write!(f, "{comma}{{\"first\":{},\"data\":\"", chunk.first)?;
            // Compressing into memory cannot fail.
            f.write_str(&BASE64.encode(&compressed(&chunk, self.left_out).unwrap_or_default()))?;
            f.write_str("\"}")?;
        }
        f.write_str("]}")
    }
}

impl askama::filters::HtmlSafe for Source<'_> {}

struct Chunk<'a> {
    /// The number of its first line.
    first: usize,
    bytes: &'a [u8],
}

fn chunks(bytes: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let (mut rest, mut next_line) = (bytes, 1);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = rest.get(CHUNK_BYTES..).and_then(|after| after.iter().position(|b| *b == b'\n'));
        let end = cut.map_or(rest.len(), |at| CHUNK_BYTES + at + 1);
        let (chunk, after) = rest.split_at(end);
        rest = after;
        let first = next_line;
        next_line += memchr::memchr_iter(b'\n', chunk).count();
        Some(Chunk { first, bytes: chunk })
    })
}

fn compressed(chunk: &Chunk<'_>, left_out: &[u32]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for (line, number) in chunk.bytes.split_inclusive(|b| *b == b'\n').zip(chunk.first..) {
        if u32::try_from(number).is_ok_and(|number| left_out.binary_search(&number).is_ok()) {
            encoder.write_all(b"\n")?;
            continue;
        }
        match without_credential(line) {
            Some(line) => encoder.write_all(line.as_bytes())?,
            None => encoder.write_all(line)?,
        }
    }
    encoder.finish()
}

/// The line of a `credential_pin` without its hash, which would tell that two
/// pages come from one account; `None` for every other line.
fn without_credential(line: &[u8]) -> Option<String> {
    /// Cheaper than parsing each line; texts that mention it are sorted out below.
    const NAME: &[u8] = b"credential_pin";
    memmem::find(line, NAME)?;
    let text = String::from_utf8_lossy(line);
    let Ok(Json::Object(mut fields)) = serde_json::from_str(text.trim_end()) else {
        // Broken, so nobody can say where the hash is.
        return text.contains("\"hash\"").then(|| "\n".to_owned());
    };
    let is_pin =
        fields.iter().any(|(key, value)| key == "type" && value.as_str() == Some("credential_pin"));
    is_pin.then(|| {
        fields.retain(|(key, _)| key != "hash");
        let mut line = String::new();
        let _ = writeln!(line, "{}", Json::Object(fields).compact());
        line
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn opened_without(left_out: &[u32], bytes: &[u8]) -> (Vec<usize>, Vec<u8>) {
        let json: serde_json::Value =
            serde_json::from_str(&Source { bytes, left_out }.to_string()).unwrap();
        let mut whole = Vec::new();
        let mut firsts = Vec::new();
        for chunk in json["chunks"].as_array().unwrap() {
            let data = BASE64.decode(chunk["data"].as_str().unwrap().as_bytes()).unwrap();
            flate2::read::ZlibDecoder::new(&data[..]).read_to_end(&mut whole).unwrap();
            firsts.push(usize::try_from(chunk["first"].as_u64().unwrap()).unwrap());
        }
        (firsts, whole)
    }

    fn opened(bytes: &[u8]) -> (Vec<usize>, Vec<u8>) {
        opened_without(&[], bytes)
    }

    #[test]
    fn lines_that_were_put_away_are_blank() {
        assert_eq!(opened_without(&[2, 3], b"a\nb\nc\nd").1, b"a\n\n\nd");
    }

    #[test]
    fn the_file_comes_back_byte_for_byte() {
        let line = "{\"type\":\"message\",\"text\":\"</script> ü\"}\r\n".repeat(20_000);
        let file = line + "torn \u{0}";
        let (firsts, whole) = opened(file.as_bytes());
        assert!(firsts.len() > 2, "{firsts:?}");
        assert_eq!(whole, file.as_bytes());
        for first in firsts {
            assert!(file.split('\n').nth(first - 1).is_some());
        }
        assert_eq!(opened(b"").1, b"");
    }

    #[test]
    fn a_credential_keeps_its_hash_to_itself() {
        let file = "{\"type\":\"credential_pin\",\"id\":\"a\",\"hash\":\"0f0f\"}\n{\"text\":\"credential_pin hash\"}\n\
                    {\"type\":\"credential_pin\",\"hash\":\"0f0f\n";
        let whole = String::from_utf8(opened(file.as_bytes()).1).unwrap();
        assert!(!whole.contains("0f0f") && whole.contains("credential_pin hash"), "{whole}");
        assert_eq!(whole.split('\n').count(), 4, "lines keep their numbers");
    }
}
