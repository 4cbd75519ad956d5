//! The scripts that hold data: each is a call that hands a value over.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

/// The function that `index.html` defines.
pub(super) const CALL: &str = "leafpressData(";
pub(super) const END: &str = ");\n";

/// The script that hands a value over.
pub(super) fn script(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(format!("{CALL}{}{END}", serde_json::to_string(value)?))
}

/// The value of a script; `None` where it is damaged.
pub(super) fn value<T: DeserializeOwned>(script: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(script).ok()?;
    let call = text.strip_prefix(CALL)?.strip_suffix(END)?;
    serde_json::from_str(call).ok()
}

/// A hash for the name of a file: 64 bits are enough to tell the versions of one file apart.
pub(super) fn hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(8).fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back() {
        let script = script(&["</script>", "\u{2028}"]).unwrap();
        assert_eq!(script, "leafpressData([\"</script>\",\"\u{2028}\"]);\n");
        let expected = Some(vec!["</script>".to_owned(), "\u{2028}".to_owned()]);
        assert_eq!(value(script.as_bytes()), expected);
        assert_eq!(value::<Vec<String>>(&script.as_bytes()[..20]), None);
    }

    #[test]
    fn a_hash_knows_where_a_part_ends() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab"]).len(), 16);
    }
}
