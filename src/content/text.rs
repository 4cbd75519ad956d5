//! The words of the session in what an entry shows: what a search looks through.
//!
//! They are those that the page shows but for leafpress's own, with white space wherever its markup has some.

use super::picture::{facts, stated};
use super::reader::{Reader, Source};
use super::{Caller, Card, Content, Group, GroupKind, Line, List, Part, Shown, Span, Style};
use crate::ansi::Screen;
use crate::changes::diff::Diff;
use crate::html::Html;
use crate::prose;
use crate::raster::Refusal;
use crate::session::invisible::{Piece, may_be_in, pieces};
use crate::session::json::Json;
use crate::session::{EntryIndex, Session};

impl Reader<'_> {
    /// The words of an entry.
    pub(crate) fn text(&self, source: Source<'_>) -> String {
        let mut words = Words::new(self.session, source.index);
        words.content(&self.body(source));
        for mismatch in &source.entry.mismatches {
            words.text.push_str(mismatch.field);
            words.line(&mismatch.value.clone().into_text());
        }
        words.text.push('\n');
        as_seen(words.text)
    }

    /// Those of them that a person or a model said to the other, and the commands and headings of calls: no output, no
    /// thinking, nothing that stands there on demand but the summary of a compaction.
    #[cfg(feature = "catalog")]
    pub(crate) fn said_text(&self, source: Source<'_>) -> String {
        let mut words = Words::new(self.session, source.index);
        for part in self.body(source).parts() {
            match part {
                // A line is what an agent or a provider said, such as why a response failed.
                Part::Prose(_)
                | Part::LongProse(_)
                | Part::Code { .. }
                | Part::List(_)
                | Part::Line(_) => words.part(part),
                Part::Fold(fold) if fold.kind == super::FoldKind::Summary => {
                    words.content(&fold.content);
                }
                Part::Card(card) => {
                    words.head(card);
                    let commands = card.body.parts().iter();
                    commands
                        .filter(|part| matches!(part, Part::Code { .. }))
                        .for_each(|part| words.part(part));
                }
                _ => {}
            }
        }
        as_seen(words.text)
    }
}

/// The text without the characters that a reader does not see, of which the page shows only a mark.
fn as_seen(text: String) -> String {
    let text = if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text };
    if !may_be_in(&text) {
        return text;
    }
    let seen = pieces(&text).filter_map(|piece| match piece {
        Piece::Seen(text) => Some(text),
        // White space parts words, whatever its kind.
        Piece::Invisible(run) => Some(run).filter(|run| run.starts_with(char::is_whitespace)),
    });
    seen.collect()
}

/// The words so far of one entry.
struct Words<'s> {
    session: &'s Session,
    entry: EntryIndex,
    text: String,
}

impl<'s> Words<'s> {
    fn new(session: &'s Session, entry: EntryIndex) -> Words<'s> {
        Words { session, entry, text: "\n".to_owned() }
    }

    fn content(&mut self, content: &Content<'_>) {
        content.parts().iter().for_each(|part| self.part(part));
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Prose(text) => self.prose(text),
            Part::LongProse(text) => {
                let (first, rest) = prose::split(text).unwrap_or((text, ""));
                self.prose(first);
                self.prose(rest);
            }
            Part::Code { text, .. } => self.line(text),
            Part::File { text, .. } | Part::Plain(text) => self.block(text),
            Part::Output { text, .. } => self.block(Screen::of(text).text()),
            Part::Json(json) => self.line(&json.json().pretty()),
            Part::Value(json) => {
                self.value(json.json());
                self.text.push('\n');
            }
            Part::Fields(fields) => {
                for (name, value) in fields {
                    self.block(name);
                    self.value(value.json());
                }
                self.text.push('\n');
            }
            Part::Diff(diff) => self.diff(diff),
            Part::List(list) => self.list(list),
            Part::Parameters(parameters) => {
                for parameter in parameters {
                    self.block(&parameter.name);
                    let words = [&parameter.kind, &parameter.description];
                    words.into_iter().flatten().for_each(|words| self.block(words));
                }
            }
            Part::Line(line) => self.spans_of(line),
            Part::Image { data, mime_type } => self.image(data, mime_type),
            Part::Fold(fold) => {
                self.spans(&fold.title);
                self.text.push('\n');
                self.content(&fold.content);
                self.text.push('\n');
            }
            Part::Group(group) => self.group(group),
            Part::SubSession { .. } => self.text.push('\n'),
            // A line that leads to the card.
            Part::Call(call) => {
                self.text.push_str(&call.name);
                self.text.push(' ');
                self.spans(&call.summary);
                self.text.push('\n');
            }
            Part::Card(card) => self.card(card),
            Part::Html(html) => Html::push_visible_text(html.as_str(), &mut self.text),
        }
    }

