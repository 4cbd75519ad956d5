//! A session as GitHub-flavored Markdown: one branch of it, to be pasted into an issue or a pull request.
//!
//! What persons and agents wrote cannot take effect beyond itself: prompts, output, paths and names are text; a
//! response stays the Markdown it is without HTML, images, unsafe links, mentions and definitions.

mod blocks;
mod changed;
mod escape;
mod fence;
pub(crate) mod pieces;
mod response;
mod story;

use std::io::{self, Write};

use crate::changes::Changes;
pub use crate::content::Detail;
use crate::content::place;
use crate::session::digest::Digest;
use crate::session::text::{bytes, counted};
use crate::session::{EntryIndex, Session, title};
use crate::setters::setters;
use story::{BranchWriter, Piece, PieceKind};

/// What is written of a session.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MarkdownOptions {
    /// How much of it.
    pub detail: Detail,
    /// The entry at which the branch ends; by default the session's leaf. Any entry will do, not only one without
    /// children. [`Session::find`] gives the entry of an id.
    pub leaf: Option<EntryIndex>,
    /// The title; by default the session's name or first prompt.
    pub title: Option<String>,
    /// Bytes at most. Output is shortened first, then steps go, then the oldest responses.
    pub max_size: Option<usize>,
    /// Nothing but the files that changed, with their diffs.
    pub only_changes: bool,
}

impl MarkdownOptions {
    /// A story of the session's own branch, however long.
    #[must_use]
    pub fn new() -> Self {
        MarkdownOptions::default()
    }

    setters! {
        detail: Detail => detail,
        leaf: EntryIndex => Some(leaf),
        title: impl Into<String> => Some(title.into()),
        max_size: usize => Some(max_size),
        only_changes: bool => only_changes,
    }
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The Markdown.
    pub text: String,
    /// What was shortened or left out to fit, in words.
    pub left_out: Vec<String>,
}

/// Why a branch cannot be written as Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkdownError {
    /// It does not fit, even with nothing but its prompts and its last response.
    #[error("the prompts and the last response alone take {} and do not fit into {}", bytes(*size), bytes(*limit))]
    TooSmall {
        /// What was asked for, in bytes.
        limit: usize,
        /// What it takes, in bytes.
        size: usize,
    },
    /// The leaf is not of this session.
    #[error("the session has no such leaf")]
    UnknownLeaf,
}

/// Writes a session as Markdown.
///
/// ```
/// let session = leafpress::read_file("examples/first-steps.jsonl")?;
/// leafpress::markdown::write(&session, &Default::default(), std::io::stdout())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of `out`; a [`MarkdownError`] as [`io::ErrorKind::FileTooLarge`] or [`io::ErrorKind::InvalidInput`].
pub fn write(session: &Session, options: &MarkdownOptions, mut out: impl Write) -> io::Result<()> {
    let written = of(session, options);
    let written = written.map_err(|error| {
        let kind = match error {
            MarkdownError::TooSmall { .. } => io::ErrorKind::FileTooLarge,
            MarkdownError::UnknownLeaf => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, error)
    })?;
    out.write_all(written.text.as_bytes())
}

/// Lines of an output, ever fewer, until all fits.
const MOST_LINES: [usize; 4] = [100, 30, 10, 2];

/// A session as Markdown.
///
/// ```
/// use leafpress::markdown::{self, Detail, MarkdownOptions};
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let leaf = session.find("86dc1522").ok_or("no such entry")?;
/// let options = MarkdownOptions::new().leaf(leaf).detail(Detail::Steps).max_size(60_000);
/// let written = markdown::of(&session, &options)?;
/// assert!(written.text.starts_with("# "));
/// for left_out in &written.left_out {
///     println!("removed to fit: {left_out}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// It does not fit, or the leaf is not of this session.
pub fn of(session: &Session, options: &MarkdownOptions) -> Result<Written, MarkdownError> {
    let leaf = options.leaf.unwrap_or_else(|| session.leaf());
    if !session.tree().has(leaf) {
        return Err(MarkdownError::UnknownLeaf);
    }
    let digest = Digest::read(session);
    let writer = BranchWriter::new(session, &digest);
    let changes = writer.work.changes();
    let head = head(session, &digest, leaf, options.title.as_deref());
    if options.only_changes {
        return only_changes(session, changes, leaf, &head, options.max_size);
    }
    let files = changed::section(session, changes, leaf, false);
    let document = |detail, most_lines, left_out: Vec<String>| {
        let mut pieces = vec![Piece { kind: PieceKind::Frame, text: head.clone() }];
        pieces.extend(writer.pieces(leaf, detail, most_lines));
        if !files.is_empty() {
            pieces.push(Piece { kind: PieceKind::Changed, text: files.clone() });
        }
        Document { pieces, left_out }
    };
    let whole = document(options.detail, None, Vec::new());
    let Some(limit) = options.max_size else { return Ok(whole.written(None)) };
    if whole.size(limit) <= limit {
        return Ok(whole.written(Some(limit)));
    }
    if options.detail == Detail::Full {
        for most in MOST_LINES {
            let words = format!("output beyond {}", counted(most, "line"));
            let shorter = document(Detail::Full, Some(most), vec![words]);
            if shorter.size(limit) <= limit {
                return Ok(shorter.written(Some(limit)));
            }
        }
    }
    let mut left_out = Vec::new();
    if options.detail == Detail::Full {
        left_out.extend(["output", "thinking"].map(str::to_owned));
        let shorter = document(Detail::Steps, None, left_out.clone());
        if shorter.size(limit) <= limit {
            return Ok(shorter.written(Some(limit)));
        }
    }
    if options.detail != Detail::Story {
        left_out.push("steps".to_owned());
    }
    let shorter = document(Detail::Story, None, left_out.clone());
    if shorter.size(limit) <= limit {
        return Ok(shorter.written(Some(limit)));
    }
    if !files.is_empty() {
        left_out.push("files changed".to_owned());
    }
    let mut shorter = document(Detail::Story, None, left_out);
    shorter.pieces.retain(|piece| piece.kind != PieceKind::Changed);
    shorter.without_old_responses(limit)
}

