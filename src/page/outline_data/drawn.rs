//! Texts of rows and labels as they are drawn, where that is not as they stand.

use std::borrow::Cow;

use super::columns::{Number, numbered};
use crate::session::invisible::marked;

/// The texts that are drawn with marks, with the numbers of their entries.
pub(super) fn drawn<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<(Number, String)> {
    numbered(texts.map(|text| match marked(text?) {
        Cow::Borrowed(_) => None,
        Cow::Owned(drawn) => Some(drawn),
    }))
}
