//! Words on one line: whose they are, and what they stand for.

use std::borrow::Cow;

use crate::session::EntryIndex;

/// Words on one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'s> {
    /// What the line is for.
    pub role: Role,
    /// All of it is leafpress's own words: nothing in it is the session's.
    pub is_own: bool,
    /// The words in order. Blanks between them are among them.
    pub spans: Vec<Span<'s>>,
}

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A sentence that is content itself.
    Text,
    /// A remark beside the content.
    Note,
    /// A change or a fact, which is all that the entry says.
    Event,
    /// How a response ended that did not end by itself.
    Stop,
    /// The same of one that was aborted: that is no failure.
    Stopped,
    /// What a turn took so far.
    Spent,
    /// Files by name.
    Files,
    /// Where something is on the web.
    Address,
    /// What stands for parts that were left out.
    Omitted,
}

/// Some words of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span<'s> {
    /// The words.
    pub text: Cow<'s, str>,
    /// What they stand for.
    pub style: Style,
    /// They are leafpress's own words, not the session's.
    pub is_own: bool,
}

/// What the words of a span stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Words in a sentence.
    Text,
    /// A path, a command or an id.
    Code,
    /// The name of what the line is about.
    Name,
    /// The value of a setting or a fact.
    Value,
    /// The name of a tool or an agent.
    Tool,
    /// What a call is about.
    Args,
    /// A short fact beside it.
    Fact,
    /// Program text on one line.
    Program {
        /// The word that a fence would have.
        language: &'static str,
        /// It goes on.
        is_cut: bool,
    },
    /// Why something failed.
    Error,
    /// An address, which becomes a link where it is a safe one.
    Link,
    /// An entry of the session by its first words.
    Entry(EntryIndex),
    /// Words that lead up to an entry, whose key follows them.
    BeforeKey(EntryIndex),
}

impl<'s> Line<'s> {
    /// A line of words of which some are the session's.
    pub fn new(role: Role, spans: impl Into<Vec<Span<'s>>>) -> Self {
        Line { role, is_own: false, spans: spans.into() }
    }

    /// A line of leafpress's own words.
    pub fn own(role: Role, words: impl Into<Cow<'s, str>>) -> Self {
        Line { role, is_own: true, spans: vec![Span::text(words)] }
    }

    /// Names behind words of leafpress's own.
    pub(super) fn listed<N: Into<Cow<'s, str>>>(
        words: &'static str,
        names: impl IntoIterator<Item = N>,
    ) -> Self {
        let mut spans = vec![Span::own(words)];
        for name in names {
            if spans.len() > 1 {
                spans.push(Span::text(", "));
            }
            spans.push(Span::styled(Style::Code, name));
        }
        Line::new(Role::Files, spans)
    }
}

impl<'s> Span<'s> {
    /// Words of the session in a style.
    pub fn styled(style: Style, text: impl Into<Cow<'s, str>>) -> Self {
        Span { text: text.into(), style, is_own: false }
    }

    /// Words of the session.
    pub fn text(text: impl Into<Cow<'s, str>>) -> Self {
        Span::styled(Style::Text, text)
    }

    /// Words of leafpress.
    pub fn own(text: impl Into<Cow<'s, str>>) -> Self {
        Span { is_own: true, ..Span::text(text) }
    }
}
