//! A password, gone from memory when it is dropped.

use unicode_normalization::UnicodeNormalization;
use zeroize::Zeroizing;

/// A password of at least one character. Its text is wiped when it is dropped, and never printed.
pub struct Password(Zeroizing<String>);

/// Why a text is no password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PasswordError {
    /// It is empty.
    #[error("the password is empty")]
    Empty,
    /// It is longer than anybody types.
    #[error("the password is longer than {} bytes", Password::MOST_BYTES)]
    TooLong,
}

impl Password {
    /// The longest password, in bytes.
    pub const MOST_BYTES: usize = 1024;

    /// Keyboards and systems write the same letters in different ways: they are brought to the one
    /// form (NFC) that the page's script brings them to.
    ///
    /// # Errors
    /// [`PasswordError`] for an empty text, and for one longer than [`Password::MOST_BYTES`].
    pub fn new(text: &str) -> Result<Password, PasswordError> {
        if text.is_empty() {
            return Err(PasswordError::Empty);
        }
        if text.len() > Password::MOST_BYTES {
            return Err(PasswordError::TooLong);
        }
        // Room for what no letter exceeds in NFC, so that no copy is left behind by growing.
        let mut normal = Zeroizing::new(String::with_capacity(3 * text.len()));
        normal.extend(text.nfc());
        Ok(Password(normal))
    }

    /// About how many guesses find it, for somebody who tries common words, names, dates and rows of
    /// keys first (zxcvbn, which looks at 100 characters and knows English best). It does not wipe the
    /// pieces that it looks at, so they may stay in memory until the process ends.
    pub fn guesses(&self) -> u64 {
        zxcvbn::zxcvbn(&self.0, &["leafpress"]).guesses()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_whatever_the_keyboard() {
        let bytes = |text| Password::new(text).unwrap().bytes().to_owned();
        assert_eq!(bytes("e\u{301}"), bytes("\u{e9}"));
        assert_ne!(bytes("e"), bytes("\u{e9}"));
    }

    #[test]
    fn guesses_go_by_what_people_choose() {
        let guesses = |text: &str| Password::new(text).unwrap().guesses();
        assert!(guesses("password1234") < 1_000_000);
        assert!(guesses("leafpress2026") < 1_000_000, "the name of the program is no secret");
        assert!(guesses("a heron counts nine slow boats") > 1_000_000_000_000_000);
        assert!(guesses(&"\u{1f980}x".repeat(200)) > 0, "whatever its length");
    }

    #[test]
    fn neither_empty_nor_endless() {
        assert_eq!(Password::new("").unwrap_err(), PasswordError::Empty);
        assert_eq!(Password::new(&"x".repeat(1025)).unwrap_err(), PasswordError::TooLong);
        assert_eq!(format!("{:?}", Password::new("tide").unwrap()), "Password");
    }
}
