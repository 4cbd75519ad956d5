//! The line that stands for the steps of a turn: what was done in them, what
//! failed, how long it took and what it cost.

use std::fmt::Write as _;

use askama::Template;

use super::tool::{changed_lines, has_failed};
use super::{Renderer, figures};
use crate::session::calls::{CallPlace, CallReader};
use crate::session::entry::Entry;
use crate::session::event::Event;
use crate::session::file_tools::FileTool;
use crate::session::message::{Assistant, Block, Message, ToolCall, ToolResult};
use crate::session::story::Run;
use crate::session::text::{counted, counted_entries, one_line, shortened, trim};
use crate::session::tool_kind::ToolKind;
use crate::session::usage::Usage;
use crate::session::{Body, EntryIndex};

/// A setting is named by so much of its value, in UTF-16 units.
const SETTING_UNITS: usize = 40;

/// More settings than these are counted.
const NAMED_SETTINGS: usize = 5;

#[derive(Template)]
#[template(path = "steps.html")]
pub(super) struct StepsTemplate {
    steps: usize,
    /// What was done.
    parts: Vec<Part>,
    /// How long it took and what it cost.
    spent: String,
    /// All tokens by kind.
    tokens: String,
    is_aside: bool,
}

/// One part of the line.
struct Part {
    words: String,
    added: usize,
    removed: usize,
    failed: usize,
}

#[derive(Template)]
#[template(path = "quiet.html")]
pub(super) struct QuietTemplate {
    words: String,
}

/// How often something was done, and how often it failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    all: usize,
    failed: usize,
}

/// What a run of steps did.
#[derive(Debug, Default)]
struct Tally {
    counts: [Count; DEEDS.len()],
    added: usize,
    removed: usize,
    /// Responses in between, with text.
    messages: usize,
    /// Answers that only thought.
    thoughts: usize,
    /// Entries of other kinds.
    others: usize,
    pictures: usize,
    settings: Vec<String>,
    quiet: Quiet,
    usage: Usage,
}

/// What can be done, in the order of the line.
const DEEDS: [(&str, &str); 8] = [
    ("read", "reads"),
    ("search", "searches"),
    ("edit", "edits"),
    ("command", "commands"),
    ("web request", "web requests"),
    ("to-do update", "to-do updates"),
    ("sub-agent", "sub-agents"),
    ("other call", "other calls"),
];

const EDIT: usize = 2;

fn deed(kind: ToolKind, call: Option<&ToolCall<'_>>) -> usize {
    let views = || {
        let command = call.and_then(|call| call.arguments.get("command"));
        command.and_then(|command| command.as_str()) == Some("view")
    };
    match kind {
        ToolKind::File(FileTool::Read) => 0,
        ToolKind::File(FileTool::Editor) if views() => 0,
        ToolKind::Search | ToolKind::List => 1,
        ToolKind::File(_) => EDIT,
        ToolKind::Command | ToolKind::Program => 3,
        ToolKind::Web => 4,
        ToolKind::Todo => 5,
        ToolKind::Task => 6,
        ToolKind::Ask | ToolKind::Plan | ToolKind::Other => 7,
    }
}

/// State that no person ever saw, by kind.
#[derive(Debug, Default)]
struct Quiet {
    progress: usize,
    hooks: usize,
    /// Names of the rest, as the agent or the extension calls it.
    states: Vec<String>,
}

impl Quiet {
    fn add(&mut self, entry: &Entry<'_>) {
        let Body::Custom { custom_type, .. } = &entry.body else {
            self.states.push("entry not included".to_owned());
            return;
        };
        if custom_type.contains("hook") {
            self.hooks += 1;
        } else if custom_type.contains("progress") || custom_type == "waiting_for_task" {
            self.progress += 1;
        } else {
            self.states.push(one_line(custom_type));
        }
    }

    /// `212 progress updates, 3 hooks`; one state by its name.
    fn words(&self) -> String {
        let mut words = Vec::new();
        if self.progress > 0 {
            words.push(counted(self.progress, "progress update"));
        }
        if self.hooks > 0 {
            words.push(counted(self.hooks, "hook"));
        }
        match &self.states[..] {
            [] => {}
            [only] => words.push(shortened(only, SETTING_UNITS)),
            several => words.push(counted(several.len(), "state update")),
        }
        words.join(", ")
    }
}

