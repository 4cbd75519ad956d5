//! `leafpress markdown`: a session as GitHub-flavored Markdown.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::markdown::{self, Detail, MarkdownOptions};
use crate::session::Session;

use super::cut::CutArgs;
use super::input::{self, BesideArgs, LimitArg, is_stdio};
use super::output::{self, Existing, Target};
use super::secrets::RedactArgs;
use super::source::SourceArg;
use super::{database, limit};

/// What `leafpress markdown` takes.
#[derive(Debug, Args)]
pub(super) struct MarkdownArgs {
    #[command(flatten)]
    source: SourceArg,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How much of the session is written
    #[arg(long, value_enum, default_value_t)]
    detail: Detail,
    /// Write the files that changed, with their diffs, and nothing else
    #[arg(long)]
    changes: bool,
    /// Title [default: the session's name or first prompt]
    #[arg(long)]
    title: Option<String>,
    /// Shorten the Markdown to at most this size, such as `60KB`: output, steps, the list of files, the oldest
    /// responses, in this order. GitHub takes 65,536 characters in a comment
    #[arg(long, value_name = "SIZE", value_parser = limit::size, help_heading = super::cut::HEADING)]
    max_size: Option<usize>,
    #[command(flatten)]
    files: BesideArgs,
    #[command(flatten)]
    limit: LimitArg,
    #[command(flatten)]
    secrets: RedactArgs,
    #[command(flatten)]
    cut: CutArgs,
}

impl MarkdownArgs {
    pub(super) fn run(mut self) -> Result<(), Error> {
        let out = self.output.clone().unwrap_or_else(|| PathBuf::from("-"));
        let session = &self.source.address("reading")?;
        let file = database::parted(session).0;
        if !is_stdio(session) && !is_stdio(&out) && output::is_same_file(&file, &out) {
            return Err(Error::OutputIsInput(out));
        }
        let most = output::mode_of(&file);
        let target = Target { path: &out, existing: Existing::Replace, most };
        target.check()?;
        let (text, left_out) = self.markdown(session)?;
        output::write_file(&target, |file| file.write_all(text.as_bytes()))?;
        if !is_stdio(&out) {
            output::path(&out)?;
        }
        if !left_out.is_empty() {
            eprintln!("left out to fit: {}", left_out.join(", "));
        }
        Ok(())
    }

    /// The Markdown, checked for secrets, and what was left out to make it fit.
    fn markdown(&mut self, session: &Path) -> Result<(String, Vec<String>), Error> {
        let rules = self.secrets.rules()?;
        let asked = rules.as_ref().map(|rules| (rules, self.title.as_deref()));
        let (session, redacted) =
            input::read(session, self.source.format, &self.files, asked, self.limit)?;
        let mut title = self.title.take();
        if let (Some(title), Some(redacted)) = (&mut title, &redacted) {
            *title = redacted.redactor().text(title).into_owned();
        }
        let session: Session = std::mem::take(&mut self.cut).apply(session, None, None)?;
        if redacted.is_none() {
            self.secrets.check(&session, title.as_deref())?;
        }
        let mut options = MarkdownOptions::new().detail(self.detail);
        options.title = title;
        options.max_size = self.max_size;
        options.only_changes = self.changes;
        let written = markdown::of(&session, &options)?;
        if let Some(redacted) = &redacted {
            self.secrets.check_text("Markdown", &written.text, redacted)?;
            eprintln!("redacted {}", redacted.redactor().report().summary());
        }
        Ok((written.text, written.left_out))
    }
}
