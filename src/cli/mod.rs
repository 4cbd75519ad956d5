//! The command line: one file for each command.

mod archive;
mod branch;
mod branches;
mod catalog;
mod changes;
mod clock;
mod columns;
mod compare;
mod completions;
mod context;
mod cut;
mod database;
mod demo;
mod did;
mod error;
mod export;
mod extract;
mod families;
mod help;
mod input;
mod keep;
mod label;
mod licenses;
mod limit;
mod list;
mod markdown;
mod message;
mod migrate;
mod output;
mod over_time;
mod page;
mod password;
mod place;
mod printable;
mod progress;
mod reason;
mod report_lines;
mod search;
mod secrets;
mod signals;
mod source;
mod stats;
mod tree;
mod unknown;
mod values;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Args, CommandFactory, FromArgMatches as _, Parser, Subcommand};

use crate::session::{Format, Session};
use error::Error;

/// Export a coding-agent session as one standalone HTML page.
#[derive(Debug, Parser)]
#[command(
    name = "leafpress",
    version,
    override_usage = "leafpress [OPTIONS] <SESSION>\n       leafpress <COMMAND>",
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    max_term_width = 80,
    disable_help_flag = true,
    arg_required_else_help = true,
    after_help = AFTER_HELP
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    export: export::ExportArgs,
    /// Print the licenses of all code in this program
    #[arg(long, exclusive = true, help_heading = None)]
    licenses: bool,
}

const AFTER_HELP: &str = "\
Examples:
  leafpress session.jsonl               Write session.html
  leafpress --last --open               Export your newest session and open it
  leafpress session.jsonl --redact      Replace secrets
  leafpress tree session.jsonl          List the ids of the entries

`leafpress help export` shows all options, `leafpress help COMMAND` a command.
Exit status: 0 success; 1 failure, nothing written; 2 wrong usage.";

/// The options that the help of the root shows. `leafpress help export` shows all of them.
const MOST_USED: [&str; 12] = [
    "session", "help", "version", "licenses", "last", "output", "target", "detail", "open",
    "branch", "redact", "password",
];

#[derive(Debug, Subcommand)]
enum Command {
    /// Export a session: the default command, with all its options
    #[command(after_help = export::RUNS)]
    Export(Box<export::ExportArgs>),
    /// Export a sample session to lighthouse.html
    Demo(demo::DemoArgs),
    /// List the newest sessions of all agents on this machine
    List(list::ListArgs),
    /// Write the pages of all sessions into a directory, with an index
    Archive(Box<archive::ArchiveArgs>),
    /// Search the sessions of all agents on this machine
    #[command(after_help = search::QUERY)]
    Search(search::SearchArgs),
    /// Copy all sessions to where their agents do not delete them
    #[command(after_help = keep::RECIPES)]
    Keep(keep::KeepArgs),
    /// Print the tree of a session with the ids of its entries
    Tree(tree::TreeArgs),
    /// Print the current branch as GitHub-flavored Markdown
    Markdown(Box<markdown::MarkdownArgs>),
    /// List the files that a session changed, or print a patch
    #[command(after_help = changes::WORDS)]
    Changes(Box<changes::ChangesArgs>),
    /// Print what the model was sent at the end of a branch
    Context(context::ContextArgs),
    /// List every branch with its last message
    Branches(branches::BranchesArgs),
    /// Compare what two branches did after they forked
    Compare(compare::CompareArgs),
    /// Count tokens, cost, time, turns and tool calls
    Stats(stats::StatsArgs),
    /// List possible secrets without their values
    Secrets(secrets::SecretsArgs),
    /// Get the session file out of a page
    Extract(extract::ExtractArgs),
    /// Write the path to an entry into a new file beside SESSION
    Branch(branch::BranchArgs),
    /// Set or clear the label of an entry: adds a line to SESSION
    Label(label::LabelArgs),
    /// Upgrade a session file to the current version
    Migrate(migrate::MigrateArgs),
    /// Print a script that completes commands and options in a shell
    Completions(completions::CompletionsArgs),
}

