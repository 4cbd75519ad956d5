//! One entry of a session, parsed on demand.
//!
//! A session keeps lines, and an [`Entry`] is made of one whenever somebody asks, so that a long session is never in
//! memory as values. What nobody knows is [`Body::Other`], with all its fields.

// Types of pi's are read here, those that only omp has in `event.rs`.

use std::borrow::Cow;

use super::event::Event;
use super::message::{Block, CustomMessage, Message, Model, System, read_content, read_model};
use super::omitted::{self, Omitted, Parts};
use super::unknown;
use super::usage::Usage;
use crate::session::texts::json::{Fields, Json, TypeMismatch};

/// An entry as its line says it. Borrows from the session.
///
/// ```
/// use leafpress::session::Body;
/// use leafpress::session::message::{Block, Message};
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// for entry in session.indices().filter_map(|index| session.entry(index)) {
///     match entry.body {
///         Body::Message(Message::Assistant(response)) => println!("{:?}", response.stop_reason),
///         Body::Message(message) => println!("{}: {} blocks", message.role(), message.content().len()),
///         Body::Compaction(compaction) => println!("{:?} tokens before", compaction.tokens_before),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// What kind of entry, with its payload.
    pub body: Body<'a>,
    /// Fields that held another type than the format says, as found.
    pub mismatches: Vec<TypeMismatch<'a>>,
    /// What it lost when somebody left things out.
    pub omitted: Parts,
    /// The entry's JSON as it stands in the file, or as repaired.
    pub raw: &'a str,
}

