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
