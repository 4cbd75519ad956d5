//! One line of a terminal, written to in any order.
//!
//! Every step costs no more than the characters written so far pay for, plus
//! a bounded number of columns: erased cells were written before, and a cursor
//! that jumps reaches [`REACH`] at most.

/// How far to the right a cursor can jump: no terminal is much wider, and a
/// jump costs its columns in blanks.
const REACH: usize = 256;

/// What stands in the columns after the first of a wide character or a tab.
const CONTINUED: char = '\0';

/// One column.
#[derive(Debug, Clone, Copy)]
struct Cell {
    glyph: char,
    ink: u32,
    /// Which of the line's marks stand on it, counted from 1.
    marks: u32,
}

const BLANK: Cell = Cell { glyph: ' ', ink: 0, marks: 0 };

/// A line as a terminal holds it.
#[derive(Debug, Default)]
pub(super) struct TerminalLine {
    cells: Vec<Cell>,
    /// Characters without a width of their own, by the cell that carries them.
    marks: Vec<String>,
    cursor: usize,
    /// Every column before this one is blank: it need not be erased again.
    blank_to: usize,
}

impl TerminalLine {
    /// Writes a character where the cursor is.
    pub(super) fn put(&mut self, c: char, ink: u32) {
        match width(c) {
            0 if self.mark(c) => {}
            width => self.write(c, width.max(1), ink),
        }
    }

    /// A tab at the end is kept as one; over a text it only moves the cursor.
    pub(super) fn tab(&mut self, ink: u32) {
        let width = 8 - self.cursor % 8;
        if self.cursor < self.cells.len() {
            self.cursor += width;
        } else {
            self.write('\t', width, ink);
        }
    }

    /// Moves the cursor to a column, counted from 0.
    pub(super) fn go_to(&mut self, column: usize) {
        self.cursor = column.min(REACH.max(self.cursor));
    }

    pub(super) fn right(&mut self, columns: usize) {
        self.go_to(self.cursor.saturating_add(columns));
    }

    pub(super) fn left(&mut self, columns: usize) {
        self.cursor = self.cursor.saturating_sub(columns);
    }

    pub(super) fn erase_right(&mut self) {
        if self.cursor < self.cells.len() {
            self.part(self.cursor);
            self.cells.truncate(self.cursor);
            self.blank_to = self.blank_to.min(self.cursor);
        }
    }

    /// Erases up to the cursor, its own column included.
    pub(super) fn erase_left(&mut self) {
        let end = (self.cursor + 1).min(self.cells.len());
        if self.blank_to < end {
            self.part(end);
            self.cells[self.blank_to..end].fill(BLANK);
            self.blank_to = end;
        }
    }

    pub(super) fn erase(&mut self) {
        self.cells.clear();
        self.marks.clear();
        self.blank_to = 0;
    }

    /// Gives the line's characters with their ink from left to right, and begins anew.
    pub(super) fn take(&mut self, mut give: impl FnMut(char, u32)) {
        for cell in self.cells.iter().filter(|cell| cell.glyph != CONTINUED) {
            give(cell.glyph, cell.ink);
            let marks = (cell.marks as usize).checked_sub(1).and_then(|at| self.marks.get(at));
            marks.into_iter().flat_map(|marks| marks.chars()).for_each(|mark| give(mark, cell.ink));
        }
        self.erase();
        self.cursor = 0;
    }

    fn write(&mut self, c: char, width: usize, ink: u32) {
        if self.cursor > self.cells.len() {
            // After an erased line the cursor may stand further than it could jump.
            self.cursor = self.cursor.min(REACH.max(self.cells.len()));
            self.cells.resize(self.cursor, BLANK);
        }
        let end = self.cursor + width;
        if self.cursor < self.cells.len() {
            self.part(self.cursor);
            self.part(end);
        }
        if end > self.cells.len() {
            self.cells.resize(end, BLANK);
        }
        self.cells[self.cursor] = Cell { glyph: c, ink, marks: 0 };
        self.cells[self.cursor + 1..end].fill(Cell { glyph: CONTINUED, ink, marks: 0 });
        self.blank_to = self.blank_to.min(self.cursor);
        self.cursor = end;
    }

    /// Puts an accent or a joiner onto the character before the cursor.
    fn mark(&mut self, c: char) -> bool {
        let before = self.cells.iter().take(self.cursor).rposition(|cell| cell.glyph != CONTINUED);
        let Some(before) = before.filter(|_| self.cursor <= self.cells.len()) else {
            return false;
        };
        let cell = &mut self.cells[before];
        if cell.marks == 0 {
            self.marks.push(String::new());
            cell.marks = u32::try_from(self.marks.len()).unwrap_or(0);
        }
        if let Some(marks) =
            (cell.marks as usize).checked_sub(1).and_then(|at| self.marks.get_mut(at))
        {
            marks.push(c);
        }
        self.blank_to = self.blank_to.min(before);
        true
    }

    /// Makes blanks of a wide character that a cut before `column` would halve.
    fn part(&mut self, column: usize) {
        if self.cells.get(column).is_none_or(|cell| cell.glyph != CONTINUED) {
            return;
        }
        let lead = self.cells[..column].iter().rposition(|cell| cell.glyph != CONTINUED);
        let after = self.cells[column..].iter().position(|cell| cell.glyph != CONTINUED);
        let end = after.map_or(self.cells.len(), |after| column + after);
        self.cells[lead.unwrap_or(column)..end].fill(BLANK);
    }
}

/// Whether a character joins the one before it.
pub(super) fn has_no_width(c: char) -> bool {
    width(c) == 0
}

/// How many columns a character takes: the blocks that terminals draw wide,
/// and those that join the character before. It matters only where a line is
/// written over.
pub(crate) fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f
        | 0x200b..=0x200f
        | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f
        | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f900..=0x1f9ff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
