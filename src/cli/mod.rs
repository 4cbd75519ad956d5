//! The command line: one file a subcommand.

mod context;
mod export;
mod input;
mod output;
mod tree;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::error::Error;

/// Press a coding-agent session tree into one standalone HTML page.
#[derive(Debug, Parser)]
#[command(
    name = "leafpress",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Exit status: 0 done, with any warnings on stderr; 1 failed, nothing written; 2 wrong usage."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    export: Option<export::ExportArgs>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the tree list, with the ids to link to
    Tree(tree::TreeArgs),
    /// Print what the model saw at a leaf
    Context(context::ContextArgs),
}

/// The session that a command reads.
#[derive(Debug, Args)]
struct SessionArg {
    /// The session file; `-` reads standard input
    #[arg(value_name = "SESSION")]
    session: PathBuf,
}

impl Cli {
    /// The definition, for tests and for completion scripts.
    pub fn command() -> clap::Command {
        <Cli as CommandFactory>::command()
    }

    fn run(self) -> Result<(), Error> {
        match (self.command, self.export) {
            (Some(Command::Tree(args)), _) => args.run(),
            (Some(Command::Context(args)), _) => args.run(),
            (None, Some(args)) => args.run(),
            (None, None) => Cli::command()
                .error(
                    clap::error::ErrorKind::MissingRequiredArgument,
                    "a SESSION to press is missing",
                )
                .exit(),
        }
    }
}

/// Parses the arguments of the process and runs the command.
pub fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever reads our output may stop when they have enough.
fn is_broken_pipe(error: &Error) -> bool {
    matches!(error, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
}
