//! Redaction: what is planted leaves no trace, what only looks like it stays.

mod corpora;
mod fixture;
mod traces;
