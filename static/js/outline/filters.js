/** The filters, and which entries each lets through. */

import { FILTER_BITS, WITHOUT_TEXT } from "./shared.js";

/** @import { Outline } from "./outline.js" */

/**
 * Which entries of the session shown have a row.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {string} filter
 * @param {Uint8Array | null} matches 1 for each entry that the search found; null without a search
 * @returns {Uint8Array}
 */
export function visibleEntries(outline, leaf, filter, matches) {
    const bit = FILTER_BITS.get(filter) ?? 1;
    const visible = new Uint8Array(outline.count);
    for (let n = 0; n < outline.count; n++) {
        const listed = (outline.modes[n] & bit) !== 0 && hasRowAt(outline, n, leaf);
        visible[n] = listed && outline.session[n] === outline.session[leaf] && (matches === null || matches[n] === 1) ? 1 : 0;
    }
    return visible;
}

/**
 * Whether it is a response without text.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {boolean}
 */
export function isWithoutText(outline, n) {
    return (outline.marks[n] & WITHOUT_TEXT) !== 0;
}

/**
 * Whether any filter shows an entry: a response without text has a row only where it is the leaf.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {number} leaf of the entry's session
 * @returns {boolean}
 */
export function hasRowAt(outline, n, leaf) {
    return n === leaf || !isWithoutText(outline, n);
}

/**
 * The rows under each filter, folds disregarded.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {Uint8Array | null} matches
 * @returns {Map<string, number>}
 */
export function countRows(outline, leaf, matches) {
    // One count for each combination of bits, so that the entries are gone through once.
    const combinations = new Int32Array(1 << FILTER_BITS.size);
    for (let n = 0; n < outline.count; n++) {
        const listed = outline.session[n] === outline.session[leaf] && hasRowAt(outline, n, leaf);
        if (listed && (matches === null || matches[n] === 1)) {
            combinations[outline.modes[n]]++;
        }
    }
    /** @type {(bit: number) => number} */
    const count = (bit) => combinations.reduce((sum, rows, mode) => sum + ((mode & bit) === 0 ? 0 : rows), 0);
    return new Map(Array.from(FILTER_BITS, ([name, bit]) => [name, count(bit)]));
}
