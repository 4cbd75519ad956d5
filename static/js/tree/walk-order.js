/** The order in which the hits of a search are visited. */

import { isListedBy, sessionOfRow } from "../outline/sessions.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */
/** @import { Layout } from "./layout.js" */

/**
 * The hits as they are walked: the rows shown, in the place of a sub-session's row the hits in it, then those
 * of all other sessions.
 *
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @returns {Int32Array}
 */
export function walkOrder(outline, layout, { leaf, filter, hits }) {
    if (outline.sessions.length === 0 || hits === null) {
        return hits === null ? new Int32Array(0) : layout.order;
    }
    const order = [];
    const taken = new Uint8Array(outline.count);
    /** @type {(from: number, to: number) => void} */
    const take = (from, to) => {
        for (let n = from; n < to; n++) {
            if (taken[n] === 0 && hits.matches[n] === 1 && isListedBy(outline, n, filter)) {
                taken[n] = 1;
                order.push(n);
            }
        }
    };
    const ends = sessionEnds(outline);
    for (const n of layout.order) {
        const number = sessionOfRow(outline, n, leaf);
        if (number !== 0) {
            take(n, ends[number]);
        } else {
            taken[n] = 1;
            order.push(n);
        }
    }
    const shown = outline.session[leaf];
    for (let n = 0; n < outline.count; n++) {
        if (outline.session[n] !== shown) {
            take(n, n + 1);
        }
    }
    return Int32Array.from(order);
}

/**
 * One past the last entry of each session and of those within it, in document order.
 *
 * @param {Outline} outline
 * @returns {Int32Array}
 */
function sessionEnds({ session, sessions, count }) {
    const ends = new Int32Array(sessions.length);
    for (let n = 0; n < count; n++) {
        ends[session[n]] = n + 1;
    }
    for (let number = sessions.length - 1; number > 0; number--) {
        const { parent } = sessions[number];
        ends[parent] = Math.max(ends[parent], ends[number]);
    }
    return ends;
}
