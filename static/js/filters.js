/** The five filter buttons, each with the number of rows it would show. */

/**
 * @param {HTMLElement} group
 * @param {(filter: string) => void} choose
 */
function startFilters(group, choose) {
    listen(group, "click", (event) => {
        const filter = eventTarget(event, "button[data-filter]")?.dataset.filter;
        if (filter !== undefined && FILTER_BITS.has(filter)) {
            choose(filter);
        }
    });
}

/**
 * @param {HTMLElement} group
 * @param {string} filter
 * @param {Map<string, number>} counts
 */
function drawFilters(group, filter, counts) {
    for (const button of group.querySelectorAll("button[data-filter]")) {
        const name = button.getAttribute("data-filter") ?? "";
        button.setAttribute("aria-pressed", String(name === filter));
        const count = button.querySelector(".count");
        if (count !== null) {
            setText(count, String(counts.get(name) ?? 0));
        }
    }
}

/**
 * The rows under each filter, folds disregarded.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {Uint8Array | null} matches
 * @returns {Map<string, number>}
 */
function countRows(outline, leaf, matches) {
    // One count for each combination of bits, so that the entries are gone through once.
    const combinations = new Int32Array(256);
    for (let n = 0; n < outline.count; n++) {
        const mode = outline.modes[n];
        const listed = outline.session[n] === outline.session[leaf] && ((mode & TEXTLESS) === 0 || n === leaf);
        if (listed && (matches === null || matches[n] === 1)) {
            combinations[mode]++;
        }
    }
    /** @type {(bit: number) => number} */
    const count = (bit) => combinations.reduce((sum, rows, mode) => sum + ((mode & bit) === 0 ? 0 : rows), 0);
    return new Map(Array.from(FILTER_BITS, ([name, bit]) => [name, count(bit)]));
}
