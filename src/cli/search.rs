//! `leafpress search`: where something was said, in the sessions of all agents.

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::catalog::{Catalog, Found, FoundIn, Hit, Order, Search, Update, role_name};
use crate::cli::error::Error;
use crate::file_name;
use crate::outline::advice;
use crate::private::make_private;
use crate::session::text::{count, counted, numbered};
use crate::session::time;
use crate::short_ids::ShortIds;

use super::catalog::{failed, forget_catalog, with_catalog};
use super::clock::{Clock, ClockArg};
use super::columns::{columns, shortened, wrapped};
use super::place::Place;
use super::printable::{printable, printable_path, working_directory};
use super::source::{is_id, name};
use super::{message, output, progress};

/// What a query is made of, below the options.
pub(super) const QUERY: &str = "\
A query is a list of words, \"phrases\" and operators. One message must have all
of them:
  role: tool: is: label: before: after:   of the message, as in `leafpress tree`
  project: agent: session: file:          of the session; a file that it changed
  -word -operator:value                   must not match
A word finds the words that begin with it, from three letters on. Titles,
prompts, responses, commands, file names of calls, summaries and reviews are
searched. --full also finds tool output, thinking and parts of words; it reads
every session.

Exit status: 0 found; 1 nothing found, or an error, which is on standard error;
2 wrong usage.";

/// An answer is given after so long from what is indexed by then.
const PATIENCE: Duration = Duration::from_secs(2);

/// What `leafpress search` takes.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct SearchArgs {
    /// Words, phrases and operators
    #[arg(value_name = "QUERY", required_unless_present = "forget")]
    query: Vec<String>,
    /// Print at most this many sessions; 0 prints all
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 10)]
    limit: usize,
    /// Print the newest sessions first, not the best matches
    #[arg(long)]
    newest: bool,
    /// Also search tool output, thinking and parts of words; slow
    #[arg(long)]
    full: bool,
    /// Export the first session and open the page at its best hit
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
    /// Delete the catalog of your sessions that searches make, and the pages that they opened
    #[arg(long, conflicts_with_all = ["query", "full", "newest", "open", "json"])]
    forget: bool,
}

impl SearchArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let folder = Place::Data.folder().ok_or(Error::NoDataDirectory)?;
        if self.forget {
            return forget(&folder);
        }
        let query = self.query.join(" ");
        let search = Search::new(&query);
        if search.is_empty() {
            return Err(Error::EmptyQuery);
        }
        for advice in advice(&search.of_messages) {
            message::warning(&advice, None);
        }
        with_catalog(&folder, |catalog, update| self.search(&search, &query, catalog, update))
    }

    fn search(
        &self,
        search: &Search,
        query: &str,
        catalog: &mut Catalog,
        update: &mut Update,
    ) -> Result<(), Error> {
        let folder = catalog.folder().to_owned();
        let failed = failed(&folder);
        let until = (!self.full).then(|| Instant::now() + PATIENCE);
        update.run(catalog, progress::reporter(), until).map_err(&failed)?;
        let answer = self.answer(search, query, catalog, update);
        if update.is_done() {
            return answer;
        }
        update.run(catalog, progress::reporter(), None).map_err(&failed)?;
        if matches!(answer, Err(Error::NothingFound)) {
            return self.answer(search, query, catalog, update);
        }
        let (_, total) = update.progress();
        eprintln!("indexed all {}; search again for all hits", counted(total, "file"));
        answer
    }

    fn answer(
        &self,
        search: &Search,
        query: &str,
        catalog: &Catalog,
        update: &Update,
    ) -> Result<(), Error> {
        let failed = failed(catalog.folder());
        let limit = if self.limit > 0 { self.limit } else { usize::MAX };
        let order = if self.newest { Order::Newest } else { Order::Best };
        let found = if self.full {
            search.run_full(catalog, limit, progress::reporter())
        } else {
            search.run(catalog, order, limit)
        };
        let found = found.map_err(&failed)?;
        progress::clear();
        // What is not read yet may have it.
        if found.total == 0 && !update.is_done() {
            return Err(Error::NothingFound);
        }
        if found.unread > 0 {
            let what = numbered(found.unread, "session was not read", "sessions were not read");
            message::warning(&format!("{what}: the file has changed or is gone"), None);
        }
        if self.json {
            output::json(&Report::new(query, &found, update))?;
        } else if found.total == 0 {
            // A program sees it by the exit status.
            if io::stdout().is_terminal() {
                let more = if self.full { "" } else { "; `--full` also searches tool output" };
                output::to_person(|out| writeln!(out, "nothing found{more}"))?;
            }
        } else {
            let clock = self.clock.clock();
            let ids = ShortIds::of_names(catalog.named().map_err(failed)?);
            output::to_person(|out| {
                print(&found, catalog, &ids, &clock, out)?;
                if self.open { Ok(()) } else { print_advice(&found, catalog, &ids, out) }
            })?;
        }
        if !update.is_done() {
            let (indexed, total) = update.progress();
            eprintln!("indexed {} of {}", count(indexed), counted(total, "file"));
        }
        let Some(first) = found.sessions.first() else { return Err(Error::NothingFound) };
        if self.open { open(first) } else { Ok(()) }
    }
}

