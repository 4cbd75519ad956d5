//! Which lines of the session's files the entries stand on, and which of those lie in packs beside
//! the entries' articles.

use memchr::memmem;

use crate::session::json::Json;
use crate::session::{EntryIndex, Session};
use crate::workers::{self, Threads};

use super::pack_text;
use crate::page::chunk_layout::ChunkLayout;

/// The files whose lines a page holds: the session's own, then those of its sub-sessions.
pub(crate) struct Lines<'a> {
    session: &'a Session,
    /// How many lines are before each file in its element: `#source` holds the first one,
    /// `#child-sources` the others.
    before: Vec<u32>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        // The session's own file begins an element, and so does the first of the others.
        let mut before = vec![0];
        let mut next = 0;
        for sub in session.sub_sessions() {
            before.push(next);
            next += small(newlines(sub.source())) + u32::from(needs_newline(sub.source()));
        }
        Lines { session, before }
    }

    /// The number of the entry's line in its element; 0 for none.
    pub(crate) fn of(&self, entry: EntryIndex) -> u32 {
        match self.session.line(entry) {
            0 => 0,
            line => self.before[self.file_of(entry)] + line,
        }
    }

    /// The number of the file that holds the entry's line.
    fn file_of(&self, entry: EntryIndex) -> usize {
        self.session.sub_session_of(entry).map_or(0, |sub| sub.in_file)
    }
}

fn small(lines: usize) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}

/// The lines that lie in packs. Each is in the pack of the first entry, in document order, that was
/// read from it; the others stay in the elements of the files.
#[derive(Default)]
pub(crate) struct PackedLines<'a> {
    /// By entry; `None` where the pack holds the article alone.
    of: Vec<Option<PackedLine<'a>>>,
    /// By file, whether it is so for each of its lines.
    in_packs: Vec<Vec<bool>>,
}

/// A line of a file.
#[derive(Clone, Copy)]
pub(crate) struct PackedLine<'a> {
    pub(crate) of_child: bool,
    /// In its element, from 1.
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
}

impl<'a> PackedLines<'a> {
    pub(in crate::page) fn new(
        session: &'a Session,
        layout: &ChunkLayout,
        threads: Threads,
    ) -> Self {
        let lines = Lines::new(session);
        let files: Vec<_> = std::iter::once((session.source(), session.left_out()))
            .chain(session.sub_sessions().iter().map(|sub| (sub.source(), sub.left_out())))
            .collect();
        let starts: Vec<Vec<usize>> = files.iter().map(|(bytes, _)| starts(bytes)).collect();
        let order: Vec<(EntryIndex, bool)> = layout.document_order().collect();
        // The line that may lie beside each of them.
        let lines_of = workers::map(threads, order.len(), |nth| {
            let (entry, is_packed) = order[nth];
            let file = lines.file_of(entry);
            let (bytes, left_out) = files[file];
            let at = (session.line(entry) as usize).checked_sub(1)?;
            let start = *starts[file].get(at)?;
            let end = starts[file].get(at + 1).map_or(bytes.len(), |next| next - 1);
            let text = &bytes[start..end];
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let stays = !is_packed
                || text.is_empty()
                || left_out.binary_search(&session.line(entry)).is_ok()
                || may_change(text)
                || !pack_text::is_writable(text);
            let number = lines.of(entry) as usize;
            let line = PackedLine { of_child: file > 0, number, text };
            Some((file, at, (!stays).then_some(line)))
        });
        let mut in_packs: Vec<Vec<bool>> =
            starts.iter().map(|starts| vec![false; starts.len()]).collect();
        let mut is_taken = in_packs.clone();
        let mut of = vec![None; session.len()];
        for ((entry, _), line) in order.into_iter().zip(lines_of) {
            let Some((file, at, line)) = line else { continue };
            if !std::mem::replace(&mut is_taken[file][at], true) {
                in_packs[file][at] = line.is_some();
                of[entry.get()] = line;
            }
        }
        PackedLines { of, in_packs }
    }

    /// The line that lies beside an entry's article.
    pub(crate) fn of(&self, entry: EntryIndex) -> Option<PackedLine<'a>> {
        self.of.get(entry.get()).copied().flatten()
    }

    /// For each line of a file whether it lies in a pack; nothing where none does.
    pub(crate) fn of_file(&self, file: usize) -> &[bool] {
        self.in_packs.get(file).map_or(&[], Vec::as_slice)
    }
}

/// Where each line begins.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let after = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    std::iter::once(0).chain(after).filter(|start| *start < bytes.len()).collect()
}

pub(crate) fn newlines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

pub(crate) fn needs_newline(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|last| *last != b'\n')
}

/// What a `credential_pin` says it is. Cheaper to look for than to parse each line; texts that
/// mention it are sorted out by parsing.
const CREDENTIAL: &[u8] = b"credential_pin";

/// Whether a line may be written otherwise than it stands in its file.
fn may_change(line: &[u8]) -> bool {
    memmem::find(line, CREDENTIAL).is_some()
}

/// The line of a `credential_pin` without its hash, which would tell that two
/// pages come from one account; `None` for every other line.
pub(crate) fn without_credential(line: &[u8]) -> Option<String> {
    if !may_change(line) {
        return None;
    }
    let text = String::from_utf8_lossy(line);
    let Ok(Json::Object(mut fields)) = serde_json::from_str(text.trim_end()) else {
        // Broken, so nobody can say where the hash is.
        return text.contains("\"hash\"").then(String::new);
    };
    let is_pin =
        fields.iter().any(|(key, value)| key == "type" && value.as_str() == Some("credential_pin"));
    is_pin.then(|| {
        fields.retain(|(key, _)| key != "hash");
        Json::Object(fields).compact()
    })
}
