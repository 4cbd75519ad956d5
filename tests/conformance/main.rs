//! Conformance with pi: measured goldens, and the cases by letter and number.

mod chimera;
mod context;
mod expected;
mod flue;
mod goldens;
mod harness;
mod list;
mod loading;
mod migration;
mod proposal;
mod recognition;
mod search;
mod support;
mod tree;
mod turns;
