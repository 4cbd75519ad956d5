use std::io::{Read, Write};

use crate::extract::Page;

use super::chunks::Chunks;
use super::cipher::{Cipher, sum};
use super::opened::Pieces;
use super::padding::padded;
use super::*;
use crate::page::wire::packed::bytes_of;

const PASSWORD: &str = "tide and lamp";
const SALT: [u8; 16] = [7; 16];
const NONCE: [u8; 7] = [9; 7];
/// Small, as every byte of what is sealed is changed in turn.
const CHUNK: u32 = 64;
const ROOM: usize = 60;

fn password() -> Password {
    Password::new(PASSWORD).unwrap()
}

fn parameters() -> Parameters {
    Parameters::new(SALT, NONCE, 1, CHUNK)
}

fn cipher() -> Cipher {
    Cipher::new(parameters(), &password())
}

/// The texts of the elements that a sealed page has.
#[derive(Clone)]
struct Texts {
    parameters: String,
    check: String,
    sum: String,
    chunks: Vec<String>,
}

impl Texts {
    fn of(cipher: &Cipher, written: &[u8]) -> Texts {
        let written = String::from_utf8(written.to_vec()).unwrap();
        let text = |line: &str| {
            let (_, text) = line.split_once('>').unwrap();
            text.strip_suffix("</script>").unwrap().to_owned()
        };
        let (parameters, check) = (cipher.text().to_owned(), cipher.check().unwrap());
        let sum = sum(&parameters, &check);
        Texts { parameters, check, sum, chunks: written.lines().map(text).collect() }
    }

    fn open(&self) -> Result<Vec<u8>, OpenError> {
        let chunks = self.chunks.iter().map(String::as_str).collect();
        let locked =
            Locked { parameters: &self.parameters, check: &self.check, sum: &self.sum, chunks };
        locked.open(&password(), 1 << 30)
    }

    fn with_parameters(&self, parameters: String) -> Texts {
        Texts { sum: sum(&parameters, &self.check), parameters, ..self.clone() }
    }
}

/// Some bytes that zlib makes nothing of, so that they fill chunks.
fn noise(length: usize) -> Vec<u8> {
    let mut state: u32 = 1;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..length).map(next).collect()
}

/// A small page, sealed without padding.
fn sealed() -> Texts {
    let mut zlib =
        ZlibEncoder::new(Chunks::new(Vec::new(), cipher()).without_padding(), COMPRESSION);
    zlib.write_all(&noise(300)).unwrap();
    Texts::of(&cipher(), &zlib.finish().unwrap().finish().unwrap())
}

#[test]
fn any_length_comes_back() {
    let cipher = cipher();
    for length in [0, 1, ROOM - 1, ROOM, ROOM + 1, 2 * ROOM - 1, 2 * ROOM, 2 * ROOM + 1, 5000] {
        for pads in [false, true] {
            let chunks = Chunks::new(Vec::new(), super::tests::cipher());
            let mut chunks = if pads { chunks } else { chunks.without_padding() };
            chunks.write_all(&noise(length)).unwrap();
            let texts = Texts::of(&cipher, &chunks.finish().unwrap());
            if !pads {
                assert_eq!(texts.chunks.len(), length.div_ceil(ROOM).max(1), "{length}");
            }
            let chunks: Vec<&str> = texts.chunks.iter().map(String::as_str).collect();
            let mut read = Vec::new();
            Pieces::new(&chunks, &cipher).read_to_end(&mut read).unwrap();
            assert!(read == noise(length), "{length}");
        }
    }
}

