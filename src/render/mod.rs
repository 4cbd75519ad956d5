//! From an entry to one fragment of markup: one file a kind of content.
//!
//! A fragment does not know where it will lie. Every text of the session goes
//! through [`Html::push_text`] or a template's own escaping.

mod agent;
mod card;
mod did;
mod diff;
mod direction;
mod draw;
mod entry;

mod folded;
mod fork;
mod head;
mod highlight;
mod hunk;

mod image;
mod invisible;

mod long_prompt;
pub(crate) mod markdown;
mod math;
mod numbered;
mod output;
mod started;
mod steps;
mod value;

pub use crate::html::Html;
pub use crate::session::arguments::Arguments;
pub(crate) use highlight::Allowances;
use highlight::Colors;
pub use highlight::Highlight;
pub(crate) use hunk::hunk;

use std::sync::Arc;

use askama::Template;

use agent::AgentPlaces;
use head::Head;
use image::PictureStore;

use crate::content::artifact::ArtifactPlaces;
use crate::content::work::Work;
use crate::content::{self, Part, Renderers, Source, empty_message};
use crate::session::calls::CallReader;
use crate::session::context::State;
use crate::session::digest::Digest;
use crate::session::ending::Befores;
use crate::session::entry::Entry;
use crate::session::json::TypeMismatch;
use crate::session::message::{Message, ToolCall};
use crate::session::story::Story;
use crate::session::{Body, EntryIndex, Kind, Session, key, time};
use crate::workers::Threads;

/// Renders the entries of one session.
#[doc(hidden)]
#[derive(Debug)]
pub struct Renderer<'a> {
    session: &'a Session,
    digest: &'a Digest<'a>,
    reader: CallReader<'a>,
    renderers: Renderers,
    pictures: PictureStore<'a>,
    artifacts: Arc<ArtifactPlaces>,
    agents: Arc<AgentPlaces>,
    work: Work<'a>,
    allowances: Arc<Allowances>,
    /// What parts the page from the parameters in a link to an entry.
    link_mark: char,
}

/// How much of an entry an article has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All of it.
    Whole,
    /// What it says, without its calls and what stands there on demand.
    Words,
    /// The line of the run that it begins, alone.
    Line,
}

/// How an entry lies in the page.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Placement {
    /// What the context shown makes of it; `None` off the path.
    pub state: Option<State>,
    /// The leaf that a link to the entry should open.
    pub leaf: EntryIndex,
}

#[derive(Template)]
#[template(path = "entry.html")]
struct ArticleTemplate<'a> {
    key: String,
    kind: &'static str,
    head: Head,
    context: &'static str,
    hidden: bool,
    label: Option<&'a str>,
    time: Option<Time>,
    /// To the entry; whole articles alone have one.
    link: Option<String>,
    /// Nothing but the line of the run that the entry begins.
    is_line: bool,
    fork: Option<Html>,
    turn_role: &'static str,
    /// One of the steps that a line stands for.
    in_run: bool,
    /// The lines that stand for entries from this one on.
    steps: Html,
    quiet: Html,
    /// Lines of a long prompt beyond those that are seen at first.
    more: Option<usize>,
    body: Html,
    odd: Vec<MismatchField>,
    started: Html,
}

/// When something happened.
pub(crate) struct Time {
    /// As a machine reads it.
    pub(crate) iso: String,
    pub(crate) plain: String,
}

impl Time {
    pub(crate) fn new(ms: i64) -> Time {
        Time { iso: time::iso(ms), plain: time::in_words(ms) }
    }
}

struct MismatchField {
    name: &'static str,
    value: String,
}

impl<'a> Renderer<'a> {
    /// A renderer for the session, of which `digest` is.
    pub fn new(session: &'a Session, digest: &'a Digest<'a>) -> Self {
        let work = Work::read(session, digest);
        Renderer::with_work(session, digest, work, Renderers::new(), Threads::available())
    }

