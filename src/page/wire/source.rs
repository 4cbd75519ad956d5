//! The session's files, compressed, for whoever wants to see an entry as it was written.
//!
//! Two elements of one form: `#source` is the session's own file, which its chunks and the lines in
//! packs give back byte for byte (but for lines that are not to be shown); `#child-sources` holds the files of
//! its sub-sessions, one behind the other in their order, with the numbers of their lines
//! running on, and says whose lines begin where. Lines that lie in packs, beside the articles of their
//! entries, are blank in both.

use std::io::{self, Write as _};

use serde::Serialize;

use crate::byte_search;
use crate::session::Session;
use crate::workers::{Threads, Workers};

use super::packed;
use super::source_lines::{PackedLines, needs_newline, newlines, without_credential};

/// A chunk holds whole lines, at least this many bytes of them unless it is
/// the last: small enough that the one with the line asked for opens at once,
/// large enough to compress.
const CHUNK_BYTES: usize = 512 * 1024;

/// Files as JSON `{"chunks": [{"first": line, "data": packed}]}`;
/// a chunk's lines are joined by newlines, `first` counts from 1. Where there are several,
/// `"files": [{"key": key, "first": line, "torn": bool}]` is before the chunks. `"packed"` is how many
/// lines lie in packs, and `"newlines"` how many newlines there are, so that a page which has lost a pack or
/// a chunk gives back no shorter file.
pub(crate) struct Source<'a> {
    /// How many lines lie in packs.
    packed: usize,
    /// How many newlines all chunks have.
    newlines: usize,
    chunks: Vec<Chunk<'a>>,
    starts: Vec<Start<'a>>,
}

/// Where a file begins.
#[derive(Debug, Serialize)]
struct Start<'a> {
    /// Of its session.
    key: &'a str,
    /// The number of its first line in the element.
    first: usize,
    /// It ends without a newline, and has got one, as another follows.
    torn: bool,
}

#[derive(Debug, Clone, Copy)]
struct File<'a> {
    /// Of its session, where there are several files.
    key: Option<&'a str>,
    bytes: &'a [u8],
    /// Lines that stay blank, ascending.
    left_out: &'a [u32],
    /// For each line whether it lies in a pack; nothing where none does.
    in_packs: &'a [bool],
}

impl File<'_> {
    /// Whether a line, by its number from 1, is left blank here.
    fn is_blank(&self, number: usize) -> bool {
        self.in_packs.get(number - 1) == Some(&true)
            || u32::try_from(number)
                .is_ok_and(|number| self.left_out.binary_search(&number).is_ok())
    }
}

/// Some whole lines, of one file or of several short ones.
#[derive(Debug)]
struct Chunk<'a> {
    /// The number of its first line in the element.
    first: usize,
    parts: Vec<Part<'a>>,
}

#[derive(Debug)]
struct Part<'a> {
    lines: File<'a>,
    /// The number of its first line in the file.
    first: usize,
    /// The file ends without a newline, and another follows.
    needs_newline: bool,
}

impl<'a> Source<'a> {
    /// The session's own file.
    pub(crate) fn new(session: &'a Session, packed: &'a PackedLines<'_>) -> Self {
        Source::of(&[File {
            key: None,
            bytes: session.source(),
            left_out: session.left_out(),
            in_packs: packed.of_file(0),
        }])
    }

    /// Those of its sub-sessions, if there are any.
    pub(crate) fn of_children(session: &'a Session, packed: &'a PackedLines<'_>) -> Option<Self> {
        let files = session.sub_sessions().iter().zip(1..);
        let files = files.map(|(sub, file)| File {
            key: Some(&sub.key),
            bytes: sub.source(),
            left_out: sub.left_out(),
            in_packs: packed.of_file(file),
        });
        let source = Source::of(&files.collect::<Vec<_>>());
        (!source.chunks.is_empty()).then_some(source)
    }

    fn of(files: &[File<'a>]) -> Self {
        let in_packs = files.iter().flat_map(|file| file.in_packs);
        let packed = in_packs.filter(|is_packed| **is_packed).count();
        let (mut chunks, mut starts) = (Vec::new(), Vec::new());
        let mut chunk = Chunk { first: 1, parts: Vec::new() };
        let (mut room, mut next) = (CHUNK_BYTES, 1);
        let mut files = files.iter().filter(|file| !file.bytes.is_empty()).peekable();
        while let Some(file) = files.next() {
            let (mut rest, mut first) = (file.bytes, 1);
            let torn = needs_newline(file.bytes) && files.peek().is_some();
            starts.extend(file.key.map(|key| Start { key, first: next, torn }));
            while !rest.is_empty() {
                let cut = rest.get(room..).and_then(|after| memchr::memchr(b'\n', after));
                let (bytes, after) = rest.split_at(cut.map_or(rest.len(), |at| room + at + 1));
                rest = after;
                let needs_newline = rest.is_empty() && torn;
                let lines = File { bytes, ..*file };
                chunk.parts.push(Part { lines, first, needs_newline });
                first += newlines(bytes);
                next += newlines(bytes) + usize::from(needs_newline);
                room = room.saturating_sub(bytes.len());
                if room == 0 {
                    let full =
                        std::mem::replace(&mut chunk, Chunk { first: next, parts: Vec::new() });
                    chunks.push(full);
                    room = CHUNK_BYTES;
                }
            }
        }
        if !chunk.parts.is_empty() {
            chunks.push(chunk);
        }
        Source { packed, newlines: next - 1, chunks, starts }
    }

    pub(crate) fn chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Writes the JSON. `each_size` gets what each of its chunks takes.
    pub(crate) fn write(
        &self,
        threads: Threads,
        out: &mut impl io::Write,
        mut each_size: impl FnMut(usize),
    ) -> io::Result<()> {
        let Source { packed: lines_in_packs, newlines, chunks, starts } = self;
        write!(out, "{{")?;
        if !starts.is_empty() {
            // In a script no text may end it. Keys are encoded; this holds for any.
            let starts = serde_json::to_string(starts)?;
            write!(out, "\"files\":{},", starts.replace('<', "\\u003c"))?;
        }
        write!(out, "\"packed\":{lines_in_packs},\"newlines\":{newlines},\"chunks\":[")?;
        let packed = |(): &mut (), nth: usize| {
            (nth, packed::encode_streamed(|into| chunks[nth].write(into)))
        };
        Workers::new(threads, || ()).run(chunks.len(), packed, |(nth, data)| {
            each_size(data.len());
            let comma = if nth > 0 { "," } else { "" };
            write!(out, "{comma}{{\"first\":{},\"data\":\"{data}\"}}", chunks[nth].first)
        })?;
        write!(out, "]}}")
    }
}

impl Chunk<'_> {
    fn write(&self, into: &mut dyn io::Write) -> io::Result<()> {
        // Whole chunks compress a little better than what comes line by line.
        let mut into = io::BufWriter::with_capacity(CHUNK_BYTES, into);
        for Part { lines, first, needs_newline } in &self.parts {
            write_lines(&mut into, lines, *first)?;
            if *needs_newline {
                into.write_all(b"\n")?;
            }
        }
        // Not by `flush`, which would end a block of zlib's, too.
        into.into_inner()?;
        Ok(())
    }
}