#[test]
fn every_change_of_a_byte_is_noticed() {
    let texts = sealed();
    assert_eq!(texts.open().unwrap(), noise(300));
    let count = texts.chunks.len();
    assert!(count > 4);
    let each_byte = |text: &str, expected: OpenError, put: &dyn Fn(String) -> Texts| {
        for (at, change) in
            (0..text.len()).flat_map(|at| [1, 2, 4, 8, 16, 32, 64].map(|bit| (at, bit)))
        {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] ^= change;
            let changed = put(String::from_utf8(bytes).unwrap());
            assert_eq!(changed.open().as_ref(), Err(&expected), "byte {at} of {text}");
        }
    };
    each_byte(&texts.parameters, OpenError::Parameters, &|parameters| Texts {
        parameters,
        ..texts.clone()
    });
    each_byte(&texts.check, OpenError::Parameters, &|check| Texts { check, ..texts.clone() });
    each_byte(&texts.sum, OpenError::Parameters, &|sum| Texts { sum, ..texts.clone() });
    for nth in 0..count {
        each_byte(&texts.chunks[nth], OpenError::Damaged { nth: nth + 1, count }, &|chunk| {
            let mut texts = texts.clone();
            texts.chunks[nth] = chunk;
            texts
        });
    }
}

#[test]
fn parameters_are_authenticated_not_only_summed() {
    let texts = sealed();
    let (iterations, nonce, salt) = ([1, 2], [NONCE, [8; 7]], [SALT, [8; 16]]);
    for other in [
        Parameters::new(salt[1], nonce[0], iterations[0], CHUNK),
        Parameters::new(salt[0], nonce[1], iterations[0], CHUNK),
        Parameters::new(salt[0], nonce[0], iterations[1], CHUNK),
        Parameters::new(salt[0], nonce[0], iterations[0], CHUNK * 2),
    ] {
        let changed = texts.with_parameters(other.text());
        assert_eq!(changed.open(), Err(OpenError::WrongPassword), "{other:?}");
    }
    let blank = texts.with_parameters(texts.parameters.replace(',', ", "));
    assert_eq!(blank.open(), Err(OpenError::WrongPassword));
    for (from, to) in [
        ("\"version\":1", "\"version\":2"),
        ("\"iterations\":1", "\"iterations\":40000000000"),
        ("HMAC", "HMAK"),
    ] {
        let changed = texts.with_parameters(texts.parameters.replace(from, to));
        assert_eq!(changed.open(), Err(OpenError::Parameters), "{to}");
    }
}

/// Whoever makes a page could keep its readers waiting for hours.
#[test]
fn rounds_are_capped_at_ten_times_ours() {
    let texts = sealed();
    let with = |iterations| {
        let parameters = Parameters::new(SALT, NONCE, iterations, CHUNK);
        texts.with_parameters(parameters.text())
    };
    assert_eq!(
        Parameters::read(&with(6_000_000).parameters).map(|own| own.iterations),
        Ok(6_000_000)
    );
    let refused = OpenError::TooManyRounds { rounds: 6_000_001 };
    assert_eq!(
        refused.to_string(),
        "the page requires 6,000,001 rounds of key derivation; leafpress runs at most 6,000,000"
    );
    assert_eq!(with(6_000_001).open(), Err(refused));
    assert_eq!(with(u32::MAX).open(), Err(OpenError::TooManyRounds { rounds: u32::MAX }));
    assert_eq!(with(0).open(), Err(OpenError::Parameters));
}