    /// The same where the work of all entries is known, with renderers of the caller's own.
    pub(crate) fn with_work(
        session: &'a Session,
        digest: &'a Digest<'a>,
        work: Work<'a>,
        renderers: Renderers,
        threads: Threads,
    ) -> Self {
        Renderer {
            session,
            digest,
            reader: CallReader::new(session),
            pictures: PictureStore::read(session, &renderers, threads),
            renderers,
            artifacts: Arc::new(ArtifactPlaces::read(session)),
            agents: Arc::new(AgentPlaces::read(session)),
            work,
            allowances: Arc::default(),
            link_mark: '?',
        }
    }

    /// Another renderer of the same session, to work beside this one. What both
    /// know of the session as a whole is there once.
    #[must_use]
    pub fn twin(&self) -> Self {
        Renderer {
            session: self.session,
            digest: self.digest,
            reader: CallReader::new(self.session),
            renderers: self.renderers.clone(),
            pictures: self.pictures.twin(),
            artifacts: Arc::clone(&self.artifacts),
            agents: Arc::clone(&self.agents),
            work: self.work.clone(),
            allowances: Arc::clone(&self.allowances),
            link_mark: self.link_mark,
        }
    }

    /// The same with renderers of the caller's own.
    #[must_use]
    pub fn with_renderers(mut self, renderers: Renderers) -> Self {
        if !renderers.is_empty() {
            self.pictures = PictureStore::read(self.session, &renderers, Threads::available());
        }
        self.renderers = renderers;
        self
    }

    /// The same with a page's share of colors for each entry.
    #[must_use]
    pub(crate) fn with_allowances(mut self, allowances: Allowances) -> Self {
        self.allowances = Arc::new(allowances);
        self
    }

    /// The same for a locked page, whose links keep ids behind `#`: nothing after it is sent to a
    /// server.
    #[must_use]
    pub(crate) fn for_locked(mut self, is_locked: bool) -> Self {
        self.link_mark = if is_locked { '#' } else { '?' };
        self
    }

