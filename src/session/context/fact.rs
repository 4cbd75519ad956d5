//! What one entry means to the context, by itself.
//!
//! Facts are small and outlive the entry, so that the context at any leaf is one walk over them without a second parse.
//! The differences between agents are here and nowhere later: `ContextRules` chooses how a message counts.

use std::borrow::Cow;

use crate::session::model::convert::SentMessage;
use crate::session::model::entry::{Body, Compaction, Entry, Replacement};
use crate::session::model::event::Event;
use crate::session::model::format::ContextRules;
#[cfg(feature = "store")]
use crate::session::model::format::Format;
use crate::session::model::message::{Assistant, Block, CustomMessage, Message, Model};
use crate::session::model::notice;
use crate::session::model::queued_prompt;
use crate::session::texts::json::Json;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// What one entry means to the context.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Fact<'a> {
    /// The message it gives.
    pub message: Option<EntryEffect<'a>>,
    /// The thinking level from here on.
    pub thinking: Option<Cow<'a, str>>,
    /// The model from here on.
    pub model: Option<Model<'a>>,
    /// The model was chosen: answers below do not change it.
    pub model_holds: bool,
    /// The model of another role from here on, such as `smol` (omp).
    pub role_model: Option<Box<(Cow<'a, str>, Model<'a>)>>,
    /// The mode from here on; `none` ends one (omp).
    pub mode: Option<Cow<'a, str>>,
    /// The service tier of each family of models from here on (omp).
    pub tiers: Option<Vec<(Cow<'a, str>, Cow<'a, str>)>>,
    /// The model's view begins anew here.
    pub boundary: Option<Box<Boundary<'a>>>,
    /// A change to another entry's message.
    pub edit: Option<Edit>,
    /// Notes that the agent keeps; the last ones are given ahead of everything.
    pub note: Option<Box<EntryEffect<'a>>>,
}

/// A message in the context, without its text.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, written to the page as bits")]
#[non_exhaustive]
pub struct EntryEffect<'a> {
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
    /// The agent gives it to no model.
    pub never: bool,
    /// A prompt: some compactions ask it again.
    pub prompt: bool,
    /// A reset that keeps a part keeps no such message of it.
    pub aside: bool,
    /// A turn that failed: it goes with its results, unless what it thought follows.
    pub failed: bool,
    /// What an interrupted turn thought.
    pub thought: bool,
    /// A turn that says something without its calls.
    pub speaks: bool,
    /// A turn keeps its calls without a result; a result stands directly behind its call
    /// and goes where the call is not among the messages.
    pub paired: bool,
    /// The ids of a turn's calls, in a format that looks for their results.
    pub calls: Vec<Cow<'a, str>>,
    /// The id of the call it answers, in such a format.
    pub answers: Option<Cow<'a, str>>,
}

/// Where the model's view begins anew.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Boundary<'a> {
    /// The first kept entry; nothing before the boundary is kept without it.
    pub first_kept: Option<EntryIndex>,
    /// The entry after which the kept ones begin, whatever the first kept is.
    pub kept_after: Option<EntryIndex>,
    /// What stands in for the history: system message, summary, retained tail.
    pub lead: Vec<EntryEffect<'a>>,
    /// It holds for models of this provider alone.
    pub provider: Option<Cow<'a, str>>,
    /// The last prompt before what is kept is asked again.
    pub asks_again: bool,
    /// Nothing stands in for the history: the person cleared it.
    pub is_reset: bool,
    /// The agent never reads what is above the kept entries, not even for the model
    /// and the thinking level.
    pub cuts: bool,
}

/// Whose rules the facts follow; all others follow pi's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    Pi,
    Omp,
    /// pi's harness of version 3: a path that ends at the compaction.
    HarnessPath,
    /// pi's harness of version 4: calls and results in pairs.
    HarnessLanes,
    /// Claude Code: prompts may wait and never be sent.
    ClaudeCode,
    /// OpenClaw: resets that keep a part, and messages that are not sent.
    OpenClaw,
}

impl Rules {
    fn of(session: &Session) -> Rules {
        match session.format().traits().context {
            ContextRules::Omp => Rules::Omp,
            ContextRules::Harness if session.header().version < 4 => Rules::HarnessPath,
            ContextRules::Harness => Rules::HarnessLanes,
            ContextRules::ClaudeCode => Rules::ClaudeCode,
            ContextRules::Pi if session.header().agent.as_deref() == Some("OpenClaw") => {
                Rules::OpenClaw
            }
            // These two word their summaries themselves, in the conversion for the model.
            ContextRules::Pi | ContextRules::Flue | ContextRules::Chimera => Rules::Pi,
        }
    }
}

/// A context edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The edited entry, where the file holds it.
    pub target: Option<EntryIndex>,
    /// Takes the message away rather than changing its content.
    pub omit: bool,
}

