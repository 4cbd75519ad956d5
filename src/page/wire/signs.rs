//! What a page's script must know by value to read its data: docs/page-format.md has the same.
//!
//! `cargo xtask assets` compiles this file too, and writes the constants as a module of the
//! script. It must not use anything of the crate.

/// The format of a page's data. It changes when a reader of the one before would fail or give something else;
/// docs/page-format.md names it.
pub(crate) const FORMAT: &str = "1";

/// A byte of a pack with a meaning: its name, it, what it means.
pub(crate) type Sign = (&'static str, u8, &'static str);

macro_rules! signs {
    ($list:ident: $(#[doc = $about:literal] $name:ident = $value:literal;)*) => {
        $(#[doc = $about] pub(crate) const $name: u8 = $value;)*

        #[allow(dead_code, reason = "for xtask")]
        pub(crate) const $list: &[Sign] = &[$((stringify!($name), $name, $about)),*];
    };
}

signs! {
    BYTES:
    /// Ends a piece: what there is of one entry.
    PIECE_END = 0;
    /// Ends the number of a line. Without one it is the line behind the one before.
    LINE_BEGIN = 1;
    /// Ends a line.
    LINE_END = 2;
    /// The end of a `span` that one of the signs behind it begins, in the order of `SPANS`.
    SPAN_END = 14;
}

signs! {
    CHARACTERS:
    /// In a fragment: the character behind it is 64 higher than meant. In a line: a backslash.
    ESCAPE = 3;
    /// A quote of JSON's own, or of an attribute.
    QUOTE = 4;
    /// The signs of markup.
    TAG_OPEN = 5;
    /// The same.
    TAG_CLOSE = 6;
    /// An `&` that begins none of the references that texts have.
    REFERENCE = 7;
    /// Of markup's own.
    APOSTROPHE = 8;
    /// Begins the number of a line of the sub-sessions' files.
    CHILD = b'c';
}

/// The classes of the spans that have signs, which are most of all tags. The end of another span is written in full, so
/// that a reader can pass over these.
pub(crate) const SPANS: [&str; 15] =
    ["k", "s", "n", "f", "t", "o", "a", "c", "m", "fg1", "fg2", "fg3", "fg4", "fg5", "fg6"];
