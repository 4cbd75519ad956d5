/** The head of the view: how much changed, how well that is known, and the list of files. */

import { ANCHOR } from "../address/link.js";
import { counted, listen, make, makeButton } from "../base/dom.js";
import { HOW_KNOWN, leafAt } from "./data.js";
import { makeCounts, makeStatus, noteOf, pathOf } from "./file.js";
import { entryLink, shortText } from "./hunk.js";
import { sumOf } from "./stop.js";
import { KNOWN } from "./words.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** Of more folders, or of more files, each folder is collapsed. */
const [OPEN_FOLDERS, OPEN_FILES] = [12, 200];

/** A command is named up to this length. */
const COMMAND_LENGTH = 32;

/** How wide the bar of the file that changed most is, in pixels. */
const BAR_WIDTH = 96;

/** @type {(a: Shown, b: Shown) => number} */
const byPath = (a, b) => (a.path < b.path ? -1 : 1);

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Drawing} drawing
 * @param {Shown[]} files at the leaf
 * @param {(shown: Shown) => boolean} isViewed
 * @returns {HTMLElement}
 */
export function makeHead(drawing, files, isViewed) {
    const element = make("header", "changes-head");
    const changed = files.filter((file) => file.edits.length > 0);
    const title = make("h2", "", changed.length === 0 ? "No edit succeeded" : `${counted(changed.length, "file")} changed `);
    title.append(makeCounts(sumOf(changed)));
    element.append(title, makeFacts(drawing, files), makeList(drawing.outline, files, isViewed));
    return element;
}

/**
 * What leads to something is a door to the first of them, and with each further click to the next.
 *
 * @param {Drawing} drawing
 * @param {Shown[]} files
 * @returns {HTMLElement}
 */
function makeFacts({ data, outline, leaf }, files) {
    const element = make("ul", "facts");
    /** @type {(count: number, words: string, title?: string, seek?: string, where?: Shown[]) => void} */
    const add = (count, words, title = "", seek = "", where = []) => {
        if (count > 0) {
            const item = make("li", "");
            const door = seek === "" ? item : makeButton("", "");
            door.append(make("b", "", count.toLocaleString("en-US")), ` ${words}`);
            door.title = title;
            if (door !== item) {
                door.dataset.seek = seek;
                eachInTurn(door, words, where, (file) => (door.dataset.goTo = pathOf(file)));
                item.append(door);
            }
            element.append(item);
        }
    };
    const edits = files.flatMap((file) => file.edits.map((edit) => data.files[file.file].edits[edit]));
    const byKnown = KNOWN.map((_, at) => edits.filter((edit) => edit[HOW_KNOWN] === at).length);
    const are = (/** @type {number} */ count) => (count === 1 ? "edit" : "edits");
    const filesOf = (/** @type {number} */ count) => (count === 1 ? "file" : "files");
    if (byKnown[0] === edits.length) {
        add(edits.length, edits.length === 1 ? "edit, exact" : "edits, all exact", KNOWN[0].meaning);
    } else {
        byKnown.forEach((count, at) => add(count, `${are(count)} ${KNOWN[at].phrase}`, KNOWN[at].meaning));
    }
    /** @type {(number: (file: Shown) => number, words: (count: number) => string, seek: string) => void} */
    const addEdits = (number, words, seek) => {
        const count = files.reduce((sum, file) => sum + number(file), 0);
        add(count, words(count), "", seek, files.filter(number));
    };
    addEdits((file) => (file.undone ?? []).length, (count) => `${are(count)} undone later`, "undone");
    addEdits((file) => (file.failed ?? []).length, (count) => `${are(count)} failed`, "failed");
    /** @type {(where: Shown[], words: string, title: string, seek: string) => void} */
    const addFiles = (where, words, title, seek) => add(where.length, `${filesOf(where.length)} ${words}`, title, seek, where);
    const maybe = files.filter((file) => (file.maybe ?? []).length > 0);
    addFiles(maybe.filter((file) => file.edits.length > 0), "that a command may also have changed", KNOWN[3].meaning, "maybe");
    addFiles(maybe.filter((file) => file.edits.length === 0), "that only a command may have changed", KNOWN[3].meaning, "maybe");
    addFiles(files.filter((file) => (file.breaks ?? []).length > 0), "changed between edits", "Something other than an edit of this session changed the file", "outside");
    for (const [words, calls] of leafAt(data, outline, leaf)?.[2] ?? []) {
        const item = make("li", "caution");
        const link = entryLink({ outline }, calls[0], words);
        link.title = "On this branch. The search “is:notable” finds the calls.";
        eachInTurn(link, words, calls, (n) => link.setAttribute("href", `${ANCHOR}${outline.keys[n]}`));
        item.append(link);
        element.append(item);
    }
    return element;
}

