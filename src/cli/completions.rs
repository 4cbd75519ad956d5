//! `leafpress completions`: what a shell needs to complete commands and options.

use clap::Args;
use clap_complete::Shell;

use crate::cli::error::Error;

use super::{Cli, output};

/// What `leafpress completions` takes.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell to print the script for [default: the one that `SHELL` names]
    #[arg(value_name = "SHELL")]
    shell: Option<Shell>,
}

impl CompletionsArgs {
    pub(super) fn run(&self) -> Result<(), Error> {
        let shell = self.shell.or_else(Shell::from_env).ok_or(Error::UnknownShell)?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::definition(), "leafpress", &mut script);
        output::to_stdout(|out| out.write_all(&script))
    }
}
