//! `leafpress demo`: a page of a session that comes with the command.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::page::{self, Options};

use super::export::{open, say_sizes};
use super::input::is_stdio;
use super::output::{self, Existing, Target};

const SESSION: &[u8] = include_bytes!("../../examples/lighthouse.jsonl");

/// The page that it writes by default.
const PAGE: &str = "lighthouse.html";

/// What `leafpress demo` takes.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Page to write; `-` is standard output [default: lighthouse.html]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Replace a `lighthouse.html` that is not a leafpress page
    #[arg(long)]
    force: bool,
}

impl DemoArgs {
    pub(super) fn run(&self) -> Result<(), Error> {
        let path = self.output.as_deref().unwrap_or(Path::new(PAGE));
        let is_named = self.output.is_some() || self.force;
        let existing = if is_named { Existing::Replace } else { Existing::ReplacePage };
        let target = Target { path, existing, most: None };
        let session = crate::read(SESSION.to_vec())
            .map_err(|source| Error::InFile { path: "lighthouse.jsonl".into(), source })?;
        let sizes =
            output::write_file(&target, |file| page::export(&session, &Options::default(), file))?;
        if !is_stdio(path) {
            output::to_stdout(|out| writeln!(out, "{}", path.display()))?;
        }
        say_sizes(&sizes, &[], None);
        if self.open {
            open(path);
        }
        Ok(())
    }
}
