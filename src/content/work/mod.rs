//! What the steps of a turn did: how many of which kind, what failed, which lines of files changed, how long it took
//! and what it cost.
//!
//! Each entry is read once as a `Step`, whatever is asked later; a run of steps is then added up (`Tally`) and put
//! into words. A call counts where its result is, as done or failed, so that none counts twice. Settings and state
//! that no person saw have words of their own, so that a run of those alone does not look like work.

mod edited;
mod step;

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use edited::Edited;
pub(crate) use step::Step;

use crate::changes::EditedLines;
use crate::figures;
use crate::session::action::names::StepKind;
use crate::session::calls::CallPlace;
use crate::session::digest::Digest;
use crate::session::entry::Body;
use crate::session::landmarks::{Landmark, Notable};
use crate::session::story::{Run, TurnRole};
use crate::session::text::{counted, counted_entries, numbered, shortened};
use crate::session::usage::Usage;
use crate::session::{EntryIndex, Session, SubSession};
use step::{AnswerStep, QuietStep, ResultStep, SETTING_UNITS};

/// More settings than these are counted.
const NAMED_SETTINGS: usize = 5;

/// What the entries of a session did.
#[derive(Debug, Clone)]
pub(crate) struct Work<'a> {
    session: &'a Session,
    digest: &'a Digest<'a>,
    /// By entry.
    steps: Arc<Vec<Step>>,
    /// Made when it is first asked for.
    edited: Arc<OnceLock<Edited>>,
}

/// What a run of steps did, in words.
#[derive(Debug)]
pub(crate) struct Steps<'a> {
    /// How many there were.
    pub(crate) count: usize,
    /// What was done.
    pub(crate) parts: Vec<StepsPart>,
    pub(crate) failures: usize,
    pub(crate) stops: usize,
    /// How long it took and what it cost.
    pub(crate) spent: Vec<String>,
    /// All tokens by kind.
    pub(crate) tokens: String,
    /// They are settings and state alone.
    pub(crate) is_aside: bool,
    /// What the steps did to the world.
    pub(crate) did: Vec<Did<'a>>,
}

/// One part of it: `3 commands`.
#[derive(Debug)]
pub(crate) struct StepsPart {
    pub(crate) words: String,
    /// How many of a kind of steps; 0 for what is no kind.
    pub(crate) count: usize,
    /// How many of them failed.
    pub(crate) failed: usize,
    /// Lines that the edits added and removed.
    pub(crate) lines: EditedLines,
}

/// What has a line below that of the steps.
#[derive(Debug)]
pub(crate) enum Did<'a> {
    /// One thing that steps did to the world, or several of a kind.
    Landmark {
        landmark: &'a Landmark,
        /// As the line of a landmark has it (`landmarks/lines.rs`).
        others: usize,
        /// The call failed, which may be that of another command in it.
        in_failure: bool,
    },
    /// The context was compacted, and the model went on.
    Compaction {
        entry: EntryIndex,
        /// Before it.
        tokens: Option<f64>,
    },
}

impl Did<'_> {
    fn entry(&self) -> EntryIndex {
        match self {
            Did::Landmark { landmark, .. } => landmark.entry,
            Did::Compaction { entry, .. } => *entry,
        }
    }
}

