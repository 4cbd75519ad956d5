/** Where rows stand: all have one height, and some have space above them. Pure. */

/** @import { Layout } from "./layout.js" */
/** @import { Measure } from "./row.js" */

/**
 * @param {Layout} layout
 * @param {Measure} measure
 * @param {number} row the number of rows gives the height of all
 * @returns {number}
 */
export function rowTop({ spaces }, { rowHeight, promptSpace }, row) {
    return row * rowHeight + (spaces[row] ?? spaces.at(-1) ?? 0) * promptSpace;
}

/**
 * @param {Layout} layout
 * @param {Measure} measure
 * @param {number} y
 * @returns {number} the last row that begins at `y` or above it
 */
export function rowAt(layout, measure, y) {
    let [row, end] = [0, layout.length];
    while (end - row > 1) {
        const middle = (row + end) >> 1;
        rowTop(layout, measure, middle) > y ? (end = middle) : (row = middle);
    }
    return row;
}
