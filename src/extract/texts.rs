//! The texts of a page as whoever reads it meets them: unpacked, and without markup.
//!
//! A page may show more than its session holds, and what it shows is what must be looked through for secrets. So this
//! reads the page as it was written, in pieces that can be gone through side by side: plain markup, packs, files, the
//! tree, Markdown. What an article repeats of a line that was found clean is passed over (`Known`): nearly all of a
//! page stands in it twice.

use std::mem;

use memchr::memmem;

use crate::html::OwnWords;
use crate::page::wire::pack_text::{self, Part, attributes, fragment};
use crate::page::wire::packed;
use crate::redact::Words;

use super::{ExtractError, Page};
use crate::page::wire::files::{Files, LinePlace};

/// So much of the plain part of a page is gone through in one go, or one article.
const PIECE_BYTES: usize = 128 * 1024;

/// Elements that stand within a line of text.
const INLINE: [&str; 19] = [
    "a", "abbr", "b", "bdi", "code", "del", "em", "i", "img", "ins", "kbd", "mark", "s", "small",
    "span", "strong", "sub", "sup", "time",
];

/// Attributes that hold no text.
const WITHOUT_TEXT: [&str; 3] = ["class", "data-kind", "type"];

/// Elements of the page's head that show what the session says of itself.
const SAID: [&str; 5] = ["title", "h1", "p", "dd", "li"];

/// Facts in the head that leafpress words: sums and what was removed.
const COUNTED: [&str; 6] = ["Entries", "Not included", "Branches", "Messages", "Tokens", "Cost"];

/// Who gets the texts.
pub(crate) trait TextReader {
    /// A text without markup: all of a block, or of an attribute. Of an entry, by its key, or of the page.
    fn text(&mut self, entry: Option<&str>, text: &str, words: Words);
    /// A line of one of the session's files. Tells whether all of it was searched and holds nothing.
    fn line(&mut self, place: LinePlace<'_>, line: &str) -> bool;
    /// The data that the tree is drawn from, as JSON.
    fn outline(&mut self, json: &str);
    /// The entries as Markdown, as JSON, with the outline that names them.
    fn markdown(&mut self, json: &str, outline: &str);
    /// What the session did to files, as JSON.
    fn changes(&mut self, json: &str);
    /// The lines of a hunk.
    fn hunk(&mut self, text: &str);
}

/// The texts of a page, in pieces that can be gone through side by side.
pub(crate) struct PageTexts<'a> {
    page: Page<'a>,
    pieces: Vec<Piece<'a>>,
    files: Vec<Files<'a>>,
}

