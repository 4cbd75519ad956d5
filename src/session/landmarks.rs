//! What a session did to the world: commits, pushes, pull requests and test runs.
//!
//! Found in calls that ran, by their commands and what these printed; never in what anybody wrote.

mod command;
mod output;
mod table;

use std::collections::HashSet;

use serde::Serialize;

use super::calls::Calls;
use super::command_end::End;
use super::gist::{Gist, What};
use super::json::Json;
use super::message::{Bash, Message, ToolResult, joined_text};
use super::{Body, EntryIndex, Session};

pub(super) use command::Ran;

/// A kind of landmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LandmarkKind {
    /// `git commit`.
    Commit,
    /// `git push`.
    Push,
    /// A pull request or merge request that was opened.
    PullRequest,
    /// Tests that ran.
    Test,
}

impl LandmarkKind {
    /// All of them.
    pub const ALL: [LandmarkKind; 4] =
        [LandmarkKind::Commit, LandmarkKind::Push, LandmarkKind::PullRequest, LandmarkKind::Test];

    /// The word for it in the page's `data-landmark`, in JSON and behind `is:` in a search.
    pub fn name(self) -> &'static str {
        match self {
            LandmarkKind::Commit => "commit",
            LandmarkKind::Push => "push",
            LandmarkKind::PullRequest => "pull-request",
            LandmarkKind::Test => "test",
        }
    }

    /// What happened, in words.
    pub(crate) fn title(self, outcome: Outcome) -> &'static str {
        match (self, outcome) {
            (LandmarkKind::Commit, _) => "Commit",
            (LandmarkKind::Push, _) => "Push",
            (LandmarkKind::PullRequest, _) => "Pull request",
            (LandmarkKind::Test, Outcome::Passed) => "Tests passed",
            (LandmarkKind::Test, Outcome::Failed) => "Tests failed",
            (LandmarkKind::Test, Outcome::Unknown) => "Tests",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// It was done; tests passed.
    Passed,
    /// Tests failed.
    Failed,
    /// The exit status of the tests is not known, for example behind a pipe.
    Unknown,
}

impl Outcome {
    /// The word for it in the page's `data-outcome` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Unknown => "unknown",
        }
    }
}

/// Something that a session did to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Landmark {
    /// What kind.
    pub kind: LandmarkKind,
    /// The result of the call, or the user's own command.
    pub entry: EntryIndex,
    /// Of a commit its hash and subject, of a push its branch, of a pull request its address, of a test
    /// run its command; in one line.
    pub text: String,
    /// What came of it.
    pub outcome: Outcome,
}

impl Landmark {
    /// The number of a pull request, as `#184`.
    pub(crate) fn number(&self) -> Option<String> {
        let is_request = self.kind == LandmarkKind::PullRequest;
        is_request.then(|| format!("#{}", self.text.rsplit('/').next().unwrap_or_default()))
    }

    /// The address of a pull request that a page may link to.
    pub(crate) fn link(&self) -> Option<&str> {
        let is_link = self.kind == LandmarkKind::PullRequest && self.text.starts_with("https://");
        is_link.then_some(self.text.as_str())
    }

    /// Whether it has a line of its own: of a test run that may have failed or not nothing is told.
    pub(crate) fn is_told(&self) -> bool {
        self.outcome != Outcome::Unknown
    }
}

/// A landmark without its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    kind: LandmarkKind,
    text: String,
    outcome: Outcome,
}

/// All landmarks of a session.
#[derive(Debug, Default)]
pub struct Landmarks {
    /// By entry, those of one in their order.
    list: Vec<Landmark>,
}

impl Landmarks {
    /// From what all entries say, by entry. Only results of calls that ran such a command are read
    /// again.
    pub(super) fn of_all(session: &Session, gists: &[Gist<'_>], calls: &Calls) -> Landmarks {
        let mut list = Vec::new();
        for (entry, gist) in gists.iter().enumerate() {
            let mut add = |found: Found| {
                let Found { kind, text, outcome } = found;
                list.push(Landmark { kind, entry, text, outcome });
            };
            if let What::Landmarks(found) = &gist.what {
                found.iter().cloned().for_each(&mut add);
            }
            let call = calls.call_of(entry);
            let call = call.and_then(|call| gists[call.entry].calls().get(call.nth));
            let Some(call) = call.filter(|call| !call.ran.is_empty()) else { continue };
            if let Body::Message(Message::ToolResult(result)) = session.entry(entry).body {
                of_result(session, &call.ran, &result).into_iter().for_each(add);
            }
        }
        Landmarks { list }
    }

    /// The landmarks of an entry.
    pub fn of(&self, entry: EntryIndex) -> &[Landmark] {
        let from = self.list.partition_point(|landmark| landmark.entry < entry);
        let len = self.list[from..].partition_point(|landmark| landmark.entry == entry);
        &self.list[from..from + len]
    }

    /// The landmarks of these entries, in their order; each commit and each pull request once.
    pub fn over(&self, entries: &[EntryIndex]) -> Vec<&Landmark> {
        let mut known = HashSet::new();
        let mut all: Vec<&Landmark> = entries.iter().flat_map(|&entry| self.of(entry)).collect();
        all.retain(|landmark| match landmark.kind {
            LandmarkKind::Commit | LandmarkKind::PullRequest => known.insert(&landmark.text),
            LandmarkKind::Push | LandmarkKind::Test => true,
        });
        all
    }
}

fn of_result(session: &Session, ran: &[Ran], result: &ToolResult<'_>) -> Vec<Found> {
    let end = End::of(result);
    let details = result.details.as_ref();
    let in_background =
        details.and_then(|details| details.get("backgroundTaskId")).is_some_and(Json::is_truthy);
    let exit = match end.code {
        _ if in_background || end.timed_out || end.aborted => None,
        Some(code) => Some(code == 0.0),
        None if result.is_error => None,
        // What is no error was a success where the agent tells the two apart.
        None => session.dialect().traits().tells_failures.then_some(true),
    };
    // Without a status it may have been refused by the user.
    let did_run = !result.is_error || end.code.is_some();
    output::found(ran, &joined_text(&result.content, "\n"), exit, did_run)
}

/// What a command of the user did.
pub(super) fn by_user(bash: &Bash<'_>) -> Vec<Found> {
    let exit = bash.exit_code.filter(|_| !bash.cancelled).map(|code| code == 0.0);
    output::found(&Ran::of(&bash.command), &bash.output, exit, true)
}

/// A row that says which pull request the session belongs to (Claude Code).
pub(super) fn linked(data: &Json<'_>) -> Option<Found> {
    let text = data.get("prUrl").and_then(Json::as_str).and_then(output::address)?;
    Some(Found { kind: LandmarkKind::PullRequest, text, outcome: Outcome::Passed })
}

#[cfg(test)]
mod tests;
