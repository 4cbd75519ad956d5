/** Letters of packed text: 13 bits in two of 91 (src/page/packed.rs writes them). */

/** Printable ASCII without `"`, `<` and `\`; a letter that is none of these gives wrong bytes, which zlib notices. */
export const LETTERS = Array.from({ length: 94 }, (_, at) => at + 33).filter((code) => code !== 34 && code !== 60 && code !== 92);

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
    const values = new Uint8Array(128);
    LETTERS.forEach((code, value) => {
        values[code] = value;
    });
    // A last letter alone has 6 bits, which round down the same.
    const bytes = new Uint8Array((13 * text.length) / 16);
    let held = 0;
    let bits = 0;
    let end = 0;
    for (let at = 0; at < text.length; at += 2) {
        const isPair = at + 1 < text.length;
        held |= (values[text.charCodeAt(at)] + (isPair ? values[text.charCodeAt(at + 1)] * 91 : 0)) << bits;
        bits += isPair ? 13 : 6;
        for (; bits >= 8; bits -= 8) {
            // Only its lowest byte is kept.
            bytes[end++] = held;
            held >>= 8;
        }
    }
    return bytes;
}
