//! Opening: the lock, the entries, and a last line that broke off.

use crate::session::EntryIndex;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use serde::de::IgnoredAny;

use crate::format::{self, ReadError};
use crate::session::{Body, Label, Session};

use super::first_lines::{Opened, VERSION, no_session, opened, options};
use super::index::At;
use super::index::Index;
use super::log::{Log, LogFile};
use super::migrate::migrate;
use super::{SessionStore, StoreError, Sync};

impl SessionStore {
    /// Opens a session file in pi's or oh-my-pi's format for writing. Its leaf is its last entry.
    ///
    /// A last line that broke off, as a process leaves it that was killed, is put
    /// aside into the file `<name>.torn`, so that nothing is glued to it.
    ///
    /// # Errors
    /// [`StoreError::Locked`], [`StoreError::NoSession`], [`StoreError::ReadOnly`],
    /// [`StoreError::Newer`], [`StoreError::NewerTitle`], [`StoreError::UnknownWriter`],
    /// [`StoreError::Io`]; the file is as it was then.
    pub fn open(path: impl AsRef<Path>) -> Result<SessionStore, StoreError> {
        let path = path.as_ref();
        let sync = Sync::default();
        let mut file = LogFile::open(path, sync)?;
        let bytes = file.read()?;
        let opened = opened(path, &bytes)?;
        if opened.header.version < VERSION {
            drop(file);
            migrate(path)?;
            // Of version 3 from now on, so that this is not done twice.
            return SessionStore::open(path);
        }
        let mut store = SessionStore::empty(opened, Log::File(file));
        let last_entry_line = store.read(path, bytes)?;
        store.end_last_line(last_entry_line)?;
        Ok(store)
    }

    /// Reads a session file in pi's or oh-my-pi's format into memory, without a lock and whoever
    /// writes it: for taking branches out of it. It is never written.
    ///
    /// # Errors
    /// As [`SessionStore::open`].
    pub fn read_only(path: impl AsRef<Path>) -> Result<SessionStore, StoreError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(StoreError::io("open", path))?;
        let opened = opened(path, &bytes)?;
        let mut store = SessionStore::empty(opened, Log::Memory);
        store.read_from = Some(path.to_owned());
        store.read_len = bytes.len();
        store.read(path, bytes)?;
        Ok(store)
    }

    pub(super) fn empty(opened: Opened, log: Log) -> SessionStore {
        let Opened { agent, header, inherited } = opened;
        SessionStore {
            agent,
            header,
            inherited,
            log,
            sync: Sync::default(),
            bytes: Vec::new(),
            repaired: Vec::new(),
            index: Index::default(),
            leaf: None,
            read_from: None,
            read_len: 0,
            session: OnceLock::new(),
            session_before: Mutex::default(),
            facts: Mutex::default(),
        }
    }

    /// Takes the bytes of a file over. Gives the line of the last entry, counted from 1.
    pub(super) fn read(&mut self, path: &Path, bytes: Vec<u8>) -> Result<u32, StoreError> {
        let format = self.agent.rules().format;
        match format::read_with(bytes, Some(format), &options()) {
            Ok(session) => {
                let line = session.line(EntryIndex::new(session.len() - 1));
                self.take(session)?;
                Ok(line)
            }
            Err(ReadError::NoEntries { .. }) => {
                // The reader gave the bytes away with its error.
                self.bytes = self.file_bytes()?;
                Ok(1)
            }
            Err(error) => Err(no_session(path, error.to_string())),
        }
    }

    fn file_bytes(&mut self) -> Result<Vec<u8>, StoreError> {
        match &mut self.log {
            Log::File(file) => file.read(),
            Log::Memory | Log::Planned(_) => match &self.read_from {
                Some(path) => fs::read(path).map_err(StoreError::io("open", path)),
                None => Ok(Vec::new()),
            },
        }
    }

    /// Fills the index from what was read.
    fn take(&mut self, session: Session) -> Result<(), StoreError> {
        let mut index = Index::default();
        let numbers: Vec<At> = session
            .indices()
            .map(|at| index.push_unlinked(session.id_at(at), session.place(at)))
            .collect::<Result<_, _>>()?;
        for (at, &number) in EntryIndex::each(&numbers) {
            index.link(number, session.tree().parent(at).map(|parent| numbers[parent.get()]));
            if session.entry_type_at(at) != "label" {
                continue;
            }
            if let Body::Label { target_id, label } = session.entry_at(at).body
                && let Some(target) = index.find(&target_id)
            {
                let label =
                    label.map(|text| Label { text: text.into_owned(), time: session.time(at) });
                index.set_label(target, label);
            }
        }
        self.leaf = numbers.last().copied();
        self.index = index;
        (self.bytes, self.repaired) = session.into_texts();
        Ok(())
    }

    /// Sees to it that the file ends with a line end, whatever its last line is.
    fn end_last_line(&mut self, last_entry_line: u32) -> Result<(), StoreError> {
        let Log::File(file) = &mut self.log else { return Ok(()) };
        if self.bytes.ends_with(b"\n") {
            return Ok(());
        }
        let start = memchr::memrchr(b'\n', &self.bytes).map_or(0, |at| at + 1);
        let lines_before = memchr::memchr_iter(b'\n', &self.bytes).count();
        let last = &self.bytes[start..];
        let holds_entry = usize::try_from(last_entry_line).is_ok_and(|line| line > lines_before);
        let is_whole = || serde_json::from_slice::<IgnoredAny>(last).is_ok();
        if holds_entry || last.trim_ascii().is_empty() || is_whole() {
            file.append(b"\n")?;
            self.bytes.push(b'\n');
            return Ok(());
        }
        let Some(path) = self.log.path().map(aside) else { return Ok(()) };
        put_aside(&path, last)?;
        if let Log::File(file) = &mut self.log {
            file.truncate(start as u64)?;
        }
        self.bytes.truncate(start);
        Ok(())
    }
}

/// Where a torn line of a file goes.
fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    name.into()
}

fn put_aside(path: &Path, line: &[u8]) -> Result<(), StoreError> {
    let put = || {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        file.write_all(&[line, b"\n"].concat())?;
        file.sync_all()
    };
    put().map_err(StoreError::io("write", path))
}
