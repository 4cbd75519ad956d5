//! Formulas as MathML. What of a text is a formula is said in `session/texts/formulas.rs`.
//!
//! The parser's events are written by [`writer`] alone, with the elements and attributes that stand there: a session may
//! be hostile, and LaTeX has commands for styles, classes and links. What the parser refuses, what would define macros,
//! and what gets too large stays source. The source goes with each formula: it is what search, copies and Markdown have.

mod content;
mod letters;
mod table;
mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pulldown_latex::event::Event;
use pulldown_latex::{Parser, Storage};

use crate::html::Html;
use crate::session::invisible::may_be_in;
use writer::Writer;

/// The source of a formula has so many bytes at most …
const MAX_SOURCE: usize = 4 << 10;

/// … and what is drawn of it so many.
const MAX_MARKUP: usize = 32 << 10;

/// So many groups lie in each other at most, and so many commands stand behind each other: the parser calls itself for
/// each of `\hat\hat\hat x`, and takes longer the deeper a group is.
const MAX_NESTED: usize = 40;

/// A formula within a line has so many signs at most: it is not broken, and a line of a phone has room for so many.
const MAX_IN_LINE: usize = 36;

/// Commands that define others: a few of them make any amount of markup.
const DEFINITIONS: [&str; 10] = [
    "def",
    "edef",
    "gdef",
    "xdef",
    "let",
    "futurelet",
    "newcommand",
    "renewcommand",
    "providecommand",
    "newenvironment",
];

/// A formula; `None` where it is to be shown as its source. `source` is all that the author wrote, `formula` what stands
/// between the delimiters.
pub(super) fn drawn(source: &str, formula: &str, is_display: bool) -> Option<Html> {
    // The parser draws the star and the name of `\operatorname*{…}` as signs.
    if formula.len() > MAX_SOURCE
        || formula.contains("operatorname*")
        || may_be_in(source)
        || is_deep(formula)
        || defines(formula)
    {
        return None;
    }
    let written = mathml(formula, is_display)?;
    if !is_display && written.visible_text().chars().count() > MAX_IN_LINE {
        return None;
    }
    let mut html = Html::new();
    html.push_markup("<span title=\"");
    html.push_text(source);
    html.push_markup("\"><math dir=\"ltr\"");
    if is_display {
        html.push_markup(" display=\"block\"");
    }
    // The page's own drawing; the words are in the source.
    html.push_markup("><semantics><mrow data-ui>");
    html.push(&written);
    html.push_markup("</mrow><annotation encoding=\"application/x-tex\">");
    html.push_text(source);
    html.push_markup("</annotation></semantics></math></span>");
    Some(html)
}

/// Whether the parser would have to go deeper than it can.
fn is_deep(formula: &str) -> bool {
    let (mut groups, mut commands) = (0_usize, 0);
    let mut rest = formula.bytes().peekable();
    while let Some(byte) = rest.next() {
        commands = match byte {
            b'\\' => {
                // The sign behind it belongs to it, as in `\{`.
                let is_name = rest.next().is_some_and(|sign| sign.is_ascii_alphabetic());
                while is_name && rest.next_if(u8::is_ascii_alphabetic).is_some() {}
                commands + 1
            }
            b' ' | b'\n' | b'\t' => commands,
            _ => 0,
        };
        groups = match byte {
            b'{' => groups + 1,
            b'}' => groups.saturating_sub(1),
            _ => groups,
        };
        if groups.max(commands) > MAX_NESTED {
            return true;
        }
    }
    false
}

/// Whether a command in it defines another.
fn defines(formula: &str) -> bool {
    formula.split('\\').skip(1).any(|rest| {
        let name = rest.split(|c: char| !c.is_ascii_alphabetic()).next();
        name.is_some_and(|name| DEFINITIONS.contains(&name))
    })
}

fn mathml(formula: &str, is_display: bool) -> Option<Html> {
    // The parser is another's, and the formula a stranger's: a formula that it fails at is one that it refuses.
    let read = || {
        let storage = Storage::new();
        let events: Vec<Event<'_>> =
            Parser::new(formula, &storage).collect::<Result<_, _>>().ok()?;
        Writer::new(is_display, MAX_MARKUP).write(&events)
    };
    catch_unwind(AssertUnwindSafe(read)).ok().flatten()
}

#[cfg(test)]
mod tests;
