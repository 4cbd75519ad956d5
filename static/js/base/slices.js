/** Long work on the one thread there is, in slices short enough that typing and scrolling stay smooth. */

/** Below one frame at 60 Hz, with room for the drawing. */
const SLICE_MS = 12;

/**
 * @typedef {object} Work
 * @property {() => boolean | Promise<unknown>} step does a little; false when nothing is left, a promise that ends
 *     the slice and that the next one waits for
 * @property {(done: boolean) => void | Promise<unknown>} [pause] called after every slice, and waited for
 */

/**
 * Runs the first slice now and the rest in messages (timers would be held back to 4 ms each).
 *
 * @param {Work} work
 * @returns {() => void} stops it
 */
export function runInSlices(work) {
    const channel = new MessageChannel();
    let live = true;
    const stop = () => {
        live = false;
        channel.port1.close();
    };
    const slice = async () => {
        if (!live) {
            return;
        }
        const until = performance.now() + SLICE_MS;
        let left = work.step();
        while (left === true && performance.now() < until) {
            left = work.step();
        }
        const paused = work.pause?.(left === false);
        if (left === false) {
            stop();
        } else {
            await left;
            await paused;
            channel.port2.postMessage(0);
        }
    };
    channel.port1.onmessage = slice;
    void slice();
    return stop;
}

/**
 * Runs something when the page has nothing else to do.
 *
 * @param {() => void} work
 */
export function whenIdle(work) {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === "function") {
        requestIdleCallback(work, { timeout: 500 });
    } else {
        setTimeout(work, 50);
    }
}
