/** Where the searched words stand in a text. */

import { make } from "../base/dom.js";

/** Beyond so many in one article a mark no longer tells the reader anything. */
export const MARKS_EACH = 400;

/**
 * Where patterns stand in a text, without overlaps.
 *
 * @param {string} text
 * @param {RegExp[]} patterns for texts in lower case
 * @returns {[number, number][]}
 */
export function foundSpans(text, patterns) {
    if (patterns.length === 0) {
        return [];
    }
    const lower = lowerInPlace(text);
    /** @type {[number, number][]} */
    const spans = [];
    for (const pattern of patterns) {
        let left = MARKS_EACH;
        for (const match of lower.matchAll(pattern)) {
            spans.push([match.index, match.index + match[0].length]);
            if (--left === 0) {
                break;
            }
        }
    }
    spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let end = 0;
    return spans.slice(0, MARKS_EACH).filter(([from, to]) => {
        const free = from >= end;
        end = free ? to : end;
        return free;
    });
}

/**
 * Lower case of the same length: a few letters, such as `İ`, would become two and shift all that follows.
 *
 * @param {string} text
 * @returns {string}
 */
function lowerInPlace(text) {
    const lower = text.toLowerCase();
    if (lower.length === text.length) {
        return lower;
    }
    return text.replace(/\p{Lu}/gu, (letter) => {
        const small = letter.toLowerCase();
        return small.length === letter.length ? small : letter;
    });
}

/**
 * @param {string} text
 * @param {RegExp[]} marks
 * @returns {(HTMLElement | string)[]}
 */
export function markedText(text, marks) {
    const parts = [];
    let done = 0;
    for (const [from, to] of foundSpans(text, marks)) {
        parts.push(text.slice(done, from), make("mark", "", text.slice(from, to)));
        done = to;
    }
    parts.push(text.slice(done));
    return parts;
}
