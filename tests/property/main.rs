//! Properties that hold for any session and any text.

mod layout;
mod markup;
mod pages;
mod reading;
mod strategies;
mod text;
mod tools;
