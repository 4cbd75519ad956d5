//! The way back: the files that a page was made of, out of the page.
//!
//! A page is somebody else's file: nothing in it is trusted. What is unpacked may be no larger than pages of its size
//! hold, and each part is checked, so that a damaged one is named.

mod elements;
#[cfg(feature = "cli")]
mod texts;

use std::collections::BTreeMap;

#[cfg(feature = "seal")]
use crate::seal::{Locked, OpenError, Password};

use crate::page::wire::FORMAT;
pub use crate::page::wire::files::ChildFile;
#[cfg(feature = "cli")]
pub(crate) use crate::page::wire::files::LinePlace;
use crate::page::wire::files::{Broken, Files};
use elements::Scripts;
#[cfg(feature = "cli")]
pub(crate) use texts::{PageTexts, TextReader};

/// Why a page gives nothing back.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// It is no page of ours.
    #[error("it is not a leafpress page")]
    NoPage,
    /// Its data is written in another way.
    #[error(
        "the page holds its data in format {found}, and this version of leafpress reads format {FORMAT}"
    )]
    Format {
        /// What the page says; 0 where it says nothing.
        found: String,
    },
    /// The page holds no session file.
    #[error("the page contains no session file: it was exported with `--no-source`")]
    NoSource,
    /// The page does not open without a password.
    #[error("the page is password-protected")]
    Sealed,
    /// It did not open.
    #[cfg(feature = "seal")]
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The data that describes the parts cannot be read.
    #[error("the {what} in the page is damaged: its list of chunks cannot be read")]
    List {
        /// Which file.
        what: &'static str,
    },
    /// A part of it is damaged or missing.
    #[error("the {what} in the page is damaged: chunk {nth} of {count} cannot be decompressed")]
    Part {
        /// Which file.
        what: &'static str,
        /// The first such part, from 1.
        nth: usize,
        /// How many there are.
        count: usize,
    },
    /// A part of the transcript, which holds lines of it, is damaged.
    #[error(
        "the {what} in the page is damaged: part {nth} of {count} of the transcript, which has lines of it, cannot be decompressed"
    )]
    Pack {
        /// Which file.
        what: &'static str,
        /// The first such part, from 1.
        nth: usize,
        /// How many there are.
        count: usize,
    },
    /// Parts of the transcript that hold lines of it are not in the page.
    #[error("the {what} in the page is damaged: {missing} of its lines are missing")]
    Lines {
        /// Which file.
        what: &'static str,
        /// How many lines.
        missing: usize,
    },
    /// It would unpack to more than pages of its size hold.
    #[error(
        "the {what} in the page decompresses to more than {}, too much for a page of this size",
        crate::session::text::bytes(usize::try_from(*most).unwrap_or(usize::MAX))
    )]
    TooLarge {
        /// Which file.
        what: &'static str,
        /// The limit.
        most: u64,
    },
}

/// What a page holds.
///
/// ```
/// let source = std::fs::read("examples/garden.jsonl")?;
/// let session = leafpress::read(source.clone())?;
/// let mut page = Vec::new();
/// leafpress::export(&session, &leafpress::Options::default(), &mut page)?;
/// assert_eq!(leafpress::extract::Page::find(&page)?.session_file()?, source);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Page<'a> {
    #[cfg(feature = "cli")]
    outline: Option<&'a [u8]>,
    #[cfg(feature = "cli")]
    markdown: Option<&'a [u8]>,
    /// What happened to files, and their texts.
    #[cfg(feature = "cli")]
    changes: Option<&'a [u8]>,
    #[cfg(feature = "cli")]
    hunks: Vec<&'a [u8]>,
    source: Option<&'a [u8]>,
    child_sources: Option<&'a [u8]>,
    /// The packs in their order, which hold most lines of both.
    packs: Vec<&'a [u8]>,
    is_sealed: bool,
    #[cfg(feature = "seal")]
    locked: Option<Locked<'a>>,
    /// So many bytes may come out of it.
    most_bytes: u64,
}

const SESSION: &str = "session file";
const CHILDREN: &str = "sub-agents' file";