/// Deletes the catalog, and the pages that searches opened.
fn forget(folder: &Path) -> Result<(), Error> {
    let was_there = forget_catalog(folder)?;
    let mut pages = 0;
    let files = Place::Pages.folder().into_iter().flat_map(fs::read_dir).flatten().flatten();
    // Whatever else lies there is somebody's.
    for path in files.map(|file| file.path()).filter(|path| output::holds_page(path)) {
        fs::remove_file(&path).map_err(|source| Error::Write { path, source })?;
        pages += 1;
    }
    let folder = printable_path(folder);
    if was_there {
        eprintln!("deleted the catalog in `{folder}`");
    } else {
        eprintln!("no catalog in `{folder}`");
    }
    if pages > 0 {
        eprintln!("deleted {}, which a search opened", counted(pages, "page"));
    }
    Ok(())
}

/// Exports the session of a hit into the cache directory, and opens the page at the hit.
fn open(found: &FoundIn) -> Result<(), Error> {
    let folder = Place::Pages.folder().ok_or(Error::NoDataDirectory)?;
    let failed = |source| Error::Write { path: folder.clone(), source };
    make_private(&folder).map_err(failed)?;
    let name = file_name::of_id(&found.session.facts.id);
    let name = if name.is_empty() { "session" } else { &name };
    let out = folder.join(format!("{name}.html"));
    let mut args =
        vec!["leafpress".into(), "--open".into(), "--output".into(), out.into_os_string()];
    if let Some(hit) = found.hits.first() {
        args.extend(["--target".into(), hit.key.clone().into()]);
    }
    args.extend(["--".into(), found.session.address().into_os_string()]);
    super::run_again(args)
}

/// The JSON of `search --json`.
#[derive(Debug, Serialize)]
struct Report<'a> {
    query: &'a str,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    indexed: Option<IndexedReport>,
    sessions: Vec<SessionReport<'a>>,
}

/// How much of a first look is done.
#[derive(Debug, Serialize)]
struct IndexedReport {
    files: usize,
    of: usize,
}

#[derive(Debug, Serialize)]
struct SessionReport<'a> {
    id: &'a str,
    agent: &'a str,
    path: String,
    title: &'a str,
    project: Option<&'a str>,
    started: Option<String>,
    count: usize,
    hits: Vec<HitReport<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HitReport<'a> {
    entry_id: &'a str,
    role: &'static str,
    time: Option<String>,
    text: &'a str,
}

impl<'a> Report<'a> {
    fn new(query: &'a str, found: &'a Found, update: &Update) -> Report<'a> {
        let (files, of) = update.progress();
        Report {
            query,
            total: found.total,
            indexed: (!update.is_done()).then_some(IndexedReport { files, of }),
            sessions: found.sessions.iter().map(SessionReport::new).collect(),
        }
    }
}

