/** The keyboard in the tree, as the WAI-ARIA pattern has it. Keys with a modifier stay the browser's. */

import { listen } from "../base/dom.js";
import { FOLD_NONE, FOLD_OPEN, FOLD_SHUT } from "../outline/folds.js";

/** @import { Layout } from "./layout.js" */

/**
 * @param {Layout} layout
 * @param {number} row
 * @param {number} page
 * @param {string} key
 * @returns {number} the row that the key leads to, -1 for keys that do not move
 */
export function rowAfterKey(layout, row, page, key) {
    const last = layout.length - 1;
    const keys = {
        ArrowDown: row + 1,
        ArrowUp: row - 1,
        PageDown: row + page,
        PageUp: row - page,
        Home: 0,
        End: last,
        ArrowLeft: rowOutside(layout, row),
        ArrowRight: row < last && isBelow(layout, row) ? row + 1 : row,
    };
    const next = keys[/** @type {keyof typeof keys} */ (key)];
    return next === undefined ? -1 : Math.max(0, Math.min(last, next));
}

/**
 * The fold that a key makes: left closes an open row, right opens a closed one.
 *
 * @param {Layout} layout
 * @param {number} row
 * @param {string} key
 * @returns {boolean | null} whether the row is to be folded, null when the key only moves
 */
export function foldAfterKey(layout, row, key) {
    const fold = layout.fold[layout.order[row]];
    if (key === "ArrowLeft" && fold === FOLD_OPEN) {
        return true;
    }
    return key === "ArrowRight" && fold === FOLD_SHUT ? false : null;
}

/**
 * Whether the next row lies within this one. A single root and the chain below it share a level.
 *
 * @param {Layout} layout
 * @param {number} row
 * @returns {boolean}
 */
function isBelow(layout, row) {
    return layout.depth[row + 1] > layout.depth[row] || layout.fold[layout.order[row]] === FOLD_OPEN;
}

/**
 * The row one level out, from which this one's set of siblings hangs; at the outermost level the nearest root.
 *
 * @param {Layout} layout
 * @param {number} row
 * @returns {number}
 */
function rowOutside(layout, row) {
    for (let at = row - 1; at >= 0; at--) {
        const root = layout.depth[at] === 0 && layout.fold[layout.order[at]] !== FOLD_NONE;
        if (layout.depth[at] < layout.depth[row] || (root && layout.fold[layout.order[row]] === FOLD_NONE)) {
            return at;
        }
    }
    return row;
}

/**
 * @param {HTMLElement} tree
 * @param {(key: string) => boolean} onKey false when the key means nothing here
 */
export function listenToTreeKeys(tree, onKey) {
    // A click gives the tree the focus, but not the keys for reading: these go on as before.
    listen(tree, "pointerdown", () => {
        tree.dataset.pointer = "";
    });
    listen(tree, "blur", () => {
        delete tree.dataset.pointer;
    });
    listen(tree, "keydown", (event) => {
        // Shift alone only makes a capital letter.
        const held = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key.length > 1);
        if (!held && !event.isComposing && onKey(event.key)) {
            event.preventDefault();
            // From the first key on the keyboard is the tree's.
            delete tree.dataset.pointer;
            // A letter that finds a row must not move through the text as well.
            event.stopPropagation();
        }
    });
}
