//! The parser's events, held to what the page allows.
//!
//! The parser gives events, and each is passed on, changed or left out; its end comes later and must match what
//! became of its start (`Close`). No HTML of a session gets through but as text, no picture from elsewhere is
//! fetched, no link leads where none may. Elements nest so deep and no deeper; words are never lost, only the
//! elements around them.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd};

use super::Draw;
use super::autolink;
use super::definitions::Definitions;
use super::footnotes::Footnotes;
use super::table::Table;
use crate::html::Html;
use crate::link;
use crate::session::formulas;

/// Elements within elements; a text that nests deeper loses the inner ones,
/// never its words. Browsers draw a few hundred levels at most.
pub(crate) const MAX_DEPTH: usize = 32;

/// What becomes of an element's end.
enum Close {
    /// It ends as it began.
    Element,
    /// It was left out, and so is its end.
    Nothing,
    /// It began as this markup, which ends so.
    Markup(&'static str),
    /// The same of a link, followed or dead, which leads there; its text are the events from this
    /// one on.
    Link { markup: &'static str, url: String, start: usize },
    /// A paragraph, which a formula on lines of its own parts.
    Prose,
    /// An item of a list, whose words may stand in it without a paragraph.
    Item,
    /// A paragraph stands for it.
    Paragraph,
    /// A footnote, whose events are collected apart.
    Footnote,
}

/// What is collected apart from the text around it.
struct Aside<'a> {
    label: String,
    /// The events before the footnote began.
    outer: Vec<Event<'a>>,
}

pub(super) struct Filter<'a, 'd> {
    source: &'a str,
    draw: &'d mut dyn Draw,
    events: Vec<Event<'a>>,
    open: Vec<Close>,
    /// How many links are open; there are none within links.
    links: usize,
    /// The info string and text of the code block at hand.
    code: Option<(String, String)>,
    table: Table,
    asides: Vec<Aside<'a>>,
    footnotes: Footnotes<'a>,
    definitions: Definitions,
}

impl<'a, 'd> Filter<'a, 'd> {
    pub(super) fn new(source: &'a str, definitions: Definitions, draw: &'d mut dyn Draw) -> Self {
        Filter {
            source,
            draw,
            events: Vec::new(),
            open: Vec::new(),
            links: 0,
            code: None,
            table: Table::default(),
            asides: Vec::new(),
            footnotes: Footnotes::default(),
            definitions,
        }
    }

    /// The events of the whole text.
    pub(super) fn finish(mut self) -> Vec<Event<'a>> {
        let unused = std::mem::take(&mut self.definitions).rest();
        if !unused.is_empty() {
            self.events.push(Event::Start(Tag::Paragraph));
            self.lines_of_text(&unused.join("\n"));
            self.events.push(Event::End(TagEnd::Paragraph));
        }
        self.footnotes.finish(self.events)
    }

