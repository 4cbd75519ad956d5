//! What each entry adds to counts over a session, a branch or a part of one.
//!
//! One reading serves all of them: a step an entry, added up over whichever entries are asked for.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use super::entry_digest::{EntryDigest, What};
use super::failure::Failures;
use crate::session::model::message::Model;
use crate::session::model::omitted::Parts;
use crate::session::model::usage::Usage;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// Counts and sums over some entries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sums {
    /// Entries that are there.
    pub(crate) entries: usize,
    /// What persons asked.
    pub(crate) prompts: usize,
    /// Answers of a model.
    pub(crate) turns: usize,
    /// Tool calls in them.
    pub(crate) tool_calls: usize,
    /// Calls and responses that failed.
    pub(crate) failures: usize,
    /// Responses and calls that were stopped.
    pub(crate) stops: usize,
    /// Compactions.
    pub(crate) compactions: usize,
    /// Entries that were left out.
    pub(crate) omitted: usize,
    /// What was spent.
    pub(crate) usage: Usage,
    /// From prompts to the last answer or result they led to, in milliseconds.
    pub(crate) worked_ms: i64,
    /// The earliest time.
    pub(crate) first: Option<i64>,
    /// The latest time.
    pub(crate) last: Option<i64>,
}

/// What one entry adds. There is one for each entry of a session, so what few entries have is boxed.
#[derive(Debug)]
pub(crate) struct EntryTotals {
    counted: Counted,
    time: Option<i64>,
    usage: Option<Box<Usage>>,
    worked_ms: i64,
    /// The tools it calls, by their places in [`Totals::tools`].
    calls: Box<[u32]>,
    has_failed: bool,
    is_stop: bool,
    /// The tool whose result it is that failed.
    failed: Option<u32>,
    /// The model that answers, by its place in [`Totals::models`].
    model: Option<u32>,
    /// Parts that it lost.
    lost: Option<Box<Parts>>,
}

/// What an entry counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Prompt,
    Answer,
    /// The beginning of one, of which another entry has the rest.
    AnswerPart,
    /// What the program wrote in place of one.
    MadeUp,
    /// A command of the user.
    Command,
    Result,
    Compaction,
    /// So many entries that were left out.
    Omitted(u32),
    Other,
}

/// The steps of a session.
#[derive(Debug)]
pub(crate) struct Totals {
    steps: Vec<EntryTotals>,
    /// Tools by first appearance.
    pub(crate) tools: Vec<String>,
    /// Providers, empty where unknown, and their models, by first appearance.
    pub(crate) models: Vec<(String, String)>,
    windows: Windows,
}

/// The context windows that the file states, by the model's id: from which entry on each holds.
type Windows = HashMap<String, Vec<(EntryIndex, f64)>>;

/// Counts by tool and by model, which grow and shrink as a path does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Calls and failures.
    pub(crate) tools: Vec<(usize, usize)>,
    /// Answers.
    pub(crate) models: Vec<usize>,
}

impl Sums {
    /// Adds what other entries add.
    pub(crate) fn add(&mut self, other: &Sums) {
        self.entries += other.entries;
        self.prompts += other.prompts;
        self.turns += other.turns;
        self.tool_calls += other.tool_calls;
        self.failures += other.failures;
        self.stops += other.stops;
        self.compactions += other.compactions;
        self.omitted += other.omitted;
        self.usage += other.usage;
        self.worked_ms = self.worked_ms.saturating_add(other.worked_ms);
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.max(other.last);
    }

    /// From the earliest time to the latest, in milliseconds.
    pub(crate) fn elapsed_ms(&self) -> Option<i64> {
        Some(self.last? - self.first?)
    }
}

impl EntryTotals {
    /// What an entry adds by itself.
    fn of(digest: &EntryDigest<'_>, time: Option<i64>) -> EntryTotals {
        let counted = Counted::of(digest);
        let usage = digest.usage.filter(|_| !matches!(counted, Counted::Omitted(_)));
        EntryTotals {
            counted,
            time,
            usage: usage.map(Box::new),
            worked_ms: 0,
            calls: Box::default(),
            has_failed: false,
            is_stop: false,
            failed: None,
            model: None,
            lost: digest.lost.clone(),
        }
    }

