//! Markdown of an untrusted author.
//!
//! The parser's events are filtered before they become markup: HTML turns into
//! text, links and images are held to a short list of addresses, nesting is
//! bounded, so no sanitiser has to come after.

use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

use super::figures::bytes;
use super::highlight;
use super::html::Html;
use super::image::is_picture_url;
use super::link;

/// Elements within elements; a text that nests deeper loses the inner ones,
/// never its words. Browsers draw a few hundred levels at most.
const MAX_DEPTH: usize = 32;

/// A Markdown text as `<div class="md">`.
pub(super) fn block(text: &str) -> Html {
    let mut html = Html::new();
    if text.trim().is_empty() {
        return html;
    }
    html.push_markup("<div class=\"md\">\n");
    html.push(&render(text));
    html.push_markup("</div>\n");
    html
}

/// A long text: its first paragraphs, the rest behind a fold.
pub(super) fn folded(text: &str) -> Html {
    let Some(cut) = end_of_first_paragraphs(text) else { return block(text) };
    let (first, rest) = text.split_at(cut);
    let mut html = block(first);
    html.push_markup("<details class=\"more\"><summary data-ui>");
    html.push_text(&format!("{} more lines, {}", rest.lines().count(), bytes(rest.len())));
    html.push_markup("</summary>\n");
    html.push(&block(rest));
    html.push_markup("</details>\n");
    html
}

/// The first blank line outside a fence that leaves enough above it to be
/// read and enough below it to be folded.
fn end_of_first_paragraphs(text: &str) -> Option<usize> {
    /// Shown at once at least.
    const FIRST_LINES: usize = 12;
    /// A fold with less helps nobody.
    const FOLDED_LINES: usize = 12;
    let total = text.lines().count();
    let (mut at, mut in_fence) = (0, false);
    for (nth, line) in text.split_inclusive('\n').enumerate() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
        }
        if nth >= FIRST_LINES && !in_fence && line.trim().is_empty() {
            return (total - nth > FOLDED_LINES).then_some(at);
        }
        at += line.len();
    }
    None
}

/// An address as a link under the same rule as those in a text, else as text.
pub(super) fn link(url: &str) -> Html {
    let mut html = Html::new();
    let close = if link::is_safe(url) { link::open(&mut html, url) } else { "" };
    html.push_text(url);
    html.push_markup(close);
    html
}

fn render(text: &str) -> Html {
    // An HTML parser drops NUL and changes CR: do it first, so that what is
    // searched is what is shown.
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut filter = Filter::default();
    for event in Parser::new_ext(&text, options) {
        filter.event(event);
    }
    let mut markup = String::with_capacity(text.len() * 3 / 2);
    html::push_html(&mut markup, filter.events.into_iter());
    Html::trusted(markup)
}

/// What becomes of an element's end.
enum Close {
    /// It ends as it began.
    Element,
    /// It was left out, and so is its end.
    Nothing,
    /// It began as this markup, which ends so.
    Markup(&'static str),
    /// A paragraph stands for it.
    Paragraph,
}

#[derive(Default)]
struct Filter<'a> {
    events: Vec<Event<'a>>,
    open: Vec<Close>,
    /// The language and text of the code block at hand.
    code: Option<(String, String)>,
    table: Table,
}

/// The table at hand. The parser's own writer aligns cells by inline styles,
/// which the page's policy forbids.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    in_head: bool,
    column: usize,
}

impl Table {
    /// The tags of the next cell. The line end keeps the words of neighbours apart.
    fn next_cell(&mut self) -> (&'static str, &'static str) {
        let alignment = self.alignments.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        let open = match (self.in_head, alignment) {
            (true, Alignment::Center) => "<th class=\"center\">",
            (true, Alignment::Right) => "<th class=\"end\">",
            (true, _) => "<th>",
            (false, Alignment::Center) => "<td class=\"center\">",
            (false, Alignment::Right) => "<td class=\"end\">",
            (false, _) => "<td>",
        };
        (open, if self.in_head { "</th>\n" } else { "</td>\n" })
    }
}

