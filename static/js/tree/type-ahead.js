/** Type-ahead in the tree: printable keys lead to the next row whose text begins so. */

import { rowText } from "../outline/texts.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Layout } from "./layout.js" */

/** A pause this long begins a new word. */
const TYPE_MS = 700;

/** Keys with a meaning for the whole page, unless a word has begun. */
const PAGE_KEYS = new Set([" ", "/", "?"]);

/**
 * @typedef {object} TypeAhead
 * @property {(layout: Layout, row: number, key: string) => number} press the row to go to, the same one when no
 *     row begins so; -1 for a key that types nothing here
 */

/**
 * @param {Outline} outline
 * @returns {TypeAhead}
 */
export function makeTypeAhead(outline) {
    let typed = "";
    let typedAt = -TYPE_MS;
    return {
        press(layout, row, key) {
            const now = performance.now();
            const word = now - typedAt < TYPE_MS ? typed : "";
            // By code points: a key may give a character outside the basic plane.
            if (Array.from(key).length !== 1 || (word === "" && PAGE_KEYS.has(key))) {
                return -1;
            }
            typed = word + key.toLowerCase();
            typedAt = now;
            // The same letter again and again walks through the rows that begin with it.
            const same = Array.from(typed).every((letter) => letter === key.toLowerCase());
            const begin = same ? key.toLowerCase() : typed;
            const from = same ? row + 1 : row;
            return rowBeginning(outline, layout, begin, from) ?? row;
        },
    };
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {string} begin
 * @param {number} from
 * @returns {number | undefined}
 */
function rowBeginning(outline, layout, begin, from) {
    for (let step = 0; step < layout.length; step++) {
        const row = (from + step) % layout.length;
        if (beginsWith(outline, layout.order[row], layout.hung.has(layout.order[row]), begin)) {
            return row;
        }
    }
    return undefined;
}

/**
 * @param {Outline} outline
 * @param {number} n
 * @param {boolean} isSession whether the row stands for the entry's session
 * @param {string} begin
 * @returns {boolean}
 */
function beginsWith(outline, n, isSession, begin) {
    const texts = isSession ? [outline.sessions[outline.session[n]].name] : [rowText(outline, n), outline.text[n]];
    const starts = [...texts, outline.labels.get(n) ?? ""];
    return starts.some((start) => start.slice(0, begin.length).toLowerCase() === begin);
}
