//! `leafpress keep --status`: what is kept, what is not, and what will be deleted soon.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::cli::error::Error;
use crate::cli::output;
use crate::cli::printable::{list, printable, printable_path};
use crate::find::{Env, Originals, Sources, held, sources};
use crate::session::text::{bytes, counted, numbered};
use crate::session::time;
use crate::vault::{Retention, Source, Vault, retentions};

use super::now;

/// Sessions that will be deleted within this time are listed: 7 days, in nanoseconds.
const SOON: i64 = 7 * 86_400_000_000_000;

/// What is kept, and what will be lost, as JSON has it; and what the text says besides.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Status {
    path: String,
    sessions: usize,
    deleted_by_agents: usize,
    bytes: u64,
    compressed_bytes: u64,
    free_bytes: Option<u64>,
    /// Files whose last state is not kept.
    not_kept: Vec<String>,
    deleted_soon: Vec<Leaving>,
    #[serde(skip)]
    text_only: usize,
    #[serde(skip)]
    retentions: Vec<Retention>,
}

/// A session that its agent will delete soon.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Leaving {
    agent: &'static str,
    path: String,
    deleted_at: String,
    kept: bool,
    /// In milliseconds since 1970.
    #[serde(skip)]
    at: i64,
    #[serde(skip)]
    copy: Copied,
}

/// What is kept of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Copied {
    Nothing,
    /// The file has changed since.
    Before,
    All,
}

impl Status {
    pub(super) fn of(vault: &Vault, env: &Env) -> Status {
        let Sources { files, .. } = sources(env);
        let retentions = retentions(env);
        let name = |path: &Path| path.display().to_string();
        let soon = |source: &Source| {
            let retention = retentions.iter().find(|own| own.agent == source.agent)?;
            let at = source.modified.saturating_add(retention.after);
            if !source.may_be_session || at >= now().saturating_add(SOON) {
                return None;
            }
            let at = at / 1_000_000;
            let copy = match (vault.has(source), vault.names(&source.path, None)) {
                (true, _) => Copied::All,
                (_, true) => Copied::Before,
                _ => Copied::Nothing,
            };
            let (agent, deleted_at) = (source.agent.name(), time::iso(at));
            let kept = copy == Copied::All;
            Some(Leaving { agent, path: name(&source.path), deleted_at, kept, at, copy })
        };
        let mut deleted_soon: Vec<Leaving> = files.iter().filter_map(soon).collect();
        deleted_soon.sort_by_key(|leaving| (leaving.copy, leaving.at));
        let mut originals = Originals::default();
        let unkept = files.iter().filter(|source| !vault.knows(source, held));
        let (bytes, compressed_bytes) = vault.sizes();
        Status {
            path: name(vault.root()),
            sessions: vault.sessions().count(),
            deleted_by_agents: vault.sessions().filter(|own| !originals.have(own)).count(),
            bytes,
            compressed_bytes,
            free_bytes: free(vault.root()),
            not_kept: unkept.map(|source| name(&source.path)).collect(),
            deleted_soon,
            text_only: vault.sessions().filter(|session| session.is_cut).count(),
            retentions,
        }
    }

    pub(super) fn print(&self) -> Result<(), Error> {
        let size = |size: u64| bytes(usize::try_from(size).unwrap_or(usize::MAX));
        output::to_person(|out| {
            let (kept, packed) = (size(self.bytes), size(self.compressed_bytes));
            let (sessions, root) = (counted(self.sessions, "session"), printable(&self.path));
            writeln!(out, "Kept        {sessions}, {kept}, {packed} compressed, at `{root}`")?;
            if let Some(free) = self.free_bytes {
                writeln!(out, "Free        {} on that disk", size(free))?;
            }
            if self.deleted_by_agents > 0 {
                let what = numbered(self.deleted_by_agents, "session is", "sessions are");
                writeln!(
                    out,
                    "Only copy   {what} gone from the agent's directory; `leafpress keep --restore ID` writes one back"
                )?;
            }
            if self.text_only > 0 {
                let what = numbered(self.text_only, "session is kept", "sessions are kept");
                writeln!(
                    out,
                    "Text only   {what} without images and long texts; `leafpress keep` copies all that is still there"
                )?;
            }
            if !self.not_kept.is_empty() {
                let what = numbered(
                    self.not_kept.len(),
                    "file is new or has changed; `leafpress keep` copies it",
                    "files are new or have changed; `leafpress keep` copies them",
                );
                let names = list(12, self.not_kept.iter().map(|path| printable(path)));
                writeln!(out, "Not kept    {what}{names}")?;
            }
            self.retentions.iter().try_for_each(|own| self.print_soon(own, out))
        })
    }

    fn print_soon(&self, own: &Retention, out: &mut dyn Write) -> io::Result<()> {
        let agent = own.agent.name();
        let soon: Vec<&Leaving> =
            self.deleted_soon.iter().filter(|leaving| leaving.agent == agent).collect();
        if soon.is_empty() {
            return Ok(());
        }
        let set_in = own.set_in.as_deref().map(printable_path);
        let set_in = set_in.map_or("by default".to_owned(), |path| format!("in `{path}`"));
        let hours = usize::try_from(own.after / 3_600_000_000_000).unwrap_or_default();
        let after = match hours % 24 {
            0 => numbered(hours / 24, "day", "days"),
            _ => numbered(hours, "hour", "hours"),
        };
        let kept = soon.iter().filter(|leaving| leaving.kept).count();
        let line = |leaving: &&Leaving| {
            let is_past = leaving.at * 1_000_000 < now();
            let when = if is_past { "at any time".to_owned() } else { time::plain(leaving.at) };
            let is_kept = match leaving.copy {
                Copied::All => "kept",
                Copied::Before => "kept before its last change",
                Copied::Nothing => "not kept",
            };
            format!("{when:16}  {is_kept:8}  {}", printable(&leaving.path))
        };
        writeln!(
            out,
            "Soon        {agent} deletes {} within 7 days, {kept} of them kept ({}: {after}, {set_in}){}",
            counted(soon.len(), "session"),
            own.setting,
            list(12, soon.iter().map(line)),
        )
    }
}

/// The free bytes of the disk that a directory lies on, or would lie on.
fn free(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|folder| fs::metadata(folder).is_ok())?;
    #[cfg(unix)]
    {
        let about = rustix::fs::statvfs(there).ok()?;
        about.f_bavail.checked_mul(about.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = there;
        None
    }
}
