//! The table of what is a secret: one row a kind.
//!
//! A row's literals are looked for first, in one pass over the text and without
//! regard to case; only where one stands is the row's pattern tried, from the
//! literal's first letter on. A literal tells little by itself, so patterns ask
//! for the length that the provider documents, and the entropy floor refuses
//! what a person typed as an example.

mod chat;
mod clouds;
mod code;
mod data;
mod forms;
mod models;
mod money;
mod observe;
mod row;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::LazyLock;

pub(super) use row::{Reading, Rule, Sign};

/// All rows. Where two find the same value, the earlier one names it.
pub(super) static TABLE: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let groups = [
        clouds::ROWS,
        models::ROWS,
        code::ROWS,
        data::ROWS,
        observe::ROWS,
        chat::ROWS,
        money::ROWS,
        tools::ROWS,
        forms::ROWS,
    ];
    groups.concat()
});
