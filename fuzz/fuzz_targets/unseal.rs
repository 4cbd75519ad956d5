//! Any bytes as what a locked page holds: it opens to what was sealed, or an error says why not.

#![no_main]

mod parts;

use std::io::Read as _;

use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead as _, Payload};
use aes_gcm::{Aes256Gcm, KeyInit as _, Nonce};
use data_encoding::BASE64;
use leafpress::extract::{ExtractError, Page};
use leafpress::seal::{OpenError, Password};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What stands between the parameters and the chunks in the input.
const BETWEEN: &[u8] = b"--next--";

/// A chunk that begins so stands in the page as it is. The others are sealed first.
const AS_IT_IS: u8 = b'!';

const PASSWORD: &str = "low tide";

/// As leafpress writes them, but for the number of rounds.
const PARAMETERS: &str = r#"{"version":1,"kdf":"PBKDF2-HMAC-SHA-256","iterations":1,"salt":"AAECAwQFBgcICQoLDA0ODw==","cipher":"AES-256-GCM","nonce":"AAECAwQFBg==","chunk":64}"#;

/// More rounds would make the fuzzer slow.
const MOST_ROUNDS: u64 = 100;

fuzz_target!(|bytes: &[u8]| {
    let _ = open(bytes);
    let mut parts = parts::parts(bytes, BETWEEN).into_iter();
    let parameters = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let chunks: Vec<&[u8]> = parts.collect();
    let key = key(&parameters);
    if rounds(&parameters) > MOST_ROUNDS {
        return;
    }
    let check = key.as_ref().map(|key| BASE64.encode(&key.seal(0, 2, b""))).unwrap_or_default();
    let sum = BASE64.encode(&Sha256::digest(format!("{parameters}{check}")));
    let mut page = element("sealed", &parameters) + &element("sealed-check", &check);
    page += &element("sealed-sum", &sum);
    let mut plain = key.is_some().then(Vec::new);
    for (nth, chunk) in chunks.iter().enumerate() {
        let mark = u8::from(nth + 1 == chunks.len());
        let text = match (&key, chunk.strip_prefix(&[AS_IT_IS])) {
            (Some(key), None) => {
                plain = plain.zip(content(chunk)).map(|(before, more)| [&before, more].concat());
                base91(&key.seal(u32::try_from(nth).expect("few chunks"), mark, chunk))
            }
            (_, raw) => {
                plain = None;
                String::from_utf8_lossy(raw.unwrap_or(chunk)).into_owned()
            }
        };
        page += &element(&format!("sealed-{nth}"), &text);
    }
    // What ends an element within a text makes another page of it.
    let is_page = page.matches('<').count() == 2 * (chunks.len() + 3);
    let opened = open(page.as_bytes());
    let is_refused = matches!(opened, Err(ExtractError::Open(OpenError::Parameters)));
    assert!(!is_refused || parameters != PARAMETERS, "parameters of leafpress");
    if let (Some(plain), true, false) = (plain, is_page && !is_refused, chunks.is_empty()) {
        assert!(opened.ok() == inflated(&plain), "another page, or none");
    }
});

/// Opens a page, and looks at what comes out of it.
fn open(page: &[u8]) -> Result<Vec<u8>, ExtractError> {
    let page = Page::find(page)?;
    let password = Password::new(PASSWORD).expect("a password");
    let opened = page.open(&password)?;
    if let Ok(page) = Page::find(&opened) {
        let _ = (page.session_file(), page.child_files());
    }
    Ok(opened)
}

struct Key {
    gcm: Aes256Gcm,
    parameters: String,
    nonce: [u8; 7],
}

impl Key {
    fn seal(&self, number: u32, mark: u8, plain: &[u8]) -> Vec<u8> {
        let mut nonce = [mark; 12];
        nonce[..7].copy_from_slice(&self.nonce);
        nonce[7..11].copy_from_slice(&number.to_be_bytes());
        let nonce: Nonce<U12> = nonce.into();
        let payload = Payload { msg: plain, aad: self.parameters.as_bytes() };
        self.gcm.encrypt(&nonce, payload).expect("a short text")
    }
}

fn rounds(parameters: &str) -> u64 {
    let read: Value = serde_json::from_str(parameters).unwrap_or_default();
    read["iterations"].as_u64().unwrap_or_default()
}

/// The key of parameters with few rounds.
fn key(parameters: &str) -> Option<Key> {
    let read: Value = serde_json::from_str(parameters).ok()?;
    let bytes = |name: &str| BASE64.decode(read[name].as_str()?.as_bytes()).ok();
    let rounds = u32::try_from(rounds(parameters)).ok()?;
    if !(1..=MOST_ROUNDS).contains(&u64::from(rounds)) {
        return None;
    }
    let mut key = [0; 32];
    pbkdf2::pbkdf2_hmac::<Sha256>(PASSWORD.as_bytes(), &bytes("salt")?, rounds, &mut key);
    let (gcm, nonce) = (Aes256Gcm::new((&key).into()), bytes("nonce")?.try_into().ok()?);
    Some(Key { gcm, parameters: parameters.to_owned(), nonce })
}

/// What counts of an opened chunk: all of it where it says more than it has.
fn content(chunk: &[u8]) -> Option<&[u8]> {
    let (length, rest) = chunk.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    Some(&rest[..rest.len().min(length)])
}

fn inflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut page = Vec::new();
    flate2::read::ZlibDecoder::new(bytes).read_to_end(&mut page).ok()?;
    Some(page)
}

fn element(id: &str, text: &str) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{text}</script>\n")
}

/// As docs/page-format.md describes it.
fn base91(bytes: &[u8]) -> String {
    let letters: Vec<char> = ('!'..='~').filter(|letter| !"\"<\\".contains(*letter)).collect();
    let (mut text, mut held, mut bits) = (String::new(), 0_usize, 0);
    for byte in bytes {
        held |= usize::from(*byte) << bits;
        bits += 8;
        if bits >= 13 {
            let value = held & 0x1fff;
            text.extend([letters[value % 91], letters[value / 91]]);
            held >>= 13;
            bits -= 13;
        }
    }
    if bits > 0 {
        text.push(letters[held % 91]);
    }
    if bits > 6 {
        text.push(letters[held / 91]);
    }
    text
}
