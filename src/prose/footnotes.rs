//! Footnotes: numbered by their first reference, listed at the end.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event};

/// The footnotes of one text.
#[derive(Debug, Default)]
pub(super) struct Footnotes<'a> {
    /// What each definition holds, by label; a label may be defined twice.
    definitions: HashMap<String, Vec<Vec<Event<'a>>>>,
    /// The labels in the order they were defined.
    defined: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The labels in the order of their numbers.
    numbered: Vec<String>,
}

impl<'a> Footnotes<'a> {
    /// Keeps a definition until the end of the text.
    pub(super) fn define(&mut self, label: &str, content: Vec<Event<'a>>) {
        let label = label.to_lowercase();
        self.defined.push(label.clone());
        self.definitions.entry(label).or_default().push(content);
    }

    /// The events with their references as numbers, and the list of the notes.
    /// A note is reached once, however its references run in circles; one
    /// that nothing refers to comes last, rather than not at all.
    pub(super) fn finish(mut self, text: Vec<Event<'a>>) -> Vec<Event<'a>> {
        let mut events = Vec::with_capacity(text.len());
        self.push_numbered(&mut events, text);
        if self.defined.is_empty() {
            return events;
        }
        events.push(literal("<ol class=\"footnotes\">\n"));
        let mut done = 0;
        let mut defined = std::mem::take(&mut self.defined).into_iter();
        loop {
            let Some(label) = self.numbered.get(done).cloned() else {
                let Some(label) = defined.next() else { break };
                self.number(&label);
                continue;
            };
            done += 1;
            events.push(Event::Html(format!("<li value=\"{done}\">").into()));
            for content in self.definitions.remove(&label).unwrap_or_default() {
                self.push_numbered(&mut events, content);
            }
            events.push(literal("</li>\n"));
        }
        events.push(literal("</ol>\n"));
        events
    }

    fn push_numbered(&mut self, events: &mut Vec<Event<'a>>, content: Vec<Event<'a>>) {
        for event in content {
            match event {
                Event::FootnoteReference(label) => {
                    let number = self.number(&label.to_lowercase());
                    let markup = format!("<sup class=\"footnote-ref\">{number}</sup>");
                    events.push(Event::Html(markup.into()));
                }
                event => events.push(event),
            }
        }
    }

    fn number(&mut self, label: &str) -> usize {
        if let Some(number) = self.numbers.get(label) {
            return *number;
        }
        self.numbered.push(label.to_owned());
        self.numbers.insert(label.to_owned(), self.numbered.len());
        self.numbered.len()
    }
}

fn literal<'a>(markup: &'static str) -> Event<'a> {
    Event::Html(CowStr::Borrowed(markup))
}
