/** The search field: typing reduces the tree, Enter walks the hits, Escape clears. */

import { listen } from "../base/dom.js";

/**
 * @typedef {object} SearchActions
 * @property {(query: string) => void} search
 * @property {(step: 1 | -1) => void} walk
 */

/**
 * @param {HTMLInputElement} field
 * @param {SearchActions} actions
 */
export function startSearchBox(field, actions) {
    listen(field, "input", () => actions.search(field.value));
    listen(field, "keydown", (event) => {
        // While an input method composes, Enter and Escape are its own.
        if (event.isComposing) {
            return;
        }
        if (event.key === "Enter") {
            event.preventDefault();
            actions.walk(event.shiftKey ? -1 : 1);
        } else if (event.key === "Escape" && field.value !== "") {
            event.preventDefault();
            event.stopPropagation();
            field.value = "";
            actions.search("");
        } else if (event.key === "Escape") {
            // Single keys are the page's again.
            field.blur();
        }
    });
}
