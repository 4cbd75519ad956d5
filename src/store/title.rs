//! The title of a session: a line of fixed length on top of oh-my-pi's files.

use std::borrow::Cow;

use crate::session::time;

use super::first_lines::after_title;
use super::log::Log;
use super::title_line::{self, First};
use super::{NewEntry, SessionStore, StoreError};

/// Who gave the title: a person, or the agent.
const USER: &str = "user";
const AUTO: &str = "auto";

impl SessionStore {
    /// The entry as the session's agent tells of it.
    pub(super) fn worded<'e>(&self, entry: &'e NewEntry) -> Result<Cow<'e, NewEntry>, StoreError> {
        if !self.agent.rules().has_title_line() || !entry.is_name() {
            return Ok(Cow::Borrowed(entry));
        }
        let name = entry.text("name").unwrap_or_default();
        let title = title_line::cleaned(&name).ok_or(StoreError::EmptyTitle)?;
        let mut change = NewEntry::title_change(&title, USER)?;
        if let Some(previous) = &self.header.title {
            change = change.with("previousTitle", previous)?;
        }
        Ok(Cow::Owned(change))
    }

    /// Gives the title of another session to this one, which has none.
    pub(super) fn take_title_of(&mut self, other: &SessionStore) -> Result<(), StoreError> {
        let Some(title) =
            other.header.title.as_deref().filter(|_| self.agent.rules().has_title_line())
        else {
            return Ok(());
        };
        let source = other.inherited.title_source.as_deref().unwrap_or(AUTO);
        self.append(&NewEntry::title_change(title, source)?).map(drop)
    }

    /// Writes a change of the title: its entry, and the line on top.
    pub(super) fn write_title(
        &mut self,
        change: &NewEntry,
        line: &str,
        time: i64,
    ) -> Result<(), StoreError> {
        let title = change.text("title").unwrap_or_default();
        let source = change.text("source");
        self.ensure_title_line()?;
        let top = title_line::write(&title, source.as_deref(), &time::iso(time));
        if let Log::File(file) = &mut self.log {
            file.append(line.as_bytes())?;
            file.overwrite_start(top.as_bytes())
                .or_else(|error| file.take_back(line.len()).and(Err(error)))?;
        }
        // As long as the line that was there.
        self.bytes[..top.len()].copy_from_slice(top.as_bytes());
        self.header.title = Some(title);
        self.inherited.title.clone_from(&self.header.title);
        self.inherited.title_source = source;
        Ok(())
    }

    /// Puts a title line on top of a file that has none, as oh-my-pi does before it changes a
    /// title. Only then, a file is replaced; its other lines stay byte for byte.
    fn ensure_title_line(&mut self) -> Result<(), StoreError> {
        let rest = match title_line::read(&self.bytes) {
            First::Title(line) if line.is_fixed => return Ok(()),
            First::Title(_) => after_title(&self.bytes),
            First::Newer(_) | First::Other => &self.bytes,
        };
        let time = time::iso(self.header.time.unwrap_or_default());
        let title = self.header.title.as_deref().unwrap_or_default();
        let source = self.inherited.title_source.as_deref();
        let top = title_line::write(title, source, &time);
        let bytes = [top.as_bytes(), rest].concat();
        let leaf = self.leaf().map(str::to_owned);
        let path = self.path().map(std::path::Path::to_owned).unwrap_or_default();
        if let Log::File(file) = &mut self.log {
            file.replace(&bytes)?;
        }
        self.forget_removed();
        if self.index.len() == 0 {
            self.bytes = bytes;
            return Ok(());
        }
        self.read(&path, bytes)?;
        self.leaf = leaf.as_deref().and_then(|id| self.index.find(id));
        Ok(())
    }
}
