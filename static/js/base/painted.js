/** Work that lets a frame be shown first. */

/**
 * @returns {Promise<unknown>} fulfilled once what has changed is painted; at once in a hidden page and soon in
 *     one out of sight, which have no frames
 */
export function painted() {
    return new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
        setTimeout(done, document.hidden ? 0 : 500);
    });
}
