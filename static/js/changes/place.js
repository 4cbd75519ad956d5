/** Where the reader is in the view, and the way to a stop, a file, a line of it. */

import { eventTarget, listen } from "../base/dom.js";
import { JUMP_ROOM, lastAbove, topEdge, topOf } from "../transcript/edges.js";
import { scrollUntilStill } from "../transcript/scrolling.js";
import { pathOf, setOpen } from "./file.js";
import { LINE_HEIGHT } from "./hunk.js";

/** @import { Shown, Turn } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */
/** @import { LazyList } from "./lazy.js" */

/** A file this near to the upper edge is the one where the reader is, in pixels. */
const STEP_ROOM = 16;

/** The head of a file, which stays at the upper edge, in pixels. */
const HEAD_HEIGHT = 44;

/**
 * @typedef {object} Drawn what is on the screen
 * @property {Drawing} drawing
 * @property {Shown[]} atLeaf in the order of the files
 * @property {LazyList} list the stops, or the files
 * @property {readonly Turn[]} turns of the stops; none by file
 * @property {readonly number[]} prompts of these
 * @property {Map<number, LazyList>} ofStops the files of the stops that are made, by prompt
 * @property {readonly Shown[]} files by file; none by prompt
 *
 * @typedef {object} Places
 * @property {(step: 1 | -1) => boolean} stepFile goes to the next or previous file; false where there is none
 * @property {(file: string, prompt?: number) => Promise<void>} goToFile by prompt to that of a prompt, or the first one
 * @property {(n: number) => Promise<void>} goToStop goes to the last prompt with changes at or before an entry
 * @property {(at: number) => string | undefined} place "3 of 12", by the place among the entries of the one being read; undefined while another view is shown
 * @property {() => () => void} hold gives what brings the reader, in the other order, to the same file and hunk
 */

/**
 * @param {HTMLElement} root
 * @param {() => Promise<unknown>} load
 * @param {() => Drawn | null} drawn
 * @param {WeakMap<Element, Shown>} shownBy
 * @returns {Places}
 */
export function makePlaces(root, load, drawn, shownBy) {
    /** @type {(element: HTMLElement | undefined, scroll?: () => void) => void} */
    const goTo = (element, scroll = () => element?.scrollIntoView({ block: "start" })) => {
        // What stands above may become known by the way, and of another height.
        scrollUntilStill(scroll);
        element?.focus({ preventScroll: true });
    };
    /** @type {(isIt: (shown: Shown) => boolean, stop: number) => HTMLElement | undefined} a file, by prompt that of a stop */
    const reachFile = (isIt, stop) => {
        const { turns, list, files, ofStops } = drawn() ?? { turns: [], list: null, files: [], ofStops: null };
        const made = list?.reach(turns.length > 0 ? stop : files.findIndex(isIt));
        // Of a stop the file itself, once it is made.
        return turns.length === 0 ? made : ofStops?.get(turns[stop]?.prompt)?.reach(turns[stop].files.findIndex(isIt));
    };
    /** The line that a door of the head asks for. */
    let sought = "";
    listen(root, "click", (event) => {
        sought = eventTarget(event, "[data-seek]")?.dataset.seek ?? "";
    });
    /** @type {() => number} the file at the upper edge, -1 before the first */
    const fileHere = () => {
        const { files, list } = drawn() ?? { files: [], list: null };
        // At the end of the page the last ones never come to the top.
        const isAtEnd = scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - JUMP_ROOM;
        return lastAbove(Array.from(files.keys()), (nth) => list?.at(nth), isAtEnd ? innerHeight : topEdge() + JUMP_ROOM, [0, files.length]);
    };
    return {
        async goToFile(path, of) {
            await load();
            /** @type {(shown: Shown) => boolean} */
            const isIt = (shown) => pathOf(shown) === path;
            const element = reachFile(isIt, drawn()?.turns.findIndex(({ prompt, files }) => (of ?? prompt) === prompt && files.some(isIt)) ?? -1);
            const seek = sought;
            sought = "";
            if (element !== undefined) {
                setOpen(element, true);
                goTo(element, () => lineOf(element, seek).scrollIntoView({ block: seek === "" ? "start" : "center" }));
            }
        },
        async goToStop(n) {
            await load();
            // By the order of edits, which is not that of the prompts where branches took turns.
            const { prompts, list } = drawn() ?? { prompts: [], list: null };
            goTo(list?.reach(prompts.indexOf(Math.max(...prompts.filter((prompt) => prompt <= n)))));
        },
        stepFile(step) {
            const { files, list } = drawn() ?? { files: [], list: null };
            const tops = files.map((_, nth) => topOf(/** @type {HTMLElement} */ (list?.at(nth))) - topEdge());
            const at = step > 0 ? tops.findIndex((top) => top > STEP_ROOM) : tops.findLastIndex((top) => top < -STEP_ROOM);
            goTo(list?.reach(at));
            return at >= 0;
        },
        place(at) {
            if (root.hidden) {
                return undefined;
            }
            const { files, prompts } = drawn() ?? { files: [], prompts: [] };
            const count = files.length || prompts.filter((n) => n >= 0).length;
            return count === 0 ? "" : `${Math.max(0, files.length > 0 ? fileHere() : at) + 1} of ${count}`;
        },
        hold() {
            const before = drawn();
            const spot = before === null || root.hidden ? null : spotOf(before, root, shownBy);
            const top = root.hidden ? 0 : scrollY;
            return () => {
                const now = drawn();
                if (spot === null || now === null) {
                    scrollTo(0, top);
                    return;
                }
                const { shown, edits, line, isWithin } = spot;
                /** @type {(other: Shown) => boolean} */
                const isIt = (other) => other.file === shown.file;
                const made = now.turns.findLastIndex(({ files }) => files.some((other) => isIt(other) && other.edits.some((edit) => edits.includes(edit))));
                const stop = made < 0 ? now.turns.findLastIndex(({ files }) => files.some(isIt)) : made;
                const element = reachFile(isIt, stop);
                const isFirst = now.turns[stop]?.files.findIndex(isIt) === 0;
                if (element === undefined) {
                    // Only another branch changed it.
                    scrollTo(0, 0);
                } else if (!isWithin) {
                    // With the words of the prompt, where they are just above.
                    goTo(isFirst ? now.list.reach(stop) : element);
                } else {
                    goTo(element, () => {
                        const hunk = nearestHunk(now.drawing, element, edits, line);
                        hunk === undefined ? element.scrollIntoView({ block: "start" }) : scrollBy(0, topOfLine(now.drawing, hunk, line) - topEdge() - HEAD_HEIGHT);
                    });
                }
            };
        },
    };
}