impl<'a> Fact<'a> {
    pub(in crate::session) fn of(
        session: &'a Session,
        index: EntryIndex,
        body: Body<'a>,
    ) -> Fact<'a> {
        let rules = Rules::of(session);
        let mut fact = Fact::read(body, rules, |id| session.index_beside(index, id));
        if rules == Rules::OpenClaw {
            if let Some(message) = &mut fact.message {
                message.never |= is_excluded(session.raw_at(index));
            }
            if let Some(boundary) =
                fact.boundary.as_deref_mut().filter(|boundary| boundary.is_reset)
            {
                boundary.first_kept =
                    boundary.first_kept.and_then(|kept| behind_results(session, kept));
            }
        }
        fact
    }

    /// The fact of an entry of a session of pi's or oh-my-pi's, whose entries `find` finds by their
    /// ids.
    #[cfg(feature = "store")]
    pub(crate) fn of_agent(
        format: Format,
        body: Body<'a>,
        find: impl Fn(&str) -> Option<EntryIndex>,
    ) -> Fact<'a> {
        let rules = if format == Format::Omp { Rules::Omp } else { Rules::Pi };
        Fact::read(body, rules, find)
    }

    fn read(body: Body<'a>, rules: Rules, find: impl Fn(&str) -> Option<EntryIndex>) -> Fact<'a> {
        let mut fact = Fact::default();
        match body {
            Body::Compaction(compaction) if !compaction.in_place => {
                fact.boundary = Some(Box::new(Boundary::of(&compaction, rules, find)));
                return fact;
            }
            Body::Event(Event::Reset { first_kept_id, .. }) => {
                let first_kept = first_kept_id.and_then(|id| find(&id));
                let reset = Boundary { is_reset: true, first_kept, ..Boundary::default() };
                fact.boundary = Some(Box::new(reset));
            }
            Body::ThinkingLevelChange(level) => fact.thinking = Some(level),
            // omp 18.3.4: `role` is absent, `default`, `fallback` or another.
            Body::ModelChange(change) if rules == Rules::Omp => {
                match change.role.as_deref() {
                    None | Some("default") => {
                        fact.model = Some(change.model);
                        fact.model_holds = true;
                    }
                    // Stands in for one answer.
                    Some("fallback") => {}
                    // The models of other roles are not those of the conversation.
                    Some(_) => {
                        fact.role_model = change.role.map(|role| Box::new((role, change.model)));
                    }
                }
            }
            Body::Event(Event::Mode { mode, .. }) => fact.mode = Some(mode),
            Body::Event(Event::ServiceTier(tier)) => fact.tiers = Some(Event::tiers(tier)),
            Body::ModelChange(change) => fact.model = Some(change.model),
            Body::ContextEdit { target_id, replacement } => {
                let omit = matches!(replacement, Replacement::Omit);
                fact.edit = Some(Edit { target: find(&target_id), omit });
            }
            body => {
                if let Body::Message(Message::Assistant(assistant)) = &body {
                    fact.model.clone_from(&assistant.model);
                }
                if let Body::Omitted(omitted) = &body {
                    fact.thinking.clone_from(&omitted.thinking_level);
                }
                if rules == Rules::Omp {
                    let note = note(&body).map(SentMessage::Message);
                    fact.note = note.as_ref().map(|note| Box::new(EntryEffect::of(note)));
                }
                fact.message = effect(body, rules);
            }
        }
        fact
    }
}

