//! `leafpress archive`: a folder with the pages of all sessions, an index and a search.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::archive::{self, Author, Filter, Outcome, Settings, Wish, Written};
use crate::catalog::{Catalog, Member, Update};
use crate::cli::error::Error;
use crate::find;
use crate::outline;
use crate::page::{Detail, Options};
use crate::private::make_private;
use crate::render::Highlight;
use crate::session::Format;
use crate::session::text::{bytes, counted, numbered};
use crate::temporary::Temporary;

use super::catalog::{failed, with_catalog};
use super::cut::PartsArgs;
use super::input::{PricesArg, is_stdio};
use super::output::{Existing, Target};
use super::place::Place;
use super::printable::{list, printable, printable_path};
use super::secrets::RulesArgs;
use super::{export, format, message, output, progress};

/// What `leafpress archive` takes.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct ArchiveArgs {
    /// Session files, and directories with some [default: all sessions of all agents]
    #[arg(value_name = "PLACE")]
    places: Vec<PathBuf>,
    /// Directory to write to: an earlier archive, an empty one or a new one
    #[arg(short, long, value_name = "DIR", required_unless_present = "documents")]
    output: Option<PathBuf>,
    /// Add the sessions to an archive that several people fill, under this name
    #[arg(long, value_name = "NAME", value_parser = Author::named, conflicts_with = "documents")]
    author: Option<Author>,
    /// Write no pages but JSON lines for a database, an entry each, `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "prune"])]
    documents: Option<PathBuf>,
    /// Do not ask before all sessions are written
    #[arg(short, long)]
    yes: bool,
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME", value_parser = format(&find::agents()))]
    agent: Option<Format>,
    /// Only sessions whose project or working directory contains this; repeatable
    #[arg(long = "project", value_name = "NAME")]
    projects: Vec<String>,
    /// No sessions whose project or working directory contains this; repeatable
    #[arg(long = "exclude-project", value_name = "NAME")]
    excluded: Vec<String>,
    /// Only sessions with an entry on this day, such as 2026-11-03, or later, and those that are there
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Remove the pages of sessions that their agents have deleted, and those before --since
    #[arg(long)]
    prune: bool,
    /// Let the search of the archive find the output of tools; makes it larger
    #[arg(long)]
    tool_output: bool,
    /// Remove sub-agent sessions
    #[arg(long, help_heading = super::cut::HEADING)]
    no_subsessions: bool,
    /// Remove the session files from the pages
    #[arg(long, help_heading = super::cut::HEADING)]
    no_source: bool,
    /// Level of detail
    #[arg(long, value_enum, default_value_t)]
    detail: Detail,
    /// Filter of the tree
    #[arg(long, value_enum, default_value_t)]
    filter: outline::Filter,
    /// How code is highlighted
    #[arg(long, value_enum, default_value_t)]
    highlight: Highlight,
    /// Read the colors of the pages from a JSON file
    #[arg(long, value_name = "FILE")]
    theme: Option<PathBuf>,
    /// Include archived branches
    #[arg(long)]
    archived: bool,
    /// Write the sessions with their secrets
    #[arg(long, help_heading = super::secrets::HEADING)]
    no_redact: bool,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    prices: PricesArg,
    #[command(flatten)]
    parts: PartsArgs,
}

/// What the catalog says.
struct Known {
    members: Vec<Member>,
    /// Makes hashes that only this machine can tell again.
    key: Vec<u8>,
    unreadable: Vec<PathBuf>,
}

