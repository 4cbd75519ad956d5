//! What one entry says to the readers of a whole session, without its texts.

use super::entry::{Body, Entry};
use super::json::Json;
use super::message::{Assistant, Block, Message};
use super::omitted::Parts;
use super::turn_part::Part;
use super::usage::Usage;
use super::{ContextRules, Session};

/// Where Claude Code names the call of a progress line. The second is of the update itself where the first is there.
const PROGRESS_OF: [&str; 2] = ["parentToolUseID", "toolUseID"];

/// What one entry says by itself.
#[derive(Debug)]
pub(super) struct Gist {
    pub(super) what: What,
    /// What it is to its turn, as far as it tells without other entries.
    pub(super) part: Part,
    pub(super) usage: Option<Usage>,
    /// Parts that it lost.
    pub(super) lost: Parts,
}

/// What kind of entry, as far as more than one entry is read by it.
#[derive(Debug)]
pub(super) enum What {
    Prompt,
    Answer(Answer),
    Result {
        call_id: String,
        /// The tool, where the result names it itself.
        name: Option<String>,
        is_error: bool,
    },
    /// Ids, of which the first that is a call's counts.
    Progress(Vec<String>),
    System,
    Compaction,
    /// So many entries that were left out.
    Omitted(usize),
    Other,
}

/// An answer of a model.
#[derive(Debug)]
pub(super) struct Answer {
    /// Provider and id.
    pub(super) model: Option<(String, String)>,
    pub(super) calls: Vec<CallGist>,
    pub(super) end: End,
}

/// A tool call in an answer.
#[derive(Debug)]
pub(super) struct CallGist {
    pub(super) id: String,
    pub(super) name: String,
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

impl Gist {
    pub(super) fn of(session: &Session, entry: &Entry<'_>) -> Gist {
        Gist {
            what: What::of(&entry.body, session.dialect().traits().context),
            part: Part::of(&entry.body),
            usage: entry.usage(),
            lost: entry.omitted,
        }
    }

    /// The calls that it makes.
    pub(super) fn calls(&self) -> &[CallGist] {
        match &self.what {
            What::Answer(answer) => &answer.calls,
            _ => &[],
        }
    }
}

impl What {
    fn of(body: &Body<'_>, rules: ContextRules) -> What {
        let tells_progress = rules == ContextRules::ClaudeCode;
        match body {
            Body::Message(Message::User(_)) => What::Prompt,
            Body::Message(Message::Assistant(assistant)) => What::Answer(Answer::of(assistant)),
            Body::Message(Message::ToolResult(result)) => What::Result {
                call_id: result.call_id.to_string(),
                name: result.name.as_deref().map(str::to_owned),
                is_error: result.is_error,
            },
            Body::Message(Message::System(_)) => What::System,
            Body::Compaction(_) => What::Compaction,
            Body::Omitted(omitted) => What::Omitted(omitted.count),
            Body::Custom { data: Some(data), .. } if tells_progress => {
                let id = |key| data.get(key).and_then(Json::as_str).map(str::to_owned);
                let ids: Vec<String> = PROGRESS_OF.into_iter().filter_map(id).collect();
                if ids.is_empty() { What::Other } else { What::Progress(ids) }
            }
            _ => What::Other,
        }
    }
}

impl Answer {
    fn of(assistant: &Assistant<'_>) -> Answer {
        let call = |call: &super::message::ToolCall<'_>| CallGist {
            id: call.id.to_string(),
            name: call.name.to_string(),
        };
        let model = assistant.model.as_ref();
        Answer {
            model: model.map(|model| (model.provider.to_string(), model.id.to_string())),
            calls: assistant.calls().map(call).collect(),
            end: End::of(assistant),
        }
    }
}

impl End {
    fn of(assistant: &Assistant<'_>) -> End {
        let calls = || assistant.content.iter().any(|block| matches!(block, Block::ToolCall(_)));
        match assistant.stop_reason.as_deref() {
            Some("error" | "aborted") => End::Failed,
            Some("toolUse") => End::Calls,
            None if calls() => End::Calls,
            _ => End::Done,
        }
    }
}
