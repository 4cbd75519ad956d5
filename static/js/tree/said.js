/** What the row of an entry says, as it is drawn: an icon for who speaks or for the kind of tool, then the words. */

import { make } from "../base/dom.js";
import { whoSays } from "../outline/texts.js";
import { markedText } from "../search/spans.js";

/** @import { Outline } from "../outline/outline.js" */

/** What stands before a row by the kind of its entry; before a prompt its number, before a result the icon of its tool. */
const ICONS = /** @type {Record<string, string | undefined>} */ ({
    assistant: "dot",
    bash: "term",
    program: "run",
    other: "tool",
});

/** Of tools whose rows say the path of a file. */
const FILE_ICONS = ["file", "edit"];

/** Letters that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufefe]/u;

/**
 * Who speaks, and the name of a tool whose icon says as much, are there to be copied and read aloud, and not drawn.
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
    const icon = kind === "tool-result" ? outline.toolIcons.get(whoSays(outline, n)) ?? ICONS.other : ICONS[kind];
    const isTool = icon !== undefined && kind !== "assistant";
    const element = make("span", "text");
    element.dataset.tone = isEvent ? "done" : isTool ? "tool" : icon === undefined && kind !== "user" ? "event" : kind;
    element.dataset.glyph = kind === "user" ? String(outline.prompt[n]) : "";
    drawIcon(element, sign || (icon ?? ""));
    if (who !== "") {
        element.append(make("span", isTool && icon !== "term" && marks.length === 0 ? "tool-name" : "unsaid", said === "" ? who : `${who}: `));
    }
    const file = FILE_ICONS.includes(icon ?? "") ? said.lastIndexOf("/") + 1 : 0;
    if (file > 0 && marks.length === 0) {
        // Where room is short, folders give way to the name of the file.
        element.classList.add("in-parts");
        element.append(make("span", "folders", said.slice(0, file)), make("span", "", said.slice(file)));
    } else if (file > 0) {
        // Among hits there is none: the words around one stand beside the name.
        const folders = make("span", "");
        folders.append(...markedText(said.slice(0, file), marks));
        folders.classList.toggle("unsaid", folders.firstElementChild === null);
        element.append(folders, ...markedText(said.slice(file), marks));
    } else if (FROM_RIGHT.test(said)) {
        // An element of its own, so that the name of who speaks does not decide on the direction.
        const words = make("bdi", "");
        words.append(...markedText(said, marks));
        element.classList.add("in-parts");
        element.append(words);
    } else {
        element.append(...markedText(said, marks));
    }
    return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} icon one of the style sheet's; empty for none
 */
function drawIcon(element, icon) {
    if (icon !== "") {
        element.dataset.icon = icon;
        element.style.setProperty("--icon", `var(--i-${icon})`);
    }
}
