//! The conversion for the model: what becomes of a context's message on its way to the provider, in the words of pi
//! (1.5.2, `convertToLlm`) and of omp (18.3.4), which their models were shown.
//!
//! The texts are the agents' own, word for word, since they are shown as what the model was sent. An agent whose
//! words are not known gets pi's. [`SentMessage::for_model_of`] chooses; one message may become several, as omp parts text from
//! pictures.

use std::borrow::Cow;
use std::fmt::Write;

use super::format::ContextRules;
use super::format::Format;
use super::message::{
    Bash, Block, CustomMessage, MentionedFile, Message, Program, Section, joined_text,
};
use crate::session::texts::json::Json;

/// A message as the context holds it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "nearly all are messages")]
pub enum SentMessage<'a> {
    /// A message of the session, its content edited where a context edit says so.
    Message(Message<'a>),
    /// The summary of a branch that was left.
    BranchSummary(Cow<'a, str>),
    /// The summary in place of a compacted history.
    CompactionSummary(Cow<'a, str>),
    /// Messages that were left out of the session, in words.
    Omitted(Cow<'a, str>),
}

impl<'a> SentMessage<'a> {
    /// The role in the context.
    pub fn role(&self) -> &str {
        match self {
            SentMessage::Message(message) => message.role(),
            seen => seen.known_role(),
        }
    }

    /// The same; empty for a message's that is not known here.
    pub(crate) fn known_role(&self) -> &'static str {
        match self {
            SentMessage::Message(message) => message.known_role(),
            SentMessage::BranchSummary(_) => "branchSummary",
            SentMessage::CompactionSummary(_) => "compactionSummary",
            SentMessage::Omitted(_) => "omitted",
        }
    }

    /// Whether the model gets it: not commands run with `!!`, not unknown roles.
    pub fn is_sent(&self) -> bool {
        match self {
            SentMessage::Message(Message::Bash(bash)) => !bash.excluded,
            SentMessage::Message(Message::Program(program)) => !program.excluded,
            SentMessage::Message(Message::Other { .. }) | SentMessage::Omitted(_) => false,
            _ => true,
        }
    }

    /// The text as a person would name it: text blocks by line, a command, a summary.
    pub fn text(&self) -> String {
        match self {
            SentMessage::Message(Message::Bash(bash)) => bash.command.to_string(),
            SentMessage::Message(Message::Program(program)) => program.code.to_string(),
            SentMessage::Message(Message::System(system)) => {
                let sections = system.sections.iter().filter_map(|(_, text)| text.as_deref());
                let content = joined_text(&system.content, "\n");
                let parts = std::iter::once(content.as_str()).filter(|text| !text.is_empty());
                parts.chain(sections).collect::<Vec<_>>().join("\n")
            }
            SentMessage::Message(Message::FileMention(files)) => {
                let file =
                    |file: &MentionedFile<'_>| format!("{}\n{}", file.path, file.content.trim());
                files.iter().map(file).collect::<Vec<_>>().join("\n")
            }
            SentMessage::Message(message) => joined_text(message.content(), "\n"),
            SentMessage::BranchSummary(text)
            | SentMessage::CompactionSummary(text)
            | SentMessage::Omitted(text) => text.to_string(),
        }
    }

    /// What the provider is given in a format; nothing when it is not sent.
    pub fn for_model_of(&self, format: Format) -> Vec<ModelMessage<'a>> {
        let rules = format.traits().context;
        match rules {
            ContextRules::Omp if self.is_sent() => omp_messages(self),
            ContextRules::Flue | ContextRules::Chimera => {
                let said = self.said_as_user(rules);
                said.or_else(|| self.for_model()).into_iter().collect()
            }
            _ => self.for_model().into_iter().collect(),
        }
    }

    /// A summary in the words of Flue or Chimera, who give it as the user's (sources `flue` and `chimera`).
    fn said_as_user(&self, rules: ContextRules) -> Option<ModelMessage<'a>> {
        let headed = |head: &str, summary: &str| match summary.strip_prefix(head) {
            Some(_) => summary.to_owned(),
            None => format!("{head}\n\n{summary}"),
        };
        let text = match (rules, self) {
            (ContextRules::Flue, SentMessage::CompactionSummary(summary)) => {
                headed("[Context Summary]", summary)
            }
            (ContextRules::Flue, SentMessage::BranchSummary(summary)) => {
                headed("[Branch Summary]", summary)
            }
            (ContextRules::Chimera, SentMessage::CompactionSummary(summary)) => {
                format!("[Session compacted. Summary: {summary}]")
            }
            _ => return None,
        };
        Some(ModelMessage::user(vec![text_block(text)]))
    }

    /// What pi gives the provider, or nothing when it is not sent.
    pub fn for_model(&self) -> Option<ModelMessage<'a>> {
        if !self.is_sent() {
            return None;
        }
        let user = |text| Some(ModelMessage::user(vec![text_block(text)]));
        match self {
            SentMessage::Message(Message::Bash(bash)) => user(bash_text(bash)),
            SentMessage::Message(Message::Custom(custom)) => {
                Some(ModelMessage::user(custom.content.clone()))
            }
            SentMessage::Message(message) => Some(ModelMessage::of(message)),
            SentMessage::BranchSummary(summary) => user(format!(
                "The following is a summary of a branch that this conversation came back from:\n\n\
                 <summary>\n{summary}</summary>"
            )),
            SentMessage::CompactionSummary(summary) => user(format!(
                "The conversation history before this point was compacted into the following summary:\n\n\
                 <summary>\n{summary}\n</summary>"
            )),
            SentMessage::Omitted(_) => None,
        }
    }
}

