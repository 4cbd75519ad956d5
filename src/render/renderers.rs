//! Renderers that a program brings along for tools and messages of its own.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::tool::ToolRenderer;
use crate::html::Html;
use crate::session::Body;
use crate::session::message::{CustomMessage, Message};

/// Draws the messages of an extension.
pub trait MessageRenderer: Send + Sync {
    /// The message's body; `None` leaves it to what leafpress has itself.
    fn render(&self, message: &CustomMessage<'_>) -> Option<Html>;
}

impl<F: Fn(&CustomMessage<'_>) -> Option<Html> + Send + Sync> MessageRenderer for F {
    fn render(&self, message: &CustomMessage<'_>) -> Option<Html> {
        self(message)
    }
}

/// Renderers by the name of a tool or the type of a message. They go before
/// leafpress's own.
#[derive(Clone, Default)]
pub struct Renderers {
    tools: HashMap<String, Arc<dyn ToolRenderer>>,
    messages: HashMap<String, Arc<dyn MessageRenderer>>,
}

impl Renderers {
    /// None: leafpress draws everything itself.
    pub fn new() -> Self {
        Renderers::default()
    }

    /// Draws the runs of the tool of this very name; a later one replaces it.
    #[must_use]
    pub fn with_tool(mut self, name: &str, renderer: impl ToolRenderer + 'static) -> Self {
        self.tools.insert(name.to_owned(), Arc::new(renderer));
        self
    }

    /// Draws the messages of this very custom type; a later one replaces it.
    #[must_use]
    pub fn with_message(
        mut self,
        custom_type: &str,
        renderer: impl MessageRenderer + 'static,
    ) -> Self {
        self.messages.insert(custom_type.to_owned(), Arc::new(renderer));
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.messages.is_empty()
    }

    /// Whether one of them may draw an entry. A tool's name may stand in the
    /// call alone, so any of their tools counts for any result.
    pub(super) fn may_draw(&self, body: &Body<'_>) -> bool {
        match body {
            Body::Message(Message::ToolResult(_)) => !self.tools.is_empty(),
            Body::Message(Message::Custom(custom) | Message::Hook(custom))
            | Body::CustomMessage(custom) => {
                self.messages.contains_key(custom.custom_type.as_ref())
            }
            Body::Compaction(_) => !self.is_empty(),
            _ => false,
        }
    }

    pub(super) fn tool(&self, name: &str) -> Option<&dyn ToolRenderer> {
        self.tools.get(name).map(AsRef::as_ref)
    }

    pub(super) fn message(&self, custom_type: &str) -> Option<&dyn MessageRenderer> {
        self.messages.get(custom_type).map(AsRef::as_ref)
    }
}

impl fmt::Debug for Renderers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();
        f.debug_struct("Renderers")
            .field("tools", &names(self.tools.keys().collect()))
            .field("messages", &names(self.messages.keys().collect()))
            .finish()
    }
}
