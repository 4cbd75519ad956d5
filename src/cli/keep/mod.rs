//! `leafpress keep`: copies of all sessions, which stay when agents delete or rewrite theirs.

mod error;
mod hook;
mod restore;
mod status;
mod verify;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::cli::error::Error;
use crate::find::{Originals, Sources, Wanted, address, held, newest, sources, sources_of};
use crate::session::text::{bytes, counted, numbered};
use crate::vault::{KeptSession, Outcome, Settings, Vault};

pub(super) use error::KeepError;
use hook::Hook;
use restore::restore;
use status::Status;
use verify::verify;

use super::input::is_stdio;
use super::place::{self, Place};
use super::printable::{list, printable, printable_path};
use super::{message, output, progress, source};

pub(super) const RECIPES: &str = "\
Examples:
  leafpress keep                        Copy what is new since the last time
  leafpress keep --status               Which sessions will be deleted soon?
  leafpress 0b79c4b4                    Export a session by its id, kept or not
  leafpress keep --restore 0b79c4b4     Write it back to where it was

`leafpress keep` never changes a session file. docs/keeping.md has a hook for
Claude Code and timers for systemd, launchd and cron.";

/// What `leafpress keep` takes.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("action"))]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct KeepArgs {
    /// Keep only this session; `-` reads its path from the JSON that Claude Code gives to a hook
    #[arg(long, value_name = "FILE", group = "action")]
    session: Option<PathBuf>,
    /// Leave out images, texts of more than 64 KB, and larger files beside sessions
    #[arg(long, conflicts_with_all = ["status", "verify", "restore", "forget"])]
    text_only: bool,
    /// Print what is kept and which sessions will be deleted soon
    #[arg(long, group = "action")]
    status: bool,
    /// Compare all copies with their checksums, and with the sessions that are still there
    #[arg(long, group = "action")]
    verify: bool,
    /// Write the files of a kept session to where they were, or into the directory of `-o`; takes a number of `list`, too
    #[arg(long, value_name = "ID", group = "action")]
    restore: Option<String>,
    /// With --restore: write to this directory
    #[arg(short, long, value_name = "DIR", requires = "restore")]
    output: Option<PathBuf>,
    /// Delete the copies of a session
    #[arg(long, value_name = "ID", group = "action")]
    forget: Option<String>,
    /// With --status: print JSON in a stable format
    #[arg(long, requires = "status", conflicts_with_all = ["session", "verify", "restore", "forget"])]
    json: bool,
}

impl KeepArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let data = Place::Data.folder().ok_or(Error::NoDataDirectory)?;
        if let Some(session) = &self.session {
            return self.keep_one(&data, session);
        }
        let mut vault = Vault::open(&data).map_err(failed(&data))?;
        if self.status {
            let status = Status::of(&vault, &place::env());
            return if self.json { output::json(&status) } else { status.print() };
        }
        if self.verify {
            return verify(&vault);
        }
        if let Some(id) = &self.restore {
            let session = match source::listed(Path::new(id)) {
                Some(nth) => numbered_in_list(&vault, nth)?,
                None => named(&vault, id)?,
            };
            return restore(&mut vault, &session, self.output.as_deref());
        }
        if let Some(id) = &self.forget {
            return forget(&mut vault, id);
        }
        let found = sources(&place::env());
        let is_new = !vault.root().exists();
        let outcome = self.keep(&mut vault, &found).and_then(|outcome| {
            vault.write_list()?;
            Ok(outcome)
        });
        progress::clear();
        say(&outcome.map_err(failed(&data))?, &found, &vault, is_new)
    }

    /// One session, as fast as a hook has to be: what else is kept is not looked at.
    fn keep_one(&self, data: &Path, session: &Path) -> Result<(), Error> {
        let is_hook = is_stdio(session);
        let session = if is_hook {
            let hook = Hook::read()?;
            hook.wait(&Vault::unlisted(data));
            hook.transcript_path
        } else {
            session.to_owned()
        };
        let unread = |source| Error::Read { path: session.clone(), source };
        let found = sources_of(&place::env(), &session).map_err(unread)?;
        let mut vault = Vault::unlisted(data);
        let is_new = !vault.root().exists();
        let outcome = self.keep(&mut vault, &found).map_err(failed(data))?;
        progress::clear();
        if outcome.others > 0 {
            return Err(KeepError::NotASession(session).into());
        }
        // Agents note what a hook says in the session.
        if is_hook && outcome.failed.is_empty() {
            return Ok(());
        }
        say(&outcome, &found, &vault, is_new)
    }

    fn keep(&self, vault: &mut Vault, found: &Sources) -> io::Result<Outcome> {
        let settings = Settings {
            text_only: self.text_only,
            now: now(),
            progress: progress::reporter(),
            held: &held,
        };
        vault.keep(&found.files, &settings)
    }
}

/// Nanoseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

fn say(outcome: &Outcome, found: &Sources, vault: &Vault, is_new: bool) -> Result<(), Error> {
    let root = printable_path(vault.root());
    if is_new && vault.root().exists() {
        eprintln!("made the directory `{root}`");
        eprintln!("it holds your sessions with their secrets, as your agents' directories do");
    }
    let Outcome { new, grown, rewritten, unchanged, bytes: read, left_out, failed, .. } = outcome;
    let kept = [
        (*new, "new"),
        (*grown, "grown"),
        (*rewritten, "rewritten (the earlier version is kept, too)"),
        (*unchanged, "unchanged"),
    ];
    let parts: Vec<String> = kept
        .iter()
        .filter(|(files, _)| *files > 0)
        .map(|(files, what)| format!("{} {what}", crate::session::text::count(*files)))
        .collect();
    let total = new + grown + rewritten + unchanged;
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    eprintln!("{}{parts}", counted(total, "file"));
    if *read > 0 {
        let read = bytes(usize::try_from(*read).unwrap_or(usize::MAX));
        eprintln!("copied {read} to `{root}`");
    }
    if *left_out > 0 {
        eprintln!("left out {} beside sessions (--text-only)", counted(*left_out, "file"));
    }
    if !found.links.is_empty() {
        let what = numbered(
            found.links.len(),
            "symbolic link was not followed",
            "symbolic links were not followed",
        );
        let links = list(2, found.links.iter().map(|path| printable_path(path)));
        message::warning(&format!("{what}:{links}"), None);
    }
    if failed.is_empty() {
        return Ok(());
    }
    let why = |(path, why): &(PathBuf, String)| format!("`{}`: {why}", printable_path(path));
    message::warning(&format!("not kept:{}", list(2, failed.iter().map(why))), None);
    Err(KeepError::NotAllKept(failed.len()).into())
}

/// The kept session of an id, or of the beginning of one.
fn named(vault: &Vault, id: &str) -> Result<KeptSession, Error> {
    /// Of several sessions, so many are named.
    const SOME: usize = 5;
    let begins = |session: &KeptSession| source::is_id(id) && session.id.starts_with(id);
    let named = vault.sessions().filter(|session| session.id == id || begins(session));
    let mut matching = newest(named.collect());
    if matching.iter().any(|session| session.id == id) {
        matching.retain(|session| session.id == id);
    }
    match matching.len() {
        0 if !source::is_id(id) => Err(KeepError::NoId(id.to_owned()).into()),
        0 => Err(KeepError::NotKept(id.to_owned()).into()),
        1 => Ok(matching.remove(0)),
        count => Err(Error::AmbiguousSession {
            id: id.to_owned(),
            count,
            some: matching.iter().take(SOME).map(|session| session.original.clone()).collect(),
        }),
    }
}

/// The kept session of a number of `list`. To delete by one would be rash: the next session gives others to all.
fn numbered_in_list(vault: &Vault, nth: usize) -> Result<KeptSession, Error> {
    let found = source::of_list(&place::env(), Wanted::new(), nth)?;
    let is_it = |session: &KeptSession| {
        session.data == found.path
            || session.original == found.path && session.in_file == found.in_file
    };
    Ok(vault.sessions().find(is_it).ok_or(KeepError::NotKept(found.id))?)
}

fn forget(vault: &mut Vault, id: &str) -> Result<(), Error> {
    let session = named(vault, id)?;
    let root = vault.root().to_owned();
    let deleted = vault.forget(&session);
    let deleted = deleted.map_err(|source| Error::Write { path: root, source })?;
    eprintln!("deleted {} of session {}", counted(deleted, "file"), printable(&session.id));
    if Originals::default().have(&session) {
        let original = printable_path(&address(&session.original, session.in_file.as_deref()));
        eprintln!("`{original}` is still there; the next `leafpress keep` copies it again");
    }
    Ok(())
}

fn failed(data: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: data.join(Vault::NAME), source }
}
