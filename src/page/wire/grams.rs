//! Which packs a search must open: for each pack, which four characters stand in a row somewhere in
//! the texts that a search looks through.
//!
//! Each such gram of the text in lower case, of printable ASCII alone, is hashed into one of
//! [`BUCKETS`]; a bit says whether a pack has any gram of a bucket. A word of the query is in no text
//! of a pack that lacks one of its grams. A pack may have all of them and not the word: of packs
//! without a rare word about a fifth are opened for nothing, at under a hundredth of the page.
//! static/js/search/grams.js reads it.

use super::packed;

/// Below this a page has no grams: so few packs are opened in a tenth of a second.
pub(crate) const MIN_PACKS: usize = 32;

const BUCKET_BITS: u32 = 14;
const BUCKETS: usize = 1 << BUCKET_BITS;
const WORDS: usize = BUCKETS / 64;

/// The buckets, and one that takes what is no gram.
const SLOTS: usize = BUCKETS + 1;

/// Spreads the bits of a gram; the fractional part of the golden ratio.
const SPREAD: u32 = 0x9e37_79b1;

/// The grams of a pack.
#[derive(Debug, Clone)]
pub(crate) struct Grams(Box<[u64; WORDS]>);

impl Grams {
    fn has(&self, bucket: usize) -> bool {
        self.0[bucket / 64] >> (bucket % 64) & 1 == 1
    }
}

/// The grams of texts while they are collected: a byte for each slot is quicker to set than a bit.
#[derive(Debug, Clone)]
pub(crate) struct Collected(Vec<u8>);

impl Default for Collected {
    fn default() -> Self {
        Collected(vec![0; SLOTS])
    }
}

impl Collected {
    /// To add those of a text that comes in pieces.
    pub(crate) fn text(&mut self) -> Text<'_> {
        Text { collected: self, gram: 0 }
    }

    /// Adds those of others.
    pub(crate) fn merge(&mut self, other: &Collected) {
        for (has, other) in self.0.iter_mut().zip(other.0.iter()) {
            *has |= other;
        }
    }

    pub(crate) fn finish(&self) -> Grams {
        let mut grams = Box::new([0; WORDS]);
        for (bucket, has) in self.0[..BUCKETS].iter().enumerate() {
            grams[bucket / 64] |= u64::from(*has) << (bucket % 64);
        }
        Grams(grams)
    }
}

/// Adds the grams of one text.
pub(crate) struct Text<'c> {
    collected: &'c mut Collected,
    /// The last four characters; 0 for one that no gram has.
    gram: u32,
}

/// Each byte as grams have it: in lower case, or 0.
const LOWERED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = byte.to_ascii_lowercase();
        byte += 1;
    }
    table
};

impl Text<'_> {
    /// The text goes on so.
    pub(crate) fn push(&mut self, piece: &str) {
        /// The characters that are ASCII, or begin with it, in lower case.
        const BECOME_ASCII: [char; 2] = ['\u{130}', '\u{212a}'];
        if !piece.is_ascii() && piece.contains(BECOME_ASCII) {
            self.push_bytes(&piece.to_lowercase());
        } else {
            self.push_bytes(piece);
        }
    }

    fn push_bytes(&mut self, piece: &str) {
        let Some(has) = self.collected.0.first_chunk_mut::<SLOTS>() else { return };
        let mut gram = self.gram;
        for byte in piece.bytes() {
            gram = gram << 8 | u32::from(LOWERED[usize::from(byte)]);
            // Without a branch: where words end cannot be foretold.
            let is_whole = gram.wrapping_sub(0x0101_0101) & !gram & 0x8080_8080 == 0;
            let bucket = if is_whole { bucket(gram) } else { BUCKETS };
            has[bucket] = 1;
        }
        self.gram = gram;
    }
}

fn bucket(gram: u32) -> usize {
    (gram.wrapping_mul(SPREAD) >> (32 - BUCKET_BITS)) as usize
}

/// The grams of all packs as they lie in the page: bit by bit, for each bucket its packs, so that
/// the many which most packs have, or none, compress to little.
pub(crate) fn packed(packs: &[Grams]) -> String {
    let mut bits = vec![0_u8; (BUCKETS * packs.len()).div_ceil(8)];
    for bucket in 0..BUCKETS {
        for (nth, _) in packs.iter().enumerate().filter(|(_, grams)| grams.has(bucket)) {
            let bit = bucket * packs.len() + nth;
            bits[bit / 8] |= 1 << (bit % 8);
        }
    }
    packed::encode(&bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Grams {
        let mut collected = Collected::default();
        let mut own = collected.text();
        for piece in text.split_inclusive('o') {
            own.push(piece);
        }
        collected.finish()
    }

    fn may_hold(grams: &Grams, word: &str) -> bool {
        word.as_bytes()
            .windows(4)
            .all(|gram| grams.has(bucket(u32::from_be_bytes(gram.try_into().unwrap_or_default()))))
    }

    #[test]
    fn a_text_has_the_grams_of_its_words_in_lower_case() {
        let grams = of("Read the LampPost,\nand 2\u{212a}elvin.");
        for word in ["lamppost", "mppo", "ost,", "read", "kelvin", "elvin."] {
            assert!(may_hold(&grams, word), "{word}");
        }
        for word in ["harbor", "lampposts", "postand", "adthe"] {
            assert!(!may_hold(&grams, word), "{word}");
        }
    }

    #[test]
    fn bits_lie_bucket_by_bucket() {
        let packs: Vec<Grams> =
            (0..9).map(|nth| of(&"word ".repeat(usize::from(nth == 8)))).collect();
        let bits = packed::decode(&packed(&packs), 1 << 20).unwrap();
        let bit = bucket(u32::from_be_bytes(*b"word")) * 9 + 8;
        let set = bits.iter().map(|byte| byte.count_ones()).sum::<u32>();
        assert_eq!((bits.len(), set, bits[bit / 8]), (BUCKETS * 9 / 8, 1, 1 << (bit % 8)));
        // static/js/search/grams.js counts the same.
        assert_eq!(bucket(u32::from_be_bytes(*b"word")), 8_998);
    }
}
