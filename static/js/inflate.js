/** What lies compressed in the page: base64 of zlib, whose checksum tells a flipped bit. */

/**
 * @param {string} data
 * @returns {Promise<string>} rejected when the data is damaged
 */
function inflate(data) {
    const { readable, writable } = new DecompressionStream("deflate");
    const writer = writable.getWriter();
    // What is wrong with the data is told where it is read.
    const ignore = () => {};
    writer.write(bytesOf(data)).catch(ignore);
    writer.close().catch(ignore);
    return new Response(readable).text();
}

/**
 * @param {string} base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOf(base64) {
    const native = /** @type {{fromBase64?: (text: string) => Uint8Array<ArrayBuffer>}} */ (/** @type {unknown} */ (Uint8Array));
    if (native.fromBase64 !== undefined) {
        return native.fromBase64(base64);
    }
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) {
        bytes[at] = binary.charCodeAt(at);
    }
    return bytes;
}
