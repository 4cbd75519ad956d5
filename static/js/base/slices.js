/** Long work on the one thread there is, in slices short enough that typing and scrolling stay smooth. */

/** Below one frame at 60 Hz, with room for the drawing. */
const SLICE_MS = 12;

/**
 * @typedef {object} Work
 * @property {() => boolean} step does a little; false when nothing is left
 * @property {() => Promise<unknown> | null} [wait] what the next step has to wait for, null for nothing
 * @property {(done: boolean) => void} [pause] called after every slice
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
    const slice = () => {
        if (!live) {
            return;
        }
        const done = !stepUntil(work, performance.now() + SLICE_MS);
        work.pause?.(done);
        if (done) {
            stop();
        } else if (live) {
            void next();
        }
    };
    const next = async () => {
        const ready = work.wait?.();
        if (ready) {
            await ready;
        }
        channel.port2.postMessage(0);
    };
    channel.port1.onmessage = slice;
    slice();
    return stop;
}

/**
 * @param {Work} work
 * @param {number} until
 * @returns {boolean} whether something is left
 */
function stepUntil(work, until) {
    if (work.wait?.()) {
        return true;
    }
    while (work.step()) {
        if (performance.now() >= until || work.wait?.()) {
            return true;
        }
    }
    return false;
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
