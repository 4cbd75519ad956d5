//! Conformance with pi: measured goldens, and the cases by letter and number.

mod claude_code;
mod context;
mod expected;
mod goldens;
mod list;
mod loading;
mod migration;
mod search;
mod support;
mod tree;
mod turns;
