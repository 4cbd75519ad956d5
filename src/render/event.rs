//! Entries that tell of a change or a fact on one line, and how a sub-agent was started.

use super::{markdown, output, value};
use crate::figures;
use crate::html::Html;
use crate::session::entry::UsageEntry;
use crate::session::event::{Event, Init, ModelUsage};
use crate::session::json::Json;
use crate::session::message::{CustomMessage, Model};
use crate::session::usage::Usage;

/// `<p class="event">` with the words, the last followed by a remark; left open.
pub(super) fn event(words: &[&str], remark: &'static str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"event\">");
    for word in words.iter().filter(|word| !word.is_empty()) {
        html.push_markup("<span class=\"value\">");
        html.push_text(word);
        html.push_markup("</span> ");
    }
    if !remark.is_empty() {
        html.push_markup("<span data-ui>");
        html.push_markup(remark);
        html.push_markup("</span>");
    }
    html
}

pub(super) fn closed(mut html: Html) -> Html {
    html.push_markup("</p>\n");
    html
}

pub(super) fn fold(title: &'static str, content: &Html) -> Html {
    let mut html = Html::new();
    html.push_markup("<details class=\"fold\"><summary data-ui>");
    html.push_markup(title);
    html.push_markup("</summary>\n");
    html.push(content);
    html.push_markup("</details>\n");
    html
}

/// A fold that says how long its text is.
fn folded_text(title: &'static str, text: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<details class=\"fold\"><summary data-ui>");
    html.push_markup(title);
    html.push_text(&format!(", {}", figures::counted(text.split_whitespace().count(), "word")));
    html.push_markup("</summary>\n");
    html.push(&markdown::block(text));
    html.push_markup("</details>\n");
    html
}

/// omp's changes and facts but for those that name an entry.
pub(super) fn of(happened: &Event<'_>) -> Html {
    match happened {
        Event::ServiceTier(tier) => {
            let words = Event::tier_words(tier.as_ref());
            closed(event(&[&words], if words.is_empty() { "the default" } else { "" }))
        }
        Event::Title { title, previous, .. } => {
            let mut html = event(&[title], if title.is_empty() { "cleared" } else { "" });
            if let Some(previous) = previous.as_deref().filter(|previous| !previous.is_empty()) {
                html.push_markup("<span data-ui>, before: </span>");
                html.push_text(previous);
            }
            closed(html)
        }
        Event::Mode { mode, data } => {
            let is_end = matches!(mode.as_ref(), "none" | "");
            let mut html = closed(if is_end { event(&[], "none") } else { event(&[mode], "") });
            if let Some(data) = data {
                html.push(&fold("Details", &value::of(data)));
            }
            html
        }
        Event::ModelUsage(side) => side_call(side),
        Event::Rules(rules) => {
            let rules: Vec<&str> = rules.iter().map(AsRef::as_ref).collect();
            closed(event(&rules, "shown to the model"))
        }
        Event::Reset => {
            closed(event(&[], "Context cleared: the model no longer sees what is above"))
        }
        Event::Init(init) => started(init),
        Event::Archive { .. } => Html::new(),
        Event::CredentialPin { provider } => closed(event(&[provider], "")),
    }
}

/// How a sub-agent was started: its task in sight, instructions and tools folded.
fn started(init: &Init<'_>) -> Html {
    let facts =
        ["agent", "modelRole", "resolvedModel"].map(|key| init.fact(key).unwrap_or_default());
    let mut html = Html::new();
    html.push_markup("<details class=\"card\"><summary class=\"card-head\"><b class=\"tool\">");
    html.push_text(if facts[0].is_empty() { "sub-agent" } else { facts[0] });
    html.push_markup("</b> <span class=\"args\">");
    html.push_text(&crate::session::text::one_line(&init.task));
    html.push_markup("</span>");
    for fact in &facts[1..] {
        if !fact.is_empty() {
            html.push_markup(" <span class=\"fact\">");
            html.push_text(fact);
            html.push_markup("</span>");
        }
    }
    html.push_markup("</summary>\n<div class=\"card-body\">\n");
    html.push(&markdown::block(&init.task));
    let prompt = init.system_prompt.join("\n\n");
    if !prompt.is_empty() {
        html.push(&folded_text("Instructions", &prompt));
    }
    if !init.tools.is_empty() {
        html.push_markup("<p class=\"files\"><span data-ui>Tools: </span><code>");
        for (nth, tool) in init.tools.iter().enumerate() {
            html.push_markup(if nth > 0 { "</code>, <code>" } else { "" });
            html.push_text(tool);
        }
        html.push_markup("</code></p>\n");
    }
    let shown = ["agent", "modelRole", "resolvedModel"];
    let is_shown =
        |key: &str| shown.contains(&key) && init.fact(key).is_some_and(|fact| !fact.is_empty());
    let rest = init.rest.iter().filter(|(key, _)| !is_shown(key));
    html.push(&value::fields(rest.map(|(key, value)| (key.as_ref(), value))));
    html.push_markup("</div></details>\n");
    html
}

fn side_call(side: &ModelUsage<'_>) -> Html {
    let mut words = vec![side.purpose.as_ref(), side.role.as_deref().unwrap_or_default()];
    words.extend(model_words(side.model.as_ref()));
    let spent = side.usage.as_ref().map(spent);
    words.extend(spent.as_deref());
    let mut html = closed(event(&words, ""));
    if let Some(error) = side.error_message.as_deref().filter(|error| !error.is_empty()) {
        html.push(&output::notice(error));
    }
    html
}

pub(super) fn usage_entry(entry: &UsageEntry<'_>) -> Html {
    let mut words = vec![entry.kind.as_ref()];
    words.extend(model_words(entry.model.as_ref()));
    let spent = entry.usage.as_ref().map(spent);
    words.extend(spent.as_deref());
    words.extend(entry.note.as_deref());
    closed(event(&words, ""))
}

fn model_words<'m>(model: Option<&'m Model<'_>>) -> impl Iterator<Item = &'m str> {
    model.into_iter().flat_map(|model| [model.provider.as_ref(), model.id.as_ref()])
}

fn spent(usage: &Usage) -> String {
    let computed = if usage.computed > 0.0 { " computed" } else { "" };
    format!("{} tokens, ${:.4}{computed}", usage.tokens().round(), usage.cost)
}

/// What advisors noted, each with who and how grave; the message's own text only
/// wraps it for the model.
pub(super) fn advice(custom: &CustomMessage<'_>) -> Option<Html> {
    let notes =
        custom.details.as_ref()?.get("notes").filter(|_| custom.custom_type == "advisor")?;
    let is_whole = |note: &Json<'_>| note.get("note").and_then(Json::as_str).is_some();
    if notes.items().is_empty() || !notes.items().iter().all(is_whole) {
        return None;
    }
    let mut html = Html::new();
    for note in notes.items() {
        let text = |key| note.get(key).and_then(Json::as_str);
        let about = ["advisor", "severity"].map(text);
        html.push_markup("<section class=\"advice\">");
        for word in about.into_iter().flatten() {
            html.push_markup("<span class=\"value\">");
            html.push_text(word);
            html.push_markup("</span> ");
        }
        html.push(&markdown::block(text("note").unwrap_or_default()));
        html.push_markup("</section>\n");
    }
    Some(html)
}
