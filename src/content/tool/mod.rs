//! Calls of tools as content: one file a kind of tool. [`built_in`] chooses it by what the call asks
//! ([`Request`]). A new name of a tool is added in `session/action/names.rs`, a new look here.
//!
//! What all share: `run` is what a renderer gets and gives, `file` has what tools on files need, `nested` lists
//! the calls that a tool made itself.
//!
//! A card belongs to the result's entry and repeats the call, so every branch
//! shows its own result; the assistant's turn keeps a line that leads there. A
//! call that got no result has its card in the turn itself.

mod ask;
mod bash;
mod edit;
mod eval;
mod file;
mod heading;
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

pub use run::{ToolCard, ToolRun};

use super::reader::{Reader, Source};
use super::{Call, Caller, Card, Content, Line, Part, Role, RunState, Span, started};
use crate::figures::duration;
use crate::session::action::heading::Heading;
use crate::session::action::outcome::{End, Outcome};
use crate::session::action::{Action, FileAction, FileRequest, Request};
use crate::session::arguments::Arguments;
use crate::session::calls::CallPlace;
use crate::session::json::Json;
use crate::session::message::{Message, ToolCall, ToolResult};

/// What a run of a tool shows, where nobody brought a renderer for it along. The run has the arguments that the request
/// did not take.
fn built_in<'r>(run: &ToolRun<'r>, request: Request<'r>, heading: &Heading) -> ToolCard<'r> {
    match request {
        Request::File(request) => of_files(run, request),
        Request::Run(request) => bash::read(run, &request),
        Request::Search { .. } | Request::List { .. } => search::read(run),
        Request::ToDo(list) => todo::read(run, &list, heading),
        Request::Task(task) => task::read(run, task),
        Request::Web(web) => web::read(run, web),
        Request::Program(program) => eval::read(run, program),
        Request::Ask(asked) => ask::read(run, asked),
        Request::Plan(plan) => plan::read(run, plan),
        Request::Other => other::read(run),
    }
}

/// What is asked of files, and what came of it.
fn of_files<'r>(run: &ToolRun<'r>, request: FileRequest<'r>) -> ToolCard<'r> {
    let FileRequest { path, patch, does, .. } = request;
    match does {
        FileAction::Read { lines, .. } => read::read(run, path, lines),
        FileAction::Write { text, sketch } => write::read(run, path, text.or(sketch)),
        FileAction::Replace { all, unreadable, sketch } => {
            edit::read(run, path, all, &unreadable, sketch)
        }
        FileAction::Insert { after, text } => edit::insert(run, after, text),
        FileAction::Cell { source, kind, .. } => edit::cell(run, source, kind),
        FileAction::Patch => patch::read(run, patch),
        FileAction::Undo => edit::undo(run),
    }
}

impl<'r> Arguments<'r> {
    /// What was not taken, as a readable list; nothing when all was.
    #[must_use]
    pub fn rest(&self) -> Content<'r> {
        let mut content = Content::new();
        match self.json() {
            Json::Null => {}
            _ if self.is_taken() => {}
            Json::Object(_) => content.fields(self.untaken()),
            other => content.push(Part::Value(other.into())),
        }
        content
    }
}

