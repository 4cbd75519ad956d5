//! `leafpress keep`: copies of all sessions, which stay when agents delete or rewrite theirs.

mod error;
mod hook;
mod status;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use crate::cli::error::Error;
use crate::find::{Sources, held, sources, sources_of};
use crate::format::database::Database;
use crate::format::decode::Limit;
use crate::progress::{Steps, Task};
use crate::session::text::{bytes, counted, numbered};
use crate::temporary::Temporary;
use crate::vault::{Damage, KeptFile, KeptSession, Outcome, Settings, Vault};

pub(super) use error::KeepError;
use hook::Hook;
use status::Status;

use super::input::is_stdio;
use super::place::{self, Place};
use super::printable::printable;
use super::{message, output, progress, source};

pub(super) const RECIPES: &str = "\
Examples:
  leafpress keep                        Copy what is new since the last time
  leafpress keep --status               Which sessions will be deleted soon?
  leafpress 0b79c4b4                    Export a session by its id, kept or not
  leafpress keep --restore 0b79c4b4     Write it back to where it was

`leafpress keep` never changes a session file. docs/keeping.md has a hook for
Claude Code and timers for systemd, launchd and cron.";

/// So many failures are listed by name.
const NAMED: usize = 10;

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
    /// Write the files of a kept session to where they were, or into the directory of `-o`
    #[arg(long, value_name = "ID", group = "action")]
    restore: Option<String>,
    /// With --restore: write to this directory
    #[arg(short, long, value_name = "DIR", requires = "restore")]
    output: Option<PathBuf>,
    /// Delete the copies of a session
    #[arg(long, value_name = "ID", group = "action")]
    forget: Option<String>,
    /// With --status: print JSON in a stable format
    #[arg(long, requires = "status")]
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
            return if self.json { output::json(&status.report()) } else { status.print() };
        }
        if self.verify {
            return verify(&vault);
        }
        if let Some(id) = &self.restore {
            return restore(&vault, &named(&vault, id)?, self.output.as_deref());
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
        let outcome = outcome.map_err(failed(&data))?;
        if is_new && vault.root().exists() {
            say_made(&vault);
        }
        say(&outcome, &found, &vault)
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
        if is_new && vault.root().exists() {
            say_made(&vault);
        }
        say(&outcome, &found, &vault)
    }

    fn keep(&self, vault: &mut Vault, found: &Sources) -> io::Result<Outcome> {
        let settings = Settings {
            text_only: self.text_only,
            now: now(),
            progress: progress::reporter(),
            held: &held,
            export: &|path, id| {
                let database = Database::open(path).map_err(io::Error::other)?;
                database.session(id, Limit::default().bytes()).map_err(io::Error::other)
            },
        };
        vault.keep(&found.files, &settings)
    }
}

/// Nanoseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

fn say_made(vault: &Vault) {
    eprintln!("made the directory `{}`", printable(&vault.root().display().to_string()));
    eprintln!("it holds your sessions with their secrets, as your agents' directories do");
}

fn say(outcome: &Outcome, found: &Sources, vault: &Vault) -> Result<(), Error> {
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
        eprintln!("copied {read} to `{}`", printable(&vault.root().display().to_string()));
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
        message::warning(&format!("{what}:{}", list(&found.links)), None);
    }
    for (path, why) in failed.iter().take(NAMED) {
        let path = printable(&path.display().to_string());
        message::warning(&format!("not kept: `{path}`: {why}"), None);
    }
    if failed.is_empty() { Ok(()) } else { Err(KeepError::NotAllKept(failed.len()).into()) }
}

fn list(paths: &[PathBuf]) -> String {
    let names = paths.iter().take(NAMED).map(|path| printable(&path.display().to_string()));
    let names = names.fold(String::new(), |names, name| names + "\n  " + &name);
    let more = paths.len().saturating_sub(NAMED);
    if more > 0 { format!("{names}\n  and {more} more") } else { names }
}

/// The kept session of an id, or of the beginning of one.
fn named(vault: &Vault, id: &str) -> Result<KeptSession, Error> {
    /// Of several sessions, so many are named.
    const SOME: usize = 5;
    let begins = |session: &KeptSession| source::is_id(id) && session.id.starts_with(id);
    let mut matching: Vec<KeptSession> =
        vault.sessions().filter(|session| session.id == id || begins(session)).collect();
    if matching.iter().any(|session| session.id == id) {
        matching.retain(|session| session.id == id);
    }
    match matching.len() {
        0 => Err(KeepError::NotKept(id.to_owned()).into()),
        1 => Ok(matching.remove(0)),
        count => Err(Error::AmbiguousSession {
            id: id.to_owned(),
            count,
            some: matching.iter().take(SOME).map(|session| session.original.clone()).collect(),
        }),
    }
}

