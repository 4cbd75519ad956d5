/**
 * Where each visible entry stands in the tree list: order, indentation, connectors.
 *
 * Pure, without recursion, and linear in the number of entries whatever their shape. Columns are indexed by
 * row. A row's prefix is made only when the row is drawn, from the chain of vertical bars that pass it.
 */

import { FOLD_SHUT, foldVisible, nearestVisible } from "../outline/folds.js";
import { pathTo } from "../outline/paths.js";
import { PROMPT } from "../outline/shared.js";
import { collapseSteps, withoutAsides } from "./quiet.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */
/** @import { QuietRows } from "./quiet.js" */

/**
 * @typedef {object} Layout
 * @property {number} length
 * @property {number} entries of the session shown that the filter shows
 * @property {boolean} isStory steps are collapsed
 * @property {boolean} isSearch the rows are hits
 * @property {QuietRows} quiet
 * @property {Int32Array} order row to entry
 * @property {ReadonlyMap<number, number>} hung the entries whose rows stand for sub-sessions
 * @property {Int32Array} spaces how many of the rows up to each have space above them: prompts, and in a list of hits the
 *     first of each other prompt, which stands there
 * @property {Int32Array} rowOf entry to row, -1 when it has none
 * @property {Int32Array} depth display indent
 * @property {Uint8Array} connector one of the constants below
 * @property {Int32Array} bar the innermost row above whose bar passes this row, -1 for none
 * @property {Int32Array} outerBar the innermost such bar within the first `EXACT_LEVELS`
 * @property {Int32Array} setSize rows of the same level under the same row (ARIA)
 * @property {Int32Array} position from 1 within that set
 * @property {Uint8Array} fold entry to FOLD_NONE, FOLD_OPEN or FOLD_SHUT
 */

const NO_CONNECTOR = 0;
export const TEE = 1;
export const CORNER = 2;

/** Prefixes are exact to this many levels, then shortened. */
const EXACT_LEVELS = 64;

const GAP = "   ";
export const BAR = "│  ";
export const CONNECTORS = ["", "├─ ", "└─ "];

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @param {Uint8Array} filtered the visible entries, folds disregarded
 * @param {ReadonlySet<number>} folds
 * @param {number[]} [started] the sub-sessions that have a row, by number
 * @param {Readonly<State> | null} [state] where the rows follow its level of detail
 * @param {boolean} [isSearch]
 * @returns {Layout}
 */
export function layOut(outline, leaf, filtered, folds, started = [], state = null, isSearch = false) {
    const unfolded = state === null ? filtered : withoutAsides(outline, filtered, started);
    const { visible, fold } = foldVisible(outline, unfolded, folds);
    const hung = hangSessions(outline, unfolded, visible, fold, started);
    const listed = visible.slice();
    const story = state?.unfold.detail === "story" ? state : null;
    /** @type {QuietRows} */
    const quiet = story === null ? new Map() : collapseSteps(outline, story, listed, fold);
    hung.forEach((place, first) => {
        hung.set(first, place < 0 || listed[place] === 1 ? place : quiet.get(outline.run[place]) ?? -1);
    });
    const own = displayOrder(outline, leaf, listed);
    const order = started.length === 0 ? own : withSessions(own, hung);
    const rowOf = new Int32Array(outline.count).fill(-1);
    const spaces = new Int32Array(order.length);
    order.forEach((n, row) => {
        rowOf[n] = row;
        const isPrompt = (outline.marks[n] & PROMPT) !== 0;
        const hasSpace = isSearch ? !isPrompt && outline.prompt[n] > 0 && outline.prompt[n] !== outline.prompt[order[row - 1]] : isPrompt;
        spaces[row] = (spaces[row - 1] ?? 0) + (hasSpace && !hung.has(n) ? 1 : 0);
    });
    const above = visibleParents(outline, order, rowOf, listed);
    hung.forEach((starter, first) => {
        if (rowOf[first] >= 0) {
            above[rowOf[first]] = starter < 0 ? -1 : rowOf[starter];
        }
    });
    const indented = indentRows(above, order, hung);
    return {
        length: order.length,
        entries: filtered.reduce((sum, shown, n) => sum + (unfolded[n] ? visible[n] : shown), 0),
        isStory: story !== null,
        isSearch,
        quiet,
        hung,
        order,
        spaces,
        rowOf,
        ...indented,
        ...linkBars(above, indented.depth, indented.connector),
        ...countSets(indented.depth),
        fold,
    };
}

