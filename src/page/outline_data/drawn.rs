//! Texts of rows and labels as they are drawn, where that is not as they stand.

use std::borrow::Cow;

use super::columns::{Number, numbered};
use crate::outline::Outline;
use crate::session::EntryIndex;
use crate::session::invisible::marked;
use crate::session::title;

/// The row texts that are drawn in another form, with the numbers of their entries: without Markdown, with short paths,
/// with marks for invisible characters.
pub(super) fn drawn_text(outline: &Outline, order: &[EntryIndex]) -> Vec<(Number, String)> {
    numbered(order.iter().map(|&entry| {
        let row = outline.row(entry);
        let drawn = row.drawn.clone().or_else(|| without_markdown(&row.text));
        match (marked(drawn.as_deref().unwrap_or(&row.text)), &drawn) {
            (Cow::Borrowed(_), None) => None,
            (text, _) => Some(text.into_owned()),
        }
    }))
}

/// The row of a prompt or a response as plain text; `None` where it is that already.
fn without_markdown(text: &str) -> Option<String> {
    let speaker = ["user: ", "assistant: "].into_iter().find(|who| text.starts_with(who))?;
    let said = &text[speaker.len()..];
    // Most have none, and to look for it costs more than all else of a row.
    if !said.contains(['`', '*', '_', '#', '[', '<', '>', '&', '\\', '~', '|', '-']) {
        return None;
    }
    let words = title::words(said);
    (words != said).then(|| format!("{speaker}{words}"))
}

/// The texts that are drawn with marks, with the numbers of their entries.
pub(super) fn drawn<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<(Number, String)> {
    numbered(texts.map(|text| match marked(text?) {
        Cow::Borrowed(_) => None,
        Cow::Owned(drawn) => Some(drawn),
    }))
}