    /// As sums over this entry alone.
    pub(crate) fn sums(&self) -> Sums {
        let sums = Sums { first: self.time, last: self.time, ..Sums::default() };
        if let Counted::Omitted(count) = self.counted {
            return Sums { omitted: count as usize, ..sums };
        }
        Sums {
            entries: 1,
            prompts: usize::from(self.counted == Counted::Prompt),
            turns: usize::from(self.counted == Counted::Answer),
            tool_calls: self.calls.len(),
            failures: usize::from(self.has_failed),
            stops: usize::from(self.is_stop),
            compactions: usize::from(self.counted == Counted::Compaction),
            usage: self.usage(),
            worked_ms: self.worked_ms,
            ..sums
        }
    }

    /// What was spent.
    pub(crate) fn usage(&self) -> Usage {
        self.usage.as_deref().copied().unwrap_or_default()
    }

    /// Whether it is a response.
    pub(crate) fn is_answer(&self) -> bool {
        matches!(self.counted, Counted::Answer | Counted::AnswerPart)
    }

    /// The model that answers, by its place in [`Totals::models`].
    pub(crate) fn model(&self) -> Option<u32> {
        self.model
    }

    /// Parts that the entry lost.
    pub(crate) fn lost(&self) -> Parts {
        self.lost.as_deref().copied().unwrap_or_default()
    }
}

impl Counted {
    fn of(digest: &EntryDigest<'_>) -> Counted {
        match &digest.what {
            What::Prompt => Counted::Prompt,
            What::Answer(answer) if answer.goes_on => Counted::AnswerPart,
            What::Answer(answer) if answer.is_made_up => Counted::MadeUp,
            What::Command(_) => Counted::Command,
            What::Answer(_) => Counted::Answer,
            What::Result { .. } => Counted::Result,
            What::Compaction => Counted::Compaction,
            What::Omitted(count) => Counted::Omitted(u32::try_from(*count).unwrap_or(u32::MAX)),
            _ => Counted::Other,
        }
    }

    /// An answer or a result: what the agent did, not a person.
    fn is_work(self) -> bool {
        matches!(self, Counted::Answer | Counted::AnswerPart | Counted::MadeUp | Counted::Result)
    }
}

impl Totals {
    /// What all entries add, by entry.
    pub(super) fn of_all<'a>(
        session: &Session,
        digests: &[EntryDigest<'a>],
        failures: &'a Failures,
    ) -> Totals {
        let mut tools = Names::default();
        let mut models = Names::default();
        let mut windows = Windows::new();
        let mut steps: Vec<EntryTotals> = Vec::with_capacity(digests.len());
        for (index, digest) in EntryIndex::each(digests) {
            let mut step = EntryTotals::of(digest, session.time(index));
            if let What::Answer(answer) = &digest.what {
                step.calls = answer.calls.iter().map(|call| tools.number(&call.name)).collect();
                step.model = answer.model.as_ref().map(|model| models.number(model));
            }
            step.is_stop = failures.stop_of(index).is_some();
            if let Some(failure) = failures.of(index) {
                step.has_failed = true;
                let is_result = matches!(digest.what, What::Result { .. });
                let tool = failure.tool.as_deref().filter(|_| is_result);
                step.failed = tool.map(|tool| tools.number(&Cow::Borrowed(tool)));
            }
            for (model, window) in &digest.windows {
                note_window(&mut windows, model, index, *window);
            }
            steps.push(step);
        }
        let tools = tools.names.into_iter().map(Cow::into_owned);
        let model = |model: Model<'_>| (model.provider.into_owned(), model.id.into_owned());
        let models = models.names.into_iter().map(model);
        let mut totals =
            Totals { steps, tools: tools.collect(), models: models.collect(), windows };
        totals.time_work(session);
        totals
    }

    /// What the entry adds.
    pub(crate) fn of(&self, index: EntryIndex) -> &EntryTotals {
        &self.steps[index.get()]
    }

    /// `provider/id` of a model, or its id alone where nobody says who serves it.
    pub(crate) fn model_name(&self, model: u32) -> String {
        let (provider, id) = &self.models[model as usize];
        if provider.is_empty() { id.clone() } else { format!("{provider}/{id}") }
    }

    /// The model with the most responses of these entries, and how many others gave any; where there are no
    /// responses among them, those of the whole session.
    pub(crate) fn main_model(&self, entries: &[EntryIndex]) -> Option<(&str, usize)> {
        let mut counts = self.over(entries.iter().copied()).1.models;
        if counts.iter().all(|&count| count == 0) {
            counts.fill(1);
        }
        // The first of those with equally many.
        let most = (0..counts.len()).rev().max_by_key(|&model| counts[model])?;
        let others = counts.iter().filter(|&&count| count > 0).count() - 1;
        Some((&self.models[most].1, others))
    }