impl ArchiveArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let settings = self.settings()?;
        let filter = self.filter();
        // The same whatever directory the command runs in. One that is not there is said where it is read.
        let canonical = |place: &PathBuf| fs::canonicalize(place).unwrap_or_else(|_| place.clone());
        let places: Vec<PathBuf> = self.places.iter().map(canonical).collect();
        let Known { members, key, unreadable } = ArchiveArgs::known(&places)?;
        progress::clear();
        let chosen: Vec<&Member> =
            members.iter().filter(|member| filter.takes(&member.session.facts)).collect();
        let folder = self.output.as_deref();
        let own = folder.map(|folder| {
            self.author.as_ref().map_or(folder.to_owned(), |author| author.path(folder))
        });
        if chosen.is_empty() && !own.is_some_and(|own| archive::is_one(&own)) {
            return Err(Error::NothingToArchive);
        }
        if self.places.is_empty() {
            self.ask(&chosen)?;
        }
        let wish = Wish {
            members: &members,
            filter: &filter,
            places: &places,
            prune: self.prune,
            key: &key,
            author: self.author.as_ref(),
        };
        let Some(folder) = folder else {
            let written = self.write_documents(&wish, &settings)?;
            say_unreadable(&unreadable);
            self.say_unknown(&chosen);
            return say_documents(&written, !self.no_redact);
        };
        let outcome = archive::write(folder, &wish, &settings, progress::reporter())?;
        progress::clear();
        output::path(&folder.join("index.html"))?;
        say_unreadable(&unreadable);
        self.say_unknown(&chosen);
        if let Some(author) = self.author.as_ref().filter(|_| outcome.is_new_author) {
            eprintln!("added the author `{}`", printable(author.name()));
        }
        say(&outcome, !self.no_redact)
    }

    fn write_documents(&self, wish: &Wish<'_>, settings: &Settings) -> Result<Written, Error> {
        let path = self.documents.as_deref().unwrap_or(Path::new("-"));
        let most = self.no_redact.then_some(0o600);
        let target = Target { path, existing: Existing::Replace, most };
        let written = output::write_file(&target, |out| {
            archive::documents(wish, settings, progress::reporter(), out)
        })?;
        progress::clear();
        if !is_stdio(path) {
            output::path(path)?;
        }
        Ok(written)
    }

    fn settings(&self) -> Result<Settings, Error> {
        let rules = if self.no_redact { None } else { Some(self.rules.rules()?) };
        let theme = self.theme.as_deref().map(export::read_theme).transpose()?;
        let prices = self.prices.read()?;
        // What is the same here gives the same pages.
        let fingerprint = format!(
            "{rules:?} {prices:?} {theme:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            self.parts,
            (self.detail, self.filter, self.highlight),
            self.no_subsessions,
            self.no_source,
            self.archived,
            self.tool_output,
        );
        let page = Options {
            filter: self.filter,
            detail: self.detail,
            theme,
            without_source: self.no_source,
            highlight: self.highlight,
            // An author's archive lies two folders deep in the team's.
            index: Some(if self.author.is_some() {
                "../../../index.html"
            } else {
                "../index.html"
            }),
            ..Options::default()
        };
        Ok(Settings {
            rules,
            prices,
            cut: self.parts.cut(),
            page,
            archived: self.archived,
            without_children: self.no_subsessions,
            with_output: self.tool_output,
            fingerprint,
        })
    }

    fn filter(&self) -> Filter {
        let since = self.since.and_then(|date| date.to_zoned(TimeZone::system()).ok());
        Filter {
            agent: self.agent,
            projects: self.projects.clone(),
            excluded: self.excluded.clone(),
            since: since.map(|since| since.timestamp().as_millisecond()),
        }
    }

    /// What is known of the sessions in question, when all changes are read.
    fn known(places: &[PathBuf]) -> Result<Known, Error> {
        let data = Place::Data.folder().ok_or(Error::NoDataDirectory)?;
        let read = |catalog: &Catalog, key| {
            let members = catalog.sessions()?;
            Ok(Known { members, key, unreadable: catalog.unreadable()? })
        };
        if places.is_empty() {
            return with_catalog(&data, |catalog, update| {
                update.run(catalog, progress::reporter(), None).map_err(failed(&data))?;
                read(catalog, key(&data)?).map_err(failed(&data))
            });
        }
        let mut files = Vec::new();
        for place in places {
            let unread = |source| Error::Read { path: place.clone(), source };
            files.append(&mut find::files_in(place).map_err(unread)?);
        }
        let key = key(&data)?;
        let read = || {
            let mut catalog = Catalog::temporary()?;
            let mut update = Update::look_at(&mut catalog, files)?;
            update.run(&mut catalog, progress::reporter(), None)?;
            read(&catalog, key)
        };
        read().map_err(failed(&data))
    }

    /// Warns of sessions that no name of a project excludes.
    fn say_unknown(&self, chosen: &[&Member]) {
        let facts = chosen.iter().map(|member| &member.session.facts);
        let unknown = facts.filter(|facts| facts.cwd.is_empty() && facts.project.is_none()).count();
        if unknown > 0 && !self.excluded.is_empty() {
            let what = numbered(
                unknown,
                "session with an unknown working directory is included",
                "sessions with unknown working directories are included",
            );
            message::warning(&what, Some("name the projects that you want with `--project`"));
        }
    }

    /// Asks whether all of these are to be written: nobody has named them, and the folder is to be given away.
    fn ask(&self, chosen: &[&Member]) -> Result<(), Error> {
        let mut projects: Vec<&str> =
            chosen.iter().filter_map(|member| member.session.facts.project.as_deref()).collect();
        projects.sort_unstable();
        projects.dedup();
        let size = chosen.iter().map(|member| member.session.size()).sum();
        eprintln!(
            "{} of {}, {} of session files",
            counted(chosen.len(), "session"),
            counted(projects.len(), "project"),
            bytes(size)
        );
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            return Err(Error::NeedsYes);
        }
        let what = if self.no_redact { "with their secrets" } else { "without their secrets" };
        let place = self.output.as_ref().or(self.documents.as_ref());
        let folder = place.map(|place| printable_path(place)).unwrap_or_default();
        eprint!("write them to `{folder}`, {what}? [y/N] ");
        io::stderr()
            .flush()
            .and_then(|()| {
                let mut answer = String::new();
                io::stdin().read_line(&mut answer)?;
                Ok(answer)
            })
            .map_err(|source| Error::Write { path: "-".into(), source })
            .and_then(|answer| {
                let is_yes = matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
                if is_yes { Ok(()) } else { Err(Error::NothingWritten) }
            })
    }
}

