//! What a session begins with.

use crate::setters::setters;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::session::time::now;
use crate::session::{Header, time};

use super::{Agent, StoreError, title_line};

/// Facts of a session to be.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct NewSession {
    /// The agent whose format it is written in.
    pub agent: Agent,
    /// Its id; a new one (UUID version 7) where none is given.
    pub id: Option<String>,
    /// The folder that the agent works in; where none is given, that of the process.
    pub cwd: Option<String>,
    /// The file or the id of the session it goes on from.
    pub parent_session: Option<String>,
}

/// What a session takes over from the header of the one that it goes on from (oh-my-pi).
#[derive(Debug, Clone, Default)]
pub(super) struct Inherited {
    pub(super) title: Option<String>,
    /// `user` or `auto`.
    pub(super) title_source: Option<String>,
    /// JSON.
    pub(super) additional_directories: Option<Box<RawValue>>,
}

/// A header line in the order that pi and oh-my-pi write it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeaderLine<'a> {
    r#type: &'static str,
    version: u32,
    id: &'a str,
    timestamp: &'a str,
    cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title_source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_directories: Option<&'a RawValue>,
    /// Tells the file from omp's, some of whose types of entries it may hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    writer: Option<&'static str>,
}

impl NewSession {
    /// The defaults.
    #[must_use]
    pub fn new() -> NewSession {
        NewSession::default()
    }

    setters! {
        agent: Agent => agent,
        id: impl Into<String> => Some(id.into()),
        cwd: impl Into<String> => Some(cwd.into()),
        parent_session: impl Into<String> => Some(parent_session.into()),
    }

    /// The header, and the lines that the file begins with.
    pub(super) fn header(self, inherited: &Inherited) -> Result<(Header, String), StoreError> {
        let rules = self.agent.rules();
        let id = match self.id {
            Some(id) if is_id(&id) => id,
            Some(id) => return Err(StoreError::InvalidId(id)),
            None => Uuid::now_v7().to_string(),
        };
        let here = || std::env::current_dir().map(|cwd| cwd.display().to_string());
        let cwd = self.cwd.unwrap_or_else(|| here().unwrap_or_default());
        let now = now();
        let time = time::iso(now);
        let (title, source) = (inherited.title.as_deref(), inherited.title_source.as_deref());
        let line = serde_json::to_string(&HeaderLine {
            r#type: "session",
            version: 3,
            id: &id,
            timestamp: &time,
            cwd: &cwd,
            title,
            title_source: source,
            parent_session: self.parent_session.as_deref(),
            additional_directories: inherited.additional_directories.as_deref(),
            writer: rules.writer,
        })
        .map_err(StoreError::json)?;
        let mut lines = String::new();
        if rules.has_title_line() {
            lines = title_line::write(title.unwrap_or_default(), source, &time);
        }
        lines.extend([line.as_str(), "\n"]);
        let header = Header {
            id,
            version: 3,
            time: Some(now),
            cwd,
            parent_session: self.parent_session,
            title: inherited.title.clone(),
            ..Header::default()
        };
        Ok((header, lines))
    }
}

/// The name pi gives a session's file: its time, then its id.
pub(super) fn file_name(header: &Header) -> String {
    let time = time::iso(header.time.unwrap_or_default()).replace([':', '.'], "-");
    format!("{time}_{}.jsonl", header.id)
}

/// pi's rule, which keeps ids fit for the names of files.
pub(super) fn is_id(id: &str) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let ends = [id.bytes().next(), id.bytes().next_back()];
    id.as_bytes().iter().all(inner)
        && ends.iter().all(|end| end.is_some_and(|byte| byte.is_ascii_alphanumeric()))
}
