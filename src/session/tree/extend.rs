//! A session that goes on: entries behind those that are there, without a second look at these.

use super::build::RawEntry;
use super::index::EntryIndex;
use super::parents::Tree;
use super::session::{Record, Session};
use super::{not_shown, not_understood};
use crate::session::model::damage::DamageKind;

impl Session {
    /// The same session with the lines of `source` that it does not have yet, an entry each. `None` where they say
    /// something of those before, or of the file as a whole: it has to be read anew then.
    pub(crate) fn extended(mut self, source: &[u8], entries: Vec<RawEntry>) -> Option<Session> {
        let added = source.strip_prefix(self.file.source.as_slice())?;
        // What these say depends on how many there are.
        let depends_on_all =
            |kind: &DamageKind| matches!(kind, DamageKind::NotUnderstood | DamageKind::NoTextShown);
        let is_plain = self.leaf.is_none()
            && self.sub_sessions.is_empty()
            && !self.file.damage.iter().any(|damage| depends_on_all(&damage.kind));
        // Files beside the session that an entry names (oh-my-pi) are looked up once for all.
        let names_file = ["blob:", "artifact"]
            .iter()
            .any(|word| memchr::memmem::find(added, word.as_bytes()).is_some());
        if !is_plain || names_file {
            return None;
        }
        self.file.source.extend_from_slice(added);
        let mut parents: Vec<Option<EntryIndex>> =
            self.indices().map(|entry| self.tree.parent(entry)).collect();
        let first = self.len();
        for RawEntry { id, parent_id, entry_type, time, line, place } in entries {
            let text = place.text(&self.file.source, &self.repaired);
            let is_shown = entry_type != "message" || not_shown::shows_text(text.as_bytes());
            let parent = match parent_id {
                None => None,
                Some(parent_id) => Some(self.file.place_of(&parent_id)?),
            };
            let index = EntryIndex::new(self.records.len());
            if !is_shown
                || !not_understood::is_understood(&entry_type, text)
                || self.file.by_id.insert(id.clone(), index).is_some()
            {
                return None;
            }
            parents.push(parent);
            let known = self.types.iter().position(|known| *known == entry_type);
            let number = known.unwrap_or_else(|| {
                self.types.push(entry_type);
                self.types.len() - 1
            });
            let entry_type = u32::try_from(number).ok()?;
            let parent_missing = false;
            self.records.push(Record { id, entry_type, parent_missing, time, line, place });
        }
        let times: Vec<Option<i64>> = self.records.iter().map(|record| record.time).collect();
        self.tree = Tree::build(&parents, &times).0;
        self.read_labels_and_name(EntryIndex::range(first..self.len()));
        Some(self)
    }
}
