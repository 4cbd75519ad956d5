/** What the row of an entry says, as it is drawn: a glyph for who speaks or for the kind of tool, then the words. */

import { make } from "../base/dom.js";
import { COMMIT, FAILED, LANDMARK, PULL_REQUEST, PUSH } from "../outline/shared.js";
import { whoSays } from "../outline/texts.js";
import { markedText } from "../search/spans.js";

/** @import { Outline } from "../outline/outline.js" */

/** What stands before a row by the kind of its entry; before a prompt its number. */
const GLYPHS = /** @type {Record<string, string | undefined>} */ ({
    user: "1",
    assistant: "●",
    bash: "$",
    command: "$",
    program: "▷",
    read: "▤",
    edit: "✎",
    search: "⌕",
    web: "↗",
    todo: "☑",
    task: "⊞",
    ask: "?",
    plan: "☰",
    other: "⚙",
});

/**
 * What draws an entry: the kind of tool for a result, else the kind of the entry.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
function lookOf(outline, n) {
    const kind = outline.kinds[outline.kind[n]];
    return kind === "tool-result" ? outline.toolKinds.get(whoSays(outline, n)) ?? "other" : kind;
}

/** What a call did to the world says more than which tool it was. */
const LANDMARK_GLYPHS = /** @type {const} */ ([
    [PULL_REQUEST, "⇄"],
    [PUSH, "↑"],
    [COMMIT, "◆"],
    // The row ends with a sign for it.
    [FAILED, ""],
    [LANDMARK, "✓"],
]);

/**
 * Who speaks, and the name of a tool whose glyph says as much, are there to be copied and read aloud, and not drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {RegExp[]} marks
 * @returns {HTMLElement}
 */
export function makeText(outline, n, marks) {
    const [look, who, said] = [lookOf(outline, n), whoSays(outline, n), outline.text[n]];
    const glyph = GLYPHS[look];
    const isTool = glyph !== undefined && look !== "user" && look !== "assistant";
    const element = make("span", "text");
    element.dataset.tone = isTool ? "tool" : glyph === undefined ? "event" : look;
    if (glyph !== undefined) {
        const bits = outline.marks[n];
        const landmark = (bits & LANDMARK) === 0 || !isTool ? undefined : LANDMARK_GLYPHS.find(([mark]) => (bits & mark) !== 0)?.[1];
        element.dataset.glyph = look === "user" ? String(outline.prompt[n]) : landmark || glyph;
    }
    if (who !== "") {
        element.append(make("span", isTool && glyph !== "$" ? "tool-name" : "unsaid", said === "" ? who : `${who}: `));
    }
    const file = look === "read" || look === "edit" ? said.lastIndexOf("/") + 1 : 0;
    if (file > 0 && marks.length === 0) {
        // Where room is short, folders give way to the name of the file.
        element.append(make("span", "folders", said.slice(0, file)), make("span", "", said.slice(file)));
    } else {
        element.append(...markedText(said, marks));
    }
    return element;
}
