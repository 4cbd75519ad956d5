/** The articles in view or near it. */

import { lastAbove, topOf } from "./edges.js";

/** @import { Pane, Reading } from "./reading.js" */

/** Articles so far outside the view, in views, are marked too. */
const MARK_AHEAD = 1;

/**
 * @param {Reading} reading
 * @returns {[number, HTMLElement][]}
 */
export function articlesNear(reading) {
    return reading.panes().flatMap(articlesNearIn);
}

/**
 * @param {Pane} pane
 * @returns {[number, HTMLElement][]}
 */
function articlesNearIn(pane) {
    const entries = pane.entries();
    const [top, bottom] = [-MARK_AHEAD * innerHeight, (1 + MARK_AHEAD) * innerHeight];
    /** @type {[number, HTMLElement][]} */
    const near = [];
    const [from, to] = pane.span();
    for (let at = Math.max(from, lastAbove(entries, pane.elementOf, top, [from, to])); at < to; at++) {
        const element = pane.elementOf(entries[at]);
        if (element === undefined || topOf(element) > bottom) {
            break;
        }
        near.push([entries[at], element]);
    }
    return near;
}
