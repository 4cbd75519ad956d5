//! Pictures: raster only, inline only, each stored once. What an agent keeps
//! in a blob beside the session comes in; what lies elsewhere is never fetched.
//!
//! A picture is known by the hash of its data. The first entry in document
//! order that shows it holds the data; the others repeat it, and the page's
//! script fills them in.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use memchr::memmem;
use sha2::{Digest, Sha256};

use crate::content::Renderers;
use crate::content::picture::{Absent, resolve, stated};
use crate::figures;
use crate::html::Html;
use crate::raster::{self, ImageFacts, Refusal};
use crate::session::entry::Replacement;
use crate::session::message::{Block, Message};
use crate::session::{Body, Entry, EntryIndex, Session};
use crate::workers::{self, Threads};

type Key = [u8; 32];

/// The pictures of a session.
#[derive(Debug)]
pub(super) struct PictureStore<'a> {
    session: &'a Session,
    stored: Arc<HashMap<Key, Stored>>,
}

#[derive(Debug)]
struct Stored {
    facts: ImageFacts,
    /// The entry that holds the data, and its key.
    first: EntryIndex,
    first_key: String,
}

/// The pictures of a session as one of its entries shows them.
#[derive(Debug)]
pub(super) struct Pictures<'a> {
    store: &'a PictureStore<'a>,
    entry: EntryIndex,
    /// Those that the article shows already.
    drawn: HashSet<Key>,
}

impl<'a> PictureStore<'a> {
    /// Which pictures of the session are the same. An entry that one of
    /// `renderers` draws never holds a picture for others: it may leave it out.
    pub(super) fn read(
        session: &'a Session,
        renderers: &Renderers,
        threads: Threads,
    ) -> PictureStore<'a> {
        let mut stored = HashMap::new();
        // Most entries hold no picture and need not be parsed for this.
        let marks = ["\"image\"", "\"frames\""].map(memmem::Finder::new);
        let may_hold = workers::map(threads, session.len(), |index| {
            let raw = session.raw_at(EntryIndex::new(index)).as_bytes();
            marks.iter().any(|mark| mark.find(raw).is_some())
        });
        for index in session.tree().order().filter(|index| may_hold[(*index).get()]) {
            let entry = session.entry_at(index);
            if !renderers.may_show(&entry.body) {
                each_picture(&entry, |data| note_picture(session, &mut stored, index, data));
            }
        }
        PictureStore { session, stored: Arc::new(stored) }
    }

    /// The same store for a renderer that works beside this one's.
    pub(super) fn twin(&self) -> PictureStore<'a> {
        let stored = Arc::clone(&self.stored);
        PictureStore { session: self.session, stored }
    }

    /// The pictures as `entry` shows them.
    pub(super) fn seen_from(&self, entry: EntryIndex) -> Pictures<'_> {
        Pictures { store: self, entry, drawn: HashSet::new() }
    }
}

fn note_picture(
    session: &Session,
    stored: &mut HashMap<Key, Stored>,
    first: EntryIndex,
    data: &str,
) {
    let Ok(data) = resolve(session, first, data) else { return };
    let data = raster::without_blanks(&data);
    let key = key(&data);
    if !stored.contains_key(&key)
        && let Ok(facts) = raster::read(&data)
    {
        let first_key = session.key_at(first);
        stored.insert(key, Stored { facts, first, first_key });
    }
}

/// The data of every picture that the entry's article shows.
fn each_picture(entry: &Entry<'_>, mut note: impl FnMut(&str)) {
    let mut blocks = |blocks: &[Block<'_>]| {
        for block in blocks {
            if let Block::Image { data, .. } = block {
                note(data);
            }
        }
    };
    match &entry.body {
        Body::Message(Message::Bash(bash)) => blocks(&bash.images),
        Body::Message(Message::FileMention(files)) => {
            for file in files {
                blocks(file.image.as_slice());
            }
        }
        Body::Message(message) => blocks(message.content()),
        Body::CustomMessage(custom) => blocks(&custom.content),
        Body::ContextEdit { replacement: Replacement::Content(content), .. } => blocks(content),
        Body::Compaction(compaction) => {
            compaction.system_message.iter().for_each(|system| blocks(&system.content));
            compaction.retained_tail.iter().flatten().map(Message::content).for_each(&mut blocks);
            blocks(&compaction.frames());
        }
        _ => {}
    }
}

fn key(data: &str) -> Key {
    Sha256::digest(data.as_bytes()).into()
}

impl Pictures<'_> {
    /// A picture from base64, or a note where it cannot be shown.
    pub(super) fn show(&mut self, data: &str, mime_type: &str) -> Html {
        let data = match resolve(self.store.session, self.entry, data) {
            Ok(data) => data,
            Err(absent) => return absent_note(&absent),
        };
        let data = raster::without_blanks(&data);
        let key = key(&data);
        let mime_type = mime_type.trim();
        let Some(stored) = self.store.stored.get(&key) else {
            return match raster::read(&data) {
                Ok(facts) => figure(&Picture { key, facts }, mime_type, Source::Data(&data)),
                Err(refusal) => note(refusal, mime_type),
            };
        };
        let is_new = self.drawn.insert(key);
        let source = match stored.first == self.entry {
            true if is_new => Source::Data(&data),
            true => Source::Above(None),
            false => Source::Above(Some(&stored.first_key)),
        };
        figure(&Picture { key, facts: stored.facts }, mime_type, source)
    }
}

struct Picture {
    key: Key,
    facts: ImageFacts,
}

