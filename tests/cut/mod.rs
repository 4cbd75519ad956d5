//! What is left out of a session is in no part of its page.

#![expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]

mod cases;
mod claude_code;
mod landmarks;
mod omp;
mod pi;
mod planted;
mod small;
mod times;
mod untied;
