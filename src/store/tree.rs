//! Moving the leaf, and reading the tree while it is written.

use crate::session::{Entry, Label};

use super::index::At;
use super::rules::SummaryNames;
use super::{NewEntry, SessionStore, StoreError};

impl SessionStore {
    /// Where the next entry goes; `None` before the first, and after [`SessionStore::reset_leaf`].
    pub fn leaf(&self) -> Option<&str> {
        self.leaf.map(|at| self.index.id(at))
    }

    /// The entry at the leaf.
    pub fn leaf_entry(&self) -> Option<Entry<'_>> {
        self.leaf.map(|at| self.parsed(at))
    }

    /// Moves the leaf to an entry. Nothing is written: who opens the file finds
    /// the leaf at its last entry.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; the leaf stays then.
    pub fn branch(&mut self, id: &str) -> Result<(), StoreError> {
        self.leaf = Some(self.at(id)?);
        Ok(())
    }

    /// Moves the leaf before all entries: the next one is another root.
    pub fn reset_leaf(&mut self) {
        self.leaf = None;
    }

    /// Moves the leaf to an entry, or before all of them, and leaves a summary
    /// there of the branch that was left. Gives the summary's id.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the entry, and those of [`SessionStore::append`].
    pub fn branch_with_summary(
        &mut self,
        id: Option<&str>,
        summary: &str,
    ) -> Result<String, StoreError> {
        let entry = self.branch_summary_at(id, summary)?;
        self.append_at(id, &entry)
    }

    /// A branch summary of what is left at the leaf, for [`SessionStore::append_at`] the entry of
    /// this id, with more fields. It names that leaf in pi's files, the entry it hangs from in
    /// oh-my-pi's, and `root` where there is none.
    ///
    /// # Errors
    /// As [`NewEntry::with`]; texts alone never fail.
    pub fn branch_summary_at(
        &self,
        id: Option<&str>,
        summary: &str,
    ) -> Result<NewEntry, StoreError> {
        let from = match self.agent.rules().summary_names {
            SummaryNames::LeftLeaf => self.leaf(),
            SummaryNames::Parent => id,
        };
        NewEntry::branch_summary(from.unwrap_or("root"), summary)
    }

    /// An entry by its id.
    pub fn entry(&self, id: &str) -> Option<Entry<'_>> {
        self.index.find(id).map(|at| self.parsed(at))
    }

    /// The line of an entry, as it stands in the file or was repaired.
    pub fn raw(&self, id: &str) -> Option<&str> {
        self.index.find(id).map(|at| self.text(at))
    }

    /// The parent of an entry; `None` for a root and for an unknown id.
    pub fn parent(&self, id: &str) -> Option<&str> {
        let parent = self.index.parent(self.index.find(id)?)?;
        Some(self.index.id(parent))
    }

    /// The children of an entry in the order they were written; with `None` the roots.
    pub fn children(&self, id: Option<&str>) -> Vec<&str> {
        match id {
            Some(id) => {
                self.index.find(id).map_or_else(Vec::new, |at| self.ids(&self.index.children(at)))
            }
            None => self.ids(self.index.roots()),
        }
    }

    /// The path from the root to an entry; empty for an unknown id.
    pub fn path_to(&self, id: &str) -> Vec<&str> {
        self.index.find(id).map_or_else(Vec::new, |at| self.ids(&self.index.path(at)))
    }

    /// The path from the root to the leaf.
    pub fn active_path(&self) -> Vec<&str> {
        self.leaf.map_or_else(Vec::new, |at| self.ids(&self.index.path(at)))
    }

    /// The label that an entry carries.
    pub fn label(&self, id: &str) -> Option<&Label> {
        self.index.label(self.index.find(id)?)
    }

    /// All labels with their entries, in the order in which they were given.
    pub fn labels(&self) -> Vec<(&str, &Label)> {
        self.index.labels().into_iter().map(|(at, label)| (self.index.id(at), label)).collect()
    }

    /// How many entries there are, the header not counted.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of all entries in the order they were written.
    pub fn ids_in_order(&self) -> impl ExactSizeIterator<Item = &str> {
        self.all().map(|at| self.index.id(at))
    }

    /// The entries that nothing hangs from, in the order they were written.
    pub fn leaves(&self) -> Vec<&str> {
        self.those(|at| !self.index.has_children(at))
    }

    /// The entries that several hang from, in the order they were written.
    pub fn branch_points(&self) -> Vec<&str> {
        self.those(|at| self.index.has_several_children(at))
    }

    fn those(&self, are: impl Fn(At) -> bool) -> Vec<&str> {
        self.all().filter(|&at| are(at)).map(|at| self.index.id(at)).collect()
    }

    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = At> + use<> {
        (0..self.len()).map(At::new)
    }

    pub(super) fn ids(&self, of: &[At]) -> Vec<&str> {
        of.iter().map(|&at| self.index.id(at)).collect()
    }

    pub(super) fn text(&self, at: At) -> &str {
        self.index.place(at).text(&self.bytes, &self.repaired)
    }

    pub(super) fn parsed(&self, at: At) -> Entry<'_> {
        Entry::parse(self.text(at))
    }
}
