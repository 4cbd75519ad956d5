//! What came right before an answer that ended a branch, where the answer alone would flatter.

use std::collections::HashMap;

use crate::session::derived::failure::Failures;
use crate::session::derived::landmarks::{LandmarkKind, LandmarkOutcome, Landmarks};
use crate::session::derived::story::{Story, TurnRole};
use crate::session::texts::text::counted;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

use super::Ending;

/// By the ends of branches, where something came before.
#[derive(Debug, Default)]
pub(crate) struct Befores {
    ends: HashMap<EntryIndex, Before>,
    /// The leaf of a session that goes on in another one.
    continued: Option<EntryIndex>,
}

const CONTINUED: &str = "continued in another session";

/// What is carried down a path.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    /// The last test run of which the outcome is known failed.
    have_tests_failed: bool,
    /// Since the last call that succeeded.
    failures: usize,
    /// The same: what the last stop says of itself.
    stop: Option<&'static str>,
    /// Prompts since the last failure or stop.
    prompts: usize,
}

impl Befores {
    /// In linear time. `is_result` says whether an entry is the result of a call.
    pub(crate) fn of_all(
        session: &Session,
        (failures, landmarks, story): (&Failures, &Landmarks, &Story),
        is_result: impl Fn(EntryIndex) -> bool,
    ) -> Befores {
        let tree = session.tree();
        let mut befores = HashMap::new();
        let mut above = vec![Before::default(); session.len()];
        for entry in tree.order() {
            let mut here = tree.parent(entry).map(|parent| above[parent.get()]).unwrap_or_default();
            for landmark in landmarks.of(entry) {
                if landmark.event.kind() == LandmarkKind::Test
                    && landmark.outcome != LandmarkOutcome::Unknown
                {
                    here.have_tests_failed = landmark.are_failed_tests();
                }
            }
            if failures.of(entry).is_some() {
                here = Before { failures: here.failures + 1, prompts: 0, ..here };
            } else if let Some(stop) = failures.stop_of(entry) {
                here = Before { stop: Some(stop.words()), prompts: 0, ..here };
            } else if story.role(entry) == TurnRole::Prompt {
                here.prompts += 1;
            }
            // A whole turn later, or after something that worked, neither is the news.
            let has_worked =
                is_result(entry) && failures.of(entry).is_none() && !failures.is_stopped(entry);
            if has_worked || here.prompts > 1 {
                here = Before { have_tests_failed: here.have_tests_failed, ..Before::default() };
            }
            above[entry.get()] = here;
            let is_end = tree.children(entry).len() == 0;
            if is_end && (here.have_tests_failed || here.failures > 0 || here.stop.is_some()) {
                befores.insert(entry, here);
            }
        }
        let goes_on = !session.header().continued_in.is_empty();
        Befores { ends: befores, continued: goes_on.then(|| session.leaf()) }
    }

    /// `tests failed last`, `after 2 failures`, `stopped before`: of an answer or a question that ended a branch. Of the
    /// session's leaf also `continued in another session`. Empty where there is nothing of that, and where the leaf is
    /// no end of a branch.
    pub(crate) fn words(&self, leaf: EntryIndex, how: Ending) -> String {
        let before = match self.ends.get(&leaf) {
            Some(before) if matches!(how, Ending::Answered | Ending::Question) => before.words(),
            _ => String::new(),
        };
        match self.continued == Some(leaf) {
            true if before.is_empty() => CONTINUED.to_owned(),
            true => format!("{before}, {CONTINUED}"),
            false => before,
        }
    }
}

impl Before {
    fn words(self) -> String {
        if self.have_tests_failed {
            "tests failed last".to_owned()
        } else if self.failures > 0 {
            format!("after {}", counted(self.failures, "failure"))
        } else {
            self.stop.map_or_else(String::new, |stop| format!("{} before", stop.to_lowercase()))
        }
    }
}
