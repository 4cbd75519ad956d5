//! What the facts of the head open: the files, failures and so on that they count, each row a link to its entry.

use std::collections::{HashMap, HashSet};

use crate::changes::{Changes, EditedFile, EditedLines};
use crate::render::Time;
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
    /// The folder of this file and of those below it, up to the next one that names a folder.
    pub(super) folder: String,
    /// The number of the prompt that asked for it, and when it happened.
    pub(super) at: Option<(usize, Option<Time>)>,
    /// In the color of a link: the name of a file.
    pub(super) name: String,
    /// What follows it.
    pub(super) words: String,
    /// The file whose changes the row shows, where there is a script.
    pub(super) file: Option<String>,
    pub(super) lines: EditedLines,
}

/// Where on the branch an entry lies.
pub(super) struct Places<'s> {
    session: &'s Session,
    /// By entry of the path the number of its prompt.
    prompts: HashMap<EntryIndex, usize>,
}

impl<'s> Places<'s> {
    pub(super) fn new(session: &'s Session, story: &Story, path: &[EntryIndex]) -> Places<'s> {
        let mut number = 0;
        let prompts = path.iter().map(|&entry| {
            number += usize::from(story.role(entry) == TurnRole::Prompt);
            (entry, number)
        });
        Places { session, prompts: prompts.collect() }
    }

    /// A row for an entry, also for one of a sub-agent.
    fn row(&self, entry: EntryIndex) -> HeadRow {
        let mut on_path = entry;
        while let Some(nth) = self.session.tree().session_of(on_path).checked_sub(1) {
            on_path = self.session.sub_sessions()[nth].started_by;
        }
        let time = self.session.time(entry);
        let time = time.map(Time::new);
        let at = self.prompts.get(&on_path).filter(|number| **number > 0);
        HeadRow {
            key: self.session.key_at(entry),
            at: at.map(|number| (*number, time)),
            ..HeadRow::default()
        }
    }
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
    let path = |file: &EditedFile| changes.shown(&changes.files()[file.file]);
    // Those of a folder together, where the first of them stands.
    let mut folders: HashMap<&str, usize> = HashMap::new();
    for (nth, file) in files.iter().enumerate() {
        folders.entry(parts(path(file)).0).or_insert(nth);
    }
    files.sort_by_key(|file| folders[parts(path(file)).0]);
    let mut last = None;
    HeadList::new(("files", "Files"), &files, |file| {
        let (folder, name) = parts(path(file));
        let is_next = last.replace(folder) != Some(folder);
        HeadRow {
            key: session.key_at(file.first),
            folder: if is_next { shortened(&one_line(folder), FACT_UNITS) } else { String::new() },
            name: shortened(&one_line(name), FACT_UNITS),
            file: Some(path(file).to_owned()),
            lines: file.lines,
            ..HeadRow::default()
        }
    })
}

/// The folder and the name.
fn parts(path: &str) -> (&str, &str) {
    let at = path.trim_end_matches(['/', '\\']).rfind(['/', '\\']).map_or(0, |at| at + 1);
    path.split_at(at)
}

/// The commits among what was done, as hash, where it is known, and subject.
pub(super) fn commits(places: &Places<'_>, landmarks: &[&Landmark]) -> Option<HeadList> {
    let commit = |landmark: &&Landmark| match &landmark.event {
        LandmarkEvent::Commit { hash, subject, .. } => {
            Some((landmark.entry, hash.clone(), subject.clone()))
        }
        _ => None,
    };
    let commits: Vec<_> = landmarks.iter().filter_map(commit).collect();
    HeadList::new(("commits", "Commits"), &commits, |(entry, hash, subject)| {
        let (name, words) = if hash.is_empty() { (subject, hash) } else { (hash, subject) };
        HeadRow {
            name: shortened(name, FACT_UNITS),
            words: shortened(words, FACT_UNITS),
            ..places.row(*entry)
        }
    })
}

/// The pull requests among what was done, by number and title, or else by address.
pub(super) fn pull_requests(places: &Places<'_>, landmarks: &[&Landmark]) -> Option<HeadList> {
    let request = |landmark: &&Landmark| match &landmark.event {
        LandmarkEvent::PullRequest { number, address, title } => {
            let address = address.trim_start_matches("https://");
            let words = if title.is_empty() { address } else { title };
            Some((landmark.entry, *number, words.to_owned()))
        }
        _ => None,
    };
    let requests: Vec<_> = landmarks.iter().filter_map(request).collect();
    let title = if requests.len() == 1 { "Pull request" } else { "Pull requests" };
    HeadList::new(("pull-request", title), &requests, |(entry, number, words)| HeadRow {
        name: format!("#{number}"),
        words: shortened(words, FACT_UNITS),
        ..places.row(*entry)
    })
}

/// What failed among these entries, with the first line of each message.
pub(super) fn failures(places: &Places<'_>, failures: &[&Failure]) -> Option<HeadList> {
    HeadList::new(("failures", "Failures"), failures, |failure| HeadRow {
        name: shortened(&one_line(failure.tool.as_deref().unwrap_or("response")), FACT_UNITS),
        words: shortened(&one_line(&failure.text), FACT_UNITS),
        ..places.row(failure.entry)
    })
}

/// What was stopped among these entries, with the prompts that had asked for it.
pub(super) fn stops(
    places: &Places<'_>,
    session: &Session,
    story: &Story,
    stops: &[&Stop],
) -> Option<HeadList> {
    let prompt = |entry: EntryIndex| {
        let mut above = session.tree().ancestors(entry);
        above.find(|&above| story.role(above) == TurnRole::Prompt)
    };
    HeadList::new(("stops", "Stops"), stops, |stop| HeadRow {
        name: stop.words().to_owned(),
        words: prompt(stop.entry)
            .and_then(|prompt| title::first_words(session, prompt))
            .unwrap_or_default(),
        ..places.row(stop.entry)
    })
}

/// The sub-agents among these entries, in the order in which they were started.
pub(super) fn sub_agents(
    places: &Places<'_>,
    session: &Session,
    work: &[EntryIndex],
) -> Option<HeadList> {
    let at_work: HashSet<usize> =
        work.iter().map(|&entry| session.tree().session_of(entry)).collect();
    let mut subs: Vec<_> = (session.sub_sessions().iter().enumerate())
        .filter(|(nth, _)| at_work.contains(&(nth + 1)))
        .map(|(_, sub)| sub)
        .collect();
    subs.sort_by_key(|sub| sub.started_by);
    HeadList::new(("sub-agents", "Sub-agents"), &subs, |sub| HeadRow {
        name: shortened(&one_line(sub.agent.as_deref().unwrap_or(&sub.key)), FACT_UNITS),
        words: shortened(&one_line(sub.task.as_deref().unwrap_or_default()), FACT_UNITS),
        ..places.row(sub.started_by)
    })
}
