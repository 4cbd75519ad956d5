//! Renderers that a program brings along for tools and messages of its own.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Content;
use super::tool::{ToolCard, ToolRun};
use crate::session::Body;
use crate::session::message::{CustomMessage, Message};

type OfTool = dyn for<'r> Fn(&mut ToolRun<'r>) -> Option<ToolCard<'r>> + Send + Sync;
type OfMessage = dyn for<'r> Fn(&'r CustomMessage<'r>) -> Option<Content<'r>> + Send + Sync;

/// Renderers by the name of a tool or the type of a message. They go before leafpress's own.
///
/// ```
/// use leafpress::Options;
/// use leafpress::content::{Content, Renderers, ToolCard};
///
/// let renderers = Renderers::new()
///     .with_tool("script", |run| {
///         let code = run.arguments.text(&["code"])?;
///         let mut card = ToolCard::about("a program");
///         card.body.code(code, "js");
///         card.body.append(run.arguments.rest());
///         card.body.append(run.output());
///         Some(card)
///     })
///     .with_message("reminder", |message| {
///         let mut content = Content::new();
///         content.notice(message.custom_type.as_ref());
///         Some(content)
///     });
/// let options = Options::new().renderers(renderers);
/// # drop(options);
/// ```
#[derive(Clone, Default)]
pub struct Renderers {
    tools: HashMap<String, Arc<OfTool>>,
    messages: HashMap<String, Arc<OfMessage>>,
}

impl Renderers {
    /// None: leafpress shows everything in its own way.
    #[must_use]
    pub fn new() -> Self {
        Renderers::default()
    }

    /// Shows the runs of the tool of this very name; `None` leaves one to what leafpress has itself. A later
    /// renderer replaces it.
    #[must_use]
    pub fn with_tool(
        mut self,
        name: &str,
        renderer: impl for<'r> Fn(&mut ToolRun<'r>) -> Option<ToolCard<'r>> + Send + Sync + 'static,
    ) -> Self {
        self.tools.insert(name.to_owned(), Arc::new(renderer));
        self
    }

    /// Shows the messages of this very custom type; `None` leaves one to what leafpress has itself. A later
    /// renderer replaces it.
    #[must_use]
    pub fn with_message(
        mut self,
        custom_type: &str,
        renderer: impl for<'r> Fn(&'r CustomMessage<'r>) -> Option<Content<'r>> + Send + Sync + 'static,
    ) -> Self {
        self.messages.insert(custom_type.to_owned(), Arc::new(renderer));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.messages.is_empty()
    }

    /// Whether one of them may show an entry. A tool's name may stand in the
    /// call alone, so any of their tools counts for any result.
    pub(crate) fn may_show(&self, body: &Body<'_>) -> bool {
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

    /// What the renderer of a tool makes of a run.
    pub(super) fn tool<'r>(&self, run: &mut ToolRun<'r>) -> Option<ToolCard<'r>> {
        self.tools.get(run.name)?(run)
    }

    /// What the renderer of a message makes of it.
    pub(super) fn message<'r>(&self, message: &'r CustomMessage<'r>) -> Option<Content<'r>> {
        self.messages.get(message.custom_type.as_ref())?(message)
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
