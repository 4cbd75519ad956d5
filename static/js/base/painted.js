/** Work that lets a frame be shown first. */

/**
 * @returns {Promise<unknown>} fulfilled once what has changed is painted; at once in a page that nobody sees, which
 *     has no frames
 */
export function painted() {
    return new Promise((done) => {
        const then = () => setTimeout(done);
        document.hidden ? then() : requestAnimationFrame(() => requestAnimationFrame(then));
    });
}