fn effect(body: Body<'_>, rules: Rules) -> Option<EntryEffect<'_>> {
    let hidden = matches!(&body, Body::CustomMessage(custom) if !custom.display);
    let seen = own_message(body)?;
    let mut effect = EntryEffect { hidden, ..EntryEffect::of(&seen) };
    if let SentMessage::Message(Message::Custom(custom)) = &seen
        && notice::is_own(&custom.custom_type)
    {
        effect.never = true;
        return Some(effect);
    }
    if rules == Rules::Omp {
        effect.read_calls(&seen);
        effect.add_rules_of_omp(&seen);
        return Some(effect);
    }
    if rules == Rules::HarnessLanes {
        effect.pair(&seen);
        effect.never = is_deferred(&seen);
    }
    if rules == Rules::OpenClaw {
        effect.aside = !matches!(
            seen,
            SentMessage::Message(Message::User(_) | Message::Assistant(_) | Message::ToolResult(_))
        );
    }
    if let (Rules::ClaudeCode, SentMessage::Message(Message::Custom(custom))) = (rules, &seen) {
        let kind = &custom.custom_type;
        effect.never = queued_prompt::is_one(kind) || notice::is_one(kind);
    }
    let is_given =
        rules == Rules::ClaudeCode && matches!(seen, SentMessage::Message(Message::FileMention(_)));
    // A file that a prompt mentions is given to the model by Claude Code (its attachments, 2.1.330) and by omp.
    if !is_given
        && matches!(
            seen,
            SentMessage::Message(
                Message::Developer(_)
                    | Message::Program(_)
                    | Message::FileMention(_)
                    | Message::Hook(_)
            )
        )
    {
        // Roles that only omp has words for.
        effect.sent = false;
    }
    Some(effect)
}

impl<'a> EntryEffect<'a> {
    fn of(seen: &SentMessage<'a>) -> EntryEffect<'a> {
        EntryEffect {
            role: match seen {
                SentMessage::Message(Message::Other { role, .. }) => role.clone(),
                seen => Cow::Borrowed(seen.known_role()),
            },
            sent: seen.is_sent(),
            system: matches!(seen, SentMessage::Message(Message::System(_))),
            replaceable: matches!(
                seen,
                SentMessage::Message(
                    Message::User(_)
                        | Message::Assistant(_)
                        | Message::ToolResult(_)
                        | Message::Custom(_)
                )
            ),
            prompt: matches!(seen, SentMessage::Message(Message::User(_))),
            ..EntryEffect::default()
        }
    }

    fn read_calls(&mut self, seen: &SentMessage<'a>) {
        match seen {
            SentMessage::Message(Message::Assistant(assistant)) => {
                self.calls = assistant.calls().map(|call| call.id.clone()).collect();
            }
            SentMessage::Message(Message::ToolResult(result)) => {
                self.answers = Some(result.call_id.clone());
            }
            _ => {}
        }
    }

    /// pi's harness of version 4 mends the order that other entries between a call and
    /// its result bring about.
    fn pair(&mut self, seen: &SentMessage<'a>) {
        self.read_calls(seen);
        self.paired = !self.calls.is_empty() || self.answers.is_some();
    }

    /// omp leaves out more than pi does before a model gets anything.
    // All of it: omp 18.3.4.
    fn add_rules_of_omp(&mut self, seen: &SentMessage<'_>) {
        match seen {
            SentMessage::Message(Message::Assistant(assistant)) => {
                self.failed = assistant.stopped_by("aborted") || assistant.stopped_by("error");
                self.speaks = assistant
                    .content
                    .iter()
                    .any(|block| !matches!(block, Block::ToolCall(_) | Block::RedactedThinking));
                self.never = assistant.retry.is_some() || is_empty_error(assistant);
            }
            SentMessage::Message(Message::Custom(custom)) => {
                let custom_type = custom.custom_type.as_ref();
                self.thought = custom_type == "interrupted-thinking";
                self.never =
                    custom.malformed || matches!(custom_type, "prewalk-plan" | "vibe-mode-context");
            }
            _ => {}
        }
    }
}

/// The turn goes on later, under another entry.
// pi 1.5.2 and its harness of version 4 write `deferred`; the harness skips such a turn.
fn is_deferred(seen: &SentMessage<'_>) -> bool {
    matches!(seen, SentMessage::Message(Message::Assistant(turn)) if turn.stopped_by("deferred"))
}

/// The first entry from `kept` down that is no tool result: a reset keeps none whose call is above.
// OpenClaw 2026.9.6. The results of one response follow each other.
fn behind_results(session: &Session, kept: EntryIndex) -> Option<EntryIndex> {
    /// One response does not make more calls.
    const RESULTS: usize = 1000;
    let is_result = |entry: &EntryIndex| {
        matches!(session.entry_at(*entry).body, Body::Message(Message::ToolResult(_)))
    };
    let next = |entry: &EntryIndex| session.tree().children(*entry).next();
    std::iter::successors(Some(kept), next).take(RESULTS).find(|entry| !is_result(entry))
}

/// Whether an entry's message says that it is not sent.
// OpenClaw 2026.9.6, on a message of any role.
fn is_excluded(entry: &str) -> bool {
    const KEY: &str = "excludeFromContext";
    memchr::memmem::find(entry.as_bytes(), KEY.as_bytes()).is_some()
        && serde_json::from_str::<Json<'_>>(entry).is_ok_and(|entry| {
            entry.get("message").and_then(|message| message.get(KEY)) == Some(&Json::Bool(true))
        })
}

fn is_empty_error(assistant: &Assistant<'_>) -> bool {
    assistant.stopped_by("error") && assistant.content.is_empty()
}

