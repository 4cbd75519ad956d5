//! The kinds of landmarks, what each is known by, and what came of it.

use serde::{Serialize, Serializer};

use crate::session::text::numbered;

/// A kind of landmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Something that is worth a look.
    Notable(Notable),
}

/// What is worth a look. The order is that of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Notable {
    /// Files were deleted that are neither temporary nor built.
    DeletedFiles,
    /// A push that may replace what others have.
    ForcedPush,
    /// A command ran as another user.
    Sudo,
    /// A script ran that was downloaded by the same command.
    DownloadedScript,
    /// A file was written that is not below the working directory.
    OutsideWrite,
    /// A file that holds credentials was read or written.
    CredentialFile,
}

impl Notable {
    /// All of them.
    pub const ALL: &'static [Notable] = &[
        Notable::DeletedFiles,
        Notable::ForcedPush,
        Notable::Sudo,
        Notable::DownloadedScript,
        Notable::OutsideWrite,
        Notable::CredentialFile,
    ];

    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Notable::DeletedFiles => "deleted-files",
            Notable::ForcedPush => "forced-push",
            Notable::Sudo => "sudo",
            Notable::DownloadedScript => "downloaded-script",
            Notable::OutsideWrite => "outside-write",
            Notable::CredentialFile => "credential-file",
        }
    }

    /// What was done, in words.
    pub fn title(self) -> &'static str {
        match self {
            Notable::DeletedFiles => "Deleted files",
            Notable::ForcedPush => "Forced push",
            Notable::Sudo => "Used sudo",
            Notable::DownloadedScript => "Ran a downloaded script",
            Notable::OutsideWrite => "Wrote outside the working directory",
            Notable::CredentialFile => "Touched a credential file",
        }
    }
}

impl Notable {
    /// How many of them, in words.
    pub(crate) fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Notable::DeletedFiles => ("deletion of files", "deletions of files"),
            Notable::ForcedPush => ("forced push", "forced pushes"),
            Notable::Sudo => ("use of sudo", "uses of sudo"),
            Notable::DownloadedScript => {
                ("run of a downloaded script", "runs of downloaded scripts")
            }
            Notable::OutsideWrite => ("write outside the project", "writes outside the project"),
            Notable::CredentialFile => ("use of a credential file", "uses of credential files"),
        };
        numbered(count, one, many)
    }
}

impl Serialize for LandmarkKind {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.name())
    }
}

impl LandmarkKind {
    /// All but what is worth a look.
    pub const ALL: &'static [LandmarkKind] =
        &[LandmarkKind::Commit, LandmarkKind::Push, LandmarkKind::PullRequest, LandmarkKind::Test];

    /// What is worth a look in it.
    pub fn notable(self) -> Option<Notable> {
        match self {
            LandmarkKind::Notable(what) => Some(what),
            _ => None,
        }
    }

    /// The word for it in JSON, and but for what is worth a look behind `is:` in a search.
    pub fn name(self) -> &'static str {
        match self {
            LandmarkKind::Commit => "commit",
            LandmarkKind::Push => "push",
            LandmarkKind::PullRequest => "pull-request",
            LandmarkKind::Test => "test",
            LandmarkKind::Notable(what) => what.name(),
        }
    }

    /// What happened, in words.
    pub(crate) fn title(self, outcome: LandmarkOutcome) -> &'static str {
        match (self, outcome) {
            (LandmarkKind::Commit, _) => "Commit",
            (LandmarkKind::Push, _) => "Push",
            (LandmarkKind::PullRequest, _) => "Pull request",
            (LandmarkKind::Test, LandmarkOutcome::Passed) => "Tests passed",
            (LandmarkKind::Test, LandmarkOutcome::Failed) => "Tests failed",
            (LandmarkKind::Test, LandmarkOutcome::Unknown) => "Tests",
            (LandmarkKind::Notable(what), _) => what.title(),
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LandmarkOutcome {
    /// It was done; tests passed.
    Passed,
    /// Tests failed.
    Failed,
    /// The exit status of the tests is not known, for example behind a pipe, and what they printed does not say it.
    Unknown,
}

impl LandmarkOutcome {
    /// The word for it in the page's `data-outcome` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            LandmarkOutcome::Passed => "passed",
            LandmarkOutcome::Failed => "failed",
            LandmarkOutcome::Unknown => "unknown",
        }
    }
}

/// What a landmark is known by; each text is one line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LandmarkEvent {
    /// A commit.
    Commit {
        /// As `git commit` prints it, abbreviated; empty where it was told to print nothing.
        hash: String,
        /// The first line of its message; the command where nothing was printed and it does not say it.
        subject: String,
        /// It takes the place of the commit before it.
        is_amended: bool,
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
        /// As the command gives it; may be empty.
        title: String,
    },
    /// Tests that ran.
    Test {
        /// The command.
        command: String,
    },
    /// Something that is worth a look.
    Notable {
        /// What.
        what: Notable,
        /// The command, or the path of the file.
        text: String,
    },
}

impl LandmarkEvent {
    /// What kind.
    pub fn kind(&self) -> LandmarkKind {
        match self {
            LandmarkEvent::Commit { .. } => LandmarkKind::Commit,
            LandmarkEvent::Push { .. } => LandmarkKind::Push,
            LandmarkEvent::PullRequest { .. } => LandmarkKind::PullRequest,
            LandmarkEvent::Test { .. } => LandmarkKind::Test,
            LandmarkEvent::Notable { what, .. } => LandmarkKind::Notable(*what),
        }
    }

    /// The address of a pull request that a page may link to: only `https:`.
    pub(crate) fn link(&self) -> Option<&str> {
        match self {
            LandmarkEvent::PullRequest { address, .. } if address.starts_with("https://") => {
                Some(address)
            }
            _ => None,
        }
    }

    /// All of it in one line: hash, if it is known, and subject, branch, address, command or path.
    pub fn text(&self) -> String {
        match self {
            LandmarkEvent::Commit { hash, subject, .. } if hash.is_empty() => subject.clone(),
            LandmarkEvent::Commit { hash, subject, .. } => format!("{hash} {subject}"),
            LandmarkEvent::Push { branch: text }
            | LandmarkEvent::PullRequest { address: text, .. }
            | LandmarkEvent::Test { command: text }
            | LandmarkEvent::Notable { text, .. } => text.clone(),
        }
    }
}

/// A landmark without its entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session::derived) struct Found {
    pub(super) event: LandmarkEvent,
    pub(super) outcome: LandmarkOutcome,
}
