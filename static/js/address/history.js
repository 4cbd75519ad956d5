/** The address bar and the browser's history, always guarded: browsers refuse and throttle writing. */

import { addressIdentity } from "./link.js";
import { addressOf } from "./write.js";

/** Safari allows 100 writes in 30 seconds. */
const REPLACE_MS = 400;

/**
 * @typedef {object} ScrollMark the place in the text that a history step goes back to
 * @property {string} at key of the article at the top of the view
 * @property {number} offset of its upper edge
 */

/**
 * @typedef {object} AddressBar
 * @property {(params: [string, string][]) => void} push
 * @property {(params: [string, string][]) => void} replace
 * @property {() => void} rememberScroll for back, forward and reload; slowed down too
 * @property {() => void} drop forgets what is not yet written: it belonged to the history step just left
 * @property {() => boolean} isNews whether the address says something else than when last asked or written
 */

/**
 * @param {() => Partial<ScrollMark> & {call: number}} scrollMark with the call whose context is shown
 * @returns {AddressBar}
 */
export function makeAddressBar(scrollMark) {
    /** @type {number | undefined} */
    let timer;
    /** @type {string | undefined} */
    let waiting;
    let lastWrite = -REPLACE_MS;
    let known = addressIdentity(location);
    const isNews = () => {
        const before = known;
        known = addressIdentity(location);
        return known !== before;
    };
    const flush = () => {
        clearTimeout(timer);
        timer = undefined;
        writeHistory("replaceState", scrollMark(), waiting);
        waiting = undefined;
        lastWrite = performance.now();
        isNews();
    };
    const flushSoon = () => {
        // In a task of its own: a new address makes a browser look at every link of a long page.
        timer ??= setTimeout(flush, Math.max(0, lastWrite + REPLACE_MS - performance.now()));
    };
    return {
        push(params) {
            flush();
            writeHistory("pushState", null, addressOf(location, params));
            isNews();
        },
        replace(params) {
            waiting = addressOf(location, params);
            flushSoon();
        },
        rememberScroll() {
            timer ??= setTimeout(flush, REPLACE_MS);
        },
        drop() {
            clearTimeout(timer);
            timer = undefined;
            waiting = undefined;
        },
        isNews,
    };
}

/**
 * @param {"pushState" | "replaceState"} how
 * @param {object | null} mark
 * @param {string | undefined} address
 */
function writeHistory(how, mark, address) {
    try {
        history[how](mark, "", address);
    } catch {
        // A sandboxed frame, a browser that wants fewer writes: the page works without.
    }
}

/**
 * The mark that an earlier visit to this history step left behind.
 *
 * @param {unknown} state
 * @returns {ScrollMark | null}
 */
export function readScrollMark(state) {
    if (typeof state !== "object" || state === null || !("at" in state) || !("offset" in state)) {
        return null;
    }
    const { at, offset } = state;
    return typeof at === "string" && typeof offset === "number" ? { at, offset } : null;
}
