//! What became of one file, in a turn or up to the end of a branch.

use std::ops::RangeInclusive;

use serde::Serialize;

use super::hunks::{HunkPlace, Hunks};
use super::{Number, Reasons, number};
use crate::changes::{
    BreakKind, Changes, FileAt, FileChanges, FileEdit, FileState, Net, TurnFile, is_binary,
};
use crate::language;
use crate::session::invisible::marked;
use crate::session::{EntryIndex, Session};

/// A change of more lines than this is collapsed.
const LONG_LINES: usize = 1_000;

/// A text with a line longer than this, in bytes, was written by a program.
const GENERATED_LINE_BYTES: usize = 1_000;

/// A file in all its states.
#[derive(Serialize)]
pub(super) struct FileData {
    edits: Vec<EditData>,
    /// The hunks of edits that are not exact, with the edits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<HunkPlace>,
    states: Vec<State>,
}

/// An edit: its entry, the entry of the session itself that started the sub-agent that made it (-1 for none), the prompt
/// (-1 for none), how well it is known (the place in `Known::ALL`), whether it succeeded, lines added and removed,
/// the place of the reason why it is not exact (-1 for none), and the first and the last line of the file after it that
/// it changed (0 where they are not known).
#[derive(Serialize)]
struct EditData(Number, Number, Number, usize, u8, usize, usize, Number, usize, usize);

/// A file up to the end of a branch.
#[derive(Serialize)]
struct State {
    #[serde(flatten)]
    shown: Shown,
    /// The edits that were taken back later.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    undone: Vec<usize>,
    /// The entries that show that somebody else changed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    breaks: Vec<Number>,
    /// The edits, by their entries, that do not fit those before them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    misfits: Vec<Number>,
    /// The commands that may have written it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maybe: Vec<Number>,
}

/// What became of a file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown {
    file: usize,
    path: String,
    /// As it is written where that is not how it is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    plain_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    status: &'static str,
    known: usize,
    added: usize,
    removed: usize,
    /// The counts are of all edits added up, since not all of them are exact.
    #[serde(skip_serializing_if = "is_false")]
    is_about: bool,
    /// The file is as it was.
    #[serde(skip_serializing_if = "is_false")]
    is_same: bool,
    /// Why it is collapsed: its name, the length of its lines, or how many they are.
    #[serde(skip_serializing_if = "str::is_empty")]
    collapsed: &'static str,
    /// How many steps of the file's text lead to it, where that is known; 0 where it is not.
    version: usize,
    /// The edits that succeeded.
    edits: Vec<usize>,
    /// The entries of edits that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<Number>,
    hunks: Vec<HunkPlace>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(value: &bool) -> bool {
    !value
}

impl FileData {
    pub(super) fn new(
        session: &Session,
        file: &FileChanges,
        states: Vec<FileAt<'_>>,
        hunks: &mut Hunks,
        reasons: &mut Reasons,
    ) -> FileData {
        let language = language::of_path(file.path_after(file.edits.len()));
        let mut asked = Vec::new();
        for (nth, edit) in file.edits.iter().enumerate().filter(|(_, edit)| edit.ok) {
            asked.extend(hunks.add_asked(&edit.hunks, nth, language));
        }
        FileData {
            edits: (file.edits.iter().zip(file.edited_lines()))
                .map(|(edit, lines)| EditData::new(session, edit, lines, reasons))
                .collect(),
            asked,
            states: states.into_iter().map(|at| State::new(session, at, hunks)).collect(),
        }
    }
}

impl EditData {
    fn new(
        session: &Session,
        edit: &FileEdit,
        lines: Option<RangeInclusive<usize>>,
        reasons: &mut Reasons,
    ) -> EditData {
        let (first, last) = lines.map_or((0, 0), RangeInclusive::into_inner);
        let place = |entry: EntryIndex| number(session.tree().position_at(entry));
        let anchor = session.with_starters(edit.entry).skip(1).last().map_or(-1, place);
        let prompt = edit.prompt.map_or(-1, place);
        let reason = edit.why.map_or(-1, |why| number(reasons.place(why)));
        EditData(
            place(edit.entry),
            anchor,
            prompt,
            edit.known as usize,
            u8::from(edit.ok),
            edit.added,
            edit.removed,
            reason,
            first,
            last,
        )
    }
}

