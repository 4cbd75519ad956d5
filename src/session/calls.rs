//! Which tool result answers which call.
//!
//! A call is retried on other branches under the same id, so a result belongs
//! to the nearest call above it. Only where no call stands above it, as in cut
//! files, any call of that id will do.

use std::collections::HashMap;

use super::entry::Body;
use super::json::Json;
use super::message::{Message, ToolCall};
use super::tree::{EntryIndex, Tree};
use super::{Dialect, Session};

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
}

/// The call ids an entry makes, answers or tells the progress of.
enum Part {
    Calls(Vec<String>),
    Answers(String),
    /// The first of these that is a call's.
    Progress(Vec<String>),
}

impl Calls {
    /// Pairs all results of the session with their calls, in linear time.
    pub fn read(session: &Session) -> Calls {
        let mut calls = Calls::default();
        let mut parts = read_parts(session);
        let tree = session.tree();
        let anywhere = last_call_by_id(&parts, tree);
        // Calls of the entries on the way from the root to the one at hand.
        let mut open: HashMap<String, Vec<CallPlace>> = HashMap::new();
        let mut way: Vec<(EntryIndex, Vec<String>)> = Vec::new();
        for entry in tree.by_session() {
            while way.last().is_some_and(|(top, _)| Some(*top) != tree.parent(entry)) {
                for id in way.pop().map(|(_, ids)| ids).unwrap_or_default() {
                    if let Some(places) = open.get_mut(&id) {
                        places.pop();
                    }
                }
            }
            let mut ids = Vec::new();
            match parts.remove(&entry) {
                Some(Part::Calls(made)) => {
                    for (nth, id) in made.iter().enumerate() {
                        open.entry(id.clone()).or_default().push(CallPlace { entry, nth });
                    }
                    ids = made;
                }
                Some(Part::Answers(id)) => {
                    let above = open.get(&id).and_then(|places| places.last());
                    if let Some(&call) =
                        above.or_else(|| anywhere.get(&(tree.session_of(entry), id)))
                    {
                        calls.call_of.insert(entry, call);
                        calls.results.entry(call).or_default().push(entry);
                    }
                }
                Some(Part::Progress(ids)) => {
                    let above = ids.iter().find_map(|id| open.get(id)?.last());
                    calls.progress.extend(above.map(|&call| (entry, call)));
                }
                None => {}
            }
            way.push((entry, ids));
        }
        calls
    }

    /// The call that this tool result answers.
    pub fn call_of(&self, result: EntryIndex) -> Option<CallPlace> {
        self.call_of.get(&result).copied()
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

    /// The call at `place`.
    pub fn read(&mut self, place: CallPlace) -> Option<&ToolCall<'a>> {
        if self.last.as_ref().is_none_or(|(entry, _)| *entry != place.entry) {
            let calls = match self.session.entry(place.entry).body {
                Body::Message(Message::Assistant(assistant)) => {
                    assistant.calls().cloned().collect()
                }
                _ => Vec::new(),
            };
            self.last = Some((place.entry, calls));
        }
        self.last.as_ref().and_then(|(_, calls)| calls.get(place.nth))
    }
}

/// Where Claude Code names the call of a progress line. The second is of the update itself where the first is there.
const PROGRESS_OF: [&str; 2] = ["parentToolUseID", "toolUseID"];

fn read_parts(session: &Session) -> HashMap<EntryIndex, Part> {
    let tells_progress = session.dialect() == Dialect::ClaudeCode;
    let may_call = |&index: &EntryIndex| match session.entry_type(index) {
        "message" => true,
        "custom" => tells_progress,
        _ => false,
    };
    let read = |index| match session.entry(index).body {
        Body::Message(Message::Assistant(assistant)) => {
            let ids: Vec<String> = assistant.calls().map(|call| call.id.to_string()).collect();
            (!ids.is_empty()).then_some((index, Part::Calls(ids)))
        }
        Body::Message(Message::ToolResult(result)) => {
            Some((index, Part::Answers(result.call_id.into_owned())))
        }
        Body::Custom { data: Some(data), .. } => {
            let id = |key| data.get(key).and_then(Json::as_str).map(str::to_owned);
            let ids: Vec<String> = PROGRESS_OF.into_iter().filter_map(id).collect();
            (!ids.is_empty()).then_some((index, Part::Progress(ids)))
        }
        _ => None,
    };
    (0..session.len()).filter(may_call).filter_map(read).collect()
}

/// The last call of each id in each session.
fn last_call_by_id(
    parts: &HashMap<EntryIndex, Part>,
    tree: &Tree,
) -> HashMap<(usize, String), CallPlace> {
    let mut last: HashMap<(usize, String), CallPlace> = HashMap::new();
    for (&entry, part) in parts {
        let Part::Calls(ids) = part else { continue };
        for (nth, id) in ids.iter().enumerate() {
            let place = CallPlace { entry, nth };
            let kept = last.entry((tree.session_of(entry), id.clone())).or_insert(place);
            if kept.entry < entry {
                *kept = place;
            }
        }
    }
    last
}