/// What a run of steps did.
#[derive(Debug, Default)]
struct Tally<'s> {
    counts: [usize; StepKind::ALL.len()],
    /// Of these.
    failed: [usize; StepKind::ALL.len()],
    /// Tools of other calls, as far as results name them.
    other_tools: Vec<Option<&'s str>>,
    failures: usize,
    stops: usize,
    lines: EditedLines,
    /// Responses in between, with text.
    messages: usize,
    /// Answers that only thought.
    thoughts: usize,
    /// Entries of other kinds.
    others: usize,
    images: usize,
    settings: Vec<String>,
    quiet: Quiet,
    usage: Usage,
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
    fn add(&mut self, step: &QuietStep) {
        match step {
            QuietStep::Hook => self.hooks += 1,
            QuietStep::Progress => self.progress += 1,
            QuietStep::State(name) => self.states.push(name.clone()),
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

impl<'a> Work<'a> {
    /// The work of a session, of which the steps of all entries are known.
    pub(crate) fn new(session: &'a Session, digest: &'a Digest<'a>, steps: Vec<Step>) -> Self {
        Work { session, digest, steps: Arc::new(steps), edited: Arc::default() }
    }

    /// The work of a session.
    pub(crate) fn read(session: &'a Session, digest: &'a Digest<'a>) -> Self {
        let steps = session.indices().map(|index| Step::of(&session.entry_at(index))).collect();
        Work::new(session, digest, steps)
    }

    /// What the run did that the entry begins, if it begins one.
    pub(crate) fn steps(&self, index: EntryIndex) -> Option<Steps<'a>> {
        let run = self.digest.story.run_of(index).filter(|run| run.entries[0] == index)?;
        let tally = self.tally(run);
        let is_aside = self.digest.story.is_aside_run(self.session, run);
        let elapsed = self.elapsed(run).filter(|_| !is_aside);
        let spent = [elapsed.map(figures::duration), Some(figures::cost(&tally.usage))];
        Some(Steps {
            count: tally.steps(),
            parts: tally.parts(run, is_aside),
            failures: tally.failures,
            stops: tally.stops,
            spent: spent.into_iter().flatten().filter(|word| !word.is_empty()).collect(),
            tokens: figures::tokens(&tally.usage),
            is_aside,
            did: self.did(run),
        })
    }

    /// What the steps of a run did to the world, and the compactions between them.
    pub(crate) fn did(&self, run: &Run) -> Vec<Did<'a>> {
        let in_failure = |landmark: &Landmark| self.digest.failures.of(landmark.entry).is_some();
        let lines = self.digest.landmarks.lines(&run.entries).into_iter();
        let mut did: Vec<Did<'a>> = lines
            .map(|line| Did::Landmark {
                in_failure: in_failure(line.landmark),
                landmark: line.landmark,
                others: line.others,
            })
            .collect();
        let events = did.len();
        for &entry in run.entries.iter().filter(|&&entry| self.is_divider(entry)) {
            if let Body::Compaction(compaction) = &self.session.entry_at(entry).body {
                did.push(Did::Compaction { entry, tokens: compaction.tokens_before });
            }
        }
        if did.len() > events {
            did.sort_by_key(|did| self.session.tree().position_at(did.entry()));
        }
        did
    }

    /// How many steps a run has, lines below its own, failures, stops, calls that are worth a look, lines that its edits
    /// added and removed, and 1 where some edit is not exact.
    pub(crate) fn counts(&self, run: &Run) -> [usize; 8] {
        let tally = self.tally(run);
        let notable = self.notable(&run.entries).iter().map(|(_, calls)| calls).sum();
        let EditedLines { added, removed, is_about } = tally.lines;
        let is_about = usize::from(is_about && added + removed > 0);
        [
            tally.steps(),
            self.did(run).len(),
            tally.failures,
            tally.stops,
            notable,
            added,
            removed,
            is_about,
        ]
    }

    fn is_divider(&self, entry: EntryIndex) -> bool {
        self.digest.story.role(entry) == TurnRole::Divider
    }

    /// The first entry of a sub-session that is more than a setting or state.
    pub(crate) fn opening_of(&self, sub: &SubSession) -> EntryIndex {
        let is_more = |&entry: &EntryIndex| !self.digest.story.is_aside(entry);
        sub.entries().find(is_more).unwrap_or(sub.first)
    }

    /// How much failed on the path that is shown of a sub-session.
    pub(crate) fn failures_of(&self, sub: &SubSession) -> usize {
        let path = self.session.tree().path(sub.leaf);
        self.digest.failures.over(&path).count()
    }

    /// Whether an entry ran tests that failed, whatever the call's exit status is.
    pub(crate) fn have_tests_failed(&self, entry: EntryIndex) -> bool {
        self.digest.landmarks.of(entry).iter().any(Landmark::are_failed_tests)
    }

    /// What is worth a look in these entries: each kind that occurs, and in how many calls.
    pub(crate) fn notable(&self, entries: &[EntryIndex]) -> Vec<(Notable, usize)> {
        self.digest.landmarks.notable(entries)
    }

    /// Whether the model says something in the entry.
    pub(crate) fn has_text(&self, index: EntryIndex) -> bool {
        matches!(&self.steps[index.get()], Step::Answer(answer) if answer.has_text)
    }

    /// What the quiet entries are that the entry begins, if it begins some.
    pub(crate) fn quiet(&self, index: EntryIndex) -> Option<String> {
        self.digest.story.quiet_of(index).filter(|&first| first == index)?;
        let run = self.digest.story.run_of(index)?;
        let from = run.entries.iter().skip_while(|&&entry| entry != index);
        let quiet = from.take_while(|&&entry| self.digest.story.quiet_of(entry) == Some(index));
        Some(self.quiet_words(quiet))
    }

    /// What the card of a tool result says of the updates on its call and the hooks of it; empty without any.
    pub(crate) fn progress(&self, result: EntryIndex) -> String {
        self.quiet_words(self.digest.story.progress_of(result).iter())
    }

    fn quiet_words<'e>(&self, entries: impl Iterator<Item = &'e EntryIndex>) -> String {
        let mut quiet = Quiet::default();
        for &entry in entries {
            if let Step::Quiet(step) = &self.steps[entry.get()] {
                quiet.add(step);
            }
        }
        quiet.words()
    }

    fn tally(&self, run: &Run) -> Tally<'_> {
        let lines = run.entries.first().map(|&first| self.run_lines(first)).unwrap_or_default();
        let mut tally = Tally { lines, ..Tally::default() };
        for &index in &run.entries {
            tally.usage += self.digest.totals.of(index).usage();
            let failed = self.digest.failures.of(index).is_some();
            tally.failures += usize::from(failed);
            tally.stops += usize::from(self.digest.failures.stop_of(index).is_some());
            let is_cut_short = failed || self.digest.failures.is_stopped(index);
            match &self.steps[index.get()] {
                // A response of nothing but an error.
                Step::Answer(answer) if is_cut_short && !answer.has_text && answer.calls == 0 => {
                    tally.others += 1;
                }
                // What an agent puts in where no model answers.
                Step::Answer(_) if self.digest.story.is_aside(index) => {}
                Step::Answer(answer) => self.add_answer(&mut tally, index, answer),
                Step::Result(result) => self.add_result(&mut tally, index, result),
                Step::Setting(name) => tally.settings.push(name.clone()),
                Step::Quiet(step) => tally.quiet.add(step),
                // It has a line of its own.
                Step::Other if self.is_divider(index) => {}
                Step::Other => tally.others += 1,
            }
        }
        tally
    }

    fn add_answer(&self, tally: &mut Tally<'_>, index: EntryIndex, answer: &AnswerStep) {
        let calls = &self.digest.calls;
        let places = (0..answer.calls).map(|nth| CallPlace { entry: index, nth });
        // One with a result is counted there, as done or failed.
        for place in places.filter(|&place| calls.results_of(place).is_empty()) {
            tally.counts[calls.asked(place).map_or(StepKind::Other, |call| call.step) as usize] +=
                1;
        }
        if answer.has_text {
            tally.messages += 1;
        } else if answer.calls == 0 {
            tally.thoughts += 1;
        }
    }

    fn add_result<'s>(&self, tally: &mut Tally<'s>, index: EntryIndex, result: &'s ResultStep) {
        tally.images += result.images;
        if self.has_result_above(index) {
            return;
        }
        let kind = self.kind_of(index, result);
        if kind == StepKind::Other {
            tally.other_tools.push(result.name.as_deref());
        }
        tally.counts[kind as usize] += 1;
        tally.failed[kind as usize] += usize::from(self.digest.failures.of(index).is_some());
    }

    /// Whether the call of a result gave another one before: a script of Codex (0.169.0) gives several.
    fn has_result_above(&self, result: EntryIndex) -> bool {
        let calls = &self.digest.calls;
        let all = calls.call_of(result).map_or(&[][..], |call| calls.results_of(call));
        let tree = self.session.tree();
        all.iter().any(|&other| other < result && tree.is_on_path(other, result))
    }

    /// Whether an entry is the result of a command that the model ran.
    pub(crate) fn is_command(&self, entry: EntryIndex) -> bool {
        let Step::Result(result) = &self.steps[entry.get()] else { return false };
        self.kind_of(entry, result) == StepKind::Command
    }

    /// What a result is counted as: by its call, else by the name that it has itself.
    fn kind_of(&self, entry: EntryIndex, result: &ResultStep) -> StepKind {
        let calls = &self.digest.calls;
        let call = calls.call_of(entry).and_then(|place| calls.asked(place));
        call.map_or(result.kind, |call| call.step)
    }

    /// How long the model and its tools worked, in milliseconds. After a response nobody works until
    /// the model gets something: the next prompt, or what an agent puts in itself.
    #[expect(clippy::cast_precision_loss, reason = "durations are far below 2^52 ms")]
    fn elapsed(&self, run: &Run) -> Option<f64> {
        let before = self.session.tree().parent(*run.entries.first()?);
        let is_response = |index| self.digest.story.role(index) == TurnRole::Response;
        let mut is_idle = before.is_none_or(is_response);
        let mut since = before.and_then(|before| self.session.time(before));
        let mut elapsed = 0;
        for &index in &run.entries {
            let Some(time) = self.session.time(index) else { continue };
            match &self.steps[index.get()] {
                Step::Answer(_) | Step::Result(_) => {
                    elapsed += since.map_or(0, |since| (time - since).max(0));
                    is_idle = matches!(&self.steps[index.get()], Step::Answer(answer) if answer.calls == 0);
                }
                _ if is_idle => {}
                _ => continue,
            }
            since = Some(time);
        }
        (elapsed > 0).then_some(elapsed as f64)
    }
}

