//! One page's key, and what is sealed with it.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::parameters::Parameters;
use super::password::Password;

/// What is sealed, by its place: the end of its nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SealedPart {
    /// A chunk by its number from 0, with others behind it.
    Chunk(u32),
    /// The last chunk, by its number.
    Last(u32),
    /// The empty text that tells whether the password is right.
    Check,
}

/// Why something did not open: with this key it is not what was sealed at this place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotOpened;

/// Seals and opens. The key is wiped when it is dropped.
pub(super) struct Cipher {
    gcm: Aes256Gcm,
    pub(super) parameters: Parameters,
    /// The parameters' text: additional data of everything.
    text: String,
}

impl Cipher {
    /// Derives the key, which takes a good part of a second.
    pub(super) fn new(parameters: Parameters, password: &Password) -> Cipher {
        let text = parameters.text();
        Cipher::with_text(parameters, text, password)
    }

    /// With the parameters' text as it stands in a page.
    pub(super) fn with_text(parameters: Parameters, text: String, password: &Password) -> Cipher {
        let mut key = Zeroizing::new([0; 32]);
        pbkdf2::pbkdf2_hmac::<Sha256>(
            password.bytes(),
            &parameters.salt,
            parameters.iterations,
            &mut key[..],
        );
        let gcm = Aes256Gcm::new((&*key).into());
        Cipher { gcm, parameters, text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text of `#sealed-check`.
    pub(super) fn check(&self) -> Option<String> {
        Some(BASE64.encode(&self.seal(SealedPart::Check, b"")?))
    }

    /// `None` only for a text beyond the limits of AES-GCM, 64 GB.
    pub(super) fn seal(&self, place: SealedPart, plain: &[u8]) -> Option<Vec<u8>> {
        let payload = Payload { msg: plain, aad: self.text.as_bytes() };
        self.gcm.encrypt(&self.nonce(place), payload).ok()
    }

    pub(super) fn open(
        &self,
        place: SealedPart,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, NotOpened> {
        let payload = Payload { msg: sealed, aad: self.text.as_bytes() };
        let opened = self.gcm.decrypt(&self.nonce(place), payload);
        opened.map(Zeroizing::new).map_err(|_| NotOpened)
    }

    fn nonce(&self, place: SealedPart) -> Nonce<aes_gcm::aead::consts::U12> {
        let (number, mark) = match place {
            SealedPart::Chunk(nth) => (nth, 0),
            SealedPart::Last(nth) => (nth, 1),
            SealedPart::Check => (0, 2),
        };
        let mut nonce = [mark; 12];
        nonce[..7].copy_from_slice(&self.parameters.nonce);
        nonce[7..11].copy_from_slice(&number.to_be_bytes());
        nonce.into()
    }
}

/// The text of `#sealed-sum`.
pub(super) fn sum(parameters: &str, check: &str) -> String {
    BASE64.encode(&Sha256::new().chain_update(parameters).chain_update(check).finalize())
}
