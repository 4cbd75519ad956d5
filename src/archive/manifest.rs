//! What an archive consists of: the file that is renamed into its place last, and the rows that it names.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::data;
use super::disk::{ArchiveError, Folder, MONTHS};
use super::pack;
use super::row::Row;

/// Of the data. Another one is written anew.
const FORMAT: u32 = 3;

const NAME: &str = "manifest";

/// The month of sessions without a time.
pub(super) const UNKNOWN: &str = "unknown";

/// All files of an archive but its pages and texts, which the rows name.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct Manifest {
    pub(super) format: u32,
    /// When it was written, in milliseconds since 1970.
    pub(super) made: i64,
    pub(super) redacted: bool,
    /// Month, hash and count, the newest first.
    pub(super) months: Vec<(String, String, usize)>,
    pub(super) words: Option<Base>,
    pub(super) tail: Option<String>,
    /// The number of the next session.
    pub(super) next: u32,
    /// By what the pages were made, as a keyed hash.
    pub(super) settings: String,
    /// Which leafpress made them.
    pub(super) version: String,
}

/// The word lists that are not changed until there are many new sessions.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct Base {
    pub(super) hash: String,
    /// The first word of each of its files.
    pub(super) shards: Vec<String>,
    /// How many sessions they are of.
    pub(super) sessions: usize,
}

impl Manifest {
    pub(super) fn new(redacted: bool, settings: String) -> Manifest {
        Manifest {
            format: FORMAT,
            made: 0,
            redacted,
            months: Vec::new(),
            words: None,
            tail: None,
            next: 0,
            settings,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Whether a folder has one, whatever is in it. A first run that broke off has left none.
    pub(super) fn is_there(folder: &Path) -> bool {
        folder.join(file(NAME)).is_file()
    }

    /// That of a folder with all its rows; `None` where there is none that can be read whole.
    pub(super) fn read(folder: &Folder) -> Option<(Manifest, Vec<Row>)> {
        Manifest::read_newest(&folder.path, usize::MAX)
    }

    /// The same with the rows of its newest months, so many of them if there are. Whoever has no lock may meet a manifest
    /// whose months are gone.
    pub(super) fn read_newest(folder: &Path, most: usize) -> Option<(Manifest, Vec<Row>)> {
        let read = |name: &str| fs::read(folder.join(file(name))).ok();
        let manifest: Manifest = data::value(&read(NAME)?)?;
        if manifest.format != FORMAT {
            return None;
        }
        let mut rows = Vec::new();
        for (month, hash, _) in &manifest.months {
            if rows.len() >= most {
                break;
            }
            let text = pack::text(&read(&month_name(month, hash))?)?;
            let mut of_month: Vec<Row> = serde_json::from_slice(&text).ok()?;
            rows.append(&mut of_month);
        }
        Some((manifest, rows))
    }

    /// Puts it in its place: from here on the folder is the new one.
    pub(super) fn write(&self, folder: &Folder) -> Result<(), ArchiveError> {
        // Strings, numbers and lists of them, which JSON always has a form for.
        let script = data::script(self).unwrap_or_default();
        folder.put_synced(&file(NAME), script.as_bytes())
    }

    /// How many it has.
    pub(super) fn sessions(&self) -> usize {
        self.months.iter().fold(0, |all, (_, _, count)| all.saturating_add(*count))
    }

    /// The files of `data/months/`.
    pub(super) fn month_files(&self) -> impl Iterator<Item = String> {
        self.months.iter().map(|(month, hash, _)| format!("{month}-{hash}.js"))
    }
}

/// The name of a month's rows in `data/`.
pub(super) fn month_name(month: &str, hash: &str) -> String {
    format!("{}/{month}-{hash}", MONTHS.trim_start_matches("data/"))
}

/// The file of a name in `data/`.
pub(super) fn file(name: &str) -> String {
    format!("data/{name}.js")
}
