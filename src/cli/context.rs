//! `leafpress context`: prints the messages that were sent to the model at a leaf.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::error::Error;
use crate::report::{self, ContextReport, MessageReport, ModelReport};
use crate::session::text::{counted, cut, one_line};
use crate::short_ids::ShortIds;

use super::clock::ClockArg;
use super::columns::{columns, known_columns, shortened, wrapped};
use super::printable::printable;
use super::{SessionArg, input, output, over_time};

/// What `leafpress context` takes.
#[derive(Debug, Args)]
pub(super) struct ContextArgs {
    #[command(flatten)]
    input: SessionArg,
    /// Leaf to print the context of [default: the current leaf]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Print how full the context was at each call, as far as the session says
    #[arg(long)]
    over_time: bool,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON with the full texts, in a stable format
    #[arg(long)]
    json: bool,
}

impl ContextArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = self.input.read()?;
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?
            .unwrap_or_else(|| session.leaf());
        if self.over_time {
            let calls = report::context_over_time(&session, leaf).expect(input::FOUND);
            if self.json {
                return output::json(&calls);
            }
            let clock = self.clock.clock();
            return output::to_person(|out| over_time::print(&calls, &clock, out));
        }
        let context = report::context(&session, leaf).expect(input::FOUND);
        if self.json {
            return output::json(&context);
        }
        let ids = ShortIds::of(&session);
        output::to_person(|out| print(&context, &ids, out))
    }
}

/// One line a message, after a line on the state.
fn print(context: &ContextReport, ids: &ShortIds, out: &mut dyn Write) -> io::Result<()> {
    let columns = columns();
    let dim = Style::new().dimmed();
    let state: Vec<String> = state(context).iter().map(|part| printable(part)).collect();
    let mut parts = vec![format!("leaf {}", ids.short(&context.leaf_id))];
    parts.extend(state);
    parts.push(counted(context.messages.len(), "message"));
    let (empty, messages): (Vec<_>, Vec<_>) =
        context.messages.iter().partition(|message| is_empty(message));
    // A script gets the line whole.
    for line in wrapped(&parts, ", ", known_columns().unwrap_or(usize::MAX)) {
        writeln!(out, "{line}")?;
    }
    for message in messages {
        let text = one_line(&message.text);
        let not_sent = if message.sent { "" } else { " (not sent)" };
        let omitted = match &message.omitted[..] {
            [] => String::new(),
            omitted => format!(" [{}]", omitted.join("; ")),
        };
        let who = printable(who(&message.role));
        let id = shortened(ids.short(&message.entry_id), columns / 2);
        let room = columns.saturating_sub(id.width() + 2);
        let said = format!("{who}{not_sent}: {}{omitted}", printable(cut(&text, TEXT_UNITS)));
        writeln!(out, "{dim}{id}{dim:#}  {}", shortened(&said, room))?;
    }
    if let Some(first) = empty.first() {
        // Below the roles.
        let id = shortened(ids.short(&first.entry_id), columns / 2).width();
        let count = counted(empty.len(), "message");
        writeln!(out, "{:id$}  {dim}no text: {count}, not shown{dim:#}", "")?;
    }
    Ok(())
}

/// Whether it has nothing to print, as a response that only calls tools.
fn is_empty(message: &MessageReport) -> bool {
    one_line(&message.text).is_empty() && message.omitted.is_empty()
}

/// Of each text so much is looked at, in UTF-16 units: more than a wide terminal shows.
const TEXT_UNITS: usize = 1000;

/// Who speaks in a message, in words; a role that leafpress does not know stays as it is.
fn who(role: &str) -> &str {
    match role {
        "toolResult" => "tool result",
        "bashExecution" => "user command",
        "pythonExecution" => "user Python code",
        "jsExecution" => "user JavaScript code",
        "fileMention" => "mentioned files",
        "hookMessage" | "custom" => "notice",
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
    let mut parts = vec![format!("model {model}")];
    // `off` is also the level where nothing says one.
    if context.thinking_level != "off" {
        parts.push(format!("thinking {}", context.thinking_level));
    }
    parts.extend(context.role_models.iter().map(|(role, model)| format!("{role} {}", name(model))));
    parts.extend(context.mode.iter().map(|mode| format!("mode {mode}")));
    let tier = |(family, tier): (&String, &String)| format!("service tier {family}:{tier}");
    parts.extend(context.service_tier.iter().map(tier));
    parts
}
