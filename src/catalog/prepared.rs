//! A session in the form in which the catalog holds it. Whoever reads it makes this, beside the one who writes.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::counted::Entries;
use super::facts::SessionFacts;
use super::message::{Column, Message};
use super::store::{CatalogError, MESSAGE_BITS};
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
    /// How many messages it has.
    pub(super) count: i64,
    /// The words of its title, as number 0, and of its messages from 1, by column of the index.
    pub(super) words: Vec<(i64, [String; 4])>,
    /// Compressed messages, each with the number of the first.
    pub(super) chunks: Vec<(i64, Vec<u8>)>,
}

impl Prepared {
    pub(super) fn of(
        facts: &SessionFacts,
        entries: Entries,
        messages: &[Message],
    ) -> Option<Prepared> {
        let messages = &messages[..messages.len().min((1 << MESSAGE_BITS) - 1)];
        let mut title: [String; 4] = Default::default();
        add_words(&facts.title, &mut title[Column::Title as usize]);
        let mut words = vec![(0, title)];
        let mut chunks = Vec::new();
        let mut open: Vec<&Message> = Vec::new();
        let (mut first, mut bytes) = (1, 0);
        for (nth, message) in (1..).zip(messages) {
            let of_message = message.index_words();
            if of_message.iter().any(|words| !words.is_empty()) {
                words.push((nth, of_message));
            }
            if bytes > CHUNK_BYTES {
                chunks.push((first, packed(&open)?));
                open.clear();
                (first, bytes) = (nth, 0);
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
            count: i64::try_from(messages.len()).ok()?,
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
