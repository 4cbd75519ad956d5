//! Calls and their cards, drawn.

use askama::Template;

use super::draw::Drawer;
use super::{fill, fill_around};
use crate::content::{Call, Caller, Card, RunState};
use crate::html::Html;
use crate::session::calls::CallPlace;

#[derive(Template)]
#[template(path = "call.html")]
struct CallTemplate<'a> {
    name: &'a str,
    id: &'a str,
    summary: Html,
    /// The path shown has a result, whose card is the call's.
    is_answered: bool,
    results: Vec<String>,
}

#[derive(Template)]
#[template(path = "tool_card.html")]
struct ToolCardTemplate<'a> {
    name: &'a str,
    /// The call's own id.
    id: &'a str,
    state: &'static str,
    /// The word for the state, unless all went well.
    words: Option<&'static str>,
    summary: Html,
    facts: &'a [String],
    /// The result's own name for the tool, where it is another than the call's.
    answered_as: Option<&'a str>,
    has_call: bool,
    /// The key of the call's entry and the number of the call in it, from 0.
    call_place: Option<String>,
    /// `212 progress updates`; empty without any.
    progress: &'a str,
    /// The call started a session, which a link below the card leads to.
    is_sub_agent: bool,
    body: Html,
}

#[derive(Template)]
#[template(path = "bash.html")]
struct OwnTemplate<'a> {
    sign: &'a str,
    state: &'static str,
    summary: Html,
    words: Option<&'a str>,
    body: Html,
}

impl RunState {
    fn name(self) -> &'static str {
        match self {
            RunState::Ok => "ok",
            RunState::Failed => "error",
            RunState::Aborted => "aborted",
            RunState::NoResult => "none",
        }
    }

    /// The word for it, unless all went well.
    pub(crate) fn words(self) -> Option<&'static str> {
        match self {
            RunState::Ok => None,
            RunState::Failed => Some("failed"),
            RunState::Aborted => Some("stopped"),
            RunState::NoResult => Some("unfinished"),
        }
    }
}

impl Drawer<'_> {
    /// A line that leads to the results; hidden where the path shown has one.
    pub(super) fn call(&mut self, call: &Call<'_>) -> Html {
        let tree = self.session.tree();
        fill(&CallTemplate {
            name: &call.name,
            id: &call.id,
            is_answered: call.results.iter().any(|&result| tree.is_on_path(result, self.leaf)),
            summary: self.words(&call.summary),
            results: call.results.iter().map(|&result| self.session.key_at(result)).collect(),
        })
    }

    pub(super) fn card(&mut self, card: &Card<'_>) -> Html {
        match &card.caller {
            Caller::Provider => self.provider_card(card),
            Caller::Person { words } => {
                let template = OwnTemplate {
                    sign: &card.name,
                    state: card.state.name(),
                    words: Some(words.as_str()).filter(|words| !words.is_empty()),
                    body: self.content(&card.body),
                    summary: self.words(&card.summary),
                };
                fill_around(template, |template| &mut template.body)
            }
            Caller::Model { id, place, has_call, answered_as, progress, is_sub_agent } => {
                let written = |place: CallPlace| {
                    format!("{} {}", self.session.key_at(place.entry), place.nth)
                };
                let template = ToolCardTemplate {
                    name: &card.name,
                    id,
                    state: card.state.name(),
                    words: card.state.words(),
                    facts: &card.facts,
                    answered_as: answered_as.as_deref(),
                    has_call: *has_call,
                    call_place: (*place).map(written),
                    progress,
                    is_sub_agent: *is_sub_agent,
                    body: self.content(&card.body),
                    summary: self.words(&card.summary),
                };
                fill_around(template, |template| &mut template.body)
            }
        }
    }

    /// A run at the provider's, of which no more is known.
    fn provider_card(&mut self, card: &Card<'_>) -> Html {
        let mut html = Html::new();
        html.push_markup("<details class=\"card\"><summary class=\"card-head\"><b class=\"tool\">");
        html.push_text(&card.name);
        html.push_markup(
            "</b> <span class=\"fact\" data-ui>run by the provider</span></summary>\n",
        );
        html.push_markup("<div class=\"card-body\">\n");
        html.append(self.behind(&card.body));
        html.push_markup("</div></details>\n");
        html
    }
}
