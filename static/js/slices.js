/** Long work on the one thread there is, in slices short enough that typing and scrolling stay smooth. */

/** Below one frame at 60 Hz, with room for the drawing. */
const SLICE_MS = 12;

/**
 * @typedef {object} Work
 * @property {() => boolean} step does a little; false when nothing is left
 * @property {(done: boolean) => void} [pause] called after every slice
 */

/**
 * Runs the first slice now and the rest in messages (timers would be held back to 4 ms each).
 *
 * @param {Work} work
 * @returns {() => void} stops it
 */
function runInSlices(work) {
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
        const done = !stepUntil(work.step, performance.now() + SLICE_MS);
        work.pause?.(done);
        if (done) {
            stop();
        } else if (live) {
            channel.port2.postMessage(0);
        }
    };
    channel.port1.onmessage = slice;
    slice();
    return stop;
}

/**
 * @param {() => boolean} step
 * @param {number} until
 * @returns {boolean} whether something is left
 */
function stepUntil(step, until) {
    while (step()) {
        if (performance.now() >= until) {
            return true;
        }
    }
    return false;
}