/// The session that a command reads.
#[derive(Debug, Args)]
struct SessionArg {
    #[command(flatten)]
    source: source::SourceArg,
    #[command(flatten)]
    files: input::BesideArgs,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl SessionArg {
    fn read(&self) -> Result<Session, Error> {
        let path = self.source.address("reading")?;
        let read = input::read(&path, self.source.format, &self.files, None, self.limit);
        read.map(|(session, _)| session)
    }
}

/// Reads the name of one of these formats.
fn format(formats: &[Format]) -> impl TypedValueParser<Value = Format> + use<> {
    let names = PossibleValuesParser::new(formats.iter().map(|format| format.name()));
    names.map(|name| Format::from_name(&name).unwrap_or_default())
}

impl Cli {
    /// The definition with everything there is, for completion scripts and man pages.
    pub fn definition() -> clap::Command {
        <Cli as CommandFactory>::command().arg(
            Arg::new("help")
                .short('h')
                .long("help")
                // The short form for both: the long one does not fit a screen.
                .action(ArgAction::HelpShort)
                // What clap gives of itself is off in the commands, too.
                .global(true)
                .help("Print this help")
                .help_heading(None),
        )
    }

    /// The definition as the command parses it, whose help shows what is used most.
    pub fn command() -> clap::Command {
        let is_rare = |arg: &Arg| !MOST_USED.contains(&arg.get_id().as_str());
        // Headings come in the order of all options, the hidden ones included.
        let hidden = |arg: Arg| arg.hide(true).help_heading(None);
        let command =
            Cli::definition().mut_args(|arg| if is_rare(&arg) { hidden(arg) } else { arg });
        // Only the help of `list` asks where the agents keep their sessions.
        let with_folders = |list: clap::Command| list.after_help(list::folders());
        help::grouped(command.mut_subcommand("list", |list| list.defer(with_folders)))
    }

    fn run(self) -> Result<(), Error> {
        match self.command {
            Some(Command::Export(args)) => args.run(),
            Some(Command::Tree(args)) => args.run(),
            Some(Command::Markdown(args)) => args.run(),
            Some(Command::Changes(args)) => args.run(),
            Some(Command::Context(args)) => args.run(),
            Some(Command::Branches(args)) => args.run(),
            Some(Command::Stats(args)) => args.run(),
            Some(Command::Compare(args)) => args.run(),
            Some(Command::List(args)) => args.run(),
            Some(Command::Search(args)) => args.run(),
            Some(Command::Archive(args)) => args.run(),
            Some(Command::Keep(args)) => args.run(),
            Some(Command::Extract(args)) => args.run(),
            Some(Command::Secrets(args)) => args.run(),
            Some(Command::Label(args)) => args.run(),
            Some(Command::Branch(args)) => args.run(),
            Some(Command::Migrate(args)) => args.run(),
            Some(Command::Demo(args)) => args.run(),
            Some(Command::Completions(args)) => args.run(),
            None if self.licenses => licenses::print(),
            None => self.export.run(),
        }
    }
}

/// Parses the arguments of the process and runs the command.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::command().try_get_matches_from(&args) {
        Ok(matches) => Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()),
        Err(error) => return wrong_usage(&args, error),
    };
    let arguments = args.get(1..).unwrap_or_default();
    progress::begin();
    signals::clean_up();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(Error::NothingFound) => ExitCode::FAILURE,
        Err(error @ (Error::EmptyQuery | Error::AmbiguousSession { .. })) => {
            message::error(&error.to_string(), error.help().as_deref());
            ExitCode::from(USAGE)
        }
        Err(error) if is_not_found(&error) && is_unknown_command(arguments) => {
            ExitCode::from(USAGE)
        }
        Err(error) => {
            message::error(&error.to_string(), error.help().as_deref());
            ExitCode::FAILURE
        }
    }
}

