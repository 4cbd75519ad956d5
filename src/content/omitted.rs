//! What stands in the place of entries, and of parts of one, that somebody left out.

use std::fmt::Write as _;

use super::{Content, Line, Part, Role};
use crate::session::omitted::{Omitted, Parts};
use crate::session::text::{count, counted};

/// The article of a stub: an old link to any of its entries ends here.
pub(crate) fn entries(omitted: &Omitted<'_>) -> Content<'static> {
    let mut words = match omitted.count {
        1 => "This entry was not included when the page was made".to_owned(),
        number => {
            format!("These {} entries were not included when the page was made", count(number))
        }
    };
    if !omitted.why.is_empty() {
        let _ = write!(words, " ({})", omitted.why);
    }
    words.push_str(match omitted.count {
        1 => ". A link to it ends here",
        _ => ". A link to any of them ends here",
    });
    if omitted.sub_sessions > 0 {
        let verb = if omitted.sub_sessions == 1 { "was" } else { "were" };
        let sessions = counted(omitted.sub_sessions, "sub-agent session");
        let _ = write!(words, ". {sessions} {verb} removed too");
    }
    words.push('.');
    let role = if omitted.quiet { Role::Event } else { Role::Note };
    Content::from(Part::Line(Line::own(role, words)))
}

/// A quiet line for each kind of part that an entry lost.
pub(crate) fn parts(parts: &Parts) -> Content<'static> {
    parts.words().into_iter().map(|words| Part::Line(Line::own(Role::Omitted, words))).collect()
}
