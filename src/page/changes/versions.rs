//! The texts of files, so that the page can save a file as it was after an edit.
//!
//! A text that a row of the session has is there as pieces of that row, which lies in a pack anyway; an edit adds the
//! bytes that it puts in. static/js/changes/versions.js reads it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;

use super::{Number, number};
use crate::changes::{Changes, VersionStep};
use crate::page::wire::delta::Delta;
use crate::session::{EntryIndex, Session};

/// The texts that rows of the session have, by their entries: each with its number.
#[derive(Default)]
pub(in crate::page) struct WholeTexts {
    of: HashMap<EntryIndex, Vec<(usize, Arc<str>)>>,
    count: usize,
}

/// A text as pieces of what the pack has of its entry.
pub(in crate::page) struct TextPieces {
    nth: usize,
    entry: EntryIndex,
    delta: Delta,
}

/// By file, its steps.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::page) struct Versions<'c>(Vec<Vec<Step<'c>>>);

#[derive(Serialize)]
#[serde(untagged)]
enum Step<'c> {
    /// The number of a text.
    Whole(usize),
    /// Bytes passed, bytes replaced, and what replaces them.
    Splices(Vec<(usize, usize, &'c str)>),
    None(()),
}

/// The same with the texts.
#[derive(Serialize)]
pub(super) struct VersionData<'c> {
    /// By number: the entry, and the text as pieces of its pack.
    texts: Vec<(Number, Delta)>,
    files: Versions<'c>,
}

impl<'c> Versions<'c> {
    /// The steps of all files, and the whole texts among them.
    pub(in crate::page) fn new(changes: &'c Changes) -> (Versions<'c>, WholeTexts) {
        let mut texts = WholeTexts::default();
        let mut step = |step: VersionStep<'c>| match step {
            VersionStep::Whole(text, entry) => {
                let nth = texts.count;
                texts.count += 1;
                texts.of.entry(entry).or_default().push((nth, Arc::clone(text)));
                Step::Whole(nth)
            }
            VersionStep::Splices(splices) => {
                let bytes = splices.iter().map(|one| (one.at, one.len, one.text.as_str()));
                Step::Splices(bytes.collect())
            }
            VersionStep::None => Step::None(()),
        };
        let files = changes.files().iter();
        let files = files.map(|file| changes.versions(file).map(&mut step).collect()).collect();
        (Versions(files), texts)
    }

    /// With the pieces of all texts.
    pub(super) fn with_texts(
        self,
        session: &Session,
        mut pieces: Vec<TextPieces>,
    ) -> VersionData<'c> {
        pieces.sort_unstable_by_key(|piece| piece.nth);
        let place = |entry| number(session.tree().position_at(entry));
        let texts = pieces.into_iter().map(|piece| (place(piece.entry), piece.delta)).collect();
        VersionData { texts, files: self }
    }
}

impl WholeTexts {
    /// Those of an entry; `base` is what its pack has of it, nothing for a plain one.
    pub(in crate::page) fn pieces(&self, entry: EntryIndex, base: &[u8]) -> Vec<TextPieces> {
        let texts = self.of.get(&entry).into_iter().flatten();
        let piece = |(nth, text): &(usize, Arc<str>)| TextPieces {
            nth: *nth,
            entry,
            delta: Delta::of(base, text),
        };
        texts.map(piece).collect()
    }
}
