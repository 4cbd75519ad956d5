//! From a file's bytes to a [`Session`]. [`read_file()`] reads a session with the files beside it, [`read()`] reads bytes,
//! and [`read_with`] takes options. [`Format`] has the formats.

// A file or a folder for each format, with a line in `READERS`. Its name stands in `Format`.
//
// A rule that comes from a format says in its comment where it was seen: a program with the version whose files,
// output or package were read, or a public page. `docs/formats.md` (Sources) spells out the short names of pages.

mod atif;
mod blocks;
mod chimera;
mod citations;
mod claude_code;
mod codex;
pub(crate) mod compressed;
mod copilot;
mod cursor;
mod cut;
mod cut_header;
#[cfg(feature = "sqlite")]
pub mod database;
pub(crate) mod decode;
mod descendants;
mod document;
mod entry;
mod envelope;
mod error;
mod fields;
mod files;
mod flue;
mod gemini;
mod harness;
mod likeness;
mod lines;
pub(crate) mod listing;
mod lost;
mod message;
mod migrate;
mod omp;
#[cfg(feature = "sqlite")]
mod openclaw;
mod opencode;
mod own_folder;
mod pi;
mod pi_agents;
mod pi_listing;
mod pi_stream;
mod probe;
mod proposal;
mod provider_tools;
mod qwen;
mod read_file;
pub(crate) mod read_options;
mod repair;
mod run;
pub(crate) mod source;
mod spans;
mod sts;
mod translation;
mod unknown;
pub(crate) mod utf16;

use crate::session::{DamageKind, Format, Session};

pub use error::ReadError;
#[cfg(feature = "catalog")]
pub(crate) use files::Disk;
pub use files::{MemoryFiles, SessionFileError, SessionFiles};
use likeness::Likeness;
pub(crate) use lines::{holds_entries, holds_values, repaired_values};
use listing::Listing;
#[cfg(feature = "store")]
pub(crate) use omp::additions::WRITER;
#[cfg(feature = "cli")]
pub(crate) use omp::additions::blobs_named;
pub use own_folder::Rewrite;
use probe::Probe;
pub use read_file::{ReadFileError, read_file};
pub use read_options::ReadOptions;

/// All that is particular to one format but what its entries mean.
struct Reader {
    format: Format,
    /// Whether the file is one of its own; recognized by content, never by name or the shape of ids.
    recognizes: fn(&Probe<'_>) -> bool,
    read: Read,
    /// How its sessions are found; `None` where its agent has no place for them.
    listing: Option<Listing>,
}

/// How a format reads a file.
type Read = fn(Vec<u8>, &ReadOptions) -> Result<Session, ReadError>;

/// The first that recognizes a file reads it.
const READERS: &[Reader] = &[
    atif::READER,
    sts::READER,
    flue::READER,
    harness::READER,
    proposal::READER,
    chimera::READER,
    gemini::READER,
    cursor::READER,
    copilot::READER,
    opencode::READER,
    qwen::READER,
    claude_code::READER,
    codex::READER,
    omp::READER,
    pi::READER,
];

/// How the sessions of an agent are found, where it has a place for them.
pub(crate) fn listing(agent: Format) -> Option<&'static Listing> {
    READERS.iter().find(|reader| reader.format == agent)?.listing.as_ref()
}

/// Those of all agents, in the order in which a file is tried.
pub(crate) fn listings() -> impl Iterator<Item = (Format, &'static Listing)> {
    READERS.iter().filter_map(|reader| Some((reader.format, reader.listing.as_ref()?)))
}

/// Reads a session of any format known here.
///
/// Damaged input is read as far as it goes; what was wrong is in
/// [`Session::damage`].
///
/// # Errors
/// [`ReadError::NoEntries`] when there is not one entry, [`ReadError::Unknown`] for another
/// format, and [`ReadError::IsPage`] for a page of leafpress's own.
///
/// ```
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// assert_eq!(session.format(), leafpress::session::Format::Pi);
/// for damage in session.damage() {
///     println!("line {}: {:?}", damage.line, damage.kind);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(source: Vec<u8>) -> Result<Session, ReadError> {
    read_with(source, None, &ReadOptions::default())
}

