//! Pictures: raster only, inline only.

use super::html::Html;
use crate::session::{EntryIndex, Session};

/// The types a browser draws without running or fetching anything.
const RASTER: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// The pictures of a session.
#[derive(Debug, Default)]
pub(super) struct PictureStore;

/// The pictures of a session as one of its entries shows them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pictures<'a> {
    _store: &'a PictureStore,
    _entry: EntryIndex,
}

impl PictureStore {
    /// Which pictures of the session are the same.
    pub(super) fn read(_session: &Session) -> PictureStore {
        PictureStore
    }

    /// The pictures as `entry` shows them.
    pub(super) fn seen_from(&self, entry: EntryIndex) -> Pictures<'_> {
        Pictures { _store: self, _entry: entry }
    }
}

impl Pictures<'_> {
    /// A picture from base64, or a note where it cannot be shown.
    #[expect(clippy::unused_self, reason = "a picture met before will be told from a new one")]
    pub(super) fn show(self, data: &str, mime_type: &str) -> Html {
        picture(data, mime_type)
    }
}

/// A picture from base64, or a note where it cannot be shown.
fn picture(data: &str, mime_type: &str) -> Html {
    let mut html = Html::new();
    let data = data.trim_ascii();
    let Some(mime) = RASTER.iter().find(|mime| **mime == mime_type.trim()) else {
        html.push_markup("<p class=\"note\"><span data-ui>Picture not shown: type </span><code>");
        html.push_text(if mime_type.is_empty() { "unknown" } else { mime_type });
        html.push_markup("</code></p>\n");
        return html;
    };
    if !is_base64(data) {
        html.push_markup("<p class=\"note\" data-ui>Picture not shown: its data is damaged</p>\n");
        return html;
    }
    html.push_markup("<img src=\"data:");
    html.push_text(mime);
    html.push_markup(";base64,");
    html.push_text(data);
    html.push_markup("\" alt=\"Picture (");
    html.push_text(mime.trim_start_matches("image/"));
    html.push_markup(")\">\n");
    html
}

/// Whether a data URL holds a picture that [`picture`] would show.
pub(super) fn is_picture_url(url: &str) -> bool {
    url.strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"))
        .is_some_and(|(mime, data)| RASTER.contains(&mime) && is_base64(data))
}

/// Checked by its alphabet alone: decoding would cost more and tell the browser nothing.
fn is_base64(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    !body.is_empty()
        && data.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}
