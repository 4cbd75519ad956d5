/** Letters of packed text: 13 bits in two of 91 (src/page/wire/packed.rs writes them). */

/** Printable ASCII without `"`, `<` and `\`; a letter that is none of these gives wrong bytes, which zlib notices. */
export const LETTERS = [...Array(127).keys()].filter((code) => code > 32 && code !== 34 && code !== 60 && code !== 92);

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
    const values = new Uint8Array(128);
    LETTERS.forEach((code, value) => (values[code] = value));
    // A last letter alone has 6 bits, which round down the same.
    const bytes = new Uint8Array((13 * text.length) / 16);
    let held = 0;
    let bits = 0;
    let end = 0;
    for (let at = 0; at < text.length; at += 2) {
        // Undefined behind a last letter alone.
        const second = values[text.charCodeAt(at + 1)];
        held |= (values[text.charCodeAt(at)] + (second ?? 0) * 91) << bits;
        bits += second >= 0 ? 13 : 6;
        for (; bits >= 8; bits -= 8) {
            // Only its lowest byte is kept.
            bytes[end++] = held;
            held >>= 8;
        }
    }
    return bytes;
}
