//! Several listeners at the touch points, one after the other.

use crate::session::convert::SentMessage;

use super::events::{AgentStart, Compacting, StartChanges};
use super::{
    Abort, BranchPlan, Branched, Compacted, CompactionPlan, Events, MovePlan, Moved, SessionStore,
    StoreError, Summary, Verdict,
};

/// Several listeners as one, in their order. The first to cancel decides, and none after it is
/// asked. Of several summaries the last one counts. Each changes what the one before it gave.
#[derive(Default)]
pub struct Listeners<'l>(pub Vec<&'l mut dyn Events>);

impl std::fmt::Debug for Listeners<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Listeners").field(&self.0.len()).finish()
    }
}

impl Listeners<'_> {
    fn verdict(&mut self, mut ask: impl FnMut(&mut dyn Events) -> Verdict) -> Verdict {
        let mut verdict = Verdict::Proceed;
        for listener in &mut self.0 {
            match ask(&mut **listener) {
                Verdict::Cancel => return Verdict::Cancel,
                Verdict::Proceed => {}
                supplied @ Verdict::Supply(_) => verdict = supplied,
            }
        }
        verdict
    }

    /// The summary of the first who can write one.
    fn summary(
        &mut self,
        mut ask: impl FnMut(&mut dyn Events) -> Result<Summary, StoreError>,
    ) -> Result<Summary, StoreError> {
        let mut answers = self.0.iter_mut().map(|listener| ask(&mut **listener));
        let answer = answers.find(|answer| !matches!(answer, Err(StoreError::NoSummarizer)));
        answer.unwrap_or(Err(StoreError::NoSummarizer))
    }
}

impl Events for Listeners<'_> {
    fn before_move(&mut self, store: &SessionStore, plan: &MovePlan, abort: &Abort) -> Verdict {
        self.verdict(|listener| listener.before_move(store, plan, abort))
    }

    fn summarize_branch(
        &mut self,
        store: &SessionStore,
        plan: &MovePlan,
        abort: &Abort,
    ) -> Result<Summary, StoreError> {
        self.summary(|listener| listener.summarize_branch(store, plan, abort))
    }

    fn moved(&mut self, store: &SessionStore, moved: &Moved) {
        self.0.iter_mut().for_each(|listener| listener.moved(store, moved));
    }

    fn before_branch(&mut self, store: &SessionStore, plan: &BranchPlan) -> Verdict {
        self.verdict(|listener| listener.before_branch(store, plan))
    }

    fn branched(&mut self, store: &SessionStore, branched: &Branched) {
        self.0.iter_mut().for_each(|listener| listener.branched(store, branched));
    }

    fn before_agent_start(&mut self, store: &SessionStore, start: &AgentStart) -> StartChanges {
        let mut start = start.clone();
        let mut all = StartChanges::default();
        for listener in &mut self.0 {
            let mut changes = listener.before_agent_start(store, &start);
            all.messages.append(&mut changes.messages);
            if let Some(system_prompt) = changes.system_prompt {
                start.system_prompt.clone_from(&system_prompt);
                all.system_prompt = Some(system_prompt);
            }
        }
        all
    }

    fn context<'s>(
        &mut self,
        store: &'s SessionStore,
        messages: Vec<SentMessage<'s>>,
    ) -> Vec<SentMessage<'s>> {
        let mut messages = messages;
        for listener in &mut self.0 {
            messages = listener.context(store, messages);
        }
        messages
    }

    fn before_compaction(&mut self, store: &SessionStore, plan: &CompactionPlan) -> Verdict {
        self.verdict(|listener| listener.before_compaction(store, plan))
    }

    fn compacting(&mut self, store: &SessionStore, plan: &CompactionPlan) -> Compacting {
        let answers = self.0.iter_mut().map(|listener| listener.compacting(store, plan));
        answers.filter(|answer| !answer.is_silent()).last().unwrap_or_default()
    }

    fn summarize_history(
        &mut self,
        store: &SessionStore,
        plan: &CompactionPlan,
    ) -> Result<Summary, StoreError> {
        self.summary(|listener| listener.summarize_history(store, plan))
    }

    fn compacted(&mut self, store: &SessionStore, compacted: &Compacted) {
        self.0.iter_mut().for_each(|listener| listener.compacted(store, compacted));
    }
}