/**
 * Depth-first, the branch that holds the leaf before its siblings, the others as in the document.
 *
 * The path comes first as a whole. Then, from the leaf upwards, each ancestor's other descendants, which are
 * the two ranges of its subtree around the child on the path.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {Uint8Array} visible
 * @returns {Int32Array}
 */
function displayOrder(outline, leaf, visible) {
    const order = new Int32Array(outline.count);
    let length = 0;
    /** @type {(from: number, to: number) => void} */
    const take = (from, to) => {
        for (let n = from; n < to; n++) {
            if (visible[n] === 1) {
                order[length++] = n;
            }
        }
    };
    for (const n of pathTo(outline, leaf)) {
        take(n, n + 1);
    }
    take(leaf + 1, outline.end[leaf]);
    let inner = leaf;
    while (inner >= 0) {
        const outer = outline.parent[inner];
        take(outer + 1, inner);
        take(outline.end[inner], outer >= 0 ? outline.end[outer] : outline.count);
        inner = outer;
    }
    return order.slice(0, length);
}

/**
 * A sub-session stands below the row of its starter, or of the nearest above it that has one, if no fold hides it.
 *
 * @param {Outline} outline
 * @param {Uint8Array} unfolded
 * @param {Uint8Array} visible
 * @param {Uint8Array} fold
 * @param {number[]} started
 * @returns {Map<number, number>} by the first entry of each, the one below whose row it stands, -1 for the top
 */
function hangSessions(outline, unfolded, visible, fold, started) {
    const starter = new Map();
    if (started.length === 0) {
        return starter;
    }
    const nearest = nearestVisible(outline, unfolded);
    for (const number of started) {
        const { startedBy, first } = outline.sessions[number];
        const place = unfolded[startedBy] === 1 ? startedBy : nearest[startedBy];
        if (place < 0 || (visible[place] === 1 && fold[place] !== FOLD_SHUT)) {
            starter.set(first, place);
        }
    }
    return starter;
}

/**
 * @param {Int32Array} own
 * @param {ReadonlyMap<number, number>} hung
 * @returns {Int32Array}
 */
function withSessions(own, hung) {
    /** @type {Map<number, number[]>} */
    const below = new Map();
    hung.forEach((place, first) => {
        const others = below.get(place);
        others === undefined ? below.set(place, [first]) : others.push(first);
    });
    const order = (below.get(-1) ?? []).slice();
    for (const n of own) {
        order.push(n);
        for (const first of below.get(n) ?? []) {
            order.push(first);
        }
    }
    return Int32Array.from(order);
}

/**
 * The row of each row's nearest visible ancestor, -1 where there is none.
 *
 * @param {Outline} outline
 * @param {Int32Array} order
 * @param {Int32Array} rowOf
 * @param {Uint8Array} visible
 * @returns {Int32Array}
 */
function visibleParents(outline, order, rowOf, visible) {
    const nearest = nearestVisible(outline, visible);
    return order.map((n) => (nearest[n] < 0 ? -1 : rowOf[nearest[n]]));
}

/**
 * A fork moves its branches one level in; a lone chain below a branch moves in once more and then stays.
 * With several roots these are branches too, but one level to the left and without a connector.
 *
 * A sub-session is no branch: its row stands one level in and makes no fork.
 *
 * @param {Int32Array} above
 * @param {Int32Array} order
 * @param {Map<number, number>} hung
 * @returns {{depth: Int32Array, connector: Uint8Array}}
 */