impl<'s> Reader<'s> {
    /// A call in the assistant's turn: a line that leads to its results, or
    /// the card itself where there is none.
    pub(super) fn call(
        &self,
        place: Option<CallPlace>,
        aborted: bool,
        call: &'s ToolCall<'s>,
    ) -> Part<'s> {
        let mut run =
            ToolRun { name: &call.name, arguments: Arguments::new(&call.arguments), result: None };
        let results = place.map(|place| self.digest.calls.results_of(place)).unwrap_or_default();
        if !results.is_empty() {
            return Part::Call(Call {
                name: call.name.as_ref().into(),
                id: call.id.as_ref().into(),
                summary: self.summary(&mut run),
                results: results.to_vec(),
            });
        }
        let card = self.card(&mut run);
        let keeps_results = self.session.format().traits().keeps_results;
        let outcome = Outcome::without_result(call.status.as_deref(), aborted, keeps_results);
        // Of a message that a compaction keeps results are not looked for.
        let state = place.map_or(RunState::Ok, |_| RunState::of(&outcome));
        Part::Card(Box::new(Card {
            name: call.name.as_ref().into(),
            caller: Caller::Model {
                id: call.id.as_ref().into(),
                place: None,
                has_call: true,
                answered_as: None,
                progress: String::new(),
                is_sub_agent: false,
            },
            state,
            summary: card.summary,
            facts: card.facts,
            body: with_intent(Some(call), card.body),
        }))
    }

    /// The card of a result, with the call it answers.
    pub(super) fn result(&self, source: Source<'s>, result: &'s ToolResult<'s>) -> Part<'s> {
        let Source { index, entry, call } = source;
        let sub = started::in_card(self.session, index, entry);
        let own_name = result.name.as_deref();
        let name = call.map(|call| call.name.as_ref()).or(own_name).unwrap_or("tool");
        let mut run = ToolRun {
            name,
            arguments: Arguments::new(call.map_or(&Json::Null, |call| &call.arguments)),
            result: Some(result),
        };
        let mut card = self.card(&mut run);
        let has_failed = result.is_error || card.failed;
        if let Some(sub) = sub {
            card.facts.extend((!has_failed).then(|| sub.state(self.session).to_owned()));
        }
        let time = result.duration_ms.or_else(|| started::worked(self.session, sub?));
        card.facts.extend(time.map(duration));
        if result.pruned_at.is_some() {
            card.facts.push("output removed later".to_owned());
        }
        let mut body = with_intent(call, card.body);
        // pi 1.6.
        let blind = result.details.as_ref().and_then(|left| left.get("imageUnsupportedByModel"));
        if let Some(model) = blind.and_then(Json::as_str) {
            body.push(Part::Line(Line::new(
                Role::Note,
                [
                    Span::own("The model did not see this image: "),
                    Span::text(model),
                    Span::own(" takes none"),
                ],
            )));
        }
        if let Some(nested) = &result.nested_calls {
            body.append(nested::list(nested));
        }
        Part::Card(Box::new(Card {
            name: name.into(),
            caller: Caller::Model {
                id: result.call_id.as_ref().into(),
                place: self.digest.calls.call_of(index),
                has_call: call.is_some(),
                answered_as: own_name.filter(|own| *own != name).map(Into::into),
                progress: self.work.progress(index),
                is_sub_agent: sub.is_some(),
            },
            state: match has_failed {
                _ if self.digest.failures.is_stopped(index) => RunState::Aborted,
                true => RunState::Failed,
                false => RunState::Ok,
            },
            summary: card.summary,
            facts: card.facts,
            body,
        }))
    }

    /// The head of a card alone. What leafpress has itself takes it from the arguments, unless there is a result.
    fn summary(&self, run: &mut ToolRun<'s>) -> Vec<Span<'s>> {
        let own = self.renderers.tool(run).map(|card| card.summary);
        own.filter(|summary| !is_empty(summary)).unwrap_or_else(|| {
            heading::spans(&Action::of(run.name, run.arguments.json()).heading())
        })
    }

    fn card(&self, run: &mut ToolRun<'s>) -> ToolCard<'s> {
        let own = self.renderers.tool(run);
        let action = Action::of(run.name, run.arguments.json());
        let heading = action.heading();
        let mut card = own.unwrap_or_else(|| {
            run.arguments = action.arguments;
            built_in(run, action.request, &heading)
        });
        if is_empty(&card.summary) {
            card.summary = heading::spans(&heading);
        }
        card
    }
}

impl RunState {
    /// How a call without a result ended.
    fn of(outcome: &Outcome) -> RunState {
        match outcome.end {
            End::Succeeded | End::Unknown => RunState::Ok,
            End::Failed | End::TimedOut => RunState::Failed,
            End::Stopped => RunState::Aborted,
            End::Unfinished => RunState::NoResult,
        }
    }
}

fn is_empty(words: &[Span<'_>]) -> bool {
    words.iter().all(|span| span.text.is_empty())
}

/// What the person ran.
pub(super) fn own<'s>(message: &'s Message<'s>) -> Content<'s> {
    match message {
        Message::Bash(bash) => bash::own(bash).into(),
        Message::Program(program) => bash::own_program(program).into(),
        _ => Content::new(),
    }
}

/// What the model said the call is for goes ahead of all else.
fn with_intent<'s>(call: Option<&'s ToolCall<'s>>, body: Content<'s>) -> Content<'s> {
    let intent = call.and_then(|call| call.intent.as_deref());
    let Some(intent) = intent.filter(|intent| !intent.is_empty()) else { return body };
    let mut content = Content::new();
    content.notice(intent);
    content.append(body);
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json<'_> {
        serde_json::from_str(text).unwrap()
    }

    /// The names of the values that are left.
    fn names(content: &Content<'_>) -> Vec<String> {
        match content.parts() {
            [] => Vec::new(),
            [Part::Fields(fields)] => fields.iter().map(|(name, _)| name.to_string()).collect(),
            parts => panic!("{parts:?}"),
        }
    }

    #[test]
    fn what_was_not_taken_is_listed() {
        let json = json(r#"{"path":"a.rs","limit":"20","offset":{"from":1},"extra":"kept"}"#);
        let mut arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["file_path", "path"]).as_deref(), Some("a.rs"));
        assert_eq!(arguments.number(&["limit"]), Some(20.0));
        assert_eq!(arguments.number(&["offset"]), None, "of another type");
        assert_eq!(names(&arguments.rest()), ["offset", "extra"]);
    }

    #[test]
    fn an_earlier_duplicate_is_not_lost() {
        let json = json(r#"{"path":"first","path":"second"}"#);
        let mut arguments = Arguments::new(&json);
        assert_eq!(arguments.text(&["path"]).as_deref(), Some("second"));
        let rest = arguments.rest();
        let [Part::Fields(fields)] = rest.parts() else { panic!("{rest:?}") };
        assert_eq!(fields[0].1.json().as_str(), Some("first"));
    }

    #[test]
    fn arguments_that_are_no_object_show_as_they_are() {
        let json = json("\"only words\"");
        let rest = Arguments::new(&json).rest();
        assert!(matches!(rest.parts(), [Part::Value(value)] if value.json() == &json), "{rest:?}");
    }
}
