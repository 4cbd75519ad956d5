/**
 * The steps of a turn as one quiet row, at Story. Which entries are steps of one run was computed in Rust; the row
 * stands in the place of the first of them that the filter shows. Pure.
 */

import { FOLD_NONE, FOLD_OPEN, FOLD_SHUT } from "../outline/folds.js";
import { FAILED, FORK, LANDMARK } from "../outline/shared.js";
import { isRunOpen } from "../state/steps.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */

/**
 * @typedef {object} QuietRow
 * @property {number} first the entry whose place it has
 * @property {number} steps the entries that it stands for; 0 while they are open
 * @property {number} failures of them
 *
 * @typedef {ReadonlyMap<number, QuietRow>} QuietRows by the first entry of the run
 */

/** @type {QuietRows} */
export const NO_QUIET_ROWS = new Map();

/**
 * Whether the tree follows the level of detail: a filter or a search has chosen its rows.
 *
 * @param {Pick<State, "unfold" | "filter" | "hits">} state
 * @returns {boolean}
 */
export function isCollapsing({ unfold, filter, hits }) {
    return unfold.detail === "story" && filter === "default" && hits === null;
}

/**
 * Takes the rows out of `visible` that quiet rows stand for, and marks in `fold` which rows open and close.
 *
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {Uint8Array} visible
 * @param {Uint8Array} fold
 * @returns {QuietRows}
 */
export function collapseSteps(outline, state, visible, fold) {
    const { run, marks } = outline;
    /** @type {Map<number, QuietRow>} */
    const rows = new Map();
    const begun = new Set();
    for (let n = 0; n < outline.count; n++) {
        const first = run[n];
        // What it did to the world is told beside the steps.
        if (first < 0 || visible[n] === 0 || (marks[n] & LANDMARK) !== 0) {
            continue;
        }
        // A row that begins a branch says which one.
        const isBranch = fold[n] !== FOLD_NONE || ((marks[first] & FORK) !== 0 && !begun.has(first));
        begun.add(first);
        if (isBranch) {
            continue;
        }
        let row = rows.get(first);
        if (row === undefined) {
            const isOpen = isRunOpen(outline, { ...state, only: false }, first);
            fold[n] = isOpen ? FOLD_OPEN : FOLD_SHUT;
            rows.set(first, (row = { first: n, steps: 0, failures: 0 }));
        }
        if (fold[row.first] === FOLD_SHUT) {
            row.steps++;
            row.failures += (marks[n] & FAILED) === 0 ? 0 : 1;
            visible[n] = n === row.first ? 1 : 0;
        }
    }
    return rows;
}
