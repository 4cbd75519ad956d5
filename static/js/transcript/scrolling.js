/** Scrolling to a place whose height is still an estimate, and the flash that marks the entry there. */

import { listen } from "../base/dom.js";

/** Articles get their real height when they come near the view, so a scroll is put right for some frames. */
const STILL_FRAMES = 6;

/** Ends the scrolling that still goes on. */
export let stopScrolling = () => {};

/**
 * Scrolls, and again in the next frames, until heights are known or the reader takes over.
 *
 * @param {() => void} scroll
 * @param {() => void} [done] called once heights are known
 */
export function scrollUntilStill(scroll, done) {
    stopScrolling();
    const control = new AbortController();
    const stop = () => control.abort();
    stopScrolling = stop;
    for (const type of /** @type {const} */ (["wheel", "touchstart", "pointerdown", "keydown"])) {
        listen(window, type, stop, { signal: control.signal, passive: true, capture: true });
    }
    let frames = STILL_FRAMES;
    const frame = () => {
        if (control.signal.aborted) {
            return;
        }
        scroll();
        if (--frames > 0) {
            requestAnimationFrame(frame);
        } else {
            stop();
            done?.();
        }
    };
    frame();
}

/** @type {HTMLElement | null} */
let flashing = null;

/**
 * @param {HTMLElement} article
 */
export function flash(article) {
    // A hidden article never ends its animation, and would begin it again when next shown.
    flashing?.classList.remove("flash");
    flashing = article;
    // Without a layout in between, taking a class away and giving it back starts no new animation.
    void article.offsetWidth;
    article.classList.add("flash");
    listen(article, "animationend", () => article.classList.remove("flash"), { once: true });
}
