//! What a tool's renderer gets, and what it gives.

use std::borrow::Cow;

use crate::content::{Content, Fold, FoldKind, Part, Span};
use crate::session::arguments::Arguments;
use crate::session::json::Json;
use crate::session::message::ToolResult;

/// One run of a tool: what was asked and what came back.
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolRun<'r> {
    /// The tool's name as the call has it; without a call the result's own, else `tool`.
    pub name: &'r str,
    /// What was asked; empty where the call is not in the session.
    pub arguments: Arguments<'r>,
    /// What came back; `None` where no result is in the session.
    pub result: Option<&'r ToolResult<'r>>,
}

impl<'r> ToolRun<'r> {
    /// The result's content: text as it was printed, pictures, a note where there is nothing.
    #[must_use]
    pub fn output(&self) -> Content<'r> {
        self.result
            .map_or_else(Content::new, |result| Content::printed(&result.content, result.is_error))
    }

    /// The result as prose: its text as Markdown, a long one folded after its first paragraphs.
    #[must_use]
    pub fn prose(&self) -> Content<'r> {
        match self.output_text().filter(|_| !self.is_error()) {
            Some(text) => Part::LongProse(text.into()).into(),
            None => self.output(),
        }
    }

    /// The result behind a fold, where it only repeats what was asked.
    #[must_use]
    pub fn output_folded(&self, title: &'static str) -> Content<'r> {
        let output = self.output();
        if output.is_empty() {
            return output;
        }
        Part::Fold(Fold::own(FoldKind::Plain, title, output)).into()
    }

    /// The result's text, when it is one block of text and nothing else.
    #[must_use]
    pub fn output_text(&self) -> Option<&'r str> {
        self.result?.only_text()
    }

    /// A fact that the tool left for viewers (`details`).
    #[must_use]
    pub fn detail(&self, key: &str) -> Option<&'r Json<'r>> {
        self.result?.details.as_ref()?.get(key)
    }

    /// Whether the tool said that it failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.is_some_and(|result| result.is_error)
    }
}

/// How a run is shown: a line that says what happened, and what unfolds below.
///
/// ```
/// use leafpress::content::ToolCard;
///
/// let mut card = ToolCard::about("sort.py");
/// card.facts.push("3 lines".to_owned());
/// card.body.code("print('sorted')", "python");
/// # drop(card);
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ToolCard<'r> {
    /// What the run was about: a path, a command, a pattern. Where it is empty, leafpress finds words itself.
    pub summary: Vec<Span<'r>>,
    /// Short facts beside it, in the page's own words: `exit 1`, `12 lines`.
    pub facts: Vec<String>,
    /// It failed though its result does not say so, as a command that ends with 1.
    pub failed: bool,
    /// All else.
    pub body: Content<'r>,
}

impl<'r> ToolCard<'r> {
    /// A card that says nothing yet.
    #[must_use]
    pub fn new() -> Self {
        ToolCard::default()
    }

    /// A card about something: a path, a command, a pattern.
    #[must_use]
    pub fn about(words: impl Into<Cow<'r, str>>) -> Self {
        ToolCard { summary: vec![Span::text(words)], ..ToolCard::default() }
    }

    /// A card with a body alone.
    pub(super) fn of(body: Content<'r>) -> Self {
        ToolCard { body, ..ToolCard::default() }
    }
}
