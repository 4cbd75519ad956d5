//! The commands that ran after the last edit of a turn, and the tests that ran before it.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{Number, number};
use crate::changes::{Changes, TurnChanges};
use crate::content::work::Work;
use crate::session::digest::Digest;
use crate::session::landmarks::{LandmarkKind, LandmarkOutcome};
use crate::session::{EntryIndex, Session};

/// A command: the entry of its result; whether it ran tests; and 0 for one that failed, 1 for tests that passed, 2 for
/// what is not known.
#[derive(Serialize)]
pub(super) struct Check(Number, u8, u8);

/// The tests that ran before the last edit: the last run, as [`Check`] has it, and how many of all failed.
#[derive(Serialize)]
pub(super) struct Earlier(Number, u8, usize);

/// The commands of all turns.
pub(super) struct Checks<'a> {
    session: &'a Session,
    digest: &'a Digest<'a>,
    /// By prompt.
    turns: HashMap<Option<EntryIndex>, Commands>,
}

/// The commands of a turn, in time order.
#[derive(Default)]
struct Commands {
    after: Vec<EntryIndex>,
    /// Only those that ran tests.
    before: Vec<EntryIndex>,
}

impl<'a> Checks<'a> {
    /// The commands of each turn; `turns` are the turns that have edits.
    pub(super) fn new(
        session: &'a Session,
        (digest, work): (&'a Digest<'a>, &Work<'_>),
        changes: &Changes,
        turns: &[TurnChanges],
    ) -> Checks<'a> {
        let lasts: HashMap<Option<EntryIndex>, EntryIndex> =
            turns.iter().map(|turn| (turn.prompt, turn.last)).collect();
        let mut checks = Checks { session, digest, turns: HashMap::new() };
        let mut edited = HashSet::new();
        for (entry, prompt) in changes.in_time_order() {
            let Some(&last) = lasts.get(&prompt) else { continue };
            if last == entry {
                edited.insert(prompt);
            }
            // A command that edits can run tests too. What the user ran is no call.
            let is_test = checks.test(entry).is_some();
            let is_after = edited.contains(&prompt);
            if is_test || is_after && last != entry && work.is_command(entry) {
                let turn = checks.turns.entry(prompt).or_default();
                if is_after { turn.after.push(entry) } else { turn.before.push(entry) }
            }
        }
        checks
    }

    /// Those of a turn after its last edit, in time order.
    pub(super) fn of(&self, prompt: Option<EntryIndex>) -> Vec<Check> {
        let commands = self.turns.get(&prompt).into_iter().flat_map(|turn| &turn.after);
        commands.map(|&entry| self.check(entry)).collect()
    }

    /// The tests of a turn before its last edit.
    pub(super) fn earlier(&self, prompt: Option<EntryIndex>) -> Option<Earlier> {
        let runs = &self.turns.get(&prompt)?.before;
        let Check(place, _, outcome) = self.check(*runs.last()?);
        let has_failed = |entry: &&EntryIndex| self.check(**entry).2 == 0;
        Some(Earlier(place, outcome, runs.iter().filter(has_failed).count()))
    }

    /// What came of the tests that a command ran; of several, of the last.
    fn test(&self, entry: EntryIndex) -> Option<LandmarkOutcome> {
        let mut landmarks = self.digest.landmarks.of(entry).iter();
        let test = landmarks.rfind(|landmark| landmark.event.kind() == LandmarkKind::Test);
        test.map(|test| test.outcome)
    }

    fn check(&self, entry: EntryIndex) -> Check {
        let test = self.test(entry);
        let outcome = match test {
            Some(LandmarkOutcome::Failed) => 0,
            Some(LandmarkOutcome::Passed) => 1,
            None if self.digest.failures.of(entry).is_some() => 0,
            Some(LandmarkOutcome::Unknown) | None => 2,
        };
        let place = number(self.session.tree().position_at(entry));
        Check(place, u8::from(test.is_some()), outcome)
    }
}