/// A message in the provider's terms. As JSON it has the shape of pi's `Message`.
///
/// | key | in messages of the role | left out |
/// |---|---|---|
/// | `role`, `content` | all | never; `content` is always a list of blocks, and can be empty |
/// | `toolCallId`, `isError` | `toolResult` | never |
/// | `toolName` | `toolResult` | where the session does not name the tool |
/// | `sections` | `system` | where there are none; `null` takes a section away |
/// | `toolsAdded`, `toolsRemoved` | `system` | where there are none |
///
/// | `type` of a block | keys |
/// |---|---|
/// | `text` | `text` |
/// | `thinking` | `thinking`; signatures are not kept |
/// | `redactedThinking` | none |
/// | `image` | `mimeType`, and `data`: base64, a data URL, or the name under which the agent keeps it |
/// | `toolCall` | `id`, `name`, `arguments`; also `intent` and `status` where the session has them |
/// | `fallback` | `from`, `to` |
/// | `anthropicServerTool` | `block` |
/// | `citations` | `citations`: a list of objects with `words`, and `title`, `address` and `place` where they are known |
/// | `notShown` | `text` |
/// | others | as the agent wrote them |
///
/// [`ModelContext`](crate::session::context::ModelContext) shows a user, an assistant and a `toolResult` message.
///
/// ```
/// use leafpress::session::context::ModelContext;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let context = ModelContext::at(&session, session.leaf()).expect("the leaf is of this session");
/// let result = context.messages.iter().find(|message| message.role == "toolResult");
/// let json = serde_json::to_value(result.expect("a tool was called"))?;
/// assert_eq!((&json["toolName"], &json["isError"]), (&"read".into(), &false.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelMessage<'a> {
    /// `system`, `developer`, `user`, `assistant` or `toolResult`.
    pub role: &'static str,
    /// What it says.
    pub content: Vec<Block<'a>>,
    /// Of a tool result: the id of the call that it answers (`toolCallId`).
    pub call_id: Option<Cow<'a, str>>,
    /// Of a tool result: the name of the tool, where it was written.
    pub tool_name: Option<Cow<'a, str>>,
    /// Of a tool result: whether the tool failed.
    pub is_error: bool,
    /// Of a system message: sections by name; `None` takes a section away.
    pub sections: Vec<Section<'a>>,
    /// Of a system message: tool definitions `{name, description, parameters}` that it adds.
    pub tools_added: Vec<Json<'a>>,
    /// Of a system message: tools `{name}` that it takes away.
    pub tools_removed: Vec<Json<'a>>,
}

