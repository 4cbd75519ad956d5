/**
 * Deep links: from an address to a place in the session and the state of the page there, and back.
 *
 * `?leafId=…&targetId=…&compare=…&filter=…&q=…&view=context&only=1`, the same after `#` for hosts that eat queries
 * (`#` wins), and `#entry-<key>`.
 */

import { withEscapes } from "../base/dom.js";
import { recall } from "../base/storage.js";
import { FILTER_BITS } from "../outline/bits.js";
import { findEntry, isOnPath, leafShowing, standingLeaf } from "../outline/paths.js";
import { DETAIL_STORED, DETAILS } from "../state/choices.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State, View } from "../state/state.js" */

/**
 * @typedef {object} Link
 * @property {string | null} leafId
 * @property {string | null} targetId
 * @property {string | null} compare the leaf to show beside the other
 * @property {boolean} anchor the target came as `#entry-<key>`: then the leaf is only a preference
 */

/**
 * @typedef {object} Reader how the reader has set the page
 * @property {string} filter
 * @property {string} query
 * @property {View} view
 * @property {boolean} only
 * @property {string} detail
 */

/**
 * @typedef {object} Spot
 * @property {number} leaf
 * @property {number} target -1 for none
 * @property {number} compare the leaf beside it, -1 for none
 * @property {string[]} problems what could not be followed as written
 */

/** @typedef {Spot & Reader} Place */

const PARAMETERS = ["leafId", "targetId", "filter", "q", "view", "only", "compare", "detail"];
export const ANCHOR = "#entry-";

/** Ids from an address are named in a notice: a hostile one must not fill the screen. */
const NAMED_LENGTH = 80;

/**
 * A password-protected page: its address goes into histories and logs that the password does not protect. What it
 * names stands behind `#`, which is sent to nobody, and what is searched for stands nowhere.
 */
export const IS_LOCKED = document.documentElement.hasAttribute("data-locked");

/**
 * @param {string} hash
 * @returns {URLSearchParams}
 */
function hashParams(hash) {
    return new URLSearchParams(hash.replace(/^#\??/u, ""));
}

/**
 * @param {string} hash
 * @returns {boolean}
 */
function isHashLink(hash) {
    const params = hashParams(hash);
    return PARAMETERS.some((name) => params.has(name));
}

/**
 * @param {string} search
 * @param {string} hash
 * @returns {URLSearchParams}
 */
function linkParams(search, hash) {
    return isHashLink(hash) ? hashParams(hash) : new URLSearchParams(search);
}

/**
 * @param {string} search
 * @param {string} hash
 * @returns {Link}
 */
function readLink(search, hash) {
    const params = linkParams(search, hash);
    const leafId = params.get("leafId") || null;
    if (hash.startsWith(ANCHOR)) {
        return { leafId, targetId: hash.slice(ANCHOR.length) || null, compare: null, anchor: true };
    }
    return { leafId, targetId: params.get("targetId") || null, compare: params.get("compare") || null, anchor: false };
}

/**
 * How the page is to be set; what the address does not say is as the page was pressed.
 *
 * @param {Outline} outline
 * @param {string} search
 * @param {string} hash
 * @returns {Reader}
 */
function readReader(outline, search, hash) {
    const params = linkParams(search, hash);
    const filter = params.get("filter") ?? "";
    return {
        filter: FILTER_BITS.has(filter) ? filter : outline.filter,
        query: params.get("q") ?? "",
        view: params.get("view") === "context" ? "context" : "path",
        only: params.get("only") === "1",
        detail: detailOf(params.get("detail")),
    };
}

/**
 * The level of detail: as the address says, else as remembered, else as the page was exported.
 *
 * @param {string | null} named
 * @returns {string}
 */
function detailOf(named) {
    return [named, recall(DETAIL_STORED)].find((detail) => DETAILS.includes(detail ?? "")) ?? exportedDetail();
}

/** @returns {string} */
function exportedDetail() {
    return document.documentElement.dataset.exported ?? "story";
}

/**
 * The place and state that the address names.
 *
 * @param {Outline} outline
 * @param {{search: string, hash: string}} from
 * @returns {Place}
 */
export function placeAt(outline, { search, hash }) {
    return { ...resolveLink(outline, readLink(search, hash)), ...readReader(outline, search, hash) };
}

/**
 * All of an address that is ours, to tell whether it has changed.
 *
 * @param {{search: string, hash: string}} from
 * @returns {string}
 */
export function addressIdentity({ search, hash }) {
    const { leafId, targetId } = readLink(search, hash);
    const params = linkParams(search, hash);
    return JSON.stringify([leafId, targetId, ...PARAMETERS.slice(2).map((name) => params.get(name))]);
}

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
    return outline.session[leaf] === outline.session[compare]
        ? { compare, problem: "" }
        : { compare: -1, problem: `The link compares with ${named(link.compare)}, which is an entry of another session.` };
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
        problems.push(`The entry ${from} is not on the path to the leaf ${to}. Showing the newest branch that contains it.`);
    }
    return { leaf: shown, target, problems };
}

