//! What a session's calls did to files, as data. Imports nothing but [`session`](crate::session).
//!
//! * [`edit`]: what one call asked to be changed, whatever the agent calls its tools.
//! * [`diff`]: which lines of two texts differ, and diffs as tools write them.

mod count;
pub mod diff;
pub mod edit;
mod touched;

pub(crate) use count::{count_asked, count_written};
pub(crate) use touched::Touched;