impl<'a> Filter<'a> {
    fn event(&mut self, event: Event<'a>) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => language_of(info).to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((language, code)) = self.code.take() {
                    self.markup(&highlight::block(&code, &language));
                }
            }
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.events.push(Event::Text(text)),
            },
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            Event::Html(text) | Event::InlineHtml(text) => self.lines_of_text(&text),
            Event::SoftBreak => self.events.push(Event::HardBreak),
            Event::TaskListMarker(done) => {
                self.events.push(Event::Text(CowStr::Borrowed(if done { "☑ " } else { "☐ " })));
            }
            event => self.events.push(event),
        }
    }

    fn markup(&mut self, html: &Html) {
        self.events.push(Event::Html(html.as_str().to_owned().into()));
    }

    fn literal(&mut self, markup: &'static str) {
        self.events.push(Event::Html(CowStr::Borrowed(markup)));
    }

    /// HTML as text, its line ends kept.
    fn lines_of_text(&mut self, text: &str) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        for (nth, line) in text.split('\n').enumerate() {
            if nth > 0 {
                self.events.push(Event::HardBreak);
            }
            self.events.push(Event::Text(line.to_owned().into()));
        }
        // The next line of a block comes as an event of its own.
        if self.open.last().is_some_and(|close| matches!(close, Close::Paragraph)) {
            self.events.push(Event::HardBreak);
        }
    }

    fn start(&mut self, tag: Tag<'a>) {
        if self.open.len() >= MAX_DEPTH {
            return self.open.push(Close::Nothing);
        }
        let close = match tag {
            Tag::Image { ref dest_url, .. } if is_picture_url(dest_url) => {
                self.events.push(Event::Start(tag));
                Close::Element
            }
            // A link within a link would end the outer one.
            Tag::Image { .. } if self.is_in_link() => Close::Nothing,
            // A picture elsewhere is not fetched; its text leads there.
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => self.link(&dest_url),
            Tag::HtmlBlock => {
                self.events.push(Event::Start(Tag::Paragraph));
                Close::Paragraph
            }
            Tag::Heading { level, .. } => {
                let level = below_the_page(level);
                self.events.push(Event::Start(Tag::Heading {
                    level,
                    id: None,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
                Close::Element
            }
            Tag::Table(alignments) => {
                self.table = Table { alignments, in_head: true, column: 0 };
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
                self.events.push(Event::Start(tag));
                Close::Element
            }
        };
        self.open.push(close);
    }

    fn is_in_link(&self) -> bool {
        self.open.iter().any(|close| matches!(close, Close::Markup("</a>")))
    }

    /// A link, or its text alone where it may not be followed.
    fn link(&mut self, url: &str) -> Close {
        let mut open = Html::new();
        let close = link::open(&mut open, url);
        self.markup(&open);
        Close::Markup(close)
    }

    fn end(&mut self, end: TagEnd) {
        match self.open.pop() {
            None | Some(Close::Nothing) => {}
            Some(Close::Element) => {
                let end = match end {
                    TagEnd::Heading(level) => TagEnd::Heading(below_the_page(level)),
                    end => end,
                };
                self.events.push(Event::End(end));
            }
            Some(Close::Markup(markup)) => self.literal(markup),
            Some(Close::Paragraph) => {
                if matches!(self.events.last(), Some(Event::HardBreak)) {
                    self.events.pop();
                }
                self.events.push(Event::End(TagEnd::Paragraph));
            }
        }
    }
}

/// The first word of a fence's info string, without braces or a file name.
fn language_of(info: &str) -> &str {
    info.split([' ', ',', '{', ':']).next().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn markup(text: &str) -> String {
        render(text).as_str().to_owned()
    }

    #[test]
    fn html_shows_as_text() {
        assert_eq!(markup("a <b onclick=x>b</b>"), "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n");
        let block = markup("<script>\nalert(1)\n</script>");
        assert_eq!(block, "<p>&lt;script&gt;<br />\nalert(1)<br />\n&lt;/script&gt;</p>\n");
    }

    #[test]
    fn only_a_few_schemes_are_links() {
        assert!(markup("[a](https://example.org/x)").contains("<a href=\"https://example.org/x\""));
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "//evil.example/x",
            "file:///etc/passwd",
        ] {
            let html = markup(&format!("[a]({url})"));
            assert!(!html.contains("<a "), "{html}");
            assert!(html.contains(">a</span>"), "{html}");
        }
        assert!(!markup("<javascript:alert(1)>").contains("<a "));
    }

    #[test]
    fn pictures_from_elsewhere_are_links_never_requests() {
        let html = markup("![cat](https://example.org/cat.png)");
        assert!(
            html.contains("<a href=") && html.contains(">cat</a>") && !html.contains("<img"),
            "{html}"
        );
        assert!(!markup("![x](data:image/svg+xml;base64,AAAA)").contains("<img"));
        assert!(
            markup("![x](data:image/png;base64,AAAA)")
                .contains("<img src=\"data:image/png;base64,AAAA\"")
        );
    }

    #[test]
    fn headings_stay_below_the_page_title() {
        assert_eq!(markup("# a"), "<h3>a</h3>\n");
        assert_eq!(markup("##### a"), "<h6>a</h6>\n");
    }

    #[test]
    fn nesting_is_bounded_and_no_word_is_lost() {
        let html = markup(&format!("{} deep", ">".repeat(12_000)));
        assert!(html.matches("<blockquote>").count() <= MAX_DEPTH);
        assert!(html.contains("deep"));
        assert_eq!(html.matches("<blockquote>").count(), html.matches("</blockquote>").count());
    }

    #[test]
    fn code_is_highlighted_and_tables_scroll() {
        assert!(
            markup("```rust\nfn x() {}\n```")
                .contains("<pre class=\"code\" data-lang=\"rust\"><code><span")
        );
        let table = markup("|a|b|\n|-|-:|\n|1|2|");
        assert!(table.contains("<td class=\"end\">2</td>") && !table.contains("style"), "{table}");
        assert!(
            table.starts_with("<div class=\"table\">") && table.trim_end().ends_with("</div>"),
            "{table}"
        );
    }
}
