//! Files after edits are those that the session files show.

use std::collections::HashSet;
use std::path::Path;

use leafpress::changes::{Changes, FileChanges, Known};
use leafpress::session::calls::Calls;
use leafpress::session::{EntryIndex, Session};

use crate::support::edits::checked;
use crate::support::folder::files;

fn check(folders: &[&str]) -> usize {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for path in folders.iter().flat_map(|folder| files(Path::new(folder))) {
        let mut found = checked(&path);
        compared += found.compared;
        wrong.append(&mut found.wrong);
    }
    println!("{compared} edits compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared
}

#[test]
fn a_known_file_is_the_one_that_the_session_shows() {
    let compared = check(&["tests/fixtures", "examples"]);
    assert!(compared >= 10, "{compared}");
}

/// `LEAFPRESS_EDITS=/folder cargo test --test suite -- --ignored edits_of_a_folder --nocapture`
#[test]
#[ignore = "for a folder of one's own"]
fn edits_of_a_folder() {
    let folder = std::env::var("LEAFPRESS_EDITS").unwrap();
    check(&[&folder]);
}

/// The figures of docs/formats.md for the sessions of a folder:
/// `LEAFPRESS_EDITS=/folder cargo test --test suite -- --ignored how_well_edits --nocapture`
#[test]
#[ignore = "for a folder of one's own"]
fn how_well_edits_of_a_folder_are_known() {
    let folder = std::env::var("LEAFPRESS_EDITS").unwrap();
    let (mut sessions, mut known, mut maybe, mut without_sign) = (0, [0; 3], 0, 0);
    for session in
        files(Path::new(&folder)).iter().filter_map(|path| leafpress::read_file(path).ok())
    {
        sessions += 1;
        let changes = Changes::of(&session);
        let calls = Calls::read(&session);
        for file in changes.files() {
            for edit in file.edits.iter().filter(|edit| edit.ok) {
                known[Known::ALL.iter().position(|one| *one == edit.known).unwrap()] += 1;
            }
            if !file.maybe.is_empty() {
                maybe += 1;
                if !has_sign(&session, &calls, changes.shown(file), file) {
                    without_sign += 1;
                    println!("no further sign of {}", changes.shown(file));
                }
            }
        }
    }
    let [exact, patch, part] = known;
    println!(
        "{sessions} sessions: {exact} exact, {patch} from a patch, {part} in part; \
         {maybe} files maybe written by a command, {without_sign} of them without a further sign"
    );
}

/// Whether more than the commands that may have written a file speaks of it: an edit, a break, or an entry beside these
/// commands that names it.
fn has_sign(session: &Session, calls: &Calls, path: &str, file: &FileChanges) -> bool {
    let commands: HashSet<EntryIndex> = (file.maybe.iter())
        .flat_map(|&result| [Some(result), calls.call_of(result).map(|call| call.entry)])
        .flatten()
        .collect();
    // A command in a folder further down names only the end of the path.
    let folder = path.rsplit('/').nth(1).map_or(0, |folder| folder.len() + 1);
    let name = &path[path.rfind('/').map_or(0, |slash| slash + 1) - folder..];
    let is_apart = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    let names_it =
        |text: &str| text.match_indices(name).any(|(at, _)| text[..at].ends_with(is_apart));
    let mut others = session.indices().filter(|entry| !commands.contains(entry));
    !file.edits.is_empty()
        || !file.breaks.is_empty()
        || others.any(|entry| session.raw(entry).is_some_and(names_it))
}