    /// What each entry is to its turn.
    pub(crate) fn story(&self) -> &'a Story {
        &self.digest.story
    }

    /// What came right before the end of each branch.
    pub(crate) fn befores(&self) -> &Befores {
        &self.digest.befores
    }

    /// What the entries did.
    pub(crate) fn work(&self) -> &Work<'a> {
        &self.work
    }

    /// The text of an entry's fragment, for search.
    pub fn text(&mut self, index: EntryIndex) -> String {
        let entry = self.session.entry_at(index);
        let call = self.call_of(index);
        let source = Source { index, entry: &entry, call: call.as_ref() };
        let text = self.words(source);
        self.reader.keep(index, entry);
        text
    }

    /// The call that an entry is the result of.
    fn call_of(&mut self, index: EntryIndex) -> Option<ToolCall<'a>> {
        let place = self.digest.calls.call_of(index)?;
        self.reader.read(place).cloned()
    }

    /// The entry as an `<article>`.
    pub fn article(&mut self, index: EntryIndex, placement: Placement) -> Html {
        self.article_of(index, placement, Extent::Whole)
    }

    /// What stands for the entry where its steps do not, as an `<article>` of lines: of a step the line of the run that it
    /// begins, of others their words.
    pub(crate) fn lines(&mut self, index: EntryIndex, placement: Placement) -> Html {
        let in_run = self.digest.story.run_of(index).is_some();
        self.article_of(index, placement, if in_run { Extent::Line } else { Extent::Words })
    }

    fn article_of(&mut self, index: EntryIndex, placement: Placement, extent: Extent) -> Html {
        let allowance = self.allowances.of(index);
        highlight::colored(allowance, |colors| self.drawn(index, placement, extent, colors))
    }

    fn drawn(
        &mut self,
        index: EntryIndex,
        placement: Placement,
        extent: Extent,
        colors: &mut Colors,
    ) -> Html {
        let session = self.session;
        let entry = session.entry_at(index);
        let call = self.call_of(index);
        let source = Source { index, entry: &entry, call: call.as_ref() };
        let key = session.key_at(index);
        let leaf = session.key_at(placement.leaf);
        let is_whole = extent == Extent::Whole;
        let template = ArticleTemplate {
            kind: Kind::of(&entry.body).name(),
            head: self.head(index, &entry),
            context: placement.state.unwrap_or(State::None).name(),
            hidden: placement.state.is_none(),
            label: session.label(index).map(|label| label.text.as_str()),
            time: session.time(index).map(Time::new),
            // A key is percent-encoded itself; as a parameter it is encoded again.
            link: is_whole.then(|| {
                format!(
                    "{}leafId={}&targetId={}",
                    self.link_mark,
                    key::encode(&leaf),
                    key::encode(&key)
                )
            }),
            is_line: extent == Extent::Line,
            fork: fork::above(session, index),
            turn_role: self.digest.story.role(index).name(),
            in_run: self.digest.story.run_of(index).is_some(),
            steps: self.steps(index).as_ref().map_or_else(Html::new, fill),
            quiet: self.quiet(index).as_ref().map_or_else(Html::new, fill),
            more: long_prompt::hidden_lines(&entry.body),
            body: match extent {
                Extent::Whole => self.said(source, placement.leaf, colors),
                Extent::Words => self.words_alone(source, placement.leaf, colors),
                Extent::Line => Html::new(),
            },
            odd: if is_whole { odd_fields(&entry.mismatches) } else { Vec::new() },
            started: if is_whole { self.started(index, &entry, colors) } else { Html::new() },
            key,
        };
        let html = invisible::marked(fill_around(template, |template| &mut template.body));
        // Mostly the results of its calls are drawn next.
        self.reader.keep(index, entry);
        html
    }

    /// The body, or a word in its place where a message says nothing at all.
    fn said(&self, source: Source<'_>, leaf: EntryIndex, colors: &mut Colors) -> Html {
        let body = self.body(source, leaf, colors);
        let speaks = match &source.entry.body {
            Body::Message(Message::Custom(custom)) | Body::CustomMessage(custom) => {
                !custom.is_stop()
            }
            what => matches!(what, Body::Message(_)),
        };
        if !body.is_empty() || !speaks {
            return body;
        }
        self.drawer(source.index, leaf, colors).content(&Part::Line(empty_message()).into())
    }

    fn head(&self, index: EntryIndex, entry: &Entry<'_>) -> Head {
        let (turns, rows) = (&self.digest.turns, self.session.format().traits().rows);
        let mut head = Head::of(entry, turns.of(index), turns.is_system_update(index), rows);
        if content::started::missing(self.session, index).is_some() {
            "Session not shown".clone_into(&mut head.who);
        }
        head
    }
}

fn odd_fields(odd: &[TypeMismatch<'_>]) -> Vec<MismatchField> {
    let field = |odd: &TypeMismatch<'_>| MismatchField {
        name: odd.field,
        value: odd.value.clone().into_text().into_owned(),
    };
    odd.iter().map(field).collect()
}

/// Renders a template of ours. Writing to a string cannot fail; a template that
/// failed all the same would show as an empty place.
fn fill(template: &impl Template) -> Html {
    fill_in(template, 0)
}

/// The same with room for so many bytes that the template holds: a text that grows while it is
/// written is copied again and again.
fn fill_in(template: &impl Template, held: usize) -> Html {
    /// What the templates add themselves, about.
    const OWN: usize = 512;
    let mut out = String::with_capacity(held + OWN);
    let _ = template.render_into(&mut out);
    Html::trusted(out)
}

/// The same for a template that holds markup, which may be hundreds of megabytes: such is not copied.
fn fill_around<T: Template>(mut template: T, held: impl Fn(&mut T) -> &mut Html) -> Html {
    /// Markup to copy: quicker than to make room before it.
    const SHORT: usize = 1 << 20;
    /// Stands for what is held. Markup has no such tag, and in texts `<` is escaped.
    const HOLE: &str = "<\0>";
    let len = held(&mut template).as_str().len();
    if len < SHORT {
        return fill_in(&template, len);
    }
    let hole = Html::trusted(HOLE.to_owned());
    let long = std::mem::replace(held(&mut template), hole);
    let around = fill(&template);
    // The template always writes what it holds.
    let (before, after) = around.as_str().split_once(HOLE).unwrap_or_default();
    long.within(before, after)
}
