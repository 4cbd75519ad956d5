//! Rows beside steps that are collapsed: what these did to the world, and compactions, in words.

use std::collections::HashMap;

use crate::figures::short;
use crate::session::EntryIndex;
use crate::session::Session;
use crate::session::digest::Digest;
use crate::session::entry::Body;
use crate::session::landmarks::{Landmark, LandmarkEvent, LandmarkKind, LandmarkOutcome};
use crate::session::story::TurnRole;

/// Of a compaction.
const COMPACTION: &str = "⇊";

/// What the row of an entry says.
#[derive(Debug)]
pub(crate) struct RowEvent {
    /// Before the words; empty for what failed.
    pub(crate) glyph: &'static str,
    pub(crate) words: String,
}

/// By entry: those with a line in the story. What is worth a look has a mark of its own instead, and a push beside what
/// it pushed says nothing new.
pub(super) fn of_all(session: &Session, digest: &Digest<'_>) -> HashMap<EntryIndex, RowEvent> {
    let mut found: HashMap<EntryIndex, Vec<&Landmark>> = HashMap::new();
    for run in digest.story.runs() {
        let lines: Vec<&Landmark> =
            digest.landmarks.lines(&run.entries).into_iter().map(|line| line.landmark).collect();
        let is_told = lines.iter().any(|line| {
            matches!(line.event.kind(), LandmarkKind::Commit | LandmarkKind::PullRequest)
        });
        for line in lines {
            if !(is_told && line.event.kind() == LandmarkKind::Push) {
                found.entry(line.entry).or_default().push(line);
            }
        }
    }
    let compactions = session.indices().filter_map(|entry| {
        let is_divider = digest.story.role(entry) == TurnRole::Divider;
        let Body::Compaction(compaction) = is_divider.then(|| session.entry_at(entry))?.body else {
            return None;
        };
        let tokens = compaction.tokens_before.map(|tokens| format!(" · {} tokens", short(tokens)));
        let words = format!("Compaction{}", tokens.unwrap_or_default());
        Some((entry, RowEvent { glyph: COMPACTION, words }))
    });
    for entry in session.indices().filter(|&entry| digest.story.run_of(entry).is_none()) {
        for landmark in digest.landmarks.of(entry).iter().filter(|landmark| landmark.has_line()) {
            found.entry(entry).or_default().push(landmark);
        }
    }
    let did = found.into_iter().filter_map(|(entry, all)| Some((entry, RowEvent::of(&all)?)));
    did.chain(compactions).collect()
}

impl RowEvent {
    /// Whether it is something that was done to the world.
    pub(super) fn is_landmark(&self) -> bool {
        self.glyph != COMPACTION
    }

    fn of(landmarks: &[&Landmark]) -> Option<RowEvent> {
        let all = || landmarks.iter().filter(|landmark| landmark.notable().is_none());
        let words: Vec<String> = all().map(|landmark| words(landmark)).collect();
        let glyph = all().map(|landmark| glyph(landmark)).min_by_key(|(rank, _)| *rank)?.1;
        Some(RowEvent { glyph, words: words.join(" · ") })
    }
}

fn words(landmark: &Landmark) -> String {
    match &landmark.event {
        LandmarkEvent::Commit { hash, subject, .. } => format!("{hash} {subject}"),
        LandmarkEvent::Push { branch } => format!("Pushed {branch}"),
        LandmarkEvent::PullRequest { number, .. } => format!("Pull request #{number}"),
        event => format!("{} {}", landmark.word(), event.text()),
    }
}

/// With its rank: of several the first stands before the row.
fn glyph(landmark: &Landmark) -> (u8, &'static str) {
    match landmark.event.kind() {
        LandmarkKind::PullRequest => (0, "⇄"),
        LandmarkKind::Commit => (1, "◆"),
        LandmarkKind::Push => (2, "↑"),
        _ if landmark.outcome == LandmarkOutcome::Failed => (3, ""),
        _ => (3, "✓"),
    }
}
