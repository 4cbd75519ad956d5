//! Tables. The parser's own writer aligns cells by inline styles, which the
//! page's policy forbids.

use pulldown_cmark::Alignment;

/// The table at hand.
#[derive(Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) in_head: bool,
    pub(super) column: usize,
    /// Where the last cell ends in the text.
    pub(super) cell_end: usize,
}

impl Table {
    /// The tags of the next cell. The line end keeps the words of neighbors apart.
    pub(super) fn next_cell(&mut self) -> (&'static str, &'static str) {
        let alignment = self.alignments.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        let open = match (self.in_head, alignment) {
            (true, Alignment::Center) => "<th class=\"center\">",
            (true, Alignment::Right) => "<th class=\"end\">",
            (true, _) => "<th>",
            (false, Alignment::Center) => "<td class=\"center\">",
            (false, Alignment::Right) => "<td class=\"end\">",
            (false, _) => "<td>",
        };
        (open, if self.in_head { "</th>\n" } else { "</td>\n" })
    }
}
