/**
 * The folds around a search hit. Long output opens to the lines around the hit alone: what stands in it scrolls
 * in a low box, until the reader asks for all of it.
 */

import { makeButton } from "../base/dom.js";
import { expandPrompt } from "./long-prompt.js";

/** Stands on the box; its height is in output.css. */
const AROUND_HIT = "around-hit";

/**
 * Opens what hides the ranges.
 *
 * @param {readonly Range[]} ranges in the order of the text
 * @param {Element} within
 */
export function unfoldHits(ranges, within) {
    /** @type {Map<HTMLElement, Range>} the first hit in the hidden lines of each output */
    const boxes = new Map();
    for (const range of ranges) {
        /** @type {Node} */
        let below = range.startContainer;
        for (let at = below.parentNode; at !== null && below !== within; at = at.parentNode) {
            if (at instanceof HTMLDetailsElement && !at.open) {
                at.open = true;
                if (at.className === "more" && below instanceof HTMLElement) {
                    boxes.set(below, range);
                }
            }
            if (at instanceof Element) {
                expandPrompt(at);
            }
            below = at;
        }
    }
    boxes.forEach(boxAround);
}

/**
 * @param {Range} range
 * @param {HTMLElement} box
 */
function boxAround(range, box) {
    box.classList.add(AROUND_HIT);
    if (box.scrollHeight <= box.clientHeight) {
        box.classList.remove(AROUND_HIT);
        return;
    }
    const [hit, seen] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop += hit.top - seen.top - (seen.height - hit.height) / 2;
    const all = makeButton("all-lines", "Show all lines", () => showAllLines(box.parentElement ?? box));
    all.dataset.ui = "";
    box.after(all);
    box.tabIndex = 0;
}

/**
 * @param {Element} fold
 */
export function showAllLines(fold) {
    const box = fold.querySelector(`:scope > .${AROUND_HIT}`);
    box?.classList.remove(AROUND_HIT);
    box?.removeAttribute("tabindex");
    fold.querySelector(":scope > .all-lines")?.remove();
}
