//! What an entry shows, as data: between the session and all that writes it.
//!
//! A [`Content`] is a list of [`Part`]s in reading order. [`render`](crate::render) draws it as HTML,
//! [`markdown`](crate::markdown) writes it as Markdown, and the search takes its text from it. A part says what
//! something is, never how it looks: how much of an output stands there at once is decided where it is drawn.

pub(crate) mod artifact;
mod card;
mod cited;
mod detail;
mod entry;
mod event;
mod files;
mod group;
mod line;
mod list;
mod mention;
pub(crate) mod omitted;
pub(crate) mod picture;
pub(crate) mod place;
mod reader;
mod renderers;
mod response;
mod skill;
pub(crate) mod started;
mod summary;
mod system;
mod tags;
mod text;
mod tool;
mod value;
pub(crate) mod work;

use std::borrow::Cow;

pub use card::{Call, Caller, Card, RunState};
pub use detail::Detail;
pub(crate) use entry::empty_message;
pub use group::{Group, GroupKind};
pub use line::{Line, Role, Span, Style};
pub use list::{Item, ItemState, List, ListKind};
pub(crate) use reader::{Reader, Source};
pub use renderers::Renderers;
pub(crate) use response::withheld;
pub use system::Parameter;
pub use tool::{ToolCard, ToolRun};
pub(crate) use value::Shown;
pub use value::Value;

use crate::changes::diff::Diff;
use crate::html::Html;
use crate::session::json::Json;
use crate::session::message::Block;
use crate::session::unknown::words_within;

/// What an entry, or a part of one, shows, in reading order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content<'s> {
    parts: Vec<Part<'s>>,
}

