//! The command as a person meets it: names, streams, messages, exit status.

#![expect(clippy::needless_raw_string_hashes, reason = "snapshots are rewritten in this form")]

mod archive;
mod branches;
mod changes;
mod compare;
mod context;
mod cut;
mod docs;
mod errors;
mod export;
mod extract;
mod from_page;
mod keep;
#[cfg(unix)]
mod killed;
mod landmarks;
mod list;
mod markdown;
mod max_input;
mod max_size;
mod openclaw;
mod opencode;
mod overwriting;
mod password;
mod search;
pub(crate) mod secrets;
mod setup;
mod stats;
mod terminal;
mod tree;
#[cfg(unix)]
mod writes_nothing;
mod writing;

#[test]
fn the_command_line_is_well_formed() {
    leafpress::cli::Cli::command().debug_assert();
}
