//! The lines of figures that `stats` prints.

use std::io::{self, Write};

use anstyle::Style;

use super::clock::Clock;
use super::columns::wrapped;
use super::printable::printable;

/// Columns of the name of a figure.
pub(super) const NAME: usize = 9;

/// How wide the lines are, and which times they have.
pub(super) struct Page {
    pub(super) columns: usize,
    pub(super) clock: Clock,
}

impl Page {
    /// Writes a name and items behind it, on as many lines as they need.
    pub(super) fn items(
        &self,
        (indent, name): (&str, &str),
        items: &[String],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let dim = Style::new().dimmed();
        let items: Vec<String> = items.iter().map(|item| printable(item)).collect();
        let room = self.columns.saturating_sub(indent.len() + NAME);
        for (nth, line) in wrapped(&items, ", ", room).into_iter().enumerate() {
            let name = if nth == 0 { name } else { "" };
            writeln!(out, "{indent}{dim}{name:NAME$}{dim:#}{line}")?;
        }
        Ok(())
    }
}
