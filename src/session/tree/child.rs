//! Sessions within a session: work given to another agent, kept in a session of its own.

use std::collections::HashSet;

use super::file::SessionFile;
use super::index::EntryIndex;
use super::session::Session;
use crate::session::model::damage::Damage;
use crate::session::model::entry::Body;
use crate::session::model::message::Message;

/// A child session as a format hands it over.
#[derive(Debug)]
pub struct Child {
    /// Its name, one part of its entries' public keys: `Scout` in `Scout/a1b2`.
    pub key: String,
    /// The kind of agent, where it is known.
    pub agent: Option<String>,
    /// What it was asked to do, in one line.
    pub task: Option<String>,
    /// The id of the entry that started it, as its parent session has it.
    pub started_by: Option<String>,
    /// The session, or why there is none to show.
    pub session: Result<Box<Session>, String>,
}

/// Children that wait to be merged. They are dropped one after the other:
/// chains of them are too deep for recursion.
#[derive(Debug, Default)]
pub(super) struct Children(pub(super) Vec<Child>);

impl Children {
    /// Takes them out, which leaves nothing to be dropped.
    pub(super) fn take(&mut self) -> Vec<Child> {
        std::mem::take(&mut self.0)
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        let mut rest = self.take();
        while let Some(child) = rest.pop() {
            if let Ok(mut session) = child.session {
                rest.append(&mut session.children.0);
            }
        }
    }
}

/// A child session among the entries of the session that it belongs to.
///
/// ```
/// let session = leafpress::read_file("examples/lighthouse.jsonl")?;
/// for sub in session.sub_sessions() {
///     println!("{}: {} entries, {}", sub.name(), sub.len, sub.state(&session));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct SubSession {
    /// The beginning of its entries' public keys, encoded: `Scout`, `Scout/Helper`.
    pub key: String,
    /// The kind of agent, where it is known.
    pub agent: Option<String>,
    /// What it was asked to do, in one line.
    pub task: Option<String>,
    /// The session that started it: 0 for the outermost, else its place in
    /// [`Session::sub_sessions`], counted from 1.
    pub parent: usize,
    /// The entry that started it; the parent's first root where nothing says which.
    pub started_by: EntryIndex,
    /// Whether something says which entry started it.
    pub(crate) is_tied: bool,
    /// The first of its entries in file order; the others follow.
    pub first: EntryIndex,
    /// How many entries it has itself.
    pub len: usize,
    /// Where it stands when it is opened.
    pub leaf: EntryIndex,
    /// Why there is nothing of it but an entry that says so.
    pub missing: Option<String>,
    /// The session whose file its entries come from, numbered as `parent` is: its own number where it has
    /// a file, else that of the session whose reader made it.
    pub(crate) in_file: usize,
    /// Its own file.
    pub(super) file: SessionFile,
}

impl SubSession {
    /// Its entries in file order.
    pub fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + use<> {
        EntryIndex::range(self.places())
    }

    /// The places of its entries in file order.
    pub(crate) fn places(&self) -> std::ops::Range<usize> {
        self.first.get()..self.first.get() + self.len
    }

    /// Its entry with this id.
    pub fn index_of(&self, id: &str) -> Option<EntryIndex> {
        self.file.place_of(id).map(|place| place.behind(self.first))
    }

    /// Its file's bytes as they were read; none where its entries lie in
    /// the file of another session, or where there is no session.
    pub fn source(&self) -> &[u8] {
        &self.file.source
    }

    /// What was wrong with its file, by line.
    pub fn damage(&self) -> &[Damage] {
        &self.file.damage
    }

    /// Lines of its file whose entries were put away and are not to be shown: counted from 1, ascending.
    pub fn left_out(&self) -> &[u32] {
        &self.file.left_out
    }

    /// Further ids under which its entries are known.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, EntryIndex)> {
        self.file.aliases.iter().map(|(alias, place)| (alias.as_str(), place.behind(self.first)))
    }

    /// What it is called: its agent, else its key.
    pub fn name(&self) -> &str {
        let last = self.key.rsplit('/').next().unwrap_or_default();
        self.agent.as_deref().filter(|agent| !agent.trim().is_empty()).unwrap_or(last)
    }

    /// How its last answer ended, in a word or two.
    pub fn state(&self, session: &Session) -> &'static str {
        if self.missing.is_some() {
            return "missing";
        }
        let answer = session.tree().ancestors(self.leaf).find_map(|entry| {
            match session.entry_at(entry).body {
                Body::Message(Message::Assistant(assistant)) => Some(assistant.stop_reason),
                _ => None,
            }
        });
        match answer.as_ref().map(|reason| reason.as_deref()) {
            Some(Some("error")) => "failed",
            Some(Some("aborted")) => "stopped",
            None => self.state_by_call(session).unwrap_or("no response"),
            Some(Some("length" | "toolUse")) => self.state_by_call(session).unwrap_or("unfinished"),
            Some(_) => self.state_by_call(session).unwrap_or("done"),
        }
    }

    /// What the result of the call that started it says, where it is tied to that: its own entries may lack its end.
    fn state_by_call(&self, session: &Session) -> Option<&'static str> {
        let Body::Message(Message::ToolResult(result)) = session.entry_at(self.started_by).body
        else {
            return None;
        };
        let status = result.details.as_ref().and_then(|about| about.get("status")?.as_str());
        // Gemini CLI 0.61.0; one that reached its goal has `GOAL` there.
        let text = result.only_text().unwrap_or_default();
        let has_failed =
            text.starts_with("Subagent '") && text.contains("\nTermination Reason: ERROR");
        // Claude Code (2.1.12 to 2.1.330).
        let is_done = status == Some("completed");
        if has_failed { Some("failed") } else { is_done.then_some("done") }
    }
}

impl Session {
    /// The entries of a path, and those of the sub-agents that it started, each at its own leaf.
    pub(crate) fn with_sub_agents(&self, path: &[EntryIndex]) -> Vec<EntryIndex> {
        let mut work = path.to_vec();
        let mut known: HashSet<EntryIndex> = path.iter().copied().collect();
        // Those that start others come before them.
        for sub in self.sub_sessions() {
            if known.contains(&sub.started_by) && sub.missing.is_none() {
                let own = self.tree().path(sub.leaf);
                known.extend(&own);
                work.extend(own);
            }
        }
        work
    }
}
