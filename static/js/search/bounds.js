/** The limit on a search query. */

/** A search beyond this many letters is cut: each of its words is looked for in every entry. */
export const QUERY_LENGTH = 1000;

/**
 * @param {string} query
 * @returns {string} its beginning, where it is too long
 */
export function boundedQuery(query) {
    // Not half a letter: an address cannot hold it.
    return query.length > QUERY_LENGTH ? query.slice(0, QUERY_LENGTH).replace(/[\ud800-\udbff]$/, "") : query;
}
