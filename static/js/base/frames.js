/** Work that is done at most once in a frame. */

/**
 * @param {() => void} work
 * @returns {() => void}
 */
export function oncePerFrame(work) {
    let asked = false;
    return () => {
        if (!asked) {
            asked = true;
            requestAnimationFrame(() => {
                asked = false;
                work();
            });
        }
    };
}
