//! What a session did to files, as `leafpress changes --json` prints it.

use std::collections::HashMap;

use serde::Serialize;

use crate::changes::{Changes, FileAt, Known};
use crate::session::text::{cut, one_line};
use crate::session::title::first_words;
use crate::session::{EntryIndex, Session, time};

/// Of a prompt, in UTF-16 units.
const PROMPT_UNITS: usize = 80;

/// What a session did to files, up to a leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangesReport {
    /// The key of the leaf: edits of all branches count up to its time.
    pub leaf_id: String,
    /// The files, by first edit.
    pub files: Vec<FileChangesReport>,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileChangesReport {
    /// The path: from the session's working directory on where it lies in there, else absolute.
    pub path: String,
    /// The path before, where the file was moved.
    pub from: Option<String>,
    /// `created`, `modified`, `deleted`, `moved`; `written` where the session wrote the whole file and does not say whether
    /// there was one before; `unknown` where only a command may have written it, or all edits failed.
    pub status: &'static str,
    /// Lines added, summed over the edits that succeeded.
    pub added: usize,
    /// Lines removed, the same.
    pub removed: usize,
    /// Lines added and removed between the file before and the file after. Where some edit is not exact, those of all
    /// edits added up.
    pub net: NetReport,
    /// How well the edits are known, the worst of them: `exact`, `patch`, `part`.
    pub known: &'static str,
    /// The entries that show that the file is not as its edits lead to: it was changed outside of the session, or an edit
    /// does not fit.
    pub breaks: Vec<String>,
    /// The edits of all branches and sub-agents, in time order.
    pub edits: Vec<EditReport>,
    /// The entries of commands that may have written the file.
    pub maybe_written_by: Vec<String>,
}

/// Lines added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetReport {
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// One edit of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EditReport {
    /// The entry from which on it counts: the result of the call.
    pub entry_id: String,
    /// The prompt whose turn it is part of.
    pub prompt_id: Option<String>,
    /// The prompt's first words, at most 80 UTF-16 units.
    pub prompt_text: Option<String>,
    /// When it was made.
    pub time: Option<String>,
    /// The beginning of the keys of the sub-agent's session that made it.
    pub sub_session: Option<String>,
    /// The tool, as the call names it.
    pub tool: String,
    /// How well it is known: `exact`, `patch`, `part`.
    pub known: &'static str,
    /// Whether it succeeded.
    pub ok: bool,
    /// Whether later edits, or somebody else, put back what it changed.
    pub undone: bool,
    /// Whether it is on the path to the leaf, or of a sub-agent that this path started.
    pub on_path: bool,
    /// Lines that it added.
    pub added: usize,
    /// Lines that it removed.
    pub removed: usize,
}

/// What a session did to files up to a leaf, as `leafpress changes --json` prints it. `None` where the session has no such
/// entry.
///
/// It has no texts and no diffs: [`Changes`] has them, and [`changes::patch`](crate::changes::patch()) writes them.
#[must_use]
pub fn changes(session: &Session, leaf: EntryIndex) -> Option<ChangesReport> {
    if !session.tree().has(leaf) {
        return None;
    }
    let changes = Changes::of(session);
    changes_of(session, leaf, &changes.at(session, leaf))
}

/// The same of some of the files, or of those of one turn. `None` where the session has no such entry.
#[must_use]
pub fn changes_of(
    session: &Session,
    leaf: EntryIndex,
    files: &[FileAt<'_>],
) -> Option<ChangesReport> {
    let leaf_id = session.key(leaf)?;
    let mut prompts: HashMap<EntryIndex, String> = HashMap::new();
    let files = files.iter().map(|file| file_of(session, file, &mut prompts));
    Some(ChangesReport { leaf_id, files: files.collect() })
}

fn file_of(
    session: &Session,
    file: &FileAt<'_>,
    prompts: &mut HashMap<EntryIndex, String>,
) -> FileChangesReport {
    let done = || file.each_edit().filter(|edit| edit.ok);
    let keys = |entries: &mut dyn Iterator<Item = EntryIndex>| {
        entries.map(|entry| session.key_at(entry)).collect::<Vec<_>>()
    };
    let mut edits = Vec::with_capacity(file.edits.len());
    for (nth, edit) in file.each_edit().enumerate() {
        let words = edit.prompt.map(|prompt| {
            let words = || {
                let words = first_words(session, prompt).unwrap_or_default();
                cut(&one_line(&words), PROMPT_UNITS).to_owned()
            };
            prompts.entry(prompt).or_insert_with(words).clone()
        });
        edits.push(EditReport {
            entry_id: session.key_at(edit.entry),
            prompt_id: edit.prompt.map(|prompt| session.key_at(prompt)),
            prompt_text: words,
            time: session.time(edit.entry).map(time::iso),
            sub_session: session.sub_session_of(edit.entry).map(|sub| sub.key.clone()),
            tool: edit.tool.clone(),
            known: edit.known.name(),
            ok: edit.ok,
            undone: file.undone[nth],
            on_path: file.on_path[nth],
            added: edit.added,
            removed: edit.removed,
        });
    }
    FileChangesReport {
        path: file.path.clone(),
        from: file.from.clone(),
        status: file.status.name(),
        added: done().map(|edit| edit.added).sum(),
        removed: done().map(|edit| edit.removed).sum(),
        net: NetReport { added: file.net.added, removed: file.net.removed },
        // Of a file that only a command may have written nothing is known but its name.
        known: file.known.min(Known::Part).name(),
        breaks: keys(&mut file.breaks.iter().map(|one| one.entry)),
        edits,
        maybe_written_by: keys(&mut file.maybe.iter().copied()),
    }
}
