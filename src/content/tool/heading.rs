//! What a call is about, in the head of its card.

use crate::content::{Span, Style};
use crate::session::action::heading::{Heading, NO_PATH, NO_PATTERN};
use crate::session::text::{one_line, short_path};

/// The line. Words of the page's own are no text of the session.
pub(super) fn spans(heading: &Heading) -> Vec<Span<'static>> {
    match heading {
        Heading::Command(line) => vec![command(line, "bash")],
        Heading::Missing(words) => vec![Span::own(*words)],
        Heading::Search { pattern, folder } => {
            let mut spans = vec![match pattern {
                Some(pattern) => Span::text(pattern.clone()),
                None => Span::own(NO_PATTERN),
            }];
            if !folder.is_empty() {
                spans.extend([Span::own(" in "), Span::text(one_line(&short_path(folder)))]);
            }
            spans
        }
        Heading::Files(paths) => {
            let (named, more) = Heading::named(paths);
            let named: Vec<String> = named.iter().map(|path| one_line(&short_path(path))).collect();
            let mut spans = vec![Span::text(named.join(", "))];
            spans.extend((more > 0).then(|| Span::own(format!(" and {more} more"))));
            spans
        }
        Heading::File { verb, path, lines } if path.is_empty() => {
            let space = if verb.is_empty() { "" } else { " " };
            vec![
                Span::text(format!("{verb}{space}")),
                Span::own(NO_PATH),
                Span::text(lines.clone()),
            ]
        }
        Heading::File { .. } | Heading::Words(_) => vec![Span::text(heading.text())],
    }
}

/// Of a command, or of a program in `language`, what one line shows.
pub(super) fn command(line: &str, language: &'static str) -> Span<'static> {
    let (shown, is_all) = Heading::shown_command(line);
    Span::styled(Style::Program { language, is_cut: !is_all }, shown.to_owned())
}
