//! The context builder: what the model saw at a leaf.
//!
//! Each entry is first reduced to a small [`Fact`]; the facts on the path to a
//! leaf are then folded in three phases: *state* (model and thinking level,
//! over the whole path), *boundary* (the last compaction: where the model's view
//! begins), *emit* (the messages, with edits applied). The page carries the
//! facts (`page/outline_data.rs`) and its script folds them by the same rules
//! (`static/js/context.js`), those of pi 1.5.2; a browser test holds the two together.
//!
//! An entry is *listed* when it is among those the model's view is made of: all of
//! the path, or with a compaction what that keeps and what follows it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Session;
use super::convert::Seen;
use super::entry::{Body, Compaction, Entry, Replacement};
use super::message::{Message, Model};
use super::tree::EntryIndex;

/// What one entry means to the context.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fact<'a> {
    /// The message it gives.
    pub message: Option<Emitted<'a>>,
    /// The thinking level from here on.
    pub thinking: Option<Cow<'a, str>>,
    /// The model from here on.
    pub model: Option<Model<'a>>,
    /// The model's view begins anew here.
    pub boundary: Option<Boundary<'a>>,
    /// A change to another entry's message.
    pub edit: Option<Edit>,
}

/// A message in the context, without its text.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts, written to the page as bits"
)]
pub struct Emitted<'a> {
    /// Its role.
    pub role: Cow<'a, str>,
    /// Whether the conversion for the model lets it through.
    pub sent: bool,
    /// Not shown in the agent's terminal.
    pub hidden: bool,
    /// A system message: a compaction replaces those before it.
    pub system: bool,
    /// Whether an edit may put other content in its place.
    pub replaceable: bool,
}

/// Where a compaction lets the model's view begin.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary<'a> {
    /// The first kept entry; nothing before the boundary is kept without it.
    pub first_kept: Option<EntryIndex>,
    /// What stands in for the history: system message, summary, retained tail.
    pub lead: Vec<Emitted<'a>>,
}

/// A context edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    /// The edited entry, where the file holds it.
    pub target: Option<EntryIndex>,
    /// Takes the message away rather than changing its content.
    pub omit: bool,
}

/// How the context treats an entry on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The model saw it as written.
    In,
    /// A compaction's summary stands for it.
    Summarised,
    /// The model saw it with other content.
    Edited,
    /// The model did not see it, though nothing summarises it.
    Excluded,
    /// The model saw it, the agent's terminal did not show it.
    Hidden,
    /// It gives no message.
    None,
}

impl State {
    /// The word for it in the page.
    pub fn name(self) -> &'static str {
        match self {
            State::In => "in",
            State::Summarised => "summarised",
            State::Edited => "edited",
            State::Excluded => "excluded",
            State::Hidden => "hidden",
            State::None => "none",
        }
    }
}

/// A message of the context and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextMessage<'a> {
    /// The entry it comes from; for a compaction's lead the compaction.
    pub entry: EntryIndex,
    /// Which of a boundary's lead messages; `None` for an entry's own message.
    pub lead: Option<usize>,
    /// Its role.
    pub role: Cow<'a, str>,
    /// Whether the model got it.
    pub sent: bool,
    /// The context edit that changed its content.
    pub edited_by: Option<EntryIndex>,
}

/// The active path and what the model saw of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Context<'a> {
    /// From the root to the leaf; everything, whatever the model saw.
    pub path: Vec<EntryIndex>,
    /// The state of each entry of the path.
    pub states: Vec<State>,
    /// The messages in the order the model got them.
    pub messages: Vec<ContextMessage<'a>>,
    /// The thinking level at the leaf; `off` unless something set it.
    pub thinking_level: Cow<'a, str>,
    /// The model at the leaf.
    pub model: Option<Model<'a>>,
}

/// The facts of every entry of a session.
#[derive(Debug)]
pub struct Facts<'a> {
    session: &'a Session,
    facts: Vec<Fact<'a>>,
}

impl<'a> Facts<'a> {
    /// Parses each entry once and keeps what the context needs.
    pub fn read(session: &'a Session) -> Facts<'a> {
        let facts = (0..session.len()).map(|index| Fact::of(session, index)).collect();
        Facts { session, facts }
    }

    /// The facts of one entry.
    pub fn of(&self, index: EntryIndex) -> &Fact<'a> {
        &self.facts[index]
    }

