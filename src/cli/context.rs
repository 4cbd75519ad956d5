//! `leafpress context`: prints the messages that were sent to the model at a leaf.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::cli::error::Error;
use crate::report::{self, ContextReport, ModelReport};
use crate::session::text::{counted, cut, one_line};

use super::printable::printable;
use super::{SessionArg, input, output};

/// What `leafpress context` takes.
#[derive(Debug, Args)]
pub(super) struct ContextArgs {
    #[command(flatten)]
    input: SessionArg,
    /// Leaf to print the context of [default: the current leaf]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Print JSON with the full texts, in a stable format
    #[arg(long)]
    json: bool,
}

impl ContextArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = self.input.read()?;
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?
            .unwrap_or_else(|| session.leaf());
        let context = report::context(&session, leaf);
        if self.json {
            return output::json(&context);
        }
        output::to_person(|out| print(&context, out))
    }
}

/// One line a message, after a line on the state.
fn print(context: &ContextReport, out: &mut dyn Write) -> io::Result<()> {
    /// Of each text, in UTF-16 units; `--json` has the whole.
    const TEXT_UNITS: usize = 160;
    let dim = Style::new().dimmed();
    let state: Vec<String> = state(context).iter().map(|part| printable(part)).collect();
    writeln!(
        out,
        "leaf {}, {}, {}",
        context.leaf_id,
        state.join(", "),
        counted(context.messages.len(), "message")
    )?;
    for message in &context.messages {
        let not_sent = if message.sent { "" } else { " (not sent)" };
        let text = one_line(&message.text);
        let has_all = message.omitted.is_empty();
        let omitted =
            if has_all { String::new() } else { format!(" [{}]", message.omitted.join("; ")) };
        let text = if text.is_empty() && has_all { "(no text)".to_owned() } else { text };
        writeln!(
            out,
            "{dim}{}{dim:#}  {}{not_sent}: {}{omitted}",
            message.entry_id,
            printable(who(&message.role)),
            printable(cut(&text, TEXT_UNITS)),
        )?;
    }
    Ok(())
}

/// Who speaks in a message, in words; a role that leafpress does not know stays as it is.
fn who(role: &str) -> &str {
    match role {
        "toolResult" => "tool result",
        "bashExecution" => "user command",
        "pythonExecution" => "user Python code",
        "jsExecution" => "user JavaScript code",
        "fileMention" => "mentioned files",
        "hookMessage" | "custom" => "extension message",
        "branchSummary" => "branch summary",
        "compactionSummary" => "compaction summary",
        "omitted" => "removed",
        role => role,
    }
}

/// What is set at the leaf, part by part.
fn state(context: &ContextReport) -> Vec<String> {
    let name = |model: &ModelReport| match model.provider.as_str() {
        "" => model.model_id.clone(),
        provider => format!("{provider}/{}", model.model_id),
    };
    let model = context.model.as_ref().map_or("none".to_owned(), name);
    let mut parts = vec![format!("model {model}"), format!("thinking {}", context.thinking_level)];
    parts.extend(context.role_models.iter().map(|(role, model)| format!("{role} {}", name(model))));
    parts.extend(context.mode.iter().map(|mode| format!("mode {mode}")));
    let tier = |(family, tier): (&String, &String)| format!("service tier {family}:{tier}");
    parts.extend(context.service_tier.iter().map(tier));
    parts
}
