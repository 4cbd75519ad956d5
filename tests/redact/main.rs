//! Redaction: what is planted leaves no trace, what only looks like it stays.

mod corpora;
mod encodings;
mod files;
mod findings;
mod fixture;
mod marks;
mod notations;
mod recall;
mod requested;
mod traces;
mod written;
