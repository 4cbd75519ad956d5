/** One hunk as an element: who asked for it, and its lines, which come when the reader is near. */

import { ANCHOR } from "../address/link.js";
import { make } from "../base/dom.js";
import { elementOfFragment } from "../chunks/fragments.js";
import { titleOf } from "../outline/texts.js";
import { observeScrollers } from "../transcript/scrollers.js";
import { ASKED_BY, ENTRY, isOwnEdit, REASON } from "./data.js";
import { makeNumbers } from "./lines.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { ChangesData, EditData, HunkPlace, Shown } from "./data.js" */

/** How high a line is, in pixels (controls/changes/lines.css). */
export const LINE_HEIGHT = 20;

/** So many edits of a hunk are linked; of more the first and the last. */
const LINKED = 4;

/** The prompts of a hunk are named up to this length together, and each up to this one. */
const [ASKED_LENGTH, MIN_ASKED] = [72, 24];

/**
 * @typedef {object} Drawing what the parts of the view draw with
 * @property {Outline} outline
 * @property {ChangesData} data
 * @property {Map<number, string>} headings
 * @property {Map<number, Set<number>>} undone by file, the edits that were taken back before the end of the branch shown
 * @property {number} leaf
 * @property {"prompt" | "file"} order
 * @property {(n: number) => string} clock the time of an entry
 * @property {(element: HTMLElement, fill: () => void) => void} whenNear calls once when the reader comes near
 * @property {() => void} changed something was drawn
 * @property {(at: number) => Promise<string>} hunk
 * @property {(n: number) => Promise<Node[]>} diffsOf copies of the diffs in the card of an edit
 */

/**
 * @param {string} text
 * @param {number} length
 * @returns {string}
 */
