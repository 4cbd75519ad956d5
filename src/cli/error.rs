//! Everything that can end a command, and what to do about it in the words of its options.

use std::io;
use std::path::{Path, PathBuf};

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

    /// What to do about it, in a sentence of its own; `None` where the error says all there is.
    pub(super) fn help(&self) -> Option<String> {
        let help = match self {
            Error::NotFound { .. } => "`leafpress list` shows your sessions and where they are",
            Error::FewerSessions { .. } => "`leafpress list -n 0` lists all sessions",
            Error::UnknownFile { nearest, .. } => {
                let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
                return Some(match names.as_slice() {
                    [] => "the session changed no files".to_owned(),
                    names => format!("the nearest names are {}", names.join(", ")),
                });
            }
            Error::FileNotKnown { .. } => {
                "`leafpress changes SESSION --file FILE --json` says how well each edit is known"
            }
            Error::OneBranch => "`leafpress stats` shows its figures",
            Error::IsDirectory(_) => "name a session file; `leafpress list` shows your sessions",
            Error::IsDevice(_) | Error::NeedsFile => "name a file",
            Error::InFile { source, path } => return help_to_read(source, path),
            Error::InDatabase { source, .. } => return help_to_database(source),
            Error::ManySessions { example, .. } => {
                return Some(format!("name one of them, such as `{example}`"));
            }
            Error::NoSession { cwd: Some(_), .. } => {
                "the directory must be exactly the one that the agent was started in"
            }
            Error::NoSession { .. } => "name a session file: `leafpress session.jsonl`",
            Error::Secrets(_) => {
                "replace the secrets with `--redact`; `leafpress secrets` lists them"
            }
            Error::SecretsInPage { .. } => {
                "replace them with `--redact-pattern RE`; if they are harmless, add `--allow-secrets` to `--redact`"
            }
            Error::UnknownEntry { .. } => {
                "`leafpress tree SESSION --filter all` and `leafpress context SESSION` list the ids"
            }
            Error::AmbiguousEntry { some, .. } => {
                let ids: Vec<String> = some.iter().map(|id| format!("`{id}`")).collect();
                return Some(format!("write more of the id, such as {}", ids.join(" or ")));
            }
            Error::NotAPrompt { of, .. } => {
                let of = of.as_ref()?;
                return Some(format!("it is part of the turn of `{of}`"));
            }
            Error::ComparedWithin { .. } => "choose two branches of the same session",
            Error::Extract { source, .. } => return help_to_extract(source).map(str::to_owned),
            Error::OutputExists(_) | Error::OutputIsNotPage(_) => {
                "choose another file with `-o`, or replace the file with `--force`"
            }
            Error::FolderIsNotEmpty(_) => "name a new or empty directory",
            Error::OutputIsPage(_) | Error::OutputIsInput(_) => "choose another file with `-o`",
            Error::Prices { .. } => {
                "write dollars per million tokens by model: `{\"claude-sonnet-4-5\": {\"input\": 3, \"output\": 15}}`"
            }
            Error::NoTerminal => "read the password from a file with `--password-file FILE`",
            Error::StdinTwice => "put the password in a file",
            Error::CutOutside { of, .. } if !of.starts_with("--") => {
                "choose a leaf below the entry with `--leaf ID`"
            }
            Error::CutOutside { .. } => "remove one of the two options, or choose another entry",
            Error::CutWithin { .. } => {
                "choose an entry of the session itself, or export the sub-agent's own file"
            }
            Error::NotIncluded { .. } => "choose an entry that stays in the page",
            Error::TooLarge { .. } | Error::Markdown(_) => {
                "export less with `--branch`, `--from` or `--only`, or raise `--max-size`"
            }
            Error::OutputIsDirectory(_) => "name a file in the directory",
            Error::UnknownShell => "name it, such as `leafpress completions bash`",
            Error::Store(error) => return help_to_store(error).map(str::to_owned),
            _ => return None,
        };
        Some(help.to_owned())
    }
}

/// What to do about a page without a session file.
fn help_to_extract(error: &ExtractError) -> Option<&'static str> {
    match error {
        ExtractError::NoSource => Some("use the original session file"),
        ExtractError::Format { .. } => {
            Some("export the session again, or use the version of leafpress that wrote the page")
        }
        _ => None,
    }
}

/// What to do about a session that cannot be written.
fn help_to_store(error: &StoreError) -> Option<&'static str> {
    Some(match error {
        StoreError::Locked(_) => "end the other process first",
        StoreError::Changed(_) | StoreError::Gone(_) => "nothing was written; try again",
        StoreError::Exists(_) => "choose another file",
        StoreError::ReadOnly { .. } => {
            "leafpress reads and exports other formats; it writes only these two"
        }
        StoreError::Newer { .. } | StoreError::NewerTitle { .. } => "use a newer leafpress",
        StoreError::UnknownWriter { .. } => {
            "nothing was written; leafpress can still read and export it"
        }
        StoreError::InvalidId(_) => {
            "use letters, digits, `.`, `_` and `-`; begin and end with a letter or digit"
        }
        StoreError::NotAPrompt(_) => "a fork begins at a user message",
        _ => return None,
    })
}

/// What to do about a file without a session.
fn help_to_read(error: &ReadError, path: &Path) -> Option<String> {
    let help = match error {
        ReadError::TooLarge { .. } => "raise the limit with `--max-input SIZE`",
        ReadError::Bursts => "if you trust the file, set a limit with `--max-input SIZE`",
        ReadError::NoEntries { .. } => {
            return Some(format!("supported formats: {}", crate::format::known()));
        }
        ReadError::Unknown { nearest: Some(nearest), .. } => {
            let (format, file) = (nearest.name(), path.display());
            return Some(format!("to read it as {nearest}: `leafpress --format {format} {file}`"));
        }
        ReadError::Unknown { .. } => {
            let known = crate::format::known();
            return Some(format!("supported formats: {known}; choose one with `--format NAME`"));
        }
        ReadError::FinalAnswer { command, .. } => {
            return Some(format!("`{command}`, then `leafpress run.jsonl`"));
        }
        ReadError::Zip => "unpack it with `unzip`, then name one of the session files in it",
        ReadError::IsDatabase => "name the database as a file; `leafpress list` shows its sessions",
        ReadError::IsPage => "get the session file out of the page with `leafpress extract`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// What to do about a database without the session.
fn help_to_database(error: &DatabaseError) -> Option<String> {
    let help = match error {
        DatabaseError::CutOff => {
            "if your own agent wrote this database, start that agent once, which repairs it"
        }
        DatabaseError::NoSession(_) => "name the database alone to list its sessions",
        DatabaseError::TooLarge(_) => "raise the limit with `--max-input SIZE`",
        _ => return None,
    };
    Some(help.to_owned())
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
