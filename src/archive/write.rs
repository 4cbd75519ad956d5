//! Writes an archive: what is new first, then what names it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use super::data::hash;
use super::disk::{ArchiveError, Folder, MARK, MONTH_PAGES, MONTHS, SESSIONS, TEXT, UNFINISHED};
use super::index::{self, PlainMonth, PlainRow};
use super::manifest::{Manifest, file, month_name};
use super::pack;
use super::plan::{Job, Plan, Wish};
use super::row::Row;
use super::session::{Made, Settings, Text, Unmade, file_name};
use super::team::{self, Author};
use super::word_files::{self, News};
use crate::find::ManyOptions;
use crate::page::{Relation, Relative};
use crate::progress::{Progress, Steps, Task};
use crate::session::time::now;
use crate::workers::{Threads, Workers};

/// So many of the newest sessions are links in `index.html` itself.
pub(super) const PLAIN_ROWS: usize = 200;

/// And so many of one month are in one page: a new session changes one of these.
const MONTH_PAGE_ROWS: usize = if cfg!(test) { 2 } else { 500 };

/// Permission bits: what is redacted is to be given away, other pages are for their owner.
pub(super) const ANYONE: u32 = 0o666;
const OWNER: u32 = 0o600;

/// What became of the sessions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// How many the archive has.
    pub(crate) sessions: usize,
    /// How many pages were written.
    pub(crate) written: usize,
    /// How many secrets were replaced in those.
    pub(crate) redacted: usize,
    /// How many stayed as they were.
    pub(crate) unchanged: usize,
    /// How many of those are left of files that are gone.
    pub(crate) gone: usize,
    pub(crate) removed: usize,
    /// Nobody of this name had written to the team's archive.
    pub(crate) is_new_author: bool,
    /// Ids and reasons of those whose pages could not be made.
    pub(crate) failed: Vec<(String, String)>,
}

/// Writes an archive, or brings one up to date; with an author, that of a team.
///
/// # Errors
/// [`ArchiveError`] where a file cannot be written. The archive is then as it was, but for pages of sessions that have
/// changed since; the next run goes on.
pub(crate) fn write(
    path: &Path,
    wish: &Wish<'_>,
    settings: &Settings,
    progress: Option<Progress>,
) -> Result<Outcome, ArchiveError> {
    let mode = if settings.rules.is_some() { ANYONE } else { OWNER };
    if let Some(author) = wish.author {
        return team::write(path, (author, mode), wish, settings, progress);
    }
    if team::is_teams(path) {
        return Err(ArchiveError::Team(path.to_owned()));
    }
    write_to(&Folder::open(path, mode)?, wish, settings, progress)
}

pub(super) fn write_to(
    folder: &Folder,
    wish: &Wish<'_>,
    settings: &Settings,
    progress: Option<Progress>,
) -> Result<Outcome, ArchiveError> {
    let is_new_author = match wish.author {
        Some(author) => team::claim(folder, author, wish.key)?,
        None => false,
    };
    let made_by = hash(&[wish.key, settings.fingerprint.as_bytes()]);
    let mut next = Manifest::new(settings.rules.is_some(), made_by);
    let there = Manifest::read(folder);
    let sources = wish.sources();
    // It alone knows the pages of sessions that are gone.
    if there.is_none() && Manifest::is_there(&folder.path) && !wish.prune {
        return Err(ArchiveError::Damaged(folder.path.clone()));
    }
    if let Some((_, rows)) = there.as_ref().filter(|(there, _)| there.settings != next.settings) {
        let known: HashSet<&String> = sources.iter().collect();
        let gone = rows.iter().filter(|row| !known.contains(&row.source)).count();
        // Their pages may hold what is to be replaced now, and nobody can make them anew.
        if gone > 0 && !wish.prune {
            return Err(ArchiveError::MadeOtherwise { path: folder.path.clone(), gone });
        }
    }
    let same = there.as_ref().filter(|(there, _)| there.settings == next.settings);
    let old =
        same.filter(|(old, _)| old.version == next.version && word_files::are_there(folder, old));
    let mut plan = Plan::new(wish, &sources, folder, (same, old.is_some()));
    if plan.lost > 0 {
        return Err(ArchiveError::WouldLose { path: folder.path.clone(), lost: plan.lost });
    }
    let mut outcome = Outcome { removed: plan.removed, is_new_author, ..Outcome::default() };
    let mut archive = Archive {
        folder,
        rows: std::mem::take(&mut plan.kept),
        news: News::default(),
        names: HashSet::new(),
    };
    archive.names = archive.rows.iter().map(|row| row.page.to_ascii_lowercase()).collect();
    archive.names.extend(
        plan.jobs.iter().filter_map(|job| Some(job.before.as_ref()?.page.to_ascii_lowercase())),
    );
    outcome.unchanged = archive.rows.len();
    archive.make((&plan.jobs, old.is_some()), wish, settings, progress, &mut outcome)?;
    let members = archive.relate(wish, &sources);
    archive.link(&members, wish, settings)?;
    outcome.sessions = archive.rows.len();
    outcome.gone = archive.rows.iter().filter(|row| row.gone).count();
    let numbers_there: HashSet<u32> = archive.rows.iter().map(|row| row.n).collect();
    let has_lost =
        old.is_some_and(|(_, rows)| rows.iter().any(|row| !numbers_there.contains(&row.n)));
    let old = old.map(|(manifest, _)| manifest);
    let numbers = numbers_there.iter().map(|n| n + 1).chain(same.map(|(same, _)| same.next));
    next.next = numbers.max().unwrap_or_default();
    if old.is_none() {
        archive.list_kept();
    }
    let news = std::mem::take(&mut archive.news);
    news.write(folder, old, has_lost.then_some(&numbers_there), &mut next)?;
    archive.write_months(&mut next)?;
    next.made = old.map_or(0, |old| old.made);
    archive.write_index(&next, wish.author)?;
    if old != Some(&next) {
        next.made = now();
        next.write(folder)?;
    }
    archive.remove_rest(&next)?;
    Ok(outcome)
}

