//! Rows of cells: matrices, cases, relations below each other.

use pulldown_latex::event::{ArrayColumn, ColumnAlignment, EnvironmentFlow, Event, Grouping};

use super::writer::{Group, Last, Open, Writer, fence};
use crate::html::Html;

/// What marks of cells and lines mean in a group.
pub(super) enum Flow {
    None,
    Ignored,
    /// So many cells of the row are before this one.
    Table {
        columns: Columns,
        at: usize,
    },
}

/// The sides that the cells of a table's columns are set to.
pub(super) enum Columns {
    /// What is before a relation, and the relation.
    Pairs,
    All(ColumnAlignment),
    Each(Vec<ColumnAlignment>),
}

impl Columns {
    /// The tag of a cell; the middle is where browsers set them.
    fn cell(&self, at: usize) -> &'static str {
        let alignment = match self {
            Columns::Pairs if at.is_multiple_of(2) => ColumnAlignment::Right,
            Columns::Pairs => ColumnAlignment::Left,
            Columns::All(alignment) => *alignment,
            Columns::Each(all) => all.get(at).copied().unwrap_or(ColumnAlignment::Center),
        };
        match alignment {
            ColumnAlignment::Left => "<mtd columnalign=\"left\">",
            ColumnAlignment::Center => "<mtd>",
            ColumnAlignment::Right => "<mtd columnalign=\"right\">",
        }
    }
}

impl Writer {
    /// Rows of cells; `None` where lines part them, which have a meaning and no form here.
    pub(super) fn table(&mut self, grouping: &Grouping, is_display: bool) -> Option<Group> {
        let (columns, is_large) = match grouping {
            Grouping::Align { .. }
            | Grouping::Aligned
            | Grouping::Alignat { .. }
            | Grouping::Alignedat { .. }
            | Grouping::Split => (Columns::Pairs, true),
            Grouping::Cases { .. } => (Columns::All(ColumnAlignment::Left), false),
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                (Columns::All(*alignment), false)
            }
            Grouping::Array(columns) => {
                let sides = columns.iter().map(|column| match column {
                    ArrayColumn::Column(alignment) => Some(*alignment),
                    ArrayColumn::Separator(_) => None,
                });
                (Columns::Each(sides.collect::<Option<_>>()?), false)
            }
            _ => (Columns::All(ColumnAlignment::Center), true),
        };
        self.out.push_markup("<mrow>");
        let mut end = Html::trusted("</mtd></mtr></mtable>".to_owned());
        if let Grouping::Cases { left } = grouping {
            if *left {
                self.out.push(&fence(Some('{'), true));
            } else {
                end.push(&fence(Some('}'), false));
            }
        }
        end.push_markup("</mrow>");
        self.out.push_markup("<mtable");
        if is_large && is_display {
            self.out.push_markup(" displaystyle=\"true\"");
        }
        if matches!(columns, Columns::Pairs) {
            self.out.push_markup(" columnspacing=\"0em\"");
        }
        self.out.push_markup("><mtr>");
        self.out.push_markup(columns.cell(0));
        let flow = Flow::Table { columns, at: 0 };
        Some(Group { end, ..Group::new(None, is_large && is_display, flow) })
    }

    pub(super) fn flow(&mut self, flow: &EnvironmentFlow, next: Option<&Event<'_>>) -> Option<()> {
        let Some(Open::Group(group)) = self.open.last_mut() else { return None };
        let (columns, at) = match &mut group.flow {
            Flow::None => return None,
            Flow::Ignored => return Some(()),
            Flow::Table { columns, at } => (columns, at),
        };
        let between = match flow {
            EnvironmentFlow::StartLines { .. } => return None,
            EnvironmentFlow::NewLine { horizontal_lines, .. } if !horizontal_lines.is_empty() => {
                return None;
            }
            // A row that has nothing is none.
            EnvironmentFlow::NewLine { .. } if matches!(next, Some(Event::End)) => return Some(()),
            EnvironmentFlow::Alignment => {
                *at += 1;
                "</mtd>"
            }
            EnvironmentFlow::NewLine { .. } => {
                *at = 0;
                "</mtd></mtr><mtr>"
            }
        };
        let cell = columns.cell(*at);
        (group.font, group.last) = (None, Last::Nothing);
        let styles = std::mem::take(&mut group.styles);
        self.end_styles(styles);
        self.out.push_markup(between);
        self.out.push_markup(cell);
        Some(())
    }
}