/// The payload of an entry by its type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body<'a> {
    /// `message`
    Message(Message<'a>),
    /// `model_change`
    ModelChange(ModelChange<'a>),
    /// `thinking_level_change`
    ThinkingLevelChange(Cow<'a, str>),
    /// `compaction`
    Compaction(Compaction<'a>),
    /// `branch_summary`
    BranchSummary(BranchSummary<'a>),
    /// `custom`: an extension's state, never sent to the model.
    Custom {
        /// Which extension's.
        custom_type: Cow<'a, str>,
        /// The state.
        data: Option<Json<'a>>,
    },
    /// `custom_message`
    CustomMessage(CustomMessage<'a>),
    /// `context_edit`
    ContextEdit {
        /// The entry whose message changes for the model.
        target_id: Cow<'a, str>,
        /// What it changes to.
        replacement: Replacement<'a>,
    },
    /// `label`; no text clears.
    Label {
        /// The labeled entry.
        target_id: Cow<'a, str>,
        /// The label.
        label: Option<Cow<'a, str>>,
    },
    /// `session_info`; an empty name clears.
    SessionInfo(Cow<'a, str>),
    /// `usage`: money spent outside any message.
    Usage(UsageEntry<'a>),
    /// A change or a fact of omp's.
    Event(Event<'a>),
    /// `leafpress_omitted`: entries that were left out.
    Omitted(Omitted<'a>),
    /// A type unknown here, whole. One that holds words is a `CustomMessage`.
    Other {
        /// The type as written.
        entry_type: Cow<'a, str>,
        /// Every other field, as written.
        fields: Vec<(Cow<'a, str>, Json<'a>)>,
    },
}

/// Another model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelChange<'a> {
    /// Which.
    pub model: Model<'a>,
    /// What it is for in omp, such as `smol`; `default` or none for the conversation.
    pub role: Option<Cow<'a, str>>,
}

/// What a context edit does to its target.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Replacement<'a> {
    /// The model does not get the message at all.
    Omit,
    /// The model gets this content instead.
    Content(Vec<Block<'a>>),
}

/// The history before this point, replaced by a summary.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Compaction<'a> {
    /// The summary the model gets.
    pub summary: Cow<'a, str>,
    /// The first entry that the model still gets as it was.
    pub first_kept_id: Option<Cow<'a, str>>,
    /// The summary stands where the entry stands and replaces nothing (Chimera).
    pub in_place: bool,
    /// The context's size before, in tokens, 0 or more.
    pub tokens_before: Option<f64>,
    /// The size of the context afterwards in tokens, where the agent wrote it down.
    pub tokens_after: Option<f64>,
    /// The prompt and tools in force, sent ahead of the summary.
    pub system_message: Option<System<'a>>,
    /// Kept messages stored in the entry itself; `None` when it names an anchor instead.
    pub retained_tail: Option<Vec<Message<'a>>>,
    /// `{readFiles, modifiedFiles}` by convention.
    pub details: Option<Json<'a>>,
    /// What making the summary cost.
    pub usage: Option<Usage>,
    /// Made by an extension rather than by the agent.
    pub from_extension: bool,
    /// The summary in a few words (omp).
    pub short_summary: Option<Cow<'a, str>>,
    /// How it was made: `remote`, `snapcompact`, `handoff`, `soft`, `shake` (omp).
    pub method: Option<Cow<'a, str>>,
    /// What the agent said of the outcome (omp).
    pub warning: Option<Cow<'a, str>>,
    /// The kept range begins after this entry, whatever the anchor says (omp).
    pub replay_through_id: Option<Cow<'a, str>>,
    /// What the provider or the agent keeps of the history in its own form (omp).
    pub preserved: Option<Json<'a>>,
}

/// What happened on a branch that was left.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BranchSummary<'a> {
    /// The summary; empty for a mere marker.
    pub summary: Cow<'a, str>,
    /// The model gets it even when it is empty (Flue).
    pub given_empty: bool,
    /// The leaf that was left; in files before pi 0.84.3 the place gone to.
    pub from_id: Cow<'a, str>,
    /// `{readFiles, modifiedFiles}` by convention.
    pub details: Option<Json<'a>>,
    /// What making the summary cost.
    pub usage: Option<Usage>,
}

/// Money spent outside any message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UsageEntry<'a> {
    /// What for, such as `cache_warm`.
    pub kind: Cow<'a, str>,
    /// On which model.
    pub model: Option<Model<'a>>,
    /// How much.
    pub usage: Option<Usage>,
    /// A remark.
    pub note: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    /// Parses the JSON of one entry. Text that is no JSON object, which a
    /// session never holds, reads as an entry of no type.
    pub fn parse(raw: &'a str) -> Entry<'a> {
        let mut fields = Fields::new(serde_json::from_str(raw).unwrap_or(Json::Null));
        let mut mismatches = Vec::new();
        let entry_type = fields.text("type").unwrap_or_default();
        let lost = Parts::read(fields.take(omitted::PARTS));
        fields.take(omitted::ALIASES);
        // pi 1.5.2 (docs/session-format.md); what omp 18.3.4 adds to them is in `event.rs` and in each reader.
        let body = match entry_type.as_ref() {
            "message" => match Message::read(fields.take("message"), &mut mismatches) {
                Message::Other { role, fields } => match unknown::told(&role, fields) {
                    Ok(notice) => Body::CustomMessage(notice),
                    Err(fields) => Body::Message(Message::Other { role, fields }),
                },
                message => Body::Message(message),
            },
            "model_change" => Body::ModelChange(read_model_change(&mut fields)),
            "thinking_level_change" => Body::ThinkingLevelChange(
                fields.text("thinkingLevel").unwrap_or(Cow::Borrowed("off")),
            ),
            "compaction" => Body::Compaction(Compaction::read(&mut fields)),
            "branch_summary" => Body::BranchSummary(BranchSummary {
                summary: fields.text("summary").unwrap_or_default(),
                given_empty: fields.flag("givenEmpty"),
                from_id: fields.text("fromId").unwrap_or_default(),
                details: fields.take("details"),
                usage: Usage::take(&mut fields),
            }),
            "custom" => Body::Custom {
                custom_type: fields.text("customType").unwrap_or_default(),
                data: fields.take("data"),
            },
            "custom_message" => Body::CustomMessage(CustomMessage::read(&mut fields)),
            "context_edit" => Body::ContextEdit {
                target_id: fields.text("targetId").unwrap_or_default(),
                replacement: read_replacement(fields.take("replacement")),
            },
            "label" => Body::Label {
                target_id: fields.text("targetId").unwrap_or_default(),
                label: fields.text("label").filter(|label| !label.is_empty()),
            },
            "session_info" => Body::SessionInfo(fields.text("name").unwrap_or_default()),
            "usage" => Body::Usage(UsageEntry {
                kind: fields.text("kind").unwrap_or_default(),
                model: read_model(&mut fields, "model"),
                usage: Usage::take(&mut fields),
                note: fields.text("note"),
            }),
            omitted::TYPE => Body::Omitted(Omitted::read(&mut fields)),
            _ => {
                if let Some(event) = Event::read(&entry_type, &mut fields) {
                    mismatches.append(&mut fields.mismatches);
                    return Entry { body: Body::Event(event), mismatches, omitted: lost, raw };
                }
                for key in ["id", "parentId", "timestamp"] {
                    fields.take(key);
                }
                mismatches.append(&mut fields.mismatches);
                let body = match unknown::told(&entry_type, fields.rest()) {
                    Ok(notice) => Body::CustomMessage(notice),
                    Err(fields) => Body::Other { entry_type, fields },
                };
                return Entry { body, mismatches, omitted: lost, raw };
            }
        };
        mismatches.append(&mut fields.mismatches);
        Entry { body, mismatches, omitted: lost, raw }
    }

    /// Whether it is a turn that calls a tool.
    pub(crate) fn calls_tools(&self) -> bool {
        matches!(&self.body, Body::Message(Message::Assistant(turn)) if turn.calls().next().is_some())
    }

    /// What this entry spent, wherever it is written.
    pub fn usage(&self) -> Option<Usage> {
        match &self.body {
            Body::Message(Message::Assistant(assistant)) => assistant.usage,
            Body::Message(Message::ToolResult(result)) => result.usage,
            Body::Compaction(compaction) => compaction.usage,
            Body::BranchSummary(summary) => summary.usage,
            Body::Usage(entry) => entry.usage,
            Body::Event(Event::ModelUsage(side)) => side.usage,
            _ => None,
        }
    }
}

impl Compaction<'_> {
    /// The pictures of the history that the agent keeps in its place (omp's snapcompact).
    pub fn frames(&self) -> Vec<Block<'_>> {
        let frames = self.snapcompact("frames").map(Json::items).unwrap_or_default();
        let text = |frame: &Json<'_>, key: &str| {
            frame.get(key).map(|value| value.clone().into_text().into_owned()).unwrap_or_default()
        };
        let picture = |frame| Block::Image {
            data: text(frame, "data").into(),
            mime_type: text(frame, "mimeType").into(),
        };
        frames.iter().map(picture).collect()
    }

    /// One of the facts of omp's snapcompact.
    pub fn snapcompact(&self, key: &str) -> Option<&Json<'_>> {
        self.preserved.as_ref()?.get("snapcompact")?.get(key)
    }
}

impl<'a> Compaction<'a> {
    fn read(fields: &mut Fields<'a>) -> Compaction<'a> {
        // pi's harness (packages/agent/src/harness/session).
        let retained_tail = match fields.take("retainedTail") {
            Some(Json::Array(messages)) => {
                let read = |message| Message::read(Some(message), &mut fields.mismatches);
                Some(messages.into_iter().map(read).collect())
            }
            Some(value) => {
                fields.mismatches.push(TypeMismatch { field: "retainedTail", value });
                None
            }
            None => None,
        };
        Compaction {
            summary: fields.text("summary").unwrap_or_default(),
            first_kept_id: fields.text("firstKeptEntryId"),
            in_place: fields.flag("inPlace"),
            tokens_before: fields.amount("tokensBefore"),
            tokens_after: fields.amount("tokensAfter"),
            system_message: fields.take("systemMessage").map(System::read_json),
            retained_tail,
            details: fields.take("details"),
            usage: Usage::take(fields),
            // `fromHook` pi, `fromExtension` omp.
            from_extension: fields.flag("fromHook") || fields.flag("fromExtension"),
            short_summary: fields.text("shortSummary"),
            method: fields.text("method"),
            warning: fields.text("warning"),
            replay_through_id: fields
                .text("providerReplayThroughEntryId")
                .filter(|id| !id.is_empty()),
            preserved: fields.take("preserveData"),
        }
    }
}

/// pi writes `provider` and `modelId`, omp one string `provider/id`.
fn read_model_change<'a>(fields: &mut Fields<'a>) -> ModelChange<'a> {
    let role = fields.text("role");
    if let Some(model) = read_model(fields, "modelId") {
        return ModelChange { model, role };
    }
    let name = fields.text("model").unwrap_or_default();
    let model = match name.split_once('/') {
        Some((provider, id)) => {
            Model { provider: provider.to_owned().into(), id: id.to_owned().into() }
        }
        None => Model { provider: Cow::Borrowed(""), id: name },
    };
    ModelChange { model, role }
}

fn read_replacement(json: Option<Json<'_>>) -> Replacement<'_> {
    match json {
        None => Replacement::Omit,
        Some(json) => Replacement::Content(read_content(Fields::new(json).take("content"))),
    }
}
