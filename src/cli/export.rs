//! The main job: a session file into an HTML page.
//!
//! `run` has the order, and it matters: where the page would go is checked before anything is read, a password is
//! asked for before the long work, secrets are replaced before anything is cut, prices are set before what states
//! costs goes, and the finished page is searched before it is written.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::file_name;
use crate::format::compressed::plain_name;
use crate::outline::Filter;
use crate::page::{self, Detail, Options, Sizes, Theme};
use crate::progress::Progress;
use crate::redact::{self, Redacted};
use crate::render::Highlight;
use crate::seal;
use crate::session::Session;
use crate::session::text::bytes;
use crate::vault::KeptFile;

use super::cut::CutArgs;
use super::input::{self, BesideArgs, LimitArg, PricesArg, is_stdio};
use super::output::{Existing, Target};
use super::secrets::RedactArgs;
use super::source::SourceArg;
use super::{database, limit, message, output, password, progress};

/// What agents print of a run, below the options.
pub(super) const RUNS: &str = "\
Output of runs that can be exported, as a file or in a pipe:
  claude -p PROMPT --output-format stream-json --verbose
  codex exec --json PROMPT
  gemini -p PROMPT --output-format stream-json; qwen the same
  copilot -p PROMPT --output-format json
  opencode run --format json PROMPT
  pi -p PROMPT --mode json";

/// What `leafpress SESSION` takes.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct ExportArgs {
    #[command(flatten)]
    source: SourceArg,
    /// Remove sub-agent sessions
    #[arg(long, help_heading = super::cut::HEADING)]
    no_subsessions: bool,
    /// Page to write, or `-` [default: SESSION.html]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace a file of the default name that is not a leafpress page
    #[arg(long)]
    force: bool,
    /// Open the page at this leaf
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Open the page at this entry
    #[arg(long, value_name = "ID")]
    target: Option<String>,
    /// Filter of the tree
    #[arg(long, value_enum, default_value_t)]
    filter: Filter,
    /// Level of detail
    #[arg(long, value_enum, default_value_t)]
    detail: Detail,
    /// Title of the page [default: the session's name or first prompt]
    #[arg(long)]
    title: Option<String>,
    /// Read the colors of the page from a JSON file
    #[arg(long, value_name = "FILE")]
    theme: Option<PathBuf>,
    /// Write every entry as plain HTML, readable without JavaScript; slow for long sessions
    #[arg(long = "static")]
    all_plain: bool,
    /// Remove the session file from the page
    #[arg(long, help_heading = super::cut::HEADING)]
    no_source: bool,
    /// Remove parts until the page is smaller than this, such as `1MB`: the session file, images,
    /// tool output, thinking, other branches, in this order
    #[arg(long, value_name = "SIZE", value_parser = limit::size, help_heading = super::cut::HEADING)]
    max_size: Option<usize>,
    /// How code is highlighted
    #[arg(long, value_enum, default_value_t)]
    highlight: Highlight,
    /// Read the session's images from this directory [default: where the agent stores them]
    #[arg(long, value_name = "DIR")]
    blobs: Option<PathBuf>,
    /// Include archived branches
    #[arg(long)]
    archived: bool,
    /// Protect the page with a password; leafpress asks for it
    #[arg(long, conflicts_with = "password_file")]
    password: bool,
    /// Protect the page with the password on the first line of this file; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    prices: PricesArg,
    #[command(flatten)]
    limit: LimitArg,
    #[command(flatten)]
    secrets: RedactArgs,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    cut: CutArgs,
}

impl ExportArgs {
    pub(super) fn run(mut self) -> Result<(), Error> {
        let input = &self.source.address("exporting")?;
        let file = &database::parted(input).0;
        if self.output.is_none() && output::holds_page(file) {
            return Err(Error::PageNeedsOutput(input.clone()));
        }
        let out = self.output.clone().unwrap_or_else(|| default_output(input));
        if !is_stdio(input) && !is_stdio(&out) && output::is_same_file(file, &out) {
            return Err(Error::OutputIsInput(out));
        }
        if is_stdio(input) && self.password_file.as_deref().is_some_and(is_stdio) {
            return Err(Error::StdinTwice);
        }
        let target = self.target(file, &out);
        target.check()?;
        let password = password::of_new_page(self.password, self.password_file.as_deref())?;
        let (session, redacted) = self.read(input)?;
        let report = redacted.as_ref().map(|redacted| redacted.redactor().report());
        // A page on standard output may go to the same terminal.
        let progress = (!is_stdio(&out)).then(progress::reporter).flatten();
        let export = Export {
            args: &self,
            password: password.as_ref(),
            redacted,
            report,
            told: RefCell::new(None),
            progress,
        };
        let (sizes, dropped) = export.write(session, &target)?;
        let redacted = export.told.take();
        if !is_stdio(&out) {
            output::path(&out)?;
        }
        if let Some(redacted) = redacted {
            eprintln!("redacted {redacted}");
        }
        say_sizes(&sizes, &dropped, password.is_some().then_some(&out));
        if self.open {
            open(&out);
        }
        Ok(())
    }

