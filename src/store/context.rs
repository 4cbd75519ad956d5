//! What the model sees at the leaf, without reading the session again.

use std::sync::PoisonError;

use crate::session::EntryIndex;
use crate::session::context::{Context, ContextBuilder, ContextMessage, Fact, ModelContext};
use crate::session::convert::SentMessage;

use super::SessionStore;
use super::index::At;

impl SessionStore {
    /// What the model sees at the leaf: nothing where there is none. `None` without an entry.
    ///
    /// One walk of the path to the leaf. Entries that were added since the last call are
    /// parsed, all others have been.
    pub fn context(&self) -> Option<Context<'static>> {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let format = self.agent.rules().format;
        for at in facts.len()..self.index.len() {
            let find = |id: &str| self.index.find(id).map(|at| EntryIndex::new(at.get()));
            let body = self.parsed(At::new(at)).body;
            facts.push(Fact::of_agent(format, body, find).into_owned());
        }
        let path = self.leaf.map(|leaf| self.index.path(leaf)).unwrap_or_default();
        let path = path.into_iter().map(|at| EntryIndex::new(at.get())).collect();
        (facts.len() > 0).then(|| ContextBuilder::new(&facts).context(path))
    }

    /// What a provider is given for the next call at the leaf. `None` without an entry.
    pub fn model_context(&self) -> Option<ModelContext<'_>> {
        let format = self.agent.rules().format;
        let context = self.context()?;
        Some(ModelContext::of(context, format, |message| self.read_message(message)))
    }

    /// A message of a context of this store, its content as the model sees it.
    pub fn read_message(&self, message: &ContextMessage<'_>) -> Option<SentMessage<'_>> {
        message.read_from(|index| self.parsed(At::new(index.get())))
    }

    /// Forgets what was read of entries that are gone.
    pub(super) fn forget_removed(&mut self) {
        self.forget_session();
        let facts = self.facts.get_mut().unwrap_or_else(PoisonError::into_inner);
        facts.truncate(self.index.len());
    }
}
