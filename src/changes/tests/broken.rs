//! Edits that were undone, and files that are not as the edits lead to.

use super::*;

#[test]
fn a_part_that_shows_other_lines_is_a_break() {
    let same = ("read", r#"{"path":"a","offset":2}"#, "TWO\nthree\n");
    assert_eq!(told(&session(&[READ, TWO, same, THREE])), "exact +1 -1, exact +1 -1; net +2 -2");
    for other in [
        "zwei\nthree\n",
        "TWO\nthree\nfour\nfive\n",
        "TWO\n\n[9 more lines in file. Use offset=3 to continue]",
    ] {
        let other = ("read", r#"{"path":"a","offset":2}"#, other);
        let session = session(&[READ, TWO, other, THREE]);
        assert_eq!(told(&session), "exact +1 -1, part +1 -1; net +2 -2");
        let changes = Changes::of(&session);
        let breaks = &changes.files()[0].breaks;
        assert_eq!((breaks.len(), breaks[0].kind), (1, BreakKind::Outside));
    }
}

#[test]
fn edits_that_were_taken_back_are_undone() {
    assert_eq!(told(&session(&[READ, TWO, BACK])), "exact undone +1 -1, exact +1 -1; net +0 -0");
    assert_eq!(
        told(&session(&[READ, TWO, THREE, BACK])),
        "exact undone +1 -1, exact +1 -1, exact +1 -1; net +1 -1"
    );
    // And made again.
    assert_eq!(
        told(&session(&[READ, TWO, BACK, TWO])),
        "exact +1 -1, exact +1 -1, exact +1 -1; net +1 -1"
    );
}

/// Where the whole text is not known, what the calls replaced says it.
#[test]
fn edits_that_were_taken_back_are_undone_in_a_file_that_is_not_known() {
    assert_eq!(told(&session(&[TWO, BACK])), "part undone +1 -1, part +1 -1; net +2 -2");
    let diff = |edit: (&'static str, &'static str, &'static str), diff| (edit.0, edit.1, diff);
    let patched = [
        diff(TWO, "ok| 1 one\n-2 two\n+2 TWO\n 3 three"),
        THREE,
        diff(BACK, "ok| 1 one\n-2 TWO\n+2 two\n 3 3"),
    ];
    assert_eq!(told(&session(&patched)), "patch undone +1 -1, part +1 -1, patch +1 -1; net +3 -3");
    let read = ("read", r#"{"path":"a"}"#, "one\nTWO\nthree\n");
    let shown = "part undone +1 -1, exact +1 -1; net +2 -2";
    assert_eq!(told(&session(&[TWO, read, BACK])), shown);
    let sed = ("bash", r#"{"command":"sed -i s/x/y/ a"}"#, "");
    let unknown = "exact undone +1 -1, part +1 -1; net +2 -2";
    assert_eq!(told(&session(&[READ, TWO, sed, BACK])), unknown);
    // Other texts, and every occurrence.
    let other = ("edit", r#"{"path":"a","oldText":"TWO","newText":"Two"}"#, "ok");
    let all = ("edit", r#"{"path":"a","oldText":"TWO","newText":"two","all":true}"#, "ok");
    for other in [other, all] {
        assert!(!told(&session(&[TWO, other])).contains("undone"));
    }
    // And made again.
    let again = "part undone +1 -1, part undone +1 -1, part +1 -1; net +3 -3";
    assert_eq!(told(&session(&[TWO, BACK, TWO])), again);
}

#[test]
fn a_file_that_somebody_else_changed_has_a_break() {
    let other = ("read", r#"{"path":"a"}"#, "one\nTWO\nfour\n");
    let session = session(&[
        READ,
        TWO,
        other,
        ("edit", r#"{"path":"a","oldText":"four","newText":"4"}"#, "ok"),
    ]);
    let changes = Changes::of(&session);
    let breaks = &changes.files()[0].breaks;
    assert_eq!(breaks.len(), 1);
    assert_eq!(session.id_at(breaks[0].entry), "r2");
    assert_eq!(breaks[0].kind, BreakKind::Outside);
    assert_eq!(told(&session), "exact +1 -1, exact +1 -1; net +2 -2");
}

#[test]
fn an_edit_that_does_not_apply_shows_a_break() {
    let odd = ("edit", r#"{"path":"a","oldText":"ten","newText":"10"}"#, "ok");
    let session = session(&[READ, TWO, odd]);
    assert_eq!(told(&session), "exact +1 -1, part +1 -1; net +2 -2");
    let changes = Changes::of(&session);
    assert_eq!(changes.files()[0].breaks.len(), 1);
    assert_eq!(changes.files()[0].breaks[0].kind, BreakKind::Misfit);
    let files = changes.at(&session, session.leaf());
    assert_eq!(files[0].facts(), "2 edits, in part, an edit does not fit the ones before it");
    let FileState::Unknown(unknown) = changes.state(&changes.files()[0], session.leaf()) else {
        panic!("known")
    };
    assert_eq!(unknown.since.map(|since| session.id_at(since)), Some("r2"));
}
