/**
 * The steps of a turn as one quiet row, at Story. Which entries are steps of one run was computed in Rust; the row
 * stands in the place of the first of them that the filter shows. Pure.
 */

import { FOLD_NONE, FOLD_OPEN, FOLD_SHUT } from "../outline/folds.js";
import { FAILED, FORK, LANDMARK, NOTABLE, STOPPED } from "../outline/shared.js";
import { isRunOpen } from "../state/steps.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */

/**
 * @typedef {object} QuietRow
 * @property {number} first the entry whose place it has
 * @property {number} steps the entries that it stands for; 0 while they are open
 * @property {number} failures of them
 * @property {number} stops of them
 * @property {number} notable of them
 * @property {[number, number, 0 | 1]} changed lines that the edits of the run added and removed, and 1 where some is not exact
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
    const { run, marks, changed } = outline;
    /** @type {Map<number, QuietRow>} */
    const rows = new Map();
    /** Landmarks of a run before its row. @type {Map<number, number>} */
    const before = new Map();
    for (let n = 0; n < outline.count; n++) {
        const first = run[n];
        if (first < 0 || visible[n] === 0) {
            continue;
        }
        // A row that begins a branch says which one.
        if (fold[n] !== FOLD_NONE || (marks[n] & FORK) !== 0) {
            continue;
        }
        // What a step did to the world keeps a row of its own.
        const isLandmark = (marks[n] & LANDMARK) !== 0;
        let row = rows.get(first);
        if (row === undefined && isLandmark) {
            before.set(first, (before.get(first) ?? 0) + 1);
            continue;
        }
        if (row === undefined) {
            const isOpen = isRunOpen(outline, { ...state, only: false }, first);
            fold[n] = isOpen ? FOLD_OPEN : FOLD_SHUT;
            rows.set(first, (row = { first: n, steps: before.get(first) ?? 0, failures: 0, stops: 0, notable: 0, changed: changed.get(first) ?? [0, 0, 0] }));
        }
        if (fold[row.first] === FOLD_SHUT) {
            row.steps++;
            row.failures += (marks[n] & FAILED) === 0 ? 0 : 1;
            row.stops += (marks[n] & STOPPED) === 0 ? 0 : 1;
            row.notable += (marks[n] & NOTABLE) === 0 ? 0 : 1;
            visible[n] = n === row.first || isLandmark ? 1 : 0;
        }
    }
    return rows;
}
