/** Sessions within the session: which have a row, which lie around one, the hits that lie in them. */

import { counted } from "../base/dom.js";
import { hasRowAt } from "./filters.js";
import { standingLeaf } from "./paths.js";
import { FILTER_BITS } from "./shared.js";

/** @import { Outline } from "./outline.js" */

/**
 * The sub-session whose row an entry stands for, while another session is shown.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {number} leaf
 * @returns {number} 0 for an entry of the session shown
 */
export function sessionOfRow(outline, n, leaf) {
    return outline.session[n] === outline.session[leaf] ? 0 : outline.session[n];
}

/**
 * The sub-sessions that have a row: those that the session shown started, where something was asked for
 * those in which it is, however deep.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {string} filter
 * @param {Int32Array | null} listed see `listedBySession`
 * @returns {number[]}
 */
export function startedSessions({ session, sessions }, leaf, filter, listed) {
    /** @type {number[]} */
    const numbers = [];
    sessions.forEach(({ parent }, number) => {
        // What a sub-session was asked is no prompt of the reader's own.
        if (parent === session[leaf] && (listed === null ? filter !== "user-only" : listed[number] > 0)) {
            numbers.push(number);
        }
    });
    return numbers;
}

/**
 * What was searched for, or labelled, in each session and in those within it; only what the filter lists.
 *
 * @param {Outline} outline
 * @param {string} filter
 * @param {Uint8Array | null} matches null without a search
 * @returns {Int32Array | null} null where every sub-session may have a row
 */
export function listedBySession(outline, filter, matches) {
    const { sessions, session } = outline;
    if (sessions.length === 0 || (matches === null && filter !== "labeled-only")) {
        return null;
    }
    const counts = new Int32Array(sessions.length);
    for (let n = 0; n < outline.count; n++) {
        counts[session[n]] += (matches === null || matches[n] === 1) && isListedBy(outline, n, filter) ? 1 : 0;
    }
    // Outer sessions have the smaller numbers.
    for (let number = sessions.length - 1; number > 0; number--) {
        counts[sessions[number].parent] += counts[number];
    }
    return counts;
}

/**
 * Whether an entry of a session that is not shown has a row there.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {string} filter
 * @returns {boolean}
 */
export function isListedBy(outline, n, filter) {
    const isAdmitted = (outline.modes[n] & (FILTER_BITS.get(filter) ?? 1)) !== 0;
    return isAdmitted && hasRowAt(outline, n, standingLeaf(outline, n));
}

/**
 * The sessions from the outermost to the one shown.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number[]}
 */
export function sessionsAbove({ session, sessions }, leaf) {
    const numbers = [];
    for (let number = session[leaf]; number >= 0; number = sessions[number].parent) {
        numbers.push(number);
    }
    return numbers.reverse();
}

/**
 * What the row of a sub-session says; the facts keep their room.
 *
 * @param {Outline} outline
 * @param {number} number
 * @param {Int32Array | null} hits in each session, null without a search
 * @returns {{name: string, task: string, facts: string}}
 */
export function sessionRowText({ sessions }, number, hits) {
    const session = sessions[number];
    return hits === null ? session : { ...session, facts: counted(hits[number], "hit") };
}

/**
 * The names of the sessions from the outermost to that of an entry.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function sessionNames(outline, n) {
    return sessionsAbove(outline, n).map((number) => outline.sessions[number].name).join(" › ");
}
