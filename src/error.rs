//! Everything that can end a command, with the facts; the words are here only.

use std::io;
use std::path::PathBuf;

use crate::extract::ExtractError;
use crate::page::ThemeError;
use crate::seal::PasswordError;

/// Why nothing was pressed or printed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    #[error("failed to read `{}`: {source}", path.display())]
    Read {
        /// The input, `-` for standard input.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The input is a folder.
    #[error("failed to read `{}`: it is a folder; name one session file in it, or let `leafpress list` find yours", .0.display())]
    IsDirectory(PathBuf),
    /// The input is a device, such as `/dev/zero`.
    #[error("failed to read `{}`: it is a device; name a file", .0.display())]
    IsDevice(PathBuf),
    /// The input is larger than what is read.
    #[error("it is larger than {}; use `--max-input SIZE` to read it", size(*limit))]
    TooLargeInput {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The input is packed, and nothing that a person wrote packs so well.
    #[error("it unpacks to more than a hundred times its size; use `--max-input SIZE` to read it")]
    Bursts,
    /// The input holds nothing to show.
    #[error("no session entries: {found}; looked for a session of {}", crate::format::known())]
    NoEntries {
        /// What was there instead.
        found: String,
    },
    /// The input is JSON, but not of any form known here.
    #[error(
        "no session is recognised: {found}; looked for a session of {}; `--format NAME` reads it as one of these all the same",
        crate::format::known()
    )]
    Unknown {
        /// What is there instead.
        found: String,
    },
    /// The input is a page of leafpress's own.
    #[error("it is a page and no session: `leafpress extract` gives the session file in it back")]
    IsPage,
    /// The input is no page of leafpress's own.
    #[error("it is no page made by leafpress")]
    NoPage,
    /// The input is packed and cannot be unpacked.
    #[error("failed to unpack gzip: {0}")]
    Gzip(String),
    /// Anything wrong with the content of a file.
    #[error("failed to read `{}`: {source}", path.display())]
    InFile {
        /// The input, `-` for standard input.
        path: PathBuf,
        /// What was wrong.
        source: Box<Error>,
    },
    /// None of the places where agents keep sessions holds one that was asked for.
    #[error("no session found; looked in {}", folders(.0))]
    NoSession(Vec<PathBuf>),
    /// A theme file that cannot be used.
    #[error("failed to use the theme `{}`: {source}", path.display())]
    Theme {
        /// The theme.
        path: PathBuf,
        /// What was wrong with it.
        source: ThemeError,
    },
    /// Rules for secrets that cannot be used.
    #[error("{0}")]
    Rules(#[from] crate::redact::RulesError),
    /// Secrets are in the session, and the caller wants none.
    #[error("nothing written: {0}")]
    Secrets(String),
    /// An id on the command line that the session does not hold.
    #[error(
        "no entry `{id}` for `{option}`; `leafpress tree --filter all` and `leafpress context` list ids"
    )]
    UnknownEntry {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
    },
    /// Two leaves that have no tree in common.
    #[error(
        "`{a}` and `{b}` are entries of different sessions: only branches of one session can be compared"
    )]
    ComparedWithin {
        /// One leaf's key.
        a: String,
        /// The other's.
        b: String,
    },
    /// A page that gives nothing back.
    #[error("failed to extract from `{}`: {source}", path.display())]
    Extract {
        /// The page, `-` for standard input.
        path: PathBuf,
        /// Why.
        source: ExtractError,
    },
    /// A file that nobody named is there already.
    #[error(
        "failed to write `{}`: it exists; choose another file with `-o`, or replace it with `--force`",
        .0.display()
    )]
    OutputExists(PathBuf),
    /// A file that nobody named is there already, and can be lost for good.
    #[error(
        "failed to write `{}`: it exists and is not a leafpress page; choose another file with `-o`, or replace it with `--force`",
        .0.display()
    )]
    OutputIsNotPage(PathBuf),
    /// A folder that should be empty is not.
    #[error("failed to write `{}`: it is not empty; name a new or an empty folder", .0.display())]
    FolderIsNotEmpty(PathBuf),
    /// What is extracted would replace the page.
    #[error("failed to write `{}`: it is the page itself; choose another with --output", .0.display())]
    OutputIsPage(PathBuf),
    /// A text that cannot be a password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Asked twice, answered differently.
    #[error("the two passwords differ; nothing was written")]
    PasswordsDiffer,
    /// Nobody is there to ask for a password.
    #[error(
        "there is no terminal to ask for the password; `--password-file FILE` reads it from a file"
    )]
    NoTerminal,
    /// Two things are to be read from standard input.
    #[error("the session and the password cannot both come from standard input")]
    StdinTwice,
    /// An entry that a cut was told to go by lies outside what another option leaves.
    #[error("`{option} {id}` lies outside {}", whole(of, other))]
    CutOutside {
        /// The option.
        option: &'static str,
        /// Its entry's key.
        id: String,
        /// The other option.
        of: &'static str,
        /// Its entry's key.
        other: String,
    },
    /// A cut was told to go by an entry of a sub-session.
    #[error(
        "`{option} {id}` is an entry of a sub-session: cut at one of the session itself, or press the sub-session's own file"
    )]
    CutWithin {
        /// The option.
        option: &'static str,
        /// Its entry's key.
        id: String,
    },
    /// The entry to open at was left out.
    #[error("`{option} {id}` is not included: the other options leave it out")]
    NotIncluded {
        /// The option.
        option: &'static str,
        /// Its value.
        id: String,
    },
    /// A cut that leaves no entry.
    #[error("no entry would be left")]
    NothingLeft,
    /// The page stays larger than was asked for.
    #[error(
        "nothing written: the page takes {} even without {dropped}, and may take {}; cut the session \
         (`--branch`, `--from`, `--only`) or allow more",
        crate::session::text::bytes(*size), crate::session::text::bytes(*limit)
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
    #[error("failed to write `{}`: it is the session itself; choose another with --output", .0.display())]
    OutputIsInput(PathBuf),
    /// The output is a folder.
    #[error("failed to write `{}`: it is a folder; name a file in it", .0.display())]
    OutputIsDirectory(PathBuf),
    /// The output could not be written.
    #[error("failed to write `{}`: {source}", path.display())]
    Write {
        /// The output, `-` for standard output.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Standard input or output, where only a file will do.
    #[error("`-` is no file; name one")]
    NeedsFile,
    /// A session could not be written to.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// The page was written but no browser opened it.
    #[error("failed to open `{}` in a browser: {reason}", path.display())]
    Open {
        /// The page.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// What an entry lies outside of, and what to do.
fn whole(of: &str, other: &str) -> String {
    if of.starts_with("--") {
        format!("`{of} {other}`: nothing would be left of one of them")
    } else {
        format!("{of} {other}: name a leaf behind it with `--leaf`")
    }
}

/// `2 GiB`, `50.0 MB`.
fn size(limit: u64) -> String {
    const GIB: u64 = 1 << 30;
    if limit > 0 && limit.is_multiple_of(GIB) {
        return format!("{} GiB", limit / GIB);
    }
    crate::session::text::bytes(usize::try_from(limit).unwrap_or(usize::MAX))
}

fn folders(folders: &[PathBuf]) -> String {
    let names: Vec<String> =
        folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
    if names.is_empty() {
        "no place, since there is no home folder".to_owned()
    } else {
        names.join(", ")
    }
}
