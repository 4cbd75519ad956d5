//! `leafpress keep --status`: what is kept, what is not, and what will be deleted soon.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::error::Error;
use crate::find::{Env, Originals, Sources, held, sources};
use crate::session::text::{bytes, counted, numbered};
use crate::session::{Format, time};
use crate::vault::{Retention, Source, Vault, retentions};

use super::now;
use crate::cli::output;
use crate::cli::printable::printable;

/// Sessions that will be deleted within this time are listed: 7 days, in nanoseconds.
const SOON: i64 = 7 * 86_400_000_000_000;

/// So many of them are named in the text.
const NAMED: usize = 10;

/// What is kept, and what will be lost.
pub(super) struct Status<'v> {
    vault: &'v Vault,
    /// Files whose last state is not kept.
    unkept: Vec<Source>,
    soon: Vec<Leaving>,
    retentions: Vec<Retention>,
    /// Kept sessions whose files are gone.
    gone: usize,
    free: Option<u64>,
}

/// A session that its agent will delete soon.
struct Leaving {
    path: PathBuf,
    agent: Format,
    /// Milliseconds since 1970.
    at: i64,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    path: String,
    sessions: usize,
    deleted_by_agents: usize,
    bytes: u64,
    compressed_bytes: u64,
    free_bytes: Option<u64>,
    not_kept: Vec<String>,
    deleted_soon: Vec<Soon>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Soon {
    agent: &'static str,
    path: String,
    deleted_at: String,
    kept: bool,
}

impl<'v> Status<'v> {
    pub(super) fn of(vault: &'v Vault, env: &Env) -> Status<'v> {
        let Sources { files, .. } = sources(env);
        let retentions = retentions(env);
        let soon = |source: &Source| {
            let retention = retentions.iter().find(|own| own.agent == source.agent)?;
            let at = source.modified.saturating_add(retention.after);
            let leaves = source.may_be_session && at < now().saturating_add(SOON);
            leaves.then(|| Leaving {
                path: source.path.clone(),
                agent: source.agent,
                at: at / 1_000_000,
                copy: match (vault.has(source), vault.names(&source.path, None)) {
                    (true, _) => Copied::All,
                    (_, true) => Copied::Before,
                    _ => Copied::Nothing,
                },
            })
        };
        let mut soon: Vec<Leaving> = files.iter().filter_map(soon).collect();
        soon.sort_by_key(|leaving| (leaving.copy, leaving.at));
        let mut originals = Originals::default();
        let gone = vault.sessions().filter(|session| !originals.have(session)).count();
        let free = free(vault.root());
        let unkept = files.into_iter().filter(|source| !vault.knows(source, held)).collect();
        Status { vault, unkept, soon, retentions, gone, free }
    }

    pub(super) fn report(&self) -> Report {
        let (bytes, compressed_bytes) = self.vault.sizes();
        let name = |path: &Path| path.display().to_string();
        Report {
            path: name(self.vault.root()),
            sessions: self.vault.sessions().count(),
            deleted_by_agents: self.gone,
            bytes,
            compressed_bytes,
            free_bytes: self.free,
            not_kept: self.unkept.iter().map(|source| name(&source.path)).collect(),
            deleted_soon: self
                .soon
                .iter()
                .map(|leaving| Soon {
                    agent: leaving.agent.name(),
                    path: name(&leaving.path),
                    deleted_at: time::iso(leaving.at),
                    kept: leaving.copy == Copied::All,
                })
                .collect(),
        }
    }

    pub(super) fn print(&self) -> Result<(), Error> {
        let size = |size: u64| bytes(usize::try_from(size).unwrap_or(usize::MAX));
        output::to_person(|out| {
            let (kept, packed) = self.vault.sizes();
            let root = printable(&self.vault.root().display().to_string());
            let sessions = counted(self.vault.sessions().count(), "session");
            writeln!(
                out,
                "Kept        {sessions}, {}, {} compressed, at `{root}`",
                size(kept),
                size(packed)
            )?;
            if let Some(free) = self.free {
                writeln!(out, "Free        {} on that disk", size(free))?;
            }
            if self.gone > 0 {
                let what = numbered(self.gone, "session is", "sessions are");
                writeln!(
                    out,
                    "Only copy   {what} gone from the agent's directory; `leafpress keep --restore ID` writes one back"
                )?;
            }
            let cut = self.vault.sessions().filter(|session| session.is_cut).count();
            if cut > 0 {
                let what = numbered(cut, "session is kept", "sessions are kept");
                writeln!(
                    out,
                    "Text only   {what} without images and long texts; `leafpress keep` copies all that is still there"
                )?;
            }
            if !self.unkept.is_empty() {
                let what = numbered(
                    self.unkept.len(),
                    "file is new or has changed; `leafpress keep` copies it",
                    "files are new or have changed; `leafpress keep` copies them",
                );
                writeln!(out, "Not kept    {what}")?;
                for source in self.unkept.iter().take(NAMED) {
                    writeln!(out, "            {}", printable(&source.path.display().to_string()))?;
                }
                let more = self.unkept.len().saturating_sub(NAMED);
                if more > 0 {
                    writeln!(out, "            and {more} more")?;
                }
            }
            for own in &self.retentions {
                self.print_soon(own, out)?;
            }
            Ok(())
        })
    }

    fn print_soon(&self, own: &Retention, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        let soon: Vec<&Leaving> =
            self.soon.iter().filter(|leaving| leaving.agent == own.agent).collect();
        if soon.is_empty() {
            return Ok(());
        }
        let set_in = match &own.set_in {
            Some(path) => format!("in `{}`", printable(&path.display().to_string())),
            None => "by default".to_owned(),
        };
        let hours = own.after / 3_600_000_000_000;
        let after = if hours % 24 == 0 {
            numbered(usize::try_from(hours / 24).unwrap_or(0), "day", "days")
        } else {
            numbered(usize::try_from(hours).unwrap_or(0), "hour", "hours")
        };
        let kept = soon.iter().filter(|leaving| leaving.copy == Copied::All).count();
        writeln!(
            out,
            "Soon        {} deletes {} within 7 days, {kept} of them kept ({}: {after}, {set_in})",
            own.agent.name(),
            counted(soon.len(), "session"),
            own.setting,
        )?;
        for leaving in soon.iter().take(NAMED) {
            let is_past = leaving.at * 1_000_000 < now();
            let when = if is_past { "at any time".to_owned() } else { time::plain(leaving.at) };
            let is_kept = match leaving.copy {
                Copied::All => "kept",
                Copied::Before => "kept before its last change",
                Copied::Nothing => "not kept",
            };
            let path = printable(&leaving.path.display().to_string());
            writeln!(out, "            {when:16}  {is_kept:8}  {path}")?;
        }
        match soon.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => writeln!(out, "            and {more} more"),
        }
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
