//! What stands in the place of entries, and of parts of one, that somebody left out.

use crate::html::Html;
use crate::session::omitted::{Omitted, Parts};
use crate::session::text::{count, counted};

/// The article of a stub: an old link to any of its entries ends here.
pub(super) fn entries(omitted: &Omitted<'_>) -> Html {
    let mut html = Html::new();
    html.push_markup(if omitted.quiet {
        "<p class=\"event\" data-ui>"
    } else {
        "<p class=\"note\" data-ui>"
    });
    html.push_text(&match omitted.count {
        1 => "This entry was not included when the page was made".to_owned(),
        number => {
            format!("These {} entries were not included when the page was made", count(number))
        }
    });
    if !omitted.why.is_empty() {
        html.push_markup(" (");
        html.push_text(&omitted.why);
        html.push_markup(")");
    }
    html.push_markup(". ");
    html.push_markup(match omitted.count {
        1 => "A link to it ends here",
        _ => "A link to any of them ends here",
    });
    if omitted.sub_sessions > 0 {
        html.push_markup(". ");
        html.push_text(&counted(omitted.sub_sessions, "sub-agent session"));
        html.push_markup(if omitted.sub_sessions == 1 {
            " was removed too"
        } else {
            " were removed too"
        });
    }
    html.push_markup(".</p>\n");
    html
}

/// A quiet line for each kind of part that an entry lost.
pub(super) fn parts(parts: &Parts) -> Html {
    let mut html = Html::new();
    for remark in parts.words() {
        html.push_markup("<p class=\"note omitted\" data-ui>");
        html.push_text(&remark);
        html.push_markup("</p>\n");
    }
    html
}