#[test]
fn chunks_stay_in_their_places() {
    let texts = sealed();
    let count = texts.chunks.len();
    let damaged = |change: &dyn Fn(&mut Vec<String>)| {
        let mut texts = texts.clone();
        change(&mut texts.chunks);
        match texts.open() {
            Err(OpenError::Damaged { nth, .. }) => nth,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(damaged(&|chunks| chunks.truncate(count - 1)), count - 1);
    assert_eq!(damaged(&|chunks| chunks.truncate(1)), 1);
    assert_eq!(damaged(&|chunks| chunks.clear()), 1);
    assert_eq!(damaged(&|chunks| chunks.swap(1, 2)), 2);
    assert_eq!(damaged(&|chunks| drop(chunks.remove(0))), 1);
    assert_eq!(damaged(&|chunks| chunks.insert(2, chunks[1].clone())), 3);
    assert_eq!(damaged(&|chunks| chunks.push(chunks[count - 1].clone())), count);
}

#[test]
fn sizes_tell_only_their_step() {
    let size = |length: usize| {
        let mut chunks = Chunks::new(Vec::new(), Cipher::new(parameters(), &password()));
        chunks.write_all(&noise(length)).unwrap();
        let written = Texts::of(&cipher(), &chunks.finish().unwrap());
        let sealed = |chunk: &String| bytes_of(chunk).unwrap().len() as u64;
        let sizes: Vec<u64> = written.chunks.iter().map(sealed).collect();
        assert!(sizes.iter().all(|size| *size == u64::from(CHUNK) + 16), "all alike");
        sizes.len() as u64 * u64::from(CHUNK)
    };
    // Each full chunk of 64 bytes has room for 60.
    assert_eq!(size(0), padded(4));
    assert_eq!(size(1000), size(60_000));
    assert_eq!(size(64_000), padded(64_000 / 60 * 64 + 4 + 40));
}

#[test]
fn the_shell_tells_nothing() {
    let session = |text: &str| {
        let line = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{text}\"}}\n{{\"type\":\"message\",\"id\":\"e1\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        );
        crate::read(line.into_bytes()).unwrap()
    };
    let page = |text: &str| {
        let mut page = Vec::new();
        export(&session(text), &Options::default(), &password(), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    };
    let [one, other] = ["lanternfish", "a longer beginning"].map(page);
    assert_eq!(one.len(), other.len());
    assert!(!one.contains("lanternfish"));
    let same = one.lines().zip(other.lines()).filter(|(one, other)| one == other).count();
    // Parameters, check, sum and the one chunk.
    assert_eq!(one.lines().count() - same, 4);
    let found = Page::find(one.as_bytes()).unwrap();
    assert!(found.is_sealed());
    let opened = found.open(&password()).unwrap();
    let opened = String::from_utf8(opened).unwrap();
    assert!(
        opened.contains("<h1>lanternfish</h1>")
            && opened.contains("<title>Password-protected session</title>")
    );
    assert_eq!(found.open(&Password::new("tide").unwrap()), Err(OpenError::WrongPassword.into()));
}

#[test]
fn pages_never_share_a_key() {
    assert_ne!(Parameters::random().unwrap().salt, Parameters::random().unwrap().salt);
    assert_ne!(Parameters::random().unwrap().nonce, Parameters::random().unwrap().nonce);
    assert_eq!(Parameters::random().unwrap().iterations, 600_000);
}

/// Made with Web Cryptography: `node tests/sealed/webcrypto.mjs vector`.
#[test]
fn what_web_crypto_sealed_is_what_is_sealed_here() {
    let vector: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/fixtures/sealed/vector.json")).unwrap();
    let text = |name: &str| vector[name].as_str().unwrap().to_owned();
    let password = Password::new(&text("password")).unwrap();
    let parameters = Parameters::read(&text("parameters")).unwrap();
    let cipher = || Cipher::new(parameters.clone(), &password);
    assert_eq!(cipher().text(), text("parameters"));
    let mut chunks = Chunks::new(Vec::new(), cipher()).without_padding();
    chunks.write_all(text("content").as_bytes()).unwrap();
    let sealed = Texts::of(&cipher(), &chunks.finish().unwrap());
    assert_eq!((sealed.check, sealed.sum), (text("check"), text("sum")));
    assert_eq!(serde_json::json!(sealed.chunks), vector["chunks"]);
    let chunks: Vec<&str> = sealed.chunks.iter().map(String::as_str).collect();
    let mut opened = String::new();
    Pieces::new(&chunks, &cipher()).read_to_string(&mut opened).unwrap();
    assert_eq!(opened, text("content"));
}
