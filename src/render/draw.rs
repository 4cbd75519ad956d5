//! What an entry shows, drawn.
//!
//! The one place where content becomes markup. A `Drawer` is made for one entry. What a step needs is handed to it: the
//! leaf of the path shown, the colors of code, the images that the article has already. Its order is that of the parts,
//! but for the head of a card, which is drawn after the body.

use super::highlight::{self, Colors};
use super::image::Pictures;
use super::{markdown, output, started, value};
use crate::content::work::Work;
use crate::content::{
    Content, Fold, FoldKind, Group, GroupKind, Line, List, ListKind, Parameter, Part, Role, Span,
    Style, withheld,
};
use crate::html::Html;
use crate::session::{EntryIndex, Session};

/// Draws what one entry shows.
#[derive(Debug)]
pub(super) struct Drawer<'a> {
    pub(super) session: &'a Session,
    pub(super) work: &'a Work<'a>,
    pub(super) pictures: Pictures<'a>,
    /// Where the path shown ends.
    pub(super) leaf: EntryIndex,
    pub(super) colors: &'a mut Colors,
}

impl Drawer<'_> {
    pub(super) fn content(&mut self, content: &Content<'_>) -> Html {
        let mut html = Html::new();
        for part in content.parts() {
            html.append(self.part(part));
        }
        html
    }

    fn part(&mut self, part: &Part<'_>) -> Html {
        match part {
            Part::Prose(text) => markdown::block(self.colors, text),
            Part::LongProse(text) => markdown::folded(self.colors, text),
            Part::Code { text, language } => highlight::block(self.colors, text, language),
            Part::File { text, language, first_line } => {
                output::printed_code(self.colors, text, language, *first_line)
            }
            Part::Output { text, failed: false } => output::printed(text),
            Part::Output { text, failed: true } => output::failed(text),
            Part::Plain(text) => output::plain(text),
            Part::Json(json) => output::raw(self.colors, &json.json().pretty()),
            Part::Value(json) => value::alone(self.colors, json.json()),
            Part::Fields(fields) => value::fields(
                self.colors,
                fields.iter().map(|(name, value)| (name.as_ref(), value.json())),
            ),
            Part::Parameters(parameters) => self::parameters(parameters),
            Part::Line(line) => self.line(line),
            Part::Image { data, mime_type } => self.pictures.show(data, mime_type),
            Part::Fold(fold) => self.fold(fold),
            Part::Group(group) => self.group(group),
            Part::SubSession { nth, in_card } => {
                started::link(self.session, self.work, *nth, *in_card)
            }
            Part::Card(card) => self.card(card),
            Part::Diff(diff) => diff.html(),
            Part::List(list) => self.list(list),
            Part::Call(call) => self.call(call),
            Part::Html(html) => html.clone(),
        }
    }

    /// What lies behind a title: a value there is all of its place.
    pub(super) fn behind(&mut self, content: &Content<'_>) -> Html {
        let mut html = Html::new();
        for part in content.parts() {
            html.append(match part {
                Part::Value(json) => value::of(self.colors, json.json()),
                part => self.part(part),
            });
        }
        html
    }

    fn line(&mut self, line: &Line<'_>) -> Html {
        let mut html = Html::new();
        html.push_markup(match line.role {
            Role::Text => "<p",
            Role::Note => "<p class=\"note\"",
            Role::Event => "<p class=\"event\"",
            Role::Stop => "<p class=\"stop\"",
            Role::Stopped => "<p class=\"stop stopped\"",
            Role::Spent => "<p class=\"since\"",
            Role::Files => "<p class=\"files\"",
            Role::Address => "<p class=\"address\"",
            Role::Omitted => "<p class=\"note omitted\"",
        });
        html.push_markup(if line.is_own { " data-ui>" } else { ">" });
        self.spans(&line.spans, &mut html);
        html.push_markup("</p>\n");
        html
    }

    fn fold(&mut self, fold: &Fold<'_>) -> Html {
        let content = self.behind(&fold.content);
        if fold.kind == FoldKind::Thinking && content.is_empty() {
            return self.line(&withheld());
        }
        let (open, before, after) = match fold.kind {
            FoldKind::Plain => ("<details class=\"fold\"><summary", "", ""),
            FoldKind::Thinking => ("<details class=\"thinking\"><summary", "", ""),
            FoldKind::HiddenMessage => ("<details class=\"hidden-message\"><summary", "", ""),
            FoldKind::Summary => ("<details class=\"summary\"><summary", "", ""),
            FoldKind::Skill => ("<details class=\"skill\"><summary", "", ""),
            FoldKind::Mention => ("<details class=\"fold mention\"><summary", "", ""),
            // Quoted: they are not the words of whoever speaks here.
            FoldKind::Citation => (
                "<details class=\"fold mention\"><summary",
                "<div class=\"md\"><blockquote>\n",
                "</blockquote></div>",
            ),
            FoldKind::Artifact => ("<details class=\"fold artifact\"><summary", "", ""),
            FoldKind::SubAgent => (
                "<details class=\"card\"><summary class=\"card-head\"",
                "<div class=\"card-body\">\n",
                "</div>",
            ),
        };
        let mut html = Html::new();
        html.push_markup(open);
        // A title of leafpress's own words alone is marked as a whole.
        let is_own = fold.title.iter().all(|span| span.is_own && span.style == Style::Text);
        html.push_markup(if is_own { " data-ui>" } else { ">" });
        if is_own {
            fold.title.iter().for_each(|span| html.push_text(&span.text));
        } else {
            self.spans(&fold.title, &mut html);
        }
        html.push_markup("</summary>\n");
        html.push_markup(before);
        html.append(content);
        html.push_markup(after);
        html.push_markup("</details>\n");
        html
    }

    fn group(&mut self, group: &Group<'_>) -> Html {
        let mut html = Html::new();
        let end = match group.kind {
            GroupKind::Question => {
                html.push_markup("<div class=\"question\">\n");
                if !group.title.is_empty() {
                    html.push_markup("<p><b>");
                    self.spans(&group.title, &mut html);
                    html.push_markup("</b></p>\n");
                }
                "</div>\n"
            }
            GroupKind::OddEdit => {
                html.push_markup("<div class=\"odd-edit\">");
                html.push(&self.behind(&group.content));
                html.push_markup("</div>\n");
                return html;
            }
            GroupKind::Advice => {
                html.push_markup("<section class=\"advice\">");
                self.spans(&group.title, &mut html);
                "</section>\n"
            }
            GroupKind::Replacement => {
                html.push_markup("<div data-replacement>\n");
                "</div>\n"
            }
            GroupKind::Note => {
                html.push_markup("<div data-note>\n");
                "</div>\n"
            }
            GroupKind::System => {
                html.push_markup("<div class=\"system\">\n");
                "</div>\n"
            }
            GroupKind::Lead(nth) => {
                push_lead(&mut html, nth);
                "</div>"
            }
            GroupKind::Retained(nth) => {
                html.push_markup("<section class=\"retained\"><h4 data-ui>");
                self.spans(&group.title, &mut html);
                html.push_markup("</h4>\n");
                push_lead(&mut html, nth);
                "</div></section>\n"
            }
        };
        html.push(&self.content(&group.content));
        html.push_markup(end);
        html
    }

    /// Words of a line on their own.
    pub(super) fn words(&mut self, spans: &[Span<'_>]) -> Html {
        let mut html = Html::new();
        self.spans(spans, &mut html);
        html
    }

    fn list(&mut self, list: &List<'_>) -> Html {
        let mut html = Html::new();
        html.push_markup(match list.kind {
            ListKind::ToDo => "<ul class=\"todo\">\n",
            ListKind::Options => "<ul class=\"options\">\n",
            ListKind::Calls => "<ul class=\"nested\">\n",
        });
        for item in &list.items {
            let (mark, state) = item.state.sign(list.kind);
            if list.kind == ListKind::Calls {
                html.push_markup("<li><span data-ui title=\"");
                html.push_markup(state);
                html.push_markup("\">");
            } else {
                html.push_markup("<li data-state=\"");
                html.push_markup(state);
                html.push_markup("\"><span class=\"mark\" data-ui>");
            }
            html.push_markup(mark);
            html.push_markup(" </span>");
            self.spans(&item.words, &mut html);
            if let [.., Part::List(_)] = item.content.parts() {
                html.push_markup("\n");
            }
            html.append(self.behind(&item.content));
            html.push_markup("</li>\n");
        }
        if list.is_incomplete {
            html.push_markup("<li data-ui>… more calls, which the agent did not keep</li>\n");
        }
        html.push_markup("</ul>\n");
        html
    }

    fn spans(&mut self, spans: &[Span<'_>], html: &mut Html) {
        for span in spans {
            self.span(span, html);
        }
    }

    fn span(&mut self, span: &Span<'_>, html: &mut Html) {
        let (open, close) = match (span.style, span.is_own) {
            (Style::Text, false) => ("", ""),
            (Style::Text, true) => ("<span data-ui>", "</span>"),
            (Style::Code, false) => ("<code>", "</code>"),
            (Style::Code, true) => ("<code data-ui>", "</code>"),
            (Style::Name, false) => ("<b>", "</b>"),
            (Style::Name, true) => ("<b data-ui>", "</b>"),
            (Style::Value, false) => ("<span class=\"value\">", "</span>"),
            (Style::Value, true) => ("<span class=\"value\" data-ui>", "</span>"),
            (Style::Tool, false) => ("<b class=\"tool\">", "</b>"),
            (Style::Tool, true) => ("<b class=\"tool\" data-ui>", "</b>"),
            (Style::Args, false) => ("<span class=\"args\">", "</span>"),
            (Style::Args, true) => ("<span class=\"args\" data-ui>", "</span>"),
            (Style::Fact, false) => ("<span class=\"fact\">", "</span>"),
            (Style::Fact, true) => ("<span class=\"fact\" data-ui>", "</span>"),
            (Style::Error, _) => ("<span class=\"error-text\">", "</span>"),
            (Style::Program { language, is_cut }, _) => {
                html.push_markup("<code>");
                html.push(&highlight::inline(self.colors, &span.text, language));
                html.push_markup(if is_cut {
                    "<span data-ui>…</span></code>"
                } else {
                    "</code>"
                });
                return;
            }
            (Style::Link, _) => return html.push(&markdown::link(&span.text)),
            (Style::Entry(entry), _) => return self.entry(entry, &span.text, html),
            (Style::BeforeKey(entry), _) => return self.before_key(entry, &span.text, html),
        };
        html.push_markup(open);
        if span.is_own {
            html.push_own_words(&span.text);
        } else {
            html.push_text(&span.text);
        }
        html.push_markup(close);
    }

    fn entry(&mut self, entry: EntryIndex, words: &str, html: &mut Html) {
        html.push_markup("<a class=\"entry-ref\" data-ui href=\"#entry-");
        html.push_text(&self.session.key_at(entry));
        html.push_markup("\">");
        html.push_text(words);
        html.push_markup("</a>");
    }

    fn before_key(&mut self, entry: EntryIndex, words: &str, html: &mut Html) {
        let key = self.session.key_at(entry);
        html.push_markup("<span data-ui>");
        html.push_text(words);
        html.push_markup("<a href=\"#entry-");
        html.push_text(&key);
        html.push_markup("\">");
        html.push_text(&key);
        html.push_markup("</a></span>");
    }
}

/// What the context shown shows in place of a whole entry begins here.
fn push_lead(html: &mut Html, nth: usize) {
    html.push_markup("<div data-lead=\"");
    html.push_text(&nth.to_string());
    html.push_markup("\">\n");
}

fn parameters(parameters: &[Parameter<'_>]) -> Html {
    let mut html = Html::new();
    html.push_markup("<dl class=\"fields parameters\">\n");
    for parameter in parameters {
        html.push_markup("<dt>");
        html.push_text(&parameter.name);
        html.push_markup("</dt>\n<dd>");
        if let Some(kind) = &parameter.kind {
            html.push_markup("<code>");
            html.push_text(kind);
            html.push_markup("</code> ");
        }
        if parameter.is_optional {
            html.push_markup("<span class=\"optional\" data-ui>optional</span> ");
        }
        html.push_text(parameter.description.as_deref().unwrap_or_default());
        html.push_markup("</dd>\n");
    }
    html.push_markup("</dl>\n");
    html
}
