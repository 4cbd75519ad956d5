//! Files that prompts and results hold: pictures are shown, other files are named.

use std::borrow::Cow;

use data_encoding::BASE64;

use crate::format::blocks::{image, text_block};
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::session::json::Json;

/// A file as OpenCode describes it, in version 1.x and 2.x.
// opencode, packages/schema: 1.x {mime, filename, url, source}, 2.x {data, mime, name} or {uri, mime}.
pub(super) struct FilePart<'p> {
    mime: &'p str,
    name: Option<&'p str>,
    /// `data:`, `file:` or an address on the web.
    url: &'p str,
    /// Base64 of its own (2.x).
    data: Option<&'p str>,
}

impl<'p> FilePart<'p> {
    pub(super) fn read(part: &'p Json<'_>) -> FilePart<'p> {
        let source = part.get("source").and_then(|source| text(source, "path"));
        FilePart {
            mime: text(part, "mime").unwrap_or_default(),
            name: source.or_else(|| text(part, "filename")).or_else(|| text(part, "name")),
            url: text(part, "url").or_else(|| text(part, "uri")).unwrap_or_default(),
            data: text(part, "data"),
        }
    }

    fn base64(&self) -> Option<&'p str> {
        let in_url =
            || self.url.strip_prefix("data:")?.split_once(";base64,").map(|(_, data)| data);
        self.data.or_else(in_url)
    }

    /// The picture, where the file is one and lies in the session.
    pub(super) fn image(&self) -> Option<Json<'static>> {
        let data = self.base64().filter(|_| self.mime.starts_with("image/"))?;
        Some(image(self.mime.to_owned(), data.to_owned()))
    }

    /// A file that a prompt mentions: its text, or why that is not here.
    pub(super) fn mention(&self) -> Json<'static> {
        let is_text = self.mime.starts_with("text/") || self.mime == "application/json";
        let decoded = self.base64().filter(|_| is_text).and_then(|data| {
            let bytes = BASE64.decode(data.as_bytes()).ok()?;
            String::from_utf8(bytes).ok()
        });
        let missing = match (&decoded, self.base64()) {
            (Some(_), _) => None,
            (None, Some(data)) => Some(format!("{}, {}", self.mime, kept_in_file(data))),
            (None, None) => Some("its content is not stored with the prompt".to_owned()),
        };
        let path = self.name.or_else(|| (!self.url.starts_with("data:")).then_some(self.url));
        object([
            ("path", Some(string(path.unwrap_or("file").to_owned()))),
            ("content", decoded.map(string)),
            ("skippedReason", missing.map(string)),
        ])
    }
}

fn kept_in_file(data: &str) -> String {
    format!("{} base64 characters, kept in the session file", data.len())
}

/// A part of a tool's result: text or a file.
pub(super) fn block(part: &Json<'_>) -> Json<'static> {
    match (text(part, "type"), part) {
        (Some("text"), _) => {
            let words = part.get("text").cloned().unwrap_or(Json::Null).into_text().into_owned();
            text_block(words)
        }
        (Some("file"), Json::Object(fields)) => {
            let file = FilePart::read(part);
            file.image().unwrap_or_else(|| {
                let field = |(key, value): &(Cow<'_, str>, Json<'_>)| {
                    let value = match value
                        .as_str()
                        .filter(|_| matches!(key.as_ref(), "url" | "data" | "uri"))
                    {
                        Some(data) if key == "data" || data.starts_with("data:") => {
                            string(kept_in_file(data))
                        }
                        _ => value.clone().owned(),
                    };
                    (Cow::Owned(key.clone().into_owned()), value)
                };
                Json::Object(fields.iter().map(field).collect())
            })
        }
        _ => part.clone().owned(),
    }
}