/// The files that changed, without their diffs where these do not fit.
fn only_changes(
    session: &Session,
    changes: &Changes,
    leaf: EntryIndex,
    head: &str,
    limit: Option<usize>,
) -> Result<Written, MarkdownError> {
    let document = |with_diffs, left_out| {
        let mut text = changed::section(session, changes, leaf, with_diffs);
        if text.is_empty() {
            "_No edits in this session_\n".clone_into(&mut text);
        }
        let pieces = [head.to_owned(), text].map(|text| Piece { kind: PieceKind::Frame, text });
        Document { pieces: pieces.into(), left_out }
    };
    let whole = document(true, Vec::new());
    let Some(limit) = limit else { return Ok(whole.written(None)) };
    if whole.size(limit) <= limit {
        return Ok(whole.written(Some(limit)));
    }
    let shorter = document(false, vec!["diffs".to_owned()]);
    let size = shorter.size(limit);
    if size > limit {
        return Err(MarkdownError::TooSmall { limit, size });
    }
    Ok(shorter.written(Some(limit)))
}

/// The title, and who worked where.
fn head(session: &Session, digest: &Digest<'_>, leaf: EntryIndex, name: Option<&str>) -> String {
    let name = name.map_or_else(|| title::title(session), str::to_owned);
    let place = place::of(session, digest, &session.tree().path(leaf));
    let facts =
        place.iter().map(|fact| escape::line(format!("{} {}", fact.figure, fact.words).trim()));
    let facts = facts.filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    format!("# {}\n\n{facts}\n", escape::line(&name))
}

struct Document {
    pieces: Vec<Piece>,
    left_out: Vec<String>,
}

impl Document {
    fn size(&self, limit: usize) -> usize {
        let pieces: usize = self.pieces.iter().map(|piece| piece.text.len() + 1).sum();
        pieces.saturating_sub(1) + self.remark(Some(limit)).len()
    }

    /// What was left out, for the end of the document.
    fn remark(&self, limit: Option<usize>) -> String {
        let Some(limit) = limit.filter(|_| !self.left_out.is_empty()) else { return String::new() };
        format!("\n_Left out to fit {}: {}_\n", bytes(limit), self.left_out.join(", "))
    }

    fn written(self, limit: Option<usize>) -> Written {
        let mut text = String::new();
        for piece in &self.pieces {
            blocks::push(&mut text, &piece.text);
        }
        text.push_str(&self.remark(limit));
        Written { text, left_out: self.left_out }
    }

    /// Without so many of the oldest responses that the rest fits; the last one stays.
    fn without_old_responses(mut self, limit: usize) -> Result<Written, MarkdownError> {
        const GONE: &str = "_Response left out_\n";
        let is_response = |piece: &Piece| piece.kind == PieceKind::Response;
        let last = self.pieces.iter().rposition(is_response);
        let said = self.left_out.clone();
        let mut size = self.size(limit);
        let mut gone = 0;
        for at in 0..last.unwrap_or(0) {
            if size <= limit {
                break;
            }
            if is_response(&self.pieces[at]) && self.pieces[at].text.len() > GONE.len() {
                let before = self.remark(Some(limit)).len();
                size -= self.pieces[at].text.len() - GONE.len();
                GONE.clone_into(&mut self.pieces[at].text);
                gone += 1;
                self.left_out.clone_from(&said);
                self.left_out.push(format!("{} from the beginning", counted(gone, "response")));
                size = size + self.remark(Some(limit)).len() - before;
            }
        }
        if size > limit {
            return Err(MarkdownError::TooSmall { limit, size });
        }
        Ok(self.written(Some(limit)))
    }
}
