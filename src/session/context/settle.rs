//! What becomes of calls, results and failed turns, once it is known which
//! messages the model would get.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::build::{ContextBuilder, Draft};
use super::{EntryEffect, State};

impl<'f, 'a> ContextBuilder<'f, 'a> {
    /// Takes out what a provider would refuse. Only formats that do so give
    /// the facts for it.
    pub(super) fn settle(self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        self.strip_calls(drafts, states);
        self.drop_failed(drafts, states);
        self.pair_results(drafts, states);
    }

    fn effect(self, draft: &Draft<'_>) -> Option<&'f EntryEffect<'a>> {
        let fact = self.of(draft.message.entry);
        match draft.message.lead {
            Some(nth) => fact.boundary.as_ref()?.lead.get(nth),
            None => fact.message.as_ref(),
        }
    }

    fn calls(self, draft: &Draft<'_>) -> &'f [Cow<'a, str>] {
        self.effect(draft).map(|effect| effect.calls.as_slice()).unwrap_or_default()
    }

    fn answers(self, draft: &Draft<'_>) -> Option<&'f str> {
        self.effect(draft)?.answers.as_deref()
    }

    /// Calls that nothing answers go; a turn that was nothing else goes as a whole.
    // omp 18.3.4.
    fn strip_calls(self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        let answered: HashSet<&str> =
            drafts.iter().filter_map(|draft| self.answers(draft)).collect();
        drafts.retain_mut(|draft| {
            let Some(effect) = self.effect(draft).filter(|effect| !effect.paired) else {
                return true;
            };
            let is_answered = |id: &str| answered.contains(id);
            let calls = effect.calls.iter().enumerate();
            let stripped: Vec<usize> =
                calls.filter(|(_, id)| !is_answered(id)).map(|(nth, _)| nth).collect();
            if stripped.is_empty() {
                return true;
            }
            let stays = effect.speaks || stripped.len() < effect.calls.len();
            states[draft.at] = if stays { State::Edited } else { State::Excluded };
            draft.message.stripped = stripped;
            stays
        });
    }

    /// Failed turns go with what answers their calls, unless what was thought
    /// until then comes next.
    // omp 18.3.4, `interrupted-thinking`.
    fn drop_failed(self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        let thought = |draft| self.effect(draft).is_some_and(|message| message.thought);
        let followed: Vec<bool> =
            (0..drafts.len()).map(|nth| drafts.get(nth + 1).is_some_and(thought)).collect();
        let mut followed = followed.into_iter();
        let mut gone: HashSet<&str> = HashSet::new();
        drafts.retain(|draft| {
            let is_followed = followed.next().unwrap_or(false);
            let failed = self.effect(draft).is_some_and(|m| m.failed) && !is_followed;
            for id in self.calls(draft) {
                if failed {
                    gone.insert(id);
                } else {
                    gone.remove(id.as_ref());
                }
            }
            let goes = failed || self.answers(draft).is_some_and(|id| gone.contains(id));
            if goes {
                states[draft.at] = State::Excluded;
            }
            !goes
        });
    }

    /// Results go directly behind the turn that called, in their order; those whose call
    /// is not among the messages go. Of turns with the same call the last one has it.
    // pi's harness of version 4 (packages/agent/src/harness).
    fn pair_results(self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        let is_paired = |draft: &Draft<'_>| self.effect(draft).is_some_and(|m| m.paired);
        if !drafts.iter().any(is_paired) {
            return;
        }
        let mut callers: HashMap<&str, usize> = HashMap::new();
        for (nth, draft) in drafts.iter().enumerate().filter(|(_, draft)| is_paired(draft)) {
            callers.extend(self.calls(draft).iter().map(|id| (id.as_ref(), nth)));
        }
        // Each message with the place it takes; results share that of their caller.
        let mut placed = Vec::with_capacity(drafts.len());
        for (nth, draft) in drafts.drain(..).enumerate() {
            let answers = self.answers(&draft).filter(|_| is_paired(&draft));
            match answers.map(|id| callers.get(id)) {
                None => placed.push((nth, draft)),
                Some(Some(&caller)) => placed.push((caller, draft)),
                Some(None) if draft.message.lead.is_none() => states[draft.at] = State::Excluded,
                Some(None) => {}
            }
        }
        // A result that stands above its caller comes behind it all the same.
        placed.sort_by_key(|(place, draft)| (*place, self.answers(draft).is_some()));
        drafts.extend(placed.into_iter().map(|(_, draft)| draft));
    }
}
