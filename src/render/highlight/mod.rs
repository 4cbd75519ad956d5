//! Code with colors: by lexers, and by syntect's grammars for languages without one (`budget` decides).

mod budget;
#[cfg(feature = "highlight")]
mod memo;
#[cfg(not(feature = "highlight"))]
#[path = "without.rs"]
mod memo;

mod class;
mod lexer;

pub(crate) use budget::Allowances;
pub use budget::Highlight;
pub(super) use budget::{Colors, colored};
use class::{BLANK, Class, META, Token};

use std::borrow::Cow;
use std::ops::Range;

use crate::html::Html;
use crate::language;
use crate::session::redaction_mark;

/// A code block as `<div class="code-block">`, colored where the language is known.
pub(super) fn block(colors: &mut Colors, code: &str, language: &str) -> Html {
    boxed(colors, code, language, None)
}

/// A fenced block of Markdown. What its info string says beside the language
/// stands above it.
pub(super) fn fenced(colors: &mut Colors, code: &str, info: &str) -> Html {
    let info = info.trim();
    let language = language::of_fence(info);
    boxed(colors, code, language, Some(info).filter(|info| language::says_more(info, language)))
}

fn boxed(colors: &mut Colors, code: &str, language: &str, info: Option<&str>) -> Html {
    let mut html = Html::new();
    html.push_markup("<div class=\"code-block\"");
    if !language.is_empty() {
        html.push_markup(" data-lang=\"");
        html.push_text(language);
        html.push_markup("\"");
    }
    html.push_markup(">");
    if let Some(info) = info {
        html.push_markup("<p class=\"code-note\">");
        html.push_text(info);
        html.push_markup("</p>\n");
    }
    push_note(&mut html, note(language));
    html.push_markup("<pre class=\"code\"><code>");
    // A parser drops the first newline of a `pre` only, not of the `code` in it.
    html.push(&inline(colors, code, language));
    html.push_markup("</code></pre></div>\n");
    html
}

/// A word of the page's own above a block.
pub(super) fn push_note(html: &mut Html, note: Option<&'static str>) {
    if let Some(note) = note {
        html.push_markup("<p class=\"code-note\" data-ui>");
        html.push_markup(note);
        html.push_markup("</p>\n");
    }
}

/// What the page says of a block that is shown as bare text though its language has more to it.
pub(super) fn note(language: &str) -> Option<&'static str> {
    match language.to_ascii_lowercase().as_str() {
        "mermaid" => Some("Mermaid diagram, shown as its source"),
        "math" | "latex-math" => Some("Formula, shown as its source"),
        "dot" | "graphviz" => Some("Graphviz diagram, shown as its source"),
        "plantuml" | "puml" => Some("PlantUML diagram, shown as its source"),
        _ => None,
    }
}

/// A code as markup, its tokens in spans of one-letter classes.
pub(super) fn inline(colors: &mut Colors, code: &str, language: &str) -> Html {
    let mut html = Html::with_capacity(2 * code.len());
    Colored::new(colors, code, language).push_part(0..code.len(), &mut html);
    html
}

/// A text with its tokens: read once to its end, drawn in parts, so that a part that begins within
/// a comment is drawn as one.
pub(super) struct Colored<'t> {
    text: &'t str,
    /// None where the text has no language, or is not to be colored.
    tokens: Vec<Token>,
    /// Redaction marks.
    marks: Vec<Range<usize>>,
}

impl<'t> Colored<'t> {
    pub(super) fn new(colors: &mut Colors, text: &'t str, language: &str) -> Colored<'t> {
        let marks = redaction_mark::ranges(text);
        let read = as_words(text, &marks);
        let tokens = colors.tokens(&read, language).unwrap_or_default();
        Colored { text, tokens, marks }
    }

    /// Appends the markup of a range of the text's bytes.
    pub(super) fn push_part(&self, range: Range<usize>, html: &mut Html) {
        if self.tokens.is_empty() {
            html.push_text(&self.text[range]);
            return;
        }
        let mut from = range.start;
        let mut writer = Writer::new(self.text, from, html);
        let marks = self.marks.partition_point(|mark| mark.end <= from);
        let mut marks = self.marks[marks..].iter().peekable();
        let first = self.tokens.partition_point(|token| token.end <= from);
        for token in &self.tokens[first..] {
            let end = token.end.min(range.end);
            while from < end {
                let (to, class) = match marks.peek() {
                    Some(mark) if mark.start <= from => (mark.end.min(range.end), META),
                    Some(mark) => (end.min(mark.start), token.class),
                    None => (end, token.class),
                };
                writer.token(to, class);
                from = to;
                marks.next_if(|mark| mark.end <= from);
            }
            if from >= range.end {
                break;
            }
        }
        writer.flush();
    }
}

/// A text as it is read: a redaction mark is a word, for its `#` and its brackets would begin a
/// comment or a list.
fn as_words<'t>(text: &'t str, marks: &[Range<usize>]) -> Cow<'t, str> {
    let mut read = Cow::Borrowed(text);
    for mark in marks {
        read.to_mut().replace_range(mark.clone(), &"x".repeat(mark.len()));
    }
    read
}