impl SessionReport<'_> {
    fn new(found: &FoundIn) -> SessionReport<'_> {
        let facts = &found.session.facts;
        SessionReport {
            id: &facts.id,
            agent: &facts.agent,
            path: found.session.address().display().to_string(),
            title: &facts.title,
            project: facts.project.as_deref(),
            started: facts.started.map(time::iso),
            count: found.count,
            hits: found.hits.iter().map(HitReport::new).collect(),
        }
    }
}

impl HitReport<'_> {
    fn new(hit: &Hit) -> HitReport<'_> {
        HitReport {
            entry_id: &hit.key,
            role: role_name(hit.kind),
            time: hit.time.map(time::iso),
            text: &hit.excerpt.text,
        }
    }
}

/// A line a session, one below it for where it was, and one for each hit.
fn print(
    found: &Found,
    catalog: &Catalog,
    ids: &ShortIds,
    clock: &Clock,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let columns = columns();
    for found in &found.sessions {
        let facts = &found.session.facts;
        let time = facts.latest.and_then(|ms| clock.minute(ms)).unwrap_or_default();
        let name = name(&found.session, ids);
        let start = format!("{time:16}  {:11}  ", facts.agent);
        let title = shortened(&printable(&facts.title), columns.saturating_sub(start.len()));
        writeln!(out, "{start}{bold}{title}{bold:#}")?;
        let folder = working_directory(Some(&facts.cwd));
        let more = found.count.saturating_sub(found.hits.len());
        let more = (more > 0).then(|| format!(", {}", numbered(more, "more hit", "more hits")));
        let place = format!("  {name}  {folder}{}", more.unwrap_or_default());
        writeln!(out, "{dim}{}{dim:#}", shortened(&place, columns))?;
        let keys = ShortIds::of_names(catalog.keys(&found.session));
        let width =
            found.hits.iter().map(|hit| role_name(hit.kind).len()).max().unwrap_or_default();
        for hit in &found.hits {
            let (role, key) = (role_name(hit.kind), printable(keys.short(&hit.key)));
            let start = format!("  {role:width$}  {key}  ");
            write!(out, "{dim}{start}{dim:#}")?;
            print_excerpt(hit, columns.saturating_sub(start.width()), out)?;
        }
    }
    let shown = format!(
        "{} of {}, {}",
        count(found.sessions.len()),
        counted(found.total, "session"),
        clock.note()
    );
    for line in wrapped(&[shown], "; ", columns) {
        writeln!(out, "{dim}{line}{dim:#}")?;
    }
    Ok(())
}

/// How to see the best hit.
fn print_advice(
    found: &Found,
    catalog: &Catalog,
    ids: &ShortIds,
    out: &mut dyn Write,
) -> io::Result<()> {
    let dim = Style::new().dimmed();
    // Some agents give ids that no command would take.
    if let Some(FoundIn { session, hits, .. }) = found.sessions.first()
        && let (Some(hit), id) = (hits.first(), ids.short(&session.facts.id))
        && is_id(id)
    {
        let keys = ShortIds::of_names(catalog.keys(session));
        let key = keys.short(&hit.key);
        writeln!(out, "{dim}`leafpress {id} --target {key} --open` opens the best hit{dim:#}")?;
    }
    Ok(())
}

/// The words around a hit, as many as fit, with what was found in bold.
fn print_excerpt(hit: &Hit, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    let found = AnsiColor::Yellow.on_default().bold();
    let text = &hit.excerpt.text;
    let shown = shortened(text, columns);
    // What was cut ends with a sign of its own.
    let end = shown.trim_end_matches('…').len().min(text.len());
    let mut at = 0;
    for mark in hit.excerpt.marks.iter().filter(|mark| mark.end <= end) {
        let word = printable(&text[mark.clone()]);
        write!(out, "{}{found}{word}{found:#}", printable(&text[at..mark.start]))?;
        at = mark.end;
    }
    writeln!(out, "{}", printable(&shown[at..]))
}
