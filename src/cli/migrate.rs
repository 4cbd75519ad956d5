//! `leafpress migrate`: upgrades a session file to the current version.

use std::path::PathBuf;

use clap::Args;

use crate::cli::error::Error;
use crate::session::text::counted;
use crate::store;

use super::printable::printable_path;
use super::{input, message, output};

/// What `leafpress migrate` takes.
#[derive(Debug, Args)]
pub(super) struct MigrateArgs {
    /// Session file in pi's or oh-my-pi's format
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl MigrateArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        input::no_stdin(&self.session)?;
        input::only_session_file(&self.session)?;
        input::check(&self.session, self.limit)?;
        let Some(migrated) = store::migrate(&self.session)? else {
            let name = printable_path(&self.session);
            eprintln!("`{name}` is already at version 3; nothing changed");
            return Ok(());
        };
        let from = migrated.from;
        eprintln!("upgraded from version {from} to version 3; the old file is:");
        if migrated.left_out > 0 {
            let lines = counted(migrated.left_out, "line");
            message::warning(
                &format!("{lines} could not be read or occurred twice; only the old file has them"),
                None,
            );
        }
        output::path(&migrated.backup)
    }
}
