//! Which session a command reads: one that is named, or one of the newest.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalog::StoredSession;
use crate::cli::error::Error;
use crate::find::{self, Env, FoundSession, Wanted};
use crate::session::Format;
use crate::short_ids::ShortIds;
use crate::vault::KeptFile;

use super::columns::{columns, path_within};
use super::printable::{from_home, printable, printable_path};
use super::{format, list, place, progress};

/// The session that a command reads.
#[derive(Debug, Args)]
#[expect(clippy::option_option, reason = "an option whose value may be left out")]
pub(super) struct SourceArg {
    /// File, number in `list`, id, `-` for standard input, or DATABASE#ID
    #[arg(value_name = "SESSION", required_unless_present = "last")]
    session: Option<PathBuf>,
    /// Use your newest session, or your Nth newest
    #[arg(long, value_name = "N", conflicts_with = "session", value_parser = nth_newest)]
    last: Option<Option<usize>>,
    /// With --last: your newest session of this agent
    #[arg(long, value_name = "NAME", requires = "last", conflicts_with = "session", value_parser = format(&find::agents()))]
    agent: Option<Format>,
    /// With --last: your newest session in this directory
    #[arg(long, value_name = "DIR", requires = "last", conflicts_with = "session")]
    cwd: Option<PathBuf>,
    /// Session format [default: detected automatically]
    #[arg(long, value_name = "NAME", value_parser = format(Format::ALL))]
    pub(super) format: Option<Format>,
}

impl SourceArg {
    /// The address of the session. Prints one that was chosen by its place in the list, after the verb `does`.
    pub(super) fn address(&self, does: &str) -> Result<PathBuf, Error> {
        let env = place::env();
        let listed = match &self.session {
            Some(session) => match listed(session) {
                None => return by_id(&env, session, does),
                nth => nth,
            },
            None => self.last.flatten(),
        };
        let wanted =
            Wanted { agent: self.agent, cwd: self.cwd.clone(), progress: progress::reporter() };
        Ok(said(&of_list(&env, wanted, listed.unwrap_or(1))?, does))
    }
}

/// The address of a session that was chosen by its place or its id, which is printed.
fn said(found: &FoundSession, does: &str) -> PathBuf {
    let address = found.address();
    let (of, path) = match KeptFile::at(&found.path) {
        Some(kept) => ("the copy of ", find::address(kept.original(), kept.in_file())),
        None => ("", address.clone()),
    };
    eprintln!("{does} {of}{}", printable_path(&path));
    address
}

/// The session of a place in the list, from 1.
pub(super) fn of_list(env: &Env, wanted: Wanted, nth: usize) -> Result<FoundSession, Error> {
    let (mut finds, known) = list::find(env, &wanted);
    // A session without entries is none of the list.
    let count = finds.counted_with(&known, nth, || {});
    finds.sessions.into_iter().nth(nth - 1).ok_or_else(|| match count {
        0 => Error::no_session(env, wanted),
        count => Error::FewerSessions { nth, count },
    })
}

/// The address of the session whose id, or the beginning of it, this is; the name as it is where a file has it, and where
/// no session has such an id.
fn by_id(env: &Env, name: &Path, does: &str) -> Result<PathBuf, Error> {
    /// Of several sessions, so many are named.
    const SOME: usize = 5;
    let id = name.to_str().filter(|id| is_id(id) && !name.exists());
    let Some(id) = id else { return Ok(name.to_owned()) };
    let wanted = Wanted { progress: progress::reporter(), ..Wanted::new() };
    let (finds, _) = list::find(env, &wanted);
    let mut matching: Vec<FoundSession> =
        finds.sessions.into_iter().filter(|session| session.id.starts_with(id)).collect();
    // The whole id of one may begin that of another.
    if matching.iter().any(|session| session.id == id) {
        matching.retain(|session| session.id == id);
    }
    match matching.as_slice() {
        [] => Ok(name.to_owned()),
        [only] => Ok(said(only, does)),
        several => Err(Error::AmbiguousSession {
            id: id.to_owned(),
            count: several.len(),
            some: several.iter().take(SOME).map(FoundSession::address).collect(),
        }),
    }
}

/// Whether commands take it as the id of a session, or as the beginning of one.
pub(super) fn is_id(name: &str) -> bool {
    const SHORTEST: usize = 6;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    name.chars().count() >= SHORTEST && name.chars().all(is_plain)
}

/// What a list prints of a session for commands to take: the beginning of its id, or where no command takes that for one
/// its path, as much as fits half a line.
pub(super) fn name(session: &StoredSession, ids: &ShortIds) -> String {
    let id = ids.short(&session.facts.id);
    if is_id(id) {
        return id.to_owned();
    }
    path_within(&printable(&from_home(&session.address())), columns() / 2)
}

/// The place in the list that a name means which no file has. Digits that may begin an id are one: they are as many.
pub(super) fn listed(session: &Path) -> Option<usize> {
    let name = session.to_str().filter(|name| !is_id(name))?;
    let nth = nth_newest(name).ok()?;
    (!session.exists()).then_some(nth)
}

/// The place of a session in the list, from 1.
fn nth_newest(text: &str) -> Result<usize, String> {
    let nth = text.parse().ok().filter(|&nth| nth > 0);
    nth.ok_or_else(|| "expected a number of `leafpress list`, such as 2".to_owned())
}
