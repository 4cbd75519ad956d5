//! Lists of things to do, as checklists.

use super::{ToolCard, ToolRun};
use crate::figures::counted;
use crate::html::Html;
use crate::render::{output, value};
use crate::session::about::{About, TO_DO_DEPTH, TO_DO_INNER, TO_DO_LISTS, TO_DO_WORDS, doing};
use crate::session::json::Json;
use crate::session::text::one_line;

#[derive(Default)]
struct Tally {
    done: usize,
    total: usize,
    /// Items say more than a checklist shows.
    has_more: bool,
}

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let asked = run.arguments.array(&TO_DO_LISTS);
    let kept = TO_DO_LISTS.iter().find_map(|key| match run.detail(key)? {
        Json::Array(items) => Some(items.as_slice()),
        _ => None,
    });
    let mut tally = Tally::default();
    let list = asked.or(kept).map(|items| checklist(items, &mut tally, 0)).unwrap_or_default();
    let mut card = ToolCard::default();
    // A tool that is asked to change one item leaves the whole list in its result.
    if let Some(doing) = kept.filter(|_| asked.is_none()).and_then(doing) {
        let about = About::of(run.name, &mut run.arguments).text();
        let words = [about.as_str(), doing].into_iter().filter(|words| !words.is_empty());
        card.summary = Html::text(&one_line(&words.collect::<Vec<_>>().join(" · ")));
    }
    if tally.total > 0 {
        card.facts.push(format!("{} of {} done", tally.done, tally.total));
    } else if asked.is_some() {
        card.facts.push(counted(0, "item"));
    }
    card.body = run.arguments.rest();
    card.body.push(&list);
    if let Some(items) = asked.or(kept).filter(|_| tally.has_more) {
        card.body.push_markup("<details class=\"fold\"><summary data-ui>Raw JSON</summary>\n");
        for item in items {
            card.body.push(&output::raw(&item.pretty()));
        }
        card.body.push_markup("</details>\n");
    }
    // Without a list of its own the tool's words are all there is.
    let echoes = asked.is_some() && !run.is_error();
    card.body.push(&if echoes { run.output_folded("Answer") } else { run.output() });
    card
}

fn checklist(items: &[Json<'_>], tally: &mut Tally, depth: usize) -> Html {
    let mut html = Html::new();
    html.push_markup("<ul class=\"todo\">\n");
    for item in items {
        let (state, mark) = state_of(item);
        let words = match item {
            Json::String(text) => Some(text.to_string()),
            item => TO_DO_WORDS.iter().find_map(|key| item.get(key)?.as_str().map(str::to_owned)),
        };
        let inner = TO_DO_INNER.iter().find_map(|key| match item.get(key)? {
            Json::Array(items) if depth < TO_DO_DEPTH => Some(items),
            _ => None,
        });
        html.push_markup("<li data-state=\"");
        html.push_markup(state);
        html.push_markup("\"><span class=\"mark\" data-ui>");
        html.push_markup(mark);
        html.push_markup("</span>");
        match &words {
            Some(words) => html.push_text(words),
            None => html.push(&value::of(item)),
        }
        if inner.is_none() {
            tally.total += 1;
            tally.done += usize::from(state == "done");
        }
        if let Some(inner) = inner {
            html.push_markup("\n");
            html.push(&checklist(inner, tally, depth + 1));
        }
        tally.has_more |= words.is_some() && has_more(item);
        html.push_markup("</li>\n");
    }
    html.push_markup("</ul>\n");
    html
}

/// Whether an item says more than its words and its state.
fn has_more(item: &Json<'_>) -> bool {
    let Json::Object(fields) = item else { return false };
    let words = TO_DO_WORDS.iter().find(|key| item.get(key).and_then(Json::as_str).is_some());
    let said = |name: &str| {
        words.is_some_and(|key| *key == name)
            || ["status", "state", "done", "completed"].contains(&name)
            || TO_DO_INNER.contains(&name)
    };
    fields.iter().any(|(name, _)| !said(name))
}

fn state_of(item: &Json<'_>) -> (&'static str, &'static str) {
    let stated = ["status", "state"].iter().find_map(|key| item.get(key)?.as_str());
    let done = ["done", "completed"].iter().any(|key| item.get(key) == Some(&Json::Bool(true)));
    match stated {
        _ if done => ("done", "☑ "),
        Some("completed" | "complete" | "done") => ("done", "☑ "),
        Some("in_progress" | "in-progress" | "active" | "doing") => ("doing", "▶ "),
        Some("cancelled" | "canceled" | "abandoned" | "dropped" | "deleted") => ("dropped", "☒ "),
        _ => ("open", "☐ "),
    }
}
