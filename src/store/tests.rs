//! Unit tests that count work.
