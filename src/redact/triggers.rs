//! What is looked for first: the literals of all rules, in one pass.
//!
//! The automaton of Aho and Corasick, built straight as a table of what follows on each
//! byte: in a fraction of the time that a general one takes, which has to know every
//! kind of match and any alphabet.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::compiled::RuleId;
use super::rules::TABLE;

/// The same for every scanner.
static OF_TABLE: LazyLock<Triggers> =
    LazyLock::new(|| Triggers::new(TABLE.iter().map(|row| row.literals)));

/// Marks a state in which a literal ends.
const ENDS: u32 = 1 << 31;

/// Classes of the bytes beyond ASCII. They are told apart when a literal has ended.
const WIDE: u8 = 8;

/// A literal, and the rules to try at it in the table's order.
struct Literal {
    len: usize,
    /// The text, if it has more than ASCII.
    wide: Option<Vec<u8>>,
    rules: Vec<RuleId>,
}

impl Literal {
    fn new(text: &[u8]) -> Self {
        let wide = (!text.is_ascii()).then(|| text.to_vec());
        Literal { len: text.len(), wide, rules: Vec::new() }
    }

    fn is_at_end_of(&self, text: &[u8]) -> bool {
        self.wide
            .as_ref()
            .is_none_or(|wide| text[text.len() - self.len..].eq_ignore_ascii_case(wide))
    }
}

/// The literals of the table, whatever their case.
pub(super) struct Triggers {
    /// Bytes that no literal tells apart are of one class; all that literals have not, of the first.
    classes: [u8; 256],
    /// For each state and class the next state, as where its part of this table begins.
    next: Vec<u32>,
    /// How far the parts of states lie apart.
    width: usize,
    /// The literals that end in each state, longer ones first.
    ends: Vec<Vec<usize>>,
    literals: Vec<Literal>,
}

impl Triggers {
    pub(super) fn of_table() -> &'static Self {
        &OF_TABLE
    }

    fn new(rows: impl Iterator<Item = &'static [&'static str]>) -> Self {
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut texts = Vec::new();
        let mut literals: Vec<Literal> = Vec::new();
        for (rule, row) in rows.enumerate() {
            for literal in row {
                let small = literal.to_ascii_lowercase().into_bytes();
                let number = *numbers.entry(small).or_insert_with_key(|small| {
                    texts.push(small.clone());
                    literals.push(Literal::new(small));
                    literals.len() - 1
                });
                literals[number].rules.push(rule);
            }
        }
        let (classes, width) = classes(&texts);
        let mut trie = Trie { classes, width, next: Vec::new(), ends: Vec::new() };
        trie.add_state();
        for (number, text) in texts.iter().enumerate() {
            trie.add(text, number);
        }
        trie.link();
        let Trie { mut next, ends, .. } = trie;
        for state in &mut next {
            let is_end = !ends[*state as usize / width].is_empty();
            *state |= if is_end { ENDS } else { 0 };
        }
        Triggers { classes, next, width, ends, literals }
    }

    /// Every place of every literal, those that overlap another one too
    /// (`accessKey` holds `SKe`), and the rules to try there.
    pub(super) fn hits<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Range<usize>, &'a [RuleId])> + 'a {
        let mut at = 0;
        let mut state = 0;
        let mut ended: &[usize] = &[];
        std::iter::from_fn(move || {
            loop {
                if let Some((&number, rest)) = ended.split_first() {
                    ended = rest;
                    let literal = &self.literals[number];
                    if literal.is_at_end_of(&text[..at]) {
                        return Some((at - literal.len..at, literal.rules.as_slice()));
                    }
                    continue;
                }
                let len = text[at..].iter().position(|&byte| {
                    let class = u32::from(self.classes[usize::from(byte)]);
                    state = self.next[((state & !ENDS) + class) as usize];
                    state & ENDS != 0
                })?;
                at += len + 1;
                ended = &self.ends[(state & !ENDS) as usize / self.width];
            }
        })
    }
}

/// The class of each byte, and how many there are. Capitals are as small letters.
fn classes(texts: &[Vec<u8>]) -> ([u8; 256], usize) {
    let mut classes = [0; 256];
    for byte in 0x80..=u8::MAX {
        classes[usize::from(byte)] = 1 + byte % WIDE;
    }
    let mut count = 1 + WIDE;
    for &byte in texts.iter().flatten() {
        let class = &mut classes[usize::from(byte)];
        if *class == 0 {
            *class = count;
            count += 1;
        }
    }
    for capital in b'A'..=b'Z' {
        classes[usize::from(capital)] = classes[usize::from(capital.to_ascii_lowercase())];
    }
    (classes, usize::from(count))
}

/// The table while it is built.
struct Trie {
    classes: [u8; 256],
    width: usize,
    next: Vec<u32>,
    ends: Vec<Vec<usize>>,
}

impl Trie {
    fn add_state(&mut self) -> u32 {
        let state = u32::try_from(self.next.len()).unwrap_or(0);
        self.next.resize(self.next.len() + self.width, 0);
        self.ends.push(Vec::new());
        state
    }

    fn add(&mut self, text: &[u8], number: usize) {
        let mut state = 0;
        for &byte in text {
            let slot = (state + u32::from(self.classes[usize::from(byte)])) as usize;
            if self.next[slot] == 0 {
                self.next[slot] = self.add_state();
            }
            state = self.next[slot];
        }
        self.ends[state as usize / self.width].push(number);
    }

    /// Where a text goes on that no longer follows a literal: with the longest end of what was
    /// read that begins another one.
    fn link(&mut self) {
        let width = self.width;
        let mut fallback = vec![0u32; self.ends.len()];
        let mut queue: Vec<u32> = self.next[..width].iter().copied().filter(|&s| s != 0).collect();
        let mut done = 0;
        while let Some(&state) = queue.get(done) {
            done += 1;
            let number = state as usize / width;
            let other = fallback[number];
            let shorter = self.ends[other as usize / width].clone();
            self.ends[number].extend(shorter);
            for class in 0..width {
                let beside = self.next[other as usize + class];
                let slot = &mut self.next[state as usize + class];
                if *slot == 0 {
                    *slot = beside;
                } else {
                    fallback[*slot as usize / width] = beside;
                    queue.push(*slot);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
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
