//! Code with colours: syntect's grammars, our own few classes.

use std::collections::HashMap;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};
use syntect::util::LinesWithEndings;

use super::html::Html;

/// Beyond this a block stays plain: grammars read well under 1 MB a second.
const MAX_BYTES: usize = 256 * 1024;

/// A line longer than this stays plain with its block; grammars are slowest on them.
const MAX_LINE_BYTES: usize = 8 * 1024;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

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

/// The language that people mean by a fence's word or a file's ending.
fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let language = language.trim().to_ascii_lowercase();
    let name = match language.as_str() {
        "" | "text" | "txt" | "plain" | "plaintext" => return None,
        "console" | "shell" | "shell-session" | "sh" | "zsh" | "terminal" => "bash",
        "jsonl" | "json5" | "jsonc" | "ndjson" => "json",
        "docker" => "dockerfile",
        "patch" => "diff",
        other => other,
    };
    SYNTAXES.find_syntax_by_token(name)
}

/// The language of a file, told by its name.
pub(super) fn language_of_path(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((_, ending)) => ending,
        None => name,
    }
}

/// The code as `<pre class="code"><code>`, coloured where the language is known.
pub(super) fn block(code: &str, language: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<pre class=\"code\"");
    if !language.is_empty() {
        html.push_markup(" data-lang=\"");
        html.push_text(language);
        html.push_markup("\"");
    }
    html.push_markup("><code>");
    html.push(&inline(code, language));
    html.push_markup("</code></pre>\n");
    html
}

/// The code alone, its tokens in spans of one-letter classes.
pub(super) fn inline(code: &str, language: &str) -> Html {
    let too_long = code.len() > MAX_BYTES || code.lines().any(|line| line.len() > MAX_LINE_BYTES);
    syntax(language)
        .filter(|_| !too_long)
        .and_then(|syntax| Highlighter::new(syntax).run(code))
        .unwrap_or_else(|| Html::text(code))
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
    fn the_names_people_write_are_known() {
        for name in
            ["ts", "tsx", "sh", "console", "jsonl", "rs", "yml", "dockerfile", "toml", "py", "diff"]
        {
            assert!(syntax(name).is_some(), "{name}");
        }
        assert!(syntax("no-such-language\"><b>").is_none());
    }

    #[test]
    fn a_huge_block_stays_plain_and_whole() {
        let code = "let x = 1;\n".repeat(40_000);
        assert_eq!(inline(&code, "rust").as_str(), code);
    }
}
