/** The spaces above and below the articles in the document: they stand for the rest of the list. */

import { make } from "../base/dom.js";

/** Firefox scrolls 17 million pixels, Chromium 33; both spaces together stay well below. */
const SPACE_LIMIT = 8_000_000;

/**
 * @typedef {object} Spacers
 * @property {HTMLElement} below
 * @property {(before: number, behind: number) => void} standFor articles that are so high together
 * @property {(pixels: number) => void} giveAbove makes the space above smaller, negative: larger
 * @property {() => [number, number]} heights
 * @property {() => [number, number]} edges where the articles begin and end in the view
 */

/**
 * @param {HTMLElement} root what stands in it comes to stand between
 * @returns {Spacers}
 */
export function makeSpacers(root) {
    const [above, below] = [makeSpacer(), makeSpacer()];
    root.prepend(above);
    root.append(below);
    return {
        below,
        standFor(before, behind) {
            const unit = Math.min(1, SPACE_LIMIT / Math.max(1, before + behind));
            setHeight(above, before * unit);
            setHeight(below, behind * unit);
        },
        giveAbove: (pixels) => setHeight(above, above.offsetHeight - pixels),
        heights: () => [above.offsetHeight, below.offsetHeight],
        edges: () => [above.getBoundingClientRect().bottom, below.getBoundingClientRect().top],
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
