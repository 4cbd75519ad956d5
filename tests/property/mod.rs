//! Properties that hold for any session and any text.

mod changes;
mod cut;
mod markup;
mod pages;
mod reading;
mod redact;
mod store;
mod strategies;
mod text;
mod tools;