enum Piece<'a> {
    /// Plain markup.
    Plain(&'a str),
    Outline(&'a str),
    /// With the outline.
    Markdown(&'a str, &'a str),
    /// What happened to files, or their texts.
    Changes(&'a [u8]),
    Hunks(&'a [u8]),
    Pack(&'a [u8]),
    /// Of these files the chunk of this number.
    Chunk(usize, usize),
}

impl<'a> PageTexts<'a> {
    /// Finds them in a page that is not encrypted.
    pub(crate) fn of(page: &'a [u8]) -> Result<PageTexts<'a>, ExtractError> {
        let found = Page::find(page)?;
        let text = str::from_utf8(page).map_err(|_| ExtractError::NoPage)?;
        let outline = found.outline.and_then(|outline| str::from_utf8(outline).ok());
        let outline = outline.ok_or(ExtractError::NoPage)?;
        let markdown = found.markdown.and_then(|markdown| str::from_utf8(markdown).ok());
        let mut pieces = vec![Piece::Outline(outline)];
        pieces.extend(markdown.map(|markdown| Piece::Markdown(markdown, outline)));
        pieces.extend(found.changes.map(Piece::Changes));
        pieces.extend(found.hunks.iter().map(|pack| Piece::Hunks(pack)));
        pieces.extend(found.packs.iter().map(|pack| Piece::Pack(pack)));
        let sources = [found.source, found.child_sources].into_iter().flatten();
        let mut files = Vec::new();
        for (at, source) in sources.enumerate() {
            let read = Files::read(source).map_err(|broken| found.told(super::SESSION, broken))?;
            pieces.extend((0..read.count()).map(|nth| Piece::Chunk(at, nth)));
            files.push(read);
        }
        pieces.extend(plain(text).map(Piece::Plain));
        Ok(PageTexts { page: found, pieces, files })
    }

    pub(crate) fn page(&self) -> &Page<'a> {
        &self.page
    }

    /// How many pieces there are.
    pub(crate) fn count(&self) -> usize {
        self.pieces.len()
    }

    /// The texts of one piece.
    pub(crate) fn read(
        &self,
        piece: usize,
        reader: &mut impl TextReader,
    ) -> Result<(), ExtractError> {
        match self.pieces[piece] {
            Piece::Plain(markup) => plain_texts(markup, reader),
            Piece::Outline(data) => reader.outline(&self.json(data)?),
            Piece::Markdown(data, outline) => {
                reader.markdown(&self.json(data)?, &self.json(outline)?);
            }
            Piece::Changes(data) => reader.changes(&self.pack(data)?),
            Piece::Hunks(data) => {
                for (_, hunk) in pack_text::pieces(&self.pack(data)?) {
                    let mut text = String::new();
                    pack_text::visible_pieces(hunk.as_bytes(), |piece| text.push_str(piece));
                    reader.hunk(&text);
                }
            }
            Piece::Pack(data) => pack_texts(&self.pack(data)?, reader),
            Piece::Chunk(file, nth) => {
                let files = &self.files[file];
                let (first, data) = files.chunk(nth);
                let lines = self.unpacked(data)?;
                for (line, number) in lines.split(|byte| *byte == b'\n').zip(first..) {
                    if !line.is_empty() {
                        reader.line(files.place(number), &String::from_utf8_lossy(line));
                    }
                }
            }
        }
        Ok(())
    }

    fn pack(&self, data: &[u8]) -> Result<String, ExtractError> {
        self.json(str::from_utf8(data).map_err(|_| ExtractError::NoPage)?)
    }

    fn json(&self, data: &str) -> Result<String, ExtractError> {
        String::from_utf8(self.unpacked(data)?).map_err(|_| ExtractError::NoPage)
    }

    fn unpacked(&self, data: &str) -> Result<Vec<u8>, ExtractError> {
        packed::decode(data, self.page.most_bytes).map_err(|_| ExtractError::NoPage)
    }
}

/// The markup outside of scripts and styles, cut before articles.
fn plain(page: &str) -> impl Iterator<Item = &str> {
    let mut rest = page;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut tags = memmem::find_iter(rest.as_bytes(), "<s");
        let close = |at: &usize| match &rest[*at..] {
            tag if tag.starts_with("<script") => Some((*at, "</script>")),
            tag if tag.starts_with("<style") => Some((*at, "</style>")),
            _ => None,
        };
        let (end, close) = tags.find_map(|at| close(&at)).unwrap_or((rest.len(), ""));
        let near = rest.as_bytes().get(PIECE_BYTES..end);
        if let Some(at) = near.and_then(|near| memmem::find(near, b"<article ")) {
            let (piece, more) = rest.split_at(PIECE_BYTES + at);
            rest = more;
            return Some(piece);
        }
        let (piece, more) = rest.split_at(end);
        let behind = memmem::find(more.as_bytes(), close.as_bytes());
        rest = behind.map_or("", |at| &more[at + close.len()..]);
        Some(piece)
    })
}

/// The texts of the page's own markup, and of the articles in it.
fn plain_texts(markup: &str, reader: &mut impl TextReader) {
    let mut packed = Vec::with_capacity(markup.len());
    pack_text::push_fragment(&mut packed, markup);
    Walk::new(reader).fragment(str::from_utf8(&packed).unwrap_or_default());
}

/// The texts of an unpacked pack.
fn pack_texts(pack: &str, reader: &mut impl TextReader) {
    for (line, fragment) in pack_text::pieces(pack) {
        let is_clean = line.is_some_and(|line| {
            let key = key_of(fragment).unwrap_or_default();
            let line = pack_text::line(line.as_bytes());
            reader.line(LinePlace::Entry(&key), &String::from_utf8_lossy(&line))
        });
        let mut walk = Walk::new(reader);
        walk.known = line.filter(|_| is_clean).map(Known::new);
        walk.fragment(fragment);
    }
}

/// The key of the entry of which a fragment is the article.
fn key_of(packed: &str) -> Option<String> {
    let tag = &packed[..pack_text::tag_length(packed)];
    let id = attributes(tag).find(|(name, _)| *name == "id")?.1;
    pack_text::text(id).strip_prefix("entry-").map(str::to_owned)
}

/// A line of the session's file in which nothing was found: what an article shows of it as it stands there was searched
/// with all that stands around it.
struct Known<'p> {
    /// As it lies in the pack, where an article's text is written alike.
    line: &'p str,
    /// Behind the text that was found last.
    from: usize,
    /// How many more bytes may be looked through.
    left: usize,
}

impl<'p> Known<'p> {
    /// Shorter texts are searched as quickly as they are found, and longer ones are looked for by so much of them.
    const LONG: usize = 48;

    fn new(line: &'p str) -> Known<'p> {
        Known { line, from: 0, left: 4 * line.len() }
    }

    /// Whether a block of an article stands in it, behind the block before.
    fn has(&mut self, text: &str) -> bool {
        let text = text.trim_ascii().as_bytes();
        let rest = &self.line.as_bytes()[self.from..];
        let Some(beginning) = text.get(..Self::LONG).filter(|_| rest.len() <= self.left) else {
            return false;
        };
        let found = memmem::find(rest, beginning).filter(|at| rest[*at..].starts_with(text));
        self.left -= found.map_or(rest.len(), |at| at + text.len());
        self.from += found.map_or(0, |at| at + text.len());
        found.is_some()
    }
}

/// Goes through a fragment.
struct Walk<'r, R> {
    reader: &'r mut R,
    known: Option<Known<'r>>,
    /// The key of the entry whose article this is, or was the last.
    entry: Option<String>,
    is_in_article: bool,
    /// The text of the block so far.
    block: String,
    own_words: OwnWords,
    head: Head,
}

/// Where in the page's head.
#[derive(Default)]
struct Head {
    /// Within the part that tells of the session.
    is_about_session: bool,
    /// The name of the fact that follows is one of [`COUNTED`].
    is_counted: bool,
    /// Within an element that shows what the session says of itself.
    is_said: bool,
}

impl<'r, R: TextReader> Walk<'r, R> {
    fn new(reader: &'r mut R) -> Self {
        Walk {
            reader,
            known: None,
            entry: None,
            is_in_article: false,
            block: String::new(),
            own_words: OwnWords::default(),
            head: Head::default(),
        }
    }

    fn fragment(&mut self, packed: &str) {
        pack_text::parts(packed, |part| match part {
            Part::Text(text) => self.block.push_str(text),
            Part::Tag(tag) => self.tag(tag),
            Part::SpanStart => self.own_words.pass_start(),
            Part::SpanEnd => self.own_words.pass_end(),
        });
        self.end_block();
    }

    fn tag(&mut self, packed: &str) {
        // Behind the sign that begins it.
        let tag = packed.get(1..).unwrap_or_default();
        let is_end = tag.starts_with('/');
        let name = &tag[usize::from(is_end)..];
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let is_inline = INLINE.contains(&name);
        let is_ui = tag.contains(" data-ui");
        if name == "dt" && is_end && !self.is_in_article {
            self.head.is_counted = COUNTED.contains(&self.block.trim());
        }
        if name == "br" {
            self.block.push('\n');
        } else if !is_inline || !is_end && is_ui {
            self.end_block();
        }
        let before = self.own_words.are_here();
        // Most tags change nothing.
        if before || is_ui {
            self.own_words.pass(&fragment(packed));
        }
        if before && !self.own_words.are_here() {
            self.own_words_end();
        }
        if !self.is_in_article {
            self.own_tag(name, packed, is_end);
        }
        self.is_in_article &= !(is_end && name == "article");
        if !is_end && tag.contains('=') {
            self.attributes(packed, name);
        }
    }

    /// A block of the page's own words ends within one of the session's.
    fn own_words_end(&mut self) {
        let text = mem::take(&mut self.block);
        self.give(&text, Words::Own);
    }

    /// A tag of the page itself.
    fn own_tag(&mut self, name: &str, packed: &str, is_end: bool) {
        match name {
            "section" => self.head.is_about_session = fragment(packed).contains("id=\"session\""),
            // Tells the names of rules.
            "details" if fragment(packed).contains("\"redacted\"") => {
                self.head.is_about_session = false;
            }
            _ => {}
        }
        let is_shown = SAID.contains(&name) && (self.head.is_about_session || name == "title");
        if is_shown {
            self.head.is_said = !(is_end || name == "dd" && self.head.is_counted);
        }
    }

    fn attributes(&mut self, packed: &str, element: &str) {
        let with_text = |(name, _): &(&str, &str)| !WITHOUT_TEXT.contains(name);
        for (name, value) in attributes(packed).filter(with_text) {
            let value = pack_text::text(value);
            if element == "article" && name == "id" {
                self.entry = value.strip_prefix("entry-").map(str::to_owned);
                self.is_in_article = true;
            }
            // Images are not searched.
            if value.starts_with("data:") {
                continue;
            }
            let is_title = element == "meta" && packed.contains("og:title");
            let words = if is_title { Words::Said } else { Words::Mixed };
            self.give(&value, words);
        }
    }

    fn end_block(&mut self) {
        let text = mem::take(&mut self.block);
        let is_said = self.is_in_article || self.head.is_said;
        let is_own = self.own_words.are_here() || !is_said;
        if !self.known.as_mut().is_some_and(|known| known.has(&text)) {
            self.give(&text, if is_own { Words::Own } else { Words::Said });
        }
        // Its room serves for the next one.
        self.block = text;
        self.block.clear();
    }

    fn give(&mut self, text: &str, words: Words) {
        if !text.trim().is_empty() {
            let entry = self.entry.as_deref().filter(|_| self.is_in_article);
            self.reader.text(entry, text, words);
        }
    }
}