impl Renderer<'_> {
    /// The line of the run that the entry begins, if it begins one.
    pub(super) fn steps(&self, index: EntryIndex) -> Option<StepsTemplate> {
        let run = self.story.run_of(index).filter(|run| run.entries[0] == index)?;
        let tally = self.tally(run);
        let is_aside = run.entries.iter().all(|&entry| self.story.is_aside(entry));
        let elapsed = self.elapsed(run).filter(|_| !is_aside);
        let spent = [elapsed.map(figures::duration), Some(figures::money(tally.usage.cost))];
        let spent: Vec<String> =
            spent.into_iter().flatten().filter(|word| !word.is_empty()).collect();
        Some(StepsTemplate {
            steps: tally.steps(),
            parts: tally.parts(run, is_aside),
            spent: spent.join(" · "),
            tokens: figures::tokens(&tally.usage),
            is_aside,
        })
    }

    /// The line of the quiet entries that the entry begins, if it begins some.
    pub(super) fn quiet(&self, index: EntryIndex) -> Option<QuietTemplate> {
        self.story.quiet_of(index).filter(|&first| first == index)?;
        let run = self.story.run_of(index)?;
        let from = run.entries.iter().skip_while(|&&entry| entry != index);
        let quiet = from.take_while(|&&entry| self.story.quiet_of(entry) == Some(index));
        Some(QuietTemplate { words: self.quiet_words(quiet) })
    }

    /// What the card of a tool result says of the updates on its call and the hooks of it; empty without any.
    pub(super) fn progress(&self, result: EntryIndex) -> String {
        self.quiet_words(self.story.progress_of(result).iter())
    }

    fn quiet_words<'e>(&self, entries: impl Iterator<Item = &'e EntryIndex>) -> String {
        let mut quiet = Quiet::default();
        for &entry in entries {
            quiet.add(&self.session.entry(entry));
        }
        quiet.words()
    }

    fn tally(&self, run: &Run) -> Tally {
        let mut tally = Tally::default();
        let mut reader = CallReader::new(self.session);
        for &index in &run.entries {
            let entry = self.session.entry(index);
            tally.usage += entry.usage().unwrap_or_default();
            match &entry.body {
                Body::Message(Message::Assistant(assistant)) => {
                    self.add_answer(&mut tally, index, assistant);
                }
                Body::Message(Message::ToolResult(result)) => {
                    self.add_result(&mut tally, &mut reader, index, result);
                }
                _ => tally.add_other(&entry),
            }
        }
        tally
    }

    fn add_answer(&self, tally: &mut Tally, index: EntryIndex, assistant: &Assistant<'_>) {
        let mut is_empty = true;
        for (call, nth) in assistant.calls().zip(0..) {
            is_empty = false;
            // One with a result is counted there, as done or failed.
            if self.calls.results_of(CallPlace { entry: index, nth }).is_empty() {
                tally.counts[deed(ToolKind::of(&call.name), Some(call))].all += 1;
            }
        }
        let says = |block: &Block<'_>| matches!(block, Block::Text(text) if !trim(text).is_empty());
        if assistant.content.iter().any(says) {
            tally.messages += 1;
        } else if is_empty {
            tally.thoughts += 1;
        }
    }

    fn add_result(
        &self,
        tally: &mut Tally,
        reader: &mut CallReader<'_>,
        index: EntryIndex,
        result: &ToolResult<'_>,
    ) {
        let place = self.calls.call_of(index);
        let call = place.and_then(|place| reader.read(place));
        let name = call.map(|call| call.name.as_ref()).or(result.name.as_deref());
        let kind = ToolKind::of(name.unwrap_or_default());
        let at = deed(kind, call);
        let count = &mut tally.counts[at];
        count.all += 1;
        count.failed +=
            usize::from(result.is_error || kind == ToolKind::Command && has_failed(result));
        let pictures = result.content.iter().filter(|block| matches!(block, Block::Image { .. }));
        tally.pictures += pictures.count();
        if at == EDIT && !result.is_error {
            let (added, removed) = changed_lines(call, result).unwrap_or_default();
            tally.added += added;
            tally.removed += removed;
        }
    }

    /// From the entry before the run to its last, in milliseconds.
    #[expect(clippy::cast_precision_loss, reason = "durations are far below 2^52 ms")]
    fn elapsed(&self, run: &Run) -> Option<f64> {
        let first = *run.entries.first()?;
        let from = self.session.tree().parent(first).unwrap_or(first);
        let elapsed = self.session.time(*run.entries.last()?)? - self.session.time(from)?;
        (elapsed > 0).then_some(elapsed as f64)
    }
}

