use proptest::prelude::*;

use super::*;

/// The lines that a diff shows of one side.
fn side(html: &str, wanted: &str, other: &str) -> usize {
    html.matches(wanted).count() + html.matches(other).count()
}

#[test]
fn two_texts_are_compared() {
    let diff = Diff::between("quay\nberth = 4\npier\n", "quay\nberth = 12\npier\nbuoy\n");
    assert_eq!(diff.facts(), ["+2 \u{2212}1"]);
    let html = diff.html();
    assert_eq!(
        html.as_str(),
        "<div class=\"numbered diff\"><pre class=\"gutter\" data-ui aria-hidden=\"true\">\n \n-\n+\n \n+</pre><pre class=\"out\">\n\
         quay\n<del>berth = <b class=\"w\">4</b>\n</del><ins>berth = <b class=\"w\">12</b>\n</ins>pier\n<ins>buoy\n</ins></pre></div>\n"
    );
    assert_eq!(html.visible_text(), "\nquay\nberth = 4\nberth = 12\npier\nbuoy\n\n");
}

#[test]
fn unchanged_lines_lie_in_a_fold_and_are_not_lost() {
    let old: Vec<String> = (0..60).map(|n| format!("line {n}")).collect();
    let mut new = old.clone();
    new[30] = "changed".to_owned();
    let (old, new) = (old.join("\n"), new.join("\n"));
    let html = Diff::between(&old, &new).html();
    assert!(
        html.as_str().contains("27 unchanged lines")
            && html.as_str().contains("26 unchanged lines"),
        "{html}"
    );
    let text = html.visible_text();
    assert!(old.lines().chain(new.lines()).all(|line| text.contains(line)));
}

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
fn carriage_returns_at_line_ends_add_no_lines() {
    let html = Diff::between("a\r\nb\r\n", "a\r\nc\r\n").html();
    assert_eq!(html.visible_text(), "\na\nb\nc\n\n");
}

#[test]
fn twenty_thousand_changed_lines_stay_whole() {
    let text =
        |word: &str| (0..20_000).map(|n| format!("{word} {n}\n")).collect::<Vec<_>>().concat();
    let (old, new) = (text("old"), text("new"));
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.counts(), (20_000, 20_000));
    assert!(diff.remarks.iter().any(|remark| remark.contains("words")));
    let html = diff.html();
    assert_eq!(side(html.as_str(), "<del>", "<ins>"), 40_000);
    assert!(
        html.visible_text().contains("old 19999\n") && html.visible_text().contains("new 19999\n")
    );
}

#[test]
fn two_long_lines_stay_whole() {
    let (old, new) = ("tide ".repeat(200_000), "ebb ".repeat(250_000));
    let diff = Diff::between(&old, &new);
    assert_eq!(diff.counts(), (1, 1));
    let text = diff.html().visible_text();
    assert_eq!((text.matches("tide").count(), text.matches("ebb").count()), (200_000, 250_000));
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
        let shown = diff.html().visible_text();
        for word in old.split_whitespace().chain(new.split_whitespace()) {
            prop_assert!(shown.contains(&word.replace('\0', "\u{fffd}")), "{word:?} in {shown:?}");
        }
    }

    #[test]
    fn no_text_breaks_the_readers(text in some_text(), sign in "[-+ @*]{0,3}") {
        let lines: Vec<String> = text.split('\n').map(|line| format!("{sign}{line}")).collect();
        for start in ["", "*** Begin Patch\n*** Update File: a\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n", "+1 a\n"] {
            let whole = format!("{start}{}", lines.join("\n"));
            let Some(diff) = Diff::written(&whole) else { continue };
            let (html, shown) = (diff.html(), diff.html().visible_text());
            for word in text.split_whitespace().filter(|word| word.chars().all(char::is_alphanumeric)) {
                // A number alone behind a sign is a line's number, and stands beside the text.
                let number = word.parse::<u64>().is_ok_and(|number| html.as_str().contains(&number.to_string()));
                prop_assert!(number || shown.contains(word), "{word:?} of {whole:?} in {shown:?}");
            }
        }
    }
}
