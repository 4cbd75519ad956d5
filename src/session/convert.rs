//! The conversion for the model: what becomes of a context's message on its way
//! to the provider. The wordings are pi's, which its models were shown.

use std::borrow::Cow;
use std::fmt::Write;

use super::message::{Bash, Block, Message, joined_text};

/// A message as the context holds it.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen<'a> {
    /// A message of the session, its content edited where a context edit says so.
    Message(Message<'a>),
    /// The summary of a branch that was left.
    BranchSummary(Cow<'a, str>),
    /// The summary in place of a compacted history.
    CompactionSummary(Cow<'a, str>),
}

impl Seen<'_> {
    /// The role in the context.
    pub fn role(&self) -> &str {
        match self {
            Seen::Message(message) => message.role(),
            Seen::BranchSummary(_) => "branchSummary",
            Seen::CompactionSummary(_) => "compactionSummary",
        }
    }

    /// Whether the model gets it: not commands run with `!!`, not unknown roles.
    pub fn is_sent(&self) -> bool {
        match self {
            Seen::Message(Message::Bash(bash)) => !bash.excluded,
            Seen::Message(Message::Other { .. }) => false,
            _ => true,
        }
    }

    /// The text as a person would name it: text blocks by line, a command, a summary.
    pub fn text(&self) -> String {
        match self {
            Seen::Message(Message::Bash(bash)) => bash.command.to_string(),
            Seen::Message(Message::System(system)) => {
                let sections = system.sections.iter().filter_map(|(_, text)| text.as_deref());
                let content = joined_text(&system.content, "\n");
                let parts = std::iter::once(content.as_str()).filter(|text| !text.is_empty());
                parts.chain(sections).collect::<Vec<_>>().join("\n")
            }
            Seen::Message(message) => joined_text(message.content(), "\n"),
            Seen::BranchSummary(summary) | Seen::CompactionSummary(summary) => summary.to_string(),
        }
    }

    /// What the provider is given, or nothing when it is not sent.
    pub fn for_model(&self) -> Option<ModelMessage<'_>> {
        if !self.is_sent() {
            return None;
        }
        let user = |text| {
            Some(ModelMessage { role: "user", content: vec![Block::Text(Cow::Owned(text))] })
        };
        match self {
            Seen::Message(Message::Bash(bash)) => user(bash_text(bash)),
            Seen::Message(Message::Custom(custom)) => {
                Some(ModelMessage { role: "user", content: custom.content.clone() })
            }
            Seen::Message(message) => {
                Some(ModelMessage { role: message.role(), content: message.content().to_vec() })
            }
            Seen::BranchSummary(summary) => user(format!(
                "The following is a summary of a branch that this conversation came back from:\n\n\
                 <summary>\n{summary}</summary>"
            )),
            Seen::CompactionSummary(summary) => user(format!(
                "The conversation history before this point was compacted into the following summary:\n\n\
                 <summary>\n{summary}\n</summary>"
            )),
        }
    }
}

/// A message in the provider's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMessage<'a> {
    /// `system`, `user`, `assistant` or `toolResult`.
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
