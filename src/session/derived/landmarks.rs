//! What a session did to the world: commits, pushes, pull requests and test runs.
//!
//! Found in calls that ran, by their commands and what these printed; never in what anybody wrote. Another program is
//! another row of `table.rs`.

mod command;
mod output;
mod table;

use std::collections::HashSet;

use serde::Serialize;

use super::calls::Calls;
use super::gist::{Gist, What};
use crate::session::model::entry::Body;
use crate::session::model::message::{Bash, Message, ToolResult, joined_text};
use crate::session::texts::json::Json;
use crate::session::tools::command_end::End;
use crate::session::tree::parents::EntryIndex;
use crate::session::tree::session::Session;

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

/// What a landmark is known by; each text is one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deed {
    /// A commit.
    Commit {
        /// As `git commit` prints it, abbreviated.
        hash: String,
        /// The first line of its message.
        subject: String,
    },
    /// A push.
    Push {
        /// The branch, or the command where it printed nothing.
        branch: String,
    },
    /// A pull request or merge request.
    PullRequest {
        /// Ends with the number.
        address: String,
        /// What follows `#`.
        number: u64,
    },
    /// Tests that ran.
    Test {
        /// The command.
        command: String,
    },
}

impl Deed {
    /// What kind.
    pub fn kind(&self) -> LandmarkKind {
        match self {
            Deed::Commit { .. } => LandmarkKind::Commit,
            Deed::Push { .. } => LandmarkKind::Push,
            Deed::PullRequest { .. } => LandmarkKind::PullRequest,
            Deed::Test { .. } => LandmarkKind::Test,
        }
    }

    /// The address of a pull request that a page may link to: only `https:`.
    pub(crate) fn link(&self) -> Option<&str> {
        match self {
            Deed::PullRequest { address, .. } if address.starts_with("https://") => Some(address),
            _ => None,
        }
    }

    /// All of it in one line: hash and subject, branch, address or command.
    pub fn text(&self) -> String {
        match self {
            Deed::Commit { hash, subject } => format!("{hash} {subject}"),
            Deed::Push { branch: text }
            | Deed::PullRequest { address: text, .. }
            | Deed::Test { command: text } => text.clone(),
        }
    }
}

/// Something that a session did to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Landmark {
    /// The result of the call, or the user's own command.
    pub entry: EntryIndex,
    /// What was done.
    pub deed: Deed,
    /// What came of it.
    pub outcome: Outcome,
}

impl Landmark {
    /// Whether it has a line of its own: a test run that may have failed or not has none.
    pub(crate) fn has_line(&self) -> bool {
        self.outcome != Outcome::Unknown
    }
}

/// A landmark without its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    deed: Deed,
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
                let Found { deed, outcome } = found;
                list.push(Landmark { entry, deed, outcome });
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
        list.extend(from_header(session, &list));
        list.sort_by_key(|landmark| landmark.entry);
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
        all.retain(|landmark| match landmark.deed {
            Deed::Commit { .. } | Deed::PullRequest { .. } => known.insert(&landmark.deed),
            Deed::Push { .. } | Deed::Test { .. } => true,
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

/// Pull requests that lines without an entry name and no call has opened: at the entry before.
fn from_header(session: &Session, found: &[Landmark]) -> Vec<Landmark> {
    let requests = &session.header().pull_requests;
    if requests.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&Deed> = found.iter().map(|landmark| &landmark.deed).collect();
    let mut lines: Vec<_> =
        (0..session.own_len()).map(|entry| (session.line(entry), entry)).collect();
    lines.sort_unstable();
    let at = |(line, address): &(u32, String)| {
        let deed = output::pull_request(address).filter(|deed| !known.contains(deed))?;
        let before = lines.partition_point(|(other, _)| other < line).checked_sub(1)?;
        Some(Landmark { entry: lines[before].1, deed, outcome: Outcome::Passed })
    };
    requests.iter().filter_map(at).collect()
}

/// A row that says which pull request the session belongs to (Claude Code).
pub(super) fn from_row(data: &Json<'_>) -> Option<Found> {
    let deed = data.get("prUrl").and_then(Json::as_str).and_then(output::pull_request)?;
    Some(Found { deed, outcome: Outcome::Passed })
}

#[cfg(test)]
mod tests;
