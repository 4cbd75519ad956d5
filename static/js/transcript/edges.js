/** Where entries stand in the view. */

import { byId } from "../base/dom.js";

/** A jump leaves this much room above an entry (`scroll-margin` in entry.css), and half a line. */
export const JUMP_ROOM = 24;

/** How much of the view is covered below the top bar: by the heads of a comparison, 0 without one. */
let covered = 0;

/**
 * @param {number} height
 */
export function coverTop(height) {
    covered = height;
}

/**
 * @returns {number}
 */
export function topEdge() {
    return byId("topbar").getBoundingClientRect().bottom + covered;
}

/**
 * @param {HTMLElement} element
 * @returns {number}
 */
export function topOf(element) {
    return element.getBoundingClientRect().top;
}

/**
 * The last entry whose upper edge is not below `y`; edges ascend, so few need to be measured.
 *
 * @param {number[]} entries
 * @param {(n: number) => HTMLElement | undefined} elementOf
 * @param {number} y
 * @param {[number, number]} span the places in the list to look at
 * @returns {number} its place in the list, one before the span when all are below
 */
export function lastAbove(entries, elementOf, y, [from, to]) {
    while (from < to) {
        const middle = (from + to) >> 1;
        const element = elementOf(entries[middle]);
        if (element !== undefined && topOf(element) <= y) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from - 1;
}
