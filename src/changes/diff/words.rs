//! Which words changed between lines removed and the lines put in their place.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use similar::DiffTag;

use super::compare::operations;
use super::{LineChange, Row};

/// Pairs of words that one change may have to compare.
const WORK_AT_ONCE: usize = 1_000_000;

/// Bytes that one change may have to compare.
const BYTES_AT_ONCE: usize = 64 * 1024;

/// Pairs of words for a whole diff.
const WORK: usize = 8_000_000;

/// Lines that have less than this in common are other lines, not changed ones.
const COMMON_PERCENT: usize = 40;

/// Marks the changed words of all rows. False where there was too much to
/// compare, which stays without marks.
pub(super) fn mark(rows: &mut [Row<'_>]) -> bool {
    let mut left = WORK;
    let mut all = true;
    let mut from = 0;
    while from < rows.len() {
        let run = |start: usize, kind| {
            start + rows[start..].iter().take_while(|row| row.kind == kind).count()
        };
        let middle = run(from, LineChange::Removed);
        let to = run(middle, LineChange::Added);
        if from < middle && middle < to {
            let (removed, added) = rows[from..to].split_at_mut(middle - from);
            all &= mark_change(removed, added, &mut left);
        }
        from = to.max(from + 1);
    }
    all
}

/// The words of some rows, and where each stands.
struct Words<'t> {
    texts: Vec<&'t str>,
    /// The same word, the same number: numbers are compared faster.
    numbers: Vec<usize>,
    places: Vec<(usize, Range<usize>)>,
}

impl<'t> Words<'t> {
    /// A line's end is a word too: it keeps the lines apart. `known` has the numbers of words.
    fn of(rows: &[Row<'t>], known: &mut HashMap<&'t str, usize>) -> Words<'t> {
        let about = rows.iter().map(|row| row.text.len() / 3 + 1).sum();
        let mut words = Words {
            texts: Vec::with_capacity(about),
            numbers: Vec::with_capacity(about),
            places: Vec::with_capacity(about),
        };
        for (at, row) in rows.iter().enumerate() {
            let text = row.text.strip_suffix('\r').unwrap_or(row.text);
            let mut from = 0;
            while let Some(word) = first_word(&text[from..]) {
                words.texts.push(word);
                words.places.push((at, from..from + word.len()));
                from += word.len();
            }
            words.texts.push("\n");
            words.places.push((at, from..from));
        }
        words.numbers.extend(words.texts.iter().map(|word| {
            let next = known.len();
            *known.entry(word).or_insert(next)
        }));
        words
    }
}

/// Letters and digits, or blanks, or one sign.
fn first_word(text: &str) -> Option<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let first = text.chars().next()?;
    let end = match class(first) {
        2 => first.len_utf8(),
        own => text.find(|c| class(c) != own).unwrap_or(text.len()),
    };
    Some(&text[..end])
}

/// A word is blank as a whole, or not at all.
fn is_blank(word: &str) -> bool {
    word.starts_with(char::is_whitespace)
}

fn mark_change(removed: &mut [Row<'_>], added: &mut [Row<'_>], left: &mut usize) -> bool {
    let bytes = removed.iter().chain(&*added).map(|row| row.text.len()).sum::<usize>();
    if bytes > BYTES_AT_ONCE {
        return false;
    }
    let mut known = HashMap::new();
    let (old, new) = (Words::of(removed, &mut known), Words::of(added, &mut known));
    let work = old.texts.len().saturating_mul(new.texts.len());
    if work > WORK_AT_ONCE || work > *left {
        return false;
    }
    *left -= work;
    if !may_have_much_in_common(&old, &new, known.len()) {
        return true;
    }
    let (mut old_stays, mut new_stays) =
        (vec![false; old.texts.len()], vec![false; new.texts.len()]);
    // Of each two rows with words in common how many bytes these have, without blanks.
    let mut same: Vec<(usize, usize, usize)> = Vec::new();
    for operation in operations(&old.numbers, &new.numbers) {
        if operation.tag() == DiffTag::Equal {
            old_stays[operation.old_range()].fill(true);
            new_stays[operation.new_range()].fill(true);
            for (at, to) in operation.old_range().zip(operation.new_range()) {
                let (from, to) = (old.places[at].0, new.places[to].0);
                let bytes = if is_blank(old.texts[at]) { 0 } else { old.texts[at].len() };
                match same.last_mut() {
                    Some((a, b, sum)) if (*a, *b) == (from, to) => *sum += bytes,
                    _ => same.push((from, to, bytes)),
                }
            }
        }
    }
    let forth = same.iter().copied();
    let back = same.iter().map(|&(from, to, bytes)| (to, from, bytes));
    keep_indentation(&old, &mut old_stays, removed, added, forth);
    keep_indentation(&new, &mut new_stays, added, removed, back);
    if common_percent(&old, &old_stays).max(common_percent(&new, &new_stays)) >= COMMON_PERCENT {
        mark_rows(removed, &old, &old_stays);
        mark_rows(added, &new, &new_stays);
    }
    true
}