    /// Where the page goes: what is there stays unless it is a page, or a person named it.
    fn target<'p>(&self, input: &Path, out: &'p Path) -> Target<'p> {
        let is_named = self.output.is_some() || self.force;
        let existing = if is_named { Existing::Replace } else { Existing::ReplacePage };
        Target { path: out, existing, most: output::mode_of(input) }
    }

    /// The session without what is to be redacted and left out, checked for secrets.
    fn read(&mut self, input: &Path) -> Result<(Session, Option<Redacted>), Error> {
        let files = BesideArgs {
            blobs: self.blobs.clone(),
            archived: self.archived,
            no_subsessions: self.no_subsessions,
        };
        let rules = self.secrets.rules()?;
        let (rules, title) = (rules.as_ref(), self.title.as_deref());
        let prices = self.prices.read()?;
        let (mut session, redacted) = input::read(
            input,
            self.source.format,
            &files,
            rules.map(|rules| (rules, title)),
            self.limit,
        )?;
        if let (Some(title), Some(redacted)) = (&mut self.title, &redacted) {
            *title = redacted.redactor().text(title).into_owned();
        }
        // Ahead of the cut: what goes may state costs.
        input::set_prices(&mut session, prices);
        let session = std::mem::take(&mut self.cut).apply(
            session,
            self.leaf.as_deref(),
            self.target.as_deref(),
        )?;
        if redacted.is_none() {
            self.secrets.check(&session, self.title.as_deref())?;
        }
        Ok((session, redacted))
    }

    /// The bridge from the command line to the library.
    fn options(&self, session: &Session) -> Result<Options, Error> {
        Ok(Options {
            leaf: input::entry(session, "--leaf", self.leaf.as_deref())?,
            target: input::entry(session, "--target", self.target.as_deref())?,
            filter: self.filter,
            detail: self.detail,
            title: self.title.clone(),
            theme: self.theme.as_deref().map(read_theme).transpose()?,
            all_plain: self.all_plain,
            without_source: self.no_source,
            highlight: self.highlight,
            ..Options::default()
        })
    }
}

/// Everything that a page is made with but its session.
struct Export<'a> {
    args: &'a ExportArgs,
    password: Option<&'a seal::Password>,
    redacted: Option<Redacted>,
    report: Option<redact::Report>,
    /// The same in words, of the page that was made last.
    told: RefCell<Option<String>>,
    progress: Option<Progress>,
}

