//! Markup that is safe to put into the page.
//!
//! The type is the proof: a session's text gets in through `push_text` alone, which escapes it, and markup of our own
//! is `'static` or was made by this crate (`trusted`). The other half reads such markup back (`visible_text`), for
//! the search and for Markdown; it may assume that markup is well-formed, since nothing but this crate wrote it.

use std::fmt;

/// Markup made by this crate. The only way in for a session's text is
/// [`Html::push_text`], which escapes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// No markup yet.
    pub fn new() -> Html {
        Html::default()
    }

    /// The same with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Html {
        Html(String::with_capacity(bytes))
    }

    /// A text, escaped.
    pub fn text(text: &str) -> Html {
        let mut html = Html::new();
        html.push_text(text);
        html
    }

    /// Markup written by this crate, not by a session.
    pub(crate) fn trusted(markup: String) -> Html {
        Html(markup)
    }

    /// Appends a text, escaped for content and for quoted attributes.
    pub fn push_text(&mut self, text: &str) {
        escape_into(&mut self.0, text);
    }

    /// Appends words of leafpress's own outside of tags: their apostrophes stay bare.
    pub(crate) fn push_own_words(&mut self, words: &str) {
        for (nth, part) in words.split('\'').enumerate() {
            self.0.push_str(if nth > 0 { "'" } else { "" });
            self.push_text(part);
        }
    }

    /// Appends markup.
    pub fn push(&mut self, html: &Html) {
        self.0.push_str(&html.0);
    }

    /// The same with the quotes of its texts bare, as they may be outside of tags: code and JSON are full of them.
    pub(crate) fn push_with_bare_quotes(&mut self, html: &Html) {
        let mut rest = html.0.as_str();
        while !rest.is_empty() {
            let (text, behind) =
                rest.split_at(memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len()));
            let mut pieces = text.split("&quot;");
            self.0.extend(pieces.next());
            self.0.extend(pieces.flat_map(|piece| ["\"", piece]));
            let (tag, behind) = behind.split_at(tag_length(behind));
            self.0.push_str(tag);
            rest = behind;
        }
    }

    /// The same of markup that nobody else needs: what comes first is not copied.
    pub(crate) fn append(&mut self, html: Html) {
        if self.0.is_empty() {
            *self = html;
        } else {
            self.push(&html);
        }
    }

    /// The same within other markup. What may be long lies in memory once.
    pub(crate) fn within(mut self, before: &str, after: &str) -> Html {
        self.0.reserve_exact(before.len() + after.len());
        self.0.insert_str(0, before);
        self.0.push_str(after);
        self
    }

    /// Appends markup that stands in the source code; `'static`, so that no
    /// text of a session gets in.
    pub fn push_markup(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// The same without a piece of markup that stands in the source code.
    pub(crate) fn without_markup(&self, markup: &'static str) -> Html {
        Html(self.0.replace(markup, ""))
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The markup.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text that the browser shows of it, without what the page itself
    /// says in elements marked `data-ui`. Search looks through this.
    pub fn visible_text(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        Html::push_visible_text(&self.0, &mut text);
        text
    }

    /// Appends the same of markup to a text.
    pub(crate) fn push_visible_text(markup: &str, text: &mut String) {
        let mut reader = VisibleText { rest: markup, text, own_words: OwnWords::default() };
        while !reader.rest.is_empty() {
            reader.step();
        }
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl askama::filters::HtmlSafe for Html {}

/// Bytes that need a look: most do not, and a table is quicker than a choice among seven.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"&<>\"'\0\r";
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// Escapes what markup means something by, and evens out what an HTML parser
/// would change: NUL becomes U+FFFD, CR and CRLF become LF.
fn escape_into(out: &mut String, text: &str) {
    out.reserve(text.len());
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !IS_ESCAPED[usize::from(byte)] {
            continue;
        }
        let escaped = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            0 => "\u{fffd}",
            b'\r' if text.as_bytes().get(at + 1) == Some(&b'\n') => "",
            b'\r' => "\n",
            _ => continue,
        };
        out.push_str(&text[copied..at]);
        out.push_str(escaped);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// Reads markup of this crate back to its text. The markup is well-formed and
/// its attributes are quoted, which a reader of foreign markup could not assume.
struct VisibleText<'a> {
    rest: &'a str,
    text: &'a mut String,
    own_words: OwnWords,
}

impl VisibleText<'_> {
    fn step(&mut self) {
        let text_end = memchr::memchr(b'<', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(text_end);
        if !self.own_words.are_here() {
            unescape_into(self.text, text);
        }
        let tag_end = tag_length(rest);
        let (tag, rest) = rest.split_at(tag_end);
        self.rest = rest;
        self.own_words.pass(tag);
    }
}

/// Where markup holds what the page itself says: in elements marked `data-ui`.
#[derive(Debug, Default)]
pub(crate) struct OwnWords {
    /// Open elements within the outermost such one, itself included.
    depth: usize,
}

impl OwnWords {
    /// Whether the text here is the page's own.
    pub(crate) fn are_here(&self) -> bool {
        self.depth > 0
    }

    /// Goes on behind a tag, which may be empty.
    pub(crate) fn pass(&mut self, tag: &str) {
        if tag.starts_with("</") {
            self.pass_end();
        } else if !tag.is_empty() && (self.depth > 0 || is_ui(tag)) && !is_void(tag) {
            self.depth += 1;
        }
    }

    /// Goes on behind the start of an element that is neither void nor marked.
    pub(crate) fn pass_start(&mut self) {
        self.depth += usize::from(self.depth > 0);
    }

    /// Goes on behind the end of an element.
    pub(crate) fn pass_end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

/// The length of the tag at the start of `markup`, quotes respected.
pub(crate) fn tag_length(markup: &str) -> usize {
    // Nearly always the first one.
    if let Some(at) = memchr::memchr(b'>', markup.as_bytes()) {
        let quotes = memchr::memchr_iter(b'"', &markup.as_bytes()[..at]).count();
        if quotes.is_multiple_of(2) {
            return at + 1;
        }
    }
    let mut quoted = false;
    for (at, byte) in markup.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    markup.len()
}

fn is_void(tag: &str) -> bool {
    let name = tag[1..].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    matches!(name, "br" | "hr" | "img" | "input" | "wbr") || tag.ends_with("/>")
}

/// Whether the tag carries the bare attribute `data-ui`.
fn is_ui(tag: &str) -> bool {
    if !tag.contains(" data-ui") {
        return false;
    }
    let mut quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b' ' if !quoted && tag[at + 1..].starts_with("data-ui") => {
                return tag[at + 8..].starts_with([' ', '>']);
            }
            _ => {}
        }
    }
    false
}

/// Undoes what [`escape_into`] and the templates write: names and numbers.
fn unescape_into(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (c, len) = reference(rest).unwrap_or(('&', 0));
        out.push(c);
        rest = &rest[len..];
    }
    out.push_str(rest);
}

