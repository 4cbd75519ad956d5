/** What became of files, as `src/page/changes` wrote it: an index, and hunks in packs that are opened when a reader comes near. */

import { lastAtMost } from "../base/ascending.js";
import { bytesIn, jsonIn } from "../chunks/arrived.js";
import { fragmentsOf } from "../chunks/pack-text.js";
import { isOnPath } from "../outline/paths.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { VersionData } from "./versions.js" */

/** @typedef {[number, number, number[]]} HunkPlace its first part, how many parts it has, and the edits that made it */

/** @typedef {number[]} EditData entry, entry of the session itself that started its sub-agent (-1), prompt (-1), place in `KNOWN`, whether it succeeded, lines added, lines removed, place in `reasons` (-1), first and last line changed (0) */

/** @typedef {[number, 0 | 1, 0 | 1 | 2]} Check the result of a command, whether it ran tests, and whether it failed, passed, or is not known */

/** @typedef {[number, 0 | 1 | 2, number]} Earlier the last run of tests before the last edit, what came of it, and how many runs failed */

/**
 * @typedef {object} Shown what became of a file, in a turn or up to the end of a branch
 * @property {number} file
 * @property {string} path as it is drawn
 * @property {string} [plainPath] as it is written, where that differs
 * @property {string} [from] the path before
 * @property {string} status
 * @property {number} known the place in `KNOWN` of the worst known edit
 * @property {number} added
 * @property {number} removed
 * @property {boolean} [isAbout] the counts are those of all edits added up
 * @property {Pick<Shown, "added" | "removed" | "isAbout">} [own] the lines of this branch, where others edited the file, too
 * @property {boolean} [isSame] the file is as it was
 * @property {string} [collapsed] why it is collapsed at first
 * @property {number} version how many steps of its text lead to it; 0 where the text is not known
 * @property {number[]} edits those that succeeded
 * @property {number[]} [failed] the entries of edits that failed
 * @property {HunkPlace[]} hunks
 * @property {number[]} [undone] only up to the end of a branch, as what follows
 * @property {number[]} [breaks] entries that show that somebody else changed it
 * @property {number[]} [misfits] edits that do not fit those before them, by their entries
 * @property {number[]} [maybe] entries of commands
 */

/**
 * @typedef {object} Cautions what else may have happened to files in a turn: pairs of an entry and a file
 * @property {[number, number][]} [breaks] files that somebody else changed, and the entries that show it
 * @property {[number, number][]} [misfits] edits that do not fit those before them
 * @property {[number, number][]} [maybe] commands that may have written files
 */

/**
 * @typedef {object} ChangesData
 * @property {{edits: EditData[], asked?: HunkPlace[], states: Shown[]}[]} files
 * @property {({prompt: number, files: Shown[], failed?: [string, number][], checks?: Check[], earlier?: Earlier} & Cautions)[]} turns failed are the edits of other files that failed: paths and entries
 * @property {[number, number[], [string, number[]][], [number, Shown["own"]][]][]} leaves the end of a branch; by file the place of its state, -1 for none; what is worth a look on the branch, with the entries; and what the branch alone did to files that others edited, too
 * @property {number} leafCount
 * @property {{old: number[], new: number[], rows: number[], headings: [number, string][], packs: number[]}} hunks
 * @property {string[]} reasons
 * @property {VersionData} versions
 */

/** @typedef {ChangesData["turns"][number]} Turn */

/** Places in the data of an edit. */
export const ENTRY = 0;
const ANCHOR_ENTRY = 1;
export const ASKED_BY = 2;
export const HOW_KNOWN = 3;
export const SUCCEEDED = 4;
export const ADDED = 5;
export const REMOVED = 6;
export const REASON = 7;
export const FIRST_LINE = 8;
export const LAST_LINE = 9;

/** @returns {Promise<ChangesData>} rejected where the page is damaged */
export async function readChanges() {
    return jsonIn("changes-data");
}

/**
 * The hunks as they lie in their packs.
 *
 * @param {ChangesData} data
 * @returns {(at: number) => Promise<string>} rejected where the pack is damaged
 */
export function makeHunkReader({ hunks }) {
    /** @type {Map<number, Promise<string[]>>} */
    const packs = new Map();
    return async (at) => {
        const pack = lastAtMost(hunks.packs, at);
        const read = async () => fragmentsOf(await bytesIn(`hunks-${pack}`));
        const reading = packs.get(pack) ?? read();
        packs.set(pack, reading);
        const text = (await reading)[at - hunks.packs[pack]];
        if (text === undefined) {
            throw new RangeError(`the page has no hunk ${at}`);
        }
        return text;
    };
}

/**
 * The files at the end of a branch.
 *
 * @param {ChangesData} data
 * @param {Outline} outline
 * @param {number} leaf any entry: of one that ends no branch, those at the end of its newest branch
 * @returns {Shown[] | null} null where the page does not have them
 */
export function filesAt(data, outline, leaf) {
    const [, places = null, , own = []] = leafAt(data, outline, leaf) ?? [];
    const lines = new Map(own);
    return places?.flatMap((at, file) => (at < 0 ? [] : [{ ...data.files[file].states[at], own: lines.get(file) }])) ?? null;
}

/**
 * @param {ChangesData} data
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {ChangesData["leaves"][number] | undefined}
 */
export function leafAt({ leaves }, outline, leaf) {
    const end = endOf(outline, leaf);
    return leaves.find(([n]) => n === leaf) ?? leaves.find(([n]) => n === end);
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number} the end of the branch of the session itself that shows it
 */
function endOf(outline, leaf) {
    return outline.newest[mainLeaf(outline, leaf)];
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number} where the session itself stands that shows a leaf of a sub-agent
 */
export function mainLeaf({ session, sessions, newest }, leaf) {
    let n = leaf;
    while (session[n] > 0) {
        n = sessions[session[n]].startedBy;
    }
    return n === leaf ? leaf : newest[n];
}

/**
 * Whether an edit is on the path to a leaf, or of a sub-agent that it started.
 *
 * @param {Outline} outline
 * @param {EditData} edit
 * @param {number} leaf
 * @returns {boolean}
 */
export function isOwnEdit(outline, edit, leaf) {
    const n = edit[ANCHOR_ENTRY] < 0 ? edit[ENTRY] : edit[ANCHOR_ENTRY];
    return isOnPath(outline, n, endOf(outline, leaf));
}
