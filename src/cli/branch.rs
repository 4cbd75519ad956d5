//! `leafpress branch`: extracts the path to an entry into a new session file.

use std::path::PathBuf;

use clap::Args;

use crate::cli::error::Error;
use crate::store::SessionStore;

use super::{input, output};

/// What `leafpress branch` takes.
#[derive(Debug, Args)]
pub(super) struct BranchArgs {
    /// Session file in pi's format; it is not changed
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    /// Last entry of the path; `leafpress tree` lists the ids
    #[arg(value_name = "ID")]
    id: String,
    /// New session file; it must not exist [default: beside SESSION, named after its time and id]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl BranchArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        input::no_stdin(&self.session)?;
        input::check(&self.session, self.limit)?;
        let mut source = SessionStore::read_only(&self.session)?;
        let id = input::id_in(&source, &self.id)?;
        // What was read may be half of what another program is rewriting.
        source.check()?;
        let mut branch = match self.output {
            Some(path) => {
                input::no_stdin(&path)?;
                source.branched_to(&id, path)?
            }
            None => source.branched_beside(&id)?,
        };
        branch.ensure_written()?;
        branch.flush()?;
        let path = branch.path().map(|path| path.display().to_string()).unwrap_or_default();
        output::to_stdout(|out| writeln!(out, "{path}"))
    }
}
