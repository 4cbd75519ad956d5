//! One call of a tool: what it asks ([`Action`]), and what came of it ([`Outcome`](outcome::Outcome)).
//!
//! A call is read here and nowhere else, from its name and its arguments, into typed values; whoever shows, counts or
//! replays it takes these. `names` is the one table of how agents spell tools and arguments, `request` has
//! the values, and `read` finds them in the arguments. Views of
//! what was read: `heading` is one line, `files` the files that are named, `written` what a command may have written.
//! `shell`, `program`, `place`, `path`, `code_mode` and `patches` read scripts.

pub mod arguments;
pub(crate) mod code_mode;
pub(crate) mod files;
pub(crate) mod heading;
pub(crate) mod lines;
pub(crate) mod names;
pub(crate) mod outcome;
pub(crate) mod patches;
pub(crate) mod path;
pub(crate) mod pi_summary;
pub(crate) mod place;
pub(crate) mod program;
mod read;
mod request;
pub(crate) mod shell;
pub(crate) mod written;

pub(crate) use request::{
    Action, Ask, FileAction, FileRequest, Program, Replacement, Request, Run, Script, Task, ToDo,
    Web,
};
