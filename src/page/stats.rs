//! What the page's header says of the session.

use crate::figures::{self, cost, counted, duration, tokens};
use crate::session::branches::branch_count;
use crate::session::omitted::Parts;
use crate::session::totals::{EntryTotals, Sums, Totals};
use crate::session::{Session, text, time};

use super::View;

/// One line of the header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    /// The value as a machine reads it, where it is a time.
    pub(super) time: Option<String>,
    /// The same for the path shown alone.
    pub(super) more: Option<String>,
}

/// Counts over some entries.
#[derive(Debug, Default)]
struct Count {
    sums: Sums,
    /// Parts that entries lost.
    parts: Parts,
}

impl Count {
    fn add(&mut self, step: &EntryTotals) {
        self.parts += step.lost();
        self.sums.add(&step.sums());
    }
}

/// The header's facts: of the whole file, and of the path shown apart.
pub(super) fn facts(session: &Session, view: &View, totals: &Totals) -> Vec<Fact> {
    let (mut whole, mut path) = (Count::default(), Count::default());
    for index in session.indices() {
        whole.add(totals.of(index));
        if session.tree().is_on_path(index, view.leaf) {
            path.add(totals.of(index));
        }
    }
    let models: Vec<String> = totals.models.iter().map(model_name).collect();
    let header = session.header();
    let fact = |name, value: String| {
        (!value.is_empty()).then_some(Fact { name, value, time: None, more: None })
    };
    let both = |name, value: fn(&Count) -> String| {
        let (value, path) = (value(&whole), value(&path));
        let path = if path.is_empty() { "nothing".to_owned() } else { path };
        let more = (path != value).then(|| format!("{path} on this branch"));
        (!value.is_empty()).then_some(Fact { name, value, time: None, more })
    };
    let leaves = branch_count(session);
    let listed = [
        started(session),
        fact("Working directory", text::short_path(&header.cwd)),
        fact(if models.len() == 1 { "Model" } else { "Models" }, models.join(", ")),
        both("Entries", |count| figures::count(count.sums.entries)),
        both("Not included", not_included),
        fact("Sub-agent sessions", sub_sessions(session)),
        fact("Branches", if leaves > 1 { leaves.to_string() } else { String::new() }),
        both("Messages", |count| {
            format!(
                "{}, {}, {}",
                counted(count.sums.prompts, "prompt"),
                counted(count.sums.turns, "response"),
                counted(count.sums.tool_calls, "tool call")
            )
        }),
        both("Tokens", |count| tokens(&count.sums.usage)),
        both("Cost", |count| cost(&count.sums.usage)),
        fact(
            "Forked from",
            header.parent_session.as_deref().map(text::short_path).unwrap_or_default(),
        ),
        fact("Session", header.id.clone()),
    ];
    listed.into_iter().flatten().collect()
}

/// The same in one line: when, how much, how long, at what price, by which model.
pub(super) fn summary(session: &Session, totals: &Totals) -> Vec<Fact> {
    let mut whole = Sums::default();
    // A sub-agent's prompts are nobody's, and it works while the agent that started it waits.
    let mut own = Sums::default();
    for index in session.indices() {
        let sums = totals.of(index).sums();
        whole.add(&sums);
        if session.is_own(index) {
            own.add(&sums);
        }
    }
    let fact = |name, value: String| {
        (!value.is_empty()).then_some(Fact { name, value, time: None, more: None })
    };
    let leaves = branch_count(session);
    #[expect(clippy::cast_precision_loss, reason = "durations are far below 2^52 ms")]
    let worked = (own.worked_ms > 0).then(|| duration(own.worked_ms as f64));
    let path = session.tree().path(session.leaf());
    let models = totals.main_model(&path).map(|(model, others)| {
        let model = text::one_line(model);
        if others == 0 { model } else { format!("{model} and {others} more") }
    });
    let listed = [
        started(session),
        fact("Prompts", counted(own.prompts, "prompt")),
        fact("Branches", if leaves > 1 { format!("{leaves} branches") } else { String::new() }),
        fact("Time from each prompt to the end of its turn", worked.unwrap_or_default()),
        fact("Cost", cost(&whole.usage)),
        fact("Model", models.unwrap_or_default()),
    ];
    listed.into_iter().flatten().collect()
}

/// When the session started.
fn started(session: &Session) -> Option<Fact> {
    let first = || session.indices().find_map(|index| session.time(index));
    let ms = session.header().time.or_else(first)?;
    Some(Fact {
        name: "Started",
        value: time::in_words(ms) + " UTC",
        time: Some(time::iso(ms)),
        more: None,
    })
}

/// `34 of 90 entries, thinking, 12 KB of output, 2 images`; empty where all is there.
fn not_included(count: &Count) -> String {
    let parts = &count.parts;
    let counted = |number: usize, one: &str, more: &str| {
        (number > 0).then(|| text::numbered(number, one, more))
    };
    let omitted = count.sums.omitted;
    let all = omitted + count.sums.entries;
    let listed = [
        (omitted > 0)
            .then(|| format!("{} of {}", text::count(omitted), text::counted_entries(all))),
        counted(parts.thinking, "part of thinking", "parts of thinking"),
        (parts.output > 0).then(|| format!("{} of output", text::bytes(parts.output))),
        counted(parts.images, "image", "images"),
        counted(parts.system, "system prompt or reminder", "system prompts or reminders"),
        counted(parts.errors, "error message", "error messages"),
        counted(parts.summary, "summary", "summaries"),
        counted(parts.other, "further part", "further parts"),
    ];
    listed.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `3, which hold 42 of the entries`.
fn sub_sessions(session: &Session) -> String {
    let within: usize = session.sub_sessions().iter().map(|sub| sub.len).sum();
    match session.sub_sessions().len() {
        0 => String::new(),
        1 => format!("1, which holds {within} of the entries"),
        count => format!("{count}, which hold {within} of the entries"),
    }
}

/// `provider/id`, or the id alone where nobody says who serves it.
fn model_name((provider, id): &(String, String)) -> String {
    if provider.is_empty() { id.clone() } else { format!("{provider}/{id}") }
}
