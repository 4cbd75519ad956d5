//! Content as Markdown: one block a part, with a blank line between.
//!
//! The content is the one that a page draws (`content`), and here each part of it becomes a block. What is a person's
//! or a program's text stands in fences or is escaped; headings of the session are put below those of the document.
//! Long output loses its middle, and says how much.

use std::fmt::Write as _;

use super::{escape, fence, response};
use crate::ansi::Screen;
use crate::changes::diff::{Diff, LineChange, Row};
use crate::content::picture::{facts, stated};
use crate::content::{
    Caller, Card, Content, Fold, FoldKind, GroupKind, Line, List, Part, Role, Span, Style,
};
use crate::figures::bytes;
use crate::html::Html;
use crate::session::{EntryIndex, Session};

/// How the content of one entry is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) session: &'a Session,
    pub(super) entry: EntryIndex,
    /// The highest level that a heading of the session may have, from 1.
    pub(super) level: usize,
    /// Prose is a person's: text, not Markdown.
    pub(super) is_text: bool,
    /// Lines of an output at most, from its beginning and its end; all where there is no limit.
    pub(super) most_lines: Option<usize>,
}

impl Blocks<'_> {
    pub(super) fn content(&self, content: &Content<'_>) -> String {
        let mut out = String::new();
        let (mut cited, mut referred) = (0, 0);
        for (at, part) in content.parts().iter().enumerate() {
            let mut block = match part {
                // A note that nothing refers to is drawn nowhere.
                Part::Fold(fold) if is_citation(part) && cited < referred => {
                    cited += 1;
                    self.footnote(fold, cited)
                }
                part => self.part(part),
            };
            let follow = content.parts()[at + 1..].iter().take_while(|part| is_citation(part));
            let notes = if matches!(part, Part::Prose(_)) { follow.count() } else { 0 };
            if notes > 0 {
                referred = cited + notes;
                block.truncate(block.trim_end().len());
                block.extend((cited + 1..=referred).map(|nth| self.label(nth)));
                block.push('\n');
            }
            push(&mut out, &block);
        }
        out
    }

    /// The label of the entry's `nth` footnote, which no other entry has.
    fn label(&self, nth: usize) -> String {
        format!("[^{}-{nth}]", self.entry.get() + 1)
    }

    fn footnote(&self, fold: &Fold<'_>, nth: usize) -> String {
        // Ahead of the source stands the page's own number.
        let source = self.spans(fold.title.get(1..).unwrap_or_default());
        let words = self.content(&fold.content);
        let words = words.trim().lines().collect::<Vec<_>>().join("\n    ");
        format!("{}: {source}: {words}\n", self.label(nth))
    }

    fn part(&self, part: &Part<'_>) -> String {
        match part {
            Part::Prose(text) | Part::LongProse(text) if self.is_text => escape::text(text),
            Part::Prose(text) | Part::LongProse(text) => {
                response::of(text, self.level, &format!("{}-", self.entry.get()))
            }
            Part::Code { text, language } => fence::block(text, language),
            Part::File { text, language, .. } => fence::block(&self.shortened(text), language),
            Part::Output { text, .. } => self.output(Screen::of(text).text()),
            Part::Plain(text) => self.output(text),
            Part::Json(json) => fence::block(&self.shortened(&json.json().pretty()), "json"),
            Part::Value(json) => self.output(&json.json().clone().into_text()),
            Part::Fields(fields) => {
                let mut out = String::new();
                for (name, value) in fields {
                    let text = value.json().clone().into_text();
                    let name = escape::line(name);
                    if text.contains('\n') || text.len() > SHORT_BYTES {
                        push(&mut out, &format!("{name}:\n\n{}", self.output(&text)));
                    } else {
                        push(&mut out, &format!("{name}: {}\n", fence::inline(&text)));
                    }
                }
                out
            }
            Part::Diff(diff) => self.diff(diff),
            Part::List(list) => self.list(list),
            Part::Parameters(parameters) => {
                let line = |parameter: &crate::content::Parameter<'_>| {
                    let name = fence::inline(&parameter.name);
                    let words = parameter.description.as_deref().map(escape::line);
                    format!("- {name} {}\n", words.unwrap_or_default())
                };
                parameters.iter().map(line).collect()
            }
            Part::Line(line) => self.line(line),
            Part::Image { data, mime_type } => self.image(data, mime_type),
            Part::Fold(fold) => self.fold(fold),
            Part::Group(group) => {
                let mut out = match group.kind {
                    GroupKind::Lead(_) => String::new(),
                    _ => self.spans(&group.title),
                };
                if !out.is_empty() {
                    out.push('\n');
                }
                push(&mut out, &self.content(&group.content));
                out
            }
            Part::Card(card) => self.card(card),
            // Sections of their own, and what the results say.
            Part::SubSession { .. } | Part::Call(_) => String::new(),
            Part::Html(html) => self.html(html),
        }
    }

    fn output(&self, text: &str) -> String {
        if text.trim().is_empty() {
            return "_No output_\n".to_owned();
        }
        fence::block(&self.shortened(text), "")
    }

    /// The first and the last lines, with how many lie between.
    fn shortened(&self, text: &str) -> String {
        let total = text.lines().count();
        let Some(most) = self.most_lines.filter(|&most| total > most) else {
            return text.to_owned();
        };
        let (first, last) = (most.div_ceil(2), most / 2);
        let lines: Vec<&str> = text.lines().collect();
        let left_out = format!("… {} lines left out …", total - first - last);
        let kept = lines[..first].iter().copied().chain([left_out.as_str()]);
        kept.chain(lines[total - last..].iter().copied()).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, line: &Line<'_>) -> String {
        let words = self.spans(&line.spans);
        if words.is_empty() {
            return words;
        }
        match line.role {
            Role::Text | Role::Files | Role::Address => words + "\n",
            _ => format!("_{}_\n", words.trim().trim_end_matches('\\')),
        }
    }

    fn spans(&self, spans: &[Span<'_>]) -> String {
        let mut out = String::new();
        for span in spans {
            // Blanks beside words are what parts them.
            let (before, words, after) = around(&span.text);
            out.push_str(before);
            match span.style {
                Style::Code | Style::Value | Style::Args | Style::Program { .. } => {
                    out.push_str(&fence::inline(words));
                }
                Style::Name | Style::Tool if !words.is_empty() => {
                    out.extend(["**", &escape::line(words), "**"]);
                }
                Style::BeforeKey(entry) => {
                    out.push_str(&escape::line(words));
                    out.push_str(&escape::line(&self.session.key_at(entry)));
                }
                _ => out.push_str(&escape::line(words)),
            }
            out.push_str(after);
        }
        out
    }

    fn image(&self, data: &str, mime_type: &str) -> String {
        let mime_type = mime_type.trim();
        let words = match facts(self.session, self.entry, data) {
            Ok(Ok(facts)) => {
                let size = facts.size.map(|(width, height)| format!("{width} × {height}, "));
                format!("{}, {}{}", facts.kind, size.unwrap_or_default(), bytes(facts.bytes))
            }
            Ok(Err(_)) => format!("{}, not shown", stated(mime_type)),
            Err(absent) => {
                let (before, name, after) = absent.words();
                format!("{before}{name} {after}")
            }
        };
        format!("_Image: {}_\n", escape::line(&words))
    }

    fn fold(&self, fold: &Fold<'_>) -> String {
        let title: String = fold.title.iter().map(|span| span.text.as_ref()).collect();
        details(&title, &self.content(&fold.content))
    }

    fn card(&self, card: &Card<'_>) -> String {
        let summary: String = card.summary.iter().map(|span| span.text.as_ref()).collect();
        let (colon, own) = match &card.caller {
            Caller::Person { words } => (" ", Some(words.as_str())),
            _ => (": ", card.state.words()),
        };
        let colon = if summary.is_empty() { "" } else { colon };
        let head = std::iter::once(format!("{}{colon}{summary}", card.name));
        let facts = card.facts.iter().map(String::as_str).chain(own);
        let parts = head.chain(facts.filter(|fact| !fact.is_empty()).map(str::to_owned));
        details(&parts.collect::<Vec<_>>().join(" · "), &self.content(&card.body))
    }

    /// Lines with their signs, as `diff` has them.
    fn diff(&self, diff: &Diff<'_>) -> String {
        let mut out = String::new();
        for remark in &diff.remarks {
            push(&mut out, &format!("_{}_\n", escape::line(remark)));
        }
        for file in &diff.files {
            let names: Vec<String> = file.names.iter().map(|name| fence::inline(name)).collect();
            let verb = file.verb.map(|verb| format!("{} ", verb.word())).unwrap_or_default();
            if !names.is_empty() {
                push(&mut out, &format!("{verb}{}\n", names.join(" → ")));
            }
            if !file.notes.is_empty() {
                push(&mut out, &fence::block(&file.notes.join("\n"), ""));
            }
            let line = |row: &Row<'_>| match row.kind {
                LineChange::Same => format!(" {}", row.text),
                LineChange::Removed => format!("-{}", row.text),
                LineChange::Added => format!("+{}", row.text),
                LineChange::Skipped if row.text.is_empty() => "…".to_owned(),
                LineChange::Skipped => row.text.to_owned(),
            };
            if !file.rows.is_empty() {
                let lines: Vec<String> = file.rows.iter().map(line).collect();
                push(&mut out, &fence::block(&self.shortened(&lines.join("\n")), "diff"));
            }
        }
        out
    }

    fn list(&self, list: &List<'_>) -> String {
        let mut out = String::new();
        for item in &list.items {
            let (mark, _) = item.state.sign(list.kind);
            let _ = writeln!(out, "- {mark} {}", self.spans(&item.words).trim());
            for line in self.content(&item.content).lines() {
                // Below its item.
                let indent = if line.is_empty() { "" } else { "  " };
                let _ = writeln!(out, "{indent}{line}");
            }
        }
        if list.is_incomplete {
            out.push_str("- … more calls, which the agent did not keep\n");
        }
        out
    }

    /// Of a renderer of the caller's own: its words.
    fn html(&self, html: &Html) -> String {
        let text = html.visible_text();
        if text.trim().is_empty() { String::new() } else { self.output(&text) }
    }
}

/// A value up to so many bytes stands beside its name.
const SHORT_BYTES: usize = 200;

/// A text and the blanks before and behind it.
fn around(text: &str) -> (&str, &str, &str) {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    let blank = |is_there: bool| if is_there { " " } else { "" };
    (blank(start > 0), &text[start..end], blank(end < text.len()))
}

/// Adds a block behind others.
fn is_citation(part: &Part<'_>) -> bool {
    matches!(part, Part::Fold(fold) if fold.kind == FoldKind::Citation)
}

pub(super) fn push(out: &mut String, block: &str) {
    if block.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(block);
}

/// What GitHub folds. The title is a line of HTML, in which Markdown means nothing.
pub(super) fn details(title: &str, content: &str) -> String {
    if content.is_empty() {
        return format!("{}\n", escape::line(title));
    }
    let title = escape::html_line(title);
    format!("<details>\n<summary>{title}</summary>\n\n{content}\n</details>\n")
}
