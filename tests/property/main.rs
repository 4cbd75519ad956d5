//! Properties that hold for any session and any text.

mod layout;
mod pages;
mod reading;
mod strategies;
mod text;