/// Where the data of a picture is.
#[derive(Clone, Copy)]
enum Source<'a> {
    Data(&'a str),
    /// In the article of this key; without one, further up in the same article.
    Above(Option<&'a str>),
}

impl Picture {
    /// `png, 640 × 480, 12 KB`.
    fn words(&self) -> String {
        let ImageFacts { kind, size, bytes } = self.facts;
        let size = size.map(|(width, height)| format!(" {width} × {height},"));
        format!("{kind},{} {}", size.unwrap_or_default(), figures::bytes(bytes))
    }

    fn image(&self, data: Option<&str>) -> Html {
        let mut html = Html::new();
        html.push_markup("<img");
        if let Some(data) = data {
            html.push_markup(" src=\"data:image/");
            html.push_markup(self.facts.kind);
            html.push_markup(";base64,");
            html.push_text(data);
            html.push_markup("\"");
        }
        html.push_markup(" alt=\"Image (");
        html.push_text(&self.words());
        html.push_markup(")\"");
        if let Some((width, height)) = self.facts.size {
            html.push_markup(" width=\"");
            html.push_text(&width.to_string());
            html.push_markup("\" height=\"");
            html.push_text(&height.to_string());
            html.push_markup("\"");
        }
        html.push_markup(" data-picture=\"p");
        html.push_text(&data_encoding::HEXLOWER.encode(&self.key[..8]));
        html.push_markup("\">");
        html
    }
}

fn figure(picture: &Picture, mime_type: &str, source: Source<'_>) -> Html {
    let mut html = Html::new();
    let data = match source {
        Source::Data(data) => Some(data),
        Source::Above(_) => None,
    };
    html.push_markup(match source {
        Source::Data(_) => "<figure class=\"picture\">",
        Source::Above(_) => "<figure class=\"picture repeat\">",
    });
    html.push(&picture.image(data));
    html.push_markup("<figcaption data-ui>");
    html.push_text(&picture.words());
    if !raster::is_called(picture.facts.kind, mime_type) {
        html.push_markup(", stated as ");
        html.push_text(if mime_type.is_empty() { "no type" } else { mime_type });
    }
    match source {
        Source::Data(_) => {}
        Source::Above(None) => html.push_markup(", as above"),
        Source::Above(Some(key)) => {
            html.push_markup(", as above in <a href=\"#entry-");
            html.push_text(key);
            html.push_markup("\">");
            html.push_text(key);
            html.push_markup("</a>");
        }
    }
    html.push_markup("</figcaption></figure>\n");
    html
}

fn absent_note(absent: &Absent<'_>) -> Html {
    let (before, name, after) = absent.words();
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>Image not shown: ");
    html.push_markup(before);
    html.push_markup("</span><code>");
    html.push_text(name);
    html.push_markup("</code><span data-ui> ");
    html.push_text(after);
    html.push_markup("</span></p>\n");
    html
}

fn note(refusal: Refusal, mime_type: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>Image not shown: ");
    html.push_markup(refusal.words());
    if refusal == Refusal::NoRaster {
        html.push_markup("; its type is stated as </span><code>");
        html.push_text(stated(mime_type));
        html.push_markup("</code></p>\n");
    } else {
        html.push_markup("</span></p>\n");
    }
    html
}

/// A picture that stands in a line of text as a data URL: its opening and
/// closing markup, between which its description goes.
pub(super) fn inline(url: &str) -> (Html, &'static str) {
    let mut html = Html::new();
    let data = url.split_once(";base64,").map_or("", |(_, data)| data);
    let data = raster::without_blanks(data);
    match raster::read(&data) {
        Ok(facts) => {
            html.push_markup("<span class=\"picture\">");
            html.push(&Picture { key: key(&data), facts }.image(Some(&data)));
            html.push_markup(" ");
        }
        Err(refusal) => {
            html.push_markup("<span class=\"dead-link\" title=\"Image not shown: ");
            html.push_markup(refusal.words());
            html.push_markup("\">");
        }
    }
    (html, "</span>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Placement, Renderer};
    use crate::session::digest::Digest;

    const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

    #[test]
    fn a_picture_is_never_held_by_an_entry_that_may_leave_it_out() {
        let image = format!(r#"[{{"type":"image","data":"{GIF}","mimeType":"image/gif"}}]"#);
        let file = format!(
            r#"{{"type":"session","version":3,"id":"x","cwd":"/"}}
{{"type":"custom_message","id":"own","parentId":null,"customType":"bell","content":{image}}}
{{"type":"message","id":"one","parentId":"own","message":{{"role":"user","content":{image}}}}}
{{"type":"message","id":"two","parentId":"one","message":{{"role":"user","content":{image}}}}}"#
        );
        let session = crate::read(file.into_bytes()).unwrap();
        let digest = Digest::read(&session);
        let sources = |mut renderer: Renderer<'_>| {
            let mut holds = |entry| {
                let article = renderer.article(entry, Placement { state: None, leaf: entry });
                article.as_str().contains(" src=\"data:")
            };
            // Drawn again, an article is the same.
            [
                holds(EntryIndex::new(0)),
                holds(EntryIndex::new(1)),
                holds(EntryIndex::new(2)),
                holds(EntryIndex::new(0)),
                holds(EntryIndex::new(1)),
            ]
        };
        let plain = Renderer::new(&session, &digest);
        assert_eq!(sources(plain), [true, false, false, true, false]);
        let renderers = Renderers::new().with_message("bell", |_| Some(Html::text("ding").into()));
        let drawn = Renderer::new(&session, &digest).with_renderers(renderers);
        assert_eq!(sources(drawn), [false, true, false, false, true]);
    }
}
