//! `leafpress keep --verify`: whether the copies are what was copied.

use std::path::Path;

use super::KeepError;
use crate::cli::error::Error;
use crate::cli::printable::{list, printable_path};
use crate::cli::{message, progress};
use crate::progress::{Steps, Task};
use crate::session::text::numbered;
use crate::vault::{Damage, KeptFile, Vault};

/// Compares all that is kept with its checksums, and with what is still there.
pub(super) fn verify(vault: &Vault) -> Result<(), Error> {
    let root = vault.root().to_owned();
    let versions = vault.versions().map_err(|source| Error::Read { path: root, source })?;
    let steps = Steps::new(progress::reporter(), Task::Verify, versions.len());
    let (mut whole, mut only, mut damaged) = (0, 0, 0);
    let (mut differs, mut grown) = (Vec::new(), Vec::new());
    for data in versions {
        steps.add(1);
        if KeptFile::is_unfinished(&data) {
            continue;
        }
        let kept = KeptFile::at(&data);
        let found = kept.as_ref().map(|kept| (kept, kept.verify()));
        let damage = match &found {
            None => Err("its index cannot be read".to_owned()),
            Some((_, Err(error))) => Err(error.to_string()),
            Some((kept, Ok(damage))) => match parts(kept, damage) {
                parts if parts.is_empty() => Ok((*kept, damage)),
                parts => Err(parts),
            },
        };
        let (kept, damage) = match damage {
            Ok(whole) => whole,
            Err(what) => {
                damaged += 1;
                say_damaged(&data, kept.as_ref().map(KeptFile::original), &what);
                continue;
            }
        };
        let is_newest = |what| damage.contains(&what) && vault.is_newest(kept, &data);
        if is_newest(Damage::Differs) {
            differs.push(printable_path(kept.original()));
            continue;
        }
        whole += 1;
        only += usize::from(!kept.original().exists());
        if is_newest(Damage::HasMore) {
            grown.push(printable_path(kept.original()));
        }
    }
    progress::clear();
    eprintln!("{} whole", numbered(whole, "copy is", "copies are"));
    if only > 0 {
        let what = numbered(only, "of them has its original", "of them have their originals");
        eprintln!("{what} no more");
    }
    warn(
        grown,
        ("file has more than its copy", "files have more than their copies"),
        "`leafpress keep` copies the rest",
    );
    warn(
        differs,
        ("file was rewritten since", "files were rewritten since"),
        "`leafpress keep` keeps what it says now as a new version",
    );
    if damaged == 0 { Ok(()) } else { Err(KeepError::Damaged(damaged).into()) }
}

/// What of a copy is damaged.
fn parts(kept: &KeptFile, damage: &[Damage]) -> String {
    let part = |damage: &Damage| match damage {
        Damage::Member { nth } => Some(format!("part {nth} of {}", kept.members())),
        Damage::Index => Some("a line of its index".to_owned()),
        Damage::Differs | Damage::HasMore => None,
    };
    damage.iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

fn warn(files: Vec<String>, (one, several): (&str, &str), help: &str) {
    if !files.is_empty() {
        let what = numbered(files.len(), one, several);
        message::warning(&format!("{what}:{}", list(2, files.into_iter())), Some(help));
    }
}

/// `original` is where the file was copied from, as far as that is known.
fn say_damaged(data: &Path, original: Option<&Path>, what: &str) {
    let of = original.map(printable_path);
    let of = of.map(|path| format!(", the copy of `{path}`")).unwrap_or_default();
    message::warning(&format!("damaged: `{}`{of}: {what}", printable_path(data)), None);
}
