//! Tool calls and tool cards: one file a kind of tool. [`built_in`] chooses it by the
//! kind that [`ToolKind::of`](crate::session::tool_kind::ToolKind::of) gives a tool's name:
//! a new name is added there, a new file here.
//!
//! What all share: [`run`] is what a renderer gets and gives, [`arguments`]
//! lists what no head shows, `file` has what tools on files need, `nested` draws
//! the calls that a tool made itself, `other` any tool unknown here.
//!
//! A card belongs to the result's entry and repeats the call, so every branch
//! shows its own result; the assistant's turn keeps a stub that leads there. A
//! call that got no result has its card in the turn itself.

mod about;
mod arguments;
mod ask;
mod bash;
mod edit;
mod eval;
mod file;
mod nested;
mod other;
mod patch;
mod plan;
mod read;
mod run;
mod search;
mod task;
mod todo;
mod web;
mod write;

pub(super) use bash::{own as own_command, own_program};
pub use run::{ToolCard, ToolRenderer, ToolRun};

use askama::Template;

use super::{Renderer, fill, fill_around, output};
use crate::content::{Source, started};
use crate::figures::duration;
use crate::html::Html;
use crate::session::about::About;
use crate::session::arguments::Arguments;
use crate::session::calls::CallPlace;
use crate::session::file_tools::FileTool;
use crate::session::json::Json;
use crate::session::message::{ToolCall, ToolResult};
use crate::session::tool_kind::ToolKind;
use crate::session::{EntryIndex, SubSession};

#[derive(Template)]
#[template(path = "call.html")]
struct CallTemplate<'a> {
    name: &'a str,
    id: &'a str,
    summary: Html,
    /// The path shown has a result, whose card is the call's.
    is_answered: bool,
    results: Vec<String>,
}

#[derive(Template)]
#[template(path = "tool_card.html")]
struct ToolCardTemplate<'a> {
    name: &'a str,
    /// The call's own id.
    id: &'a str,
    state: CallState,
    card: ToolCard,
    /// The result's own name for the tool, where it is another than the call's.
    answered_as: Option<&'a str>,
    has_call: bool,
    /// The key of the call's entry and the number of the call in it, from 0.
    call_place: Option<String>,
    /// `212 progress updates`; empty without any.
    progress: String,
    nested: Html,
    /// The call started a session, which a link below the card leads to.
    is_sub_agent: bool,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    Ok,
    Failed,
    /// The turn was aborted before a result came.
    Aborted,
    NoResult,
}

impl CallState {
    fn name(self) -> &'static str {
        match self {
            CallState::Ok => "ok",
            CallState::Failed => "error",
            CallState::Aborted => "aborted",
            CallState::NoResult => "none",
        }
    }

    fn words(self) -> Option<&'static str> {
        match self {
            CallState::Ok => None,
            CallState::Failed => Some("failed"),
            CallState::Aborted => Some("aborted"),
            CallState::NoResult => Some("never finished"),
        }
    }
}