function indentRows(above, order, hung) {
    const children = new Int32Array(above.length + 1);
    above.forEach((parent, row) => {
        children[parent + 1] += hung.has(order[row]) ? 0 : 1;
    });
    const seen = new Int32Array(above.length + 1);
    const manyRoots = children[0] > 1;
    const depth = new Int32Array(above.length);
    const connector = new Uint8Array(above.length);
    for (let row = 0; row < above.length; row++) {
        const parent = above[row];
        if (hung.has(order[row])) {
            depth[row] = parent < 0 ? 0 : depth[parent] + 1;
            continue;
        }
        const forked = children[parent + 1] > 1;
        const last = ++seen[parent + 1] === children[parent + 1];
        if (parent >= 0) {
            const parentBranched = children[above[parent] + 1] > 1;
            // The full indent of a row is its depth, plus one where there are many roots.
            const parentIndented = manyRoots || depth[parent] > 0;
            depth[row] = depth[parent] + (forked || (parentBranched && parentIndented) ? 1 : 0);
            connector[row] = !forked ? NO_CONNECTOR : last ? CORNER : TEE;
        }
    }
    return { depth, connector };
}

/**
 * @param {Int32Array} above
 * @param {Int32Array} depth
 * @param {Uint8Array} connector
 * @returns {{bar: Int32Array, outerBar: Int32Array}}
 */
function linkBars(above, depth, connector) {
    const bar = new Int32Array(above.length).fill(-1);
    const outerBar = new Int32Array(above.length).fill(-1);
    for (let row = 0; row < above.length; row++) {
        const parent = above[row];
        if (parent < 0) {
            continue;
        }
        bar[row] = connector[parent] === TEE ? parent : bar[parent];
        const inner = bar[row];
        if (inner >= 0) {
            outerBar[row] = depth[inner] <= EXACT_LEVELS ? inner : outerBar[inner];
        }
    }
    return { bar, outerBar };
}

/**
 * A chain is one set of siblings to a screen reader: rows of one level with no outer row between them.
 *
 * @param {Int32Array} depth
 * @returns {{setSize: Int32Array, position: Int32Array}}
 */
function countSets(depth) {
    const position = new Int32Array(depth.length);
    const setOf = new Int32Array(depth.length);
    const sizes = new Int32Array(depth.length);
    const openSets = new Int32Array(depth.length + 1);
    let sets = 0;
    let previous = -1;
    for (let row = 0; row < depth.length; row++) {
        const level = depth[row];
        if (level > previous) {
            openSets[level] = sets++;
        }
        setOf[row] = openSets[level];
        position[row] = ++sizes[setOf[row]];
        previous = level;
    }
    return { setSize: setOf.map((set) => sizes[set]), position };
}

/**
 * The pieces of a row's prefix for the levels `from .. to`, three characters each.
 *
 * @param {Layout} layout
 * @param {number} row
 * @param {number} from
 * @param {number} to
 * @returns {string[]}
 */
export function prefixPieces(layout, row, from, to) {
    const pieces = new Array(to - from).fill(GAP);
    const start = to <= EXACT_LEVELS ? layout.outerBar[row] : layout.bar[row];
    for (let bar = start; bar >= 0 && layout.depth[bar] > from; bar = layout.bar[bar]) {
        if (layout.depth[bar] <= to) {
            pieces[layout.depth[bar] - 1 - from] = BAR;
        }
    }
    if (layout.connector[row] !== NO_CONNECTOR && layout.depth[row] === to) {
        pieces[to - 1 - from] = CONNECTORS[layout.connector[row]];
    }
    return pieces;
}

/**
 * @param {Layout} layout
 * @param {number} row
 * @returns {string}
 */
export function prefixText(layout, row) {
    const depth = layout.depth[row];
    if (depth <= EXACT_LEVELS) {
        return prefixPieces(layout, row, 0, depth).join("");
    }
    const outer = prefixPieces(layout, row, 0, EXACT_LEVELS).join("");
    return `${outer}…${CONNECTORS[layout.connector[row]]}`;
}

/**
 * The row of an entry, or the quiet one that stands for it; else of its nearest ancestor that has one.
 *
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {number} entry
 * @returns {number} -1 when there is none
 */
export function nearestRow(outline, layout, entry) {
    for (let n = entry; n >= 0; n = outline.parent[n]) {
        const shown = layout.rowOf[n] >= 0 ? n : layout.quiet.get(outline.run[n]) ?? -1;
        if (shown >= 0) {
            return layout.rowOf[shown];
        }
    }
    return -1;
}