    /// The context window of a model at an entry: as stated last, or first where it is stated only below.
    pub(crate) fn window(&self, model: u32, entry: EntryIndex) -> Option<f64> {
        let stated = self.windows.get(&self.models[model as usize].1)?;
        let above = stated.partition_point(|(from, _)| *from <= entry);
        stated.get(above.saturating_sub(1)).map(|(_, window)| *window)
    }

    /// The sums and counts over these entries.
    pub(crate) fn over(&self, entries: impl IntoIterator<Item = EntryIndex>) -> (Sums, Counts) {
        let (mut sums, mut counts) = (Sums::default(), self.counts());
        for entry in entries {
            sums.add(&self.steps[entry.get()].sums());
            counts.add(&self.steps[entry.get()]);
        }
        (sums, counts)
    }

    /// The sums from the root to each entry, in file order.
    pub(crate) fn down(&self, session: &Session) -> Vec<Sums> {
        let tree = session.tree();
        let mut down: Vec<Sums> = vec![Sums::default(); session.len()];
        for entry in tree.order() {
            let mut sums = tree.parent(entry).map(|parent| down[parent.get()]).unwrap_or_default();
            sums.add(&self.steps[entry.get()].sums());
            down[entry.get()] = sums;
        }
        down
    }

    /// What was spent from the root to each entry, in file order.
    pub(crate) fn usage_down(&self, session: &Session) -> Vec<Usage> {
        let tree = session.tree();
        let mut down: Vec<Usage> = vec![Usage::default(); session.len()];
        for entry in tree.order() {
            let mut usage = tree.parent(entry).map(|parent| down[parent.get()]).unwrap_or_default();
            usage += self.steps[entry.get()].usage();
            down[entry.get()] = usage;
        }
        down
    }

    /// No tool and no model counted yet.
    pub(crate) fn counts(&self) -> Counts {
        Counts { tools: vec![(0, 0); self.tools.len()], models: vec![0; self.models.len()] }
    }

    /// The time between a prompt and what follows it up to the next one. What goes on from an
    /// entry a second time begins whenever a person wanted it, so the way there counts nothing.
    fn time_work(&mut self, session: &Session) {
        let tree = session.tree();
        let mut since: Vec<Option<i64>> = vec![None; session.len()];
        for index in tree.order() {
            let above = tree.parent(index).and_then(|parent| since[parent.get()]);
            let time = session.time(index);
            let EntryTotals { counted, worked_ms, .. } = &mut self.steps[index.get()];
            since[index.get()] = if *counted == Counted::Prompt {
                time
            } else if *counted == Counted::Command {
                // Claude Code 2.1.330 answers commands, too.
                time.or(above)
            } else if let (Some(above), Some(time), true) = (above, time, counted.is_work()) {
                if tree.branch(index).nth == 0 {
                    *worked_ms = time.saturating_sub(above).max(0);
                }
                Some(above.max(time))
            } else {
                above
            };
        }
    }
}

/// Only what differs from what was stated before.
fn note_window(windows: &mut Windows, model: &str, index: EntryIndex, window: f64) {
    match windows.get_mut(model) {
        Some(stated) if stated.last().is_some_and(|(_, last)| last.total_cmp(&window).is_eq()) => {}
        Some(stated) => stated.push((index, window)),
        None => drop(windows.insert(model.to_owned(), vec![(index, window)])),
    }
}

impl Counts {
    /// Adds an entry's calls, failure and answer.
    pub(crate) fn add(&mut self, step: &EntryTotals) {
        step.calls.iter().for_each(|&tool| self.tools[tool as usize].0 += 1);
        step.failed.into_iter().for_each(|tool| self.tools[tool as usize].1 += 1);
        step.model.into_iter().for_each(|model| self.models[model as usize] += 1);
    }

    /// Takes away what was added.
    pub(crate) fn take(&mut self, step: &EntryTotals) {
        step.calls.iter().for_each(|&tool| self.tools[tool as usize].0 -= 1);
        step.failed.into_iter().for_each(|tool| self.tools[tool as usize].1 -= 1);
        step.model.into_iter().for_each(|model| self.models[model as usize] -= 1);
    }
}

/// Distinct names, each with a small number.
struct Names<T> {
    names: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Names { names: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Names<T> {
    fn number(&mut self, name: &T) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        number
    }
}
