//! What an entry shows, drawn.

use super::image::Pictures;
use super::{highlight, markdown, output, value};
use crate::content::{Content, Fold, FoldKind, Line, Part, Role, Span, Style};
use crate::html::Html;
use crate::session::{EntryIndex, Session};

/// Draws what one entry shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawer<'a> {
    pub(super) session: &'a Session,
    pub(super) pictures: Pictures<'a>,
}

impl Drawer<'_> {
    pub(super) fn content(&self, content: &Content<'_>) -> Html {
        let mut html = Html::new();
        for part in content.parts() {
            html.append(self.part(part));
        }
        html
    }

    fn part(&self, part: &Part<'_>) -> Html {
        match part {
            Part::Prose(text) => markdown::block(text),
            Part::LongProse(text) => markdown::folded(text),
            Part::Code { text, language } => highlight::block(text, language),
            Part::File { text, language, first_line } => {
                output::printed_code(text, language, *first_line)
            }
            Part::Output { text, failed: false } => output::printed(text),
            Part::Output { text, failed: true } => output::failed(text),
            Part::Plain(text) => output::plain(text),
            Part::Json(json) => output::raw(&json.json().pretty()),
            Part::Value(json) => value::alone(json.json()),
            Part::Fields(fields) => {
                value::fields(fields.iter().map(|(name, value)| (name.as_ref(), value.json())))
            }
            Part::Line(line) => self.line(line),
            Part::Image { data, mime_type } => self.pictures.show(data, mime_type),
            Part::Fold(fold) => self.fold(fold),
            // Still drawn where they are read.
            Part::Call(_) | Part::Card(_) => Html::new(),
            Part::Html(html) => html.clone(),
        }
    }

    fn line(&self, line: &Line<'_>) -> Html {
        let mut html = Html::new();
        html.push_markup("<p class=\"");
        html.push_markup(match line.role {
            Role::Note => "note",
            Role::Event => "event",
            Role::Stop => "stop",
            Role::Files => "files",
            Role::Address => "address",
            Role::Omitted => "note omitted",
        });
        html.push_markup(if line.is_own { "\" data-ui>" } else { "\">" });
        self.spans(&line.spans, &mut html);
        html.push_markup("</p>\n");
        html
    }

    fn fold(&self, fold: &Fold<'_>) -> Html {
        let mut html = Html::new();
        html.push_markup("<details class=\"");
        html.push_markup(match fold.kind {
            FoldKind::Plain => "fold",
            FoldKind::Thinking => "thinking",
            FoldKind::HiddenMessage => "hidden-message",
            FoldKind::Mention => "fold mention",
            FoldKind::Artifact => "fold artifact",
        });
        // A title of leafpress's own words alone is marked as a whole.
        let is_own = fold.title.iter().all(|span| span.is_own && span.style == Style::Text);
        html.push_markup(if is_own { "\"><summary data-ui>" } else { "\"><summary>" });
        if is_own {
            fold.title.iter().for_each(|span| html.push_text(&span.text));
        } else {
            self.spans(&fold.title, &mut html);
        }
        html.push_markup("</summary>\n");
        html.append(self.content(&fold.content));
        html.push_markup("</details>\n");
        html
    }

    fn spans(&self, spans: &[Span<'_>], html: &mut Html) {
        for span in spans {
            self.span(span, html);
        }
    }

    fn span(&self, span: &Span<'_>, html: &mut Html) {
        let (open, close) = match (span.style, span.is_own) {
            (Style::Text, false) => ("", ""),
            (Style::Text, true) => ("<span data-ui>", "</span>"),
            (Style::Code, false) => ("<code>", "</code>"),
            (Style::Code, true) => ("<code data-ui>", "</code>"),
            (Style::Value, _) => ("<span class=\"value\">", "</span>"),
            (Style::Tool, false) => ("<b class=\"tool\">", "</b>"),
            (Style::Tool, true) => ("<b class=\"tool\" data-ui>", "</b>"),
            (Style::Args, _) => ("<span class=\"args\">", "</span>"),
            (Style::Fact, false) => ("<span class=\"fact\">", "</span>"),
            (Style::Fact, true) => ("<span class=\"fact\" data-ui>", "</span>"),
            (Style::Link, _) => return html.push(&markdown::link(&span.text)),
            (Style::Entry(entry), _) => return self.entry(entry, &span.text, html),
        };
        html.push_markup(open);
        html.push_text(&span.text);
        html.push_markup(close);
    }

    fn entry(&self, entry: EntryIndex, words: &str, html: &mut Html) {
        html.push_markup("<a class=\"entry-ref\" data-ui href=\"#entry-");
        html.push_text(&self.session.key(entry));
        html.push_markup("\">");
        html.push_text(words);
        html.push_markup("</a>");
    }
}
