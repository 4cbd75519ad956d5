//! An entry's public key: its id, safe in an address and in an attribute.

use std::fmt::Write;

/// Percent-encodes everything but ASCII letters, digits and `-._~`, the
/// characters that RFC 3986 reserves for no purpose.
pub fn encode(id: &str) -> String {
    let mut key = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            key.push(char::from(byte));
        } else {
            let _ = write!(key, "%{byte:02X}");
        }
    }
    key
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
