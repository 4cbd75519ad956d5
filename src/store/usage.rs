//! What was spent, on a path, since an entry, or altogether.

use crate::session::usage::Usage;

use super::SessionStore;
use super::index::At;

impl SessionStore {
    /// The path from behind an entry to the leaf, or all of it; nothing where the
    /// entry is not on the path, so that no unrelated history is taken for it.
    pub fn active_path_since(&self, id: Option<&str>) -> Vec<&str> {
        self.ids(&self.since(id))
    }

    /// What the entries of [`SessionStore::active_path_since`] spent.
    pub fn usage_since(&self, id: Option<&str>) -> Usage {
        self.spent(self.since(id))
    }

    /// What the path to the leaf spent.
    pub fn usage_of_path(&self) -> Usage {
        self.usage_since(None)
    }

    /// What all entries spent, on every branch.
    pub fn usage_of_tree(&self) -> Usage {
        self.spent(self.all())
    }

    fn since(&self, id: Option<&str>) -> Vec<At> {
        let path = self.leaf.map_or_else(Vec::new, |leaf| self.index.path(leaf));
        let Some(id) = id else { return path };
        let found = self.index.find(id).and_then(|at| path.iter().position(|&other| other == at));
        found.map_or_else(Vec::new, |at| path[at + 1..].to_vec())
    }

    fn spent(&self, entries: impl IntoIterator<Item = At>) -> Usage {
        let mut spent = Usage::default();
        for at in entries {
            spent += self.parsed(at).usage().unwrap_or_default();
        }
        spent
    }
}