impl<'a> ModelMessage<'a> {
    fn said(role: &'static str, content: Vec<Block<'a>>) -> ModelMessage<'a> {
        ModelMessage { role, content, ..ModelMessage::default() }
    }

    fn user(content: Vec<Block<'a>>) -> ModelMessage<'a> {
        ModelMessage::said("user", content)
    }

    /// A message that the provider gets as it is.
    fn of(message: &Message<'a>) -> ModelMessage<'a> {
        let said = ModelMessage::said(message.known_role(), message.content().to_vec());
        match message {
            Message::ToolResult(result) => ModelMessage {
                call_id: Some(result.call_id.clone()),
                tool_name: result.name.clone(),
                is_error: result.is_error,
                ..said
            },
            Message::System(system) => ModelMessage {
                sections: system.sections.clone(),
                tools_added: system.tools_added.clone(),
                tools_removed: system.tools_removed.clone(),
                ..said
            },
            _ => said,
        }
    }
}

fn bash_text(bash: &Bash<'_>) -> String {
    let mut text = format!("Ran `{}`\n", bash.command);
    if bash.output.is_empty() {
        text.push_str("(no output)");
    } else {
        let _ = write!(text, "```\n{}\n```", bash.output);
    }
    if bash.cancelled {
        text.push_str("\n\n(command cancelled)");
    } else if let Some(code) = bash.exit_code.filter(|&code| code != 0.0) {
        let _ = write!(text, "\n\nCommand exited with code {code}");
    }
    if let Some(path) = bash.full_output_path.as_deref().filter(|_| bash.truncated) {
        let _ = write!(text, "\n\n[Output truncated. Full output: {path}]");
    }
    text
}

/// omp (18.3.4) speaks to the model as `developer` where pi speaks as the user.
fn omp_messages<'a>(seen: &SentMessage<'a>) -> Vec<ModelMessage<'a>> {
    let user = |text: String| vec![ModelMessage::user(vec![text_block(text)])];
    match seen {
        SentMessage::Message(Message::Custom(custom) | Message::Hook(custom)) => {
            custom_messages(custom)
        }
        SentMessage::Message(Message::FileMention(files)) => mentioned_files(files),
        SentMessage::Message(Message::Program(program)) => user(program_text(program)),
        SentMessage::BranchSummary(summary) => {
            user(format!("Branch-return summary:\n<summary>\n{summary}\n</summary>"))
        }
        SentMessage::CompactionSummary(summary) => user(format!(
            "Prior model work/tool state available.\n\
             MUST build on prior work; NEVER duplicate prior work.\n\
             <summary>\n{summary}\n</summary>"
        )),
        seen @ (SentMessage::Message(_) | SentMessage::Omitted(_)) => {
            seen.for_model().into_iter().collect()
        }
    }
}

fn text_block<'a>(text: String) -> Block<'a> {
    Block::Text(Cow::Owned(text))
}

/// A message of an extension: the agent's own word unless a person had it sent.
/// Only a user may send pictures.
fn custom_messages<'a>(custom: &CustomMessage<'a>) -> Vec<ModelMessage<'a>> {
    if custom.is_users_word() {
        return vec![ModelMessage::user(custom.content.clone())];
    }
    let is_image = |block: &&Block<'_>| matches!(block, Block::Image { .. });
    let images: Vec<Block<'a>> = custom.content.iter().filter(is_image).cloned().collect();
    let rest: Vec<Block<'a>> =
        custom.content.iter().filter(|block| !is_image(block)).cloned().collect();
    let mut messages = Vec::new();
    if !rest.is_empty() || images.is_empty() {
        messages.push(ModelMessage::said("developer", rest));
    }
    if !images.is_empty() {
        let about = format!("Images attached to <{}>.", custom.custom_type);
        let content = [text_block(about)].into_iter().chain(images).collect();
        messages.push(ModelMessage::user(content));
    }
    messages
}

impl CustomMessage<'_> {
    /// Whether omp (18.3.4) gives it to the model as the user's: a skill that somebody
    /// called, what they said in mid-answer, an advisor that speaks for them.
    fn is_users_word(&self) -> bool {
        let details = |key| self.details.as_ref().and_then(|details| details.get(key));
        match self.custom_type.as_ref() {
            "advisor" => details("messageRole").and_then(Json::as_str) == Some("user"),
            "steering" => true,
            _ => self.is_prompt(),
        }
    }
}

fn mentioned_files<'a>(files: &[MentionedFile<'a>]) -> Vec<ModelMessage<'a>> {
    let mut text = String::from("<system-reminder>\n");
    for (nth, file) in files.iter().enumerate() {
        let gap = if nth > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}<file path=\"{}\">\n{}\n</file>", file.path, file.content);
    }
    text.push_str("</system-reminder>");
    let mut messages = vec![ModelMessage::said("developer", vec![text_block(text)])];
    let images: Vec<Block<'a>> = files.iter().filter_map(|file| file.image.clone()).collect();
    if !images.is_empty() {
        messages.push(ModelMessage::user(images));
    }
    messages
}

fn program_text(program: &Program<'_>) -> String {
    let (name, fence) = match program.language {
        "js" => ("JavaScript", "js"),
        language => ("Python", language),
    };
    let mut text = format!("Ran {name}:\n```{fence}\n{}\n```\n", program.code);
    if program.output.is_empty() {
        text.push_str("(no output)");
    } else {
        let _ = write!(text, "Output:\n```\n{}\n```", program.output);
    }
    if program.cancelled {
        text.push_str("\n\n(execution cancelled)");
    } else if let Some(code) = program.exit_code.filter(|&code| code != 0.0) {
        let _ = write!(text, "\n\nExecution failed with code {code}");
    }
    text
}
