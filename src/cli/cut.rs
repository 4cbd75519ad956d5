//! What to remove from a page.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::error::Error;
use crate::cut::{Cut, cut};
use crate::page;
use crate::session::{Body, Kind, Session};

use super::input;

/// The heading in the help.
pub(super) const HEADING: &str = "Remove parts";

/// The flags that say what stays and what goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = HEADING)]
pub(super) struct CutArgs {
    /// Keep only the path to this entry
    #[arg(long, value_name = "ID")]
    branch: Option<String>,
    /// Keep only this entry and everything below it
    #[arg(long, value_name = "ID")]
    subtree: Option<String>,
    /// Start the current branch at this entry
    #[arg(long, value_name = "ID")]
    from: Option<String>,
    /// End the current branch at this entry
    #[arg(long, value_name = "ID")]
    to: Option<String>,
    #[command(flatten)]
    parts: PartsArgs,
}

/// What any session may be written without.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = HEADING)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of a command line")]
pub(super) struct PartsArgs {
    /// Keep only the current branch, in sub-agent sessions too
    #[arg(long)]
    active_only: bool,
    /// Keep only these kinds of entries, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind())]
    only: Option<Vec<Kind>>,
    /// Remove thinking
    #[arg(long)]
    no_thinking: bool,
    /// Remove the output of tools and commands; the calls stay
    #[arg(long)]
    no_tool_output: bool,
    /// Remove images
    #[arg(long)]
    no_images: bool,
    /// Remove system prompts and tool definitions
    #[arg(long)]
    no_system: bool,
    /// Keep summaries and titles that may describe removed parts
    #[arg(long)]
    keep_summaries: bool,
}

impl PartsArgs {
    /// The same for the library.
    pub(super) fn cut(&self) -> Cut {
        Cut {
            active_only: self.active_only,
            without_thinking: self.no_thinking,
            without_tool_output: self.no_tool_output,
            without_images: self.no_images,
            without_system: self.no_system,
            only: self.only.clone(),
            keep_summaries: self.keep_summaries,
            ..Cut::default()
        }
    }
}

/// The kinds that a person may ask for by name.
const KINDS: [Kind; 13] = [
    Kind::User,
    Kind::Assistant,
    Kind::ToolResult,
    Kind::Bash,
    Kind::Program,
    Kind::FileMention,
    Kind::System,
    Kind::Developer,
    Kind::CustomMessage,
    Kind::CustomRole,
    Kind::Compaction,
    Kind::BranchSummary,
    Kind::ModelChange,
];

fn kind() -> impl TypedValueParser<Value = Kind> + use<> {
    let value = |kind: Kind| {
        let value = PossibleValue::new(kind.name());
        if kind == Kind::ToolResult { value.alias("tool") } else { value }
    };
    let named = |name: String| {
        let name = if name == "tool" { Kind::ToolResult.name() } else { &name };
        KINDS.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Other)
    };
    PossibleValuesParser::new(KINDS.map(value)).map(named)
}

impl CutArgs {
    /// The session without what these leave out; `leaf` and `target` are those of the page.
    pub(super) fn apply(
        self,
        session: Session,
        leaf: Option<&str>,
        target: Option<&str>,
    ) -> Result<Session, Error> {
        let entry = |option, id: &Option<String>| input::entry(&session, option, id.as_deref());
        let asked = input::entry(&session, "--leaf", leaf)?;
        let target_entry = input::entry(&session, "--target", target)?;
        let target_key = target_entry.map(|entry| session.key_at(entry));
        let on_show = page::leaf_on_show(&session, asked, target_entry);
        let options = Cut {
            leaf: (asked.is_some() || target.is_some()).then_some(on_show),
            branch: entry("--branch", &self.branch)?,
            subtree: entry("--subtree", &self.subtree)?,
            from: entry("--from", &self.from)?,
            to: entry("--to", &self.to)?,
            ..self.parts.cut()
        };
        if options.is_empty() {
            return Ok(session);
        }
        let session = cut(session, &options).map_err(|error| match (error.into(), target) {
            // The leaf shown came from the target.
            (Error::CutOutside { option: "--leaf", of, other, .. }, Some(target))
                if leaf.is_none() =>
            {
                Error::CutOutside { option: "--target", id: target.to_owned(), of, other }
            }
            (error, _) => error,
        })?;
        // A leaf says which path is shown, of which the end may be cut off.
        if let Some((id, key)) = target.zip(target_key) {
            let entry = session.find(&key);
            if entry.is_none_or(|entry| matches!(session.entry_at(entry).body, Body::Omitted(_))) {
                return Err(Error::NotIncluded { option: "--target", id: id.to_owned() });
            }
        }
        Ok(session)
    }
}
