//! Code with colors: syntect's grammars, our own few classes.

mod budget;
#[cfg(feature = "highlight")]
mod memo;
#[cfg(not(feature = "highlight"))]
#[path = "without.rs"]
mod memo;

pub(crate) use budget::Allowances;
pub use budget::Highlight;
pub(super) use budget::{Plain, Visibility, uncolored};
use memo::{BLANK, Class, Token};

use std::borrow::Cow;
use std::ops::Range;

use super::html::Html;
use super::language;
pub(super) use super::language::of_path as language_of_path;

/// A code block as `<div class="code-block">`, colored where the language is known.
pub(super) fn block(code: &str, language: &str) -> Html {
    boxed(code, language, None)
}

/// A fenced block of Markdown. What its info string says beside the language
/// stands above it.
pub(super) fn fenced(code: &str, info: &str) -> Html {
    let info = info.trim();
    let language = language::of_fence(info);
    boxed(code, language, Some(info).filter(|info| language::says_more(info, language)))
}

fn boxed(code: &str, language: &str, info: Option<&str>) -> Html {
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
    let colored = colored(code, language, Visibility::Seen);
    push_note(&mut html, note(language).or(colored.note.map(Plain::words)));
    html.push_markup("<pre class=\"code\"><code>");
    // A parser drops the first newline of a `pre` only, not of the `code` in it.
    html.push(&colored.html);
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

/// A short code within a line, its tokens in spans of one-letter classes.
pub(super) fn inline(code: &str, language: &str) -> Html {
    colored(code, language, Visibility::Seen).html
}

/// A part of a text as markup, and what is to be said of it.
pub(super) struct Colored {
    pub(super) html: Html,
    /// Why not all of it is colored.
    pub(super) note: Option<Plain>,
}

impl From<Html> for Colored {
    /// A text that has no colors to get.
    fn from(html: Html) -> Colored {
        Colored { html, note: None }
    }
}

/// Colors a text as far as its budget goes.
pub(super) fn colored(code: &str, language: &str, place: Visibility) -> Colored {
    budget::with(|colors| colors.color(code, language, place))
}

/// The class of a redaction mark.
const MARK: Class = Some("m");

/// Writes tokens; neighbors of one class share a span.
#[derive(Default)]
struct Writer {
    html: Html,
    /// Text of the class at hand, not yet written.
    pending: String,
    class: Class,
}

/// A line as the grammar reads it: a redaction mark is a word, for its `#` and its brackets would
/// begin a comment or a list.
fn as_words<'l>(line: &'l str, marks: &[Range<usize>]) -> Cow<'l, str> {
    let mut read = Cow::Borrowed(line);
    for mark in marks {
        read.to_mut().replace_range(mark.clone(), &"x".repeat(mark.len()));
    }
    read
}

impl Writer {
    /// A line by its tokens; its redaction marks have a class of their own.
    fn line(&mut self, line: &str, tokens: &[Token], marks: &[Range<usize>]) {
        let mut from = 0;
        let mut marks = marks.iter().peekable();
        for token in tokens {
            while from < token.end {
                if let Some(mark) = marks.next_if(|mark| mark.start <= from) {
                    self.token(&line[mark.clone()], MARK);
                    from = mark.end;
                } else {
                    let to = marks.peek().map_or(token.end, |mark| token.end.min(mark.start));
                    self.token(&line[from..to], token.class);
                    from = to;
                }
            }
        }
    }

    fn token(&mut self, text: &str, class: Class) {
        let class = if class == BLANK { self.class } else { class };
        if class != self.class {
            self.flush();
            self.class = class;
        }
        self.pending.push_str(text);
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
        self.html.push_text(&self.pending);
        if self.class.is_some() {
            self.html.push_markup("</span>");
        }
        self.pending.clear();
    }
}

#[cfg(all(test, feature = "highlight"))]
mod tests {
    use super::*;

    #[test]
    fn tokens_carry_short_classes_and_text_stays() {
        let html = inline("fn main() { let s = \"<b>\"; } // end\n", "rust");
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
                inline(&format!("{before}{value}{after}"), language).as_str().to_owned()
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
    fn a_block_of_a_long_line_stays_plain_and_whole() {
        let line = "x".repeat(8 * 1024 + 1);
        assert_eq!(inline(&line, "rust").as_str(), line);
        assert!(block(&line, "rust").as_str().contains("data-ui>Not highlighted: a line"));
        assert!(!block(&line, "").as_str().contains("Not highlighted"));
    }

    #[test]
    fn a_block_says_its_language_and_what_else_its_fence_says() {
        assert_eq!(
            block("a", "no\"such").as_str(),
            "<div class=\"code-block\" data-lang=\"no&quot;such\"><pre class=\"code\"><code>a</code></pre></div>\n"
        );
        let html = fenced("graph TD", "mermaid");
        assert!(
            html.as_str().contains("data-ui>Mermaid diagram, shown as its source</p>"),
            "{html}"
        );
        let html = fenced("x", "rust,ignore <b>");
        assert!(
            html.as_str().contains("<p class=\"code-note\">rust,ignore &lt;b&gt;</p>"),
            "{html}"
        );
    }
}
