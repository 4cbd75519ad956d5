//! The parser's events as elements of MathML Core.
//!
//! Events stand in the order of the elements: a fraction before its numerator, a script before its base. So each is
//! written as it comes, and what is open is a stack.

use pulldown_latex::event::{
    Dimension, DimensionUnit, Event, Font, Grouping, ScriptPosition, ScriptType, StateChange,
    Style, Visual,
};

use super::letters::in_font;
use super::table::Flow;
use crate::html::Html;

/// So deep do elements lie in each other at most: what draws them calls itself for each.
const MAX_DEPTH: usize = 64;

/// A space is so wide at most, in em.
const MAX_SPACE: f32 = 10.0;

/// An element that is not ended.
pub(super) enum Open {
    /// Of so many elements, of which some are still to come; the first may be a function.
    Fixed {
        tag: &'static str,
        to_come: usize,
        of_function: bool,
    },
    Group(Group),
}

/// Elements in a row.
pub(super) struct Group {
    /// What ends it, behind its styles.
    pub(super) end: Html,
    pub(super) font: Option<Font>,
    pub(super) is_display: bool,
    /// How many styles hold until its end, or that of a cell.
    pub(super) styles: usize,
    pub(super) flow: Flow,
    pub(super) last: Last,
}

/// What was written last in a group: it says whether a sign is that of a number, and where blanks are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Last {
    Nothing,
    Atom,
    Operator,
    Function,
    /// Changes nothing.
    Space,
}

pub(super) struct Writer {
    pub(super) out: Html,
    pub(super) open: Vec<Open>,
    /// The next content is crossed out.
    pub(super) is_negated: bool,
    max: usize,
}

impl Writer {
    /// Nothing is written beyond `max` bytes.
    pub(super) fn new(is_display: bool, max: usize) -> Writer {
        let root = Group::new(None, is_display, Flow::None);
        Writer { out: Html::new(), open: vec![Open::Group(root)], is_negated: false, max }
    }

