//! The context builder: what the model saw at a leaf.
//!
//! | to get | use |
//! |---|---|
//! | the messages that a provider would be sent, as data or JSON | [`ModelContext::at`] |
//! | what became of each entry on the path, or contexts at many leaves | [`Facts::read`], then [`Facts::context`] |
//! | what `leafpress context --json` prints: a list of messages with their entries, for people | [`report::context`](crate::report::context) |
//!
//! Each entry is first reduced to a few facts. The facts on the path to a leaf are then folded in four phases:
//!
//! 1. *state*: model and thinking level, over the whole path.
//! 2. *boundary*: the last compaction or reset, where the model's view begins.
//! 3. *emit*: the messages, with edits applied.
//! 4. *settle*: calls and results are paired, and failed turns go, in formats where they do.
//!
//! The rules are those of pi 1.5.2 and omp 18.3.4. The formats differ in their facts alone.

// The page carries the facts (`page/outline_data/`), and its script folds them by the same rules
// (`static/js/context/context.js`). A browser test holds the two together.
//
// An entry is *listed* when it is among those the model's view is made of: all of the path, or with a boundary what
// that keeps and what follows it.

mod build;
mod fact;
mod fact_list;
mod for_model;
#[cfg(feature = "store")]
mod owned;
mod settle;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

pub(crate) use build::ContextBuilder;
pub(crate) use fact::note;
#[doc(hidden)]
pub use fact::{Boundary, Edit, EntryEffect, Fact};
pub(crate) use fact_list::FactList;
pub use for_model::ModelContext;

use crate::session::model::convert::SentMessage;
use crate::session::model::entry::{Body, Entry, Replacement};
use crate::session::model::message::{Block, Message, Model};
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// How the context treats an entry on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// The model saw it as written.
    In,
    /// A compaction's summary stands for it.
    Summarized,
    /// It is above where the context was cleared.
    Cleared,
    /// The model saw it with other content.
    Edited,
    /// The model did not see it, though nothing summarizes it.
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
            State::Summarized => "summarised",
            State::Cleared => "cleared",
            State::Edited => "edited",
            State::Excluded => "excluded",
            State::Hidden => "hidden",
            State::None => "none",
        }
    }
}

/// A message of the context and where it comes from.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContextMessage<'a> {
    /// The entry it comes from; for a compaction's lead the compaction.
    pub entry: EntryIndex,
    /// Which of a boundary's lead messages, counted from 0; `None` for an entry's own message.
    pub lead: Option<usize>,
    /// Its role.
    pub role: Cow<'a, str>,
    /// Whether the model got it.
    pub sent: bool,
    /// The context edit that changed its content.
    pub edited_by: Option<EntryIndex>,
    /// Which of its calls, from 0, are left out for want of a result.
    pub stripped: Vec<usize>,
}

/// The active path and what the model saw of it, entry by entry. [`ModelContext`] has the messages as they would be sent.
///
/// ```
/// use leafpress::session::context::{Facts, State};
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let context = Facts::read(&session).context(Some(session.leaf()));
/// let summarized = context.states.iter().filter(|state| **state == State::Summarized).count();
/// println!("{} of {} entries are summarized", summarized, context.path.len());
/// for message in context.messages.iter().filter(|message| message.sent) {
///     println!("{}: {}", message.role, message.read(&session).map(|said| said.text()).unwrap_or_default());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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
    /// The models of other roles at the leaf, such as `smol` (omp).
    pub role_models: BTreeMap<Cow<'a, str>, Model<'a>>,
    /// The mode at the leaf, where one is on (omp).
    pub mode: Option<Cow<'a, str>>,
    /// The service tier at the leaf by family of models (omp).
    pub tiers: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// The facts of every entry of a session, for contexts at many leaves. For one leaf, [`ModelContext::at`] is enough.
///
/// ```
/// use leafpress::session::context::Facts;
///
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let facts = Facts::read(&session);
/// // Each context is one walk of its path; nothing is parsed again.
/// for leaf in session.tree().leaves() {
///     println!("{:?}: {} messages", session.id(leaf), facts.context(Some(leaf)).messages.len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Facts<'a> {
    session: &'a Session,
    list: FactList<'a>,
    /// By entry, how many above it can be messages; only sessions with compactions ask.
    messages_above: OnceLock<Vec<u32>>,
}

