/** What the reader has chosen, in the address: a reload and the way back from a session keep it. */

import { FACETS } from "./filters.js";
import { boundedQuery } from "../search/bounds.js";

/** @import { Choice } from "./filters.js" */
/** @import { Order } from "./sessions.js" */

/** @type {Order[]} */
export const ORDERS = ["newest", "longest", "costliest"];

/**
 * @returns {Choice}
 */
export function readAddress() {
    const asked = new URLSearchParams(location.search);
    const values = new Map(FACETS.map((facet) => [facet, new Set(asked.getAll(facet))]));
    for (const facet of FACETS) {
        if (values.get(facet)?.size === 0) {
            values.delete(facet);
        }
    }
    return {
        query: boundedQuery(asked.get("q") ?? ""),
        values,
        from: asked.get("from") ?? "",
        to: asked.get("to") ?? "",
        order: ORDERS.find((order) => order === asked.get("sort")) ?? "newest",
    };
}

/**
 * @param {Choice} choice
 */
export function writeAddress(choice) {
    const asked = new URLSearchParams();
    const add = (/** @type {string} */ name, /** @type {string} */ value) => {
        if (value !== "") {
            asked.append(name, value);
        }
    };
    add("q", choice.query);
    for (const [facet, chosen] of choice.values) {
        chosen.forEach((value) => add(facet, value));
    }
    add("from", choice.from);
    add("to", choice.to);
    add("sort", choice.order === "newest" ? "" : choice.order);
    try {
        history.replaceState(null, "", `${location.pathname}${asked.size > 0 ? `?${asked}` : ""}`);
    } catch {
        // Refused by some browsers after many changes in a short time: the next one writes it.
    }
}
