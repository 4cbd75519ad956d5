/** The filter buttons, each with the number of rows it would show. */

import { eventTarget, listen, setText } from "../base/dom.js";

/**
 * @param {HTMLElement} group
 * @param {(filter: string) => void} choose
 */
export function startFilters(group, choose) {
    listen(group, "click", (event) => {
        const filter = eventTarget(event, "button[data-filter]")?.dataset.filter;
        if (filter !== undefined) {
            choose(filter);
        }
    });
}

/**
 * @param {HTMLElement} group
 * @param {string} filter
 * @param {Map<string, number>} counts
 */
export function drawFilters(group, filter, counts) {
    for (const button of group.querySelectorAll("button[data-filter]")) {
        const name = button.getAttribute("data-filter") ?? "";
        button.setAttribute("aria-pressed", String(name === filter));
        const count = counts.get(name) ?? 0;
        const rows = count.toLocaleString("en-US");
        setText(/** @type {Element} */ (button.lastElementChild), rows);
        button.classList.toggle("none", count === 0);
        button.setAttribute("title", `${button.getAttribute("title")?.split(" (")[0]} (${rows})`);
    }
}
