/** Paths, leaves and parents: where entries stand in the tree. Pure. */

import { lastAtMost } from "../base/ascending.js";

/** @import { Outline } from "./outline.js" */

/** The beginning of a key that names its entry has so many characters, as on the command line. */
const BEGINNING = 4;

/**
 * An entry by its key, or else by the id it has in the file, or by a beginning that no other key has.
 *
 * @param {Outline} outline
 * @param {string} id
 * @returns {number} -1 when there is none
 */
export function findEntry(outline, id) {
    const begins = (/** @type {string} */ key) => id.length >= BEGINNING && key.startsWith(id);
    const only = () => {
        const first = outline.keys.findIndex(begins);
        return outline.keys.findLastIndex(begins) === first ? first : -1;
    };
    return outline.byKey.get(id) ?? outline.byFileId.get(id) ?? only();
}

/**
 * Whether `n` is `leaf` or one of its ancestors.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {number} leaf
 * @returns {boolean}
 */
export function isOnPath(outline, n, leaf) {
    // A session that hangs below an entry lies in its range too.
    return n <= leaf && leaf < outline.end[n] && outline.session[n] === outline.session[leaf];
}

/**
 * The entries from the root to `leaf`, in that order (and so in ascending order).
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number[]}
 */
export function pathTo(outline, leaf) {
    const path = [];
    for (let n = leaf; n >= 0; n = outline.parent[n]) {
        path.push(n);
    }
    return path.reverse();
}

/**
 * The leaf that shows `target`: the one shown if the target lies on its path, else the newest below it.
 * Another session is shown where it stands, if that shows the target.
 *
 * @param {Outline} outline
 * @param {number} target
 * @param {number} leaf
 * @returns {number}
 */
export function leafShowing(outline, target, leaf) {
    const { session, newest } = outline;
    const near = session[target] === session[leaf] ? leaf : standingLeaf(outline, target);
    return isOnPath(outline, target, near) ? near : newest[target];
}

/**
 * Where the session that holds an entry stands.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {number}
 */
export function standingLeaf({ session, sessions, leaf }, n) {
    return sessions[session[n]]?.leaf ?? leaf;
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number[]} the responses on its path, ascending
 */
export function callsTo(outline, leaf) {
    return pathTo(outline, leaf).filter((n) => outline.kinds[outline.kind[n]] === "assistant");
}

/**
 * The call of the model that got an entry first: the response at or after it.
 *
 * @param {number[]} calls of a path
 * @param {number} n -1 for none
 * @returns {number} -1 where none came after
 */
export function callAfter(calls, n) {
    return n < 0 ? -1 : calls[lastAtMost(calls, n - 1) + 1] ?? -1;
}

/**
 * The last entry that a call of the model got; the leaf, where the call is not on its path.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {number} call -1 for the end of the branch
 * @returns {number}
 */
export function sentTo(outline, leaf, call) {
    return call >= 0 && isOnPath(outline, call, leaf) && outline.parent[call] >= 0 ? outline.parent[call] : leaf;
}

/**
 * The result of a tool call that lies on the path shown; every branch has its own.
 *
 * @param {Outline} outline
 * @param {string} keys
 * @param {number} leaf
 * @returns {number} -1 when there is none
 */
export function resultOnPath(outline, keys, leaf) {
    const results = keys.split(" ").map((key) => outline.byKey.get(key) ?? -1);
    return results.find((n) => n >= 0 && isOnPath(outline, n, leaf)) ?? -1;
}

/**
 * The last entry on both paths.
 *
 * @param {Outline} outline
 * @param {number} a
 * @param {number} b of the same session
 * @returns {number} -1 under different roots
 */
export function commonAncestor(outline, a, b) {
    let n = a;
    while (n >= 0 && !isOnPath(outline, n, b)) {
        n = outline.parent[n];
    }
    return n;
}
