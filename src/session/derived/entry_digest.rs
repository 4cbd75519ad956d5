//! What one entry says to the readers of a whole session, without its texts.

use std::borrow::Cow;

use super::failure::of_entry::FailureDigest;
use super::landmarks::command::Ran;
use super::landmarks::event::Found;
use super::landmarks::output;
use super::turn_part::Part;
use crate::session::action::names::{StepKind, Tool};
use crate::session::action::path::Folder;
use crate::session::action::{Action, Request};
use crate::session::model::entry::{Body, Entry};
use crate::session::model::format::ContextRules;
use crate::session::model::message::{Assistant, Block, Message, Model, ToolCall, UNFINISHED};
use crate::session::model::notice::RunEnd;
use crate::session::model::omitted::Parts;
use crate::session::model::usage::Usage;
use crate::session::texts::json::{Json, is_plausible};
use crate::session::tree::session::Session;

/// Where Claude Code (2.1.12 to 2.1.37) names the call of a progress line. The second is of the update itself where
/// the first is there.
const PROGRESS_OF: [&str; 2] = ["parentToolUseID", "toolUseID"];

/// What one entry says by itself.
#[derive(Debug)]
pub(super) struct EntryDigest<'a> {
    pub(super) what: What<'a>,
    /// What it is to its turn, as far as it tells without other entries.
    pub(super) part: Part,
    pub(super) usage: Option<Usage>,
    /// How it failed; few entries did.
    pub(super) failure: Option<Box<FailureDigest>>,
    /// Parts that it lost; few entries lost any.
    pub(super) lost: Option<Box<Parts>>,
    /// The context windows that it states, by the model's id; few entries state any.
    pub(super) windows: Windows<'a>,
}

type Windows<'a> = Box<[(Cow<'a, str>, f64)]>;

/// What kind of entry, as far as more than one entry is read by it.
#[derive(Debug)]
pub(super) enum What<'a> {
    Prompt,
    /// A command of the user, and what it did.
    Command(Vec<Found>),
    Answer(Answer<'a>),
    Result {
        call_id: Cow<'a, str>,
        /// The tool's name, where the result has it itself.
        name: Option<Cow<'a, str>>,
        /// What the tool of that name is for.
        tool: Tool,
    },
    /// Ids, of which the first that is a call's counts.
    Progress(Vec<String>),
    System,
    Compaction,
    /// Pull requests that a row names.
    Landmarks(Vec<Found>),
    /// So many entries that were left out.
    Omitted(usize),
    Other,
}

/// An answer of a model.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) model: Option<Model<'a>>,
    pub(super) calls: Vec<CallDigest<'a>>,
    pub(super) end: End,
    /// A later entry has the rest of it.
    pub(super) goes_on: bool,
    /// The program itself wrote it: that a request failed, or was stopped.
    pub(super) is_made_up: bool,
}

/// A tool call in an answer.
#[derive(Debug)]
pub(super) struct CallDigest<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    pub(super) asked: Asked,
    /// Commands of it that are landmarks.
    pub(super) ran: Box<[Ran]>,
}

/// What is kept of a call: all that many readers ask of it, a few bytes each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    /// What its tool is for.
    pub(crate) tool: Tool,
    /// What the line of a turn's steps counts it as.
    pub(crate) step: StepKind,
    /// It names a file, or runs a command that may have written one. Nothing else happened to files by it.
    pub(crate) may_touch_files: bool,
}

impl Asked {
    fn of(action: &Action<'_>) -> Asked {
        let may_touch_files = match &action.request {
            Request::File(_) => true,
            Request::Run(run) => run.may_write(),
            _ => false,
        };
        Asked { tool: action.tool, step: action.step(), may_touch_files }
    }
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The model was done: it asked for no tool.
    Done,
    Calls,
    /// By the provider or the person.
    Failed,
}

impl<'a> EntryDigest<'a> {
    /// `actions` are what the calls of the entry ask.
    pub(super) fn of(
        session: &Session,
        entry: &Entry<'a>,
        actions: &[Action<'_>],
    ) -> EntryDigest<'a> {
        EntryDigest {
            what: What::of(&entry.body, actions, session),
            part: Part::of(&entry.body),
            usage: entry.usage(),
            windows: windows(&entry.body),
            failure: FailureDigest::of(&entry.body),
            lost: (!entry.omitted.is_empty()).then(|| Box::new(entry.omitted)),
        }
    }