/// What a reference stands for of which `rest` is all behind `&`, and where it ends.
pub(crate) fn reference(rest: &str) -> Option<(char, usize)> {
    let (name, _) = rest.split_once(';')?;
    Some((character(name)?, name.len() + 1))
}

/// The character that `&name;` stands for.
fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        _ => char::from_u32(name.strip_prefix('#')?.parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quotes_of_texts_are_bare() {
        let mut html = Html::new();
        let hostile = "\" onclick=\"x()\" '<b>&quot;";
        let mut attribute = Html::trusted("<i title=\"".to_owned());
        attribute.push_text(hostile);
        attribute.push_markup("\">");
        attribute.push_text(hostile);
        attribute.push_markup("</i>");
        html.push_with_bare_quotes(&attribute);
        let (tag, text) = html.as_str().split_once("\">").unwrap();
        assert_eq!(tag.matches('"').count(), 1, "{tag}");
        assert_eq!(text, "\" onclick=\"x()\" &#39;&lt;b&gt;&amp;quot;</i>");
        assert_eq!(html.visible_text(), attribute.visible_text());
    }

    #[test]
    fn text_never_becomes_markup() {
        let html = Html::text("<img src=x onerror='a'> & \"b\"\0\r\n");
        assert_eq!(
            html.as_str(),
            "&lt;img src=x onerror=&#39;a&#39;&gt; &amp; &quot;b&quot;\u{fffd}\n"
        );
    }

    #[test]
    fn markup_is_added_before_and_behind() {
        let mut html = Html::new();
        html.append(Html::text("a"));
        html.append(Html::text("<"));
        assert_eq!(html.within("<b>", "</b>").as_str(), "<b>a&lt;</b>");
    }

    #[test]
    fn visible_text_leaves_out_what_the_page_says() {
        let html = Html::trusted(
            "<p title=\"a > data-ui\">one &amp;lt; <b>two</b><br></p>\
             <details><summary data-ui>Show <i>it</i><br></summary>three</details>"
                .to_owned(),
        );
        assert_eq!(html.visible_text(), "one &lt; twothree");
    }

    #[test]
    fn visible_text_undoes_escaping() {
        let text = "a <b> & 'c' \"d\" &amp;";
        assert_eq!(Html::text(text).visible_text(), text);
        // The templates' own escaping writes numbers.
        assert_eq!(Html::trusted("a &#38;&#60; b & c;".to_owned()).visible_text(), "a &< b & c;");
    }
}
