/** A long prompt shows its beginning, with a button for the rest. Which prompts are long is known to Rust. */

import { makeButton } from "../base/dom.js";

/** How many lines are not seen. */
const MORE = "data-more";

/**
 * Adds the button below the body of a prompt that is collapsed.
 *
 * @param {Element} body
 */
export function collapsePrompt(body) {
    const more = body.getAttribute(MORE);
    if (more === null) {
        return;
    }
    const expand = () => expandPrompt(body);
    if (body.scrollHeight <= body.clientHeight) {
        return expand();
    }
    // A copy brings along one that does nothing.
    body.nextElementSibling?.remove();
    const button = makeButton("all-lines", `Show ${more} more lines`, expand);
    button.dataset.ui = "";
    body.after(button);
    // The focus, a link or the browser's own search has moved what it holds.
    body.addEventListener("scroll", expand);
}

/**
 * @param {Element} body of any entry
 */
export function expandPrompt(body) {
    if (body.hasAttribute(MORE)) {
        const at = body.scrollTop;
        body.removeAttribute(MORE);
        body.nextElementSibling?.remove();
        scrollBy(0, at);
    }
}
