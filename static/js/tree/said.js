/** What the row of an entry says, as it is drawn: a glyph for who speaks or for the kind of tool, then the words. */

import { make } from "../base/dom.js";
import { whoSays } from "../outline/texts.js";
import { markedText } from "../search/spans.js";

/** @import { Outline } from "../outline/outline.js" */

/** What stands before a row by the kind of its entry; before a prompt its number, before a result the glyph of its tool. */
const GLYPHS = /** @type {Record<string, string | undefined>} */ ({
    user: "1",
    assistant: "●",
    bash: "$",
    program: "▷",
    other: "⚙",
});

/** Of tools whose rows say the path of a file. */
const FILE_GLYPHS = ["▤", "✎"];

/**
 * Who speaks, and the name of a tool whose glyph says as much, are there to be copied and read aloud, and not drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {RegExp[]} marks
 * @param {boolean} isStory what a step did to the world stands in its place
 * @returns {HTMLElement}
 */
export function makeText(outline, n, marks, isStory) {
    const [sign, event] = outline.events.get(n) ?? ["", ""];
    const kind = outline.kinds[outline.kind[n]];
    const isEvent = isStory && event !== "";
    const [who, said] = isEvent ? ["", event] : [whoSays(outline, n), outline.text[n]];
    const glyph = kind === "tool-result" ? outline.toolGlyphs.get(whoSays(outline, n)) ?? GLYPHS.other : GLYPHS[kind];
    const isTool = glyph !== undefined && kind !== "user" && kind !== "assistant";
    const element = make("span", "text");
    element.dataset.tone = isEvent ? "done" : isTool ? "tool" : glyph === undefined ? "event" : kind;
    // What failed has no sign of its own.
    element.dataset.glyph = kind === "user" ? String(outline.prompt[n]) : sign || (isEvent ? "✗" : glyph ?? "");
    if (who !== "") {
        element.append(make("span", isTool && glyph !== "$" ? "tool-name" : "unsaid", said === "" ? who : `${who}: `));
    }
    const file = FILE_GLYPHS.includes(glyph ?? "") ? said.lastIndexOf("/") + 1 : 0;
    if (file > 0 && marks.length === 0) {
        // Where room is short, folders give way to the name of the file.
        element.append(make("span", "folders", said.slice(0, file)), make("span", "", said.slice(file)));
    } else {
        element.append(...markedText(said, marks));
    }
    return element;
}