    pub(super) fn is_prompt(&self) -> bool {
        matches!(self.what, What::Prompt)
    }

    /// The calls that it makes.
    pub(super) fn calls(&self) -> &[CallDigest<'a>] {
        match &self.what {
            What::Answer(answer) => &answer.calls,
            _ => &[],
        }
    }
}

/// A response says it of its own model, and the end of a headless run of each.
fn windows<'a>(body: &Body<'a>) -> Windows<'a> {
    match body {
        Body::Message(Message::Assistant(assistant)) => {
            let id = assistant.model.as_ref().map(|model| model.id.clone());
            id.zip(assistant.context_window).into_iter().collect()
        }
        Body::CustomMessage(custom) if RunEnd::of(&custom.custom_type).is_some() => {
            let details = custom.details.as_ref().and_then(|about| about.get("contextWindows"));
            let Some(Json::Object(models)) = details else { return Box::default() };
            let is_known = |window: &f64| *window > 0.0 && is_plausible(*window);
            models
                .iter()
                .filter_map(|(id, window)| Some((id.clone(), window.as_f64().filter(is_known)?)))
                .collect()
        }
        _ => Box::default(),
    }
}

impl<'a> What<'a> {
    fn of(body: &Body<'a>, actions: &[Action<'_>], session: &Session) -> What<'a> {
        let tells_progress = session.format().traits().context == ContextRules::ClaudeCode;
        let folder = || Folder::new(&session.header().cwd);
        match body {
            Body::Message(Message::User(_)) => What::Prompt,
            Body::Message(Message::Assistant(assistant)) if assistant.is_filler() => What::Other,
            Body::Message(Message::Assistant(assistant)) => {
                What::Answer(Answer::of(assistant, actions, &folder()))
            }
            Body::Message(Message::ToolResult(result)) => {
                let own = result.name.clone();
                let tool = own.as_deref().map_or(Tool::Other, Tool::of);
                What::Result { call_id: result.call_id.clone(), name: own, tool }
            }
            Body::Message(Message::System(_)) => What::System,
            Body::Compaction(_) => What::Compaction,
            Body::Omitted(omitted) => What::Omitted(omitted.count),
            Body::Message(Message::Bash(bash)) => What::Command(output::by_user(bash, &folder())),
            // Claude Code 2.1.37.
            Body::Custom { custom_type, data: Some(data) } if custom_type == "pr-link" => {
                What::Landmarks(output::from_row(data).into_iter().collect())
            }
            Body::Custom { data: Some(data), .. } if tells_progress => {
                let id = |key| data.get(key).and_then(Json::as_str).map(str::to_owned);
                let ids: Vec<String> = PROGRESS_OF.into_iter().filter_map(id).collect();
                if ids.is_empty() { What::Other } else { What::Progress(ids) }
            }
            _ => What::Other,
        }
    }
}

impl<'a> Answer<'a> {
    fn of(assistant: &Assistant<'a>, actions: &[Action<'_>], folder: &Folder) -> Answer<'a> {
        let call = |(call, action): (&ToolCall<'a>, &Action<'_>)| CallDigest {
            id: call.id.clone(),
            name: call.name.clone(),
            asked: Asked::of(action),
            ran: Ran::by(action, folder),
        };
        let end = End::of(assistant);
        Answer {
            model: assistant.model.clone(),
            calls: assistant.calls().zip(actions).map(call).collect(),
            end,
            goes_on: assistant.goes_on,
            is_made_up: end == End::Failed
                && assistant.model.is_none()
                && assistant.usage.is_none(),
        }
    }
}

impl End {
    fn of(assistant: &Assistant<'_>) -> End {
        let calls = || assistant.content.iter().any(|block| matches!(block, Block::ToolCall(_)));
        // pi's words, which all readers write.
        match assistant.stop_reason.as_deref() {
            Some("error" | "aborted") => End::Failed,
            Some("toolUse") => End::Calls,
            None | Some(UNFINISHED) if calls() => End::Calls,
            _ => End::Done,
        }
    }
}
