//! How a page is sealed, as it says itself.

use std::io;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use super::error::{MOST_ITERATIONS, OpenError};

const VERSION: u32 = 1;
const KDF: &str = "PBKDF2-HMAC-SHA-256";
const CIPHER: &str = "AES-256-GCM";

/// More than any page of ours has; what is read is held against it.
const LARGEST_CHUNK: u32 = 16 * 1024 * 1024;

/// What opens a page beside the password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    version: u32,
    kdf: String,
    pub(super) iterations: u32,
    #[serde(with = "base64")]
    pub(super) salt: [u8; 16],
    cipher: String,
    /// The beginning of every nonce.
    #[serde(with = "base64")]
    pub(super) nonce: [u8; 7],
    /// Bytes of a chunk before it is sealed; the last may have fewer.
    pub(super) chunk: u32,
}

impl Parameters {
    /// The OWASP Password Storage Cheat Sheet's figure for PBKDF2-HMAC-SHA-256, since 2023.
    const ITERATIONS: u32 = 600_000;

    pub(super) const CHUNK_BYTES: u32 = 256 * 1024;

    /// For a new page: salt and nonces as nobody has used them before.
    pub(super) fn random() -> io::Result<Parameters> {
        let mut random = [0; 23];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let (mut salt, mut nonce) = ([0; 16], [0; 7]);
        salt.copy_from_slice(&random[..16]);
        nonce.copy_from_slice(&random[16..]);
        Ok(Parameters::new(salt, nonce, Parameters::ITERATIONS, Parameters::CHUNK_BYTES))
    }

    pub(super) fn new(salt: [u8; 16], nonce: [u8; 7], iterations: u32, chunk: u32) -> Parameters {
        let (kdf, cipher) = (KDF.to_owned(), CIPHER.to_owned());
        Parameters { version: VERSION, kdf, iterations, salt, cipher, nonce, chunk }
    }

    /// Reads those of a page, unless they are damaged, of another format, or ask for too much.
    pub(super) fn read(text: &str) -> Result<Parameters, OpenError> {
        let read: Parameters = serde_json::from_str(text).map_err(|_| OpenError::Parameters)?;
        let known = read.version == VERSION && read.kdf == KDF && read.cipher == CIPHER;
        let bounded = read.iterations > 0 && (64..=LARGEST_CHUNK).contains(&read.chunk);
        if !known || !bounded {
            return Err(OpenError::Parameters);
        }
        if read.iterations > MOST_ITERATIONS {
            return Err(OpenError::TooManyRounds { rounds: read.iterations });
        }
        Ok(read)
    }

    /// As they stand in the page, in one line.
    pub(super) fn text(&self) -> String {
        // Numbers and short texts always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A few bytes as base64.
mod base64 {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::BASE64;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(bytes))
    }

    pub(super) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = BASE64.decode(text.as_bytes()).map_err(D::Error::custom)?;
        bytes.try_into().map_err(|_| D::Error::custom("another number of bytes"))
    }
}
