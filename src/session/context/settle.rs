//! What becomes of calls without a result and of failed turns, once it is
//! known which messages the model would get.

use std::collections::HashSet;

use super::{ContextMessage, Facts, State};

/// A message that may still go.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// The place on the path of the entry it comes from.
    at: usize,
    pub(super) message: ContextMessage<'a>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(at: usize, message: ContextMessage<'a>) -> Draft<'a> {
        Draft { at, message }
    }
}

impl<'a> Facts<'a> {
    /// Takes out what a provider would refuse. Only dialects that do so give
    /// the facts for it.
    pub(super) fn settle(&self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        self.strip_calls(drafts, states);
        self.drop_failed(drafts, states);
    }

    /// Calls that nothing answers go; a turn that was nothing else goes as a whole.
    fn strip_calls(&self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        let answer = |draft: &Draft<'_>| self.of(draft.message.entry).answers.as_deref();
        let answered: HashSet<&str> = drafts.iter().filter_map(answer).collect();
        drafts.retain_mut(|draft| {
            let fact = self.of(draft.message.entry);
            let is_answered = |id: &str| answered.contains(id);
            let calls = fact.calls.iter().enumerate();
            let stripped: Vec<usize> =
                calls.filter(|(_, id)| !is_answered(id)).map(|(nth, _)| nth).collect();
            if stripped.is_empty() {
                return true;
            }
            let speaks = fact.message.as_ref().is_some_and(|message| message.speaks);
            let stays = speaks || stripped.len() < fact.calls.len();
            states[draft.at] = if stays { State::Edited } else { State::Excluded };
            draft.message.stripped = stripped;
            stays
        });
    }

    /// Failed turns go with what answers their calls, unless what was thought
    /// until then comes next.
    fn drop_failed(&self, drafts: &mut Vec<Draft<'a>>, states: &mut [State]) {
        let message = |draft: &Draft<'_>| self.of(draft.message.entry).message.as_ref();
        let followed: Vec<bool> = (0..drafts.len())
            .map(|nth| drafts.get(nth + 1).and_then(message).is_some_and(|next| next.thought))
            .collect();
        let mut followed = followed.into_iter();
        let mut gone: HashSet<&str> = HashSet::new();
        drafts.retain(|draft| {
            let is_followed = followed.next().unwrap_or(false);
            let fact = self.of(draft.message.entry);
            let failed = message(draft).is_some_and(|message| message.failed) && !is_followed;
            for id in &fact.calls {
                if failed {
                    gone.insert(id);
                } else {
                    gone.remove(id.as_ref());
                }
            }
            let goes = failed || fact.answers.as_deref().is_some_and(|id| gone.contains(id));
            if goes {
                states[draft.at] = State::Excluded;
            }
            !goes
        });
    }
}
