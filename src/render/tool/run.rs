//! What a tool's renderer gets, and what it gives.

use crate::html::Html;
use crate::render::image::Pictures;
use crate::render::{markdown, output};
use crate::session::arguments::Arguments;
use crate::session::json::Json;
use crate::session::message::ToolResult;

/// One run of a tool: what was asked and what came back.
#[derive(Debug)]
pub struct ToolRun<'r> {
    /// The tool's name as the call has it; without a call the result's own, else `tool`.
    pub name: &'r str,
    /// What was asked; empty where the call is not in the session.
    pub arguments: Arguments<'r>,
    /// What came back; `None` where no result is in the session.
    pub result: Option<&'r ToolResult<'r>>,
    pub(in crate::render) pictures: Pictures<'r>,
}

impl<'r> ToolRun<'r> {
    /// The result's content: text as it was printed, pictures, a note where there is nothing.
    pub fn output(&self) -> Html {
        self.result.map_or_else(Html::new, |result| {
            output::content(&result.content, result.is_error, self.pictures)
        })
    }

    /// The result as prose: its text as Markdown, a long one folded after its first paragraphs.
    pub fn prose(&self) -> Html {
        match self.output_text().filter(|_| !self.is_error()) {
            Some(text) => markdown::folded(text),
            None => self.output(),
        }
    }

    /// The result behind a fold, where it only repeats what was asked. The title
    /// is markup: `'static`, so that it comes from the source code.
    pub fn output_folded(&self, title: &'static str) -> Html {
        let output = self.output();
        if output.is_empty() {
            return output;
        }
        let mut html = Html::new();
        html.push_markup("<details class=\"fold\"><summary data-ui>");
        html.push_markup(title);
        html.push_markup("</summary>\n");
        html.push(&output);
        html.push_markup("</details>\n");
        html
    }

    /// The result's text, when it is one block of text and nothing else.
    pub fn output_text(&self) -> Option<&'r str> {
        self.result?.only_text()
    }

    /// A fact that the tool left for viewers (`details`).
    pub fn detail(&self, key: &str) -> Option<&'r Json<'r>> {
        self.result?.details.as_ref()?.get(key)
    }

    /// Whether the tool said that it failed.
    pub fn is_error(&self) -> bool {
        self.result.is_some_and(|result| result.is_error)
    }
}

/// How a run is shown: a line that tells what happened, and what unfolds below.
#[derive(Debug, Clone, Default)]
pub struct ToolCard {
    /// What the run was about: a path, a command, a pattern.
    pub summary: Html,
    /// Short facts beside it, in the page's own words: `exit 1`, `12 lines`.
    pub facts: Vec<String>,
    /// It failed though its result does not say so, as a command that ends with 1.
    pub failed: bool,
    /// All else.
    pub body: Html,
}

/// Draws the runs of a tool.
pub trait ToolRenderer: Send + Sync {
    /// The card of a run; `None` leaves it to what leafpress has itself.
    fn render(&self, run: &mut ToolRun<'_>) -> Option<ToolCard>;
}

impl<F: Fn(&mut ToolRun<'_>) -> Option<ToolCard> + Send + Sync> ToolRenderer for F {
    fn render(&self, run: &mut ToolRun<'_>) -> Option<ToolCard> {
        self(run)
    }
}
