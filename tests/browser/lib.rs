//! Nothing: a package has a target of its own; the tests are in `main.rs`.
