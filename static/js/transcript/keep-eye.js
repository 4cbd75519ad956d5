/** Expanding and collapsing while what the reader looks at stays where it is. */

import { JUMP_ROOM, topEdge, topOf } from "./edges.js";
import { scrollUntilStill } from "./scrolling.js";

/** What the last change left for its frame. @type {(() => void) | null} */
let pending = null;

/** Puts what the reader looks at back now: nobody may ask where the page stands before. */
export function settleEye() {
    pending?.();
}

/**
 * Changes what stands open; what the reader looks at stays where it is.
 *
 * @param {() => void} change
 */
export function keepEye(change) {
    settleEye();
    const { left, width } = document.getElementsByTagName("main")[0].getBoundingClientRect();
    /** @type {Element | null} */
    let eye = null;
    // Between two entries, the next one.
    for (let y = topEdge() + JUMP_ROOM; y < innerHeight && !eye?.closest("article"); y += JUMP_ROOM) {
        eye = document.elementFromPoint(left + width / 2, y);
    }
    const was = eye?.getBoundingClientRect().top ?? 0;
    change();
    // Folded away: what it is folded into.
    for (let fold = eye; fold !== null; fold = fold.parentElement?.closest("details") ?? null) {
        if (fold instanceof HTMLDetailsElement && !fold.open && !isSummaryOf(fold, eye)) {
            eye = fold;
        }
    }
    // Shut: the line that stands for it.
    const shut = eye?.closest("article.shut") ?? null;
    const element = shut === null ? eye : lineOf(shut);
    if (element instanceof HTMLElement && element.closest("article") !== null) {
        const top = Math.max(was, topEdge());
        const to = element instanceof HTMLDetailsElement || shut !== null ? top : was;
        // Laid out once, with the frame: on a long page it costs as much as all the rest.
        pending = () => {
            pending = null;
            scrollUntilStill(() => scrollBy(0, topOf(element) - to));
        };
        requestAnimationFrame(settleEye);
    }
}

/**
 * @param {Element} shut
 * @returns {Element | null} the line above it that stands for it
 */
function lineOf(shut) {
    /** @type {Element | null} */
    let article = shut;
    while (article !== null && article.querySelector(":scope > .steps, :scope > .quiet") === null) {
        article = article.previousElementSibling;
    }
    return article;
}

/**
 * @param {HTMLDetailsElement} details
 * @param {Element | null} element
 * @returns {boolean}
 */
function isSummaryOf(details, element) {
    return details.firstElementChild?.contains(element) ?? false;
}
