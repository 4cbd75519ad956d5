/**
 * The steps of a turn as one quiet row, at Story. Which entries are steps of one run was computed in Rust; the row
 * stands in the place of the first of them that the filter shows. Pure.
 */

import { FOLD_NONE, FOLD_OPEN, FOLD_SHUT } from "../outline/folds.js";
import { COMPACTION, FORK, LANDMARK } from "../outline/shared.js";
import { isRunOpen } from "../state/steps.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */

/** @typedef {ReadonlyMap<number, number>} QuietRows by the first entry of a run, the one whose place its row has */

/**
 * The level of detail that the tree follows, unless a filter or a search has chosen its rows.
 *
 * @param {Pick<State, "unfold" | "filter" | "hits">} state
 * @returns {string} empty where all rows of the filter stand
 */
export function treeLevel({ unfold, filter, hits }) {
    return filter !== "default" || hits !== null || unfold.detail === "full" ? "" : unfold.detail;
}

/**
 * The visible entries without settings, and without what no person saw, unless a branch begins with them. Before the
 * first prompt even then: the first row is what was asked. Of a call that started a session the row of the session says
 * more.
 *
 * @param {Outline} outline
 * @param {Uint8Array} visible
 * @param {number[]} started the sub-sessions that have a row
 * @returns {Uint8Array}
 */
export function withoutAsides({ asides, marks, prompt, run, sessions, kind, kinds }, visible, started) {
    const kept = visible.map((shown, n) => (asides.has(run[n]) && (prompt[n] === 0 || (marks[n] & FORK) === 0) ? 0 : shown));
    for (const number of started) {
        const { startedBy, facts } = sessions[number];
        if (facts !== "" && kinds[kind[startedBy]] === "tool-result" && (marks[startedBy] & FORK) === 0) {
            kept[startedBy] = 0;
        }
    }
    return kept;
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
    /** @type {Map<number, number>} */
    const rows = new Map();
    for (let n = 0; n < outline.count; n++) {
        const first = run[n];
        if (first < 0 || visible[n] === 0) {
            continue;
        }
        // A row that begins a branch says which one.
        if (fold[n] !== FOLD_NONE || (marks[n] & FORK) !== 0) {
            continue;
        }
        // What has a line below that of the steps keeps a row of its own.
        const isLandmark = (marks[n] & (LANDMARK | COMPACTION)) !== 0;
        let row = rows.get(first);
        if (row === undefined && !isLandmark) {
            fold[n] = isRunOpen(outline, { ...state, only: false }, first) ? FOLD_OPEN : FOLD_SHUT;
            rows.set(first, (row = n));
        }
        if (row !== undefined && row !== n && fold[row] === FOLD_SHUT && !isLandmark) {
            visible[n] = 0;
        }
    }
    return rows;
}
