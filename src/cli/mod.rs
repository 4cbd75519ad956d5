//! The command line: one file a subcommand.

mod branch;
mod branches;
mod compare;
mod context;
mod cut;
mod export;
mod extract;
mod input;
mod label;
mod limit;
mod list;
mod migrate;
mod output;
mod password;
mod progress;
mod secrets;
mod signals;
mod stats;
mod tree;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::error::Error;
use crate::session::{Dialect, Session};

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
    export: export::ExportArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the tree list, with the ids to link to
    Tree(tree::TreeArgs),
    /// Print what the model saw at a leaf
    Context(context::ContextArgs),
    /// List every branch with what it ended with
    Branches(branches::BranchesArgs),
    /// Count tokens, cost, time, turns and tools, of the whole session and of each branch
    Stats(stats::StatsArgs),
    /// Tell what two branches did since they parted, and which files they touched
    Compare(compare::CompareArgs),
    /// List the newest sessions of every agent on this machine
    List(list::ListArgs),
    /// Give the session file in a page back, byte for byte
    Extract(extract::ExtractArgs),
    /// List what looks like a secret, with the text around it and without the value
    Secrets(secrets::SecretsArgs),
    /// Name an entry of a session, or take its name away
    Label(label::LabelArgs),
    /// Lift the path to an entry into a session file of its own, and print its path
    Branch(branch::BranchArgs),
    /// Rewrite an old session file in the version of today, and print where the old one is kept
    Migrate(migrate::MigrateArgs),
}

/// The session that a command reads.
#[derive(Debug, Args)]
struct SessionArg {
    /// The session file; `-` reads standard input
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    /// Read the session as this format [default: told by its content]
    #[arg(long, value_name = "NAME", value_parser = dialect(&Dialect::ALL))]
    format: Option<Dialect>,
    #[command(flatten)]
    files: input::BesideArgs,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl SessionArg {
    fn read(&self) -> Result<Session, Error> {
        let read = input::read(&self.session, self.format, &self.files, None, self.limit);
        read.map(|(session, _)| session)
    }
}

/// Reads the name of one of these dialects.
fn dialect(dialects: &[Dialect]) -> impl TypedValueParser<Value = Dialect> + use<> {
    let names = PossibleValuesParser::new(dialects.iter().map(|dialect| dialect.name()));
    names.map(|name| Dialect::from_name(&name).unwrap_or_default())
}

impl Cli {
    /// The definition, for tests and for completion scripts.
    pub fn command() -> clap::Command {
        <Cli as CommandFactory>::command()
    }

    fn run(self) -> Result<(), Error> {
        match self.command {
            Some(Command::Tree(args)) => args.run(),
            Some(Command::Context(args)) => args.run(),
            Some(Command::Branches(args)) => args.run(),
            Some(Command::Stats(args)) => args.run(),
            Some(Command::Compare(args)) => args.run(),
            Some(Command::List(args)) => args.run(),
            Some(Command::Extract(args)) => args.run(),
            Some(Command::Secrets(args)) => args.run(),
            Some(Command::Label(args)) => args.run(),
            Some(Command::Branch(args)) => args.run(),
            Some(Command::Migrate(args)) => args.run(),
            None => self.export.run(),
        }
    }
}

/// Parses the arguments of the process and runs the command.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    signals::clean_up();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // A message may hold a piece of the file.
            let told: Vec<String> = error.to_string().lines().map(tree::printable).collect();
            eprintln!("error: {}", told.join("\n"));
            ExitCode::FAILURE
        }
    }
}

/// Whoever reads our output may stop when they have enough.
fn is_broken_pipe(error: &Error) -> bool {
    matches!(error, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
}
