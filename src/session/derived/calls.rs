//! Which tool result answers which call.
//!
//! A call is retried on other branches under the same id, so a result belongs
//! to the nearest call above it. Only where no call stands above it, as in cut
//! files, any call of that id will do.

use std::collections::HashMap;

pub(crate) use super::entry_digest::Asked;
use super::entry_digest::{EntryDigest, What};
use crate::session::action::Action;
use crate::session::action::names::Tool;
use crate::session::model::entry::{Body, Entry};
use crate::session::model::message::{Message, ToolCall};
use crate::session::tree::index::EntryIndex;
use crate::session::tree::parents::Tree;
use crate::session::tree::session::Session;

/// One tool call of an assistant's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallPlace {
    /// The assistant's entry.
    pub entry: EntryIndex,
    /// Which of its calls, from 0.
    pub nth: usize,
}

/// The pairs of calls and results of a session.
#[derive(Debug, Default)]
pub struct Calls {
    call_of: HashMap<EntryIndex, CallPlace>,
    results: HashMap<CallPlace, Vec<EntryIndex>>,
    progress: HashMap<EntryIndex, CallPlace>,
    /// What the calls of each entry ask.
    asked: HashMap<EntryIndex, Box<[Asked]>>,
}

impl Calls {
    /// Parses each entry once and pairs all results with their calls, in linear time.
    pub fn read(session: &Session) -> Calls {
        let digests = session.indices().map(|index| {
            let entry = session.entry_at(index);
            EntryDigest::of(session, &entry, &Action::all_of(&entry.body))
        });
        Calls::of(session, &digests.collect::<Vec<_>>())
    }

    /// Pairs what the entries say of calls, by entry.
    pub(super) fn of(session: &Session, digests: &[EntryDigest<'_>]) -> Calls {
        let mut calls = Calls::default();
        let tree = session.tree();
        calls.asked = EntryIndex::each(digests)
            .filter(|(_, digest)| !digest.calls().is_empty())
            .map(|(entry, digest)| (entry, digest.calls().iter().map(|call| call.asked).collect()))
            .collect();
        let anywhere = last_call_by_id(digests, tree);
        // Calls of the entries on the way from the root to the one at hand.
        let mut open: HashMap<&str, Vec<CallPlace>> = HashMap::new();
        let mut way: Vec<EntryIndex> = Vec::new();
        for entry in tree.by_session() {
            while let Some(top) = way.pop_if(|top| Some(*top) != tree.parent(entry)) {
                for call in digests[top.get()].calls() {
                    if let Some(places) = open.get_mut(call.id.as_ref()) {
                        places.pop();
                    }
                }
            }
            match &digests[entry.get()].what {
                What::Answer(answer) => {
                    for (nth, call) in answer.calls.iter().enumerate() {
                        open.entry(&call.id).or_default().push(CallPlace { entry, nth });
                    }
                }
                What::Result { call_id, .. } => {
                    let id = call_id.as_ref();
                    let above = open.get(id).and_then(|places| places.last());
                    let call = above.or_else(|| anywhere.get(&(tree.session_of(entry), id)));
                    if let Some(&call) = call {
                        calls.call_of.insert(entry, call);
                        calls.results.entry(call).or_default().push(entry);
                    }
                }
                What::Progress(ids) => {
                    let above = ids.iter().find_map(|id| open.get(id.as_str())?.last());
                    calls.progress.extend(above.map(|&call| (entry, call)));
                }
                _ => {}
            }
            way.push(entry);
        }
        calls
    }

    /// The call that this tool result answers.
    pub fn call_of(&self, result: EntryIndex) -> Option<CallPlace> {
        self.call_of.get(&result).copied()
    }

    /// What a call asks.
    pub(crate) fn asked(&self, call: CallPlace) -> Option<Asked> {
        self.asked.get(&call.entry)?.get(call.nth).copied()
    }

    /// What the tool is for whose result an entry is, by its call.
    pub(crate) fn tool_of(&self, result: EntryIndex) -> Option<Tool> {
        Some(self.asked(self.call_of(result)?)?.tool)
    }

    /// The call whose progress an entry tells: an update or a hook of Claude Code.
    pub fn progress_of(&self, entry: EntryIndex) -> Option<CallPlace> {
        self.progress.get(&entry).copied()
    }

    /// The results of a call, depth first; several when branches ran it anew.
    pub fn results_of(&self, call: CallPlace) -> &[EntryIndex] {
        self.results.get(&call).map_or(&[], Vec::as_slice)
    }
}

/// Reads calls back from the session. Keeps the last assistant parsed, since
/// the results of its calls follow each other.
#[derive(Debug)]
pub struct CallReader<'a> {
    session: &'a Session,
    last: Option<(EntryIndex, Vec<ToolCall<'a>>)>,
}

impl<'a> CallReader<'a> {
    /// A reader that has parsed nothing yet.
    pub fn new(session: &'a Session) -> Self {
        CallReader { session, last: None }
    }

    /// Takes the calls of an entry that somebody else parsed.
    pub(crate) fn keep(&mut self, index: EntryIndex, entry: Entry<'a>) {
        if let Some(calls) = calls_of(entry) {
            self.last = Some((index, calls));
        }
    }

    /// The call at `place`.
    pub fn read(&mut self, place: CallPlace) -> Option<&ToolCall<'a>> {
        if self.last.as_ref().is_none_or(|(entry, _)| *entry != place.entry) {
            let calls = calls_of(self.session.entry_at(place.entry)).unwrap_or_default();
            self.last = Some((place.entry, calls));
        }
        self.last.as_ref().and_then(|(_, calls)| calls.get(place.nth))
    }
}

/// The calls of an answer, if there are any.
fn calls_of(entry: Entry<'_>) -> Option<Vec<ToolCall<'_>>> {
    let Body::Message(Message::Assistant(assistant)) = entry.body else { return None };
    let calls: Vec<_> = assistant.into_calls().collect();
    (!calls.is_empty()).then_some(calls)
}

/// The last call of each id in each session.
fn last_call_by_id<'g>(
    digests: &'g [EntryDigest<'_>],
    tree: &Tree,
) -> HashMap<(usize, &'g str), CallPlace> {
    let mut last = HashMap::new();
    for (entry, digest) in EntryIndex::each(digests) {
        for (nth, call) in digest.calls().iter().enumerate() {
            let place = CallPlace { entry, nth };
            let kept = last.entry((tree.session_of(entry), call.id.as_ref())).or_insert(place);
            // Of one answer the first.
            if kept.entry < entry {
                *kept = place;
            }
        }
    }
    last
}
