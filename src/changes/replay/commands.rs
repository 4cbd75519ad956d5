//! What commands did to files: what they may have written, and what they have done for sure.

use super::Replay;
use super::track::Made;
use crate::changes::model::{FileState, never_seen};
use crate::session::EntryIndex;
use crate::session::written::{self, MaybeWritten, Sure};

impl Replay<'_> {
    /// What commands may have written, by their result's entry.
    pub(super) fn commands(&mut self, entry: EntryIndex, written: &[MaybeWritten]) {
        self.era += 1;
        let position = self.timeline.position(entry);
        for one in written {
            match one {
                // Nothing of a file that is there changes.
                MaybeWritten::New(path) if self.is_there(path) => {}
                MaybeWritten::File(path) | MaybeWritten::New(path) => {
                    let is_inside = self.folder.has(&self.folder.absolute(path));
                    let at = self.track(path);
                    self.tracks[at].maybe(entry, position, true);
                    self.tracks[at].is_named |= is_inside;
                }
                MaybeWritten::Tree(path) => {
                    let path = self.folder.absolute(path);
                    let is_in = |own: &str| {
                        own.strip_prefix(path.as_str())
                            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                    };
                    self.broadly(entry, position, is_in);
                }
                MaybeWritten::Glob(pattern) => {
                    let pattern = self.folder.absolute(pattern);
                    self.broadly(entry, position, |own| written::matches(&pattern, own));
                }
                MaybeWritten::Any(extensions) => {
                    let is_of = |own: &str| {
                        own.rsplit_once('.').is_some_and(|(_, of)| extensions.contains(&of))
                    };
                    self.broadly(entry, position, |own| extensions.is_empty() || is_of(own));
                }
            }
        }
    }

    /// Files as a command that succeeded left them, as far as they were known before.
    pub(super) fn known(&self, sure: Vec<Sure>) -> Vec<Made> {
        let mut states: Vec<Made> = Vec::new();
        for one in sure {
            let state_of = |path: &str| {
                let made = states.iter().rev().find(|made| made.path == path);
                made.map(|made| &made.state)
                    .or_else(|| Some(self.tracks[*self.by_path.get(path)?].state()))
            };
            match one {
                Sure::Copied { from, to } => {
                    let (from, to) = (self.folder.absolute(&from), self.folder.absolute(&to));
                    // A name without an extension may be that of a folder.
                    let extension = |path: &str| {
                        let name = path.rsplit('/').next()?;
                        Some(name.rsplit_once('.')?.1.to_owned())
                    };
                    let is_file = extension(&to).is_some_and(|of| Some(of) == extension(&from))
                        || matches!(state_of(&to), Some(FileState::Text(_)));
                    let onto = state_of(&to).cloned().unwrap_or_else(never_seen);
                    let state = state_of(&from).filter(|_| is_file).cloned();
                    let text = state.filter(|state| matches!(state, FileState::Text(_)));
                    states.extend(text.map(|state| Made {
                        path: to,
                        state,
                        copied_onto: Some(onto),
                    }));
                }
                Sure::Written { path, text } => {
                    let path = self.folder.absolute(&path);
                    let onto = state_of(&path).cloned().unwrap_or_else(never_seen);
                    let state = FileState::Text(text.into());
                    states.push(Made { path, state, copied_onto: Some(onto) });
                }
                Sure::Unchanged(path) => {
                    let path = self.folder.absolute(&path);
                    let is_same = |state: &&FileState| matches!(state, FileState::Text(text) if text.ends_with('\n'));
                    let state = state_of(&path).filter(is_same).cloned();
                    states.extend(state.map(|state| Made { path, state, copied_onto: None }));
                }
                Sure::Deleted(path) => {
                    let path = self.folder.absolute(&path);
                    if state_of(&path).is_some() {
                        let state = FileState::Absent;
                        states.push(Made { path, state, copied_onto: None });
                    }
                }
            }
        }
        states
    }

    /// Whether the session shows that there is such a file.
    fn is_there(&self, path: &str) -> bool {
        let at = self.by_path.get(&self.folder.absolute(path));
        at.is_some_and(|&at| self.tracks[at].is_there())
    }

    /// Any file that is known and of which this holds may have been written.
    fn broadly(&mut self, entry: EntryIndex, position: usize, holds: impl Fn(&str) -> bool) {
        let tracks = &mut self.tracks;
        self.open.retain(|&at| {
            let is_of = holds(tracks[at].path());
            if is_of {
                tracks[at].maybe(entry, position, false);
                tracks[at].is_open = false;
            }
            !is_of
        });
    }
}
