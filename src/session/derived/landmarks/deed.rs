//! What a session can have done to the world, and what came of it.

use serde::Serialize;

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
    pub const ALL: &'static [LandmarkKind] =
        &[LandmarkKind::Commit, LandmarkKind::Push, LandmarkKind::PullRequest, LandmarkKind::Test];

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

/// A landmark without its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session::derived) struct Found {
    pub(super) deed: Deed,
    pub(super) outcome: Outcome,
}
