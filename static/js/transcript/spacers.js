/** The spaces above and below the articles in the document: they stand for the rest of the list. */

import { make } from "../base/dom.js";

/** Height of an article, in pixels, before any was measured. */
const USUAL_HEIGHT = 150;

/** Firefox scrolls 17 million pixels, Chromium 33; both spaces together stay well below. */
const SPACE_LIMIT = 8_000_000;

/**
 * @typedef {object} Spacers
 * @property {HTMLElement} below
 * @property {(before: number, count: number, behind: number) => void} standFor so many articles, and so many between
 * @property {(pixels: number) => void} giveAbove makes the space above smaller, negative: larger
 * @property {() => [number, number]} heights
 * @property {(count: number) => [number, number]} measure where the articles, so many, begin and end in the view
 */

/**
 * @param {HTMLElement} root what stands in it comes to stand between
 * @returns {Spacers}
 */
export function makeSpacers(root) {
    const [above, below] = [makeSpacer(), makeSpacer()];
    // The mean over all measures so far: the spaces, and with them the scroll bar, come to rest.
    let height = USUAL_HEIGHT;
    let measures = 0;
    root.prepend(above);
    root.append(below);
    return {
        below,
        standFor(before, count, behind) {
            const unit = Math.min(height, SPACE_LIMIT / Math.max(1, before + count + behind));
            setHeight(above, before * unit);
            setHeight(below, behind * unit);
        },
        giveAbove: (pixels) => setHeight(above, above.offsetHeight - pixels),
        heights: () => [above.offsetHeight, below.offsetHeight],
        measure(count) {
            const [top, bottom] = [above.getBoundingClientRect().bottom, below.getBoundingClientRect().top];
            if (count > 0 && bottom > top) {
                measures++;
                height += ((bottom - top) / count - height) / measures;
            }
            return [top, bottom];
        },
    };
}

/**
 * @returns {HTMLElement}
 */
function makeSpacer() {
    const space = make("div", "space");
    space.setAttribute("aria-hidden", "true");
    return space;
}

/**
 * @param {HTMLElement} space
 * @param {number} height
 */
function setHeight(space, height) {
    // Never in the form `1e-7px`.
    space.style.height = `${Math.max(0, height).toFixed(3)}px`;
}
