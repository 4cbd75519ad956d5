/** Branches: the leaves of the tree and what each ended with. */

import { labelText, titleOf } from "./texts.js";

/** @import { Outline } from "./outline.js" */

/** What the two branches of a comparison are called, the one shown first. */
export const SIDES = ["This branch", "Other branch"];

/**
 * @typedef {object} Branch
 * @property {number} leaf
 * @property {number} entries that no other branch has
 * @property {string} title its first own prompt, else its last words
 * @property {string} words the last words on its path
 * @property {string | null} label the last label since it went its own way
 * @property {number | null} time
 */

/**
 * All leaves of the session that holds `shown`, the one to open with first, then the newest first.
 *
 * @param {Outline} outline
 * @param {number} shown
 * @returns {Branch[]}
 */
export function branchesOf(outline, shown) {
    const branches = outline.branches[outline.session[shown]] ?? [];
    return branches.map(([leaf, entries, words, labelled, prompt]) => ({
        leaf,
        entries,
        title: titleOf(outline, prompt < 0 ? words : prompt),
        words: titleOf(outline, words),
        label: labelText(outline, labelled) ?? null,
        time: outline.time[leaf],
    }));
}
