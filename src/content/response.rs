//! The blocks of messages, and what stands at the end of a response.

use super::cited;
use super::reader::Reader;
use super::{Caller, Card, Content, Fold, FoldKind, Line, Part, Role, RunState, Span};
use crate::figures;
use crate::session::EntryIndex;
use crate::session::calls::CallPlace;
use crate::session::json::Json;
use crate::session::message::{Assistant, Block, NotSent, Retry, ToolCall, UNFINISHED};
use crate::session::turns::Spent;

impl<'s> Reader<'s> {
    /// Blocks in order, without knowledge of results.
    pub(super) fn blocks(&self, blocks: &'s [Block<'s>]) -> Content<'s> {
        turn(blocks, |call| self.call(None, false, call))
    }

    pub(super) fn response(&self, index: EntryIndex, assistant: &'s Assistant<'s>) -> Content<'s> {
        let mut places = (0..).map(|nth| CallPlace { entry: index, nth });
        let aborted = assistant.stopped_by("aborted");
        let mut content = turn(&assistant.content, |call| self.call(places.next(), aborted, call));
        content.extend(assistant.not_sent.iter().map(not_sent));
        content.extend(stop(assistant));
        content.extend(assistant.retry.as_deref().map(asked_again));
        let turn = self.digest.turns.of(index);
        content.extend(turn.and_then(|turn| turn.since_prompt.as_deref()).map(since_prompt));
        content
    }
}

/// Blocks in order; `read` makes a part of the calls among them.
fn turn<'s>(
    blocks: &'s [Block<'s>],
    mut read: impl FnMut(&'s ToolCall<'s>) -> Part<'s>,
) -> Content<'s> {
    let mut content = Content::new();
    for block in blocks {
        match block {
            Block::Text(text) => content.prose(text.as_ref()),
            Block::Thinking(text) => content.push(thinking(text)),
            Block::RedactedThinking => content.push(Part::Line(withheld())),
            Block::ToolCall(call) => content.push(read(call)),
            Block::Fallback { from, to } => content.push(Part::Line(fallback(from, to))),
            Block::ServerTool(json) => content.push(server_tool(json)),
            Block::Citations(citations) => content.extend(cited::sources(citations)),
            Block::NotShown(words) => content.notice(words.as_ref()),
            Block::Image { .. } | Block::Other(_) => content.picture(block),
        }
    }
    content
}

impl<'s> Content<'s> {
    /// A tool's content: its text as printed, its pictures.
    pub(crate) fn printed(blocks: &'s [Block<'s>], failed: bool) -> Content<'s> {
        let mut content = Content::new();
        if blocks.is_empty() {
            content.output("");
        }
        for block in blocks {
            match block {
                Block::Text(text) | Block::Thinking(text) => {
                    content.push(Part::Output { text: text.as_ref().into(), failed });
                }
                Block::RedactedThinking => {}
                Block::Fallback { from, to } => content.notice(format!("{from} → {to}")),
                Block::ToolCall(call) => content.push(Part::Json((&call.arguments).into())),
                Block::ServerTool(json) => content.push(Part::Json(json.into())),
                Block::Citations(citations) => content.extend(cited::sources(citations)),
                Block::NotShown(words) => content.notice(words.as_ref()),
                Block::Image { .. } | Block::Other(_) => content.picture(block),
            }
        }
        content
    }
}

fn thinking(text: &str) -> Part<'_> {
    if text.trim().is_empty() {
        return Part::Line(withheld());
    }
    let title = format!("Thinking, {}", figures::counted(text.split_whitespace().count(), "word"));
    Part::Fold(Fold::own(FoldKind::Thinking, title, Part::Prose(text.into()).into()))
}

/// What stands for a thought of which nothing is there.
pub(crate) fn withheld() -> Line<'static> {
    Line::own(Role::Note, "Thinking, its text withheld by the provider")
}

fn fallback<'s>(from: &'s str, to: &'s str) -> Line<'s> {
    let spans = [
        Span::own("Continued by another model: "),
        Span::text(from),
        Span::own(" → "),
        Span::text(to),
    ];
    Line::new(Role::Note, spans)
}

/// A tool that ran at the provider's, or what it gave back.
fn server_tool<'s>(block: &'s Json<'s>) -> Part<'s> {
    let text = |key| block.get(key).and_then(Json::as_str);
    Part::Card(Box::new(Card {
        name: text("name").or(text("type")).unwrap_or("tool").into(),
        caller: Caller::Provider,
        state: RunState::Ok,
        summary: Vec::new(),
        facts: Vec::new(),
        body: Part::Value(block.into()).into(),
    }))
}

fn not_sent<'s>(parts: &NotSent) -> Part<'s> {
    let NotSent { what, reason, count } = parts;
    let were = if *count == 1 { "was" } else { "were" };
    let counted = figures::counted(*count, &format!("{what} item"));
    let why = reason.replace('_', " ");
    let why = if why.is_empty() { why } else { format!(": {why}") };
    Part::Line(Line::own(Role::Spent, format!("{counted} {were} not sent{why}")))
}

/// How a response ended that did not end by itself.
fn stop<'s>(assistant: &'s Assistant<'s>) -> Option<Part<'s>> {
    let was_aborted = assistant.stopped_by("aborted");
    let error = assistant.error_message.as_deref().filter(|error| !error.is_empty());
    let end = match assistant.stop_reason.as_deref() {
        _ if was_aborted => "Stopped",
        _ if assistant.is_refused() => "Refused",
        Some("error") => "Error",
        Some("length") => "Cut off: the response reached its length limit",
        Some("deferred") => "Deferred",
        Some(UNFINISHED) => "Never finished: the file has only its beginning",
        _ => error.map(|_| "Error")?,
    };
    let spans = match error {
        Some(error) => vec![Span::own(format!("{end}: ")), Span::text(error)],
        None => vec![Span::own(end)],
    };
    let role = if was_aborted { Role::Stopped } else { Role::Stop };
    Some(Part::Line(Line::new(role, spans)))
}

fn asked_again<'s>(retry: &'s Retry<'s>) -> Part<'s> {
    let mut spans = vec![Span::own("Asked again")];
    for fact in [&retry.status, &retry.note].into_iter().flatten() {
        spans.extend([Span::own(", "), Span::text(fact.as_ref())]);
    }
    Part::Line(Line::new(Role::Note, spans))
}

/// `This turn: 7 responses, 45k tokens, $0.31, 2 min 5 s`.
fn since_prompt(spent: &Spent) -> Part<'static> {
    let tokens = spent.usage.tokens();
    #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
    let elapsed = spent.elapsed_ms.map(|ms| figures::duration(ms as f64));
    let parts = [
        Some(figures::counted(spent.answers, "response")),
        (tokens > 0.0).then(|| format!("{} tokens", figures::short(tokens))),
        Some(figures::cost(&spent.usage)).filter(|cost| !cost.is_empty()),
        elapsed,
    ];
    let words = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    Part::Line(Line::own(Role::Spent, format!("This turn: {words}")))
}