/**
 * Whether the address of a locked page holds what should not be there.
 *
 * @param {{search: string, hash: string}} from
 * @returns {boolean}
 */
export function isTelling({ search, hash }) {
    const params = new URLSearchParams(search);
    return IS_LOCKED && (PARAMETERS.some((name) => params.has(name)) || (isHashLink(hash) && hashParams(hash).has("q")));
}

/**
 * Our parameters put into a query or fragment, all other parts left as they are.
 *
 * @param {string} params
 * @param {[string, string][]} ours
 * @returns {string}
 */
export function withParams(params, ours) {
    const isForeign = /** @param {string} part */ (part) =>
        part !== "" && !PARAMETERS.includes(part.replace(/^\?/u, "").split("=", 1)[0]);
    const written = ours.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return [...params.split("&").filter(isForeign), ...written].join("&");
}

/**
 * The parameters that name a place and the state of the page.
 *
 * @param {Outline} outline
 * @param {Pick<State, "leaf" | "target" | "compare" | "filter" | "query" | "view" | "only" | "unfold">} state
 * @returns {[string, string][]}
 */
export function paramsOf(outline, { leaf, target, compare, filter, query, view, only, unfold }) {
    /** @type {[string, string][]} */
    const params = [["leafId", outline.keys[leaf]]];
    if (target >= 0) {
        params.push(["targetId", outline.keys[target]]);
    }
    if (compare >= 0) {
        params.push(["compare", outline.keys[compare]]);
    }
    if (filter !== outline.filter) {
        params.push(["filter", filter]);
    }
    if (query !== "" && !IS_LOCKED) {
        params.push(["q", query]);
    }
    if (view !== "path") {
        params.push(["view", view]);
    }
    if (only) {
        params.push(["only", "1"]);
    }
    if (unfold.detail !== exportedDetail()) {
        params.push(["detail", unfold.detail]);
    }
    return params;
}

/**
 * @returns {string} the address without query and fragment
 */
export function pageAddress() {
    return location.href.split(/[?#]/u, 1)[0];
}

/**
 * The address of a place, in the form in which the page was opened; of a locked page always behind `#`.
 *
 * @param {{search: string, hash: string}} from
 * @param {[string, string][]} params
 * @returns {string}
 */
export function addressOf(from, params) {
    if (IS_LOCKED) {
        const search = withParams(from.search.slice(1), []);
        const hash = from.hash.startsWith(ANCHOR) ? "" : from.hash.replace(/^#\??/u, "");
        return `${pageAddress()}${search === "" ? "" : `?${search}`}#${withParams(hash, params)}`;
    }
    if (isHashLink(from.hash)) {
        return `${from.search}#${withParams(from.hash.slice(1), params)}`;
    }
    const hash = from.hash.startsWith(ANCHOR) ? "" : from.hash;
    return `?${withParams(from.search.slice(1), params)}${hash}`;
}
