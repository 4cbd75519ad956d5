//! What stands for the landmarks of some entries: each commit and each pull request once, and of a run of steps the lines
//! below it.

use std::collections::{HashMap, HashSet};

use super::{Landmark, LandmarkEvent, LandmarkOutcome, Landmarks};
use crate::session::tree::index::EntryIndex;

/// Which of some test runs, by command and whether it failed, still say how the tests are: the last of all, and where the
/// last one of another command failed, that, since a pass says nothing of the tests of another command.
pub(crate) fn test_runs_that_count(runs: &[(&str, bool)]) -> Vec<bool> {
    let last: HashMap<&str, usize> =
        runs.iter().enumerate().map(|(at, (command, _))| (*command, at)).collect();
    let counts = |(at, (command, failed)): (usize, &(&str, bool))| {
        at + 1 == runs.len() || *failed && last[command] == at
    };
    runs.iter().enumerate().map(counts).collect()
}

/// A landmark of a run of steps that has a line below it, and a row of its own in the tree.
#[derive(Debug)]
pub(crate) struct LandmarkLine<'l> {
    pub(crate) landmark: &'l Landmark,
    /// Of what is worth a look how many calls after it did the same; of a test run how many before it failed and have no
    /// line.
    pub(crate) others: usize,
}

impl Landmarks {
    /// The lines that a run of these entries has, in their order.
    pub(crate) fn lines(&self, entries: &[EntryIndex]) -> Vec<LandmarkLine<'_>> {
        LandmarkLine::of_run(self.over(entries).into_iter())
    }

    /// The landmarks of these entries, in their order; each commit and each pull request once, and no commit that was
    /// amended later among them.
    pub fn over(&self, entries: &[EntryIndex]) -> Vec<&Landmark> {
        let mut known = HashSet::new();
        let mut all: Vec<Option<&Landmark>> = Vec::new();
        let mut last_commit = None;
        for landmark in entries.iter().flat_map(|&entry| self.of(entry)) {
            match &landmark.event {
                LandmarkEvent::Commit { hash, is_amended, .. } => {
                    // Two without a hash may have the same subject.
                    if !hash.is_empty() && !known.insert(landmark.event.text()) {
                        continue;
                    }
                    if let Some(before) = last_commit.replace(all.len()).filter(|_| *is_amended) {
                        all[before] = None;
                    }
                }
                LandmarkEvent::PullRequest { .. } if !known.insert(landmark.event.text()) => {
                    continue;
                }
                _ => {}
            }
            all.push(Some(landmark));
        }
        all.into_iter().flatten().collect()
    }
}

impl<'l> LandmarkLine<'l> {
    /// Those of the landmarks of a run. Of its test runs those that count have a line, and of what is worth a look the first
    /// of each kind.
    fn of_run(landmarks: impl Iterator<Item = &'l Landmark>) -> Vec<LandmarkLine<'l>> {
        let shown: Vec<&Landmark> = landmarks.filter(|landmark| landmark.has_line()).collect();
        let has_failed = |landmark: &Landmark| landmark.outcome == LandmarkOutcome::Failed;
        let runs = shown.iter().filter_map(|landmark| match &landmark.event {
            LandmarkEvent::Test { command } => Some((command.as_str(), has_failed(landmark))),
            _ => None,
        });
        let counts = test_runs_that_count(&runs.collect::<Vec<_>>());
        let mut counts = counts.into_iter();
        let mut lines: Vec<LandmarkLine<'l>> = Vec::new();
        let mut failed = 0;
        for landmark in shown {
            let mut others = 0;
            match &landmark.event {
                LandmarkEvent::Notable { .. } => {
                    let kind = landmark.event.kind();
                    let same = lines.iter_mut().find(|line| line.landmark.event.kind() == kind);
                    if let Some(same) = same {
                        same.others += 1;
                        continue;
                    }
                }
                LandmarkEvent::Test { .. } => {
                    if counts.next() == Some(false) {
                        failed += usize::from(has_failed(landmark));
                        continue;
                    }
                    // The last one says it of all.
                    others = if counts.len() == 0 { failed } else { 0 };
                }
                _ => {}
            }
            lines.push(LandmarkLine { landmark, others });
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use crate::session::derived::digest::Digest;
    use crate::session::derived::landmarks::tests::session;
    use crate::session::derived::landmarks::{Landmark, LandmarkOutcome};

    #[test]
    fn tests_that_pass_say_nothing_of_those_of_another_command() {
        let session = session(&[
            ("cargo test", "Exit code 101\nno", true),
            ("npm test | tail", "Test Suites: 1 failed, 1 total", false),
            ("npm test | tail", "Test Suites: 1 failed, 1 total", false),
            ("cargo test", "ok", false),
        ]);
        let digest = Digest::read(&session);
        let entries: Vec<_> = session.indices().collect();
        let lines = digest.landmarks.lines(&entries).into_iter();
        let lines: Vec<_> = lines
            .map(|line| (session.key_at(line.landmark.entry), line.landmark.outcome, line.others))
            .collect();
        let of = |key: &str, outcome, others| (key.to_owned(), outcome, others);
        assert_eq!(
            lines,
            [of("b2", LandmarkOutcome::Failed, 0), of("b3", LandmarkOutcome::Passed, 2)]
        );
    }

    #[test]
    fn a_commit_that_was_amended_is_one() {
        let of = |calls: &[(&str, &str, bool)]| -> Vec<(String, &'static str)> {
            let session = session(calls);
            let digest = Digest::read(&session);
            let entries: Vec<_> = session.indices().collect();
            let all = digest.landmarks.over(&entries).into_iter();
            all.map(|landmark: &Landmark| (landmark.event.text(), landmark.word())).collect()
        };
        let amended =
            "[main 37e2d81] Hash it\n Date: Mon Feb 9 18:25:11 2026 +1100\n 1 file changed";
        let is_one = |commits: &[(String, &str)]| {
            assert_eq!(commits, [("37e2d81 Hash it".to_owned(), "Commit amended")]);
        };
        let first = ("git commit -m x", "[main 1a2b3c4] x", false);
        is_one(&of(&[first, ("git commit --amend -m 'Hash it'", amended, false)]));
        is_one(&of(&[first, ("git add . && git commit --amend", amended, false)]));
        is_one(&of(&[("git commit --amend", amended, false)]));
        // Words of a message amend nothing.
        let said = ("git commit -m 'no --amend'", "[main 2a2b3c4] no --amend", false);
        assert_eq!(of(&[first, said]).len(), 2);
        // Of two commits of a call the second amends one before both.
        let both = "[main 2a2b3c4] y\n[main 37e2d81] Hash it\n Date: Mon Feb 9";
        let twice = of(&[first, ("git commit -m y; git commit --amend", both, false)]);
        assert_eq!(
            twice.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(),
            ["1a2b3c4 x", "37e2d81 Hash it"]
        );
    }
}