/// Runs the command once more with these arguments, as a part of another.
fn run_again(args: Vec<OsString>) -> Result<(), Error> {
    let matches = Cli::command().try_get_matches_from(args);
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    cli.unwrap_or_else(|error| error.exit()).run()
}

/// The exit status of wrong usage, as clap has it.
const USAGE: u8 = 2;

/// What clap says, unless it took a misspelled command for a session, or a second session for a
/// command. Help and the version are such errors, too.
fn wrong_usage(args: &[OsString], mut error: clap::Error) -> ExitCode {
    if let Some((text, values)) = invalid_value(&error) {
        message::error(&text, Some(&values));
        return ExitCode::from(USAGE);
    }
    let own = error.context().any(|(kind, _)| kind == ContextKind::InvalidSubcommand);
    if let (Some(ContextValue::String(typed)), Some(ContextValue::String(meant))) =
        (error.get(ContextKind::InvalidArg), error.get(ContextKind::SuggestedArg))
        && !unknown::is_near(typed, meant)
    {
        error.remove(ContextKind::SuggestedArg);
    }
    if !own && error.kind() != ErrorKind::UnknownArgument {
        error.exit();
    }
    // A tip to pass the option as a value; only labels and queries may look like one.
    if error.get(ContextKind::SuggestedArg).is_none()
        && args.get(1).is_none_or(|arg| arg != "label" && arg != "search")
    {
        error.remove(ContextKind::Suggested);
    }
    let asked_for_help = args.get(1).is_some_and(|arg| arg == "help");
    let from = if asked_for_help { 2 } else { 1 };
    if is_unknown_command(args.get(from..).unwrap_or_default()) {
        return ExitCode::from(USAGE);
    }
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(second)) if error.kind() == ErrorKind::ArgumentConflict => {
            message::error(
                &format!("unexpected argument `{second}`"),
                Some("leafpress exports one session at a time; name the page with `-o FILE`"),
            );
            ExitCode::from(USAGE)
        }
        _ => error.exit(),
    }
}

/// What is said of a value that is none of those an option takes, and these: clap prints them on one line.
fn invalid_value(error: &clap::Error) -> Option<(String, String)> {
    /// The word that a line of help begins with, and the blank behind it.
    const BEFORE: &str = "help: ";
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    };
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let value = text(ContextKind::InvalidValue).filter(|_| !values.is_empty())?;
    let option = text(ContextKind::InvalidArg)?;
    let meant = text(ContextKind::SuggestedValue);
    let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    let mut values = values.clone();
    values[0].insert_str(0, "possible values: ");
    let room = columns::columns().saturating_sub(BEFORE.len());
    let lines = columns::wrapped(&values, ", ", room).join("\n      ");
    Some((format!("invalid value `{value}` for `{option}`{meant}"), lines))
}

/// Whether the first of these arguments was meant as a command that does not exist; says so.
fn is_unknown_command(args: &[OsString]) -> bool {
    let commands = Cli::command();
    let Some(unknown) = unknown::command(args, &commands) else {
        return false;
    };
    let name = unknown.name;
    if unknown.similar.is_empty() {
        let help = "`leafpress --help` lists the commands";
        message::error(&format!("unknown command `{name}`"), Some(help));
    } else {
        let similar: Vec<String> = unknown.similar.iter().map(|name| format!("`{name}`")).collect();
        let similar = similar.join(" or ");
        message::error(&format!("unknown command `{name}`; did you mean {similar}?"), None);
    }
    true
}

fn is_not_found(error: &Error) -> bool {
    match error {
        Error::NotFound { .. } => true,
        Error::Read { source, .. } => source.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Whoever reads our output may stop when they have enough.
fn is_broken_pipe(error: &Error) -> bool {
    matches!(error, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
}
