//! The index beside a kept file: JSON lines, the first for the file, each other for a member.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The version of this form.
pub(super) const VERSION: u32 = 1;

/// A file is a continuation of what is kept where so many of its first bytes, and so many before the kept end, are the same.
pub(super) const HEAD_BYTES: u64 = 4 << 10;
pub(super) const TAIL_BYTES: u64 = 64 << 10;

/// What is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Header {
    pub(super) version: u32,
    /// The agent's name.
    pub(super) agent: String,
    /// Where the original is, or was.
    pub(super) path: PathBuf,
    /// Which session of a database it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) in_file: Option<String>,
    /// The id, where the file is a session of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// Which sub-agent's session of a database it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) child: Option<ChildOf>,
}

/// What a database says of a sub-agent's session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ChildOf {
    /// The id of the session that started it.
    pub(super) parent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent: Option<String>,
}

/// A piece of the original.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Member {
    /// Where it begins in the compressed file, and how long it is there.
    pub(super) at: u64,
    pub(super) packed: u64,
    /// Which bytes of the original it holds.
    pub(super) from: u64,
    pub(super) to: u64,
    /// How many bytes it unpacks to, and their SHA-256.
    pub(super) bytes: u64,
    pub(super) sha256: String,
    /// Of the original: the SHA-256 of its beginning, and of what lies before `to`.
    pub(super) head: String,
    pub(super) tail: String,
    /// When the original was written, in nanoseconds since 1970.
    pub(super) modified: i64,
    /// Images and long texts were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_cut: bool,
}

/// An index as far as it is whole.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) header: Option<Header>,
    pub(super) members: Vec<Member>,
    /// How many bytes of it are whole.
    pub(super) end: u64,
    /// A whole line of it cannot be read: nothing may be written behind it.
    pub(super) is_damaged: bool,
}

impl Index {
    /// Reads one.
    pub(super) fn read(path: &Path) -> io::Result<Index> {
        Index::of(&fs::read(path)?)
    }

    /// That of these bytes; what is torn at their end is left out.
    pub(super) fn of(bytes: &[u8]) -> io::Result<Index> {
        let mut index = Index::default();
        // The last line may be torn.
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n") else { break };
            if index.header.is_none() {
                let Ok(header) = serde_json::from_slice::<Header>(text) else {
                    index.is_damaged = true;
                    break;
                };
                if header.version != VERSION {
                    return Err(io::Error::new(
                        io::ErrorKind::Unsupported,
                        "another version of leafpress wrote it",
                    ));
                }
                index.header = Some(header);
            } else {
                let member = serde_json::from_slice::<Member>(text).ok();
                let next = (index.packed(), index.source());
                let Some(member) = member.filter(|own| (own.at, own.from) == next) else {
                    index.is_damaged = true;
                    break;
                };
                index.members.push(member);
            }
            index.end += line.len() as u64;
        }
        Ok(index)
    }

    /// Where the next member begins.
    pub(super) fn packed(&self) -> u64 {
        self.members.last().map_or(0, |member| member.at + member.packed)
    }

    /// How much of the original is kept.
    pub(super) fn source(&self) -> u64 {
        self.members.last().map_or(0, |member| member.to)
    }

    /// How many bytes it unpacks to.
    pub(super) fn bytes(&self) -> u64 {
        self.members.iter().map(|member| member.bytes).sum()
    }

    pub(super) fn is_cut(&self) -> bool {
        self.members.iter().any(|member| member.is_cut)
    }
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
