//! What became of files: hunks with their edits, moves, turns and leaves.

use std::fmt::Write as _;

use super::*;

/// A patch goes from the first known text to the last: what edits between them did is in it, known or not.
#[test]
fn edits_before_a_later_read_are_in_the_patch() {
    let sed = ("bash", r#"{"command":"sed -i s/x/y/ a"}"#, "");
    let read = ("read", r#"{"path":"a"}"#, "one\nTWO\n3\n");
    let one = ("edit", r#"{"path":"a","oldText":"one","newText":"1"}"#, "ok");
    let left_out = |steps: &[(&str, &str, &str)]| {
        let session = session(steps);
        let changes = Changes::of(&session);
        let printed = patch(&session, &changes.at(&session, session.leaf()));
        let lines = printed.lines().skip_while(|line| !line.ends_with("not in this patch"));
        lines.take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    // What is not known before an edit that is, and after the last that is.
    let words = "in part: only the words that it replaced are known";
    let all = left_out(&[READ, TWO, sed, THREE, one]);
    assert_eq!(
        all,
        ["# a: 2 edits not in this patch".to_owned(), format!("#   r3 edit +1 -1, {words}")]
    );
    assert!(left_out(&[READ, TWO, sed, THREE, read]).is_empty());
    let last = left_out(&[READ, TWO, sed, THREE, read, sed, one]);
    assert_eq!(
        last,
        ["# a: 1 edit not in this patch".to_owned(), format!("#   r6 edit +1 -1, {words}")]
    );
    let first = left_out(&[THREE, read, one]);
    assert_eq!(
        first,
        ["# a: 1 edit not in this patch".to_owned(), format!("#   r0 edit +1 -1, {words}")]
    );
    // In a turn, too, a later edit of it shows what those before it did.
    let session = session(&[("prompt", "go", ""), READ, TWO, sed, THREE, read, one]);
    let changes = Changes::of(&session);
    let turn = changes.turn(&session, session.leaf(), session.find("p0").unwrap());
    assert!(!patch(&session, &turn).contains("not in this patch"));
}

#[test]
fn a_moved_file_is_the_same_file() {
    let patch = r#"{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-two\n+2\n*** End Patch"}"#;
    let session = session(&[
        READ,
        ("apply_patch", patch, "ok"),
        ("edit", r#"{"path":"b","oldText":"one","newText":"1"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    assert_eq!(files.len(), 1);
    assert_eq!((files[0].path.as_str(), files[0].from.as_deref()), ("b", Some("a")));
    assert_eq!(files[0].status, FileStatus::Moved);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
}

#[test]
fn a_file_that_another_was_moved_onto_is_deleted() {
    let moved = r#"{"input":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-two\n+2\n*** End Patch"}"#;
    let session = session(&[
        READ,
        ("read", r#"{"path":"b"}"#, "old\n"),
        ("edit", r#"{"path":"b","oldText":"old","newText":"older"}"#, "ok"),
        ("apply_patch", moved, "ok"),
        ("edit", r#"{"path":"b","oldText":"one","newText":"1"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    let told: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.facts())).collect();
    assert_eq!(told, [("b", "2 edits, deleted".to_owned()), ("b", "2 edits, moved".to_owned())]);
    let text = |id: &str| {
        let at = session.find(id).unwrap();
        let file = &changes.files()[changes.find_at("b", at).unwrap()];
        changes.state(file, at).text().map(str::to_owned)
    };
    assert_eq!(text("r2").as_deref(), Some("older\n"));
    assert_eq!(text("r3").as_deref(), Some("one\n2\nthree\n"));
    assert_eq!(changes.find("b"), Some(1));
    let at = session.find("r2").unwrap();
    assert_eq!(changes.at(&session, at)[0].facts(), "1 edit");
}

#[test]
fn hunks_name_the_edits_that_made_them() {
    let lines: String = (1..=40).fold(String::new(), |mut text, n| {
        let _ = writeln!(text, "line {n}");
        text
    });
    let edit = |n: usize| format!(r#"{{"path":"a","oldText":"line {n}\n","newText":"new {n}\n"}}"#);
    let (first, second, third) = (edit(35), edit(5), edit(6));
    let session = session(&[
        ("prompt", "go", ""),
        ("read", r#"{"path":"a"}"#, &lines),
        ("edit", &first, "ok"),
        ("prompt", "more", ""),
        ("edit", &second, "ok"),
        ("edit", &third, "ok"),
    ]);
    let changes = Changes::of(&session);
    let files = changes.at(&session, session.leaf());
    let hunks = &files[0].net.hunks;
    let told: Vec<_> =
        hunks.iter().map(|h| (h.old_start, h.old_lines, h.new_lines, h.edits.clone())).collect();
    assert_eq!(told, [(2, 8, 8, vec![1, 2]), (32, 7, 7, vec![0])]);
    let turns = changes.turns();
    let told: Vec<_> = turns
        .iter()
        .map(|turn| (turn.prompt.map(|at| session.id_at(at)), turn.files[0].net.hunks.len()))
        .collect();
    assert_eq!(told, [(Some("p0"), 1), (Some("p3"), 1)]);
}

#[test]
fn an_edit_says_which_lines_it_is_about() {
    let lines = |text: &str, old: &str, new: &str| {
        let arguments = format!(r#"{{"path":"a","oldText":"{old}","newText":"{new}"}}"#);
        let session = session(&[("read", r#"{"path":"a"}"#, text), ("edit", &arguments, "ok")]);
        Changes::of(&session).files()[0].edited_lines()
    };
    let text = "one\ntwo\nthree";
    assert_eq!(lines(text, "two", "2"), [Some(2..=2)]);
    assert_eq!(lines(text, "two", r"2\n2"), [Some(2..=3)]);
    assert_eq!(lines(text, r"two\n", ""), [Some(2..=2)]);
    // The last line has no newline.
    assert_eq!(lines(text, "three", r"3\n3"), [Some(3..=4)]);
}

/// The line of a turn's steps and the view Changes say the same.
#[test]
fn the_lines_of_a_turn_are_those_of_its_hunks() {
    let mut compared = 0;
    for folder in ["examples", "tests/fixtures/samples", "tests/fixtures/today"] {
        for file in std::fs::read_dir(folder).unwrap() {
            let Ok(session) = crate::read_file(file.unwrap().path()) else { continue };
            let changes = Changes::of(&session);
            let mut edited = changes.edited_by(|edit| vec![edit.prompt], |_| None);
            assert_head_is_the_view(&session, &changes);
            for turn in changes.turns() {
                let files = edited.remove(&turn.prompt).unwrap();
                assert_eq!(files.len(), turn.files.len());
                for (file, lines) in turn.files.iter().map(|file| (file, &file.net)) {
                    let own = files.iter().find(|own| own.file == file.file).unwrap();
                    let found = (own.lines.added, own.lines.removed, !own.lines.is_about);
                    assert_eq!(found, (lines.added, lines.removed, lines.is_exact), "{turn:?}");
                    compared += 1;
                }
            }
            assert!(edited.is_empty());
        }
    }
    assert!(compared > 8, "{compared} files of turns");
}

/// A page shows at the end of each branch what the command prints there.
#[test]
fn the_states_of_all_leaves_are_those_of_each() {
    let session = crate::read_file("examples/lighthouse.jsonl").unwrap();
    let changes = Changes::of(&session);
    let leaves: Vec<_> = session.tree().leaves().collect();
    assert!(leaves.len() > 2);
    let over_time: Vec<_> = changes.at_each(&leaves).map(|(_, file)| file).collect();
    for (nth, &leaf) in leaves.iter().enumerate() {
        let wanted = changes.at(&session, leaf);
        let found = over_time.iter().filter_map(|file| Some(&file.states[file.of_leaf[nth]?]));
        let lines = |file: &FileAt<'_>| {
            let net = &file.net;
            (
                file.path.clone(),
                file.edits.clone(),
                file.undone.clone(),
                net.added,
                net.removed,
                net.is_exact,
            )
        };
        assert_eq!(
            found.map(lines).collect::<Vec<_>>(),
            wanted.iter().map(lines).collect::<Vec<_>>()
        );
    }
}

/// Where all edits are on the path, the head of the page says the same as the view.
#[track_caller]
fn assert_head_is_the_view(session: &Session, changes: &Changes) {
    let path = session.with_sub_agents(&session.tree().path(session.leaf()));
    let own = changes.edited_among(&path);
    for file in changes.at(session, session.leaf()) {
        let is_done = |(&edit, on_path): (&usize, &bool)| !file.file.edits[edit].ok || *on_path;
        if let Some(lines) = file.lines()
            && file.edits.iter().zip(&file.on_path).all(is_done)
        {
            let found = own.iter().find(|own| own.file == file.place).unwrap();
            assert_eq!(found.lines, lines, "{}", file.path);
        }
    }
}