/// An archive that is being written.
struct Archive<'f> {
    folder: &'f Folder,
    rows: Vec<Row>,
    news: News,
    /// Names of pages that are taken, in lower case, as some file systems do not tell cases apart.
    names: HashSet<String>,
}

impl Archive<'_> {
    /// Makes the sessions that are new or have changed.
    fn make(
        &mut self,
        (jobs, is_current): (&[Job], bool),
        wish: &Wish<'_>,
        settings: &Settings,
        progress: Option<Progress>,
        outcome: &mut Outcome,
    ) -> Result<(), ArchiveError> {
        let options = ManyOptions::default();
        let steps = Steps::new(progress, Task::Write, jobs.len());
        let one = |(): &mut (), nth: usize| {
            settings.make(&wish.members[jobs[nth].member].session, &options, &[])
        };
        let mut next = jobs.iter();
        Workers::new(Threads::available(), || ()).run(jobs.len(), one, |made| {
            steps.add(1);
            let Some(job) = next.next() else { return Ok(()) };
            match made {
                Ok(made) => {
                    outcome.redacted += made.redacted;
                    self.put(job, made)?;
                    outcome.written += 1;
                }
                Err(Unmade { why, has_secrets }) => {
                    let id = wish.members[job.member].session.facts.id.clone();
                    outcome.failed.push((id, why));
                    // The page of an earlier state is as good as it was, unless an older version made it, whose rules may
                    // not have known this secret.
                    if is_current || !has_secrets {
                        self.rows.extend(job.before.clone());
                    }
                }
            }
            Ok(())
        })
    }

    /// Writes the page and the texts of a session.
    fn put(&mut self, job: &Job, made: Made) -> Result<(), ArchiveError> {
        let Made { mut row, page, text, words, .. } = made;
        row.n = job.n;
        row.source.clone_from(&job.source);
        row.stamp.clone_from(&job.stamp);
        row.place.clone_from(&job.place);
        row.page = match &job.before {
            Some(before) => before.page.clone(),
            None => self.free_name(&row.id, &job.source),
        };
        self.folder.put(&format!("{SESSIONS}/{}", row.page), &page)?;
        row.text = format!("{}-{}", row.page.trim_end_matches(".html"), hash(&[&text]));
        self.folder.put_named(&text_file(&row), &text)?;
        if row.text != job.listed {
            self.news.add(row.n, words);
        }
        self.rows.push(row);
        Ok(())
    }

    /// A name that no other page has. Sessions of one id are told apart by where they lie.
    fn free_name(&mut self, id: &str, source: &str) -> String {
        let name = file_name(id);
        let mut free = format!("{name}.html");
        if !self.names.insert(free.to_ascii_lowercase()) {
            free = format!("{name}-{source}.html");
            self.names.insert(free.to_ascii_lowercase());
        }
        free
    }

    /// Says of each session what it goes on from, and what of its figures is a copy. Gives the places of the members of
    /// the rows; `None` for sessions that are gone.
    fn relate(&mut self, wish: &Wish<'_>, sources: &[String]) -> Vec<Option<usize>> {
        let places: HashMap<&str, usize> = sources.iter().map(String::as_str).zip(0..).collect();
        let numbers: HashMap<String, u32> =
            self.rows.iter().map(|row| (row.source.clone(), row.n)).collect();
        let there: HashSet<u32> = numbers.values().copied().collect();
        let mut members = Vec::new();
        for row in &mut self.rows {
            let place = places.get(&*row.source).copied();
            members.push(place);
            let Some(place) = place else {
                row.parent = row.parent.filter(|parent| there.contains(parent));
                continue;
            };
            let parent = wish.members[place].parent;
            row.parent = parent.and_then(|parent| numbers.get(&sources[parent]).copied());
            row.own.clone_from(&wish.members[place].own);
        }
        members
    }

    /// Makes the pages anew whose sessions have other relatives than they name. Only now it is known what those are called.
    fn link(
        &mut self,
        members: &[Option<usize>],
        wish: &Wish<'_>,
        settings: &Settings,
    ) -> Result<(), ArchiveError> {
        let families = self.families();
        let mut jobs = Vec::new();
        for (nth, (row, family)) in self.rows.iter().zip(families).enumerate() {
            let parts = family.iter().map(|one| format!("{one:?}")).collect::<Vec<_>>().concat();
            let name = if family.is_empty() { String::new() } else { hash(&[parts.as_bytes()]) };
            if name != row.family
                && let Some(member) = members[nth]
            {
                jobs.push((nth, member, family, name));
            }
        }
        let options = ManyOptions::default();
        let one = |(): &mut (), nth: usize| {
            let (_, member, family, _) = &jobs[nth];
            settings.make(&wish.members[*member].session, &options, family)
        };
        let mut next = jobs.iter();
        Workers::new(Threads::available(), || ()).run(jobs.len(), one, |page| {
            // One that cannot be made once more stays without the links.
            if let (Some((nth, _, _, name)), Ok(Made { page, .. })) = (next.next(), page) {
                let row = &mut self.rows[*nth];
                self.folder.put(&format!("{SESSIONS}/{}", row.page), &page)?;
                row.bytes = page.len() as u64;
                row.family.clone_from(name);
            }
            Ok(())
        })
    }

    /// The relatives of each row: what it goes on from, then what goes on from it, the oldest first.
    fn families(&self) -> Vec<Vec<Relative>> {
        let places: HashMap<u32, usize> = self.rows.iter().map(|row| row.n).zip(0..).collect();
        let mut families = vec![Vec::new(); self.rows.len()];
        let relative = |relation, row: &Row| {
            Relative::new(relation, &*row.title).href(format!("{}?archive", row.page))
        };
        let mut oldest: Vec<(usize, &Row)> = self.rows.iter().enumerate().collect();
        oldest.sort_by_key(|(_, row)| (row.started, row.n));
        let parent = |row: &Row| row.parent.and_then(|parent| places.get(&parent).copied());
        for &(nth, row) in &oldest {
            families[nth].extend(parent(row).map(|at| relative(Relation::Parent, &self.rows[at])));
        }
        for (_, row) in oldest {
            if let Some(at) = parent(row) {
                families[at].push(relative(Relation::Child, row));
            }
        }
        families
    }

    /// Lists the words of sessions that were not made now, from their texts in the folder.
    fn list_kept(&mut self) {
        for row in &self.rows {
            if self.news.has(row.n) {
                continue;
            }
            let text = self.folder.read(&text_file(row)).and_then(|text| Text::read(&text));
            self.news.add(row.n, text.unwrap_or_default().words(&row.title));
        }
    }

    fn write_months(&mut self, next: &mut Manifest) -> Result<(), ArchiveError> {
        self.rows.sort_by(|a, b| b.latest.cmp(&a.latest).then(a.n.cmp(&b.n)));
        let mut months: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            months.entry(row.month()).or_default().push(row);
        }
        // `unknown` comes last where the newest come first.
        let (unknown, known): (Vec<_>, Vec<_>) =
            months.iter().rev().partition(|(month, _)| *month == super::manifest::UNKNOWN);
        for (month, rows) in known.into_iter().chain(unknown) {
            // Rows are strings and numbers, which JSON always has a form for.
            let json = serde_json::to_string(rows).unwrap_or_default();
            let hash = hash(&[json.as_bytes()]);
            let name = month_name(month, &hash);
            self.folder.put_named(&file(&name), &pack::script(json.as_bytes()))?;
            next.months.push((month.clone(), hash, rows.len()));
        }
        Ok(())
    }

    /// What readers without a script see, and the page that loads the rest.
    fn write_index(&self, next: &Manifest, author: Option<&Author>) -> Result<(), ArchiveError> {
        let mut rows = self.rows.iter();
        let mut months = Vec::new();
        // `rows` are in the order of the months.
        for (month, _, count) in &next.months {
            let of_month: Vec<PlainRow> =
                rows.by_ref().take(*count).map(|row| plain(row, "../sessions/")).collect();
            // The oldest are in the first page, so that what is new is in the last one.
            let pages = of_month.rchunks(MONTH_PAGE_ROWS);
            let mut href = String::new();
            for (nth, rows) in (1..).zip(pages) {
                let earlier = if nth > 1 { month_page(month, nth - 1) } else { String::new() };
                let page = index::month(month, rows, &earlier);
                href = format!("{MONTH_PAGES}/{}", month_page(month, nth));
                self.folder.put_changed(&href, page.as_bytes())?;
            }
            months.push(PlainMonth { href, name: month.clone(), count: *count });
        }
        let newest: Vec<PlainRow> =
            self.rows.iter().take(PLAIN_ROWS).map(|row| plain(row, "sessions/")).collect();
        let author = author.map(Author::name).unwrap_or_default();
        let page = index::index((self.rows.len(), author), next.redacted, &newest, &months);
        self.folder.put_changed("index.html", page.as_bytes()).map(drop)
    }

    /// Removes what the new manifest does not name. Files of other names are none of ours.
    fn remove_rest(&self, next: &Manifest) -> Result<(), ArchiveError> {
        let pages: HashSet<String> = self.rows.iter().map(|row| row.page.clone()).collect();
        let texts = self.rows.iter().map(|row| format!("{}.js", row.text)).collect();
        let months = next.month_files().collect();
        let month_pages = next.months.iter().flat_map(|(month, _, count)| {
            (1..=count.div_ceil(MONTH_PAGE_ROWS)).map(|nth| month_page(month, nth))
        });
        let month_pages = month_pages.collect();
        let data = word_files::names(next).collect();
        let is_html = |name: &str| Path::new(name).extension().is_some_and(|own| own == "html");
        let is_script = |name: &str| Path::new(name).extension().is_some_and(|own| own == "js");
        let is_words = |name: &str| name.starts_with("words-") || name.starts_with("tail-");
        self.keep_only(SESSIONS, &pages, is_html)?;
        self.keep_only(TEXT, &texts, is_script)?;
        self.keep_only(MONTHS, &months, is_script)?;
        self.keep_only(MONTH_PAGES, &month_pages, is_html)?;
        self.keep_only("data", &data, is_words)?;
        self.keep_only("", &HashSet::from([MARK.to_owned()]), |_| false)
    }

    fn keep_only(
        &self,
        folder: &str,
        kept: &HashSet<String>,
        is_ours: impl Fn(&str) -> bool,
    ) -> Result<(), ArchiveError> {
        let files = self.folder.files(folder).into_keys();
        let is_ours = |name: &String| is_ours(name) || name.starts_with(UNFINISHED);
        for name in files.filter(|name| is_ours(name) && !kept.contains(name)) {
            let place = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            self.folder.remove(&place)?;
        }
        Ok(())
    }
}

/// The file with the texts of a session.
fn text_file(row: &Row) -> String {
    file(&format!("text/{}", row.text))
}

/// The name of a page with links of a month; the first has the oldest.
fn month_page(month: &str, nth: usize) -> String {
    if nth == 1 { format!("{month}.html") } else { format!("{month}-{nth}.html") }
}

/// A row for readers without a script.
pub(super) fn plain<'r>(row: &'r Row, folder: &str) -> PlainRow<'r> {
    PlainRow {
        href: format!("{folder}{}?archive", row.page),
        author: "",
        title: &row.title,
        agent: &row.agent,
        project: &row.project,
        day: row.day().unwrap_or_default(),
    }
}
