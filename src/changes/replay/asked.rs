//! What is known of an edit beside what it did.

use crate::changes::edit::{EditKind, Replacement};
use crate::changes::facts::EditFacts;
use crate::changes::model::{EditVerb, FileState};
use crate::session::action::names::Tool;
use crate::session::calls::CallPlace;
use crate::session::{EntryIndex, Format};

use super::text::{self, Rules};

const ENDS: &str = "its tool may write other ends of lines than the file's";
const TABS: &str = "its tool may replace tabs by spaces";

/// An edit that a call asked for.
pub(super) struct Asked<'a> {
    pub(super) entry: EntryIndex,
    pub(super) call: CallPlace,
    pub(super) position: usize,
    pub(super) prompt: Option<EntryIndex>,
    pub(super) tool: &'a str,
    pub(super) ok: bool,
    pub(super) format: Format,
}

impl Asked<'_> {
    pub(super) fn rules(&self) -> Rules {
        Rules { empty_takes_newline: self.format == Format::ClaudeCode, is_loose: false }
    }

    /// Why the text after is not known, although the edit applies to the text before.
    pub(super) fn doubt(
        &self,
        text: &str,
        kind: &EditKind<'_>,
        facts: &EditFacts,
    ) -> Option<&'static str> {
        if facts.hunks.is_empty() && self.may_replace_tabs(text, kind) {
            return Some(TABS);
        }
        let EditKind::Replace(all) = kind else { return None };
        let mut all = facts.replaced.as_deref().unwrap_or(all).iter();
        all.any(|one| text::has_other_ends(text, one)).then_some(ENDS)
    }

    /// The reference of Anthropic's editor replaces all tabs of a file that it edits, and those of the new text; not
    /// every tool of its name does.
    fn may_replace_tabs(&self, text: &str, kind: &EditKind<'_>) -> bool {
        let has_tabs = match kind {
            EditKind::Insert { text: new, .. } => new.contains('\t'),
            EditKind::Replace(all) => all.iter().any(|one| one.new.contains('\t')),
            _ => return false,
        };
        (has_tabs || text.contains('\t')) && Tool::of(self.tool) == Tool::Editor
    }
}

/// What an edit did to the file itself.
pub(super) fn verb(kind: &EditKind<'_>, before: &FileState, after: &FileState) -> EditVerb {
    match (kind, before, after) {
        (EditKind::Move { .. } | EditKind::Patch { moved_to: Some(_), .. }, ..) => EditVerb::Moved,
        (EditKind::Delete, ..) => EditVerb::Deleted,
        (_, FileState::Absent, FileState::Text(_)) => EditVerb::Created,
        (EditKind::Write(_) | EditKind::Create(_), FileState::Unknown(_), _) => EditVerb::Written,
        _ => EditVerb::Changed,
    }
}

/// The texts that an edit replaces and those that it puts there. `None` where another edit cannot take them back by the
/// same texts alone: each has to be the only one of its kind.
pub(super) fn replaced_texts<'e>(
    kind: &'e EditKind<'_>,
    facts: &'e EditFacts,
) -> Option<(Vec<&'e str>, Vec<&'e str>)> {
    let EditKind::Replace(all) = kind else { return None };
    let all: &[Replacement<'_>] = facts.replaced.as_deref().unwrap_or(all);
    let is_plain = |one: &Replacement<'_>| {
        !one.all && !one.old.is_empty() && !one.new.is_empty() && one.old != one.new
    };
    let texts = || all.iter().map(|one| (one.old.as_ref(), one.new.as_ref())).unzip();
    all.iter().all(is_plain).then(texts)
}