    /// Takes the next event, which comes from this place in the text.
    pub(super) fn event(&mut self, event: Event<'a>, place: Range<usize>) {
        match event {
            Event::End(TagEnd::TableCell) => {
                self.table.cell_end = place.end;
                self.end(TagEnd::TableCell);
            }
            Event::End(TagEnd::TableRow) => {
                self.cells_without_a_column(place.end);
                self.end(TagEnd::TableRow);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((info, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((info, code)) = self.code.take() {
                    let drawn = self.draw.code(code, &info);
                    self.events.push(drawn);
                }
            }
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.text(text),
            },
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            Event::Html(text) | Event::InlineHtml(text) => self.html(&text),
            // A formula on lines of its own has no break behind it.
            Event::SoftBreak
                if matches!(self.events.last(), Some(Event::Start(Tag::Paragraph))) => {}
            Event::SoftBreak => self.events.push(Event::HardBreak),
            Event::TaskListMarker(done) => self.task(done),
            Event::InlineMath(inner) => self.formula(&inner, place, false),
            Event::DisplayMath(inner) => self.formula(&inner, place, true),
            event => self.events.push(event),
        }
    }

    /// Nothing in it is Markdown: every sign of it is kept. `\(` stands as `$$` before the parser, too.
    fn formula(&mut self, inner: &str, place: Range<usize>, is_display: bool) {
        let source = formulas::written(self.source, place.clone(), inner, is_display);
        let is_block = is_display && !source.starts_with("\\(") && self.is_apart(&place);
        let Some(drawn) = self.draw.formula(&source, inner, is_block) else {
            return self.lines_of_text(&source);
        };
        if !is_block {
            return self.markup(&drawn);
        }
        let is_in_paragraph = matches!(self.open.last(), Some(Close::Prose));
        if matches!(self.events.last(), Some(Event::HardBreak)) {
            self.events.pop();
        }
        if is_in_paragraph {
            self.end_paragraph();
        }
        // As wide as it is: it scrolls as a table does.
        self.markup(&drawn.within("<div class=\"table\">", "</div>\n"));
        if is_in_paragraph {
            self.events.push(Event::Start(Tag::Paragraph));
        }
    }

    /// Whether a formula may stand on lines of its own. There is white space around it, so that its neighbors are words
    /// of their own either way.
    fn is_apart(&self, place: &Range<usize>) -> bool {
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let before = self.source.get(..place.start).and_then(|text| text.chars().next_back());
        let behind = self.source.get(place.end..).and_then(|text| text.chars().next());
        matches!(self.open.last(), Some(Close::Prose | Close::Item))
            && is_space(before)
            && is_space(behind)
    }

    /// Ends a paragraph; one that a formula leaves empty is none.
    fn end_paragraph(&mut self) {
        if matches!(self.events.last(), Some(Event::Start(Tag::Paragraph))) {
            self.events.pop();
        } else {
            self.events.push(Event::End(TagEnd::Paragraph));
        }
    }

    fn markup(&mut self, html: &Html) {
        self.events.push(Event::Html(html.as_str().to_owned().into()));
    }

    fn literal(&mut self, markup: &'static str) {
        self.events.push(Event::Html(CowStr::Borrowed(markup)));
    }

    /// A text, its bare addresses as links.
    fn text(&mut self, text: CowStr<'a>) {
        let pieces = autolink::pieces(&text);
        if self.links > 0 || pieces.iter().all(|piece| piece.url.is_none()) {
            return self.events.push(Event::Text(text));
        }
        let mut html = Html::new();
        for piece in pieces {
            match piece.url {
                Some(url) => link::push(&mut html, piece.text, &url),
                None => html.push_text(piece.text),
            }
        }
        self.markup(&html);
    }

    /// HTML as text, its line ends kept.
    fn html(&mut self, text: &str) {
        self.lines_of_text(text.strip_suffix('\n').unwrap_or(text));
        // The next line of a block comes as an event of its own.
        if self.open.last().is_some_and(|close| matches!(close, Close::Paragraph)) {
            self.events.push(Event::HardBreak);
        }
    }

    fn lines_of_text(&mut self, text: &str) {
        for (nth, line) in text.split('\n').enumerate() {
            if nth > 0 {
                self.events.push(Event::HardBreak);
            }
            self.text(line.to_owned().into());
        }
    }

    /// What a row of a table holds beyond the table's columns.
    fn cells_without_a_column(&mut self, row_end: usize) {
        let rest = self.source.get(self.table.cell_end..row_end).unwrap_or_default();
        let rest = rest.trim().trim_matches('|').trim();
        if rest.is_empty() {
            return;
        }
        let is_shown = matches!(self.open.last(), Some(Close::Markup(_)));
        self.literal(if is_shown { "<td>" } else { " " });
        self.text(rest.to_owned().into());
        self.literal(if is_shown { "</td>\n" } else { "\n" });
    }

    /// The box of a task, and the class of the item that it begins.
    fn task(&mut self, done: bool) {
        let begins = |event: &Event<'_>| matches!(event, Event::Start(Tag::Item));
        let last = self.events.len().saturating_sub(2);
        if let Some(item) = self.events[last..].iter_mut().rfind(|event| begins(event)) {
            *item = Event::Html(CowStr::Borrowed("<li class=\"task\">"));
        }
        self.events.push(Event::Text(CowStr::Borrowed(if done { "☑ " } else { "☐ " })));
    }

    fn start(&mut self, tag: Tag<'a>) {
        // A list without items or a table without rows would be no list and no table.
        let levels = match tag {
            Tag::Table(_) => 4,
            Tag::List(_) => 2,
            _ => 1,
        };
        if let Tag::Link { link_type, id, .. } | Tag::Image { link_type, id, .. } = &tag
            && let LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut = link_type
        {
            self.definitions.used(id);
        }
        let is_part = matches!(tag, Tag::Item | Tag::TableHead | Tag::TableRow | Tag::TableCell);
        let is_whole_left_out = is_part && matches!(self.open.last(), Some(Close::Nothing));
        let close = if self.open.len() + levels > MAX_DEPTH || is_whole_left_out {
            Close::Nothing
        } else {
            self.start_shown(tag)
        };
        self.links += usize::from(is_link(&close));
        self.open.push(close);
    }

    fn start_shown(&mut self, tag: Tag<'a>) -> Close {
        match tag {
            Tag::Image { dest_url, .. } if dest_url.starts_with("data:") => {
                let (open, close) = self.draw.picture(&dest_url);
                self.markup(&open);
                Close::Markup(close)
            }
            // A link within a link would end the outer one.
            Tag::Link { .. } | Tag::Image { .. } if self.links > 0 => Close::Nothing,
            // A picture elsewhere is not fetched; its text leads there.
            Tag::Link { link_type, dest_url, title, .. }
            | Tag::Image { link_type, dest_url, title, .. } => {
                let mut open = Html::new();
                let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
                let url = format!("{scheme}{dest_url}");
                let markup = link::open_titled(&mut open, &url, &title);
                self.markup(&open);
                Close::Link { markup, url, start: self.events.len() }
            }
            Tag::HtmlBlock => {
                self.events.push(Event::Start(Tag::Paragraph));
                Close::Paragraph
            }
            Tag::FootnoteDefinition(label) => {
                let outer = std::mem::take(&mut self.events);
                self.asides.push(Aside { label: label.to_string(), outer });
                Close::Footnote
            }
            Tag::Heading { level, .. } => {
                self.events.push(Event::Start(Tag::Heading {
                    level: below_the_page(level),
                    id: None,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
                Close::Element
            }
            Tag::Table(alignments) => {
                self.table = Table { alignments, in_head: true, ..Table::default() };
                self.literal("<div class=\"table\"><table>\n");
                Close::Markup("</tbody></table></div>\n")
            }
            Tag::TableHead => {
                self.literal("<thead><tr>\n");
                Close::Markup("</tr></thead><tbody>\n")
            }
            Tag::TableRow => {
                self.table.in_head = false;
                self.table.column = 0;
                self.literal("<tr>\n");
                Close::Markup("</tr>\n")
            }
            Tag::TableCell => {
                let (open, close) = self.table.next_cell();
                self.literal(open);
                Close::Markup(close)
            }
            tag => {
                let close = match tag {
                    Tag::Paragraph => Close::Prose,
                    Tag::Item => Close::Item,
                    _ => Close::Element,
                };
                self.events.push(Event::Start(tag));
                close
            }
        }
    }

    fn end(&mut self, end: TagEnd) {
        let close = self.open.pop();
        self.links -= usize::from(close.as_ref().is_some_and(is_link));
        match close {
            None => {}
            Some(Close::Nothing) => self.end_left_out(end),
            Some(Close::Prose) => self.end_paragraph(),
            Some(Close::Element | Close::Item) => {
                let end = match end {
                    TagEnd::Heading(level) => TagEnd::Heading(below_the_page(level)),
                    end => end,
                };
                self.events.push(Event::End(end));
            }
            Some(Close::Markup(markup)) => self.literal(markup),
            Some(Close::Link { markup, url, start }) => self.end_link(markup, &url, start),
            Some(Close::Paragraph) => {
                if matches!(self.events.last(), Some(Event::HardBreak)) {
                    self.events.pop();
                }
                self.events.push(Event::End(TagEnd::Paragraph));
            }
            Some(Close::Footnote) => {
                if let Some(aside) = self.asides.pop() {
                    let content = std::mem::replace(&mut self.events, aside.outer);
                    self.footnotes.define(&aside.label, content);
                }
            }
        }
    }

    fn end_link(&mut self, markup: &'static str, url: &str, start: usize) {
        let mut text = String::new();
        for event in &self.events[start..] {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(part),
                Event::HardBreak => text.push(' '),
                _ => {}
            }
        }
        self.literal(markup);
        let mut html = Html::new();
        link::push_real_host(&mut html, &text, url);
        if !html.is_empty() {
            self.markup(&html);
        }
    }

    /// Blocks that lost their elements still stand apart.
    fn end_left_out(&mut self, end: TagEnd) {
        let is_inline = matches!(
            end,
            TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image
        );
        let is_apart =
            matches!(self.events.last(), Some(Event::Text(text)) if text.ends_with('\n'));
        if !is_inline && !is_apart {
            self.events.push(Event::Text(CowStr::Borrowed("\n")));
        }
    }
}

fn is_link(close: &Close) -> bool {
    matches!(close, Close::Link { .. })
}

/// The page's title is the one heading of the first level, so a text's own begin at the third.
fn below_the_page(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}
