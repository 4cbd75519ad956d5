use proptest::prelude::*;

use super::*;

#[test]
fn what_lines_do_not_show_is_said() {
    let said = |old, new| Diff::between(old, new).remarks;
    assert_eq!(said("a\n", "b"), ["The newline at the end was removed"]);
    assert_eq!(said("a\r\nb\r\n", "a\nb\n"), ["The lines ended with CRLF and end with LF"]);
    assert_eq!(said("", ""), ["Both texts are empty"]);
    assert_eq!(said("a", "a"), ["Nothing changed: the text is the same before and after"]);
    assert_eq!(said("", "a\n"), [""; 0]);
}

#[test]
fn few_changes_far_apart_are_found_among_lines_that_repeat() {
    let old: Vec<String> = (0..100_000).map(|n| format!("{}", n / 2)).collect();
    let mut new = old.clone();
    new.remove(99_000);
    new.insert(500, "other".to_owned());
    let (old, new) = (old.join("\n"), new.join("\n"));
    let diff = Diff::between(&old, &new);
    assert_eq!((diff.counts(), diff.remarks), ((1, 1), vec![]));
}

#[test]
fn both_sides_of_a_written_diff_are_found() {
    let diff = Diff::written(" 1 quay\n-2 old\n+2 new\n   ...\n 9 pier").unwrap();
    assert_eq!(
        diff.sides(),
        ("quay\nold\n\0\npier\n".to_owned(), "quay\nnew\n\0\npier\n".to_owned())
    );
}

/// Few different lines, so that many of them stay.
fn some_text() -> impl Strategy<Value = String> {
    prop_oneof!["([ab<&\r] ?|\n){0,30}", "(x|y|tide 4|tide 12|\n){0,40}", any::<String>()]
}

proptest! {
    #[test]
    fn both_texts_can_be_told_from_their_diff(old in some_text(), new in some_text()) {
        let diff = Diff::between(&old, &new);
        let ended = |text: &str| lines(text).iter().flat_map(|line| [line, "\n"]).collect::<String>();
        prop_assert_eq!(diff.sides(), (ended(&old), ended(&new)));
    }
}
