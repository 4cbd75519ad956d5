//! What a session's calls did to files, as data. Imports nothing but [`session`](crate::session).

pub mod diff;
