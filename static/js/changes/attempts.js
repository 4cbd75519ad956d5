/** Edits that no hunk shows: those that were taken back, and those of other branches on the same lines. */

import { counted, listen, make } from "../base/dom.js";
import { titleOf } from "../outline/texts.js";
import { ASKED_BY, ENTRY, FIRST_LINE, isOwnEdit, LAST_LINE, SUCCEEDED } from "./data.js";
import { entryLink, shortText } from "./hunk.js";

/** @import { Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** A prompt is named up to this length. */
const ASKED_LENGTH = 60;

/**
 * What was tried before on other branches in the lines of a hunk: "Tried before on another branch: 2".
 *
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {number[]} made the edits that made the hunk
 * @param {number} first line of the hunk in the file after
 * @param {number} rows
 * @returns {HTMLElement | null} null where nothing was
 */
export function makeTriedBefore(drawing, shown, made, first, rows) {
    const all = drawing.data.files[shown.file].edits;
    const tried = all.flatMap((edit, at) => {
        const isOther = edit[SUCCEEDED] === 1 && !made.includes(at) && !isOwnEdit(drawing.outline, edit, drawing.leaf);
        return isOther && edit[FIRST_LINE] > 0 && edit[FIRST_LINE] < first + rows && edit[LAST_LINE] >= first ? [edit[ENTRY]] : [];
    });
    return tried.length === 0 ? null : makeAttempts(drawing, shown, `Tried before on another branch: ${tried.length}`, tried);
}

/**
 * The edits of a file that were taken back later.
 *
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @returns {HTMLElement | null} null where none was
 */
export function makeUndone(drawing, shown) {
    const undone = shown.undone ?? [];
    const entries = undone.map((edit) => drawing.data.files[shown.file].edits[edit][ENTRY]);
    if (entries.length === 0) {
        return null;
    }
    const element = makeAttempts(drawing, shown, `${counted(entries.length, "edit")} undone later`, entries);
    element.classList.add("undone");
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {string} title
 * @param {number[]} entries
 * @returns {HTMLElement}
 */
function makeAttempts(drawing, shown, title, entries) {
    const element = make("details", "attempts");
    element.append(make("summary", "", title));
    const asked = new Map(drawing.data.files[shown.file].edits.map((edit) => [edit[ENTRY], edit[ASKED_BY]]));
    listen(element, "toggle", () => entries.forEach((n) => element.append(makeAttempt(drawing, n, asked.get(n) ?? -1))), { once: true });
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {number} n the entry of the edit
 * @param {number} prompt
 * @returns {HTMLElement} with the diff of its card
 */
function makeAttempt(drawing, n, prompt) {
    const element = make("div", "attempt");
    const words = prompt < 0 ? "before the first prompt" : `asked: “${shortText(titleOf(drawing.outline, prompt), ASKED_LENGTH)}”`;
    const line = make("p", "file-line", "");
    line.append(entryLink(drawing, n, words), ` · ${drawing.clock(n)}`);
    element.append(line);
    void drawing.diffsOf(n).then((diffs) => element.append(...diffs));
    return element;
}