/// One part of what an entry shows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Part<'s> {
    /// Markdown, as a person or a model wrote it.
    Prose(Cow<'s, str>),
    /// Markdown of which only the beginning is of interest at first: a long result.
    LongProse(Cow<'s, str>),
    /// Program text.
    Code {
        /// As written.
        text: Cow<'s, str>,
        /// The word that a fence would have; empty where it is not known.
        language: Cow<'s, str>,
    },
    /// The text of a file, or of a part of it.
    File {
        /// As written.
        text: Cow<'s, str>,
        /// The word that a fence would have; empty where it is not known.
        language: Cow<'s, str>,
        /// The number of the first line, from 1, where it is known.
        first_line: Option<usize>,
    },
    /// What a program printed, with the escape sequences of a terminal.
    Output {
        /// As printed.
        text: Cow<'s, str>,
        /// The run failed: why stands at the end.
        failed: bool,
    },
    /// A text that no terminal showed, such as an argument: every character as it is.
    Plain(Cow<'s, str>),
    /// Something unknown here, as it is.
    Json(Value<'s>),
    /// One value in a place of its own.
    Value(Value<'s>),
    /// Named values.
    Fields(Vec<(Cow<'s, str>, Value<'s>)>),
    /// The parameters of a tool that a model may call.
    Parameters(Vec<Parameter<'s>>),
    /// What changed between two texts, or in files.
    Diff(Diff<'s>),
    /// Items with a state: things to do, options, calls.
    List(List<'s>),
    /// A remark or a fact on one line.
    Line(Line<'s>),
    /// An image: base64, a data URL, or the name under which an agent keeps it.
    Image {
        /// The data or its name.
        data: Cow<'s, str>,
        /// As stated.
        mime_type: Cow<'s, str>,
    },
    /// Something that is there on demand.
    Fold(Fold<'s>),
    /// Content that belongs together.
    Group(Group<'s>),
    /// A session that the entry started.
    SubSession {
        /// Which of the session's sub-sessions, from 0.
        nth: usize,
        /// The card of the call says all of it but where it is.
        in_card: bool,
    },
    /// A call whose results have cards of their own.
    Call(Call<'s>),
    /// A run of a tool or a command, with what came of it.
    Card(Box<Card<'s>>),
    /// Markup of a renderer of the caller's own.
    Html(Html),
}

/// Content behind a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Fold<'s> {
    /// What kind of content.
    pub kind: FoldKind,
    /// What it is called.
    pub title: Vec<Span<'s>>,
    /// What lies behind it.
    pub content: Content<'s>,
}

/// What lies behind a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoldKind {
    /// Anything.
    Plain,
    /// What a model thought.
    Thinking,
    /// A message that the terminal did not show.
    HiddenMessage,
    /// The summary of a compaction.
    Summary,
    /// A skill that a prompt brings along.
    Skill,
    /// How a sub-agent was started.
    SubAgent,
    /// A file that a prompt names.
    Mention,
    /// A source that the text before it cites.
    Citation,
    /// A whole output that an agent keeps beside the session.
    Artifact,
}

impl<'s> Content<'s> {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Content::default()
    }

    /// The parts in reading order.
    #[must_use]
    pub fn parts(&self) -> &[Part<'s>] {
        &self.parts
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Adds a part at the end.
    pub fn push(&mut self, part: Part<'s>) {
        self.parts.push(part);
    }

    /// Adds what another content has.
    pub fn append(&mut self, mut other: Content<'s>) {
        self.parts.append(&mut other.parts);
    }

    /// Without calls, and without what stands there on demand.
    pub(crate) fn words_alone(mut self) -> Content<'s> {
        self.parts.retain(|part| !matches!(part, Part::Fold(_) | Part::Call(_) | Part::Card(_)));
        self
    }

    /// Adds Markdown; nothing for a blank text.
    pub fn prose(&mut self, text: impl Into<Cow<'s, str>>) {
        let text = text.into();
        if !text.trim().is_empty() {
            self.push(Part::Prose(text));
        }
    }

    /// Markdown alone.
    fn of_prose(text: impl Into<Cow<'s, str>>) -> Self {
        let mut content = Content::new();
        content.prose(text);
        content
    }

    /// Adds program text.
    pub fn code(&mut self, text: impl Into<Cow<'s, str>>, language: impl Into<Cow<'s, str>>) {
        self.push(Part::Code { text: text.into(), language: language.into() });
    }

    /// Adds what a program printed.
    pub fn output(&mut self, text: impl Into<Cow<'s, str>>) {
        self.push(Part::Output { text: text.into(), failed: false });
    }

    /// Adds a remark of the agent's on a line of its own.
    pub fn notice(&mut self, text: impl Into<Cow<'s, str>>) {
        self.push(Part::Line(Line::new(Role::Note, [Span::text(text)])));
    }

    /// Adds a remark of leafpress's own on a line of its own.
    pub fn remark(&mut self, words: impl Into<Cow<'s, str>>) {
        self.push(Part::Line(Line::own(Role::Note, words)));
    }

    /// Adds named values; nothing where there are none.
    pub fn fields(&mut self, fields: impl IntoIterator<Item = (&'s str, &'s Json<'s>)>) {
        let fields: Vec<_> =
            fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        if !fields.is_empty() {
            self.push(Part::Fields(fields));
        }
    }

    /// Adds content that is there on demand, under a title of leafpress's own.
    pub fn fold(&mut self, title: impl Into<Cow<'s, str>>, content: Content<'s>) {
        self.push(Part::Fold(Fold::own(FoldKind::Plain, title, content)));
    }

    /// Adds a picture, or what is there in its place.
    fn picture(&mut self, block: &'s Block<'s>) {
        match block {
            Block::Image { data, mime_type } => {
                self.push(Part::Image {
                    data: data.as_ref().into(),
                    mime_type: mime_type.as_ref().into(),
                });
            }
            Block::Other(json) => self.unknown(json),
            _ => {}
        }
    }

    /// Adds a block of a kind that is not known here: the words in it, where there are some, and all of it.
    fn unknown(&mut self, json: &'s Json<'s>) {
        let whole = Part::Json(json.into());
        let Some(words) = words_within(json) else { return self.push(whole) };
        self.prose(words);
        let kind = json.get("type").and_then(Json::as_str).unwrap_or("block");
        let title = vec![Span::text(kind), Span::own(": raw JSON")];
        self.push(Part::Fold(Fold { kind: FoldKind::Plain, title, content: whole.into() }));
    }
}

impl<'s> Fold<'s> {
    /// A fold under a title of leafpress's own.
    fn own(kind: FoldKind, title: impl Into<Cow<'s, str>>, content: Content<'s>) -> Self {
        Fold { kind, title: vec![Span::own(title)], content }
    }
}

impl<'s> Extend<Part<'s>> for Content<'s> {
    fn extend<I: IntoIterator<Item = Part<'s>>>(&mut self, parts: I) {
        self.parts.extend(parts);
    }
}

/// Markup of a caller's own.
impl From<Html> for Content<'_> {
    fn from(html: Html) -> Self {
        Part::Html(html).into()
    }
}

impl<'s> From<Part<'s>> for Content<'s> {
    fn from(part: Part<'s>) -> Self {
        Content { parts: vec![part] }
    }
}

impl<'s> FromIterator<Part<'s>> for Content<'s> {
    fn from_iter<I: IntoIterator<Item = Part<'s>>>(parts: I) -> Self {
        Content { parts: parts.into_iter().collect() }
    }
}
