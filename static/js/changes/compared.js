/** Which files two branches changed since they parted, and how: the diffs of each branch side by side. */

import { counted, listen, make } from "../base/dom.js";
import { SIDES } from "../outline/branches.js";
import { isOnPath } from "../outline/paths.js";
import { ADDED, ENTRY, isOwnEdit, REMOVED } from "./data.js";
import { makeCounts, makePath } from "./file.js";
import { entryLink, makeHunk } from "./hunk.js";
import { KNOWN } from "./words.js";

/** @import { ChangesData, EditData, Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/**
 * @typedef {object} SideFile what one branch did to a file
 * @property {Shown[]} turns in order
 * @property {EditData[]} shared edits of a turn that both branches have begun together: no diff is theirs alone
 */

/**
 * @param {Drawing} drawing
 * @param {readonly [number, number]} ends the two leaves
 * @param {number} ancestor the last entry on both paths, -1 for none
 * @returns {HTMLElement | null} null where neither changed a file
 */
export function makeCompared(drawing, ends, ancestor) {
    const sides = ends.map((end) => filesOf(drawing, end, ancestor));
    const places = Array.from(new Set(sides.flatMap((side) => Array.from(side.keys())))).sort((a, b) => a - b);
    if (places.length === 0) {
        return null;
    }
    const element = make("div", "compared-files");
    const differing = places.filter((file) => !isAlike(sides.map((side) => side.get(file))));
    const alike = places.length - differing.length;
    const same = alike === 0 ? "" : `, ${counted(alike, "file")} changed alike`;
    element.append(make("h3", "", differing.length === 0 ? `Both branches changed ${counted(alike, "file")} alike` : `${counted(differing.length, "file")} ${differing.length === 1 ? "differs" : "differ"}${same}`));
    for (const file of differing) {
        element.append(makeComparedFile(drawing, file, sides.map((side) => side.get(file))));
    }
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {number} end
 * @param {number} ancestor
 * @returns {Map<number, SideFile>} by file
 */
function filesOf({ outline, data }, end, ancestor) {
    /** @type {Map<number, SideFile>} */
    const found = new Map();
    /** @type {(file: number) => SideFile} */
    const at = (file) => {
        const side = found.get(file) ?? { turns: [], shared: [] };
        found.set(file, side);
        return side;
    };
    for (const { prompt, files } of data.turns) {
        if (prompt > ancestor && isOnPath(outline, prompt, end)) {
            files.forEach((shown) => at(shown.file).turns.push(shown));
        } else if (prompt < 0 || isOnPath(outline, prompt, ancestor)) {
            for (const shown of files) {
                const edits = shown.edits.map((edit) => data.files[shown.file].edits[edit]);
                const own = edits.filter((edit) => edit[ENTRY] > ancestor && isOwnEdit(outline, edit, end));
                if (own.length > 0) {
                    at(shown.file).shared.push(...own);
                }
            }
        }
    }
    return found;
}

/**
 * @param {(SideFile | undefined)[]} sides
 * @returns {boolean} whether both made the same hunks
 */
function isAlike(sides) {
    const [a, b] = sides.map((side) => (side === undefined || side.shared.length > 0 ? null : side.turns.flatMap(({ hunks }) => hunks.map(([first]) => first)).join()));
    return a !== null && a !== "" && a === b;
}

/**
 * @param {Drawing} drawing
 * @param {number} file
 * @param {(SideFile | undefined)[]} sides
 * @returns {HTMLElement}
 */
function makeComparedFile(drawing, file, sides) {
    const element = make("details", "compared-file");
    const summary = make("summary", "");
    const last = drawing.data.files[file].states.at(-1);
    summary.append(makePath(sides.find((side) => side?.turns[0])?.turns[0].path ?? last?.path ?? ""));
    sides.forEach((side, nth) => {
        const counts = make("span", "compared-side", `${SIDES[nth]}: `);
        counts.append(side === undefined ? "unchanged" : makeCounts(linesOf(side)));
        summary.append(counts);
    });
    element.append(summary);
    listen(element, "toggle", () => element.append(makeColumns(drawing, sides)), { once: true });
    return element;
}

/**
 * @param {SideFile} side
 * @returns {{added: number, removed: number, isAbout: boolean}}
 */
function linesOf({ turns, shared }) {
    /** @type {(own: (shown: Shown) => number, place: number) => number} */
    const sum = (own, place) => turns.reduce((all, shown) => all + own(shown), 0) + shared.reduce((all, edit) => all + edit[place], 0);
    return {
        added: sum((shown) => shown.added, ADDED),
        removed: sum((shown) => shown.removed, REMOVED),
        isAbout: shared.length > 0 || turns.length > 1 || turns.some((shown) => shown.isAbout === true),
    };
}

/**
 * @param {Drawing} drawing
 * @param {(SideFile | undefined)[]} sides
 * @returns {HTMLElement}
 */
function makeColumns(drawing, sides) {
    const columns = make("div", "compared-columns");
    for (const side of sides) {
        const column = make("div", "");
        for (const shown of side?.turns ?? []) {
            column.append(...shown.hunks.map((place) => makeHunk(drawing, shown, place, "")));
            if (shown.hunks.length === 0) {
                const [edit] = shown.edits.map((place) => drawing.data.files[shown.file].edits[place]);
                const note = make("p", "file-line", `Known ${KNOWN[shown.known].phrase}: `);
                note.append(entryLink(drawing, edit[ENTRY], "the first edit"));
                column.append(note);
            }
        }
        for (const edit of side?.shared ?? []) {
            const note = make("p", "file-line", "Part of a turn that both branches share: ");
            note.append(entryLink(drawing, edit[ENTRY], drawing.clock(edit[ENTRY])));
            column.append(note);
        }
        if (side === undefined) {
            column.append(make("p", "file-line", "This branch did not change it."));
        }
        columns.append(column);
    }
    return columns;
}
