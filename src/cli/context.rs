//! `leafpress context`: what the model saw at a leaf.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::error::Error;
use crate::report::{self, ContextReport, ModelReport};
use crate::session::text::{cut, one_line};

use super::tree::printable;
use super::{SessionArg, input, output};

/// What `leafpress context` takes.
#[derive(Debug, Args)]
pub(super) struct ContextArgs {
    #[command(flatten)]
    input: SessionArg,
    /// The leaf [default: the session's last entry]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Print JSON with the whole texts, whose shape is stable
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
        "leaf {}, {}, {} messages",
        context.leaf_id,
        state.join(", "),
        context.messages.len()
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
            printable(&message.role),
            printable(cut(&text, TEXT_UNITS)),
        )?;
    }
    Ok(())
}

/// What is set at the leaf, part by part.
fn state(context: &ContextReport) -> Vec<String> {
    let name = |model: &ModelReport| format!("{}/{}", model.provider, model.model_id);
    let model = context.model.as_ref().map_or("none".to_owned(), name);
    let mut parts = vec![format!("model {model}"), format!("thinking {}", context.thinking_level)];
    parts.extend(context.role_models.iter().map(|(role, model)| format!("{role} {}", name(model))));
    parts.extend(context.mode.iter().map(|mode| format!("mode {mode}")));
    let tier = |(family, tier): (&String, &String)| format!("service tier {family}:{tier}");
    parts.extend(context.service_tier.iter().map(tier));
    parts
}