/// A random text of this machine for hashes in archives, which tell nobody else what they are of. It stays the same from run
/// to run: `search --forget` leaves it, as it says nothing of any session.
fn key(data: &Path) -> Result<Vec<u8>, Error> {
    const NAME: &str = "archive.key";
    let path = data.join(NAME);
    let make = || {
        make_private(data)?;
        let mut key = vec![0; 32];
        getrandom::fill(&mut key).map_err(io::Error::other)?;
        let file = Temporary::create(data, 0o600)?;
        file.as_file()?.write_all(&key)?;
        match file.put_new(&path) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read(&path),
            put => put.map(|_| key),
        }
    };
    let read = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(),
        read => read,
    };
    read.map_err(|source| Error::Write { path, source })
}

/// What became of the sessions.
fn say(outcome: &Outcome, is_redacted: bool) -> Result<(), Error> {
    let Outcome { sessions, written, redacted, unchanged, gone, removed, failed, .. } = outcome;
    let mut parts = vec![format!("{} written", crate::session::text::count(*written))];
    for (count, what) in [(*unchanged, "unchanged"), (*removed, "removed")] {
        parts.extend((count > 0).then(|| format!("{} {what}", crate::session::text::count(count))));
    }
    eprintln!("{}: {}", counted(*sessions, "session"), parts.join(", "));
    if is_redacted && *written > 0 {
        eprintln!("replaced {} in what was written", counted(*redacted, "secret"));
    }
    if *gone > 0 {
        let what = numbered(*gone, "session is", "sessions are");
        eprintln!("{what} kept whose files are gone; `--prune` removes them");
    }
    say_failed(failed)
}

/// The same of documents.
fn say_documents(written: &Written, is_redacted: bool) -> Result<(), Error> {
    let Written { sessions, documents, redacted, failed } = written;
    eprintln!("{}: {}", counted(*sessions, "session"), counted(*documents, "document"));
    if is_redacted {
        eprintln!("replaced {}", counted(*redacted, "secret"));
    }
    say_failed(failed)
}

fn say_failed(failed: &[(String, String)]) -> Result<(), Error> {
    for (id, why) in failed {
        message::warning(&format!("not written: session {}: {why}", printable(id)), None);
    }
    if failed.is_empty() { Ok(()) } else { Err(Error::NotAllArchived(failed.len())) }
}

/// Files that are no sessions, or were not used, by their names as far as there are few.
fn say_unreadable(files: &[PathBuf]) {
    if files.is_empty() {
        return;
    }
    let what =
        numbered(files.len(), "file is not a readable session", "files are not readable sessions");
    let names = list(2, files.iter().map(|path| printable_path(path)));
    message::warning(&format!("{what}:{names}"), None);
}