fn write_lines(into: &mut dyn io::Write, file: &File<'_>, first: usize) -> io::Result<()> {
    for (line, number) in byte_search::lines(file.bytes).zip(first..) {
        let line = &file.bytes[line];
        // What ends the line stays, or nothing, so that lines keep their numbers.
        let (content, end) = line.split_at(line.len() - usize::from(line.ends_with(b"\n")));
        if file.is_blank(number) {
            into.write_all(end)?;
            continue;
        }
        match without_credential(content) {
            Some(content) => into.write_all(content.as_bytes())?,
            None => into.write_all(content)?,
        }
        into.write_all(end)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chunks, each with the number of its first line.
    fn chunks(files: &[File<'_>]) -> Vec<(usize, Vec<u8>)> {
        let mut json = Vec::new();
        Source::of(files).write(Threads::of(2), &mut json, |_| {}).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let opened = json["chunks"].as_array().unwrap().iter().map(|chunk| {
            let bytes = packed::decode(chunk["data"].as_str().unwrap(), 1 << 30).unwrap();
            (usize::try_from(chunk["first"].as_u64().unwrap()).unwrap(), bytes)
        });
        opened.collect()
    }

    fn opened_without(left_out: &[u32], bytes: &[u8]) -> (Vec<usize>, Vec<u8>) {
        let (firsts, parts): (_, Vec<_>) =
            chunks(&[File { key: None, bytes, left_out, in_packs: &[] }]).into_iter().unzip();
        (firsts, parts.concat())
    }

    fn opened(bytes: &[u8]) -> (Vec<usize>, Vec<u8>) {
        opened_without(&[], bytes)
    }

    #[test]
    fn files_lie_behind_one_another_with_their_lines_counted_on() {
        let long: String =
            (1..=100_000).flat_map(|nth: u32| [nth.to_string(), "\n".to_owned()]).collect();
        let file = |bytes, left_out| File { key: None, bytes, left_out, in_packs: &[] };
        let chunks = chunks(&[
            file(b"a\nb", &[]),
            file(b"", &[]),
            file(b"c\nd\n", &[2]),
            file(long.as_bytes(), &[]),
            file(b"e", &[]),
        ]);
        let [(1, first), (second, rest)] = chunks.as_slice() else { panic!("two chunks") };
        assert!(first.starts_with(b"a\nb\nc\n\n1\n2\n") && rest.ends_with(b"\ne"));
        let line = String::from_utf8_lossy(rest).lines().next().unwrap().to_owned();
        assert_eq!(line, (second - 4).to_string(), "four lines are before the long file");
    }

    #[test]
    fn lines_that_were_put_away_are_blank() {
        assert_eq!(opened_without(&[2, 3], b"a\nb\nc\nd").1, b"a\n\n\nd");
    }

    #[test]
    fn the_file_comes_back_byte_for_byte() {
        let line = "{\"type\":\"message\",\"text\":\"</script> ü\"}\r\n".repeat(30_000);
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
    fn a_long_line_comes_back_byte_for_byte() {
        let zeros = vec![0; 2 << 20];
        let file = [b"{\"id\":\"a\"}\n", zeros.as_slice(), b"\n{}"].concat();
        assert_eq!(opened_without(&[1], &file).1, file[10..]);
    }

    #[test]
    fn a_credential_keeps_its_hash_to_itself() {
        let file = "{\"type\":\"credential_pin\",\"id\":\"a\",\"hash\":\"0f0f\"}\n{\"text\":\"credential_pin hash\"}\n\
                    {\"type\":\"credential_pin\",\"hash\":\"0f0f\n";
        let whole = String::from_utf8(opened(file.as_bytes()).1).unwrap();
        assert!(!whole.contains("0f0f") && whole.contains("credential_pin hash"), "{whole}");
        assert_eq!(whole.split('\n').count(), 4, "lines keep their numbers");
        let torn = "{\"type\":\"credential_pin\",\"hash\":\"0f0f\"}";
        assert_eq!(opened(torn.as_bytes()).1, b"{\"type\":\"credential_pin\"}", "and their ends");
        assert_eq!(opened_without(&[2], b"a\nb").1, b"a\n");
    }
}