    /// The context at `leaf`; without one, the empty context.
    pub fn context(&self, leaf: Option<EntryIndex>) -> Context<'a> {
        let path = leaf.map_or_else(Vec::new, |leaf| self.session.tree().path(leaf));
        let last =
            |pick: fn(&Fact<'a>) -> bool| path.iter().rposition(|&entry| pick(self.of(entry)));
        let thinking = last(|fact| fact.thinking.is_some());
        let model = last(|fact| fact.model.is_some());
        let boundary = last(|fact| fact.boundary.is_some());

        let listed = self.listed(&path, boundary);
        let edits = self.edits(&path, &listed);
        let mut context = Context {
            states: Vec::with_capacity(path.len()),
            messages: Vec::new(),
            thinking_level: thinking
                .and_then(|at| self.of(path[at]).thinking.clone())
                .unwrap_or(Cow::Borrowed("off")),
            model: model.and_then(|at| self.of(path[at]).model.clone()),
            path,
        };
        if let Some(at) = boundary {
            self.push_lead(context.path[at], &mut context.messages);
        }
        for (at, (&entry, &listed)) in context.path.iter().zip(&listed).enumerate() {
            let state = if Some(at) == boundary {
                State::In
            } else {
                let before_boundary = boundary.is_some_and(|boundary| at < boundary);
                self.emit(entry, listed, before_boundary, &edits, &mut context.messages)
            };
            context.states.push(state);
        }
        context
    }

    /// Which entries of the path the model's view is made of, boundary apart.
    fn listed(&self, path: &[EntryIndex], boundary: Option<usize>) -> Vec<bool> {
        let Some(boundary) = boundary else { return vec![true; path.len()] };
        let first_kept = self.of(path[boundary]).boundary.as_ref().and_then(|b| b.first_kept);
        let kept_from =
            first_kept.and_then(|kept| path[..boundary].iter().position(|&e| e == kept));
        let in_view = |at: usize| match at {
            at if at > boundary => true,
            at if at < boundary => {
                let system = self.of(path[at]).message.as_ref().is_some_and(|m| m.system);
                kept_from.is_some_and(|from| at >= from) && !system
            }
            _ => false,
        };
        (0..path.len()).map(in_view).collect()
    }

    /// The edits in force by target: only listed ones count, the last wins.
    fn edits(
        &self,
        path: &[EntryIndex],
        listed: &[bool],
    ) -> HashMap<EntryIndex, (EntryIndex, Edit)> {
        let listed =
            path.iter().zip(listed).filter(|(_, listed)| **listed).map(|(&entry, _)| entry);
        listed
            .filter_map(|entry| {
                let edit = self.of(entry).edit?;
                Some((edit.target?, (entry, edit)))
            })
            .collect()
    }

    fn push_lead(&self, boundary: EntryIndex, messages: &mut Vec<ContextMessage<'a>>) {
        let lead = self.of(boundary).boundary.iter().flat_map(|boundary| &boundary.lead);
        messages.extend(lead.enumerate().map(|(nth, emitted)| ContextMessage {
            entry: boundary,
            lead: Some(nth),
            role: emitted.role.clone(),
            sent: emitted.sent,
            edited_by: None,
        }));
    }

    fn emit(
        &self,
        entry: EntryIndex,
        listed: bool,
        before_boundary: bool,
        edits: &HashMap<EntryIndex, (EntryIndex, Edit)>,
        messages: &mut Vec<ContextMessage<'a>>,
    ) -> State {
        let fact = self.of(entry);
        if fact.boundary.is_some() && before_boundary {
            return State::Summarised;
        }
        let Some(emitted) = &fact.message else { return State::None };
        if !listed {
            return State::Summarised;
        }
        let edit = edits.get(&entry);
        if edit.is_some_and(|(_, edit)| edit.omit) {
            return State::Excluded;
        }
        let edited_by = edit.filter(|_| emitted.replaceable).map(|(by, _)| *by);
        messages.push(ContextMessage {
            entry,
            lead: None,
            role: emitted.role.clone(),
            sent: emitted.sent,
            edited_by,
        });
        match (emitted.sent, edited_by, emitted.hidden) {
            (false, ..) => State::Excluded,
            (_, Some(_), _) => State::Edited,
            (_, _, true) => State::Hidden,
            _ => State::In,
        }
    }
}

