//! Conformance: pi's measured goldens, the cases by letter and number, and the other agents' files.

mod agents;
mod chimera;
mod claude_code;
mod codex;
mod context;
mod expected;
mod families;
mod flue;
mod glued;
mod goldens;
mod goldens_omp;
mod harness;
mod list;
mod loading;
mod lost;
mod migration;
mod omp;
mod opencode;
mod proposal;
mod recognition;
mod search;
mod sub_session_trees;
mod sub_sessions;
mod tree;
mod turns;
