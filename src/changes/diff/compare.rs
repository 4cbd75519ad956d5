//! Which lines of two texts are the same, in time linear in their size.
//!
//! `similar` compares what is left once a large difference was cut at lines that occur equally
//! often, and a limit counted in pairs of lines bounds its work: its Myers is quadratic where two
//! texts have little in common. imara-diff 0.2 was measured in its place. Its histogram finds some
//! differences exactly that are given up here, but takes 5 to 14 seconds for two texts of 100,000
//! lines that are few different ones, so it would need the same limit.

use std::collections::HashMap;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag};

/// Pairs of lines that the exact search may have to compare within one
/// difference; a larger one is first cut at lines that occur equally often.
const WORK_AT_ONCE: usize = 1_000_000;

/// The same for a whole comparison.
const WORK: usize = 8_000_000;

/// Two texts compared line by line.
pub(super) struct Compared {
    /// Lines that stay, by their places in the old and the new text; both grow.
    pub(super) same: Vec<(usize, usize)>,
    /// Whether every difference was searched; one too large counts as
    /// replaced whole.
    pub(super) is_exact: bool,
}

pub(super) fn compare(old: &[&str], new: &[&str]) -> Compared {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let middle = between(&old[head..old_end], &new[head..new_end]);
    let mut same: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    same.extend(middle.same.iter().map(|(old, new)| (head + old, head + new)));
    same.extend((old_end..old.len()).zip(new_end..new.len()));
    Compared { same, ..middle }
}

/// The same of lines that neither begin nor end alike.
fn between(old: &[&str], new: &[&str]) -> Compared {
    let nothing = Compared { same: Vec::new(), is_exact: true };
    if old.is_empty() || new.is_empty() {
        return nothing;
    }
    let mut names = HashMap::new();
    let old: Vec<usize> = old.iter().map(|line| name(&mut names, line)).collect();
    let count = names.len();
    let new: Vec<usize> = new.iter().map(|line| name(&mut names, line)).collect();
    let mut is_new = vec![false; count];
    for &name in new.iter().filter(|&&name| name < count) {
        is_new[name] = true;
    }
    let (old_places, old) = only(&old, |name| is_new[name]);
    let (new_places, new) = only(&new, |name| name < count);
    if old.is_empty() {
        return nothing;
    }
    let whole = Gap { old: 0..old.len(), new: 0..new.len() };
    let mut search =
        Search { old: &old, new: &new, names: count, left: WORK, same: Vec::new(), is_exact: true };
    search.whole(&whole);
    let in_texts = |(old, new): (usize, usize)| (old_places[old], new_places[new]);
    Compared { same: search.same.into_iter().map(in_texts).collect(), is_exact: search.is_exact }
}

/// The number of a line: of the same line always the same.
fn name<'t>(names: &mut HashMap<&'t str, usize>, line: &'t str) -> usize {
    let next = names.len();
    *names.entry(line).or_insert(next)
}

/// The lines that both texts have, with their places: no other line can stay, and most of the time goes into those.
fn only(lines: &[usize], is_common: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<usize>) {
    lines.iter().enumerate().filter(|(_, name)| is_common(**name)).unzip()
}

/// Lines as numbers: the same line, the same number.
struct Search<'a> {
    old: &'a [usize],
    new: &'a [usize],
    names: usize,
    left: usize,
    same: Vec<(usize, usize)>,
    is_exact: bool,
}

/// A part of both texts.
struct Gap {
    old: Range<usize>,
    new: Range<usize>,
}

impl Gap {
    fn work(&self) -> usize {
        self.old.len().saturating_mul(self.new.len())
    }
}