/** How often each door was clicked: a click that changes the order draws the head anew. @type {Map<string, number>} */
const clicked = new Map();

/**
 * @template Place
 * @param {HTMLElement} door
 * @param {string} words on it
 * @param {readonly Place[]} places
 * @param {(place: Place) => void} aim before a click is heard further out
 */
function eachInTurn(door, words, places, aim) {
    listen(door, "click", () => {
        const clicks = clicked.get(words) ?? 0;
        clicked.set(words, clicks + 1);
        aim(places[clicks % places.length]);
    });
}

/**
 * @param {Outline} outline
 * @param {Shown[]} files
 * @param {(shown: Shown) => boolean} isViewed
 * @returns {HTMLElement}
 */
function makeList(outline, files, isViewed) {
    const element = make("div", "file-list");
    /** @type {Map<string, Shown[]>} */
    const folders = new Map();
    for (const file of files.slice().sort(byPath)) {
        const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
        const own = folders.get(folder) ?? [];
        own.push(file);
        folders.set(folder, own);
    }
    const most = files.reduce((most, file) => Math.max(most, file.added + file.removed), 1);
    const isLong = folders.size > OPEN_FOLDERS || files.length > OPEN_FILES;
    for (const folder of Array.from(folders.keys()).sort()) {
        const own = folders.get(folder) ?? [];
        const list = make("ul", "");
        const fill = () => list.append(...own.map((file) => makeRow(outline, file, isViewed(file), BAR_WIDTH / most)));
        if (!isLong) {
            fill();
            element.append(...(folder === "" ? [] : [make("p", "list-folder", folder)]), list);
            continue;
        }
        const group = make("details", "");
        const summary = make("summary", "list-folder", `${folder || "./"} `);
        summary.append(make("span", "file-note", counted(own.length, "file")), " ", makeCounts(sumOf(own)));
        group.append(summary, list);
        listen(group, "toggle", fill, { once: true });
        element.append(group);
    }
    return element;
}

/**
 * @param {Outline} outline
 * @param {Shown} shown
 * @param {boolean} isViewed
 * @param {number} scale pixels a line
 * @returns {HTMLElement}
 */
function makeRow(outline, shown, isViewed, scale) {
    const row = make("li", "");
    const name = makeButton("list-file", shown.path.slice(shown.path.lastIndexOf("/") + 1));
    name.dataset.goTo = pathOf(shown);
    const note = make("span", "file-note", noteOf(shown));
    const commands = Array.from(new Set((shown.maybe ?? []).map((n) => shortText(outline.text[n], COMMAND_LENGTH))));
    if (commands.length > 0) {
        note.append(note.textContent === "" ? "" : ", ", "maybe ");
        note.append(commands.length === 1 ? make("code", "", commands[0]) : counted(commands.length, "command"));
    }
    const box = /** @type {HTMLInputElement} */ (make("input", ""));
    box.type = "checkbox";
    box.checked = isViewed;
    const viewed = make("label", "viewed");
    box.setAttribute("aria-label", `Viewed: ${shown.path}`);
    viewed.append(box);
    viewed.dataset.viewedFile = String(shown.file);
    row.append(makeStatus(shown), name, note, makeCounts(shown), makeBar(shown, scale), viewed);
    return row;
}

/**
 * @param {Shown} shown
 * @param {number} scale pixels a line
 * @returns {SVGElement}
 */
function makeBar({ added, removed }, scale) {
    const bar = document.createElementNS(SVG, "svg");
    bar.setAttribute("class", "lines-bar");
    bar.setAttribute("width", String(BAR_WIDTH));
    bar.setAttribute("height", "8");
    bar.setAttribute("aria-hidden", "true");
    let from = 0;
    for (const [name, lines] of /** @type {const} */ ([["added", added], ["removed", removed]])) {
        const width = lines === 0 ? 0 : Math.max(1, lines * scale);
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("class", name);
        rect.setAttribute("x", String(from));
        rect.setAttribute("width", String(width));
        rect.setAttribute("height", "8");
        bar.append(rect);
        from += width;
    }
    return bar;
}
