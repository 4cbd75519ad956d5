//! Rows beside steps that are collapsed: what these did to the world, compactions, branch summaries and stops, in words.

use std::collections::HashMap;

use crate::figures::short;
use crate::session::EntryIndex;
use crate::session::Session;
use crate::session::digest::Digest;
use crate::session::entry::Body;
use crate::session::landmarks::{Landmark, LandmarkEvent, LandmarkKind, LandmarkOutcome};
use crate::session::message::{Message, joined_text};
use crate::session::story::TurnRole;
use crate::session::text::cut;
use crate::session::words::Words;

use super::TEXT_UNITS;

/// Of a compaction.
const COMPACTION: &str = "compaction";
/// Of the summary of a branch that was left.
const SUMMARY: &str = "summary";
/// Of a response that was stopped before it said anything.
const STOP: &str = "stop";

/// What the row of an entry says.
#[derive(Debug)]
pub(crate) struct RowEvent {
    /// Before the words.
    pub(crate) icon: &'static str,
    pub(crate) words: String,
    /// Whether it is something that was done to the world.
    pub(super) is_landmark: bool,
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
    let dividers = session.indices().filter_map(|entry| {
        let is_divider = digest.story.role(entry) == TurnRole::Divider;
        let (icon, name, more) = match is_divider.then(|| session.entry_at(entry))?.body {
            Body::Compaction(compaction) => {
                let tokens = compaction.tokens_before;
                (COMPACTION, "Compaction", tokens.map(|tokens| format!("{} tokens", short(tokens))))
            }
            Body::BranchSummary(branch) => (SUMMARY, "Branch summary", own_line(&branch.summary)),
            _ => return None,
        };
        let more = more.map(|more| format!(" · {more}")).unwrap_or_default();
        Some((entry, RowEvent { icon, words: format!("{name}{more}"), is_landmark: false }))
    });
    let stops = session.indices().filter_map(|entry| {
        let stop = digest.failures.stop_of(entry)?;
        let is_silent = match session.entry_at(entry).body {
            Body::Message(Message::Assistant(stopped)) => {
                joined_text(&stopped.content, "").trim().is_empty()
            }
            Body::CustomMessage(note) | Body::Message(Message::Custom(note)) => note.is_stop(),
            _ => false,
        };
        let words = stop.words().to_owned();
        is_silent.then_some((entry, RowEvent { icon: STOP, words, is_landmark: false }))
    });
    for entry in session.indices().filter(|&entry| digest.story.run_of(entry).is_none()) {
        for landmark in digest.landmarks.of(entry).iter().filter(|landmark| landmark.has_line()) {
            found.entry(entry).or_default().push(landmark);
        }
    }
    let did = found.into_iter().filter_map(|(entry, all)| Some((entry, RowEvent::of(&all)?)));
    did.chain(dividers).chain(stops).collect()
}

impl RowEvent {
    fn of(landmarks: &[&Landmark]) -> Option<RowEvent> {
        let all = || landmarks.iter().filter(|landmark| landmark.notable().is_none());
        let words: Vec<String> = all().map(|landmark| words(landmark)).collect();
        let icon = all().map(|landmark| icon(landmark)).min_by_key(|(rank, _)| *rank)?.1;
        Some(RowEvent { icon, words: words.join(" · "), is_landmark: true })
    }
}

/// The first line of a summary that says something of this branch: pi introduces each with the same two lines, and begins
/// it with a heading.
fn own_line(summary: &str) -> Option<String> {
    let own = summary.split_once("Summary of that exploration:").map_or(summary, |(_, own)| own);
    let line = own.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'))?;
    Some(Words::of_markdown(cut(line, TEXT_UNITS)).text)
}

fn words(landmark: &Landmark) -> String {
    match &landmark.event {
        LandmarkEvent::Commit { hash, subject, .. } if hash.is_empty() => {
            format!("Commit {subject}")
        }
        LandmarkEvent::Commit { .. } => landmark.event.text(),
        LandmarkEvent::Push { branch } => format!("Pushed {branch}"),
        LandmarkEvent::PullRequest { number, title, .. } if title.is_empty() => {
            format!("Pull request #{number}")
        }
        LandmarkEvent::PullRequest { number, title, .. } => format!("#{number} {title}"),
        event => format!("{} {}", landmark.word(), event.text()),
    }
}

/// With its rank: of several the first stands before the row.
fn icon(landmark: &Landmark) -> (u8, &'static str) {
    match landmark.event.kind() {
        LandmarkKind::PullRequest => (0, "pull-request"),
        LandmarkKind::Commit => (1, "commit"),
        LandmarkKind::Push => (2, "push"),
        _ if landmark.outcome == LandmarkOutcome::Failed => (3, "cross"),
        _ => (3, "check"),
    }
}