/// The white space before a line is compared with that of the line it has most in common with: it
/// may have been paired with that of any other. A new line has nothing to compare.
fn keep_indentation(
    words: &Words<'_>,
    stays: &mut [bool],
    rows: &[Row<'_>],
    others: &[Row<'_>],
    same: impl Iterator<Item = (usize, usize, usize)>,
) {
    let mut counterparts: Vec<Option<(usize, Reverse<usize>)>> = vec![None; rows.len()];
    for (row, other, bytes) in same.filter(|&(_, _, bytes)| bytes > 0) {
        counterparts[row] = counterparts[row].max(Some((bytes, Reverse(other))));
    }
    let indentation = |text: &str| text.len() - text.trim_start().len();
    for ((row, place), stays) in words.places.iter().zip(stays) {
        if place.start > 0 {
            continue;
        }
        let own = &rows[*row].text[..indentation(rows[*row].text)];
        if own.is_empty() {
            continue;
        }
        let other = counterparts[*row].map(|(_, Reverse(other))| others[other].text);
        *stays |= other.is_none_or(|other| other[..indentation(other)] == *own);
    }
}

/// Whether as much may stay as makes a changed line, however the words are paired: most lines that follow each other have
/// little in common, and to count words takes less time than to compare them.
fn may_have_much_in_common(old: &Words<'_>, new: &Words<'_>, known: usize) -> bool {
    let solid = |words: &Words<'_>| {
        words.texts.iter().filter(|word| !is_blank(word)).map(|word| word.len()).sum::<usize>()
    };
    let mut counts = vec![0_usize; known];
    for &number in &old.numbers {
        counts[number] += 1;
    }
    let mut common = 0;
    for (word, &number) in new.texts.iter().zip(&new.numbers) {
        let count = &mut counts[number];
        if *count > 0 && !is_blank(word) {
            *count -= 1;
            common += word.len();
        }
    }
    common * 100 / solid(old).min(solid(new)).max(1) >= COMMON_PERCENT
}

/// How much of what is not blank stays.
fn common_percent(words: &Words<'_>, stays: &[bool]) -> usize {
    let solid = |(text, _): &(&&str, &bool)| !is_blank(text);
    let sizes = words.texts.iter().zip(stays).filter(solid);
    let (all, common) = sizes.fold((0, 0), |(all, common), (text, stays)| {
        (all + text.len(), common + if *stays { text.len() } else { 0 })
    });
    common * 100 / all.max(1)
}

fn mark_rows(rows: &mut [Row<'_>], words: &Words<'_>, stays: &[bool]) {
    for ((row, place), stays) in words.places.iter().zip(stays) {
        let row = &mut rows[*row];
        if *stays || place.is_empty() {
            continue;
        }
        match row.words.last_mut() {
            // Blanks between two changed words are changed with them.
            Some(last) if row.text[last.end..place.start].trim().is_empty() => last.end = place.end,
            _ => row.words.push(place.clone()),
        }
    }
    for row in rows {
        for word in &mut row.words {
            let text = &row.text[word.clone()];
            if !text.trim().is_empty() {
                // Other indentation is a change, a blank beside a word is none.
                let lead = if word.start > 0 { text.len() - text.trim_start().len() } else { 0 };
                *word = word.start + lead..word.start + text.trim_end().len();
            }
        }
        // A line that changed from end to end has nothing to point out.
        if let [only] = row.words.as_slice()
            && row.text[only.clone()].trim() == row.text.trim()
        {
            row.words.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &[&str], new: &[&str]) -> Vec<String> {
        let row = |kind| move |text: &&'static str| Row::new(kind, None, text);
        let fixed = |lines: &[&str]| -> Vec<&'static str> {
            lines.iter().map(|line| &*String::leak((*line).to_owned())).collect()
        };
        let (old, new) = (fixed(old), fixed(new));
        let mut rows: Vec<Row<'_>> = old.iter().map(row(LineChange::Removed)).collect();
        rows.extend(new.iter().map(row(LineChange::Added)));
        assert!(mark(&mut rows));
        let words = |row: &Row<'_>| {
            row.words.iter().map(|word| row.text[word.clone()].to_owned()).collect::<Vec<_>>()
        };
        rows.iter().flat_map(words).collect()
    }

    #[test]
    fn changed_words_are_marked_and_equal_ones_not() {
        assert_eq!(marked(&["let berth = 4;"], &["let berth = 12;"]), ["4", "12"]);
        assert_eq!(
            marked(&["moor(ship, north quay)"], &["moor(ship, old pier)"]),
            ["north quay", "old pier"]
        );
    }

    #[test]
    fn equal_indentation_is_not_marked() {
        let marked = |old: &[&str], new: &[&str]| marked(old, new).join("|");
        assert_eq!(marked(&["    alpha beta gamma"], &["    delta beta gamma"]), "alpha|delta");
        assert_eq!(
            marked(
                &["    let a = one(x);", "        b(y);"],
                &["    let a = two(x);", "        c(y);"]
            ),
            "one|b|two|c"
        );
        assert_eq!(
            marked(
                &["        if open:", "            close(door)"],
                &["        if shut:", "            leave(door)"]
            ),
            "open|close|shut|leave"
        );
        // Myers pairs the white space of one line with that of another here.
        for (old, new) in [
            (
                &["    return total(items);"][..],
                &["    let sum = total(items);", "    return sum;"][..],
            ),
            (
                &["\t\tkeep = 1;", "\t\tdrop = 2;", "\t\tlast = 3;"],
                &["\t\tkeep = 4;", "\t\tlast = 5;"],
            ),
            (&["    one(a);", "    two(b, c);"], &["    two(b, d);"]),
            (&["    a = 1;", "    keep(a, b);"], &["    b = 2;", "    c = 3;", "    keep(a, c);"]),
            (
                &["    x one two", "    y one two"],
                &["    z one three", "    x two", "    y one two four"],
            ),
            (&["  call(alpha, beta)", "  done"], &["  first", "  call(gamma, beta)", "  done now"]),
        ] {
            let marks = marked(old, new);
            assert!(!marks.contains("  ") && !marks.contains('\t'), "{old:?} {new:?}: {marks}");
        }
        // Nor is the blank before or behind a word that changed.
        assert_eq!(marked(&["ccc bb ="], &["ccc = bb"]), "=|=");
        assert_eq!(marked(&["keep these two"], &["keep these two words"]), "words");
        // Other indentation is a change.
        assert_eq!(marked(&["  keep(this);"], &["      keep(this);"]), "  |      ");
    }

    #[test]
    fn another_line_has_no_marks() {
        assert_eq!(marked(&["the tide is low"], &["fn bake() {}"]), [""; 0]);
        assert_eq!(
            marked(&["a = 1", "b = 2;"], &["a = 1", "entirely new words", "b = 3;"]),
            ["2", "3"]
        );
    }

    #[test]
    fn a_change_too_large_to_compare_is_said() {
        let long = "word ".repeat(2_000);
        let other = "other ".repeat(2_000);
        let mut rows =
            [Row::new(LineChange::Removed, None, &long), Row::new(LineChange::Added, None, &other)];
        assert!(!mark(&mut rows));
    }
}
