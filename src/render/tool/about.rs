//! What a call is about, in the head of its card.

use crate::html::Html;
use crate::render::highlight;
use crate::session::about::{About, NO_PATH, NO_PATTERN};
use crate::session::text::{one_line, short_path};

/// The line as markup. Words of the page's own are no text of the session.
pub(super) fn html(about: &About) -> Html {
    let mut html = Html::new();
    match about {
        About::Command(line) => return command(line, "bash"),
        About::Missing(words) => own(&mut html, words),
        About::Search { pattern, folder } => {
            match pattern {
                Some(pattern) => html.push_text(pattern),
                None => own(&mut html, NO_PATTERN),
            }
            if !folder.is_empty() {
                own(&mut html, " in ");
                html.push_text(&one_line(&short_path(folder)));
            }
        }
        About::Files(paths) => {
            let (named, more) = About::named(paths);
            let named: Vec<String> = named.iter().map(|path| one_line(&short_path(path))).collect();
            html.push_text(&named.join(", "));
            if more > 0 {
                html.push_markup("<span data-ui> and ");
                html.push_text(&more.to_string());
                html.push_markup(" more</span>");
            }
        }
        About::File { verb, path, lines } if path.is_empty() => {
            html.push_text(verb);
            html.push_text(if verb.is_empty() { "" } else { " " });
            own(&mut html, NO_PATH);
            html.push_text(lines);
        }
        About::File { .. } | About::Words(_) => html.push_text(&about.text()),
    }
    html
}

/// Of a command, or of a program in `language`, what one line shows.
pub(super) fn command(line: &str, language: &str) -> Html {
    let (shown, is_all) = About::shown_command(line);
    let mut html = Html::new();
    html.push_markup("<code>");
    html.push(&highlight::inline(shown, language));
    html.push_markup(if is_all { "</code>" } else { "<span data-ui>…</span></code>" });
    html
}

fn own(html: &mut Html, words: &'static str) {
    html.push_markup("<span data-ui>");
    html.push_markup(words);
    html.push_markup("</span>");
}
