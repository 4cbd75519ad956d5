//! The store: an append-only session tree on disk and in memory.

mod append;
mod branches;
mod faults;
mod navigation;
mod opening;
mod support;
mod tasks;
