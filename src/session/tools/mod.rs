//! One call of a tool: its kind, its arguments, its files, its commands.

pub(crate) mod about;
pub mod arguments;
pub(crate) mod call_summary;
pub(crate) mod code_mode;
pub(crate) mod command_end;
pub(crate) mod file_tools;
pub(crate) mod patches;
pub(crate) mod path;
pub(crate) mod place;
pub(crate) mod program;
pub(crate) mod shell;
pub(crate) mod tool_kind;
pub(crate) mod touched;
pub(crate) mod written;
