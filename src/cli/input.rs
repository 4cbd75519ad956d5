//! Reads the session that a command names.
//!
//! Every command that reads a session reads it here, so that each takes the same options and gives the same warnings.
//! Devices are refused, as they have no end, and sizes are limited before anything is unpacked.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::find;
use crate::format::decode::{Limit, SourceError};
use crate::format::source;
use crate::format::{self, ReadOptions};
use crate::redact::{self, RedactError, Redacted, Rules};
use crate::session::damage::{Damage, grouped};
use crate::session::prices::Prices;
use crate::session::{EntryIndex, Format, Session};
use crate::store::{SessionStore, StoreError};
use crate::vault::KeptFile;

use super::keep::KeepError;
use super::{database, message, output, progress};

/// What is read beside the session.
#[derive(Debug, Default, Args)]
pub(super) struct BesideArgs {
    /// Read the session's images from this directory [default: where the agent stores them]
    #[arg(long, value_name = "DIR")]
    pub(super) blobs: Option<PathBuf>,
    /// Include archived branches
    #[arg(long)]
    pub(super) archived: bool,
    /// Leave out sub-agent sessions
    #[arg(long)]
    pub(super) no_subsessions: bool,
}

impl BesideArgs {
    fn options(&self, session: &Path) -> ReadOptions {
        let options =
            if is_stdio(session) { ReadOptions::new() } else { find::read_options(session) };
        ReadOptions {
            blobs: self.blobs.clone(),
            archived: self.archived,
            without_children: self.no_subsessions,
            progress: progress::reporter(),
            ..options
        }
    }
}

/// Reads a session in the format named, or in the one detected. Rules for secrets redact it, and learn from the
/// title that the page is to have. Warns of problems in the file.
pub(super) fn read(
    path: &Path,
    format: Option<Format>,
    files: &BesideArgs,
    rules: Option<(&Rules, Option<&str>)>,
    limit: LimitArg,
) -> Result<(Session, Option<Redacted>), Error> {
    let (file, id) = database::parted(path);
    let mut options = files.options(&file);
    let source = if database::is_database(&file) {
        database::read(&file, id.as_deref(), limit.limit(), |what| warn(&file, what))?
    } else if let Some(kept) = KeptFile::at(path) {
        kept.session(limit.limit()).map_err(|error| told(path, error))?
    } else {
        let (mut from, size) = open(path).map_err(|error| match error {
            Error::Read { path, source } if source.kind() == io::ErrorKind::NotFound => {
                Error::NotFound { path, source }
            }
            error => error,
        })?;
        let mut head = Vec::new();
        let failed = |source| Error::Read { path: path.to_owned(), source };
        from.by_ref().take(format::PAGE_HEAD as u64).read_to_end(&mut head).map_err(failed)?;
        let is_page = format::is_page(&head);
        let from = io::Cursor::new(head).chain(from);
        if is_page {
            // Nothing lies beside what comes out of a page.
            options.session = None;
            let bytes = source::read_page(from, size, limit.limit());
            super::page::session_file(path, bytes.map_err(|error| told(path, error))?)?
        } else {
            let read = source::read(from, size, format, limit.limit());
            read.map_err(|error| told(path, error))?
        }
    };
    let in_file = |source| Error::InFile { path: path.to_owned(), source };
    let (session, redacted) = match rules {
        Some((rules, title)) => {
            let read = redact::read_beside(source, format, &options, rules, title);
            let (session, redacted) = read.map_err(|error| match error {
                RedactError::Read(source) => in_file(source),
                RedactError::Rules(error) => error.into(),
            })?;
            (session, Some(redacted))
        }
        None => (format::read_with(source, format, &options).map_err(in_file)?, None),
    };
    let in_file = |damage: &Damage| {
        let line = session.own_line(damage.line)?;
        Some(Damage { line, kind: damage.kind })
    };
    let own: Vec<Damage> = session.damage().iter().filter_map(in_file).collect();
    for group in grouped(&own) {
        warn(path, &group.to_string());
    }
    let before = session.damage().iter().filter(|damage| in_file(damage).is_none());
    // Behind the header of the fork its parent's lines begin.
    let before = before.map(|damage| Damage { line: damage.line - 1, kind: damage.kind });
    for group in grouped(&before.collect::<Vec<_>>()) {
        warn(path, &format!("{group}, in the session that it was forked from"));
    }
    for sub in session.sub_sessions() {
        for group in grouped(sub.damage()) {
            warn(path, &format!("{group}, in sub-agent session {}", sub.key));
        }
        if let Some(reason) = &sub.missing {
            warn(path, &format!("sub-agent session {}: {reason}", sub.key));
        }
    }
    Ok((session, redacted))
}

/// Warns of something in a file.
pub(super) fn warn(path: &Path, what: &str) {
    let name =
        if is_stdio(path) { "standard input".to_owned() } else { format!("`{}`", path.display()) };
    message::warning(&format!("{what}, in {name}"), None);
}

/// What costs are computed from.
#[derive(Debug, Default, Args)]
pub(super) struct PricesArg {
    /// Compute costs that the session does not state, from the prices in this JSON file
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

impl PricesArg {
    /// Reads the prices, where there are any.
    pub(super) fn read(&self) -> Result<Option<Prices>, Error> {
        let Some(path) = &self.prices else { return Ok(None) };
        let parsed = Prices::parse(&read_text("--prices", path)?);
        parsed.map(Some).map_err(|source| Error::Prices { path: path.clone(), source })
    }
}

/// Computes the costs that a session does not state, and warns of those that cannot be computed.
pub(super) fn set_prices(session: &mut Session, prices: Option<Prices>) {
    let Some(prices) = prices else { return };
    for line in session.set_prices(prices).to_string().lines() {
        message::warning(line, None);
    }
}

/// How much of the input is read.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct LimitArg {
    /// Read at most this much decompressed data, such as `4GB` [default: 2 GiB]
    #[arg(long, value_name = "SIZE", value_parser = super::limit::size)]
    max_input: Option<usize>,
}

