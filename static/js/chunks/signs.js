/**
 * The format of a page's data, and the bytes in packs with a meaning. `cargo xtask assets` writes
 * this file from src/page/wire/signs.rs.
 */

export const FORMAT = "1";

/** The classes of the spans that have signs. */
export const SPANS = /* @__PURE__ */ "k s n f t o a c m fg1 fg2 fg3 fg4 fg5 fg6".split(" ");

/** Ends a piece: what there is of one entry. */
export const PIECE_END = 0;

/** Ends the number of a line. Without one it is the line behind the one before. */
export const LINE_BEGIN = 1;

/** Ends a line. */
export const LINE_END = 2;

/** The end of a `span` that one of the signs behind it begins, in the order of `SPANS`. */
export const SPAN_END = 14;

/** In a fragment: the character behind it is 64 higher than meant. In a line: a backslash. */
export const ESCAPE = "\u0003";

/** A quote of JSON's own, or of an attribute. */
export const QUOTE = "\u0004";

/** The signs of markup. */
export const TAG_OPEN = "\u0005";

/** The same. */
export const TAG_CLOSE = "\u0006";

/** An `&` that begins none of the references that texts have. */
export const REFERENCE = "\u0007";

/** Of markup's own. */
export const APOSTROPHE = "\u0008";

/** Begins the number of a line of the sub-sessions' files. */
export const CHILD = "\u0063";
