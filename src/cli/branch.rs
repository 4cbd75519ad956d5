//! `leafpress branch`: the path to an entry as a session file of its own.

use std::path::PathBuf;

use clap::Args;

use crate::error::Error;
use crate::store::SessionStore;

use super::{input, output};

/// What `leafpress branch` takes.
#[derive(Debug, Args)]
pub(super) struct BranchArgs {
    /// The session file, in pi's format; it is only read
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    /// The last entry of the path, as `leafpress tree` lists it
    #[arg(value_name = "ID")]
    id: String,
    /// The new file, where nothing may be yet [default: beside the session, named after its time and id]
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