impl<'a> Facts<'a> {
    /// Parses each entry once and keeps what the context needs.
    pub fn read(session: &'a Session) -> Facts<'a> {
        let mut facts = FactList::with_capacity(session.len());
        for index in session.indices() {
            facts.push(Fact::of(session, index, session.entry_at(index).body));
        }
        Facts::of_all(session, facts)
    }

    /// The facts of all entries, by entry.
    pub(super) fn of_all(session: &'a Session, facts: FactList<'a>) -> Facts<'a> {
        Facts { session, list: facts, messages_above: OnceLock::new() }
    }

    /// How many entries above one are messages or summaries, which a compaction below can summarize.
    pub(crate) fn messages_above(&self, index: EntryIndex) -> usize {
        let all = self.messages_above.get_or_init(|| {
            let tree = self.session.tree();
            let mut above = vec![0; self.session.len()];
            for entry in tree.order() {
                let Some(parent) = tree.parent(entry) else { continue };
                let fact = self.of(parent);
                let is_summary = fact.boundary.as_ref().is_some_and(|boundary| !boundary.is_reset);
                let counts = is_summary || fact.message.is_some();
                above[entry.get()] = above[parent.get()] + u32::from(counts);
            }
            above
        });
        all[index.get()] as usize
    }

    /// The facts of one entry.
    #[doc(hidden)]
    pub fn of(&self, index: EntryIndex) -> &Fact<'a> {
        self.list.of(index)
    }

    /// The context at `leaf`; without one, the empty context.
    pub fn context(&self, leaf: Option<EntryIndex>) -> Context<'a> {
        let path = leaf.map_or_else(Vec::new, |leaf| self.session.tree().path(leaf));
        ContextBuilder::new(&self.list).context(path)
    }
}

impl<'a> ContextMessage<'a> {
    fn of(entry: EntryIndex, effect: &EntryEffect<'a>) -> ContextMessage<'a> {
        ContextMessage {
            entry,
            lead: None,
            role: effect.role.clone(),
            sent: effect.sent,
            edited_by: None,
            stripped: Vec::new(),
        }
    }

    /// The message itself, its content as the model saw it.
    pub fn read(&self, session: &'a Session) -> Option<SentMessage<'a>> {
        self.read_from(|index| session.entry_at(index))
    }

    /// The same where the entries are elsewhere.
    pub(crate) fn read_from<'e>(
        &self,
        parsed: impl Fn(EntryIndex) -> Entry<'e>,
    ) -> Option<SentMessage<'e>> {
        let entry = parsed(self.entry);
        if let Some(nth) = self.lead {
            let Body::Compaction(compaction) = &entry.body else { return None };
            return fact::lead(compaction).into_iter().nth(nth);
        }
        let mut seen = fact::given(entry)?;
        if let (Some(edit), SentMessage::Message(message)) = (self.edited_by, &mut seen)
            && let Body::ContextEdit { replacement: Replacement::Content(content), .. } =
                parsed(edit).body
        {
            match message {
                Message::User(old) => *old = content,
                Message::Assistant(assistant) => assistant.content = content,
                Message::ToolResult(result) => result.content = content,
                Message::Custom(custom) => custom.content = content,
                _ => {}
            }
        }
        if let SentMessage::Message(Message::Assistant(assistant)) = &mut seen
            && !self.stripped.is_empty()
        {
            strip(&mut assistant.content, &self.stripped);
        }
        Some(seen)
    }
}

/// Without the calls of these places, and without reasoning that is bound to them.
fn strip(content: &mut Vec<Block<'_>>, stripped: &[usize]) {
    let mut nth = 0;
    content.retain(|block| match block {
        Block::ToolCall(_) => {
            nth += 1;
            !stripped.contains(&(nth - 1))
        }
        // omp 18.3.4 leaves out redacted thinking of a turn that lost calls, and signatures, which are not read here.
        block => *block != Block::RedactedThinking,
    });
}
