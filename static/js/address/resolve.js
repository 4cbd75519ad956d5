/** Where a link leads, and what of it could not be followed. */

import { withEscapes } from "../base/dom.js";
import { findEntry, isOnPath, leafShowing, standingLeaf } from "../outline/paths.js";

/** @import { Outline } from "../outline/outline.js" */

/**
 * @typedef {object} Link
 * @property {string | null} leafId
 * @property {string | null} targetId
 * @property {string | null} compare the leaf to show beside the other
 * @property {boolean} anchor the target came as `#entry-<key>`: then the leaf is only a preference
 */

/**
 * @typedef {object} Spot
 * @property {number} leaf
 * @property {number} target -1 for none
 * @property {number} compare the leaf beside it, -1 for none
 * @property {string[]} problems what could not be followed as written
 */

/** Ids from an address are named in a notice: a hostile one must not fill the screen. */
const NAMED_LENGTH = 80;

/**
 * @param {Outline} outline
 * @param {string | null} id
 * @param {boolean} anchor
 * @returns {number}
 */
function findLinked(outline, id, anchor) {
    if (id === null) {
        return -1;
    }
    const found = findEntry(outline, id);
    return found < 0 && anchor ? findEntry(outline, decodeLoosely(id)) : found;
}

/**
 * @param {string} text
 * @returns {string}
 */
function decodeLoosely(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/**
 * @param {string} id
 * @returns {string}
 */
function named(id) {
    return `“${withEscapes(id.slice(0, NAMED_LENGTH))}${id.length > NAMED_LENGTH ? "…" : ""}”`;
}

/**
 * Where a link leads. Target off the given leaf's path: the target wins.
 *
 * @param {Outline} outline
 * @param {Link} link
 * @returns {Spot}
 */
export function resolveLink(outline, link) {
    const { compare, problem } = resolveCompare(outline, link);
    if (compare < 0) {
        const place = resolvePath(outline, link);
        return { ...place, compare: -1, problems: [...place.problems, ...(problem === "" ? [] : [problem])] };
    }
    const [leaf, target] = [comparedLeaf(outline, link, compare), findLinked(outline, link.targetId, false)];
    const problems = [];
    if (link.leafId !== null && findLinked(outline, link.leafId, false) < 0) {
        problems.push(`The link names the leaf ${named(link.leafId)}, which is not in this session.`);
    }
    if (target < 0 && link.targetId !== null) {
        problems.push(`The link names the entry ${named(link.targetId)}, which is not in this session.`);
    }
    if (target >= 0 && isOnPath(outline, target, leaf) === isOnPath(outline, target, compare)) {
        const place = resolvePath(outline, link);
        const aside = `The entry ${named(link.targetId ?? "")} is on neither side of the comparison, which is not shown.`;
        return { ...place, compare: -1, problems: [...place.problems, aside] };
    }
    return { leaf, target, compare, problems };
}

/**
 * The leaf to compare with, or why there is none.
 *
 * @param {Outline} outline
 * @param {Link} link
 * @returns {{compare: number, problem: string}}
 */
function resolveCompare(outline, link) {
    if (link.compare === null) {
        return { compare: -1, problem: "" };
    }
    const compare = findLinked(outline, link.compare, false);
    if (compare < 0) {
        return { compare, problem: `The link compares with ${named(link.compare)}, which is not in this session.` };
    }
    const leaf = comparedLeaf(outline, link, compare);
    if (leaf === compare) {
        return { compare: -1, problem: `The link compares ${named(link.compare)} with itself.` };
    }
    if (outline.session[leaf] !== outline.session[compare]) {
        return { compare: -1, problem: `The link compares with ${named(link.compare)}, which is an entry of another session.` };
    }
    return outline.branches.some((branches) => branches.length > 1)
        ? { compare, problem: "" }
        : { compare: -1, problem: "The link compares two branches. This session has one." };
}

/**
 * @param {Outline} outline
 * @param {Link} link
 * @param {number} compare
 * @returns {number} the leaf that is named, else where the session stands
 */
function comparedLeaf(outline, link, compare) {
    const leaf = findLinked(outline, link.leafId, false);
    return leaf < 0 ? standingLeaf(outline, compare) : leaf;
}

/**
 * @param {Outline} outline
 * @param {Link} link
 * @returns {Omit<Spot, "compare">}
 */
function resolvePath(outline, link) {
    const leaf = findLinked(outline, link.leafId, false);
    const target = findLinked(outline, link.targetId, link.anchor);
    const problems = [];
    if (leaf < 0 && link.leafId !== null) {
        problems.push(`The link names the leaf ${named(link.leafId)}, which is not in this session.`);
    }
    if (target < 0 && link.targetId !== null) {
        problems.push(`The link names the entry ${named(link.targetId)}, which is not in this session.`);
    }
    if (target < 0) {
        return leaf < 0
            ? { leaf: outline.leaf, target: outline.target, problems }
            : { leaf, target: -1, problems };
    }
    const shown = leafShowing(outline, target, leaf < 0 ? outline.leaf : leaf);
    if (leaf >= 0 && shown !== leaf && !link.anchor) {
        const [from, to] = [named(link.targetId ?? ""), named(link.leafId ?? "")];
        problems.push(`The entry ${from} is on another branch than ${to}. Showing that branch.`);
    }
    return { leaf: shown, target, problems };
}
