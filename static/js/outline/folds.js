/**
 * Folding in the tree list. A row can be folded when something visible hangs below it and it begins a branch:
 * a root, or one of several siblings. Pure.
 */

/** @import { Outline } from "./outline.js" */

export const FOLD_NONE = 0;
export const FOLD_OPEN = 1;
export const FOLD_SHUT = 2;

/** @type {ReadonlySet<number>} */
export const NO_FOLDS = new Set();

/**
 * @typedef {object} Folding
 * @property {Uint8Array} visible what is left of the visible entries
 * @property {Uint8Array} fold one of the constants above for each entry
 */

/**
 * A fold hides every descendant, so the siblings of a folded row keep their connectors. Folds inside it stay
 * in the set and are there again when it is opened.
 *
 * @param {Outline} outline
 * @param {Uint8Array} visible
 * @param {ReadonlySet<number>} folds
 * @returns {Folding}
 */
export function foldVisible(outline, visible, folds) {
    const fold = foldableEntries(outline, visible);
    if (folds.size === 0) {
        return { visible, fold };
    }
    const left = visible.slice();
    let hiddenTo = 0;
    for (let n = 0; n < outline.count; n++) {
        if (n < hiddenTo) {
            left[n] = 0;
        } else if (fold[n] !== FOLD_NONE && folds.has(n)) {
            fold[n] = FOLD_SHUT;
            hiddenTo = outline.end[n];
        }
    }
    return { visible: left, fold };
}

/**
 * @param {Outline} outline
 * @param {Uint8Array} visible
 * @returns {Uint8Array}
 */
function foldableEntries(outline, visible) {
    const above = nearestVisible(outline, visible);
    const children = new Int32Array(outline.count);
    for (let n = 0; n < outline.count; n++) {
        if (visible[n] === 1 && above[n] >= 0) {
            children[above[n]]++;
        }
    }
    const fold = new Uint8Array(outline.count);
    for (let n = 0; n < outline.count; n++) {
        const begins = above[n] < 0 || children[above[n]] > 1;
        fold[n] = visible[n] === 1 && children[n] > 0 && begins ? FOLD_OPEN : FOLD_NONE;
    }
    return fold;
}

/**
 * The nearest visible ancestor of each entry, -1 where there is none.
 *
 * @param {Outline} outline
 * @param {Uint8Array} visible
 * @returns {Int32Array}
 */
export function nearestVisible(outline, visible) {
    const nearest = new Int32Array(outline.count);
    for (let n = 0; n < outline.count; n++) {
        const parent = outline.parent[n];
        nearest[n] = parent < 0 || visible[parent] === 1 ? parent : nearest[parent];
    }
    return nearest;
}

/**
 * @param {ReadonlySet<number>} folds
 * @param {number} n
 * @param {boolean} on
 * @returns {ReadonlySet<number>}
 */
export function withFold(folds, n, on) {
    const next = new Set(folds);
    if (on) {
        next.add(n);
    } else {
        next.delete(n);
    }
    return next;
}

/**
 * The folds without those that would hide an entry.
 *
 * @param {Outline} outline
 * @param {ReadonlySet<number>} folds
 * @param {number} n -1 for none
 * @returns {ReadonlySet<number>}
 */
export function foldsShowing(outline, folds, n) {
    const hiding = Array.from(folds).filter((fold) => fold < n && n < outline.end[fold]);
    return hiding.length === 0 ? folds : new Set(Array.from(folds).filter((fold) => !hiding.includes(fold)));
}
