//! What the current branch did to the world, and what failed or was stopped on it.

use serde::Serialize;

use crate::session::digest::Digest;
use crate::session::failure::{Failure, Stop};
use crate::session::landmarks::{Landmark, LandmarkKind, LandmarkOutcome};
use crate::session::{EntryIndex, Session};

/// A commit, a push, a pull request, a test run, or what is worth a look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LandmarkReport {
    /// Which of them.
    pub kind: LandmarkKind,
    /// The key of the result of the call, or of the user's command.
    pub entry_id: String,
    /// Hash and subject, branch, address, command or path.
    pub text: String,
    /// What came of it.
    pub outcome: LandmarkOutcome,
}

/// A call, a response or a command of the user that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FailureReport {
    /// The entry's key.
    pub entry_id: String,
    /// The tool; null for a response.
    pub tool: Option<String>,
    /// The first line of the message.
    pub text: String,
}

/// A response or a call that was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StopReport {
    /// The entry's key.
    pub entry_id: String,
    /// The session says that the user stopped it.
    pub by_user: bool,
}

/// What some entries did.
pub(super) struct DidReport {
    pub(super) landmarks: Vec<LandmarkReport>,
    pub(super) failures: Vec<FailureReport>,
    pub(super) stops: Vec<StopReport>,
}

impl LandmarkReport {
    fn of(session: &Session, landmark: &Landmark) -> LandmarkReport {
        LandmarkReport {
            kind: landmark.event.kind(),
            entry_id: session.key_at(landmark.entry),
            text: landmark.event.text(),
            outcome: landmark.outcome,
        }
    }
}

impl FailureReport {
    fn of(session: &Session, failure: &Failure) -> FailureReport {
        let Failure { entry, tool, text } = failure.clone();
        FailureReport { entry_id: session.key_at(entry), tool, text }
    }
}

impl StopReport {
    fn of(session: &Session, stop: &Stop) -> StopReport {
        StopReport { entry_id: session.key_at(stop.entry), by_user: stop.by_user }
    }
}

/// What these entries of a path did, and the sub-agents that they started.
pub(super) fn over(session: &Session, digest: &Digest<'_>, entries: &[EntryIndex]) -> DidReport {
    let work = session.with_sub_agents(entries);
    let landmarks = digest.landmarks.over(&work).into_iter();
    let failures = digest.failures.over(&work);
    let stops = digest.failures.stops_over(&work);
    DidReport {
        landmarks: landmarks.map(|landmark| LandmarkReport::of(session, landmark)).collect(),
        failures: failures.map(|failure| FailureReport::of(session, failure)).collect(),
        stops: stops.map(|stop| StopReport::of(session, stop)).collect(),
    }
}
