//! The first line of oh-my-pi's files, which holds the title. It has a fixed length, so that a new
//! title takes the place of the old one and no other byte moves.

use serde::Serialize;

use crate::session::json::Json;

/// Its length in bytes with the line end.
pub(super) const LEN: usize = 256;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Slot<'a> {
    r#type: &'static str,
    v: u32,
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    updated_at: &'a str,
    pad: &'a str,
}

/// What a title line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TitleLine {
    /// Never empty.
    pub(super) title: Option<String>,
    /// `user` or `auto`.
    pub(super) source: Option<String>,
    /// It can be overwritten in place.
    pub(super) is_fixed: bool,
}

/// What there is in place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum First {
    Title(TitleLine),
    /// A title line of another version.
    Newer(u32),
    /// The file begins with something else.
    Other,
}

/// The line with its end: as much of the title as there is room for.
pub(super) fn write(title: &str, source: Option<&str>, updated_at: &str) -> String {
    let line = |title: &str, pad: &str| {
        let slot = Slot { r#type: "title", v: 1, title, source, updated_at, pad };
        let mut line = serde_json::to_string(&slot).unwrap_or_default();
        line.push('\n');
        line
    };
    let ends = title.char_indices().map(|(at, char)| at + char.len_utf8());
    let fits = ends.take_while(|&end| line(&title[..end], "").len() <= LEN).last();
    let title = &title[..fits.unwrap_or(0)];
    let room = LEN.saturating_sub(line(title, "").len());
    line(title, &" ".repeat(room))
}

/// What the first line of a file is.
pub(super) fn read(bytes: &[u8]) -> First {
    let Some(end) = memchr::memchr(b'\n', bytes) else { return First::Other };
    let Some(json) = std::str::from_utf8(&bytes[..end])
        .ok()
        .and_then(|line| serde_json::from_str::<Json<'_>>(line).ok())
    else {
        return First::Other;
    };
    let text = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
    if text("type").as_deref() != Some("title") {
        return First::Other;
    }
    match json.get("v").and_then(Json::as_f64) {
        Some(1.0) => {}
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        version => return First::Newer(version.unwrap_or_default() as u32),
    }
    First::Title(TitleLine {
        title: text("title").filter(|title| !title.is_empty()),
        source: text("source").filter(|source| matches!(source.as_str(), "auto" | "user")),
        is_fixed: end + 1 == LEN,
    })
}

/// A title as oh-my-pi keeps it: in one line, without blanks around it. `None` where nothing is left.
pub(super) fn cleaned(title: &str) -> Option<String> {
    let is_blank = |char: char| char == ' ' || char.is_control();
    let words: Vec<&str> = title.split(is_blank).filter(|word| !word.is_empty()).collect();
    let title = words.join(" ").trim().to_owned();
    (!title.is_empty()).then_some(title)
}
