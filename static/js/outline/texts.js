/** What entries are called where they are drawn. */

/** @import { Outline } from "./outline.js" */

/**
 * The text of a row as it is drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function rowText({ text, drawnText }, n) {
    return drawnText.get(n) ?? text[n];
}

/**
 * What an entry is called in a title: its words without who speaks.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function titleOf(outline, n) {
    return rowText(outline, n).replace(/^(?:user|assistant): /u, "");
}

/**
 * A label as it is drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string | undefined}
 */
export function labelText({ labels, drawnLabels }, n) {
    return drawnLabels.get(n) ?? labels.get(n);
}
