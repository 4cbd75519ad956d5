//! The list of prompts that stands in the place of the tree until the script has started, and for readers without it.

use crate::render::Html;
use crate::session::invisible::marked;
use crate::session::story::{Story, TurnRole};
use crate::session::{EntryIndex, Session, title};

use super::chunk_layout::ChunkLayout;

/// The list takes at most so many bytes, with the tags around it.
const MOST_BYTES: usize = 4096;
const AROUND_BYTES: usize = 96;

/// Of a prompt, in UTF-16 units: about what a row has room for.
const WORDS_UNITS: usize = 38;

/// A list of the prompts of a path that stand in the document, the first and the newest where not all have room; nothing
/// without any.
pub(super) fn list(
    session: &Session,
    story: &Story,
    layout: &ChunkLayout,
    path: &[EntryIndex],
) -> Html {
    let prompts = path.iter().filter(|&&entry| story.role(entry) == TurnRole::Prompt);
    let prompts: Vec<(usize, EntryIndex)> =
        (1..).zip(prompts.copied()).filter(|(_, entry)| layout.is_plain(*entry)).collect();
    let (mut first, mut newest) = (Vec::new(), Vec::new());
    let mut room = MOST_BYTES - AROUND_BYTES;
    let (mut from, mut to) = (0, prompts.len());
    while from < to {
        let is_first = first.len() <= newest.len();
        let (number, entry) = prompts[if is_first { from } else { to - 1 }];
        let row = row(session, number, entry);
        let Some(left) = room.checked_sub(row.as_str().len()) else { break };
        room = left;
        if is_first {
            first.push(row);
            from += 1;
        } else {
            newest.push(row);
            to -= 1;
        }
    }
    let mut html = Html::new();
    if !first.is_empty() {
        html.push_markup("<ol id=\"asked\">\n");
        first.iter().chain(newest.iter().rev()).for_each(|row| html.push(row));
        html.push_markup("</ol>");
    }
    html
}

/// A gap in the numbers says that prompts are left out.
fn row(session: &Session, number: usize, entry: EntryIndex) -> Html {
    let words = title::excerpt(session, entry, WORDS_UNITS);
    let words = words.unwrap_or_else(|| "no text".to_owned());
    let mut html = Html::new();
    html.push_markup("<li value=\"");
    html.push_text(&number.to_string());
    html.push_markup("\"><a href=\"#entry-");
    html.push_text(&session.key_at(entry));
    html.push_markup("\">");
    html.push_text(&marked(&words));
    html.push_markup("</a></li>\n");
    html
}
