/** The five filter buttons. */

/**
 * @param {HTMLElement} group
 * @param {(filter: string) => void} choose
 */
function startFilters(group, choose) {
    group.addEventListener("click", (event) => {
        const filter = eventTarget(event, "button[data-filter]")?.dataset.filter;
        if (filter !== undefined && FILTER_BITS.has(filter)) {
            choose(filter);
        }
    });
}

/**
 * @param {HTMLElement} group
 * @param {string} filter
 */
function drawFilters(group, filter) {
    for (const button of group.querySelectorAll("button[data-filter]")) {
        button.setAttribute("aria-pressed", String(button.getAttribute("data-filter") === filter));
    }
}
