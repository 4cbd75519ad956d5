/** What lies compressed in the page: zlib in letters, whose checksum tells a flipped bit. */

import { bytesOf } from "./base91.js";

/**
 * @param {string} data
 * @returns {Promise<string>} rejected when the data is damaged
 */
export async function inflate(data) {
    return new TextDecoder().decode(await inflated(data));
}

/**
 * @param {string} data
 * @returns {Promise<Uint8Array<ArrayBuffer>>} rejected when the data is damaged
 */
export async function inflated(data) {
    return inflateBytes(bytesOf(data));
}

/**
 * Read piece by piece: through a `Response` each would wait for tasks of the browser.
 *
 * @param {Uint8Array<ArrayBuffer>} compressed
 * @returns {Promise<Uint8Array<ArrayBuffer>>} rejected when it is damaged
 */
export async function inflateBytes(compressed) {
    const { readable, writable } = new DecompressionStream("deflate");
    const writer = writable.getWriter();
    // What is wrong with the data is shown where it is read.
    const ignore = () => {};
    writer.write(compressed).catch(ignore);
    writer.close().catch(ignore);
    const reader = readable.getReader();
    const pieces = [];
    let length = 0;
    for (let piece; (piece = (await reader.read()).value) !== undefined; length += piece.length) {
        pieces.push(piece);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
        bytes.set(piece, at);
        at += piece.length;
    }
    return bytes;
}
