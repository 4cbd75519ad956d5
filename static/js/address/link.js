/**
 * Deep links: from an address to a place in the session and the state of the page there, and back.
 *
 * `?leafId=…&targetId=…&compare=…&filter=…&q=…&view=context&only=1`, `?view=changes&order=file&file=…`, the same after `#` for hosts that eat queries
 * (`#` wins), and `#entry-<key>`.
 */

import { DETAIL_STORED, recall } from "../base/storage.js";
import { hasChanges } from "../base/has-changes.js";
import { DETAILS, FILTER_BITS } from "../outline/shared.js";
import { callAfter, callsTo } from "../outline/paths.js";
import { resolveLink } from "./resolve.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Order, View } from "../state/state.js" */
/** @import { Link, Spot } from "./resolve.js" */

/**
 * @typedef {object} Reader how the reader has set the page
 * @property {string} filter
 * @property {string} query
 * @property {View} view
 * @property {Order} order
 * @property {string} file empty for none
 * @property {boolean} only
 * @property {string} detail
 */

/** @typedef {Spot & Reader & {call: number}} Place `call` is that which got the target, where no other was shown */

export const PARAMETERS = ["leafId", "targetId", "filter", "q", "view", "only", "compare", "detail", "order", "file"];

export const ANCHOR = "#entry-";

/**
 * A password-protected page: its address goes into histories and logs that the password does not protect. What it
 * names stands behind `#`, which is sent to nobody, and what is searched for stands nowhere.
 */
export const IS_LOCKED = document.documentElement.hasAttribute("data-locked");

/**
 * @param {string} hash
 * @returns {URLSearchParams}
 */
export function hashParams(hash) {
    return new URLSearchParams(hash.replace(/^#\??/u, ""));
}

/**
 * @param {string} hash
 * @returns {boolean}
 */
export function isHashLink(hash) {
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
        view: viewOf(params.get("view")),
        order: params.get("order") === "file" || (params.get("file") ?? "") !== "" ? "file" : "prompt",
        file: params.get("file") ?? "",
        only: params.get("only") === "1",
        detail: detailOf(params.get("detail")),
    };
}

/**
 * @param {string | null} named
 * @returns {View} the conversation where the page does not have it
 */
function viewOf(named) {
    return named === "context" || (named === "changes" && hasChanges()) ? named : "path";
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
export function exportedDetail() {
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
    const spot = resolveLink(outline, readLink(search, hash));
    // An earlier visit to this history step may have shown the context of another call.
    const call = history.state?.call ?? callAfter(callsTo(outline, spot.leaf), spot.target);
    return { ...spot, call, ...readReader(outline, search, hash) };
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