impl<'a> Page<'a> {
    /// Finds what is in a page, sealed or not. Nothing is unpacked yet.
    ///
    /// # Errors
    /// [`ExtractError::NoPage`] where leafpress did not write it, [`ExtractError::Format`] where a newer one did.
    pub fn find(page: &'a [u8]) -> Result<Page<'a>, ExtractError> {
        let mut first = BTreeMap::new();
        #[cfg(feature = "seal")]
        let mut sealed = 0;
        for script in Scripts::of(page) {
            #[cfg(feature = "seal")]
            {
                sealed += usize::from(chunk_number(script.id).is_some());
            }
            first.entry(script.id).or_insert(script.text);
        }
        let get = |id: &str| first.get(id.as_bytes()).copied();
        let is_sealed = get("sealed").is_some();
        if !is_sealed && get("outline").is_none() && get("source").is_none() {
            return Err(ExtractError::NoPage);
        }
        let format = elements::format(page);
        if !is_sealed && format != FORMAT.as_bytes() {
            let found = if format.is_empty() { b"0" } else { format };
            return Err(ExtractError::Format {
                found: String::from_utf8_lossy(found).into_owned(),
            });
        }
        #[cfg(feature = "seal")]
        let text =
            |id: &str| get(id).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default();
        #[cfg(feature = "seal")]
        let locked = get("sealed").map(|_| Locked {
            parameters: text("sealed"),
            check: text("sealed-check"),
            sum: text("sealed-sum"),
            chunks: (0..sealed).map(|nth| text(&format!("sealed-{nth}"))).collect(),
        });
        Ok(Page {
            #[cfg(feature = "cli")]
            outline: get("outline"),
            #[cfg(feature = "cli")]
            markdown: get("markdown"),
            #[cfg(feature = "cli")]
            changes: get("changes-data"),
            #[cfg(feature = "cli")]
            hunks: (0..).map_while(|nth| get(&format!("hunks-{nth}"))).collect(),
            source: get("source"),
            child_sources: get("child-sources"),
            packs: (0..).map_while(|nth| get(&format!("pack-{nth}"))).collect(),
            is_sealed,
            #[cfg(feature = "seal")]
            locked,
            most_bytes: most_bytes(page.len()),
        })
    }

    /// Whether it opens with a password.
    pub fn is_sealed(&self) -> bool {
        self.is_sealed
    }

    /// The page that is sealed in this one.
    ///
    /// # Errors
    /// [`ExtractError::NoPage`] where the page is not sealed; else those of a wrong password and of damage.
    #[cfg(feature = "seal")]
    pub fn open(&self, password: &Password) -> Result<Vec<u8>, ExtractError> {
        let locked = self.locked.as_ref().ok_or(ExtractError::NoPage)?;
        Ok(locked.open(password, self.most_bytes)?)
    }

    /// The session's own file.
    ///
    /// # Errors
    /// [`ExtractError::Sealed`] before it is opened with its password, [`ExtractError::NoSource`] where the page was exported
    /// without it, and those of damage.
    pub fn session_file(&self) -> Result<Vec<u8>, ExtractError> {
        let source = match (self.source, self.is_sealed) {
            (None, true) => return Err(ExtractError::Sealed),
            (source, _) => source.ok_or(ExtractError::NoSource)?,
        };
        let files = Files::read(source).map_err(|broken| self.told(SESSION, broken))?;
        files.unpacked(&self.packs, self.most_bytes).map_err(|broken| self.told(SESSION, broken))
    }

    /// The files of its sub-sessions in their order; those whose entries lie in another's file have none.
    ///
    /// # Errors
    /// Those of damage and of size.
    pub fn child_files(&self) -> Result<Vec<ChildFile>, ExtractError> {
        let Some(sources) = self.child_sources else {
            return Ok(Vec::new());
        };
        let files = Files::read(sources).map_err(|broken| self.told(CHILDREN, broken))?;
        files.split(&self.packs, self.most_bytes).map_err(|broken| self.told(CHILDREN, broken))
    }

    fn told(&self, what: &'static str, broken: Broken) -> ExtractError {
        match broken {
            Broken::List => ExtractError::List { what },
            Broken::Part { nth, count } => ExtractError::Part { what, nth, count },
            Broken::Pack { nth, count } => ExtractError::Pack { what, nth, count },
            Broken::Lines { missing } => ExtractError::Lines { what, missing },
            Broken::TooLarge => ExtractError::TooLarge { what, most: self.most_bytes },
        }
    }
}

/// What comes out of a page of so many bytes at most: a hundred times as much, and 256 MiB. Sessions
/// compress to a fifth or a tenth; only what was made to burst comes near.
fn most_bytes(page_bytes: usize) -> u64 {
    const FLOOR: u64 = 256 * 1024 * 1024;
    (page_bytes as u64).saturating_mul(100).saturating_add(FLOOR)
}

/// The number in the id of a sealed chunk.
#[cfg(feature = "seal")]
fn chunk_number(id: &[u8]) -> Option<u32> {
    str::from_utf8(id).ok()?.strip_prefix("sealed-")?.parse().ok()
}

#[cfg(test)]
mod tests;
