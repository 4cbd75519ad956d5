//! An entry's public key: its id, safe in an address and in an attribute.

use std::fmt::Write;

/// Percent-encodes everything but ASCII letters, digits and `-._~`, the
/// characters that RFC 3986 reserves for no purpose.
pub fn encode(id: &str) -> String {
    let mut key = String::with_capacity(id.len());
    for byte in id.bytes() {
        if is_plain(byte) {
            key.push(char::from(byte));
        } else {
            let _ = write!(key, "%{byte:02X}");
        }
    }
    key
}

/// Whether a key has the byte as it stands in the id.
pub(crate) fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Undoes [`encode`]; `None` for what it cannot have written.
pub(crate) fn decode(key: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(key.len());
    let mut rest = key.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |b: u8| char::from(b).to_digit(16);
            let value = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn plain_ids_stay_and_others_are_escaped() {
        assert_eq!(encode("e0000001"), "e0000001");
        assert_eq!(encode("a/b%\"ü"), "a%2Fb%25%22%C3%BC");
    }
}
