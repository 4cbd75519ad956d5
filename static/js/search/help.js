/** The list of what the search field understands, in place below it. */

import { byId, eventTarget, listen } from "../base/dom.js";

/**
 * @param {HTMLInputElement} field
 * @param {(query: string) => void} search
 */
export function startSearchHelp(field, search) {
    const button = byId("search-help");
    const text = byId("search-help-text");
    listen(button, "click", () => {
        text.hidden = !text.hidden;
        button.setAttribute("aria-expanded", String(!text.hidden));
    });
    listen(text, "click", (event) => {
        const example = eventTarget(event, "button[data-example]")?.dataset.example;
        if (example === undefined) {
            return;
        }
        field.value = `${field.value.trim()} ${example}`.trim();
        field.focus();
        search(field.value);
    });
}