/// Reads a session as one of `format`, or of whichever it looks like, with
/// the files that lie beside it. A file compressed by gzip or zstd is decompressed first.
///
/// # Errors
/// As [`read`], and [`ReadError::Decompress`] for what cannot be decompressed, and
/// [`ReadError::Zip`] for a ZIP archive.
///
/// ```
/// use leafpress::format::{ReadOptions, read_with};
///
/// // Files that lie beside the session, such as those of its sub-agents, are read too.
/// let path = std::path::PathBuf::from("examples/garden.jsonl");
/// let source = std::fs::read(&path)?;
/// let options = ReadOptions::new().session(path);
/// let session = read_with(source, None, &options)?;
/// println!("{} sub-agent sessions", session.sub_sessions().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_with(
    source: Vec<u8>,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Session, ReadError> {
    let source = options.rewritten(decode::decompressed(source)?);
    if is_page(&source) {
        return Err(ReadError::IsPage);
    }
    if source::is_zip(&source) {
        return Err(ReadError::Zip);
    }
    if source.starts_with(SQLITE) {
        return Err(ReadError::IsDatabase);
    }
    if let Some(facts) = cut_header::facts(&source) {
        return cut::read(source, facts, options).map(Session::with_merged_children);
    }
    let (reader, is_told) = if let Some(format) = format {
        (READERS.iter().find(|reader| reader.format == format), true)
    } else {
        let (reader, has_marks) = taken_for(&Probe::new(&source))?;
        (Some(reader), has_marks)
    };
    let mut session = reader.map_or(pi::READER.read, |reader| reader.read)(source, options)?;
    if !is_told {
        session.tell(DamageKind::ReadAs(session.format()));
    }
    if options.rewrite.is_some() {
        // Some of it comes from names of files and from databases, which no reader's text goes through.
        session.rewrite_facts(|text| options.renamed(text));
    }
    Ok(if options.without_children {
        session.without_children()
    } else {
        session.with_merged_children()
    })
}

/// The one rule for what a file is. It is of the format whose own marks its lines carry. Without marks it is
/// read in the format in which more than half of its lines give text, and the page says so.
fn taken_for(probe: &Probe<'_>) -> Result<(&'static Reader, bool), ReadError> {
    if let Some(reader) = READERS.iter().find(|reader| (reader.recognizes)(probe)) {
        return Ok((reader, true));
    }
    match Likeness::of(probe) {
        Some(nearest) if nearest.is_enough() => Ok((nearest.reader, false)),
        nearest => Err(unknown::error(probe, nearest.map(|nearest| nearest.reader.format))),
    }
}

/// What an SQLite database begins with.
pub(crate) const SQLITE: &[u8] = b"SQLite format 3\0";

/// A page says within this many bytes who made it.
pub(crate) const PAGE_HEAD: usize = 1024;

/// The same of a file.
#[cfg(feature = "cli")]
pub(crate) fn is_page_in(file: std::fs::File) -> bool {
    use std::io::Read as _;
    let mut head = Vec::new();
    let read = file.take(PAGE_HEAD as u64).read_to_end(&mut head);
    read.is_ok() && is_page(&head)
}

/// Whether the file is a page that was made of a session.
pub(crate) fn is_page(source: &[u8]) -> bool {
    let head = &source[..source.len().min(PAGE_HEAD)];
    let begins = head.get(..15).is_some_and(|begin| begin.eq_ignore_ascii_case(b"<!doctype html>"));
    begins && memchr::memmem::find(head, b"content=\"leafpress ").is_some()
}

/// Whose session a file is, by its content; nothing for what is unknown, packed, was cut, or is the
/// output of a run.
#[cfg(feature = "store")]
pub(crate) fn recognized(source: &[u8]) -> Option<Format> {
    if cut_header::facts(source).is_some() {
        return None;
    }
    let probe = Probe::new(source);
    if pi_stream::is_stream(&probe) {
        return None;
    }
    let reader = READERS.iter().find(|reader| (reader.recognizes)(&probe))?;
    let is_pis = reader.format == Format::Omp && !omp::additions::surely(&probe);
    Some(if is_pis { Format::Pi } else { reader.format })
}

/// The formats looked for, for people.
#[cfg(feature = "cli")]
pub(crate) fn known() -> String {
    let mut names: Vec<String> = READERS.iter().map(|reader| reader.format.to_string()).collect();
    // The most common ones first.
    names.reverse();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_line_its_name_and_its_row_in_the_documents() {
        let mut formats: Vec<Format> = READERS.iter().map(|reader| reader.format).collect();
        formats.sort();
        let mut all = Format::ALL.to_vec();
        all.sort();
        assert_eq!(formats, all);
        for format in all {
            let name = format.name();
            assert_eq!(Format::from_name(name), Some(format), "the name {name} is another's");
            let row = format!(" | `{name}` | ");
            assert!(
                include_str!("../../docs/formats.md").contains(&row),
                "{name}: docs/formats.md"
            );
        }
    }
}
