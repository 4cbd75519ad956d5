//! Code with colours: syntect's grammars, our own few classes.

use std::collections::HashMap;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference};
use syntect::util::LinesWithEndings;

use super::html::Html;
pub(super) use super::language::of_path as language_of_path;
use super::language::{self, SYNTAXES, syntax};

/// Beyond this a block stays plain: grammars read well under 1 MB a second.
const MAX_BYTES: usize = 256 * 1024;

/// A line longer than this stays plain with its block; grammars are slowest on them.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// Scope prefixes by class, most telling first.
static CLASSES: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let table = [
        ("comment", "c"),
        ("punctuation.definition.comment", "c"),
        ("string", "s"),
        ("punctuation.definition.string", "s"),
        ("constant.character.escape", "n"),
        ("constant", "n"),
        ("variable.function", "f"),
        ("entity.name.function", "f"),
        ("support.function", "f"),
        ("entity.name.tag", "a"),
        ("entity.other.attribute-name", "a"),
        ("meta.mapping.key", "a"),
        ("support.type.property-name", "a"),
        ("entity.name.section", "m"),
        ("markup.heading", "m"),
        ("markup.deleted", "d"),
        ("markup.inserted", "i"),
        ("meta.diff.header", "m"),
        ("entity.name", "t"),
        ("support.type", "t"),
        ("support.class", "t"),
        ("storage.type", "k"),
        ("storage", "k"),
        ("keyword.operator", "o"),
        ("keyword", "k"),
        ("variable.language", "k"),
        ("variable.parameter", "v"),
        ("invalid", "e"),
    ];
    let scope = |name| Scope::new(name).ok();
    table.into_iter().filter_map(|(name, class)| Some((scope(name)?, class))).collect()
});

/// A code block as `<div class="code-block">`, coloured where the language is known.
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
    if let Some(note) = note(code, language) {
        html.push_markup("<p class=\"code-note\" data-ui>");
        html.push_markup(note);
        html.push_markup("</p>\n");
    }
    html.push_markup("<pre class=\"code\"><code>");
    // A parser drops the first newline of a `pre` only, not of the `code` in it.
    html.push(&inline(code, language));
    html.push_markup("</code></pre></div>\n");
    html
}

/// What the page says of a block that is shown as bare text though its language has more to it.
pub(super) fn note(code: &str, language: &str) -> Option<&'static str> {
    match language.to_ascii_lowercase().as_str() {
        "mermaid" => Some("Mermaid diagram, shown as its source"),
        "math" | "latex-math" => Some("Formula, shown as its source"),
        "dot" | "graphviz" => Some("Graphviz diagram, shown as its source"),
        "plantuml" | "puml" => Some("PlantUML diagram, shown as its source"),
        _ if is_too_long(code) && syntax(language).is_some() => Some("Too long to colour"),
        _ => None,
    }
}

/// The code alone, its tokens in spans of one-letter classes.
pub(super) fn inline(code: &str, language: &str) -> Html {
    syntax(language)
        .filter(|_| !is_too_long(code))
        .and_then(|syntax| Highlighter::new(syntax).run(code))
        .unwrap_or_else(|| Html::text(code))
}

fn is_too_long(code: &str) -> bool {
    code.len() > MAX_BYTES || code.lines().any(|line| line.len() > MAX_LINE_BYTES)
}

struct Highlighter {
    state: ParseState,
    stack: ScopeStack,
    class_of: HashMap<Scope, Option<&'static str>>,
    html: Html,
    /// Text of the class at hand, not yet written: neighbours share one span.
    pending: String,
    class: Option<&'static str>,
}

impl Highlighter {
    fn new(syntax: &SyntaxReference) -> Highlighter {
        Highlighter {
            state: ParseState::new(syntax),
            stack: ScopeStack::new(),
            class_of: HashMap::new(),
            html: Html::new(),
            pending: String::new(),
            class: None,
        }
    }

    /// `None` when the grammar fails on the text.
    fn run(mut self, code: &str) -> Option<Html> {
        for line in LinesWithEndings::from(code) {
            let operations = self.state.parse_line(line, &SYNTAXES).ok()?;
            let mut from = 0;
            for (to, operation) in operations {
                self.token(&line[from..to]);
                from = to;
                self.stack.apply(&operation).ok()?;
            }
            self.token(&line[from..]);
        }
        self.flush();
        Some(self.html)
    }

    fn token(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        // Blanks take the class around them: fewer spans, same look.
        let class = if text.trim().is_empty() { self.class } else { self.current_class() };
        if class != self.class {
            self.flush();
            self.class = class;
        }
        self.pending.push_str(text);
    }

    fn current_class(&mut self) -> Option<&'static str> {
        self.stack.scopes.iter().rev().find_map(|scope| {
            *self.class_of.entry(*scope).or_insert_with(|| {
                CLASSES
                    .iter()
                    .find(|(prefix, _)| prefix.is_prefix_of(*scope))
                    .map(|(_, class)| *class)
            })
        })
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

#[cfg(test)]
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
    fn a_huge_block_stays_plain_and_whole() {
        let code = "let x = 1;\n".repeat(40_000);
        assert_eq!(inline(&code, "rust").as_str(), code);
        assert!(block(&code, "rust").as_str().contains("data-ui>Too long to colour</p>"));
        assert!(!block(&code, "").as_str().contains("Too long"));
        let line = "x".repeat(MAX_LINE_BYTES + 1);
        assert!(block(&line, "rust").as_str().contains("Too long to colour"));
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
