//! `leafpress keep --verify`: whether the copies are what was copied.

use std::path::Path;

use super::{KeepError, list};
use crate::cli::error::Error;
use crate::cli::printable::printable;
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
        let found = kept.as_ref().map(KeptFile::verify);
        let (kept, damage) = match (kept, found) {
            (Some(kept), Some(Ok(damage))) => (kept, damage),
            (_, Some(Err(error))) => {
                damaged += 1;
                say_damaged(&data, None, &error.to_string());
                continue;
            }
            _ => {
                damaged += 1;
                say_damaged(&data, None, "its index cannot be read");
                continue;
            }
        };
        let parts: Vec<String> = damage
            .iter()
            .filter_map(|damage| match damage {
                Damage::Member { nth } => Some(format!("part {nth} of {}", kept.members())),
                Damage::Index => Some("a line of its index".to_owned()),
                Damage::Differs | Damage::HasMore => None,
            })
            .collect();
        if !parts.is_empty() {
            damaged += 1;
            say_damaged(&data, Some(kept.original()), &parts.join(", "));
        } else if damage.contains(&Damage::Differs) && vault.is_newest(&kept, &data) {
            differs.push(kept.original().to_owned());
        } else {
            whole += 1;
            only += usize::from(!kept.original().exists());
            if damage.contains(&Damage::HasMore) && vault.is_newest(&kept, &data) {
                grown.push(kept.original().to_owned());
            }
        }
    }
    progress::clear();
    eprintln!("{} whole", numbered(whole, "copy is", "copies are"));
    if only > 0 {
        let what = numbered(only, "of them has its original", "of them have their originals");
        eprintln!("{what} no more");
    }
    if !grown.is_empty() {
        let what = numbered(
            grown.len(),
            "file has more than its copy",
            "files have more than their copies",
        );
        let help = "`leafpress keep` copies the rest";
        message::warning(&format!("{what}:{}", list(&grown)), Some(help));
    }
    if !differs.is_empty() {
        let what =
            numbered(differs.len(), "file was rewritten since", "files were rewritten since");
        let help = "`leafpress keep` keeps what it says now as a new version";
        message::warning(&format!("{what}:{}", list(&differs)), Some(help));
    }
    if damaged == 0 { Ok(()) } else { Err(KeepError::Damaged(damaged).into()) }
}

/// `original` is where the file was copied from, as far as that is known.
fn say_damaged(data: &Path, original: Option<&Path>, what: &str) {
    let shown = |path: &Path| printable(&path.display().to_string());
    let of = original.map(|path| format!(", the copy of `{}`", shown(path))).unwrap_or_default();
    message::warning(&format!("damaged: `{}`{of}: {what}", shown(data)), None);
}
