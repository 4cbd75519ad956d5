//! `leafpress migrate`: an old session file in the version that is written now.

use std::path::PathBuf;

use clap::Args;

use crate::error::Error;
use crate::session::text::counted;
use crate::store;

use super::{input, output};

/// What `leafpress migrate` takes.
#[derive(Debug, Args)]
pub(super) struct MigrateArgs {
    /// The session file, in pi's format
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl MigrateArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        input::no_stdin(&self.session)?;
        input::check(&self.session, self.limit)?;
        let Some(migrated) = store::migrate(&self.session)? else {
            eprintln!("`{}` has version 3 already; nothing was written", self.session.display());
            return Ok(());
        };
        let from = migrated.from;
        eprintln!("version {from} became 3; the file as it was:");
        if migrated.left_out > 0 {
            let lines = counted(migrated.left_out, "line");
            eprintln!("warning: {lines} that could not be read or came twice: only in the backup");
        }
        output::to_stdout(|out| writeln!(out, "{}", migrated.backup.display()))
    }
}
