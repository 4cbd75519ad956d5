//! The texts of a page as whoever reads it meets them: unpacked, and without markup.

use std::mem;

use memchr::memmem;

use crate::page::pack_text::{self, Part, attributes, fragment};
use crate::page::packed;
use crate::redact::Words;
use crate::render::html::OwnWords;

use super::files::Files;
use super::{ExtractError, Page};

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
const SAID: [&str; 4] = ["title", "h1", "dd", "li"];

/// Where a line of a file stands in a page.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LinePlace<'t> {
    /// Beside the article of this entry.
    Entry(&'t str),
    /// In the session's file, by its number.
    Session(usize),
    /// In the file of a sub-agent.
    Child(&'t str, usize),
}

/// Who gets the texts.
pub(crate) trait TextReader {
    /// A text without markup: all of a block, or of an attribute. Of an entry, by its key, or of the page.
    fn text(&mut self, entry: Option<&str>, text: &str, words: Words);
    /// A line of one of the session's files.
    fn line(&mut self, place: LinePlace<'_>, line: &[u8]);
    /// The data that the tree is drawn from, as JSON.
    fn outline(&mut self, json: &str);
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
        let mut pieces = vec![Piece::Outline(outline.ok_or(ExtractError::NoPage)?)];
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
            Piece::Outline(data) => {
                let json = self.unpacked(data)?;
                reader.outline(str::from_utf8(&json).map_err(|_| ExtractError::NoPage)?);
            }
            Piece::Pack(data) => {
                let data = str::from_utf8(data).map_err(|_| ExtractError::NoPage)?;
                let pack = self.unpacked(data)?;
                pack_texts(str::from_utf8(&pack).map_err(|_| ExtractError::NoPage)?, reader);
            }
            Piece::Chunk(file, nth) => {
                let files = &self.files[file];
                let (first, data) = files.chunk(nth);
                let lines = self.unpacked(data)?;
                for (line, number) in lines.split(|byte| *byte == b'\n').zip(first..) {
                    if !line.is_empty() {
                        reader.line(files.place(number), line);
                    }
                }
            }
        }
        Ok(())
    }

    fn unpacked(&self, data: &str) -> Result<Vec<u8>, ExtractError> {
        packed::decode(data, self.page.most_bytes).map_err(|_| ExtractError::NoPage)
    }
}

/// The markup outside of scripts and styles, cut before articles.
fn plain(page: &str) -> impl Iterator<Item = &str> {
    let mut rest = page;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = ["<script", "<style"]
                .iter()
                .filter_map(|tag| memmem::find(rest.as_bytes(), tag.as_bytes()))
                .min();
            let end = end.unwrap_or(rest.len());
            let near = rest.as_bytes().get(PIECE_BYTES..end);
            let article = near.and_then(|near| memmem::find(near, b"<article "));
            if let Some(at) = article {
                let (piece, more) = rest.split_at(PIECE_BYTES + at);
                rest = more;
                return Some(piece);
            }
            let (piece, more) = rest.split_at(end);
            let close = if more.starts_with("<style") { "</style>" } else { "</script>" };
            let behind = memmem::find(more.as_bytes(), close.as_bytes());
            rest = behind.map_or("", |at| &more[at + close.len()..]);
            if !piece.trim().is_empty() {
                return Some(piece);
            }
        }
        None
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
        let mut walk = Walk::new(reader);
        walk.fragment(fragment);
        if let Some(line) = line {
            let entry = walk.entry.unwrap_or_default();
            reader.line(LinePlace::Entry(&entry), &pack_text::line(line.as_bytes()));
        }
    }
}

/// Goes through a fragment.
struct Walk<'r, R> {
    reader: &'r mut R,
    /// The key of the entry whose article this is, or was the last.
    entry: Option<String>,
    is_in_article: bool,
    /// The text of the block so far.
    block: String,
    own_words: OwnWords,
    /// Within the part of the page's head that tells of the session.
    is_about_session: bool,
    /// Within an element that shows what the session says of itself.
    is_said: bool,
}

impl<'r, R: TextReader> Walk<'r, R> {
    fn new(reader: &'r mut R) -> Self {
        Walk {
            reader,
            entry: None,
            is_in_article: false,
            block: String::new(),
            own_words: OwnWords::default(),
            is_about_session: false,
            is_said: false,
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
        let tag = fragment(packed);
        let name = tag.trim_start_matches(['<', '/']);
        let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
        let is_end = tag.starts_with("</");
        let is_inline = INLINE.contains(&name);
        if name == "br" {
            self.block.push('\n');
        } else if !is_inline || !is_end && tag.contains(" data-ui") {
            self.end_block();
        }
        let before = self.own_words.are_here();
        self.own_words.pass(&tag);
        if before && !self.own_words.are_here() {
            self.own_words_end();
        }
        if !self.is_in_article {
            self.own_tag(name, &tag, is_end);
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
    fn own_tag(&mut self, name: &str, tag: &str, is_end: bool) {
        match name {
            "section" => self.is_about_session = tag.contains("id=\"session\""),
            // Tells the names of rules.
            "details" if tag.contains("class=\"redacted\"") => self.is_about_session = false,
            _ => {}
        }
        let is_shown = SAID.contains(&name) && (self.is_about_session || name == "title");
        if is_shown {
            self.is_said = !is_end;
        }
    }

    fn attributes(&mut self, packed: &str, element: &str) {
        for (name, value) in attributes(packed) {
            if element == "article" && name == "id" {
                self.entry = value.strip_prefix("entry-").map(str::to_owned);
                self.is_in_article = true;
            }
            // Images are not searched.
            if WITHOUT_TEXT.contains(&name) || value.starts_with("data:") {
                continue;
            }
            let is_description = element == "meta" && !value.starts_with("default-src");
            let words = if is_description { Words::Said } else { Words::Mixed };
            self.give(&value, words);
        }
    }

    fn end_block(&mut self) {
        let text = mem::take(&mut self.block);
        let is_said = self.is_in_article || self.is_said;
        let is_own = self.own_words.are_here() || !is_said;
        self.give(&text, if is_own { Words::Own } else { Words::Said });
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
