/** Moves through the text: to the next and previous prompt, failure, risky step, compaction, fork. */

import { byId } from "../base/dom.js";
import { COMPACTION, FAILED, FORK, LANDMARK, NOTABLE, PROMPT } from "../outline/shared.js";
import { JUMP_ROOM, topEdge, topOf } from "../transcript/edges.js";
import { chooseEntry, returnTo, showPlace } from "./places.js";

/** @import { Parts } from "./parts.js" */

/** @typedef {(typeof MOVE_KINDS)[number]} MoveKind with the id of its command, and its bit in the outline's `marks` */

export const MOVE_KINDS = /** @type {const} */ ([
    { name: "prompt", mark: PROMPT, one: "prompt", many: "Prompts" },
    { name: "failure", mark: FAILED, one: "failure", many: "Failures" },
    { name: "landmark", mark: LANDMARK, one: "commit, push, pull request or test run", many: "Commits and tests" },
    { name: "notable", mark: NOTABLE, one: "risky step", many: "Risky steps" },
    { name: "compaction", mark: COMPACTION, one: "compaction", many: "Compactions" },
    { name: "fork", mark: FORK, one: "fork", many: "Forks" },
]);

/**
 * The stops of one kind in the view shown.
 *
 * @param {Parts} parts
 * @param {MoveKind} kind
 * @returns {number[]}
 */
export function stopsOf(parts, kind) {
    const { marks } = parts.outline;
    return parts.reading.entries().filter((n) => (marks[n] & kind.mark) !== 0);
}

/**
 * @param {Parts} parts
 * @param {MoveKind} kind
 * @param {1 | -1} step
 * @returns {number} the stop to go to, -1 for none
 */
function nextStop(parts, kind, step) {
    const { outline, reading } = parts;
    const entries = reading.entries();
    const here = reading.here(entries);
    // Going back from the middle of a long entry first leads to its own beginning.
    const element = reading.elementOf(entries[here]);
    const within = element !== undefined && topOf(element) < topEdge() - JUMP_ROOM;
    let at = step > 0 ? here + 1 : here - (within ? 0 : 1);
    while (at >= 0 && at < entries.length && (outline.marks[entries[at]] & kind.mark) === 0) {
        at += step;
    }
    return entries[at] ?? -1;
}

/**
 * @param {Parts} parts
 * @param {MoveKind} kind
 * @param {1 | -1} step
 * @returns {number} the entry moved to, -1 when there is none in that direction
 */
export function move(parts, kind, step) {
    const { view, order, compare } = parts.store.get();
    if (kind.name === "prompt" && view === "changes" && order === "file" && compare < 0) {
        if (parts.changes?.stepFile(step) !== true) {
            parts.notice.mention(`No ${step > 0 ? "later" : "earlier"} file`);
        }
        return -1;
    }
    const n = nextStop(parts, kind, step);
    if (n < 0) {
        parts.notice.mention(`No ${step > 0 ? "later" : "earlier"} ${kind.one} on this branch${parts.outline.sessions.length > 1 ? ", not counting sub-agents" : ""}`);
    } else {
        chooseEntry(parts, n);
    }
    return n;
}

/**
 * Walks the search's hits, as the buttons beside the search field do.
 *
 * @param {1 | -1} step
 */
export function moveToHit(step) {
    const button = document.getElementById(step > 0 ? "next-hit" : "prev-hit");
    button?.click();
}

/**
 * Whether the steps in the bar go to hits: on a phone, where the search field is in the drawer.
 *
 * @returns {boolean}
 */
export function isWalkingHits() {
    return !byId("next-hit").hidden && matchMedia("(max-width: 899.98px)").matches;
}

/**
 * Back to where the reader was before the last jump.
 *
 * @param {Parts} parts
 */
export function moveBack(parts) {
    const print = parts.trail.back();
    if (print === undefined) {
        parts.notice.mention("Nothing to go back to");
        return;
    }
    returnTo(parts, print);
}

/**
 * Opens a branch at its end.
 *
 * @param {Parts} parts
 * @param {number} leaf
 */
export function openLeaf(parts, leaf) {
    parts.notice.clear();
    showPlace(parts, leaf, leaf, false);
    parts.reading.focus(leaf);
}
