//! Numbers of rows in the index of words. They say all that a rank asks for, so that a word of 100,000 messages is ranked
//! by what the index itself gives, and no other table is read.

use std::ops::RangeInclusive;

/// A session has fewer messages than this number of bits counts.
const MESSAGE_BITS: u32 = 24;
const ROLE_BITS: u32 = 2;
const LENGTH_BITS: u32 = 6;
const BELOW_SESSION: u32 = MESSAGE_BITS + ROLE_BITS + LENGTH_BITS;

/// So many messages of a session are found at most.
pub(super) const MOST_MESSAGES: usize = (1 << MESSAGE_BITS) - 1;

/// What a row's words are of: what counts most for the rank comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The title of the session, or a message with a label.
    Titled,
    Prompt,
    Response,
    Call,
}

impl Role {
    /// How much a word counts, in the order of the roles.
    const WEIGHTS: [f64; 4] = [10.0, 6.0, 3.0, 1.0];
}

/// A number for the words of a message, or of the title of a session. From the lowest bit on it is made of the class of its
/// length, its role, the number of the message (0 for the title) and the session's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowNumber(pub(super) i64);

impl RowNumber {
    /// Of a message with so many words, without its session.
    pub(super) fn new(nth: usize, role: Role, words: usize) -> RowNumber {
        let nth = i64::try_from(nth).unwrap_or_default();
        RowNumber((nth << ROLE_BITS | role as i64) << LENGTH_BITS | length_class(words))
    }

    pub(super) fn of_session(self, session: i64) -> RowNumber {
        RowNumber(session << BELOW_SESSION | self.0)
    }

    /// All that a session may have.
    pub(super) fn all_of(session: i64) -> RangeInclusive<i64> {
        session << BELOW_SESSION..=(session << BELOW_SESSION | ((1 << BELOW_SESSION) - 1))
    }

    pub(super) fn session(self) -> i64 {
        self.0 >> BELOW_SESSION
    }

    /// From 1; 0 is the title.
    pub(super) fn nth(self) -> usize {
        let nth = self.0 >> (ROLE_BITS + LENGTH_BITS) & ((1 << MESSAGE_BITS) - 1);
        usize::try_from(nth).unwrap_or_default()
    }

    /// How well the row answers a query whose words it has: BM25 (<https://www.sqlite.org/fts5.html#the_bm25_function>)
    /// of a word that it has once. As every row that is found has all words of the query, how rare these are is the same
    /// for all of them.
    pub(super) fn score(self) -> f64 {
        /// How fast a word that counts more counts less than that, and how much the length counts.
        const K1: f64 = 1.2;
        const B: f64 = 0.75;
        /// The words of a message, on average.
        const AVERAGE: f64 = 40.0;
        let role = usize::try_from(self.0 >> LENGTH_BITS & ((1 << ROLE_BITS) - 1)).unwrap_or(3);
        let weight = Role::WEIGHTS[role];
        let length = words_of_class(self.0 & ((1 << LENGTH_BITS) - 1)) / AVERAGE;
        weight * (K1 + 1.0) / (weight + K1 * (1.0 - B + B * length))
    }
}

/// Four classes an octave, up to some 50,000 words.
fn length_class(words: usize) -> i64 {
    #[expect(clippy::cast_precision_loss, reason = "a class needs no more")]
    let class = ((words + 1) as f64).log2() * 4.0;
    #[expect(clippy::cast_possible_truncation, reason = "at most 256")]
    let class = class as i64;
    class.min((1 << LENGTH_BITS) - 1)
}

fn words_of_class(class: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 63")]
    let octaves = class as f64 / 4.0;
    octaves.exp2() - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_gives_back_what_it_is_made_of() {
        for nth in [0, 1, MOST_MESSAGES] {
            for session in [1, i64::from(i32::MAX)] {
                let number = RowNumber::new(nth, Role::Call, usize::MAX - 1).of_session(session);
                assert_eq!((number.session(), number.nth()), (session, nth));
                assert!(RowNumber::all_of(session).contains(&number.0));
                assert!(!RowNumber::all_of(session - 1).contains(&number.0));
            }
        }
    }

    #[test]
    fn what_counts_more_and_what_is_shorter_comes_first() {
        let score = |role, words| RowNumber::new(1, role, words).score();
        let roles = [Role::Titled, Role::Prompt, Role::Response, Role::Call];
        assert!(roles.map(|role| score(role, 40)).is_sorted_by(|a, b| a > b));
        let lengths = [0, 1, 10, 40, 100, 1_000, 10_000];
        assert!(lengths.map(|words| score(Role::Prompt, words)).is_sorted_by(|a, b| a > b));
    }
}
