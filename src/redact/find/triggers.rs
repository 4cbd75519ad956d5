//! What is looked for first: the literals of all rules, in one pass.
//!
//! Five bits tell most letters apart, whatever their case. The pass takes four bytes at a time
//! as a number of twenty bits, a window, and looks whether a literal begins so: this holds at a
//! few places of a hundred, where the literals are compared. The automaton of Aho and Corasick
//! has to wait at each byte for what came of the one before, and takes far longer to build.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;
use std::sync::LazyLock;

use super::compiled::RuleId;
use super::rules::TABLE;

/// The same for every scanner.
static OF_TABLE: LazyLock<Triggers> =
    LazyLock::new(|| Triggers::new(TABLE.iter().map(|row| row.literals)));

/// Bits of a byte that are looked at first: those that a capital and its small letter share.
const BITS: usize = 5;

/// Bytes of a window.
const WINDOW: usize = 4;

/// Bytes of a window but the last: by these its literals are found.
const HEAD: usize = WINDOW - 1;

/// As many heads as there are.
const HEADS: usize = 1 << (HEAD * BITS);

/// A literal in small letters, and the rules to try at it in the table's order.
struct Literal {
    text: Vec<u8>,
    /// How its windows begin, and how many bits of them it leaves open.
    beginning: usize,
    open: usize,
    rules: Vec<RuleId>,
}

impl Literal {
    fn new(text: &[u8]) -> Self {
        let own = &text[..text.len().min(WINDOW)];
        let beginning = own.iter().fold(0, |window, &byte| rolled(window, byte));
        Literal {
            text: text.to_vec(),
            beginning,
            open: (WINDOW - own.len()) * BITS,
            rules: Vec::new(),
        }
    }

    /// All windows that it may begin with.
    fn windows(&self) -> Range<usize> {
        self.beginning << self.open..(self.beginning + 1) << self.open
    }

    fn is_at(&self, start: usize, window: usize, text: &[u8]) -> bool {
        window >> self.open == self.beginning
            && text
                .get(start..start + self.text.len())
                .is_some_and(|own| own.eq_ignore_ascii_case(&self.text))
    }
}

/// The literals of the table, whatever their case.
pub(super) struct Triggers {
    /// For each head a bit for each last letter with which it is a window of a literal.
    heads: Vec<u32>,
    /// For each head the number of its group.
    groups_of: Vec<u16>,
    /// The literals that may begin with one head. The first group is of all heads without any.
    groups: Vec<Vec<usize>>,
    literals: Vec<Literal>,
    /// The length of the shortest literal.
    shortest: usize,
}

impl Triggers {
    pub(super) fn of_table() -> &'static Self {
        &OF_TABLE
    }

    fn new(rows: impl Iterator<Item = &'static [&'static str]>) -> Self {
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut literals: Vec<Literal> = Vec::new();
        for (rule, row) in rows.enumerate() {
            for literal in row {
                let small = literal.to_ascii_lowercase().into_bytes();
                let number = *numbers.entry(small).or_insert_with_key(|small| {
                    literals.push(Literal::new(small));
                    literals.len() - 1
                });
                literals[number].rules.push(rule);
            }
        }
        let shortest = literals.iter().map(|literal| literal.text.len()).min().unwrap_or_default();
        let mut heads = vec![0; HEADS];
        let mut groups_of = vec![0; HEADS];
        let mut groups = vec![Vec::new()];
        for (number, literal) in literals.iter().enumerate() {
            for window in literal.windows() {
                heads[window >> BITS] |= 1 << (window % (1 << BITS));
                let group = &mut groups_of[window >> BITS];
                if *group == 0 {
                    *group = u16::try_from(groups.len()).unwrap_or_default();
                    groups.push(Vec::new());
                }
                let own: &mut Vec<usize> = &mut groups[usize::from(*group)];
                if own.last() != Some(&number) {
                    own.push(number);
                }
            }
        }
        Triggers { heads, groups_of, groups, literals, shortest }
    }

    /// Every place of every literal, those that overlap another one too (`accessKey` holds `SKe`),
    /// and the rules to try there; by where they end, longer ones first.
    pub(super) fn hits<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Range<usize>, &'a [RuleId])> + 'a {
        let mut windows = Windows { text, next: 0, window: 0 };
        // Found before what ends earlier and begins later.
        let mut found: BinaryHeap<Reverse<(usize, usize, usize)>> = BinaryHeap::new();
        let mut is_done = false;
        std::iter::from_fn(move || {
            loop {
                if let Some(&Reverse((end, start, number))) = found.peek()
                    && (is_done || end <= windows.start() + self.shortest)
                {
                    found.pop();
                    return Some((start..end, self.literals[number].rules.as_slice()));
                }
                if is_done {
                    return None;
                }
                let Some((start, window)) = windows.next_in(&self.heads) else {
                    is_done = true;
                    continue;
                };
                for &number in &self.groups[usize::from(self.groups_of[window >> BITS])] {
                    let literal = &self.literals[number];
                    if literal.is_at(start, window, text) {
                        found.push(Reverse((start + literal.text.len(), start, number)));
                    }
                }
            }
        })
    }
}