impl Search<'_> {
    fn whole(&mut self, whole: &Gap) {
        if whole.work() <= WORK_AT_ONCE {
            self.exact(whole);
            return;
        }
        let mut from = (0, 0);
        for (old, new) in self.anchors(whole) {
            self.gap(&Gap { old: from.0..old, new: from.1..new });
            self.same.push((old, new));
            from = (old + 1, new + 1);
        }
        self.gap(&Gap { old: from.0..whole.old.end, new: from.1..whole.new.end });
    }

    fn gap(&mut self, gap: &Gap) {
        let (head, gap, tail) = self.trim(gap);
        self.keep(&head);
        self.exact(&gap);
        self.keep(&tail);
    }

    /// Lines that begin and that end both, and what lies between.
    fn trim(&self, gap: &Gap) -> (Gap, Gap, Gap) {
        let (old, new) = (&self.old[gap.old.clone()], &self.new[gap.new.clone()]);
        let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = tails.take_while(|(a, b)| a == b).count();
        let (old_from, old_to) = (gap.old.start + head, gap.old.end - tail);
        let (new_from, new_to) = (gap.new.start + head, gap.new.end - tail);
        (
            Gap { old: gap.old.start..old_from, new: gap.new.start..new_from },
            Gap { old: old_from..old_to, new: new_from..new_to },
            Gap { old: old_to..gap.old.end, new: new_to..gap.new.end },
        )
    }

    fn keep(&mut self, gap: &Gap) {
        self.same.extend(gap.old.clone().zip(gap.new.clone()));
    }

    fn exact(&mut self, gap: &Gap) {
        let work = gap.work();
        if work > WORK_AT_ONCE || work > self.left {
            self.is_exact = false;
            return;
        }
        self.left -= work;
        let (old, new) = (&self.old[gap.old.clone()], &self.new[gap.new.clone()]);
        for operation in operations(old, new) {
            if operation.tag() == DiffTag::Equal {
                let shifted = |range: Range<usize>, by| range.start + by..range.end + by;
                self.keep(&Gap {
                    old: shifted(operation.old_range(), gap.old.start),
                    new: shifted(operation.new_range(), gap.new.start),
                });
            }
        }
    }

    /// Lines that occur equally often in both, the first paired with the first
    /// and so on; of these pairs as many as follow each other in both.
    fn anchors(&self, gap: &Gap) -> Vec<(usize, usize)> {
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.names];
        for at in gap.new.clone() {
            places[self.new[at]].push(at);
        }
        let mut counts = vec![0_usize; self.names];
        for &name in &self.old[gap.old.clone()] {
            counts[name] += 1;
        }
        let mut met = vec![0_usize; self.names];
        let candidates = gap.old.clone().filter_map(|at| {
            let name = self.old[at];
            let nth = met[name];
            met[name] += 1;
            (counts[name] == places[name].len()).then(|| (at, places[name][nth]))
        });
        growing(&candidates.collect::<Vec<_>>())
    }
}

/// What leads from some numbers to others. `similar`'s own function for it brings each of its algorithms into the program.
pub(super) fn operations(old: &[usize], new: &[usize]) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut operations, old, 0..old.len(), new, 0..new.len());
    operations.into_inner().into_inner().into_ops()
}

/// The longest part of the pairs whose second numbers grow too.
fn growing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length of a growing part, the place of the pair that ends the best one.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let chain = std::iter::successors(ends.last().copied(), |&at| before[at]);
    let mut found: Vec<_> = chain.map(|at| pairs[at]).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_are_found() {
        let compared = compare(&["a", "b", "c", "d"], &["a", "x", "c", "d", "e"]);
        assert_eq!(compared.same, [(0, 0), (2, 2), (3, 3)]);
        assert!(compared.is_exact);
    }

    #[test]
    fn a_large_difference_is_cut_at_lines_that_occur_equally_often() {
        let line =
            |n: usize| if n.is_multiple_of(10) { format!("mark {n}") } else { "same".to_owned() };
        let old: Vec<String> = (0..5_000).map(line).collect();
        let mut new = old.clone();
        new[0] = "other".to_owned();
        new.insert(2_503, "new".to_owned());
        new[5_000] = "other".to_owned();
        let refs = |lines: &[String]| {
            lines.iter().map(String::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let (old, new) = (refs(&old), refs(&new));
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let compared = compare(&old, &new);
        assert!(compared.is_exact);
        assert_eq!(compared.same.len(), 4_998);
        assert!(compared.same.iter().all(|&(a, b)| old[a] == new[b]));
        assert!(compared.same.is_sorted());
    }

    #[test]
    fn what_is_too_large_to_search_counts_as_replaced() {
        let old: Vec<String> = (0..20_000).map(|n| format!("{}", n % 7)).collect();
        let new: Vec<String> = (0..20_000).map(|n| format!("{}", (n * n + 3) % 11)).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let compared = compare(&old, &new);
        assert!(!compared.is_exact);
        assert!(compared.same.is_empty());
    }

    #[test]
    fn the_longest_growing_part_is_found() {
        let pairs = [(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)];
        assert_eq!(growing(&pairs), [(1, 1), (2, 2), (4, 3)]);
        assert_eq!(growing(&[]), []);
    }
}
