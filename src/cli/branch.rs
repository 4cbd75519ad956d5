//! `leafpress branch`: extracts the path to an entry into a new session file.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::store::SessionStore;

use super::printable::{printable, printable_path};
use super::{input, output};

/// What `leafpress branch` takes.
#[derive(Debug, Args)]
pub(super) struct BranchArgs {
    /// Session file in pi's or oh-my-pi's format; it is not changed
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    /// Last entry of the path; `leafpress tree` lists the ids
    #[arg(value_name = "ID")]
    id: String,
    /// End the path before ID, a prompt; print the prompt's text, and the new file's name on standard error
    #[arg(long)]
    before_prompt: bool,
    /// New session file; it must not exist [default: beside SESSION, named after its time and id]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl BranchArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        input::no_stdin(&self.session)?;
        input::only_session_file(&self.session)?;
        input::check(&self.session, self.limit)?;
        let mut source = SessionStore::read_only(&self.session)?;
        let id = input::id_in(&source, &self.id)?;
        // What was read may be half of what another program is rewriting.
        source.check()?;
        if let Some(path) = &self.output {
            input::no_stdin(path)?;
        }
        let to = self.output.as_deref();
        let (mut branch, prompt) = if self.before_prompt {
            let plan = source.plan_branch(&id)?;
            (source.branched_before(&plan, to)?, Some(plan.text))
        } else {
            let branch = match to {
                Some(to) => source.branched_to(&id, to)?,
                None => source.branched_beside(&id)?,
            };
            (branch, None)
        };
        branch.ensure_written()?;
        branch.flush()?;
        let path = branch.path().unwrap_or(Path::new(""));
        let Some(prompt) = prompt else {
            return output::path(path);
        };
        let path = printable_path(path);
        eprintln!("created `{path}`; the text of the prompt is:");
        // For a program exactly as it is; a terminal gets nothing that would steer it.
        if !io::stdout().is_terminal() {
            return output::to_stdout(|out| writeln!(out, "{prompt}"));
        }
        output::to_stdout(|out| {
            prompt.lines().try_for_each(|line| writeln!(out, "{}", printable(line)))
        })
    }
}
