//! The body of an entry, by kind.

use std::borrow::Cow;

use askama::Template;

use super::html::Html;
use super::{Renderer, figures, files, fill, markdown, output, tool, value};
use crate::session::calls::CallPlace;
use crate::session::entry::{BranchSummary, Compaction, Entry, Replacement, UsageEntry};
use crate::session::json::Json;
use crate::session::message::{Assistant, Block, CustomMessage, Message, ToolCall};
use crate::session::turns::Spent;
use crate::session::{Body, EntryIndex};

#[derive(Template)]
#[template(path = "compaction.html")]
struct CompactionTemplate {
    by: &'static str,
    tokens_before: Option<String>,
    tokens_after: Option<String>,
    /// Tokens sent with the first answer below, where the size after is not stated.
    next_request: Option<String>,
    /// How many entries above the first kept one the summary stands for.
    replaced: usize,
    /// Where the summary stands among the messages that a context begins with.
    lead_of_summary: usize,
    summary: Html,
    /// The summary's length.
    size: String,
    system: Option<Html>,
    retained: Vec<Retained>,
    files: Html,
}

/// A message that a compaction keeps in itself.
struct Retained {
    lead: usize,
    role: String,
    body: Html,
}

impl Renderer<'_> {
    /// What the entry says, without its head.
    pub(super) fn body(&mut self, index: EntryIndex, entry: &Entry<'_>) -> Html {
        self.pictures.begin();
        match &entry.body {
            Body::Message(Message::Assistant(assistant)) => self.assistant(index, assistant),
            Body::Message(Message::ToolResult(result)) => self.tool_card(index, result),
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
            Body::ModelChange(model) if model.provider.is_empty() => {
                closed(event(&[&model.id], ""))
            }
            Body::ModelChange(model) => closed(event(&[&model.provider, &model.id], "")),
            Body::ThinkingLevelChange(level) => closed(event(&[level], "")),
            Body::SessionInfo(name) => {
                closed(event(&[name], if name.is_empty() { "cleared" } else { "" }))
            }
            Body::Usage(usage) => usage_entry(usage),
            Body::Custom { custom_type, data } => {
                let mut html = closed(event(&[custom_type], ""));
                if let Some(data) = data {
                    html.push(&fold("State", &output::raw(&data.pretty())));
                }
                html
            }
            Body::Other { entry_type, fields } => unknown(entry_type, fields),
        }
    }

    /// A message whose place in the session does not matter.
    fn message(&mut self, index: EntryIndex, message: &Message<'_>) -> Html {
        match message {
            Message::User(content) => self.prompt(index, content),
            Message::Assistant(assistant) => self.blocks(index, &assistant.content),
            Message::ToolResult(result) => {
                output::content(&result.content, self.pictures.seen_from(index))
            }
            Message::System(system) => self.system(index, system),
            Message::Bash(bash) => tool::own_command(bash),
            Message::Custom(custom) => self.custom_message(index, custom),
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
            Some("aborted") => Some("Aborted"),
            Some("error") => Some("Error"),
            Some("length") => Some("Cut off: the answer reached its length limit"),
            Some("deferred") => Some("Deferred"),
            _ => error.map(|_| "Error"),
        };
        if let Some(end) = end {
            html.push_markup("<p class=\"stop\"><span data-ui>");
            html.push_text(end);
            html.push_markup(if error.is_some() { ": </span>" } else { "</span>" });
            html.push_text(error.unwrap_or_default());
            html.push_markup("</p>\n");
        }
        if let Some(spent) = self.turns.of(index).and_then(|turn| turn.since_prompt.as_ref()) {
            html.push_markup("<p class=\"since\" data-ui>Since the prompt: ");
            html.push_text(&since_prompt(spent));
            html.push_markup("</p>\n");
        }
        html
    }

    fn custom_message(&mut self, index: EntryIndex, custom: &CustomMessage<'_>) -> Html {
        let own = self.renderers.message(&custom.custom_type);
        if let Some(html) = own.and_then(|renderer| renderer.render(custom)) {
            return html;
        }
        let mut html = closed(event(&[&custom.custom_type], ""));
        let mut said = self.blocks(index, &custom.content);
        if let Some(details) = &custom.details {
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

    fn compaction(&mut self, index: EntryIndex, compaction: &Compaction<'_>) -> Html {
        let lead_of_summary = usize::from(compaction.system_message.is_some());
        let retained = compaction.retained_tail.iter().flatten().zip(lead_of_summary + 1..);
        let summary = files::of(&compaction.summary, compaction.details.as_ref());
        fill(&CompactionTemplate {
            by: if compaction.from_extension { "an extension" } else { "the agent" },
            tokens_before: compaction.tokens_before.map(figures::grouped),
            tokens_after: compaction.tokens_after.map(figures::grouped),
            next_request: self
                .turns
                .request_after(index)
                .filter(|_| compaction.tokens_after.is_none())
                .map(figures::grouped),
            replaced: self.replaced_entries(index, compaction),
            lead_of_summary,
            size: figures::counted(compaction.summary.split_whitespace().count(), "word"),
            summary: markdown::block(summary.prose),
            system: compaction.system_message.as_ref().map(|system| self.system(index, system)),
            retained: retained
                .map(|(message, lead)| Retained {
                    lead,
                    role: message.role().to_owned(),
                    body: self.message(index, message),
                })
                .collect(),
            files: summary.files,
        })
    }

    /// Everything above the compaction but for what it keeps as it was.
    fn replaced_entries(&self, index: EntryIndex, compaction: &Compaction<'_>) -> usize {
        let tree = self.session.tree();
        let anchor =
            compaction.first_kept_id.as_deref().filter(|_| compaction.retained_tail.is_none());
        let kept = anchor.and_then(|id| self.session.index_beside(index, id));
        let on_path = kept.filter(|&kept| kept != index && tree.is_on_path(kept, index));
        tree.depth(on_path.unwrap_or(index))
    }

    fn branch_summary(&mut self, index: EntryIndex, branch: &BranchSummary<'_>) -> Html {
        let mut html = Html::new();
        if self.session.index_beside(index, &branch.from_id).is_some() {
            html.push_markup("<p class=\"event\"><span data-ui>Came from </span>");
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
            Replacement::Omit => "the model no longer gets ",
            Replacement::Content(_) => "the model gets other content for ",
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

    /// A link to an entry of the session; the bare id where there is none.
    fn reference(&self, index: EntryIndex, id: &str) -> Html {
        let mut html = Html::new();
        let known = self.session.index_beside(index, id);
        if let Some(index) = known {
            html.push_markup("<a class=\"entry-ref\" href=\"#entry-");
            html.push_text(&self.session.key(index));
            html.push_markup("\">");
        }
        html.push_text(id);
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
        Some(figures::counted(spent.answers, "answer")),
        (tokens > 0.0).then(|| format!("{} tokens", figures::short(tokens))),
        Some(figures::money(spent.usage.cost)).filter(|cost| !cost.is_empty()),
        elapsed,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `<p class="event">` with the words, the last followed by a remark; left open.
fn event(words: &[&str], remark: &'static str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"event\">");
    for word in words.iter().filter(|word| !word.is_empty()) {
        html.push_markup("<span class=\"value\">");
        html.push_text(word);
        html.push_markup("</span> ");
    }
    if !remark.is_empty() {
        html.push_markup("<span data-ui>");
        html.push_markup(remark);
        html.push_markup("</span>");
    }
    html
}

fn closed(mut html: Html) -> Html {
    html.push_markup("</p>\n");
    html
}

fn fold(title: &'static str, content: &Html) -> Html {
    let mut html = Html::new();
    html.push_markup("<details class=\"fold\"><summary data-ui>");
    html.push_markup(title);
    html.push_markup("</summary>\n");
    html.push(content);
    html.push_markup("</details>\n");
    html
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

/// An entry of a type unknown here, as it is. The hash by which omp pins a
/// credential would link pages of one account, so it stays out.
fn unknown(entry_type: &str, fields: &[(Cow<'_, str>, Json<'_>)]) -> Html {
    let mut fields = fields.to_vec();
    if entry_type == "credential_pin" {
        fields.retain(|(key, _)| key != "hash");
    }
    output::raw(&Json::Object(fields).pretty())
}

fn usage_entry(entry: &UsageEntry<'_>) -> Html {
    let model = entry.model.as_ref();
    let mut words = vec![entry.kind.as_ref()];
    words.extend(model.map(|model| model.provider.as_ref()));
    words.extend(model.map(|model| model.id.as_ref()));
    let spent = entry.usage.map(|usage| format!("{} tokens, ${:.4}", usage.tokens(), usage.cost));
    words.extend(spent.as_deref());
    words.extend(entry.note.as_deref());
    closed(event(&words, ""))
}
