/** The one state of the page. Everything on the screen is drawn from it; nothing reads the screen back. */

import { NO_FOLDS } from "../outline/folds.js";

/** @import { Hits } from "../search/searcher.js" */
/** @import { Unfold } from "./choices.js" */

/** @typedef {"path" | "context" | "changes"} View everything on the path, what the model saw of it, or what happened to files */

/** @typedef {"prompt" | "file"} Order of what changed: by prompt, or by file */

/**
 * @typedef {object} State
 * @property {number} leaf the leaf shown
 * @property {number} target the entry that was asked for, -1 for none
 * @property {number} compare the leaf shown beside it, -1 for none
 * @property {number} cursor the entry that the keyboard stands on in the tree
 * @property {string} filter
 * @property {string} query
 * @property {boolean} queryCut only the beginning of what was asked is searched for
 * @property {Hits | null} hits of the query; null without one, and until the first are found
 * @property {boolean} searching
 * @property {View} view
 * @property {number} call the response whose context is shown, -1 for the end of the branch
 * @property {Order} order of what changed
 * @property {string} file the file that was asked for there, empty for none
 * @property {number} hitAt the hit that was walked to, -1 for none
 * @property {ReadonlySet<number>} folds the entries folded in the tree
 * @property {boolean} only filter and search apply to the transcript too
 * @property {Unfold} unfold what stands open in the text
 * @property {ReadonlySet<number>} toggled the lines of steps that were clicked
 * @property {boolean} labelTimes the tree says when labels were set
 */

/**
 * @typedef {object} Store
 * @property {() => Readonly<State>} get
 * @property {(change: Partial<State>) => void} update
 */

/**
 * @param {State} initial
 * @param {(state: Readonly<State>, before: Readonly<State>) => void} draw
 * @returns {Store}
 */
export function makeStore(initial, draw) {
    let state = initial;
    return {
        get: () => state,
        update(change) {
            const before = state;
            state = withoutStale({ ...state, ...change }, before);
            draw(state, before);
        },
    };
}

/**
 * What follows from a change: folds do not outlive the rows they were made in, nor a walk its hits.
 *
 * @param {State} state
 * @param {Readonly<State>} before
 * @returns {State}
 */
function withoutStale(state, before) {
    const sameQuery = state.query === before.query;
    if (sameQuery && state.filter === before.filter) {
        return state;
    }
    return { ...state, folds: NO_FOLDS, hitAt: sameQuery ? state.hitAt : -1 };
}

/**
 * The entry whose row is marked as the chosen one.
 *
 * @param {Readonly<State>} state
 * @returns {number}
 */
export function selectedEntry(state) {
    return state.target >= 0 ? state.target : state.leaf;
}