    /// All of it; `None` where an event has no form here, or where it gets too large.
    pub(super) fn write(mut self, events: &[Event<'_>]) -> Option<Html> {
        for (at, event) in events.iter().enumerate() {
            self.event(event, events.get(at + 1))?;
            if self.out.as_str().len() > self.max || self.open.len() > MAX_DEPTH {
                return None;
            }
        }
        // The root alone is open.
        match self.open.pop()? {
            Open::Group(root) if self.open.is_empty() => self.end_styles(root.styles),
            _ => return None,
        }
        (!self.is_negated).then_some(self.out)
    }

    fn event(&mut self, event: &Event<'_>, next: Option<&Event<'_>>) -> Option<()> {
        if self.is_negated && !matches!(event, Event::Content(_)) {
            return None;
        }
        self.space_of_function(event, next);
        match event {
            Event::Content(content) => self.content(*content)?,
            Event::Begin(grouping) => self.begin(grouping)?,
            Event::End => self.end()?,
            Event::Visual(visual) => self.visual(*visual),
            Event::Script { ty, position } => self.script(*ty, *position)?,
            Event::Space { width, height, depth } => {
                self.space(*width, *height, *depth);
                self.complete(Last::Space);
            }
            Event::StateChange(change) => self.change(*change)?,
            Event::EnvironmentFlow(flow) => self.flow(flow, next)?,
        }
        Some(())
    }

    pub(super) fn group(&mut self) -> Option<&mut Group> {
        self.open.iter_mut().rev().find_map(|open| match open {
            Open::Group(group) => Some(group),
            Open::Fixed { .. } => None,
        })
    }

    /// An element was written: it may be the last of those that are open.
    pub(super) fn complete(&mut self, mut last: Last) {
        loop {
            match self.open.last_mut() {
                Some(Open::Fixed { tag, to_come, of_function }) => {
                    *to_come -= 1;
                    *of_function |= last == Last::Function;
                    if *to_come > 0 {
                        return;
                    }
                    // A function with its scripts is one.
                    last = if *of_function { Last::Function } else { Last::Atom };
                    let tag = *tag;
                    self.open.pop();
                    self.end_tag(tag);
                }
                Some(Open::Group(group)) => {
                    if last != Last::Space {
                        group.last = last;
                    }
                    return;
                }
                None => return,
            }
        }
    }

    pub(super) fn end_tag(&mut self, tag: &'static str) {
        self.out.push_markup("</");
        self.out.push_markup(tag);
        self.out.push_markup(">");
    }

    fn begin_tag(&mut self, tag: &'static str) {
        self.out.push_markup("<");
        self.out.push_markup(tag);
        self.out.push_markup(">");
    }

    /// An element of a text, in the group's font.
    pub(super) fn element(&mut self, tag: &'static str, attributes: &'static str, text: &str) {
        let font = self.group().and_then(|group| group.font);
        self.out.push_markup("<");
        self.out.push_markup(tag);
        self.out.push_markup(attributes);
        self.out.push_markup(">");
        match font {
            Some(font) => {
                let text: String = text.chars().map(|c| in_font(c, font)).collect();
                self.out.push_text(&text);
            }
            None => self.out.push_text(text),
        }
        if std::mem::take(&mut self.is_negated) {
            self.out.push_text("\u{338}");
        }
        self.end_tag(tag);
    }

    fn visual(&mut self, visual: Visual) {
        let (tag, to_come) = match visual {
            Visual::Negation => {
                self.is_negated = true;
                return;
            }
            Visual::SquareRoot => ("msqrt", 1),
            Visual::Root => ("mroot", 2),
            Visual::Fraction(_) => ("mfrac", 2),
        };
        match visual {
            // A binomial.
            Visual::Fraction(Some(line)) if line.value == 0.0 => {
                self.out.push_markup("<mfrac linethickness=\"0\">");
            }
            _ => self.begin_tag(tag),
        }
        self.open.push(Open::Fixed { tag, to_come, of_function: false });
    }

    fn script(&mut self, script: ScriptType, position: ScriptPosition) -> Option<()> {
        let is_display = self.group()?.is_display;
        let is_around = match position {
            ScriptPosition::Right => false,
            ScriptPosition::AboveBelow => true,
            ScriptPosition::Movable => is_display,
        };
        let (tag, to_come) = match (script, is_around) {
            (ScriptType::Subscript, false) => ("msub", 2),
            (ScriptType::Superscript, false) => ("msup", 2),
            (ScriptType::SubSuperscript, false) => ("msubsup", 3),
            (ScriptType::Subscript, true) => ("munder", 2),
            (ScriptType::Superscript, true) => ("mover", 2),
            (ScriptType::SubSuperscript, true) => ("munderover", 3),
        };
        self.begin_tag(tag);
        self.open.push(Open::Fixed { tag, to_come, of_function: false });
        Some(())
    }

    fn space(
        &mut self,
        width: Option<Dimension>,
        height: Option<Dimension>,
        depth: Option<Dimension>,
    ) {
        self.out.push_markup("<mspace");
        for (name, given) in [(" width=\"", width), (" height=\"", height), (" depth=\"", depth)] {
            let Some(given) = given else { continue };
            self.out.push_markup(name);
            self.out.push_text(&format!("{:.3}em", em(given)));
            self.out.push_markup("\"");
        }
        self.out.push_markup("></mspace>");
    }

    fn change(&mut self, change: StateChange) -> Option<()> {
        // Between the parts of a fraction or a script it is one of them: it has nothing behind it to change.
        if matches!(self.open.last(), Some(Open::Fixed { .. })) {
            self.out.push_markup("<mrow></mrow>");
            self.complete(Last::Nothing);
            return Some(());
        }
        let group = self.group()?;
        match change {
            StateChange::Font(font) => group.font = font,
            // The page's own colors are readable in its themes.
            StateChange::Color(_) => {}
            StateChange::Style(style) => {
                group.is_display = style == Style::Display;
                group.styles += 1;
                self.out.push_markup(match style {
                    Style::Display => "<mstyle displaystyle=\"true\" scriptlevel=\"0\">",
                    Style::Text => "<mstyle displaystyle=\"false\" scriptlevel=\"0\">",
                    Style::Script => "<mstyle displaystyle=\"false\" scriptlevel=\"1\">",
                    Style::ScriptScript => "<mstyle displaystyle=\"false\" scriptlevel=\"2\">",
                });
            }
        }
        Some(())
    }

    pub(super) fn end_styles(&mut self, styles: usize) {
        for _ in 0..styles {
            self.out.push_markup("</mstyle>");
        }
    }

    fn begin(&mut self, grouping: &Grouping) -> Option<()> {
        let is_part = matches!(self.open.last(), Some(Open::Fixed { .. }));
        let around = self.group()?;
        let (font, is_display) = (around.font, around.is_display && !is_part);
        let inner = match grouping {
            Grouping::Normal => {
                self.out.push_markup("<mrow>");
                Group {
                    end: Html::trusted("</mrow>".to_owned()),
                    ..Group::new(font, is_display, Flow::None)
                }
            }
            Grouping::LeftRight(begin, end) => {
                self.out.push_markup("<mrow>");
                self.out.push(&fence(*begin, true));
                let mut end = fence(*end, false);
                end.push_markup("</mrow>");
                Group { end, ..Group::new(font, is_display, Flow::None) }
            }
            Grouping::Equation { .. } => {
                self.out.push_markup("<mrow>");
                Group {
                    end: Html::trusted("</mrow>".to_owned()),
                    ..Group::new(None, is_display, Flow::Ignored)
                }
            }
            table => self.table(table, is_display)?,
        };
        self.open.push(Open::Group(inner));
        Some(())
    }

    fn end(&mut self) -> Option<()> {
        let Open::Group(group) = self.open.pop()? else { return None };
        // The root has no end.
        if self.open.is_empty() {
            return None;
        }
        self.end_styles(group.styles);
        self.out.push(&group.end);
        self.complete(Last::Atom);
        Some(())
    }
}

impl Group {
    pub(super) fn new(font: Option<Font>, is_display: bool, flow: Flow) -> Group {
        Group { end: Html::new(), font, is_display, styles: 0, flow, last: Last::Nothing }
    }
}

/// A bracket as large as what it is around; nothing for none.
pub(super) fn fence(bracket: Option<char>, is_first: bool) -> Html {
    let mut html = Html::new();
    if let Some(bracket) = bracket {
        html.push_markup(if is_first {
            "<mo stretchy=\"true\" form=\"prefix\">"
        } else {
            "<mo stretchy=\"true\" form=\"postfix\">"
        });
        html.push_text(bracket.encode_utf8(&mut [0; 4]));
        html.push_markup("</mo>");
    }
    html
}

/// A length in em of a font of 10 points, within bounds: MathML has no negative spaces.
fn em(dimension: Dimension) -> f32 {
    let factor = match dimension.unit {
        DimensionUnit::Em => 1.0,
        DimensionUnit::Mu => 1.0 / 18.0,
        DimensionUnit::Ex => 0.43,
        DimensionUnit::Pt | DimensionUnit::Bp | DimensionUnit::Dd => 0.1,
        DimensionUnit::Pc | DimensionUnit::Cc => 1.2,
        DimensionUnit::In => 7.2,
        DimensionUnit::Cm => 2.85,
        DimensionUnit::Mm => 0.285,
        DimensionUnit::Sp => 0.0,
    };
    let length = dimension.value * factor;
    if length.is_finite() { length.clamp(0.0, MAX_SPACE) } else { 0.0 }
}
