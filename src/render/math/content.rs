//! Letters, numbers and signs, and what stands between them.

use pulldown_latex::event::{Content, DelimiterSize, DelimiterType, Event, Font, Grouping};

use super::writer::{Last, Open, Writer};

/// What stands between a function and what it is of.
const THIN_SPACE: &str = "<mspace width=\"0.167em\"></mspace>";

impl Writer {
    /// A function stands apart from what is beside it, brackets aside.
    pub(super) fn space_of_function(&mut self, event: &Event<'_>, next: Option<&Event<'_>>) {
        let Some(Open::Group(group)) = self.open.last() else { return };
        let is_atom = |event: &Event<'_>| {
            matches!(
                event,
                Event::Begin(Grouping::Normal)
                    | Event::Visual(_)
                    | Event::Script { .. }
                    | Event::Content(
                        Content::Ordinary { .. }
                            | Content::Number(_)
                            | Content::Text(_)
                            | Content::Function(_)
                    )
            )
        };
        let is_function = |event: &Event<'_>| matches!(event, Event::Content(Content::Function(_)));
        let begins_one = is_function(event)
            || matches!(event, Event::Script { .. }) && next.is_some_and(is_function);
        let is_behind = group.last == Last::Function && is_atom(event);
        if is_behind || group.last == Last::Atom && begins_one {
            self.out.push_markup(THIN_SPACE);
        }
    }

    pub(super) fn content(&mut self, content: Content<'_>) -> Option<()> {
        let mut utf8 = [0; 8];
        let last = match content {
            Content::Text(text) => {
                self.element("mtext", "", &words(text)?);
                Last::Atom
            }
            Content::Number(number) => {
                self.element("mn", "", number);
                Last::Atom
            }
            Content::Function(name) => {
                // Of `\operatorname{…}` the parser gives what stands there: it may have commands.
                if name.contains(|c: char| !c.is_alphabetic() && c != ' ') {
                    return None;
                }
                let is_letter = name.chars().nth(1).is_none();
                self.element("mi", if is_letter { " mathvariant=\"normal\"" } else { "" }, name);
                Last::Function
            }
            Content::Ordinary { content, stretchy } => {
                // The parser's sign of a millionth; the letter is slanted as others are.
                let content = if content == '\u{b5}' { 'μ' } else { content };
                let text = content.encode_utf8(&mut utf8[..4]);
                let font = self.group()?.font;
                // Greek capitals are upright in LaTeX, as are signs.
                let is_upright = font == Some(Font::UpRight)
                    || font.is_none() && (matches!(content, 'Α'..='Ω') || !content.is_alphabetic());
                // Bars over and under what they stand for.
                match (
                    stretchy || matches!(content, '‾' | '¯' | '_' | '\u{332}' | '\u{305}'),
                    is_upright,
                ) {
                    (true, _) => self.element("mo", " stretchy=\"true\"", text),
                    (_, true) => self.element("mi", " mathvariant=\"normal\"", text),
                    _ => self.element("mi", "", text),
                }
                Last::Atom
            }
            Content::LargeOp { content, small } => {
                let text = content.encode_utf8(&mut utf8[..4]);
                // Where its limits are is said by the script.
                let attributes = if small {
                    " largeop=\"false\" movablelimits=\"false\""
                } else {
                    " movablelimits=\"false\""
                };
                self.element("mo", attributes, text);
                Last::Operator
            }
            Content::BinaryOp { content, .. } => {
                let is_binary = self.group()?.last == Last::Atom;
                let attributes = if is_binary { "" } else { " form=\"prefix\"" };
                self.element("mo", attributes, content.encode_utf8(&mut utf8[..4]));
                Last::Operator
            }
            Content::Relation { content, .. } => {
                let text =
                    std::str::from_utf8(content.encode_utf8_to_buf(&mut utf8)).ok()?.to_owned();
                self.element("mo", "", &text);
                Last::Operator
            }
            Content::Delimiter { content, size, ty } => {
                self.element("mo", delimiter(size, ty), content.encode_utf8(&mut utf8[..4]));
                if ty == DelimiterType::Close { Last::Atom } else { Last::Operator }
            }
            Content::Punctuation(content) => {
                self.element("mo", " separator=\"true\"", content.encode_utf8(&mut utf8[..4]));
                Last::Operator
            }
        };
        self.complete(last);
        Some(())
    }
}

/// The words of a text, whose blanks at the ends would be lost; `None` where commands or formulas are in it.
fn words(text: &str) -> Option<String> {
    // What the parser gives for `\ ` and `~`.
    if text == "&nbsp;" {
        return Some("\u{a0}".to_owned());
    }
    let mut words = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        words.push(match c {
            '\\' => rest.next().filter(|sign| "_%&#${} ".contains(*sign))?,
            '$' => return None,
            ' ' => '\u{a0}',
            c => c,
        });
    }
    Some(words)
}

fn delimiter(size: Option<DelimiterSize>, kind: DelimiterType) -> &'static str {
    match (size, kind) {
        (None, DelimiterType::Open) => " stretchy=\"false\" form=\"prefix\"",
        (None, DelimiterType::Close) => " stretchy=\"false\" form=\"postfix\"",
        (None, DelimiterType::Fence) => " stretchy=\"true\"",
        (Some(DelimiterSize::Big), _) => " stretchy=\"true\" minsize=\"1.2em\" maxsize=\"1.2em\"",
        (Some(DelimiterSize::BIG), _) => " stretchy=\"true\" minsize=\"1.8em\" maxsize=\"1.8em\"",
        (Some(DelimiterSize::Bigg), _) => " stretchy=\"true\" minsize=\"2.4em\" maxsize=\"2.4em\"",
        (Some(DelimiterSize::BIGG), _) => " stretchy=\"true\" minsize=\"3em\" maxsize=\"3em\"",
    }
}
