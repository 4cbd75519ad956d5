//! Stand-in.

use serde::{Deserialize, Serialize};

use super::store::{Catalog, CatalogError, StoredSession};

/// A session among all others.
#[derive(Debug)]
pub struct Member {
    /// The session.
    pub session: StoredSession,
    /// Its parent's place.
    pub parent: Option<usize>,
    /// What counts.
    pub own: Option<OwnFigures>,
}

/// Figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnFigures {
    /// Prompts.
    pub prompts: usize,
}

impl Catalog {
    /// All sessions, the newest first.
    ///
    /// # Errors
    /// As others.
    pub fn sessions(&self) -> Result<Vec<Member>, CatalogError> {
        let _snapshot = self.snapshot()?;
        let mut reader = self.reader()?;
        let mut all = Vec::new();
        for id in self.newest()? {
            if let Some(session) = reader.session(id)? {
                all.push(Member { session, parent: None, own: None });
            }
        }
        Ok(all)
    }
}
