//! Everything that can end a command, and what to do about it in the words of its options.

mod help;

use std::io;
use std::path::{Path, PathBuf};

use crate::archive::ArchiveError;
use crate::catalog::CatalogError;
use crate::cut::{CutEntry, CutError};
use crate::extract::ExtractError;
use crate::find::{self, AgentFolder, Env, Wanted};
use crate::format::ReadError;
use crate::format::database::DatabaseError;
use crate::page::ThemeError;
use crate::redact::RulesError;
use crate::seal::PasswordError;
use crate::session::prices::PricesError;
use crate::store::StoreError;

use crate::session::text::counted;

use super::keep::KeepError;
use super::reason::reason;

/// Why nothing was exported or printed. [`Error::help`] says what to do about it.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// The input could not be read.
    #[error("failed to read {}: {}", input(path), reason(source))]
    Read {
        /// The input, `-` for standard input.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file that an option names could not be read.
    #[error("invalid `{option}`: failed to read {}: {}", input(path), reason(source))]
    ReadFor {
        /// The option.
        option: &'static str,
        /// The file, `-` for standard input.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no file where a session was named.
    #[error("failed to read {}: {}", input(path), reason(source))]
    NotFound {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The input is a directory.
    #[error("failed to read `{}`: it is a directory", .0.display())]
    IsDirectory(PathBuf),
    /// The input is a device, such as `/dev/zero`.
    #[error("failed to read {}: it is a device", input(.0))]
    IsDevice(PathBuf),
    /// Anything wrong with the content of a file.
    #[error("failed to read {}: {source}", input(path))]
    InFile {
        /// The input, `-` for standard input.
        path: PathBuf,
        /// What was wrong.
        source: ReadError,
    },
    /// A database that gives no session.
    #[error("failed to read `{}`: {source}", path.display())]
    InDatabase {
        /// The database.
        path: PathBuf,
        /// Why.
        source: DatabaseError,
    },
    /// A database of several sessions, and none of them is named.
    #[error("`{}` holds {count} sessions:\n{list}", path.display())]
    ManySessions {
        /// The database.
        path: PathBuf,
        /// How many there are.
        count: usize,
        /// The newest, a line each.
        list: String,
        /// The newest as the command takes it.
        example: String,
    },
    /// None of the places where agents keep sessions holds one that was asked for.
    #[error("no sessions {}found{}", with_cwd(cwd.as_deref()), looked_in(*directories))]
    NoSession {
        /// How many places there are.
        directories: usize,
        /// The working directory asked for.
        cwd: Option<PathBuf>,
    },
    /// The beginning of an id that several sessions have.
    #[error("{count} sessions have an id that begins with `{id}`:\n{}", paths(some))]
    AmbiguousSession {
        /// The beginning.
        id: String,
        /// How many sessions.
        count: usize,
        /// The newest of them.
        some: Vec<PathBuf>,
    },
    /// The environment names no directory for leafpress's own data.
    #[error("no directory for the catalog of your sessions")]
    NoDataDirectory,
    /// The catalog of all sessions cannot be used.
    #[error("failed to use the catalog in `{}`: {source}", folder.display())]
    Catalog {
        /// The directory.
        folder: PathBuf,
        /// Why.
        source: CatalogError,
    },
    /// An archive cannot be written.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// No session is wanted in an archive.
    #[error("no session to write")]
    NothingToArchive,
    /// Nobody is there to say yes.
    #[error("no terminal to ask whether all of these are to be written")]
    NeedsYes,
    /// A person said no.
    #[error("nothing written")]
    NothingWritten,
    /// Some pages of an archive could not be made.
    #[error("{} not written", counted(*.0, "session"))]
    NotAllArchived(usize),
    /// A copy, or `keep` itself.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// A search for nothing.
    #[error("the query is empty")]
    EmptyQuery,
    /// A search found nothing, which its output says.
    #[error("nothing found")]
    NothingFound,
    /// The list of sessions is shorter.
    #[error("no session {nth}: the list has {}", counted(*count, "session"))]
    FewerSessions {
        /// The place asked for.
        nth: usize,
        /// How many sessions there are.
        count: usize,
    },
    /// A session without another branch.
    #[error("nothing to compare: the session has one branch")]
    OneBranch,
    /// A file that the session did not change.
    #[error("invalid `{option}`: the session did not change `{path}`")]
    UnknownFile {
        /// The option.
        option: &'static str,
        /// Its value.
        path: String,
        /// The files whose names are most like it.
        nearest: Vec<String>,
    },
    /// The text of a file is not known at an entry.
    #[error("`{path}` is not known exactly at {entry}{}: {why}", since_entry(since.as_deref()))]
    FileNotKnown {
        /// The file.
        path: String,
        /// The entry asked for.
        entry: String,
        /// Since which entry.
        since: Option<String>,
        /// Why.
        why: String,
    },
    /// A theme file that cannot be used.
    #[error("invalid theme `{}`: {source}", path.display())]
    Theme {
        /// The theme.
        path: PathBuf,
        /// What was wrong with it.
        source: ThemeError,
    },
    /// Prices that cannot be used.
    #[error("invalid prices `{}`: {source}", path.display())]
    Prices {
        /// The file.
        path: PathBuf,
        /// What was wrong with it.
        source: PricesError,
    },
    /// Rules for secrets that cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Secrets are in the session, and the caller wants none.
    #[error("found {0}; no page was written")]
    Secrets(String),
    /// Secrets are in the page that was made.
    #[error("the {what} still contains {summary}; it was not written:{list}")]
    SecretsInPage {
        /// Of what was made: `page`.
        what: &'static str,
        /// How many, and where.
        summary: String,
        /// Each on a line of its own.
        list: String,
    },
    /// An id on the command line that the session does not hold.
    #[error("invalid `{option}`: no entry has the id `{id}`")]
    UnknownEntry {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
    },
    /// The beginning of an id that several entries have.
    #[error("invalid `{option}`: the ids of {count} entries begin with `{id}`")]
    AmbiguousEntry {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
        /// How many.
        count: usize,
        /// The keys of some.
        some: Vec<String>,
    },
    /// An entry that is no prompt.
    #[error("invalid `{option}`: `{id}` is not a prompt")]
    NotAPrompt {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
        /// The key of the prompt of its turn.
        of: Option<String>,
    },
    /// Two leaves that have no tree in common.
    #[error("cannot compare `{a}` and `{b}`: they belong to different sessions")]
    ComparedWithin {
        /// One leaf's key.
        a: String,
        /// The other's.
        b: String,
    },
    /// A page that gives nothing back.
    #[error("failed to extract from {}: {source}", input(path))]
    Extract {
        /// The page, `-` for standard input.
        path: PathBuf,
        /// Why.
        source: ExtractError,
    },
    /// A file that nobody named is there already.
    #[error("failed to write `{}`: the file exists", .0.display())]
    OutputExists(PathBuf),
    /// A file that nobody named is there already, and can be lost for good.
    #[error("failed to write `{}`: the file exists and is not a leafpress page", .0.display())]
    OutputIsNotPage(PathBuf),
    /// A directory that should be empty is not.
    #[error("failed to write to `{}`: the directory is not empty", .0.display())]
    FolderIsNotEmpty(PathBuf),
    /// A page where a session file is changed.
    #[error("failed to change `{}`: it is a leafpress page", .0.display())]
    ChangesPage(PathBuf),
    /// A page whose own name the new page would have.
    #[error("failed to export `{}`: it is a leafpress page, and the new page has no name", .0.display())]
    PageNeedsOutput(PathBuf),
    /// Nobody is there to ask for the password of a page that is read.
    #[error("failed to read `{}`: the page is password-protected, and no terminal is there to ask for the password", .0.display())]
    PageNeedsPassword(PathBuf),
    /// What is extracted would replace the page.
    #[error("failed to write `{}`: it is the page itself", .0.display())]
    OutputIsPage(PathBuf),
    /// A text that cannot be a password.
    /// A branch does not fit into the size that was asked for.
    #[error(transparent)]
    Markdown(#[from] crate::markdown::MarkdownError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Asked twice, answered differently.
    #[error("the passwords do not match")]
    PasswordsDiffer,
    /// Nobody is there to ask for a password.
    #[error("no terminal to ask for the password")]
    NoTerminal,
    /// Two things are to be read from standard input.
    #[error("cannot read both the input and the password from standard input")]
    StdinTwice,
    /// An entry that a cut was asked to go by lies outside what another option leaves.
    #[error("{}", outside(option, id, of, other))]
    CutOutside {
        /// The option.
        option: &'static str,
        /// Its entry's key.
        id: String,
        /// The other option, or `the path to`.
        of: &'static str,
        /// Its entry's key.
        other: String,
    },
    /// A cut was asked to go by an entry of a sub-session.
    #[error("invalid `{option}`: `{id}` is an entry of a sub-agent session")]
    CutWithin {
        /// The option.
        option: &'static str,
        /// Its entry's key.
        id: String,
    },
    /// The entry to open at was left out.
    #[error("invalid `{option}`: the other options remove the entry `{id}`")]
    NotIncluded {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
    },
    /// A cut that leaves no entry.
    #[error("the options remove every entry")]
    NothingLeft,
    /// The page stays larger than was asked for.
    #[error(
        "failed to fit the page into {}: it takes {} without {dropped}",
        crate::session::text::bytes(*limit),
        crate::session::text::bytes(*size)
    )]
    TooLarge {
        /// What was asked for, in bytes.
        limit: usize,
        /// What it takes, in bytes.
        size: usize,
        /// What was left out already.
        dropped: String,
    },
    /// The page would replace the session.
    #[error("failed to write `{}`: it is the session file itself", .0.display())]
    OutputIsInput(PathBuf),
    /// The output is a directory.
    #[error("failed to write `{}`: it is a directory", .0.display())]
    OutputIsDirectory(PathBuf),
    /// The output could not be written.
    #[error("failed to write {}: {}", output(path), reason(source))]
    Write {
        /// The output, `-` for standard output.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Standard input or output, where only a file will do.
    #[error("this command does not support `-` for standard input or output")]
    NeedsFile,
    /// A session could not be written to.
    #[error("{}", with_source(.0))]
    Store(#[from] StoreError),
    /// No shell is named, and the environment names none that is known.
    #[error("unknown shell: `SHELL` does not name one that leafpress supports")]
    UnknownShell,
}

impl From<CutError> for Error {
    fn from(error: CutError) -> Error {
        match error {
            CutError::Outside { entry, key, of, other } => {
                let of = if of == CutEntry::Leaf { "the path to" } else { option(of) };
                Error::CutOutside { option: option(entry), id: key, of, other }
            }
            CutError::Within { entry, key } => Error::CutWithin { option: option(entry), id: key },
            // The command finds entries in the session itself.
            CutError::NothingLeft | CutError::Unknown(_) => Error::NothingLeft,
        }
    }
}

/// The option that names an entry of a cut.
fn since_entry(entry: Option<&str>) -> String {
    entry.map(|entry| format!(", since {entry}")).unwrap_or_default()
}

fn option(entry: CutEntry) -> &'static str {
    match entry {
        CutEntry::Leaf => "--leaf",
        CutEntry::Branch => "--branch",
        CutEntry::Subtree => "--subtree",
        CutEntry::From => "--from",
        CutEntry::To => "--to",
    }
}

impl Error {
    /// That nothing was found, and where.
    pub(super) fn no_session(env: &Env, wanted: Wanted) -> Error {
        let is_wanted = |place: &AgentFolder| wanted.agent.is_none_or(|agent| agent == place.agent);
        let places = find::places(env).into_iter().filter(is_wanted);
        Error::NoSession { directories: places.count(), cwd: wanted.cwd }
    }
}

/// Each on a line of its own.
fn paths(paths: &[PathBuf]) -> String {
    let lines: Vec<String> = paths.iter().map(|path| format!("  {}", path.display())).collect();
    lines.join("\n")
}

/// `` `x.jsonl` ``, or standard input for `-`.
fn input(path: &Path) -> String {
    named(path, "standard input")
}

/// `` `x.html` ``, or standard output for `-`.
fn output(path: &Path) -> String {
    named(path, "standard output")
}

fn named(path: &Path, stream: &str) -> String {
    if path.as_os_str() == "-" { stream.to_owned() } else { format!("`{}`", path.display()) }
}

/// The error of a store and what it came from.
fn with_source(error: &StoreError) -> String {
    match error {
        StoreError::Io { source, .. } => format!("{error}: {}", reason(source)),
        _ => error.to_string(),
    }
}

/// An entry of one option that another option excludes.
fn outside(option: &str, id: &str, of: &str, other: &str) -> String {
    if of.starts_with("--") {
        format!("`{option} {id}` is outside `{of} {other}`")
    } else {
        format!("`{option} {id}` is not on {of} `{other}`")
    }
}

fn with_cwd(cwd: Option<&Path>) -> String {
    cwd.map_or_else(String::new, |cwd| format!("with the working directory `{}` ", cwd.display()))
}

fn looked_in(directories: usize) -> String {
    match directories {
        0 => ": there is no home directory".to_owned(),
        1 => " (looked in 1 folder; `leafpress list --help` names it)".to_owned(),
        many => format!(" (looked in {many} folders; `leafpress list --help` names them)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_of_a_newer_program_is_refused_with_help() {
        let path = || PathBuf::from("s");
        let help = |error: StoreError| Error::from(error).help();
        let newer = StoreError::Newer { path: path(), version: 4 };
        assert_eq!(help(newer).as_deref(), Some("use a newer leafpress"));
        let newer = StoreError::NewerTitle { path: path(), version: 2 };
        assert_eq!(help(newer).as_deref(), Some("use a newer leafpress"));
        let unknown = StoreError::UnknownWriter { path: path(), writer: "other".to_owned() };
        assert!(help(unknown).unwrap().starts_with("nothing was written"));
    }

    #[test]
    fn a_cut_that_fails_is_told_by_its_options() {
        let outside = |entry, of| {
            let (key, other) = ("a".to_owned(), "b".to_owned());
            Error::from(CutError::Outside { entry, key, of, other }).to_string()
        };
        assert_eq!(
            outside(CutEntry::Branch, CutEntry::Subtree),
            "`--branch a` is outside `--subtree b`"
        );
        assert_eq!(outside(CutEntry::Leaf, CutEntry::Branch), "`--leaf a` is outside `--branch b`");
        assert_eq!(outside(CutEntry::To, CutEntry::From), "`--to a` is outside `--from b`");
        assert_eq!(outside(CutEntry::From, CutEntry::Leaf), "`--from a` is not on the path to `b`");
        let within =
            Error::from(CutError::Within { entry: CutEntry::Subtree, key: "S/a".to_owned() });
        assert!(
            within.to_string().starts_with("invalid `--subtree`: `S/a` is an entry of"),
            "{within}"
        );
        assert_eq!(
            Error::from(CutError::NothingLeft).to_string(),
            "the options remove every entry"
        );
    }
}