impl State {
    fn new(session: &Session, at: FileAt<'_>, hunks: &mut Hunks) -> State {
        let place = |entry: EntryIndex| number(session.tree().position_at(entry));
        let undone = at.edits.iter().zip(&at.undone).filter(|(_, undone)| **undone);
        let of_kind = |kind| {
            let breaks = at.breaks.iter().filter(|one| one.kind == kind);
            breaks.map(|one| place(one.entry)).collect()
        };
        State {
            undone: undone.map(|(&edit, _)| edit).collect(),
            breaks: of_kind(BreakKind::Outside),
            misfits: of_kind(BreakKind::Misfit),
            maybe: at.maybe.iter().copied().map(place).collect(),
            shown: Shown::new(session, at, hunks),
        }
    }
}

impl Shown {
    /// A file in a turn, with the entries of its edits there that failed.
    pub(super) fn of_turn(
        session: &Session,
        changes: &Changes,
        file: TurnFile,
        failed: Vec<Number>,
        hunks: &mut Hunks,
    ) -> Shown {
        Shown { failed, ..Shown::new(session, changes.turn_file(file), hunks) }
    }

    fn new(session: &Session, at: FileAt<'_>, hunks: &mut Hunks) -> Shown {
        let (edits, failed): (Vec<usize>, Vec<usize>) =
            at.edits.iter().partition(|&&edit| at.file.edits[edit].ok);
        let entry = |edit: usize| number(session.tree().position_at(at.file.edits[edit].entry));
        let failed = failed.into_iter().map(entry).collect();
        let has_text = matches!(&at.net.after, FileState::Text(text) if !is_binary(text));
        let last = edits.last().filter(|_| has_text);
        let version = last.map_or(0, |&edit| at.file.steps_until_edit(edit));
        let collapsed = collapsed(&at.path, &at.net);
        let Net { before, reached, added, removed, is_exact, hunks: own, .. } = at.net;
        let is_same = before.is_known() && before == reached;
        let own = if collapsed == BINARY { Vec::new() } else { own };
        let drawn = marked(&at.path).into_owned();
        Shown {
            file: at.place,
            plain_path: Some(at.path.clone()).filter(|plain| *plain != drawn),
            status: at.status.name(),
            known: at.known as usize,
            added,
            removed,
            is_about: !is_exact,
            is_same,
            collapsed,
            version,
            edits,
            failed,
            hunks: hunks.add_all(own, before.text(), language::of_path(&at.path)),
            from: at.from.map(|from| marked(&from).into_owned()),
            path: drawn,
        }
    }
}

/// Why nothing of a file is shown.
const BINARY: &str = "binary";

/// Why a file is collapsed at first; empty where it is not.
fn collapsed(path: &str, net: &Net) -> &'static str {
    let texts = || [&net.before, &net.reached].into_iter().filter_map(|state| state.text());
    let lines = || net.hunks.iter().flat_map(|hunk| &hunk.lines);
    if texts().any(is_binary) {
        BINARY
    } else if is_generated(path) || lines().any(|(_, line)| line.len() > GENERATED_LINE_BYTES) {
        "generated"
    } else if net.added + net.removed > LONG_LINES {
        "long"
    } else {
        ""
    }
}

/// Whether a program wrote the file, by its name: lock files of package managers, and what bundlers write.
fn is_generated(path: &str) -> bool {
    const NAMES: [&str; 9] = [
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "go.sum",
        "bun.lockb",
        "packages.lock.json",
        "Package.resolved",
        "gradle.lockfile",
        "Podfile.lock",
    ];
    const ENDS: [&str; 6] = [".lock", ".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map"];
    let name = path.rsplit('/').next().unwrap_or(path);
    NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}
