//! Redaction: what is planted leaves no trace, what only looks like it stays.

#![allow(
    clippy::format_collect,
    clippy::cast_precision_loss,
    clippy::format_push_string,
    reason = "reads well, and the sizes of a test are small"
)]

mod broken;
mod corpora;
mod encodings;
mod files;
mod findings;
mod fixture;
mod judged;
mod marks;
mod newest;
mod notations;
mod places;
mod recall;
mod requested;
mod traces;
mod written;
