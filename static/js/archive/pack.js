/** Opens packs: compressed texts in the characters of a script (src/archive/pack.rs writes them). */

import { inflateBytes } from "../chunks/inflate.js";

/** Stands before a pair of bytes with its highest bit flipped, which as it is could not stand in a string. */
const ESCAPE = 0xe000;
const FLIPPED = 0x8000;

/**
 * @param {string} pack
 * @returns {Promise<string>} rejected where it is damaged
 */
export async function unpacked(pack) {
    return new TextDecoder().decode(await inflateBytes(bytesOf(pack)));
}

/**
 * @param {string} pack
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOf(pack) {
    const pairs = new Uint16Array(pack.length);
    let end = 0;
    for (let at = 1; at < pack.length; at++) {
        const pair = pack.charCodeAt(at);
        pairs[end++] = pair === ESCAPE ? pack.charCodeAt(++at) ^ FLIPPED : pair;
    }
    // The lower byte is the first one on every machine with a browser.
    return new Uint8Array(pairs.buffer, 0, 2 * end - Number(pack[0]));
}
