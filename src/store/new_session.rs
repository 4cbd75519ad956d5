//! What a session begins with.

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use crate::format::WRITER;
use crate::session::{Header, time};

use super::StoreError;

/// Facts of a session to be.
#[derive(Debug, Clone, Default)]
pub struct NewSession {
    /// Its id; a new one (UUID version 7) where none is given.
    pub id: Option<String>,
    /// The folder that the agent works in; where none is given, that of the process.
    pub cwd: Option<String>,
    /// The file or the id of the session it goes on from.
    pub parent_session: Option<String>,
}

/// A header line in the order that pi writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeaderLine<'a> {
    r#type: &'static str,
    version: u32,
    id: &'a str,
    timestamp: &'a str,
    cwd: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_session: Option<&'a str>,
    /// Tells the file from omp's, some of whose types of entries it may hold.
    writer: &'static str,
}

impl NewSession {
    /// The header and its line.
    pub(super) fn header(self) -> Result<(Header, String), StoreError> {
        let id = match self.id {
            Some(id) if is_id(&id) => id,
            Some(id) => return Err(StoreError::InvalidId(id)),
            None => Uuid::now_v7().to_string(),
        };
        let here = || std::env::current_dir().map(|cwd| cwd.display().to_string());
        let cwd = self.cwd.unwrap_or_else(|| here().unwrap_or_default());
        let now = now();
        let line = serde_json::to_string(&HeaderLine {
            r#type: "session",
            version: 3,
            id: &id,
            timestamp: &time::iso(now),
            cwd: &cwd,
            parent_session: self.parent_session.as_deref(),
            writer: WRITER.1,
        })?;
        let header = Header {
            id,
            version: 3,
            time: Some(now),
            cwd,
            parent_session: self.parent_session,
            title: None,
        };
        Ok((header, line + "\n"))
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// The name pi gives a session's file: its time, then its id.
pub(super) fn file_name(header: &Header) -> String {
    let time = time::iso(header.time.unwrap_or_default()).replace([':', '.'], "-");
    format!("{time}_{}.jsonl", header.id)
}

/// pi's rule, which keeps ids fit for the names of files.
fn is_id(id: &str) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let ends = [id.bytes().next(), id.bytes().next_back()];
    id.as_bytes().iter().all(inner)
        && ends.iter().all(|end| end.is_some_and(|byte| byte.is_ascii_alphanumeric()))
}
