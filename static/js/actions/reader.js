/** Search and filters. */

import { paramsOf } from "../address/write.js";
import { boundedQuery } from "../search/bounds.js";
import { nearestShown } from "./places.js";

/** @import { State } from "../state/state.js" */
/** @import { Parts } from "./parts.js" */

/**
 * @param {Parts} parts
 * @param {string} query
 */
export function runSearch(parts, query) {
    const { store, searcher } = parts;
    const bounded = boundedQuery(query);
    store.update(leftOnly(parts, { query: bounded, queryCut: bounded !== query, searching: true }));
    searcher.start(bounded, (hits) => {
        const change = () => store.update({ hits, searching: hits !== null && !hits.done });
        keepPlace(parts, store.get().only, change);
    });
}

/**
 * @param {Parts} parts
 * @param {string} query
 */
export function search(parts, query) {
    runSearch(parts, query);
    parts.addressBar.replace(paramsOf(parts.outline, parts.store.get()));
}

/**
 * Sets a filter, or whether it applies to the transcript.
 *
 * @param {Parts} parts
 * @param {Partial<Pick<State, "filter" | "only">>} change
 */
export function setReader(parts, change) {
    const touched = parts.store.get().only || change.only === true;
    keepPlace(parts, touched, () => parts.store.update(leftOnly(parts, change)));
    parts.addressBar.replace(paramsOf(parts.outline, parts.store.get()));
}

/**
 * "Show only these" ends with the filter and the search that chose them.
 *
 * @param {Parts} parts
 * @param {Partial<State>} change
 * @returns {Partial<State>}
 */
function leftOnly({ outline, store }, change) {
    const before = store.get();
    const { query, filter } = { ...before, ...change };
    const isSame = query === before.query && filter === before.filter;
    return isSame || query !== "" || filter !== outline.filter ? change : { ...change, only: false };
}

/**
 * Articles that come and go above the reader must not move what is being read.
 *
 * @param {Parts} parts
 * @param {boolean} touched whether the transcript changes at all
 * @param {() => void} change
 */
function keepPlace(parts, touched, change) {
    const { outline, store, reading } = parts;
    const mark = touched && store.get().view === "path" ? reading.scrollMark() : null;
    change();
    if (mark !== null) {
        const near = nearestShown(reading.entries(), outline.byKey.get(mark.at) ?? -1);
        if (near >= 0) {
            reading.restore({ at: outline.keys[near], offset: mark.offset });
        }
    }
}
