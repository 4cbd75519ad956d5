//! Why a sealed page did not open.

use crate::session::text::count;

/// More would keep the reader of a stranger's page waiting for hours.
pub(super) const MOST_ITERATIONS: u32 = 6_000_000;

/// Why a sealed page did not open.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The page is whole as far as can be known, and the password is another.
    #[error("the password is wrong")]
    WrongPassword,
    /// What says how it is sealed is damaged, or of a later version.
    #[error(
        "the page is damaged, or a newer leafpress exported it: its encryption parameters cannot be read"
    )]
    Parameters,
    /// Its maker would keep its readers waiting.
    #[error(
        "the page requires {} rounds of key derivation; leafpress runs at most {}",
        grouped(*rounds), grouped(MOST_ITERATIONS)
    )]
    TooManyRounds {
        /// What the page asks for: how many rounds of PBKDF2.
        rounds: u32,
    },
    /// A chunk is missing, damaged or in the place of another.
    #[error("the password-protected page is damaged: chunk {nth} of {count} cannot be decrypted")]
    Damaged {
        /// The first such chunk, from 1.
        nth: usize,
        /// How many there are, at least 1.
        count: usize,
    },
    /// All chunks are right but hold no page, or more than the limit.
    #[error("the password-protected page contains {0}")]
    Content(&'static str),
}

/// `6,000,000`
fn grouped(number: u32) -> String {
    count(number.try_into().unwrap_or(usize::MAX))
}
