//! Files that a prompt mentions: each a fold with its content or its picture.

use super::image::Pictures;
use super::output;
use crate::figures;
use crate::html::Html;
use crate::language;
use crate::session::message::{Block, MentionedFile};

pub(super) fn files(files: &[MentionedFile<'_>], pictures: Pictures<'_>) -> Html {
    let mut html = Html::new();
    if files.is_empty() {
        html.push_markup("<p class=\"note\" data-ui>No files</p>\n");
    }
    for file in files {
        html.push(&one(file, pictures));
    }
    html
}

fn one(file: &MentionedFile<'_>, pictures: Pictures<'_>) -> Html {
    let mut html = Html::new();
    let is_empty = file.content.is_empty() && file.image.is_none();
    html.push_markup(if is_empty {
        "<p class=\"files\"><code>"
    } else {
        "<details class=\"fold mention\"><summary><code>"
    });
    html.push_text(&file.path);
    html.push_markup("</code>");
    if let Some(reason) = &file.skipped {
        html.push_markup("<span class=\"fact\" data-ui> not included: </span>");
        html.push_text(reason);
    }
    if is_empty {
        html.push_markup(if file.skipped.is_none() {
            "<span class=\"fact\" data-ui> empty</span></p>\n"
        } else {
            "</p>\n"
        });
        return html;
    }
    if !file.content.is_empty() {
        html.push_markup("<span class=\"fact\" data-ui> ");
        html.push_text(&figures::counted(file.content.lines().count(), "line"));
        html.push_markup(", ");
        html.push_text(&figures::bytes(file.content.len()));
        html.push_markup("</span>");
    }
    html.push_markup("</summary>\n");
    if !file.content.is_empty() {
        html.push(&output::printed_code(&file.content, language::of_path(&file.path), Some(1)));
    }
    match &file.image {
        Some(Block::Image { data, mime_type }) => html.push(&pictures.show(data, mime_type)),
        Some(Block::Other(json)) => html.push(&output::raw(&json.pretty())),
        _ => {}
    }
    html.push_markup("</details>\n");
    html
}