impl Tally<'_> {
    /// Calls, responses in between, and what is neither a setting nor state.
    fn steps(&self) -> usize {
        self.counts.iter().sum::<usize>() + self.messages + self.thoughts + self.others
    }

    fn parts(&self, run: &Run, is_aside: bool) -> Vec<StepsPart> {
        if is_aside {
            return self.aside();
        }
        let steps = self.steps();
        let mut parts = Vec::new();
        if steps > 0 {
            parts.push(StepsPart::of(counted(steps, "step")));
        }
        for (&count, (kind, one, many)) in self.counts.iter().zip(StepKind::ALL) {
            if count > 0 {
                let is_edit = kind == StepKind::Edit;
                let tool = self.other_tool(count).filter(|_| kind == StepKind::Other);
                parts.push(StepsPart {
                    words: tool.map_or_else(
                        || numbered(count, one, many),
                        |tool| counted(count, &format!("{tool} call")),
                    ),
                    count,
                    failed: self.failed[kind as usize],
                    lines: if is_edit { self.lines } else { EditedLines::default() },
                });
            }
        }
        if self.counts[StepKind::Edit as usize] == 0 && self.lines != EditedLines::default() {
            // Scripts and sub-agents edit files too.
            parts.push(StepsPart { lines: self.lines, ..StepsPart::of("edits".to_owned()) });
        }
        if self.messages > 0 && self.messages < steps {
            let words = counted(self.messages, "message");
            parts.push(StepsPart { count: self.messages, ..StepsPart::of(words) });
        }
        if self.images > 0 {
            let words = counted(self.images, "image");
            parts.push(StepsPart { count: self.images, ..StepsPart::of(words) });
        }
        // Of others it says nothing, but a turn of nothing else looks like an answer that was folded away.
        if self.thoughts > 0 && self.thoughts == steps {
            parts.push(StepsPart::of("only thinking".to_owned()));
        }
        if parts.is_empty() {
            parts = self.aside();
        }
        if parts.is_empty() {
            parts.push(StepsPart::of(counted_entries(run.entries.len())));
        }
        parts
    }

    /// The name of the one tool that all other calls are of.
    fn other_tool(&self, count: usize) -> Option<&str> {
        let tool = (*self.other_tools.first()?)?;
        let is_one = self.other_tools.iter().all(|other| *other == Some(tool));
        (is_one && self.other_tools.len() == count).then_some(tool)
    }

    /// Settings by name, or how many; then the state that no person saw.
    fn aside(&self) -> Vec<StepsPart> {
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
        parts.into_iter().filter(|words| !words.is_empty()).map(StepsPart::of).collect()
    }
}

impl StepsPart {
    fn of(words: String) -> StepsPart {
        StepsPart { words, count: 0, failed: 0, lines: EditedLines::default() }
    }
}
