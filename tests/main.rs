//! All tests but those of the page in a browser. `tests/README.md` says what each room tests.

mod cli;
mod conformance;
mod cut;
mod fragments;
mod property;
mod redact;
mod store;
mod support;