impl Tally {
    fn add_other(&mut self, entry: &Entry<'_>) {
        let name = match &entry.body {
            Body::Message(Message::System(_) | Message::Developer(_)) => "system prompt".to_owned(),
            Body::ModelChange(change) => format!("model {}", named(&change.model.id)),
            Body::ThinkingLevelChange(level) => format!("thinking {}", named(level)),
            Body::SessionInfo(name) => format!("title {}", named(name)),
            Body::Event(Event::Title { title, .. }) => format!("title {}", named(title)),
            Body::Event(Event::Mode { mode, .. }) => format!("mode {}", named(mode)),
            Body::Event(Event::ServiceTier(_)) => "service tier".to_owned(),
            Body::Event(Event::ModelUsage(_)) => "side call".to_owned(),
            Body::Usage(_) => "usage".to_owned(),
            Body::Event(Event::Rules(_)) => "rules".to_owned(),
            Body::Event(Event::Archive { .. }) => "archive".to_owned(),
            Body::Event(Event::CredentialPin { .. }) => "account".to_owned(),
            Body::Label { label: Some(label), .. } => format!("label {}", named(label)),
            Body::Label { .. } => "label removed".to_owned(),
            Body::ContextEdit { .. } => "context edit".to_owned(),
            Body::Custom { .. } | Body::Omitted(_) => return self.quiet.add(entry),
            _ => {
                self.others += 1;
                return;
            }
        };
        self.settings.push(name);
    }

    /// Calls, responses in between, and what is neither a setting nor state.
    fn steps(&self) -> usize {
        self.counts.iter().map(|count| count.all).sum::<usize>()
            + self.messages
            + self.thoughts
            + self.others
    }

    fn parts(&self, run: &Run, is_aside: bool) -> Vec<Part> {
        if is_aside {
            return self.aside();
        }
        let steps = self.steps();
        let mut parts = Vec::new();
        if steps > 0 {
            parts.push(Part::of(counted(steps, "step")));
        }
        for (at, (count, (one, many))) in self.counts.iter().zip(DEEDS).enumerate() {
            if count.all > 0 {
                let is_edit = at == EDIT;
                parts.push(Part {
                    words: format!("{} {}", count.all, if count.all == 1 { one } else { many }),
                    added: if is_edit { self.added } else { 0 },
                    removed: if is_edit { self.removed } else { 0 },
                    failed: count.failed,
                });
            }
        }
        if self.messages > 0 && self.messages < steps {
            parts.push(Part::of(counted(self.messages, "message")));
        }
        if self.pictures > 0 {
            parts.push(Part::of(counted(self.pictures, "picture")));
        }
        // Of others it says nothing, but a turn of nothing else looks like an answer that was folded away.
        if self.thoughts > 0 && self.thoughts == steps {
            parts.push(Part::of("only thinking".to_owned()));
        }
        if parts.is_empty() {
            parts = self.aside();
        }
        if parts.is_empty() {
            parts.push(Part::of(counted_entries(run.entries.len())));
        }
        parts
    }

    /// Settings by name, or how many; then the state that no person saw.
    fn aside(&self) -> Vec<Part> {
        let mut words = String::new();
        if self.settings.len() > NAMED_SETTINGS {
            let _ = write!(words, "{} settings", self.settings.len());
        } else {
            words = self.settings.join(", ");
        }
        if let Some(first) = words.get(..1) {
            words = format!("{}{}", first.to_uppercase(), &words[1..]);
        }
        let parts = [words, self.quiet.words()];
        parts.into_iter().filter(|words| !words.is_empty()).map(Part::of).collect()
    }
}

impl Part {
    fn of(words: String) -> Part {
        Part { words, added: 0, removed: 0, failed: 0 }
    }
}

fn named(value: &str) -> String {
    shortened(&one_line(value), SETTING_UNITS)
}
