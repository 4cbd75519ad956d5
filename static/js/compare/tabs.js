/** On a narrow screen the two sides of a comparison are two tabs: one is seen, and each keeps its place. */

import { listen, make, makeButton } from "../base/dom.js";
import { SIDES } from "../outline/branches.js";

/**
 * @typedef {object} CompareTabs
 * @property {HTMLElement} element
 * @property {(nth: number) => void} show
 */

/**
 * @param {readonly string[]} names of the sides
 * @param {HTMLElement} columns holds the sides
 * @param {(nth: number) => void} chosen
 * @returns {CompareTabs}
 */
export function makeCompareTabs(names, columns, chosen) {
    const element = make("div", "side-tabs");
    element.setAttribute("role", "tablist");
    element.setAttribute("aria-label", "Branches");
    /** @type {number[]} where each side was left */
    const places = [];
    let shown = 0;
    const show = (/** @type {number} */ nth) => {
        shown = nth;
        columns.dataset.shown = String(nth);
        tabs.forEach((tab, at) => {
            tab.setAttribute("aria-selected", String(at === nth));
            tab.tabIndex = at === nth ? 0 : -1;
        });
    };
    const choose = (/** @type {number} */ nth) => {
        if (nth === shown) {
            return;
        }
        places[shown] = scrollY;
        show(nth);
        chosen(nth);
        // One never seen begins at its start, right under the tabs where they already stand at the top.
        const start = scrollY + columns.getBoundingClientRect().top - element.getBoundingClientRect().bottom;
        scrollTo({ top: places[nth] ?? Math.min(scrollY, start), behavior: "instant" });
    };
    const tabs = names.map((name, nth) => {
        const tab = makeButton("side-tab", "", () => choose(nth));
        tab.setAttribute("role", "tab");
        tab.append(make("span", "side-facts", SIDES[nth]), make("span", "side-name", name));
        return tab;
    });
    listen(element, "keydown", (event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step !== 0) {
            event.preventDefault();
            choose((shown + step + tabs.length) % tabs.length);
            tabs[shown].focus({ preventScroll: true });
        }
    });
    element.append(...tabs);
    show(0);
    return { element, show };
}
