//! Texts in UTF-16, as a redirection of PowerShell writes them.

/// The UTF-8 of a text in UTF-16; `None` for anything else.
pub(super) fn from_utf16(bytes: &[u8]) -> Option<Vec<u8>> {
    Some(Utf16::of(bytes)?.decoded(bytes))
}

/// In which order a text in UTF-16 has the bytes of its units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Utf16 {
    Big,
    Little,
}

impl Utf16 {
    const MARKS: [(Utf16, [u8; 2]); 2] =
        [(Utf16::Little, [0xff, 0xfe]), (Utf16::Big, [0xfe, 0xff])];

    /// Of a text that begins so: by its mark, or the first letter of JSON; `None` for anything else.
    pub(crate) fn of(bytes: &[u8]) -> Option<Utf16> {
        if let Some((order, _)) = Self::MARKS.iter().find(|(_, mark)| bytes.starts_with(mark)) {
            return Some(*order);
        }
        let is_json = |letter: u8| matches!(letter, b'{' | b'[');
        match *bytes {
            [first, 0, _, 0, ..] if is_json(first) => Some(Utf16::Little),
            [0, first, 0, _, ..] if is_json(first) => Some(Utf16::Big),
            _ => None,
        }
    }

    /// The UTF-8 of whole units, without a mark before them.
    pub(crate) fn decoded(self, bytes: &[u8]) -> Vec<u8> {
        let mark = Self::MARKS.iter().find(|(order, _)| *order == self);
        let units = mark.and_then(|(_, mark)| bytes.strip_prefix(mark)).unwrap_or(bytes);
        let unit = |pair: &[u8]| match self {
            Utf16::Big => u16::from_be_bytes([pair[0], pair[1]]),
            Utf16::Little => u16::from_le_bytes([pair[0], pair[1]]),
        };
        let letters = char::decode_utf16(units.chunks_exact(2).map(unit));
        letters.map(|letter| letter.unwrap_or('\u{fffd}')).collect::<String>().into_bytes()
    }
}
