//! The body of an entry, by kind.

use super::draw::Drawer;
use super::event::{self, closed, event, fold};
use super::{Renderer, files, markdown, mention, output, started, tags, tool, value};
use crate::content::omitted;
use crate::figures;
use crate::html::Html;
use crate::session::calls::CallPlace;
use crate::session::entry::{BranchSummary, Entry, ModelChange, Replacement};
use crate::session::event::Event;
use crate::session::json::Json;
use crate::session::message::{
    Assistant, Block, CustomMessage, Message, Retry, ToolCall, UNFINISHED, joined_text,
};
use crate::session::turns::Spent;
use crate::session::{Body, ContextRules, EntryIndex, context, title};

impl Renderer<'_> {
    /// What the entry says, without its head.
    pub(super) fn body(&mut self, index: EntryIndex, entry: &Entry<'_>) -> Html {
        self.pictures.begin();
        let mut html = self.said(index, entry);
        if entry.omitted.output > 0 {
            // There was some: the remark below says what became of it.
            html = html.without_markup(output::NONE);
        }
        html.push(&self.drawer(index).content(&omitted::parts(&entry.omitted)));
        html.push(&self.artifacts.of(self.session, index, entry));
        self.agents.link(self.session, index, html)
    }

    fn drawer(&self, index: EntryIndex) -> Drawer<'_> {
        Drawer { session: self.session, pictures: self.pictures.seen_from(index) }
    }

    fn said(&mut self, index: EntryIndex, entry: &Entry<'_>) -> Html {
        if let Some(sub) = started::missing(self.session, index) {
            return started::reason(sub);
        }
        match &entry.body {
            Body::Message(Message::Assistant(assistant)) => self.assistant(index, assistant),
            Body::Message(Message::ToolResult(result)) => {
                let sub = started::in_card(self.session, index, entry);
                self.tool_card(index, result, sub)
            }
            Body::Message(message) => self.message(index, message),
            Body::CustomMessage(custom) => self.custom_message(index, custom),
            Body::Compaction(compaction) => self.compaction(index, compaction),
            Body::BranchSummary(branch) => self.branch_summary(index, branch),
            Body::ContextEdit { target_id, replacement } => {
                self.context_edit(index, target_id, replacement)
            }
            Body::Label { target_id, label } => {
                let verb = if label.is_some() { "for " } else { "cleared from " };
                let mut html = event(&[label.as_deref().unwrap_or_default()], verb);
                html.push(&self.reference(index, target_id));
                closed(html)
            }
            Body::ModelChange(change) => model_change(change),
            Body::ThinkingLevelChange(level) => closed(event(&[level], "")),
            Body::SessionInfo(name) => {
                closed(event(&[name], if name.is_empty() { "cleared" } else { "" }))
            }
            Body::Usage(usage) => event::usage_entry(usage),
            Body::Event(Event::Archive { target_id, archived }) => {
                let mut html = event(&[], if *archived { "archived: " } else { "restored: " });
                html.push(&self.reference(index, target_id));
                closed(html)
            }
            Body::Event(happened) => event::of(happened),
            Body::Custom { custom_type, data } => {
                let mut html = closed(event(&[custom_type], ""));
                if let Some(notes) = self.notes(&entry.body) {
                    html.push_markup("<div data-note>\n");
                    html.push(&notes);
                    html.push_markup("</div>\n");
                } else if let Some(data) = data {
                    html.push(&fold("State", &output::raw(&data.pretty())));
                }
                html
            }
            Body::Omitted(omitted) => self.drawer(index).content(&omitted::entries(omitted)),
            Body::Other { fields, .. } => output::raw(&Json::Object(fields.clone()).pretty()),
        }
    }

    /// A message whose place in the session does not matter.
    pub(super) fn message(&mut self, index: EntryIndex, message: &Message<'_>) -> Html {
        match message {
            Message::User(content) => self.prompt(index, content),
            Message::Developer(content) => self.blocks(index, content),
            Message::Assistant(assistant) => self.blocks(index, &assistant.content),
            Message::ToolResult(result) => {
                output::content(&result.content, result.is_error, self.pictures.seen_from(index))
            }
            Message::System(system) => self.system(index, system),
            Message::Bash(bash) => tool::own_command(bash, self.pictures.seen_from(index)),
            Message::Program(program) => tool::own_program(program),
            Message::FileMention(files) => mention::files(files, self.pictures.seen_from(index)),
            Message::Custom(custom) | Message::Hook(custom) => self.custom_message(index, custom),
            Message::Other { fields, .. } => output::raw(&Json::Object(fields.clone()).pretty()),
        }
    }

    /// Blocks in order, without knowledge of results.
    pub(super) fn blocks(&mut self, index: EntryIndex, blocks: &[Block<'_>]) -> Html {
        self.turn(index, blocks, |call, renderer| renderer.call(index, None, false, call))
    }

    /// Blocks in order; `draw` draws the calls among them.
    fn turn(
        &mut self,
        index: EntryIndex,
        blocks: &[Block<'_>],
        mut draw: impl FnMut(&ToolCall<'_>, &Self) -> Html,
    ) -> Html {
        let mut html = Html::new();
        for block in blocks {
            match block {
                Block::Text(text) => html.push(&markdown::block(text)),
                Block::Thinking(text) => html.push(&thinking(text)),
                Block::Image { data, mime_type } => {
                    html.push(&self.pictures.seen_from(index).show(data, mime_type));
                }
                Block::ToolCall(call) => html.push(&draw(call, self)),
                Block::RedactedThinking => html.push(&thinking("")),
                Block::Fallback { from, to } => html.push(&fallback(from, to)),
                Block::ServerTool(json) => html.push(&server_tool(json)),
                Block::Other(json) => html.push(&output::raw(&json.pretty())),
            }
        }
        html
    }

    fn assistant(&mut self, index: EntryIndex, assistant: &Assistant<'_>) -> Html {
        let mut places = (0..).map(|nth| CallPlace { entry: index, nth });
        let aborted = assistant.stopped_by("aborted");
        let mut html = self.turn(index, &assistant.content, |call, renderer| {
            renderer.call(index, places.next(), aborted, call)
        });
        let error = assistant.error_message.as_deref().filter(|error| !error.is_empty());
        let end = match assistant.stop_reason.as_deref() {
            Some("aborted") => Some("Stopped by the user"),
            Some("error") => Some("Error"),
            Some("length") => Some("Cut off: the response reached its length limit"),
            Some("deferred") => Some("Deferred"),
            Some(UNFINISHED) => Some("Never finished: the file has only its beginning"),
            _ => error.map(|_| "Error"),
        };
        if let Some(end) = end {
            html.push_markup("<p class=\"stop\"><span data-ui>");
            html.push_text(end);
            html.push_markup(if error.is_some() { ": </span>" } else { "</span>" });
            html.push_text(error.unwrap_or_default());
            html.push_markup("</p>\n");
        }
        if let Some(retry) = &assistant.retry {
            html.push(&asked_again(retry));
        }
        if let Some(spent) = self.digest.turns.of(index).and_then(|turn| turn.since_prompt.as_ref())
        {
            html.push_markup("<p class=\"since\" data-ui>This turn: ");
            html.push_text(&since_prompt(spent));
            html.push_markup("</p>\n");
        }
        html
    }

    fn custom_message(&mut self, index: EntryIndex, custom: &CustomMessage<'_>) -> Html {
        if custom.is_stop() {
            // The head says it: the text is a notice of the agent to the model.
            return Html::new();
        }
        let own = self.renderers.message(&custom.custom_type);
        if let Some(html) = own.and_then(|renderer| renderer.render(custom)) {
            return html;
        }
        let mut html = closed(event(&[&custom.custom_type], ""));
        let notes = event::advice(custom);
        let details = custom.details.as_ref().filter(|_| notes.is_none());
        let tagged = || tags::within(&custom.content).filter(|_| !custom.display);
        let said = notes.or_else(tagged);
        let mut said = said.unwrap_or_else(|| self.blocks(index, &custom.content));
        if let Some(details) = details {
            said.push(&fold("Details", &value::of(details)));
        }
        if custom.display {
            html.push(&said);
            return html;
        }
        html.push_markup("<details class=\"hidden-message\"><summary data-ui>");
        html.push_markup("Hidden in the terminal</summary>\n");
        html.push(&said);
        html.push_markup("</details>\n");
        html
    }

    /// What an agent notes for itself, where the model gets it.
    fn notes(&self, body: &Body<'_>) -> Option<Html> {
        let is_omp = self.session.dialect().traits().context == ContextRules::Omp;
        match context::note(body).filter(|_| is_omp)? {
            Message::Custom(custom) => Some(markdown::block(&joined_text(&custom.content, "\n"))),
            _ => None,
        }
    }

    fn branch_summary(&mut self, index: EntryIndex, branch: &BranchSummary<'_>) -> Html {
        let mut html = Html::new();
        if self.session.index_beside(index, &branch.from_id).is_some() {
            html.push_markup("<p class=\"event\"><span data-ui>From </span>");
            html.push(&self.reference(index, &branch.from_id));
            html.push_markup("</p>\n");
        }
        if branch.summary.is_empty() {
            html.push_markup("<p class=\"note\" data-ui>No summary was made</p>\n");
        }
        let summary = files::of(&branch.summary, branch.details.as_ref());
        html.push(&markdown::block(summary.prose));
        html.push(&summary.files);
        html
    }

    fn context_edit(
        &mut self,
        index: EntryIndex,
        target_id: &str,
        replacement: &Replacement<'_>,
    ) -> Html {
        let mut html = Html::new();
        html.push_markup("<p class=\"event\"><span data-ui>");
        html.push_markup(match replacement {
            Replacement::Omit => "removed from the model's context: ",
            Replacement::Content(_) => "replaced in the model's context: ",
        });
        html.push_markup("</span>");
        html.push(&self.reference(index, target_id));
        html.push_markup("</p>\n");
        if let Replacement::Content(content) = replacement {
            html.push_markup("<div data-replacement>\n");
            html.push(&self.blocks(index, content));
            html.push_markup("</div>\n");
        }
        html
    }

    /// A link to an entry of the session, named by its first words; the bare id where there is none.
    fn reference(&self, index: EntryIndex, id: &str) -> Html {
        let mut html = Html::new();
        let known = self.session.index_beside(index, id);
        if let Some(index) = known {
            html.push_markup("<a class=\"entry-ref\" data-ui href=\"#entry-");
            html.push_text(&self.session.key(index));
            html.push_markup("\">");
        }
        let words = known.and_then(|index| title::first_words(self.session, index));
        html.push_text(&words.map_or_else(|| id.to_owned(), |words| format!("“{words}”")));
        html.push_markup(if known.is_some() {
            "</a>"
        } else {
            "<span data-ui> (not in this session)</span>"
        });
        html
    }
}

/// `7 answers, 45k tokens, $0.31, 2 min 5 s`.
fn since_prompt(spent: &Spent) -> String {
    let tokens = spent.usage.tokens();
    #[expect(clippy::cast_precision_loss, reason = "shown in minutes")]
    let elapsed = spent.elapsed_ms.map(|ms| figures::duration(ms as f64));
    let parts = [
        Some(figures::counted(spent.answers, "response")),
        (tokens > 0.0).then(|| format!("{} tokens", figures::short(tokens))),
        Some(figures::cost(&spent.usage)).filter(|cost| !cost.is_empty()),
        elapsed,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn thinking(text: &str) -> Html {
    let mut html = Html::new();
    let words = figures::counted(text.split_whitespace().count(), "word");
    let text = markdown::block(text);
    if text.is_empty() {
        html.push_markup(
            "<p class=\"note\" data-ui>Thinking, its text withheld by the provider</p>\n",
        );
        return html;
    }
    html.push_markup("<details class=\"thinking\"><summary data-ui>Thinking, ");
    html.push_text(&words);
    html.push_markup("</summary>\n");
    html.push(&text);
    html.push_markup("</details>\n");
    html
}

fn model_change(change: &ModelChange<'_>) -> Html {
    let role = change.role.as_deref().filter(|role| *role != "default");
    let mut html = event(&[&change.model.provider, &change.model.id], "");
    if let Some(role) = role {
        html.push_markup("<span data-ui>for </span>");
        html.push_text(role);
    }
    closed(html)
}

fn fallback(from: &str, to: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>Continued by another model: </span>");
    html.push_text(from);
    html.push_markup("<span data-ui> → </span>");
    html.push_text(to);
    html.push_markup("</p>\n");
    html
}

/// A tool that ran at the provider's, or what it gave back.
fn server_tool(block: &Json<'_>) -> Html {
    let text = |key| block.get(key).and_then(Json::as_str);
    let mut html = Html::new();
    html.push_markup("<details class=\"card\"><summary class=\"card-head\"><b class=\"tool\">");
    html.push_text(text("name").or(text("type")).unwrap_or("tool"));
    html.push_markup("</b> <span class=\"fact\" data-ui>run by the provider</span></summary>\n");
    html.push_markup("<div class=\"card-body\">\n");
    html.push(&value::of(block));
    html.push_markup("</div></details>\n");
    html
}

fn asked_again(retry: &Retry<'_>) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>Asked again</span>");
    for fact in [&retry.status, &retry.note].into_iter().flatten() {
        html.push_markup("<span data-ui>, </span>");
        html.push_text(fact);
    }
    html.push_markup("</p>\n");
    html
}
