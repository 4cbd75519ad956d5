/** The keyboard in the tree, as the WAI-ARIA pattern has it. Keys with a modifier stay the browser's. */

/**
 * @param {Layout} layout
 * @param {number} row
 * @param {number} page
 * @param {string} key
 * @returns {number} the row that the key leads to, -1 for keys that do not move
 */
function rowAfterKey(layout, row, page, key) {
    const last = layout.length - 1;
    switch (key) {
        case "ArrowDown":
            return Math.min(last, row + 1);
        case "ArrowUp":
            return Math.max(0, row - 1);
        case "PageDown":
            return Math.min(last, row + page);
        case "PageUp":
            return Math.max(0, row - page);
        case "Home":
            return 0;
        case "End":
            return last;
        case "ArrowLeft":
            return rowOutside(layout, row);
        case "ArrowRight":
            return row < last && layout.depth[row + 1] > layout.depth[row] ? row + 1 : row;
        default:
            return -1;
    }
}

/**
 * The row one level out, from which this one's set of siblings hangs.
 *
 * @param {Layout} layout
 * @param {number} row
 * @returns {number}
 */
function rowOutside(layout, row) {
    for (let at = row - 1; at >= 0; at--) {
        if (layout.depth[at] < layout.depth[row]) {
            return at;
        }
    }
    return row;
}

/**
 * @param {HTMLElement} tree
 * @param {(key: string) => boolean} onKey false when the key means nothing here
 */
function listenToTreeKeys(tree, onKey) {
    tree.addEventListener("keydown", (event) => {
        if (!hasModifier(event) && onKey(event.key)) {
            event.preventDefault();
        }
    });
}
