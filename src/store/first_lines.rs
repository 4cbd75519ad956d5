//! What the first lines of a file say: whose it is, its header, and whether it may be written to.

use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::value::to_raw_value;

use crate::format::{self, ReadOptions, WRITER};
use crate::session::json::Json;
use crate::session::{Header, time};

use super::title_line::{self, First, TitleLine};
use super::{Agent, Inherited, StoreError};

/// The version that is written.
pub(super) const VERSION: u32 = 3;

pub(super) fn no_session(path: &Path, reason: String) -> StoreError {
    StoreError::NoSession { path: path.to_owned(), reason }
}

/// A file that may be written to: all lines count, also those of branches that were archived.
pub(super) fn options() -> ReadOptions {
    ReadOptions { without_children: true, archived: true, ..ReadOptions::default() }
}

/// What the first lines of a file say.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) agent: Agent,
    pub(super) header: Header,
    pub(super) inherited: Inherited,
}

/// The facts of a file that may be written to.
pub(super) fn opened(path: &Path, bytes: &[u8]) -> Result<Opened, StoreError> {
    let format = format::recognized(bytes);
    let agent = format.map(|format| Agent::of(format).ok_or(format));
    let read_only = |found: String| StoreError::ReadOnly { path: path.to_owned(), found };
    if let Some(Err(format)) = agent {
        return Err(read_only(format.to_string()));
    }
    let title = match title_line::read(bytes) {
        First::Newer(version) => {
            return Err(StoreError::NewerTitle { path: path.to_owned(), version });
        }
        First::Title(title) => Some(title),
        First::Other => None,
    };
    let (header, inherited) = header(path, bytes, title)?;
    let Some(Ok(agent)) = agent else {
        // A cut wrote it, which leaves out what the agent needs.
        return Err(read_only("that of a session with removed parts".to_owned()));
    };
    if header.version > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), version: header.version });
    }
    Ok(Opened { agent, header, inherited })
}

/// The first JSON value of the file that is no title line, if it is a header.
fn header(
    path: &Path,
    bytes: &[u8],
    title: Option<TitleLine>,
) -> Result<(Header, Inherited), StoreError> {
    let rest = if title.is_some() { after_title(bytes) } else { bytes };
    let first = first_line(rest).and_then(|line| serde_json::from_str::<Json<'_>>(line).ok());
    let Some(first) = first else {
        let what =
            if bytes.trim_ascii().is_empty() { "it is empty" } else { "it contains no JSON lines" };
        return Err(no_session(path, what.to_owned()));
    };
    let text = |key: &str| first.get(key).and_then(Json::as_str).map(str::to_owned);
    let (Some("session"), Some(id)) = (text("type").as_deref(), text("id")) else {
        return Err(no_session(path, "it does not start with a session header".to_owned()));
    };
    if let Some(writer) = text(WRITER.0).filter(|writer| writer != WRITER.1) {
        return Err(StoreError::UnknownWriter { path: path.to_owned(), writer });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let version =
        first.get("version").map_or(1, |version| version.as_f64().map_or(VERSION, |v| v as u32));
    let directories = first.get("additionalDirectories").filter(|list| !list.items().is_empty());
    let (own_title, own_source) = (text("title"), text("titleSource"));
    // A title line has the last word, and says by an empty title that there is none.
    let (title, title_source) = match title {
        Some(line) => (line.title, line.source),
        None => (own_title.filter(|title| !title.is_empty()), own_source),
    };
    let header = Header {
        id,
        version,
        time: first.get("timestamp").and_then(time::read),
        cwd: text("cwd").unwrap_or_default(),
        parent_session: text("parentSession").or_else(|| text("branchedFrom")),
        title: title.clone(),
        ..Header::default()
    };
    let additional_directories =
        directories.map(to_raw_value).transpose().map_err(StoreError::json)?;
    Ok((header, Inherited { title, title_source, additional_directories }))
}

/// A file without its title line.
pub(super) fn after_title(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    &bytes[end..]
}

/// The first line that is JSON.
pub(super) fn first_line(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| byte == b'\n');
    lines.find_map(|line| {
        let text = std::str::from_utf8(line.trim_ascii()).ok()?;
        serde_json::from_str::<IgnoredAny>(text).ok()?;
        Some(text)
    })
}