/// The windows of a text.
struct Windows<'a> {
    text: &'a [u8],
    /// Behind the window.
    next: usize,
    window: usize,
}

impl Windows<'_> {
    /// Where the next window begins.
    fn start(&self) -> usize {
        (self.next + 1).saturating_sub(WINDOW)
    }

    /// The next window that is one of these, and where it begins. Those at the text's end go on
    /// with zeros.
    fn next_in(&mut self, heads: &[u32]) -> Option<(usize, usize)> {
        let heads: &[u32; HEADS] = heads.first_chunk()?;
        let is_in =
            |window: usize| heads[(window >> BITS) % HEADS] >> (window % (1 << BITS)) & 1 == 1;
        while self.next < self.text.len() + WINDOW - 1 {
            let mut window = self.window;
            let rest = self.text.get(self.next..).unwrap_or_default();
            let len = rest.iter().position(|&byte| {
                window = rolled(window, byte);
                is_in(window)
            });
            if len.is_none() {
                window = rolled(window, 0);
            }
            self.window = window;
            self.next += len.unwrap_or(rest.len()) + 1;
            if self.next >= WINDOW && is_in(window) {
                return Some((self.next - WINDOW, window % (HEADS << BITS)));
            }
        }
        None
    }
}

/// A window one byte on, with the bytes before it in further bits.
#[inline]
fn rolled(window: usize, byte: u8) -> usize {
    (window << BITS) | (usize::from(byte) % (1 << BITS))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn found(text: &str) -> Vec<(usize, usize)> {
        static ROWS: [&[&str]; 3] = [&["he", "she"], &["HIS", "hers"], &["he"]];
        let triggers = Triggers::new(ROWS.into_iter());
        triggers.hits(text.as_bytes()).map(|(hit, rules)| (hit.start, rules.len())).collect()
    }

    #[test]
    fn literals_are_found_wherever_they_overlap() {
        assert_eq!(found("usHers"), [(1, 1), (2, 2), (2, 1)]);
        assert_eq!(found("hhis\u{e9}he"), [(1, 1), (6, 2)]);
        assert_eq!(found(""), []);
    }

    /// Parts of literals, so that they are cut, overlap, and stand at either end.
    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let literals: Vec<&str> = TABLE.iter().flat_map(|row| row.literals).copied().collect();
        let part = (select(literals), any::<bool>(), 0..6_usize, 0..4_usize).prop_map(
            |(literal, is_capital, before, behind)| {
                let text = if is_capital { literal.to_uppercase() } else { literal.to_owned() };
                let end = text.len() - behind.min(text.len());
                text.as_bytes()[before.min(end)..end].to_vec()
            },
        );
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// In the order in which they end, longer ones first.
        #[test]
        fn all_that_is_there_is_found(text in texts()) {
            let triggers = Triggers::of_table();
            let known: HashMap<&[u8], &[RuleId]> =
                triggers.literals.iter().map(|own| (&own.text[..], &own.rules[..])).collect();
            let longest = known.keys().map(|text| text.len()).max().unwrap();
            let small = text.to_ascii_lowercase();
            let mut expected = Vec::new();
            for end in 0..=text.len() {
                for start in end.saturating_sub(longest)..end {
                    expected.extend(known.get(&small[start..end]).map(|rules| (start..end, *rules)));
                }
            }
            prop_assert_eq!(triggers.hits(&text).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn every_literal_of_the_table_is_found() {
        let triggers = Triggers::of_table();
        for (rule, row) in TABLE.iter().enumerate() {
            for literal in row.literals {
                let text = format!("é{}", literal.to_ascii_uppercase());
                let is_own = |(hit, rules): (Range<usize>, &[RuleId])| {
                    hit == (2..text.len()) && rules.contains(&rule)
                };
                assert!(triggers.hits(text.as_bytes()).any(is_own), "{literal}");
            }
        }
    }
}