impl<'a> Fact<'a> {
    fn of(session: &'a Session, index: EntryIndex) -> Fact<'a> {
        let entry = session.entry(index);
        let hidden = matches!(&entry.body, Body::CustomMessage(custom) if !custom.display);
        let mut fact = Fact::default();
        match entry.body {
            Body::Compaction(compaction) => {
                fact.boundary = Some(Boundary {
                    // A retained tail is the kept range itself: the anchor says nothing then.
                    first_kept: match compaction.retained_tail {
                        Some(_) => None,
                        None => compaction
                            .first_kept_id
                            .as_deref()
                            .and_then(|id| session.index_beside(index, id)),
                    },
                    lead: lead(compaction).iter().map(Emitted::of).collect(),
                });
                return fact;
            }
            Body::ThinkingLevelChange(level) => fact.thinking = Some(level),
            Body::ModelChange(model) => fact.model = Some(model),
            Body::ContextEdit { target_id, replacement } => {
                let omit = matches!(replacement, Replacement::Omit);
                fact.edit = Some(Edit { target: session.index_beside(index, &target_id), omit });
            }
            body => {
                if let Body::Message(Message::Assistant(assistant)) = &body {
                    fact.model.clone_from(&assistant.model);
                }
                fact.message =
                    own_message(body).map(|seen| Emitted { hidden, ..Emitted::of(&seen) });
            }
        }
        fact
    }
}

impl<'a> Emitted<'a> {
    fn of(seen: &Seen<'a>) -> Emitted<'a> {
        let replaceable = matches!(
            seen,
            Seen::Message(
                Message::User(_)
                    | Message::Assistant(_)
                    | Message::ToolResult(_)
                    | Message::Custom(_)
            )
        );
        Emitted {
            role: match seen {
                Seen::Message(Message::Other { role, .. }) => role.clone(),
                seen => Cow::Owned(seen.role().to_owned()),
            },
            sent: seen.is_sent(),
            hidden: false,
            system: matches!(seen, Seen::Message(Message::System(_))),
            replaceable,
        }
    }
}

/// The message that an entry other than a compaction gives.
fn own_message(body: Body<'_>) -> Option<Seen<'_>> {
    match body {
        Body::Message(message) => Some(Seen::Message(message)),
        Body::CustomMessage(custom) => Some(Seen::Message(Message::Custom(custom))),
        Body::BranchSummary(branch) if !branch.summary.is_empty() => {
            Some(Seen::BranchSummary(branch.summary))
        }
        _ => None,
    }
}

/// What a compaction puts in place of the history.
fn lead(compaction: Compaction<'_>) -> Vec<Seen<'_>> {
    let system = compaction.system_message.map(|system| Seen::Message(Message::System(system)));
    let tail = compaction.retained_tail.unwrap_or_default().into_iter().map(Seen::Message);
    system.into_iter().chain([Seen::CompactionSummary(compaction.summary)]).chain(tail).collect()
}

impl<'a> ContextMessage<'a> {
    /// The message itself, its content as the model saw it.
    pub fn read(&self, session: &'a Session) -> Option<Seen<'a>> {
        let Entry { body, .. } = session.entry(self.entry);
        if let Some(nth) = self.lead {
            let Body::Compaction(compaction) = body else { return None };
            return lead(compaction).into_iter().nth(nth);
        }
        let mut seen = own_message(body)?;
        if let (Some(edit), Seen::Message(message)) = (self.edited_by, &mut seen)
            && let Body::ContextEdit { replacement: Replacement::Content(content), .. } =
                session.entry(edit).body
        {
            match message {
                Message::User(old) => *old = content,
                Message::Assistant(assistant) => assistant.content = content,
                Message::ToolResult(result) => result.content = content,
                Message::Custom(custom) => custom.content = content,
                _ => {}
            }
        }
        Some(seen)
    }
}