export function shortText(text, length) {
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/**
 * A link to an entry in the conversation.
 *
 * @param {Pick<Drawing, "outline">} drawing
 * @param {number} n
 * @param {string} text
 * @returns {HTMLElement}
 */
export function entryLink({ outline }, n, text) {
    const link = make("a", "in-conversation", text);
    link.setAttribute("href", `${ANCHOR}${outline.keys[n]}`);
    link.dataset.entryId = outline.keys[n];
    return link;
}

/**
 * @param {Drawing} drawing
 * @param {number} n the result of a command
 * @param {string} words before it
 * @param {number} length
 * @returns {HTMLElement}
 */
export function commandLink(drawing, n, words, length) {
    const link = entryLink(drawing, n, words);
    link.append(make("code", "", shortText(drawing.outline.text[n], length)));
    return link;
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {HunkPlace} place
 * @param {string} known the words for a hunk that is not exact; empty otherwise
 * @returns {HTMLElement}
 */
export function makeHunk(drawing, shown, [first, parts, edits], known) {
    const taken = drawing.undone.get(shown.file);
    const undone = taken !== undefined && edits.length > 0 && edits.every((edit) => taken.has(edit));
    const element = make(undone ? "details" : "div", undone ? "hunk undone" : "hunk");
    element.dataset.hunk = edits.join(" ");
    const head = make(undone ? "summary" : "div", "hunk-head");
    const heading = drawing.headings.get(first) ?? "";
    if (undone) {
        head.append(make("span", "hunk-note", "Undone later"));
    } else if (known !== "") {
        const note = make("span", "hunk-note", known);
        note.title = reasonOf(drawing, drawing.data.files[shown.file].edits[edits[0]]);
        head.append(note);
    }
    if (drawing.order === "prompt" && heading !== "") {
        head.append(make("code", "hunk-heading", heading));
    }
    head.append(makeAuthors(drawing, shown, edits));
    element.append(head);
    for (let part = first; part < first + parts; part++) {
        element.append(makeLines(drawing, part));
    }
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {EditData} edit
 * @returns {string} why it is not exact
 */
export function reasonOf({ data }, edit) {
    return data.reasons[edit[REASON]] ?? "";
}

/**
 * Which edits made it: "asked: … · 14:02 · 2nd of 3 edits".
 *
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {number[]} edits
 * @returns {HTMLElement}
 */
function makeAuthors(drawing, shown, edits) {
    const element = make("span", "authors");
    const all = drawing.data.files[shown.file].edits;
    if (edits.length === 0) {
        // A turn has no commands and breaks of its own.
        const { maybe = [], breaks = [] } = drawing.order === "file" ? shown : (drawing.data.files[shown.file].states.at(-1) ?? shown);
        const byCommand = breaks.length > 0 ? "changed by a command or between edits" : "maybe changed by a command";
        element.append(maybe.length > 0 ? byCommand : "changed between edits");
        return element;
    }
    const { outline, leaf } = drawing;
    if (drawing.order === "file") {
        /** The first edit of each prompt. @type {Map<number, number>} */
        const asked = new Map();
        edits.forEach((edit) => asked.set(all[edit][ASKED_BY], asked.get(all[edit][ASKED_BY]) ?? all[edit][ENTRY]));
        const prompts = Array.from(asked.keys());
        const length = Math.max(MIN_ASKED, Math.floor(ASKED_LENGTH / prompts.length));
        element.append("asked: ");
        prompts.slice(0, LINKED).forEach((prompt, nth) => {
            const words = prompt < 0 ? "before the first prompt" : `“${shortText(titleOf(outline, prompt), length)}”`;
            element.append(nth > 0 ? ", " : "", entryLink(drawing, asked.get(prompt) ?? -1, words));
        });
        element.append(prompts.length > LINKED ? ` and ${prompts.length - LINKED} more · ` : " · ");
    }
    const linked = edits.length > LINKED ? [edits[0], edits[edits.length - 1]] : edits;
    linked.forEach((edit, nth) => {
        element.append(nth === 0 ? "" : edits.length > LINKED ? " … " : ", ", entryLink(drawing, all[edit][ENTRY], drawing.clock(all[edit][ENTRY])));
    });
    if (shown.edits.length > 1) {
        element.append(` · ${ordinals(edits, shown.edits)}`);
    }
    if (edits.some((edit) => !isOwnEdit(outline, all[edit], leaf))) {
        element.append(" · on another branch");
    }
    return element;
}

/**
 * @param {number[]} edits
 * @param {number[]} all
 * @returns {string} "2nd of 3 edits", "edits 1 and 3 of 5", "4 of 9 edits"
 */
function ordinals(edits, all) {
    const numbers = edits.map((edit) => all.indexOf(edit) + 1);
    const total = `of ${all.length} edits`;
    if (numbers.length > LINKED || numbers.includes(0)) {
        return `${numbers.length} ${total}`;
    }
    if (numbers.length === 1) {
        const [number] = numbers;
        const end = number % 100 > 10 && number % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][number % 10] ?? "th";
        return `${number}${end} ${total}`;
    }
    return `edits ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} of ${all.length}`;
}

/**
 * The lines of a part, which are drawn when the reader comes near.
 *
 * @param {Drawing} drawing
 * @param {number} at
 * @returns {HTMLElement}
 */
function makeLines(drawing, at) {
    const { old, new: now, rows } = drawing.data.hunks;
    const element = make("div", "diff hunk-lines");
    element.dataset.part = String(at);
    element.style.setProperty("min-block-size", `${rows[at] * LINE_HEIGHT}px`);
    drawing.whenNear(element, () => void fillLines(drawing, element, at, old[at], now[at]).then(drawing.changed));
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {HTMLElement} element
 * @param {number} at
 * @param {number} old
 * @param {number} now
 */
async function fillLines(drawing, element, at, old, now) {
    /** @type {HTMLElement} */
    let code;
    try {
        code = elementOfFragment(await drawing.hunk(at));
    } catch {
        element.append(make("p", "note", "This part of the page is damaged. These lines cannot be shown."));
        return;
    }
    const text = make("pre", "out");
    text.append(code);
    element.replaceChildren(...makeNumbers(code, old, now), text);
    element.style.removeProperty("min-block-size");
    observeScrollers(element);
}
