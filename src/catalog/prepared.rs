//! A session in the form in which the catalog holds it. Whoever reads it makes this, beside the one who writes.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::counted::Entries;
use super::database::CatalogError;
use super::facts::SessionFacts;
use super::message::Message;
use super::row_number::{MOST_MESSAGES, Role, RowNumber};
use super::words::add_words;

/// Messages are compressed together until they have so many bytes: an excerpt opens one such chunk.
const CHUNK_BYTES: usize = 64 << 10;

/// What is written of a session.
#[derive(Debug)]
pub(super) struct Prepared {
    /// When its last entry was written.
    pub(super) latest: Option<i64>,
    /// Its facts, as JSON.
    pub(super) facts: String,
    /// What each of its entries adds to them.
    pub(super) entries: Entries,
    /// The words of its title and of its messages, each with a blank behind it.
    pub(super) words: Vec<(RowNumber, String)>,
    /// Compressed messages, each with the number of the first.
    pub(super) chunks: Vec<(i64, Vec<u8>)>,
}

impl Prepared {
    pub(super) fn of(
        facts: &SessionFacts,
        entries: Entries,
        messages: &[Message],
    ) -> Option<Prepared> {
        let messages = &messages[..messages.len().min(MOST_MESSAGES)];
        let mut words = Vec::new();
        let mut add = |nth, role, of_row: String| {
            let count = of_row.bytes().filter(|byte| *byte == b' ').count();
            if count > 0 {
                words.push((RowNumber::new(nth, role, count), of_row));
            }
        };
        let mut title = String::new();
        add_words(&facts.title, &mut title);
        add(0, Role::Titled, title);
        let mut chunks = Vec::new();
        let mut open: Vec<&Message> = Vec::new();
        let (mut first, mut bytes) = (1, 0);
        for (nth, message) in (1..).zip(messages) {
            add(nth, message.role(), message.index_words());
            if bytes > CHUNK_BYTES {
                chunks.push((first, packed(&open)?));
                open.clear();
                (first, bytes) = (i64::try_from(nth).ok()?, 0);
            }
            bytes += message.said.len();
            open.push(message);
        }
        if !open.is_empty() {
            chunks.push((first, packed(&open)?));
        }
        Some(Prepared {
            latest: facts.latest,
            facts: serde_json::to_string(facts).ok()?,
            entries,
            words,
            chunks,
        })
    }
}

fn packed(messages: &[&Message]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&serde_json::to_vec(messages).ok()?).ok()?;
    encoder.finish().ok()
}

/// The messages of a chunk.
pub(super) fn unpacked(data: &[u8]) -> Result<Vec<Message>, CatalogError> {
    let mut json = Vec::new();
    ZlibDecoder::new(data).read_to_end(&mut json).map_err(|_| CatalogError::Damaged)?;
    serde_json::from_slice(&json).map_err(|_| CatalogError::Damaged)
}