/// Writes the tokens of a text, which follow one another; neighbors of one class share a span.
struct Writer<'t, 'h> {
    text: &'t str,
    html: &'h mut Html,
    /// Of the class at hand, not yet written.
    pending: Range<usize>,
    class: Class,
}

impl<'t, 'h> Writer<'t, 'h> {
    fn new(text: &'t str, from: usize, html: &'h mut Html) -> Writer<'t, 'h> {
        Writer { text, html, pending: from..from, class: None }
    }

    /// The next token, up to `end`.
    fn token(&mut self, end: usize, class: Class) {
        // A redaction mark takes no blanks along.
        let around = self.class.filter(|_| self.class != META);
        let class = if class == BLANK { around } else { class };
        if class != self.class {
            self.flush();
            self.class = class;
        }
        self.pending.end = end;
    }

    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        if let Some(class) = self.class {
            self.html.push_markup("<span class=\"");
            self.html.push_markup(class);
            self.html.push_markup("\">");
        }
        self.html.push_text(&self.text[self.pending.clone()]);
        if self.class.is_some() {
            self.html.push_markup("</span>");
        }
        self.pending = self.pending.end..self.pending.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_carry_short_classes_and_text_stays() {
        let html =
            inline(&mut Colors::default(), "fn main() { let s = \"<b>\"; } // end\n", "rust");
        assert!(html.as_str().contains("<span class=\"k\">fn"), "{html}");
        assert!(html.as_str().contains("<span class=\"c\">// end"), "{html}");
        assert_eq!(html.visible_text(), "fn main() { let s = \"<b>\"; } // end\n");
    }

    #[test]
    fn a_redaction_mark_has_one_color_and_changes_no_other() {
        let class_of = |html: &str, text: &str| {
            let before = &html[..html.find(text).unwrap()];
            let opened =
                before.rfind("<span class=\"").filter(|at| !before[*at..].contains("</span>"));
            opened.map(|at| before[at + 13..].chars().next().unwrap())
        };
        for (language, before, after) in [
            ("bash", "curl -H \"Authorization: ", "\" https://x.example && echo done # end\n"),
            ("bash", "KEY=", " make all | tee log # end\n"),
            ("bash", "curl -u me:", " --fail \"$url\" # end\n"),
            ("python", "key = \"", "\"; other = 1 # end\n"),
            ("json", "{\"key\": \"", "\", \"other\": 1}\n"),
        ] {
            let mark = "[redacted:github-token #1]";
            let word = "x".repeat(mark.len());
            let [marked, plain] = [mark, &word].map(|value| {
                inline(&mut Colors::default(), &format!("{before}{value}{after}"), language)
                    .as_str()
                    .to_owned()
            });
            assert!(marked.contains(&format!("<span class=\"m\">{mark}</span>")), "{marked}");
            for rest in ["curl", "https", "echo", "# end", "tee", "--fail", "other", "make"] {
                if plain.contains(rest) {
                    assert_eq!(class_of(&marked, rest), class_of(&plain, rest), "{rest}: {marked}");
                }
            }
        }
    }

    #[test]
    fn a_block_says_its_language_and_what_else_its_fence_says() {
        assert_eq!(
            block(&mut Colors::default(), "a", "no\"such").as_str(),
            "<div class=\"code-block\" data-lang=\"no&quot;such\"><pre class=\"code\"><code>a</code></pre></div>\n"
        );
        let html = fenced(&mut Colors::default(), "graph TD", "mermaid");
        assert!(
            html.as_str().contains("data-ui>Mermaid diagram, shown as its source</p>"),
            "{html}"
        );
        let html = fenced(&mut Colors::default(), "x", "rust,ignore <b>");
        assert!(
            html.as_str().contains("<p class=\"code-note\">rust,ignore &lt;b&gt;</p>"),
            "{html}"
        );
    }
}
