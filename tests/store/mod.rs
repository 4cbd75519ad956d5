//! The store: an append-only session tree on disk and in memory.

mod append;
mod branches;
mod faults;
mod navigation;
mod omp;
mod opening;
mod seeds;
mod support;
mod tasks;