impl<'a> Boundary<'a> {
    fn of(
        compaction: &Compaction<'a>,
        rules: Rules,
        find: impl Fn(&str) -> Option<EntryIndex>,
    ) -> Boundary<'a> {
        // A retained tail is the kept range itself: the anchor says nothing then. Nor
        // does it where the provider keeps the history in a form of its own.
        let provider = compaction.remote_provider();
        let replay_through = compaction.replay_through_id.as_deref();
        let is_kept_elsewhere = compaction.retained_tail.is_some()
            || rules == Rules::HarnessLanes
            || provider.is_some()
            || replay_through.is_some();
        let lead = lead(compaction).into_iter().map(|seen| {
            let mut effect = EntryEffect::of(&seen);
            if rules == Rules::HarnessLanes {
                effect.pair(&seen);
            }
            effect
        });
        let first_kept = compaction.first_kept_id.as_deref().filter(|_| !is_kept_elsewhere);
        let first_kept = first_kept.and_then(&find);
        let has_range = compaction.retained_tail.is_some() || first_kept.is_some();
        Boundary {
            first_kept,
            kept_after: replay_through.and_then(find),
            asks_again: compaction.is_rollover(),
            lead: lead.collect(),
            provider: provider.map(|provider| Cow::Owned(provider.to_owned())),
            is_reset: false,
            cuts: rules == Rules::HarnessPath && has_range,
        }
    }
}

impl Compaction<'_> {
    /// Whose models alone understand what the provider keeps of the history (omp).
    // `preserveData.openaiRemoteCompaction`, omp 18.3.4: a provider, and an array of history.
    pub fn remote_provider(&self) -> Option<&str> {
        let remote = self.preserved.as_ref()?.get("openaiRemoteCompaction")?;
        let is_whole = matches!(remote.get("replacementHistory"), Some(Json::Array(_)));
        remote.get("provider")?.as_str().filter(|provider| is_whole && !provider.is_empty())
    }

    /// The session went on with its last request and nothing else (omp).
    fn is_rollover(&self) -> bool {
        let kind = self.details.as_ref().and_then(|details| details.get("kind"));
        kind.and_then(Json::as_str) == Some("experimental-context-rollover")
    }
}

/// The notes that an agent keeps for itself, as omp 18.3.4 gives them to the model: in a tag, after a sentence on what
/// they are. What omp goes on to say of their use is the same for all sessions and left out.
pub(crate) fn note<'a>(body: &Body<'a>) -> Option<Message<'a>> {
    /// Longer ones omp ignores.
    const MAX_BYTES: usize = 16 << 10;
    const TYPE: &str = "experimental_context_notes";
    const NOTES_BEGIN: &str = "<experimental-context-notes>\nThis opt-in experimental notebook is persistent working context for the active session branch.";
    const NOTES_END: &str = "</experimental-context-notes>";
    let Body::Custom { custom_type, data: Some(data) } = body else { return None };
    let is_known = custom_type == TYPE && data.get("version")?.as_f64() == Some(1.0);
    let Json::String(text) = data.get("text")? else { return None };
    (is_known && text.len() <= MAX_BYTES).then(|| {
        Message::Custom(CustomMessage {
            custom_type: Cow::Borrowed(TYPE),
            content: vec![Block::Text(format!("{NOTES_BEGIN} […]\n\n{text}\n{NOTES_END}").into())],
            display: true,
            details: None,
            attribution: None,
            malformed: false,
        })
    })
}

/// The message that an entry gives by itself.
pub(super) fn own_message(body: Body<'_>) -> Option<SentMessage<'_>> {
    match body {
        Body::Message(message) => Some(SentMessage::Message(message)),
        Body::CustomMessage(custom) => Some(SentMessage::Message(Message::Custom(custom))),
        // pi 1.5.2 gives one with a summary alone, Flue an empty one too (source `flue`).
        Body::BranchSummary(branch) if !branch.summary.is_empty() || branch.given_empty => {
            Some(SentMessage::BranchSummary(branch.summary))
        }
        Body::Omitted(omitted) => Some(SentMessage::Omitted(omitted.sentence().into())),
        // Nothing makes way for it: it is a message among the others (Chimera).
        Body::Compaction(compaction) if compaction.in_place => {
            Some(SentMessage::CompactionSummary(compaction.summary))
        }
        _ => None,
    }
}

/// What a compaction puts in place of the history.
pub(super) fn lead<'a>(compaction: &Compaction<'a>) -> Vec<SentMessage<'a>> {
    // pi 1.5.2: the system message, then the summary; a retained tail is the harness's.
    let system = compaction.system_message.clone();
    let system = system.map(|system| SentMessage::Message(Message::System(system)));
    let tail = compaction.retained_tail.iter().flatten().cloned().map(SentMessage::Message);
    let summary = SentMessage::CompactionSummary(compaction.summary.clone());
    system.into_iter().chain([summary]).chain(tail).collect()
}

/// What an entry gives the model: its message, or the notes it keeps.
pub(super) fn given(entry: Entry<'_>) -> Option<SentMessage<'_>> {
    match note(&entry.body) {
        Some(note) => Some(SentMessage::Message(note)),
        None => own_message(entry.body),
    }
}
