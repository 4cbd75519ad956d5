//! Lists of things to do, as checklists.

use super::{ToolCard, ToolRun};
use crate::content::{Content, Item, ItemState, List, ListKind, Part, Span};
use crate::figures::counted;
use crate::session::action::ToDo;
use crate::session::action::heading::{Heading, TO_DO_DEPTH, doing};
use crate::session::action::names::{STATE, TO_DO_INNER, TO_DO_LISTS, TO_DO_WORDS};
use crate::session::arguments::text_of;
use crate::session::json::Json;
use crate::session::text::one_line;

#[derive(Default)]
struct Tally {
    done: usize,
    total: usize,
    /// Items say more than a checklist shows.
    has_more: bool,
}

pub(super) fn read<'r>(run: &ToolRun<'r>, list: &ToDo<'r>, heading: &Heading) -> ToolCard<'r> {
    let asked = list.items;
    let kept = TO_DO_LISTS.iter().find_map(|key| match run.detail(key)? {
        Json::Array(items) => Some(items.as_slice()),
        _ => None,
    });
    let mut tally = Tally::default();
    let list = asked.or(kept).map(|items| checklist(items, &mut tally, 0));
    let mut card = ToolCard::default();
    // A tool that is asked to change one item leaves the whole list in its result.
    if let Some(doing) = kept.filter(|_| asked.is_none()).and_then(doing) {
        let about = heading.text();
        let words = [about.as_str(), doing].into_iter().filter(|words| !words.is_empty());
        card.summary = vec![Span::text(one_line(&words.collect::<Vec<_>>().join(" · ")))];
    }
    if tally.total > 0 {
        card.facts.push(format!("{} of {} done", tally.done, tally.total));
    } else if asked.is_some() {
        card.facts.push(counted(0, "item"));
    }
    card.body = run.arguments.rest();
    card.body.extend(list);
    if let Some(items) = asked.or(kept).filter(|_| tally.has_more) {
        card.body.fold("Raw JSON", items.iter().map(|item| Part::Json(item.into())).collect());
    }
    // Without a list of its own the tool's words are all there is.
    let echoes = asked.is_some() && !run.is_error();
    card.body.append(if echoes { run.output_folded("Answer") } else { run.output() });
    card
}

fn checklist<'r>(items: &'r [Json<'r>], tally: &mut Tally, depth: usize) -> Part<'r> {
    let items = items.iter().map(|item| read_item(item, tally, depth)).collect();
    Part::List(List { kind: ListKind::ToDo, items, is_incomplete: false })
}

/// The depth of lists within lists is bounded.
fn read_item<'r>(item: &'r Json<'r>, tally: &mut Tally, depth: usize) -> Item<'r> {
    let state = state_of(item);
    let words = match item {
        Json::String(text) => Some(text.as_ref()),
        item => text_of(item, TO_DO_WORDS),
    };
    let inner = TO_DO_INNER.iter().find_map(|key| match item.get(key)? {
        Json::Array(items) if depth < TO_DO_DEPTH => Some(items),
        _ => None,
    });
    let mut content = Content::new();
    if words.is_none() {
        content.push(Part::Value(item.into()));
    }
    if let Some(inner) = inner {
        content.push(checklist(inner, tally, depth + 1));
    } else {
        tally.total += 1;
        tally.done += usize::from(state == ItemState::Done);
    }
    tally.has_more |= words.is_some() && has_more(item);
    Item { state, words: words.map(Span::text).into_iter().collect(), content }
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

fn state_of(item: &Json<'_>) -> ItemState {
    let stated = text_of(item, STATE);
    let done = ["done", "completed"].iter().any(|key| item.get(key) == Some(&Json::Bool(true)));
    match stated {
        _ if done => ItemState::Done,
        Some("completed" | "complete" | "done") => ItemState::Done,
        Some("in_progress" | "in-progress" | "active" | "doing") => ItemState::Doing,
        Some("cancelled" | "canceled" | "abandoned" | "dropped" | "deleted") => ItemState::Dropped,
        _ => ItemState::Open,
    }
}
