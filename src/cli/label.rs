//! `leafpress label`: sets or clears the label of an entry.

use std::path::PathBuf;

use clap::Args;

use crate::cli::error::Error;
use crate::store::SessionStore;

use super::input;

/// What `leafpress label` takes.
#[derive(Debug, Args)]
pub(super) struct LabelArgs {
    /// Session file in pi's or oh-my-pi's format
    #[arg(value_name = "SESSION")]
    session: PathBuf,
    /// Entry to label; `leafpress tree` lists the ids
    #[arg(value_name = "ID")]
    id: String,
    /// Label; without it, the entry's label is cleared
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    limit: input::LimitArg,
}

impl LabelArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        input::no_stdin(&self.session)?;
        input::only_session_file(&self.session)?;
        input::check(&self.session, self.limit)?;
        // Opening for writing mends a last line that broke off: not for what then comes to nothing.
        let read = SessionStore::read_only(&self.session)?;
        let id = input::id_in(&read, &self.id)?;
        let text = self.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if read.label(&id).map(|label| label.text.as_str()) == text {
            // Nothing would change, so nothing is written.
            return Ok(());
        }
        drop(read);
        let mut store = SessionStore::open(&self.session)?;
        // At the last entry, as the agent would: what it opens next goes on from there.
        store.append_label(&id, text)?;
        store.flush()?;
        Ok(())
    }
}
