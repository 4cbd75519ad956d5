/** The address of a place and of the state of the page. */

import { ANCHOR, exportedDetail, hashParams, IS_LOCKED, isHashLink, PARAMETERS } from "./link.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */

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
 * @param {Pick<State, "leaf" | "target" | "compare" | "filter" | "query" | "view" | "only" | "unfold" | "order" | "file">} state
 * @returns {[string, string][]}
 */
export function paramsOf(outline, { leaf, target, compare, filter, query, view, only, unfold, order, file }) {
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
    if (view === "changes" && order === "file") {
        // Paths may be secret; the address of a locked page stays in the browser's history.
        params.push(file === "" || IS_LOCKED ? ["order", order] : ["file", file]);
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