impl Export<'_> {
    /// Writes the page, and gives its sizes and what went to make it fit.
    fn write(
        &self,
        session: Session,
        target: &Target<'_>,
    ) -> Result<(Sizes, Vec<&'static str>), Error> {
        let is_checked = self.args.secrets.is_page_checked(self.redacted.is_some());
        let Some(limit) = self.args.max_size else {
            let options = self.options(&session)?;
            let sizes = if is_checked {
                let mut page = Vec::new();
                let failed = |source| Error::Write { path: target.path.to_owned(), source };
                let sizes = page::export(&session, &options, &mut page).map_err(failed)?;
                self.check(&page)?;
                output::write_file(target, |file| self.put(&page, &options, file))?;
                sizes
            } else {
                output::write_file(target, |file| self.export(&session, &options, file))?
            };
            // The process is about to end: the system takes a large session back faster.
            std::mem::forget(session);
            return Ok((sizes, Vec::new()));
        };
        // Of the page that was made last, where it is encrypted.
        let plain = RefCell::new(Vec::new());
        let options = |session: &Session| self.options(session);
        let export = |session: &Session, options: &Options, out: &mut dyn io::Write| {
            if !is_checked || self.password.is_none() {
                return self.export(session, options, out);
            }
            let mut page = Vec::new();
            let sizes = page::export(session, options, &mut page)?;
            self.put(&page, options, out)?;
            plain.replace(page);
            Ok(sizes)
        };
        let fitted = limit::fitted(session, limit, options, export)?;
        if is_checked {
            let plain = plain.borrow();
            self.check(if self.password.is_some() { &plain } else { &fitted.page })?;
        }
        output::write_file(target, |file| file.write_all(&fitted.page))?;
        Ok((fitted.sizes, fitted.dropped))
    }

    /// Refuses a page that holds a secret still.
    fn check(&self, page: &[u8]) -> Result<(), Error> {
        self.args.secrets.check_page(page, self.redacted.as_ref())
    }

    /// Writes a page that was made, encrypted where there is a password.
    fn put(&self, page: &[u8], options: &Options, mut out: &mut dyn io::Write) -> io::Result<()> {
        match self.password {
            Some(password) => seal::seal(page, options, password, &mut out),
            None => out.write_all(page),
        }
    }

    fn options(&self, session: &Session) -> Result<Options, Error> {
        let mut options = self.args.options(session)?;
        options.redacted =
            self.report.as_ref().map(|report| page::redacted_within(session, report));
        self.told.replace(options.redacted.as_ref().map(redact::Report::summary));
        options.progress.clone_from(&self.progress);
        options.sealed = self.password.is_some();
        Ok(options)
    }

    fn export(
        &self,
        session: &Session,
        options: &Options,
        mut out: &mut dyn io::Write,
    ) -> io::Result<Sizes> {
        match self.password {
            Some(password) => seal::export(session, options, password, &mut out),
            None => page::export(session, options, &mut out),
        }
    }
}

/// Says how large the page is, the file where it is sealed, and what went to make it fit.
pub(super) fn say_sizes(sizes: &Sizes, dropped: &[&str], sealed: Option<&PathBuf>) {
    let sealed = sealed.filter(|out| !is_stdio(out)).and_then(|out| std::fs::metadata(out).ok());
    let sealed = sealed.and_then(|file| usize::try_from(file.len()).ok()).map(bytes);
    eprintln!("{sizes}");
    if let Some(size) = sealed {
        eprintln!("encrypted: {size}");
    }
    if !dropped.is_empty() {
        eprintln!("removed to fit: {}", dropped.join(", "));
    }
}

pub(super) fn read_theme(path: &Path) -> Result<Theme, Error> {
    let json = input::read_text("--theme", path)?;
    Theme::parse(&json).map_err(|source| Error::Theme { path: path.to_owned(), source })
}

/// The session's file stem with `.html`, in the current folder.
fn default_output(session: &Path) -> PathBuf {
    if let (_, Some(id)) = database::parted(session) {
        return PathBuf::from(file_name::of_id(&id) + ".html");
    }
    let kept = KeptFile::at(session);
    let session = kept.as_ref().map_or(session, KeptFile::original);
    let plain = session.file_name().and_then(|name| name.to_str()).map(plain_name);
    let session = plain.map_or(session, Path::new);
    let stem = session.file_stem().filter(|_| !is_stdio(session));
    let mut name = stem.unwrap_or("session".as_ref()).to_owned();
    name.push(".html");
    PathBuf::from(name)
}

/// Opens a page that was written. Without a browser it is there all the same.
pub(super) fn open(page: &Path) {
    if open::that(page).is_err() {
        let help = "open the file yourself";
        message::warning(&format!("failed to open `{}` in a browser", page.display()), Some(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        export: ExportArgs,
    }

    #[test]
    fn no_arguments_give_the_library_s_defaults() {
        let session =
            crate::read(include_bytes!("../../examples/first-steps.jsonl").to_vec()).unwrap();
        let args = Command::parse_from(["leafpress", "x.jsonl"]).export;
        assert_eq!(
            format!("{:?}", args.options(&session).unwrap()),
            format!("{:?}", Options::default())
        );
    }

    #[test]
    fn the_page_is_named_after_the_session() {
        assert_eq!(default_output(Path::new("/a/b.c.jsonl")), Path::new("b.c.html"));
        assert_eq!(default_output(Path::new("/a/b.jsonl.gz")), Path::new("b.html"));
        assert_eq!(default_output(Path::new("/a/b.jsonl.zst")), Path::new("b.html"));
        assert_eq!(default_output(Path::new("-")), Path::new("session.html"));
    }
}
