//! A name that promises a secret.

use std::ops::Range;

use super::value;
use crate::redact::bytes;
use crate::redact::judge::names::{self, Promise};
use crate::redact::judge::ordinary;
use crate::redact::judge::plausible::{self, Setting};

/// A name that promises a secret, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) range: Range<usize>,
    pub(super) promise: Promise,
    /// The name of several: `passwords`.
    pub(super) is_plural: bool,
}

impl Named {
    /// Whether `range` holds a secret of this name.
    pub(super) fn accepts(&self, text: &[u8], range: &Range<usize>, setting: Setting) -> bool {
        self.value(text, range).is_some_and(|value| self.promises(text, value, setting))
    }

    /// Whether a value is a secret of this name.
    pub(super) fn promises(&self, text: &[u8], value: &str, setting: Setting) -> bool {
        plausible::is_secret(value, self.promise, setting)
            && (setting.env || !self.is_respelled(text, value))
    }

    /// Whether a value is the name in another spelling.
    pub(super) fn is_respelled(&self, text: &[u8], value: &str) -> bool {
        let own = value::str(text, &self.range).unwrap_or_default();
        ordinary::repeats_name(value, own, self.promise)
    }

    /// Like [`accepts`](Self::accepts) for strings of programs, of which most are words.
    pub(super) fn accepts_in_code(&self, text: &[u8], range: &Range<usize>) -> bool {
        self.accepts(text, range, Setting::QUOTED)
            && (self.promise == Promise::Key || text[range.clone()].iter().any(u8::is_ascii_digit))
    }

    /// Whether several words are expected: `passphrase`.
    pub(super) fn is_of_phrase(&self, text: &[u8]) -> bool {
        bytes::contains(&text[self.range.clone()].to_ascii_lowercase(), b"phrase")
    }

    /// The text of a range that is not the name once more.
    pub(super) fn value<'a>(&self, text: &'a [u8], range: &Range<usize>) -> Option<&'a str> {
        let own = value::str(text, &self.range)?.trim_start_matches('-');
        value::str(text, range).filter(|value| !value.eq_ignore_ascii_case(own))
    }
}

/// Whether a range is itself the name of a secret.
pub(super) fn names_secret(text: &[u8], range: &Range<usize>) -> bool {
    value::str(text, range).is_some_and(|text| names::promise(text).is_some())
}