/**
 * @param {HTMLElement} file
 * @param {string} seek the class of a line
 * @returns {HTMLElement} the line, opened; the file where there is none, or none yet
 */
function lineOf(file, seek) {
    /** @type {HTMLElement | null} */
    const line = seek === "" ? null : file.querySelector(`.${seek}`);
    if (line instanceof HTMLDetailsElement) {
        line.open = true;
    }
    return line ?? file;
}

/**
 * @typedef {object} Spot what is at the upper edge
 * @property {Shown} shown
 * @property {readonly number[]} edits of the hunk there, or of the file
 * @property {number} line its number in the file after, 0 where it is not known
 * @property {boolean} isWithin the beginning of the file is above
 */

/**
 * @param {Drawn} drawn
 * @param {HTMLElement} root
 * @param {WeakMap<Element, Shown>} shownBy
 * @returns {Spot | null} null while the head is in view
 */
function spotOf({ drawing, list }, root, shownBy) {
    const edge = topEdge();
    const first = list.at(0);
    /** @type {HTMLElement[]} */
    const files = Array.from(root.querySelectorAll(".file"));
    const element = files.find((file) => file.getBoundingClientRect().bottom > edge + HEAD_HEIGHT);
    const shown = element === undefined ? undefined : shownBy.get(element);
    if (element === undefined || shown === undefined || first === undefined || topOf(first) > edge + STEP_ROOM) {
        return null;
    }
    const y = edge + HEAD_HEIGHT;
    const hunk = topOf(element) > edge - STEP_ROOM ? undefined : hunksOf(element).findLast((one) => topOf(one) <= y + JUMP_ROOM);
    if (hunk === undefined) {
        return { shown, edits: shown.edits, line: 0, isWithin: false };
    }
    const parts = partsOf(drawing, hunk);
    const part = parts.findLast(({ element }) => topOf(element) <= y);
    const into = part === undefined ? 0 : Math.floor((y - topOf(part.element)) / LINE_HEIGHT);
    const start = (part ?? parts[0])?.now ?? 0;
    return { shown, edits: editsOf(hunk), line: start > 0 ? start + into : 0, isWithin: true };
}

/**
 * @param {HTMLElement} file
 * @returns {HTMLElement[]}
 */
function hunksOf(file) {
    return Array.from(file.querySelectorAll("[data-hunk]"));
}

/**
 * @param {HTMLElement} hunk
 * @returns {number[]}
 */
function editsOf(hunk) {
    return (hunk.dataset.hunk ?? "").split(" ").filter(Boolean).map(Number);
}

/**
 * @param {Drawing} drawing
 * @param {HTMLElement} hunk
 * @returns {{element: HTMLElement, now: number, rows: number}[]} its parts, with the number of the first line after
 */
function partsOf({ data }, hunk) {
    /** @type {HTMLElement[]} */
    const elements = Array.from(hunk.querySelectorAll("[data-part]"));
    return elements.map((element) => ({ element, now: data.hunks.new[Number(element.dataset.part)], rows: data.hunks.rows[Number(element.dataset.part)] }));
}

/**
 * @param {Drawing} drawing
 * @param {HTMLElement} file
 * @param {readonly number[]} edits
 * @param {number} line
 * @returns {HTMLElement | undefined} of the hunks that one of the edits made, that with the line, or the nearest; none before they are made
 */
function nearestHunk(drawing, file, edits, line) {
    const own = hunksOf(file).filter((hunk) => editsOf(hunk).some((edit) => edits.includes(edit)));
    /** @type {(hunk: HTMLElement) => number} */
    const distance = (hunk) => Math.min(...partsOf(drawing, hunk).map(({ now, rows }) => Math.max(now - line, line - now - rows, 0)));
    return own.reduce((/** @type {HTMLElement | undefined} */ best, hunk) => (best === undefined || distance(hunk) < distance(best) ? hunk : best), undefined);
}

/**
 * @param {Drawing} drawing
 * @param {HTMLElement} hunk
 * @param {number} line
 * @returns {number} where it stands in the view; the hunk itself where it begins there or is elsewhere
 */
function topOfLine(drawing, hunk, line) {
    const part = partsOf(drawing, hunk).findLast(({ now }) => now > 0 && now < line);
    return part === undefined ? topOf(hunk) : topOf(part.element) + Math.min(line - part.now, part.rows - 1) * LINE_HEIGHT;
}
