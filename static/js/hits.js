/** The hits of a search, in the order in which they are walked, and what is said of them. */

/**
 * The hit to go to, round and round. Going to one may bring its branch to the top of the list, so the order is
 * that of the rows when the hits were found.
 *
 * @param {Int32Array} order
 * @param {number} current the hit walked to, -1 for none
 * @param {1 | -1} step
 * @returns {number} -1 when there is no hit
 */
function nextHit(order, current, step) {
    const at = order.indexOf(current);
    const first = step > 0 ? 0 : order.length - 1;
    return order[at < 0 ? first : (at + step + order.length) % order.length] ?? -1;
}

/**
 * @param {Readonly<State>} state
 * @param {Int32Array} order
 * @returns {string}
 */
function searchStatus(state, order) {
    const found = state.hits === null ? "" : hitCount(state.hits, order, order.indexOf(state.hitAt));
    return state.searching ? `searching … ${found}`.trim() : found;
}

/**
 * @param {Hits} hits
 * @param {Int32Array} order
 * @param {number} at the place in it, -1 for none
 * @returns {string}
 */
function hitCount(hits, order, at) {
    const listed = `${at < 0 ? "" : `${at + 1} of `}${counted(order.length, "hit")}`;
    const unlisted = hits.count - order.length;
    // The filter hides them, or they are turns without text, which have no row.
    return unlisted > 0 ? `${listed}, ${unlisted} more hidden by the filter` : listed;
}

/**
 * @param {Readonly<State>} state
 * @param {Int32Array} order
 */
function drawHits(state, order) {
    setText(byId("search-status"), searchStatus(state, order));
    for (const id of ["prev-hit", "next-hit"]) {
        byId(id).hidden = order.length === 0;
    }
}
