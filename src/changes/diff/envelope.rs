//! A patch as `apply_patch` takes it (Codex, codex-rs/apply-patch/src/parser.rs): `*** Begin Patch`, then files with
//! verbs.

use super::{FileDiff, FileVerb, LineChange, Row};
use crate::session::action::patches::PATCH_MOVES;

/// Reads the patch. `None` where the text has no envelope or no file; a line of
/// no known form is kept as a note of its file.
pub(super) fn read(text: &str) -> Option<Vec<FileDiff<'_>>> {
    let mut lines = text.split('\n').map(|line| (line, line.strip_suffix('\r').unwrap_or(line)));
    let before = lines.by_ref().position(|(_, line)| line.trim() == "*** Begin Patch")?;
    let mut files = Vec::new();
    files.extend(text.split('\n').take(before).filter_map(note));
    let mut is_open = true;
    for (whole, line) in lines {
        if line.trim() == "*** End Patch" {
            is_open = false;
            continue;
        }
        if let Some(file) = begin(line) {
            files.push(file);
            is_open = true;
            continue;
        }
        match files.last_mut().filter(|file| is_open && !file.names.is_empty()) {
            Some(file) => read_line(file, whole, line),
            None => files.extend(note(line)),
        }
    }
    files.iter().any(|file| !file.names.is_empty()).then_some(files)
}

/// A line that belongs to no file.
fn note(line: &str) -> Option<FileDiff<'_>> {
    let note = || FileDiff { notes: vec![line], ..FileDiff::default() };
    (!line.trim().is_empty()).then(note)
}

fn begin(line: &str) -> Option<FileDiff<'_>> {
    let verbs =
        [("Update", None), ("Add", Some(FileVerb::Added)), ("Delete", Some(FileVerb::Deleted))];
    let rest = line.strip_prefix("*** ")?;
    verbs.into_iter().find_map(|(word, verb)| {
        let name = rest.strip_prefix(word)?.strip_prefix(" File:")?.trim();
        Some(FileDiff { verb, names: vec![name.into()], ..FileDiff::default() })
    })
}

fn read_line<'t>(file: &mut FileDiff<'t>, whole: &'t str, line: &'t str) {
    let moved = PATCH_MOVES.into_iter().find_map(|mark| line.strip_prefix(mark));
    if let Some(name) = moved {
        file.verb = Some(FileVerb::Moved);
        file.names.push(name.trim().into());
    } else if line.trim() == "*** End of File" {
        file.rows.push(Row::new(LineChange::Skipped, None, line));
    } else if line.starts_with("@@") {
        file.rows.push(Row::new(
            LineChange::Skipped,
            None,
            line.strip_prefix("@@").map_or(line, str::trim),
        ));
    } else if let Some(kind) = kind(line) {
        file.rows.push(Row::new(kind, None, whole.get(1..).unwrap_or_default()));
    } else {
        file.notes.push(line);
    }
}

fn kind(line: &str) -> Option<LineChange> {
    match line.bytes().next() {
        Some(b'+') => Some(LineChange::Added),
        Some(b'-') => Some(LineChange::Removed),
        Some(b' ') | None => Some(LineChange::Same),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_verbs_and_lines_are_read() {
        let patch = "*** Begin Patch\n*** Update File: quay.rs\n*** Move to: pier.rs\n@@ fn moor\n a\n-b\n+c\n\
                     *** Add File: tide.txt\n+low\n*** Delete File: old.txt\n*** End Patch\n";
        let files = read(patch).unwrap();
        let heads: Vec<_> = files.iter().map(|file| (file.verb, file.names.join(","))).collect();
        assert_eq!(
            heads,
            [
                (Some(FileVerb::Moved), "quay.rs,pier.rs".to_owned()),
                (Some(FileVerb::Added), "tide.txt".to_owned()),
                (Some(FileVerb::Deleted), "old.txt".to_owned())
            ]
        );
        let rows: Vec<_> = files[0].rows.iter().map(|row| (row.kind, row.text)).collect();
        assert_eq!(
            rows,
            [
                (LineChange::Skipped, "fn moor"),
                (LineChange::Same, "a"),
                (LineChange::Removed, "b"),
                (LineChange::Added, "c")
            ]
        );
    }

    #[test]
    fn a_move_is_read_as_each_program_writes_it() {
        for mark in PATCH_MOVES {
            let patch =
                format!("*** Begin Patch\n*** Update File: a\n{mark} b\n@@\n-x\n*** End Patch");
            let files = read(&patch).unwrap();
            assert_eq!(
                (files[0].verb, files[0].names.join(",")),
                (Some(FileVerb::Moved), "a,b".to_owned())
            );
        }
    }

    #[test]
    fn odd_lines_are_kept() {
        let patch = "before\n*** Begin Patch\n*** Update File: a\nodd\n+x\n*** End Patch\nafter";
        let files = read(patch).unwrap();
        let notes: Vec<_> = files.iter().flat_map(|file| file.notes.clone()).collect();
        assert_eq!(notes, ["before", "odd", "after"]);
        assert_eq!(read("*** Begin Patch\nnothing\n*** End Patch"), None);
        assert_eq!(read("no patch"), None);
    }
}