impl LimitArg {
    fn limit(self) -> Limit {
        self.max_input.map_or_else(Limit::default, |bytes| Limit::given(bytes as u64))
    }
}

/// All of a page's file, or of standard input.
pub(super) fn read_page(path: &Path, limit: LimitArg) -> Result<Vec<u8>, Error> {
    let (from, size) = open(path)?;
    source::read_page(from, size, limit.limit()).map_err(|error| told(path, error))
}

/// A small file of text that an option names.
pub(super) fn read_text(option: &'static str, path: &Path) -> Result<String, Error> {
    const MOST_BYTES: u64 = 16 << 20;
    let failed = |source| Error::ReadFor { option, path: path.to_owned(), source };
    refuse_device(path)?;
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(failed(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(text)
}

/// Refuses what a store would read to no end.
pub(super) fn check(path: &Path, limit: LimitArg) -> Result<(), Error> {
    refuse_device(path)?;
    match fs::metadata(path) {
        Ok(about) if about.is_file() => {
            limit.limit().check(about.len()).map_err(|error| told(path, error))
        }
        // The store says what is wrong with it.
        _ => Ok(()),
    }
}

/// A file or standard input, and its size where that is known.
fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    if is_stdio(path) {
        refuse_device_on_stdin()?;
        return Ok((Box::new(io::stdin().lock()), None));
    }
    if path.is_dir() {
        return Err(Error::IsDirectory(path.to_owned()));
    }
    refuse_device(path)?;
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().ok().filter(fs::Metadata::is_file);
    let size = about.map(|about| about.len());
    Ok((progress::counted(file, size), size))
}

fn told(path: &Path, error: SourceError) -> Error {
    let path = path.to_owned();
    match error {
        SourceError::Io(source) => Error::Read { path, source },
        SourceError::Content(source) => Error::InFile { path, source },
    }
}

/// Devices have no end, or none that anybody waits for.
fn refuse_device(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(about) if is_device(&about) => Err(Error::IsDevice(path.to_owned())),
        _ => Ok(()),
    }
}

/// The same for standard input; a terminal is one that a person types at.
fn refuse_device_on_stdin() -> Result<(), Error> {
    #[cfg(unix)]
    if !io::IsTerminal::is_terminal(&io::stdin()) {
        let own = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
        let about = own.map(File::from).and_then(|file| file.metadata());
        if about.is_ok_and(|about| is_device(&about)) {
            return Err(Error::IsDevice("-".into()));
        }
    }
    Ok(())
}

fn is_device(about: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = about.file_type();
        kind.is_char_device() || kind.is_block_device()
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        false
    }
}

/// Whether the path means standard input or output.
pub(super) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses standard input and output where a file is written to in place or by its name.
pub(super) fn no_stdin(path: &Path) -> Result<(), Error> {
    if is_stdio(path) { Err(Error::NeedsFile) } else { Ok(()) }
}

/// Refuses what is only read: a page, a database and the sessions in one.
pub(super) fn only_session_file(path: &Path) -> Result<(), Error> {
    if output::holds_page(path) {
        return Err(Error::ChangesPage(path.to_owned()));
    }
    if KeptFile::at(path).is_some() {
        return Err(KeepError::Changes(path.to_owned()).into());
    }
    let (file, id) = database::parted(path);
    if id.is_some() || format::database::is_database(&file) {
        let found = "that of a database".to_owned();
        return Err(StoreError::ReadOnly { path: path.to_owned(), found }.into());
    }
    Ok(())
}

/// The id of the entry that a person names by its id or key.
pub(super) fn id_in(store: &SessionStore, id: &str) -> Result<String, Error> {
    let unknown = || Error::UnknownEntry { option: "ID", id: id.to_owned() };
    let session = store.session().ok_or_else(unknown)?;
    Ok(session.id_at(found(session, "ID", id)?).to_owned())
}

/// Why a report on an entry that [`entry`] found is there.
pub(super) const FOUND: &str = "the entry is of this session";

/// The entry that an option names by id or key, or by the beginning of one.
pub(super) fn entry(
    session: &Session,
    option: &'static str,
    id: Option<&str>,
) -> Result<Option<EntryIndex>, Error> {
    id.map(|id| found(session, option, id)).transpose()
}

fn found(session: &Session, option: &'static str, id: &str) -> Result<EntryIndex, Error> {
    /// The beginning of an id that names its entry has so many characters, as in git.
    const SHORTEST: usize = 4;
    /// Of several entries, so many are named.
    const SOME: usize = 3;
    if let Some(entry) = session.find(id) {
        return Ok(entry);
    }
    let begins = |entry: &EntryIndex| {
        session.id_at(*entry).starts_with(id) || session.key_at(*entry).starts_with(id)
    };
    let is_long = id.chars().count() >= SHORTEST;
    let found: Vec<EntryIndex> = session.indices().filter(|_| is_long).filter(begins).collect();
    match found[..] {
        [] => Err(Error::UnknownEntry { option, id: id.to_owned() }),
        [only] => Ok(only),
        _ => Err(Error::AmbiguousEntry {
            option,
            id: id.to_owned(),
            count: found.len(),
            some: found.iter().take(SOME).map(|&entry| session.key_at(entry)).collect(),
        }),
    }
}