/// Compares all that is kept with its checksums, and with what is still there.
fn verify(vault: &Vault) -> Result<(), Error> {
    let root = vault.root().to_owned();
    let versions = vault.versions().map_err(|source| Error::Read { path: root, source })?;
    let steps = Steps::new(progress::reporter(), Task::Verify, versions.len());
    let (mut whole, mut damaged, mut grown) = (0, 0, 0);
    let mut differs = Vec::new();
    for data in versions {
        steps.add(1);
        if KeptFile::is_unfinished(&data) {
            continue;
        }
        let kept = KeptFile::at(&data);
        let found = kept.as_ref().map(KeptFile::verify);
        let (kept, damage) = match (kept, found) {
            (Some(kept), Some(Ok(damage))) => (kept, damage),
            (_, Some(Err(error))) => {
                damaged += 1;
                say_damaged(&data, &error.to_string());
                continue;
            }
            _ => {
                damaged += 1;
                say_damaged(&data, "its index cannot be read");
                continue;
            }
        };
        let parts: Vec<String> = damage
            .iter()
            .filter_map(|damage| match damage {
                Damage::Member { nth } => Some(format!("member {nth}")),
                Damage::Index => Some("a line of its index".to_owned()),
                Damage::Differs | Damage::HasMore => None,
            })
            .collect();
        if !parts.is_empty() {
            damaged += 1;
            say_damaged(&data, &parts.join(", "));
        } else if damage.contains(&Damage::Differs) && vault.is_newest(&kept, &data) {
            differs.push(kept.original().to_owned());
        } else {
            whole += 1;
            let has_more = damage.contains(&Damage::HasMore) && vault.is_newest(&kept, &data);
            grown += usize::from(has_more);
        }
    }
    progress::clear();
    eprintln!("{} whole", numbered(whole, "copy is", "copies are"));
    if grown > 0 {
        let what =
            numbered(grown, "file has more than its copy", "files have more than their copies");
        message::warning(&what, Some("`leafpress keep` copies the rest"));
    }
    if !differs.is_empty() {
        let what =
            numbered(differs.len(), "file was rewritten since", "files were rewritten since");
        let help = "`leafpress keep` keeps what it says now as a new version";
        message::warning(&format!("{what}:{}", list(&differs)), Some(help));
    }
    if damaged == 0 { Ok(()) } else { Err(KeepError::Damaged(damaged).into()) }
}

fn say_damaged(data: &Path, what: &str) {
    let name = printable(&data.display().to_string());
    message::warning(&format!("damaged: `{name}`: {what}"), None);
}

/// Writes a session and what belongs to it where it was, or into a directory. No file is replaced.
fn restore(vault: &Vault, session: &KeptSession, folder: Option<&Path>) -> Result<(), Error> {
    let root = session.original.parent().unwrap_or(&session.original);
    let mut written = 0;
    for kept in vault.files_of(session) {
        let name = match &session.in_file {
            Some(id) => PathBuf::from(crate::file_name::of_id(id) + ".json"),
            None => kept.original().strip_prefix(root).unwrap_or(kept.original()).to_owned(),
        };
        let folder = match (folder, &session.in_file) {
            (Some(folder), _) => folder,
            // Nothing is written into a database.
            (None, Some(_)) => Path::new("."),
            (None, None) => root,
        };
        let path = folder.join(name);
        write_new(&kept, &path).map_err(|source| Error::Write { path: path.clone(), source })?;
        output::path(&path)?;
        written += 1;
    }
    eprintln!("restored {}", counted(written, "file"));
    if session.versions > 1 {
        let name = printable(&session.data.display().to_string());
        eprintln!(
            "this is version {} of it; the earlier ones lie beside `{name}`",
            session.versions
        );
        eprintln!("every command takes the path of one in place of SESSION");
    }
    if session.is_cut {
        message::warning("images and long texts were left out when it was kept", None);
    }
    Ok(())
}

/// A file that only its owner can read, whole or not at all.
fn write_new(kept: &KeptFile, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let file = Temporary::create(folder, 0o600)?;
    io::copy(&mut kept.reader()?, &mut file.as_file()?)?;
    file.put_new(path).map(drop)
}

fn forget(vault: &mut Vault, id: &str) -> Result<(), Error> {
    let session = named(vault, id)?;
    let root = vault.root().to_owned();
    let deleted = vault.forget(&session);
    let deleted = deleted.map_err(|source| Error::Write { path: root, source })?;
    eprintln!("deleted {} of session {}", counted(deleted, "file"), printable(&session.id));
    if session.original.exists() {
        let original = printable(&session.original.display().to_string());
        eprintln!("`{original}` is still there; the next `leafpress keep` copies it again");
    }
    Ok(())
}

fn failed(data: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: data.join(Vault::NAME), source }
}
