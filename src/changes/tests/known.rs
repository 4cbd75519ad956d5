//! How well edits are known.

use super::*;

#[test]
fn a_file_that_was_read_is_exact() {
    let session = session(&[READ, TWO, THREE]);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
    assert_eq!(after(&session).as_deref(), Some("one\nTWO\n3\n"));
}

#[test]
fn parts_that_are_read_one_behind_the_other_are_the_file() {
    let first = "one\ntwo\n\n[2 more lines in file. Use offset=3 to continue]";
    let first = ("read", r#"{"path":"a","limit":2}"#, first);
    let last = ("read", r#"{"path":"a","offset":3}"#, "three\n");
    let whole = session(&[first, last, TWO]);
    assert_eq!(told(&whole), "exact +1 -1; net +1 -1");
    assert_eq!(after(&whole).as_deref(), Some("one\nTWO\nthree\n"));
    let between = [
        ("bash", r#"{"command":"make"}"#, ""),
        ("prompt", "go on", ""),
        ("edit", r#"{"path":"a","oldText":"one","newText":"1"}"#, "ok"),
        ("read", r#"{"path":"a","offset":2}"#, "zwei\nthree\n"),
    ];
    for between in between {
        let told = told(&session(&[first, between, last, TWO]));
        assert!(!told.contains("exact"), "{between:?}: {told}");
    }
    assert_eq!(told(&session(&[last, TWO])), "part +1 -1; net +1 -1");
}

#[test]
fn a_file_that_was_not_read_is_known_in_part_or_by_its_diff() {
    assert_eq!(told(&session(&[TWO])), "part +1 -1; net +1 -1");
    let diff = "ok| 1 one\n-2 two\n+2 TWO\n 3 three";
    assert_eq!(told(&session(&[(TWO.0, TWO.1, diff)])), "patch +1 -1; net +1 -1");
}

#[test]
fn a_file_that_was_overwritten_is_known_from_then_on() {
    let write = ("write", r#"{"path":"a","content":"one\ntwo\n"}"#, "ok");
    assert_eq!(told(&session(&[write, TWO])), "part +2 -0, exact +1 -1; net +2 -0");
    let again = ("write", r#"{"path":"a","content":"one\n2\n"}"#, "ok");
    assert_eq!(told(&session(&[write, again])), "part +2 -0, exact +1 -1; net +2 -0");
}

#[test]
fn a_failed_edit_changes_nothing() {
    let failed = (TWO.0, TWO.1, "!not found");
    assert_eq!(told(&session(&[READ, failed, THREE])), "part failed +1 -1, exact +1 -1; net +1 -1");
}

#[test]
fn an_editor_that_may_replace_tabs_is_not_exact_where_there_are_some() {
    let insert = r#"{"command":"insert","path":"a","insert_line":3,"new_str":"x"}"#;
    let insert = ("str_replace_based_edit_tool", insert, "ok");
    let exact = session(&[READ, insert]);
    assert_eq!(told(&exact), "exact +1 -0; net +1 -0");
    assert_eq!(after(&exact).as_deref(), Some("one\ntwo\nthree\nx\n"));
    let read = ("read", r#"{"path":"a"}"#, "one\n\ttwo\nthree\n");
    let tabs = session(&[read, insert]);
    assert_eq!(told(&tabs), "part +1 -0; net +1 -0");
    let changes = Changes::of(&tabs);
    assert!(changes.files()[0].breaks.is_empty());
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], tabs.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.why, "its tool may replace tabs by spaces");
}

#[test]
fn ends_of_lines_are_those_of_the_file() {
    let read = ("read", r#"{"path":"a"}"#, "one\r\ntwo\r\nthree\r\n");
    // That this succeeded shows that the tool finds a text whatever the ends of its lines are.
    let edit = |arguments| session(&[read, ("edit", arguments, "ok")]);
    let two = edit(r#"{"path":"a","oldText":"one\ntwo","newText":"1\n2\n2b"}"#);
    assert_eq!(told(&two), "exact +3 -2; net +3 -2");
    assert_eq!(after(&two).as_deref(), Some("1\r\n2\r\n2b\r\nthree\r\n"));
    let one = edit(r#"{"path":"a","oldText":"two","newText":"2"}"#);
    assert_eq!(after(&one).as_deref(), Some("one\r\n2\r\nthree\r\n"));
    // Nothing shows whether the new line got the file's end.
    let more = edit(r#"{"path":"a","oldText":"two","newText":"2\n2b"}"#);
    assert_eq!(told(&more), "part +2 -1; net +2 -1");
    let changes = Changes::of(&more);
    assert!(changes.files()[0].breaks.is_empty());
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], more.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.why, "its tool may write other ends of lines than the file's");
}

#[test]
fn a_diff_of_several_files_is_parted_by_whole_names() {
    let edits = r#"{"edits":[{"path":"a","oldText":"one","newText":"1"},{"path":"xa","oldText":"uno","newText":"dos"}]}"#;
    let diff = "ok|--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-one\n+1\n--- a/w/xa\n+++ b/w/xa\n@@ -1 +1 @@\n-uno\n+dos\n";
    let session = session(&[READ, ("read", r#"{"path":"xa"}"#, "uno\n"), ("edit", edits, diff)]);
    assert_eq!(told(&session), "exact +1 -1; net +1 -1");
    assert!(Changes::of(&session).files().iter().all(|file| file.breaks.is_empty()));
}

#[test]
fn hunks_that_are_not_in_order_do_not_apply() {
    for added in ["ccc", "ééééé"] {
        let patch = format!(
            r#"{{"patch":"--- a/a\n+++ b/a\n@@ -3 +3 @@\n-three\n+{added}\n@@ -1 +1 @@\n-one\n+1\n"}}"#
        );
        let session = session(&[READ, ("patch", &patch, "ok")]);
        assert_eq!(told(&session), "patch +2 -2; net +2 -2");
        assert_eq!(after(&session), None);
    }
}

#[test]
fn a_line_that_begins_with_a_backslash_says_where_a_hunk_stands() {
    let patch = r#"{"input":"*** Begin Patch\n*** Update File: a\n@@ \\section{B}\n-x\n+y\n*** End Patch"}"#;
    let read = ("read", r#"{"path":"a"}"#, "\\section{A}\nx\n\\section{B}\nx\nq\n");
    let session = session(&[read, ("apply_patch", patch, "ok")]);
    assert_eq!(told(&session), "exact +1 -1; net +1 -1");
    assert_eq!(after(&session).as_deref(), Some("\\section{A}\nx\n\\section{B}\ny\nq\n"));
}
