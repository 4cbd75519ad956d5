//! What is left out of a session is in no part of its page.

mod cases;
mod claude_code;
#[path = "../support/inflated.rs"]
mod inflated;
mod omp;
mod pi;
mod small;
