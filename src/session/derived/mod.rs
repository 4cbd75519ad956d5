//! What follows from many entries: turns, totals, failures, landmarks, endings, titles.

pub mod branches;
pub mod calls;
pub mod digest;
pub mod ending;
pub(crate) mod entry_digest;
pub mod failure;
pub mod landmarks;
pub mod over_time;
pub mod story;
pub mod title;
pub(crate) mod totals;
pub(crate) mod turn_part;
pub mod turns;