    /// A text in lines of its own.
    fn block(&mut self, text: &str) {
        self.text.push('\n');
        self.line(text);
    }

    /// A text that ends its line.
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn prose(&mut self, text: &str) {
        self.block(&prose::text(text));
    }

    fn value(&mut self, value: &Json<'_>) {
        match Shown::of(value) {
            Shown::Long(text) => self.block(text),
            Shown::Short(text) => self.text.push_str(&text),
            Shown::Line(json) => self.text.push_str(&json),
            Shown::Block(json) => self.line(&json),
        }
    }

    fn spans_of(&mut self, line: &Line<'_>) {
        if !line.is_own {
            self.spans(&line.spans);
        }
        self.text.push('\n');
    }

    fn spans(&mut self, spans: &[Span<'_>]) {
        let is_said = |span: &&Span<'_>| {
            !span.is_own && !matches!(span.style, Style::Entry(_) | Style::BeforeKey(_))
        };
        spans.iter().filter(is_said).for_each(|span| self.text.push_str(&span.text));
    }

    fn image(&mut self, data: &str, mime_type: &str) {
        match facts(self.session, self.entry, data) {
            Err(absent) => self.text.push_str(absent.words().1),
            Ok(Err(Refusal::NoRaster)) => self.text.push_str(stated(mime_type.trim())),
            Ok(_) => {}
        }
        self.text.push('\n');
    }

    fn group(&mut self, group: &Group<'_>) {
        match group.kind {
            // The role of a message that is kept is a word of the page's.
            GroupKind::Retained(_) => {}
            _ => self.spans(&group.title),
        }
        self.text.push_str(if group.kind == GroupKind::Advice { "" } else { "\n" });
        self.content(&group.content);
        self.text.push('\n');
    }

    fn list(&mut self, list: &List<'_>) {
        self.text.push('\n');
        for item in &list.items {
            self.spans(&item.words);
            if let [.., Part::List(_)] = item.content.parts() {
                self.text.push('\n');
            }
            self.behind(&item.content);
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    /// What lies behind a title: a value there is all of its place.
    fn behind(&mut self, content: &Content<'_>) {
        for part in content.parts() {
            match part {
                Part::Value(json) => self.value(json.json()),
                part => self.part(part),
            }
        }
    }

    fn diff(&mut self, diff: &Diff<'_>) {
        for file in &diff.files {
            file.names.iter().for_each(|name| self.text.push_str(name));
            self.text.push('\n');
            file.notes.iter().for_each(|note| self.block(note));
            self.text.push('\n');
            for row in &file.rows {
                self.line(row.text.strip_suffix('\r').unwrap_or(row.text));
            }
        }
    }

    fn card(&mut self, card: &Card<'_>) {
        self.head(card);
        self.content(&card.body);
        self.text.push('\n');
    }

    fn head(&mut self, card: &Card<'_>) {
        if !matches!(card.caller, Caller::Person { .. }) {
            self.text.push_str(&card.name);
            self.text.push(' ');
        }
        self.spans(&card.summary);
        if let Caller::Model { answered_as: Some(name), .. } = &card.caller {
            self.text.push(' ');
            self.text.push_str(name);
        }
        self.text.push('\n');
    }
}