/// A built-in renderer.
type Draw = fn(&mut ToolRun<'_>) -> ToolCard;

/// The renderer of a tool.
fn built_in(name: &str) -> Draw {
    match ToolKind::of(name) {
        ToolKind::File(FileTool::Read) => read::draw,
        ToolKind::File(FileTool::Write) => write::draw,
        ToolKind::File(FileTool::Edit) => edit::draw,
        ToolKind::File(FileTool::Notebook) => edit::notebook,
        ToolKind::File(FileTool::Editor) => edit::editor,
        ToolKind::File(FileTool::Patch) => patch::draw,
        ToolKind::Command => bash::draw,
        ToolKind::Search | ToolKind::List => search::draw,
        ToolKind::Todo => todo::draw,
        ToolKind::Task => task::draw,
        ToolKind::Web => web::draw,
        ToolKind::Program => eval::draw,
        ToolKind::Ask => ask::draw,
        ToolKind::Plan => plan::draw,
        ToolKind::Other => other::draw,
    }
}

impl Renderer<'_> {
    /// A call in the assistant's turn: a line that leads to its results, or
    /// the card itself where there is none; on the path to `leaf`, the line is hidden where that path has the result.
    pub(super) fn draw_call(
        &self,
        (entry, leaf): (EntryIndex, EntryIndex),
        place: Option<CallPlace>,
        aborted: bool,
        call: &ToolCall<'_>,
    ) -> Html {
        let mut run = ToolRun {
            name: &call.name,
            arguments: Arguments::new(&call.arguments),
            result: None,
            pictures: self.pictures.seen_from(entry),
        };
        let mut card = self.draw(&mut run);
        let results = place.map(|place| self.digest.calls.results_of(place)).unwrap_or_default();
        if results.is_empty() {
            say_intent(call, &mut card);
            return fill(&ToolCardTemplate {
                name: &call.name,
                id: &call.id,
                state: match place {
                    // A message that a compaction keeps: results are not looked for there.
                    None => CallState::Ok,
                    Some(_) if aborted => CallState::Aborted,
                    Some(_) if !self.session.format().traits().keeps_results => CallState::Ok,
                    Some(_) => match call.status.as_deref() {
                        Some("completed") => CallState::Ok,
                        Some("failed") => CallState::Failed,
                        _ => CallState::NoResult,
                    },
                },
                card,
                answered_as: None,
                has_call: true,
                call_place: None,
                progress: String::new(),
                nested: Html::new(),
                is_sub_agent: false,
            });
        }
        let tree = self.session.tree();
        fill(&CallTemplate {
            name: &call.name,
            id: &call.id,
            is_answered: results.iter().any(|&result| tree.is_on_path(result, leaf)),
            summary: card.summary,
            results: results.iter().map(|&result| self.session.key_at(result)).collect(),
        })
    }

    /// The card of a result, with the call it answers.
    pub(super) fn tool_card(
        &self,
        source: Source<'_>,
        result: &ToolResult<'_>,
        sub: Option<&SubSession>,
    ) -> Html {
        let Source { index, call, .. } = source;
        let place = self.digest.calls.call_of(index);
        let own_name = result.name.as_deref();
        let name = call.map(|call| call.name.as_ref()).or(own_name).unwrap_or("tool");
        let mut run = ToolRun {
            name,
            arguments: Arguments::new(call.map_or(&Json::Null, |call| &call.arguments)),
            result: Some(result),
            pictures: self.pictures.seen_from(index),
        };
        let mut card = self.draw(&mut run);
        let has_failed = result.is_error || card.failed;
        if let Some(sub) = sub {
            card.facts.extend((!has_failed).then(|| sub.state(self.session).to_owned()));
        }
        let time = result.duration_ms.or_else(|| started::worked(self.session, sub?));
        card.facts.extend(time.map(duration));
        if let Some(call) = call {
            say_intent(call, &mut card);
        }
        if result.pruned_at.is_some() {
            card.facts.push("output removed later".to_owned());
        }
        let template = ToolCardTemplate {
            name,
            id: &result.call_id,
            state: if has_failed { CallState::Failed } else { CallState::Ok },
            card,
            answered_as: own_name.filter(|own| *own != name),
            has_call: call.is_some(),
            call_place: place
                .map(|place| format!("{} {}", self.session.key_at(place.entry), place.nth)),
            progress: self.work.progress(index),
            nested: result.nested_calls.as_ref().map_or_else(Html::new, nested::list),
            is_sub_agent: sub.is_some(),
        };
        fill_around(template, |template| &mut template.card.body)
    }

    fn draw(&self, run: &mut ToolRun<'_>) -> ToolCard {
        let own = self.renderers.tool(run.name).and_then(|renderer| renderer.render(run));
        // Ahead of the rest, which lists what neither the head nor the body shows.
        let about = About::of(run.name, &mut run.arguments);
        let mut card = own.unwrap_or_else(|| built_in(run.name)(run));
        if card.summary.is_empty() {
            card.summary = about::html(&about);
        }
        card
    }
}

/// What the model said the call is for goes ahead of all else.
fn say_intent(call: &ToolCall<'_>, card: &mut ToolCard) {
    if let Some(intent) = call.intent.as_deref().filter(|intent| !intent.is_empty()) {
        let mut body = output::notice(intent);
        body.push(&card.body);
        card.body = body;
    }
}
