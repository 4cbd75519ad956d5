//! What the facts of the head open: the files, failures and so on that they count, each row a link to its entry.

use std::collections::HashSet;

use crate::changes::{Changes, EditedFile, EditedLines};
use crate::session::failure::{Failure, Stop};
use crate::session::landmarks::{Landmark, LandmarkEvent};
use crate::session::story::{Story, TurnRole};
use crate::session::text::{one_line, shortened};
use crate::session::{EntryIndex, Session, title};

use crate::content::place::FACT_UNITS;

/// A list has at most so many rows; what it leaves out it counts.
const MOST_ROWS: usize = 100;

/// The rows behind one fact.
pub(super) struct HeadList {
    /// That of its fact.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// How many rows there would be.
    pub(super) total: usize,
    pub(super) rows: Vec<HeadRow>,
}

/// One of them.
#[derive(Default)]
pub(super) struct HeadRow {
    /// Where the row leads.
    pub(super) key: String,
    /// In the color of a link: the name of a file.
    pub(super) name: String,
    /// What follows it: the folder of the file.
    pub(super) words: String,
    /// The file whose changes the row shows, where there is a script.
    pub(super) file: Option<String>,
    pub(super) lines: EditedLines,
}

impl HeadList {
    pub(super) fn new<T>(
        (name, title): (&'static str, &'static str),
        items: &[T],
        row: impl FnMut(&T) -> HeadRow,
    ) -> Option<HeadList> {
        let rows: Vec<HeadRow> = items.iter().take(MOST_ROWS).map(row).collect();
        (!rows.is_empty()).then_some(HeadList { name, title, total: items.len(), rows })
    }

    /// How many rows are left out.
    pub(super) fn more(&self) -> usize {
        self.total - self.rows.len()
    }
}

/// The files that edits changed, those with most changed lines first.
pub(super) fn files(
    session: &Session,
    changes: &Changes,
    files: &[EditedFile],
) -> Option<HeadList> {
    let mut files: Vec<&EditedFile> = files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.lines.added + file.lines.removed));
    HeadList::new(("files", "Files"), &files, |file| {
        let file_path = changes.shown(&changes.files()[file.file]);
        let path = one_line(file_path);
        let at = path.trim_end_matches(['/', '\\']).rfind(['/', '\\']).map_or(0, |at| at + 1);
        HeadRow {
            key: session.key_at(file.first),
            name: shortened(&path[at..], FACT_UNITS),
            words: shortened(&path[..at], FACT_UNITS),
            file: Some(file_path.to_owned()),
            lines: file.lines,
        }
    })
}

/// The commits among what was done, as hash and subject.
pub(super) fn commits(session: &Session, landmarks: &[&Landmark]) -> Option<HeadList> {
    let commit = |landmark: &&Landmark| match &landmark.event {
        LandmarkEvent::Commit { hash, subject, .. } => {
            Some((landmark.entry, hash.clone(), subject.clone()))
        }
        _ => None,
    };
    let commits: Vec<_> = landmarks.iter().filter_map(commit).collect();
    HeadList::new(("commits", "Commits"), &commits, |(entry, hash, subject)| HeadRow {
        key: session.key_at(*entry),
        name: shortened(hash, FACT_UNITS),
        words: shortened(subject, FACT_UNITS),
        ..HeadRow::default()
    })
}

/// What failed among these entries, with the first line of each message.
pub(super) fn failures(session: &Session, failures: &[&Failure]) -> Option<HeadList> {
    HeadList::new(("failures", "Failures"), failures, |failure| HeadRow {
        key: session.key_at(failure.entry),
        name: shortened(&one_line(failure.tool.as_deref().unwrap_or("response")), FACT_UNITS),
        words: shortened(&one_line(&failure.text), FACT_UNITS),
        ..HeadRow::default()
    })
}

/// What was stopped among these entries, with the prompts that had asked for it.
pub(super) fn stops(session: &Session, story: &Story, stops: &[&Stop]) -> Option<HeadList> {
    let prompt = |entry: EntryIndex| {
        let mut above = session.tree().ancestors(entry);
        above.find(|&above| story.role(above) == TurnRole::Prompt)
    };
    HeadList::new(("stops", "Stops"), stops, |stop| HeadRow {
        key: session.key_at(stop.entry),
        name: stop.words().to_owned(),
        words: prompt(stop.entry)
            .and_then(|prompt| title::first_words(session, prompt))
            .unwrap_or_default(),
        ..HeadRow::default()
    })
}

/// The sub-agents among these entries, in the order in which they were started.
pub(super) fn sub_agents(session: &Session, work: &[EntryIndex]) -> Option<HeadList> {
    let at_work: HashSet<usize> =
        work.iter().map(|&entry| session.tree().session_of(entry)).collect();
    let mut subs: Vec<_> = (session.sub_sessions().iter().enumerate())
        .filter(|(nth, _)| at_work.contains(&(nth + 1)))
        .map(|(_, sub)| sub)
        .collect();
    subs.sort_by_key(|sub| sub.started_by);
    HeadList::new(("sub-agents", "Sub-agents"), &subs, |sub| HeadRow {
        key: session.key_at(sub.started_by),
        name: shortened(&one_line(sub.agent.as_deref().unwrap_or(&sub.key)), FACT_UNITS),
        words: shortened(&one_line(sub.task.as_deref().unwrap_or_default()), FACT_UNITS),
        ..HeadRow::default()
    })
}
