//! The commands that ran after the last edit of a turn.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{Number, number};
use crate::changes::{Changes, TurnChanges};
use crate::content::work::Work;
use crate::session::digest::Digest;
use crate::session::landmarks::{LandmarkKind, Outcome};
use crate::session::{EntryIndex, Session};

/// A command: the entry of its result; whether it ran tests; and 0 for one that failed, 1 for tests that passed, 2 for
/// what is not known.
#[derive(Serialize)]
pub(super) struct Check(Number, u8, u8);

/// The commands of all turns.
pub(super) struct Checks<'a> {
    session: &'a Session,
    digest: &'a Digest<'a>,
    /// By prompt, in time order.
    commands: HashMap<Option<EntryIndex>, Vec<EntryIndex>>,
}

impl<'a> Checks<'a> {
    /// The commands of each turn after the last of its edits; `turns` are the turns that have some.
    pub(super) fn new(
        session: &'a Session,
        (digest, work): (&'a Digest<'a>, &Work<'_>),
        changes: &Changes,
        turns: &[TurnChanges],
    ) -> Checks<'a> {
        let mut commands: HashMap<Option<EntryIndex>, Vec<EntryIndex>> = HashMap::new();
        let lasts: HashMap<Option<EntryIndex>, EntryIndex> =
            turns.iter().map(|turn| (turn.prompt, turn.last)).collect();
        let mut edited = HashSet::new();
        for (entry, prompt) in changes.in_time_order() {
            if lasts.get(&prompt) == Some(&entry) {
                edited.insert(prompt);
            } else if edited.contains(&prompt) && work.is_command(entry) {
                commands.entry(prompt).or_default().push(entry);
            }
        }
        Checks { session, digest, commands }
    }

    /// Those of a turn, in time order.
    pub(super) fn of(&self, prompt: Option<EntryIndex>) -> Vec<Check> {
        let commands = self.commands.get(&prompt).into_iter().flatten();
        commands.map(|&entry| self.check(entry)).collect()
    }

    fn check(&self, entry: EntryIndex) -> Check {
        let mut landmarks = self.digest.landmarks.of(entry).iter();
        let test = landmarks.rfind(|landmark| landmark.deed.kind() == LandmarkKind::Test);
        let outcome = match test.map(|test| test.outcome) {
            Some(Outcome::Failed) => 0,
            Some(Outcome::Passed) => 1,
            None if self.digest.failures.of(entry).is_some() => 0,
            Some(Outcome::Unknown) | None => 2,
        };
        let place = number(self.session.tree().position_at(entry));
        Check(place, u8::from(test.is_some()), outcome)
    }
}
