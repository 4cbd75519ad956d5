//! The conversion for the model: what becomes of a context's message on its way
//! to the provider, in the words of pi and of omp, which their models were shown.

use std::borrow::Cow;
use std::fmt::Write;

use super::format::ContextRules;
use super::format::Format;
use super::message::{Bash, Block, CustomMessage, MentionedFile, Message, Program, joined_text};
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

impl SentMessage<'_> {
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
            SentMessage::Message(message) => joined_text(message.content(), "\n"),
            SentMessage::BranchSummary(text)
            | SentMessage::CompactionSummary(text)
            | SentMessage::Omitted(text) => text.to_string(),
        }
    }

    /// What the provider is given in a format; nothing when it is not sent.
    pub fn for_model_of(&self, format: Format) -> Vec<ModelMessage<'_>> {
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

    /// A summary in the words of Flue or Chimera, who give it as the user's.
    fn said_as_user(&self, rules: ContextRules) -> Option<ModelMessage<'_>> {
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
        Some(ModelMessage { role: "user", content: vec![Block::Text(Cow::Owned(text))] })
    }

    /// What pi gives the provider, or nothing when it is not sent.
    pub fn for_model(&self) -> Option<ModelMessage<'_>> {
        if !self.is_sent() {
            return None;
        }
        let user = |text| {
            Some(ModelMessage { role: "user", content: vec![Block::Text(Cow::Owned(text))] })
        };
        match self {
            SentMessage::Message(Message::Bash(bash)) => user(bash_text(bash)),
            SentMessage::Message(Message::Custom(custom)) => {
                Some(ModelMessage { role: "user", content: custom.content.clone() })
            }
            SentMessage::Message(message) => {
                Some(ModelMessage { role: message.role(), content: message.content().to_vec() })
            }
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

/// A message in the provider's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMessage<'a> {
    /// `system`, `developer`, `user`, `assistant` or `toolResult`.
    pub role: &'a str,
    /// What it says.
    pub content: Vec<Block<'a>>,
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

/// omp speaks to the model as `developer` where pi speaks as the user.
fn omp_messages<'s>(seen: &'s SentMessage<'_>) -> Vec<ModelMessage<'s>> {
    let user = |text: String| vec![ModelMessage { role: "user", content: vec![text_block(text)] }];
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
fn custom_messages<'s>(custom: &'s CustomMessage<'_>) -> Vec<ModelMessage<'s>> {
    if custom.is_users_word() {
        return vec![ModelMessage { role: "user", content: custom.content.clone() }];
    }
    let is_image = |block: &&Block<'_>| matches!(block, Block::Image { .. });
    let images: Vec<Block<'_>> = custom.content.iter().filter(is_image).cloned().collect();
    let rest: Vec<Block<'_>> =
        custom.content.iter().filter(|block| !is_image(block)).cloned().collect();
    let mut messages = Vec::new();
    if !rest.is_empty() || images.is_empty() {
        messages.push(ModelMessage { role: "developer", content: rest });
    }
    if !images.is_empty() {
        let about = format!("Images attached to <{}>.", custom.custom_type);
        let content = [text_block(about)].into_iter().chain(images).collect();
        messages.push(ModelMessage { role: "user", content });
    }
    messages
}

impl CustomMessage<'_> {
    /// Whether omp gives it to the model as the user's: a skill that somebody
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

fn mentioned_files<'s>(files: &'s [MentionedFile<'_>]) -> Vec<ModelMessage<'s>> {
    let mut text = String::from("<system-reminder>\n");
    for (nth, file) in files.iter().enumerate() {
        let gap = if nth > 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}<file path=\"{}\">\n{}\n</file>", file.path, file.content);
    }
    text.push_str("</system-reminder>");
    let mut messages = vec![ModelMessage { role: "developer", content: vec![text_block(text)] }];
    let images: Vec<Block<'_>> = files.iter().filter_map(|file| file.image.clone()).collect();
    if !images.is_empty() {
        messages.push(ModelMessage { role: "user", content: images });
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
