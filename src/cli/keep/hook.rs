//! What Claude Code tells a hook, and the wait for what it has not written yet.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::KeepError;
use crate::cli::error::Error;
use crate::session::Format;
use crate::session::text::cut;
use crate::vault::Vault;

/// Claude Code writes the last response some tenths of a second after it calls `Stop` (2.1.197, 2.1.332).
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);

/// The last response is in so much of the end of the file.
const END_BYTES: u64 = 1 << 20;

/// By the beginning of the response it is found in the file, in UTF-16 units.
const KNOWN_UNITS: usize = 200;

/// The JSON that a hook gets on standard input: code.claude.com, hooks.
#[derive(Debug, Deserialize)]
pub(super) struct Hook {
    pub(super) transcript_path: PathBuf,
    /// Of `Stop` alone.
    #[serde(default)]
    last_assistant_message: Option<String>,
}

impl Hook {
    pub(super) fn read() -> Result<Hook, Error> {
        const MOST_BYTES: u64 = 64 << 20;
        let mut json = Vec::new();
        let read = io::stdin().lock().take(MOST_BYTES).read_to_end(&mut json);
        read.map_err(|source| Error::Read { path: "-".into(), source })?;
        Ok(serde_json::from_slice(&json).map_err(|_| KeepError::NoHook)?)
    }

    /// Waits until the file has the last response behind what is kept of it, and no longer than a person would.
    pub(super) fn wait(&self, vault: &Vault) {
        let kept = vault.kept_of(Format::ClaudeCode, &self.transcript_path);
        let said = self.last_assistant_message.as_deref().map(|said| cut(said, KNOWN_UNITS));
        let said = said.and_then(|said| serde_json::to_string(said).ok());
        // Behind what is cut off, the text goes on.
        let said = said.map(|said| said.trim_matches('"').to_owned()).unwrap_or_default();
        let begun = Instant::now();
        while !has(&self.transcript_path, kept, said.as_bytes()) && begun.elapsed() < PATIENCE {
            thread::sleep(PAUSE);
        }
    }
}

/// Whether a file is there and says this behind so many bytes, near its end.
fn has(path: &Path, from: u64, said: &[u8]) -> bool {
    let end = || {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(from.max(size.saturating_sub(END_BYTES))))?;
        let mut end = Vec::new();
        file.take(END_BYTES).read_to_end(&mut end)?;
        Ok::<_, io::Error>(end)
    };
    end().is_ok_and(|end| memchr::memmem::find(&end, said).is_some())
}
