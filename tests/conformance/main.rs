//! Conformance: pi's measured goldens, the cases by letter and number, and the other agents' files.

mod claude_code;
mod codex;
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
