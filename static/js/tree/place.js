/** What the tree draws for a state, and where it stands after its rows have changed. */

import { selectedEntry } from "../state/state.js";
import { nearestRow } from "./layout.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Query } from "../search/query.js" */
/** @import { Searcher } from "../search/searcher.js" */
/** @import { State } from "../state/state.js" */
/** @import { Layout } from "./layout.js" */
/** @import { TreeRendering } from "./row.js" */
/** @import { RowPlace, TreeView } from "./view.js" */

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Query | null} query
 * @param {Int32Array | null} sessionHits
 * @param {Searcher["around"]} around
 * @returns {TreeRendering}
 */
export function treeRendering(outline, layout, state, query, sessionHits, around) {
    return {
        layout,
        leaf: state.leaf,
        selected: nearestRow(outline, layout, selectedEntry(state)),
        cursor: cursorRow(outline, layout, state),
        searching: query !== null,
        marks: query?.marks ?? [],
        labelTimes: state.labelTimes,
        sessionHits,
        around,
    };
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @returns {number} -1 when there are no rows
 */
export function cursorRow(outline, layout, state) {
    return layout.length === 0 ? -1 : Math.max(0, nearestRow(outline, layout, state.cursor));
}

/**
 * The entry whose row is to stay where it is while rows come and go: the one that is folded or opened, else
 * the chosen one.
 *
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {number}
 */
function heldEntry(state, before) {
    return state.folds !== before.folds && state.leaf === before.leaf ? state.cursor : selectedEntry(state);
}

/**
 * Where its row stands before the rows change.
 *
 * @param {Outline} outline
 * @param {TreeView} treeView
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {number | null}
 */
export function heldRow(outline, treeView, layout, state, before) {
    const row = nearestRow(outline, layout, heldEntry(state, before));
    return row < 0 ? null : treeView.offsetOf(row);
}

/**
 * Where the tree stands after its rows have changed. A new leaf reorders them: the chosen one stays under the
 * pointer. Hits are read from the top. Another filter leaves the tree where the reader is.
 *
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Readonly<State> | null} before
 * @param {number | null} held
 * @param {number} read
 * @returns {RowPlace}
 */
export function treePlace(outline, layout, state, before, held, read) {
    if (before === null) {
        // The transcript begins at its top unless something in it was asked for.
        return { row: state.target < 0 ? 0 : nearestRow(outline, layout, state.target), offset: null };
    }
    if (state.hits !== before.hits && state.hits !== null) {
        return { row: 0, offset: 0 };
    }
    const sameRows = state.leaf === before.leaf && state.folds === before.folds && state.target === before.target;
    const entry = sameRows && read >= 0 ? read : heldEntry(state, before);
    // An entry that has no row of its own stands for the nearest above it that has one.
    const row = nearestRow(outline, layout, entry);
    return { row, offset: sameRows || row < 0 ? null : held };
}
