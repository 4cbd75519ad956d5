//! Entries that tell of a change or a fact on one line, and how a sub-agent was started.

use std::borrow::Cow;

use super::{Content, Fold, FoldKind, Group, GroupKind, Line, Part, Role, Span, Style};
use crate::figures;
use crate::session::entry::{ModelChange, UsageEntry};
use crate::session::event::{Event, Init, ModelUsage};
use crate::session::json::Json;
use crate::session::message::{CustomMessage, Model};
use crate::session::text::one_line;
use crate::session::usage::Usage;

/// The words of a change, the last followed by a remark.
pub(super) fn spans<'s, W: Into<Cow<'s, str>>>(
    words: impl IntoIterator<Item = W>,
    remark: &'static str,
) -> Vec<Span<'s>> {
    let mut spans = Vec::new();
    for word in words {
        let word = word.into();
        if !word.is_empty() {
            spans.extend([Span::styled(Style::Value, word), Span::text(" ")]);
        }
    }
    if !remark.is_empty() {
        spans.push(Span::own(remark));
    }
    spans
}

pub(super) fn line(spans: Vec<Span<'_>>) -> Content<'_> {
    Part::Line(Line::new(Role::Event, spans)).into()
}

/// A change to one thing, with a remark behind it.
pub(super) fn change<'s>(word: impl Into<Cow<'s, str>>, remark: &'static str) -> Content<'s> {
    line(spans([word], remark))
}

pub(super) fn model_change<'s>(change: &'s ModelChange<'s>) -> Content<'s> {
    let mut spans = spans([change.model.provider.as_ref(), change.model.id.as_ref()], "");
    if let Some(role) = change.role.as_deref().filter(|role| *role != "default") {
        spans.extend([Span::own("for "), Span::text(role)]);
    }
    line(spans)
}

/// omp's changes and facts but for those that name an entry.
pub(super) fn of<'s>(happened: &'s Event<'s>) -> Content<'s> {
    match happened {
        Event::ServiceTier(tier) => {
            let words = Event::tier_words(tier.as_ref());
            let remark = if words.is_empty() { "the default" } else { "" };
            change(words, remark)
        }
        Event::Title { title, previous, .. } => {
            let remark = if title.is_empty() { "cleared" } else { "" };
            let mut spans = spans([title.as_ref()], remark);
            if let Some(previous) = previous.as_deref().filter(|previous| !previous.is_empty()) {
                spans.extend([Span::own(", before: "), Span::text(previous)]);
            }
            line(spans)
        }
        Event::Mode { mode, data } => {
            let is_end = matches!(mode.as_ref(), "none" | "");
            let mut content = if is_end { change("", "none") } else { change(mode.as_ref(), "") };
            if let Some(data) = data {
                content.fold("Details", Part::Value(data.into()).into());
            }
            content
        }
        Event::ModelUsage(side) => side_call(side),
        Event::Rules(rules) => line(spans(rules.iter().map(AsRef::as_ref), "shown to the model")),
        Event::Reset { reason, first_kept_id } => {
            let mut spans = vec![Span::own("Context cleared")];
            if let Some(reason) = reason.as_deref().filter(|reason| !reason.is_empty()) {
                spans.extend([Span::own(" ("), Span::text(reason), Span::own(")")]);
            }
            spans.push(Span::own(match first_kept_id {
                Some(_) => ": of what is above the model sees the last part",
                None => ": the model no longer sees what is above",
            }));
            line(spans)
        }
        Event::Init(init) => started(init),
        Event::Archive { .. } => Content::new(),
        Event::CredentialPin { provider } => change(provider.as_ref(), ""),
    }
}

/// How a sub-agent was started: its task in sight, instructions and tools folded.
fn started<'s>(init: &'s Init<'s>) -> Content<'s> {
    const FACTS: [&str; 3] = ["agent", "modelRole", "resolvedModel"];
    let fact = |key: &str| init.fact(key).filter(|fact| !fact.is_empty());
    let name = fact("agent").unwrap_or("sub-agent");
    let mut title = vec![
        Span::styled(Style::Tool, name),
        Span::text(" "),
        Span::styled(Style::Args, one_line(&init.task)),
    ];
    for fact in FACTS[1..].iter().filter_map(|key| fact(key)) {
        title.extend([Span::text(" "), Span::styled(Style::Fact, fact)]);
    }
    let mut content = Content::new();
    content.prose(init.task.as_ref());
    let prompt = init.system_prompt.join("\n\n");
    if !prompt.is_empty() {
        let words = figures::counted(prompt.split_whitespace().count(), "word");
        content.fold(format!("Instructions, {words}"), Content::of_prose(prompt));
    }
    if !init.tools.is_empty() {
        content.push(Part::Line(Line::listed("Tools: ", init.tools.iter().map(AsRef::as_ref))));
    }
    let rest = init.rest.iter();
    let rest = rest.filter(|(key, _)| !FACTS.contains(&key.as_ref()) || fact(key).is_none());
    content.fields(rest.map(|(key, value)| (key.as_ref(), value)));
    Part::Fold(Fold { kind: FoldKind::SubAgent, title, content }).into()
}

fn side_call<'s>(side: &'s ModelUsage<'s>) -> Content<'s> {
    let mut words = vec![side.purpose.as_ref().into()];
    words.extend(side.role.as_deref().map(Into::into));
    words.extend(model_words(side.model.as_ref()));
    words.extend(side.usage.as_ref().map(spent));
    let mut content = line(spans(words, ""));
    if let Some(error) = side.error_message.as_deref().filter(|error| !error.is_empty()) {
        content.notice(error);
    }
    content
}

pub(super) fn usage_entry<'s>(entry: &'s UsageEntry<'s>) -> Content<'s> {
    let mut words = vec![entry.kind.as_ref().into()];
    words.extend(model_words(entry.model.as_ref()));
    words.extend(entry.usage.as_ref().map(spent));
    words.extend(entry.note.as_deref().map(Into::into));
    line(spans(words, ""))
}

fn model_words<'m>(model: Option<&'m Model<'_>>) -> impl Iterator<Item = Cow<'m, str>> {
    let words = |model: &'m Model<'_>| [model.provider.as_ref(), model.id.as_ref()];
    model.into_iter().flat_map(words).map(Into::into)
}

fn spent(usage: &Usage) -> Cow<'static, str> {
    /// What is less is not shown. The rest of a sum may be a little below nothing.
    const LEAST: f64 = 0.00005;
    let computed = if usage.computed > 0.0 { " computed" } else { "" };
    let tokens = usage.tokens().round();
    if usage.cost < LEAST {
        return format!("{tokens} tokens").into();
    }
    format!("{tokens} tokens, ${:.4}{computed}", usage.cost).into()
}

/// What advisors noted, each with who and how grave; the message's own text only
/// wraps it for the model.
pub(super) fn advice<'s>(custom: &'s CustomMessage<'s>) -> Option<Content<'s>> {
    let notes =
        custom.details.as_ref()?.get("notes").filter(|_| custom.custom_type == "advisor")?;
    let is_whole = |note: &Json<'_>| note.get("note").and_then(Json::as_str).is_some();
    if notes.items().is_empty() || !notes.items().iter().all(is_whole) {
        return None;
    }
    let group = |note: &'s Json<'s>| {
        let text = |key| note.get(key).and_then(Json::as_str);
        let about = ["advisor", "severity"].map(text).into_iter().flatten();
        let title = about.flat_map(|word| [Span::styled(Style::Value, word), Span::text(" ")]);
        let content = Content::of_prose(text("note").unwrap_or_default());
        Part::Group(Group { kind: GroupKind::Advice, title: title.collect(), content })
    };
    Some(notes.items().iter().map(group).collect())
}
