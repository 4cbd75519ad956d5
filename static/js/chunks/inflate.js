/** What lies compressed in the page: zlib in letters, whose checksum tells a flipped bit. */

import { bytesOf } from "./base91.js";

/**
 * @param {string} data
 * @returns {Promise<string>} rejected when the data is damaged
 */
export function inflate(data) {
    return inflated(data).text();
}

/**
 * @param {string} data
 * @returns {Response} its body fails when the data is damaged
 */
export function inflated(data) {
    const { readable, writable } = new DecompressionStream("deflate");
    const writer = writable.getWriter();
    // What is wrong with the data is told where it is read.
    const ignore = () => {};
    writer.write(bytesOf(data)).catch(ignore);
    writer.close().catch(ignore);
    return new Response(readable);
}
