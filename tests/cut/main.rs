//! What is left out of a session is in no part of its page.

mod cases;
#[path = "../support/inflated.rs"]
mod inflated;
mod pi;
